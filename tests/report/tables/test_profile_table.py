"""What the tests of the other profile would change, as a small table."""

from __future__ import annotations

import numpy as np
import pandas as pd

import reportkit
from reportkit.report.model import Itemize, Table
from reportkit.report.prose import plain


def _frame(seed: int = 0, n_datasets: int = 3) -> pd.DataFrame:
    """Skewed, paired differences, of which two tests may think differently."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset in range(n_datasets):
        base = rng.normal(size=40)
        gain = 0.21 + 0.6 * (rng.exponential(size=40) - 1)
        for system, scores in (("new", base + gain), ("old", base)):
            rows += [(system, f"d{dataset}", i, score) for i, score in enumerate(scores)]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])


def test_each_row_is_one_result_that_differs() -> None:
    """By the marks of the two analyses themselves, and in the order of claims, levels and datasets."""
    found = []
    for seed in range(12):
        analysis = reportkit.compare(_frame(seed), "new", "old", other_profile=True)
        assert analysis.other is not None
        mine, theirs = analysis.comparisons[0], analysis.other.comparisons[0]
        wanted = [
            (dataset, "better" if here else "–", "better" if there else "–")
            for alpha in analysis.alpha
            for dataset, here, there in zip(mine.datasets, mine.marked(alpha), theirs.marked(alpha), strict=True)
            if here != there
        ]
        sections = {section.title: section for section in analysis.report().model.sections}
        assert ("Would other tests agree?" in sections) is bool(wanted)
        if wanted:
            (table,) = sections["Would other tests agree?"].blocks
            assert isinstance(table, Table)
            rows = [tuple(plain(cell.text) for cell in row.cells) for row in table.rows]
            assert [(row[1], row[3], row[4]) for row in rows] == wanted
            assert {row[0] for row in rows} == {"new > old"}
            found += wanted
        else:
            (points,) = sections["What to know before citing this"].blocks
            assert isinstance(points, Itemize)
            assert plain(points.items[-1]).endswith("the same datasets are marked at every level.")
    assert found
