r"""The parts of a total of 100% do not sum to 100%.

What it does
------------
In a column whose last row is called total and is 100%, adds the other rows, and reports a sum that is near 100%, and
that no rounding of the parts explains.

Why
---
ACL Rolling Review, guideline R1. A part is missing, counted twice, or from another version.

Example
-------
    Positive & 41.0 \\ Negative & 35.2 \\ Neutral & 21.8 \\ Total & 100.0

Instead
-------
    Positive & 41.0 \\ Negative & 35.2 \\ Neutral & 23.8 \\ Total & 100.0

When it is wrong
----------------
If parts overlap. Sums far from 100% and tables with subtotals or headings between their rows are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import normalised
from reportkit.checker.paper.document import Table
from reportkit.checker.rule import Rule

WHOLE = 100.0
NEAR = 10.0
"""Percentage points from 100 within which parts were meant to sum to it."""
FEWEST = 2
TOTALS = frozenset({"total", "all", "sum", "overall"})


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each column whose parts do not sum to its total."""
    for table in context.paper.tables:
        last = table.n_rows - 1
        if last <= table.n_header_rows or table.group_rows:
            continue
        names = [table.row_header(row)[-1:] for row in range(table.n_header_rows, table.n_rows)]
        total = [any(normalised(text) in TOTALS for text in texts) for texts in names]
        if total == [*[False] * (len(total) - 1), True]:
            yield from _columns(context, table, last)


def _columns(context: CheckContext, table: Table, last: int) -> Iterator[Diagnostic]:
    for column in range(table.n_header_columns, table.n_columns):
        whole = table.grid[last][column].number
        parts = [table.grid[row][column].number for row in range(table.n_header_rows, last)]
        there = [part for part in parts if part is not None]
        if whole is None or whole.value != WHOLE or len(there) < max(FEWEST, len(parts)):
            continue
        if not any(part.decimals or part.percent for part in (whole, *there)) or min(p.value for p in there) < 0:
            continue
        context.coverage.checked(context.number, whole.span)
        low, high = sum(part.low for part in there), sum(part.high for part in there)
        found = sum(part.value for part in there)
        if (high < whole.low or low > whole.high) and abs(found - WHOLE) < NEAR:
            decimals = max(part.decimals for part in there)
            yield RULE.at(
                context.paper,
                whole.span,
                f"The parts of {whole.text} sum to {found:.{decimals}f}, in column "
                f"{' / '.join(table.column_header(column)) or column + 1} of {context.paper.name_of(table)}.",
                remedy="find the part that is missing, counted twice or out of date",
            )


RULE = Rule(
    code="RK122",
    name="percentages-do-not-sum",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    sources="ARR R1",
)
