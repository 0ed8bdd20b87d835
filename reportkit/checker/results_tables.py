"""Which tables of a paper print results: scores of systems under the name of a metric or of several datasets."""

from __future__ import annotations

import re

from reportkit.checker.paper.document import Table
from reportkit.checker.paper.printed_number import is_measured
from reportkit.checker.patterns import patterns

METRIC, BOLD_IS_BEST = patterns("results_tables").values()
FEWEST_SCORES = 2


def is_results(table: Table, pattern: re.Pattern[str] = METRIC) -> bool:
    r"""Whether a table prints at least two scores with decimals of something that a pattern names.

    Examples
    --------
    >>> from reportkit.checker.paper.reading import document_of
    >>> paper = document_of("| S | F1 |\n|---|---|\n| A | 80.1 |\n| B | 80.2 |\n", language="markdown")
    >>> is_results(paper.tables[0])
    True
    """
    scores = [
        cell
        for cell in table.body()
        if cell.number is not None and cell.number.decimals and not is_measured(cell.text.text)
    ]
    if len(scores) < FEWEST_SCORES:
        return False
    return pattern.search(words_of(table)) is not None


def words_of(table: Table) -> str:
    """Return caption, notes and headings of a table."""
    headings = (cell.text.text for cell in table.cells() if cell.header)
    return " ".join([table.caption.text, *(note.text for note in table.notes), *dict.fromkeys(headings)])
