"""Small results for tests of tables: right-or-wrong answers of named systems, and the tables made from them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

import reportkit
from reportkit.analysis.analysis import Analysis
from reportkit.appearance.appearance import Appearance
from reportkit.report.labels import as_printed, in_print
from reportkit.report.model import Table
from reportkit.report.prose import plain
from reportkit.report.score_format import scale_for
from reportkit.report.tables.p_value_table import p_value_table
from reportkit.report.tables.scores_table import scores_table

SYSTEMS = ("base", "mid", "new", "twin")
DATASETS = {"news": 300, "tweets": 120, "books": 90}
_SHARES = {"base": 0.45, "mid": 0.52, "new": 0.75, "twin": 0.75}


@cache
def answers(systems=SYSTEMS, datasets=tuple(DATASETS), seed=3) -> pd.DataFrame:
    """Right or wrong by system, dataset and instance; `twin` answers as `new` does."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset in datasets:
        luck = rng.random(DATASETS.get(dataset, 100))
        for system in systems:
            noise = np.random.default_rng(7 if system in ("new", "twin") else len(system)).normal(0, 0.2, luck.size)
            right = luck + noise < _SHARES.get(system, 0.5 + 0.01 * len(system))
            rows += [(system, dataset, f"{dataset}-{i}", int(score)) for i, score in enumerate(right)]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])


@cache
def compared(*pair: str, baseline=(), systems=SYSTEMS, **options) -> Analysis:
    """Compare the answers: a pair, some with baselines, or all pairs."""
    return reportkit.compare(answers(systems), *pair, baseline=list(baseline), **options)


def table_of(analysis: Analysis, what: str = "results", **look) -> Table:
    """One table of the first metric, as a report has it."""

    def lay_out(wanted):
        shown, inside = as_printed(analysis, wanted)
        part = shown.parts[0]
        scale = scale_for(item for comparison in part.comparisons for item in comparison.assessments)
        return [scores_table(part, scale, inside).table if what == "results" else p_value_table(part, scale, inside)]

    return next(in_print(lay_out, Appearance(**look)))


def words(content) -> str:
    """Plain words."""
    return plain(content)


def cells_of(table: Table) -> dict[tuple[str, str], object]:
    """Cells by (first cell of the row, header of the column), letters before names taken off."""

    def name(content) -> str:
        text = words(content)
        return text.split(") ", 1)[1] if text.startswith("(") and ") " in text else text

    return {
        (name(row.cells[0].text), name(column.header)): cell
        for row in table.rows
        if not row.heading
        for column, cell in zip(table.columns[1:], row.cells[1:], strict=True)
    }
