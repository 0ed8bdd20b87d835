"""Which tables of a paper print results: scores of systems under the name of a metric or of several datasets."""

from __future__ import annotations

import re

from reportkit.checker.paper.document import Document, Table
from reportkit.checker.paper.printed_number import is_measured
from reportkit.checker.patterns import patterns

METRIC, BOLD_IS_BEST = patterns("results_tables").values()
FEWEST_SCORES = 2


def results_table(document: Document, pattern: re.Pattern[str] = METRIC) -> Table | None:
    r"""First table that prints scores: numbers below a heading or a caption that names a metric.

    Parameters
    ----------
    document : Document
        The paper.
    pattern : re.Pattern
        What caption or headings have to name.

    Examples
    --------
    >>> from reportkit.checker.paper.reading import document_of
    >>> paper = document_of("| S | F1 |\n|---|---|\n| A | 80.1 |\n| B | 80.2 |\n", language="markdown")
    >>> results_table(paper) is paper.tables[0]
    True
    """
    return next((table for table in document.tables if is_results(table, pattern)), None)


def is_results(table: Table, pattern: re.Pattern[str] = METRIC) -> bool:
    """Whether a table prints at least two scores with decimals of something that a pattern names."""
    scores = [
        cell
        for cell in table.body()
        if cell.number is not None and cell.number.decimals and not is_measured(cell.text.text)
    ]
    if len(scores) < FEWEST_SCORES:
        return False
    words = " ".join(
        [
            table.caption.text,
            *(note.text for note in table.notes),
            *(cell.text.text for cell in table.cells() if cell.header),
        ]
    )
    return pattern.search(words) is not None
