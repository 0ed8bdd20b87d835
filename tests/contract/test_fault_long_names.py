"""Names of thousands of characters, such as whole prompts, cost no more than others; figures shorten them."""

from __future__ import annotations

import resource
import time
from pathlib import Path

import pytest

from tests.conftest import run_command

MOST_SECONDS = 60.0
"""A machine under load takes some 10 seconds; without a bound, names of 560 characters took 100 seconds."""


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", ["a b " * 70, "a b " * 2_000, "word_" * 1_600], ids=["280", "8000", "one word"])
def test_a_report_of_long_names_is_built_in_seconds(tmp_path: Path, name: str) -> None:
    """The names are in full in the data of the report, and memory stays small."""
    rows = [
        f"{name}{system},{dataset},{instance},{(instance * 7 + len(dataset)) % 5}"
        for system in "12"
        for dataset in ("x", "yy")
        for instance in range(20)
    ]
    (tmp_path / "n.csv").write_text("\n".join(["system,dataset,instance,score", *rows]) + "\n")
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    done = run_command("build", "n.csv", "--no-pdf", "-q", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - start < MOST_SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1_000_000  # kB
    assert f"{name}1" in (tmp_path / "report" / "report.json").read_text()
