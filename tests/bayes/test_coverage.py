"""The committed coverage of posteriors is that of the script, and near the level."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_the_committed_coverage_is_that_of_the_script():
    """2,000 samples of one design again; every cell of the table lies where skewness allows."""
    script = runpy.run_path(str(ROOT / "benchmarks" / "posterior_coverage.py"))
    text = (ROOT / "docs" / "methods.md").read_text("utf-8").split("posterior_coverage.py")[1]
    rows = {design: text.split(f"| {design} | ")[1].splitlines()[0] for design in script["DESIGNS"]}
    assert rows["ratings, same instances"].startswith(
        f"{100 * script['coverage']('ratings, same instances', 10):.1f} |"
    )
    for design, row in rows.items():
        shares = [float(share) for share in re.findall(r"[\d.]+", row)]
        assert len(shares) == len(script["SIZES"])
        assert min(shares) > (90 if "skewed" in design else 93), design
