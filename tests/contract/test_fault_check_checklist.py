"""The drafted checklist says of each table and figure what its error bars are, as their captions do."""

from __future__ import annotations

import numpy as np
import pytest

from tests.conftest import run_command

pytestmark = pytest.mark.usefixtures("sketched")


def test_the_checklist_agrees_with_the_caption_of_the_forest_plot(tmp_path):
    """The figure draws intervals at the adjusted level."""
    rng = np.random.default_rng(3)
    rows = ["system,dataset,instance,score"]
    for dataset, effect in (("books", 0.8), ("films", 0.3), ("games", 0.0)):
        for instance in range(60):
            rows.append(f"new,{dataset},{instance},{effect + rng.normal():.3f}")
            rows.append(f"old,{dataset},{instance},{rng.normal():.3f}")
    (tmp_path / "results.csv").write_text("\n".join([*rows, ""]), encoding="utf-8")
    command = ("build", "results.csv", "--baseline", "old", "-o", "out", "--no-pdf", "--full")
    done = run_command(*command, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    report = (tmp_path / "out" / "more" / "report.md").read_text(encoding="utf-8")
    caption = next(line for line in report.splitlines() if line.startswith("**Figure 1.**"))
    assert "confidence intervals at the level of the correction" in caption
    checklist = (tmp_path / "out" / "checklist.md").read_text(encoding="utf-8")
    bars = [line for line in checklist.splitlines() if line.startswith("- Error bars are")]
    assert len(bars) == 2
    for line in bars:
        assert "Those in Figure 1 have the level of the correction" in line
