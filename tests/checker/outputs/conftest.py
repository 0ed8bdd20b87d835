"""A report with everything in it."""

from __future__ import annotations

import pandas as pd
import pytest

from reportkit.checker.engine import check

PAPER = (
    "\\section{Results}\n"
    "It is significantly better.\n\nHere $p = .000$. We see 50\\% more: a, b.\n"
    "One % reportkit: ignore RK117 -- why\n"
)


@pytest.fixture
def report(tmp_path, monkeypatch):
    """Findings in a file with an awkward name, with a fix, about data, of every severity."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "my paper"
    folder.mkdir()
    (folder / "a,b:1%.tex").write_text(PAPER, encoding="utf-8")
    frame = pd.DataFrame({"system": ["a", "a", "b"], "dataset": "d", "instance": [1, 1, 1], "score": [1.0, 0.0, 1.0]})
    return check("my paper/a,b:1%.tex", data=frame)
