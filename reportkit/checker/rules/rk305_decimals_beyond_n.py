"""More decimals are printed than n supports.

What it does
------------
Reports a table with a row or column n where scores are printed so finely that one unit of the last digit is less than
a tenth of what one instance counts: 10^-d percentage points < 0.1 * 100/n, that is, two decimals of a percentage
below n = 1,000, one below n = 100. With data, n is that of the cell.

Why
---
With 277 instances one answer moves accuracy by 0.36 points; the second decimal is noise by a factor of several
hundred, and suggests a precision that no interval has. It also makes tables hard to read.

Example
-------
    84.27 with n = 277

Instead
-------
    84.3 with n = 277

When it is wrong
----------------
If the number is a mean over many runs or a metric of words or characters, whose steps are finer than an instance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import quantity_of
from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.rule import Rule
from reportkit.checker.sizes import FEWEST, OTHER_METRIC


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each table with digits beyond its n."""
    for table in context.paper.tables:
        sizes = _sizes(context, table)
        worst: tuple[Cell, int] | None = None
        count = 0
        for cell in table.body():
            size = sizes.get((cell.row, cell.column))
            number = cell.number
            if size is None or number is None or not number.decimals or number.relation != "=":
                continue
            context.coverage.claim(context.number, cell.span)
            if 10.0 ** (_power(number) - number.decimals) < 0.1 * 100 / size * (1 - 1e-9):
                count += 1
                worst = worst or (cell, size)
        if worst is not None and worst[0].number is not None:
            cell, size = worst
            printed = worst[0].number.text
            others = f", and {count - 1} more in this table" if count > 1 else ""
            yield RULE.at(
                context.paper,
                cell.span,
                (
                    f"{printed} has more decimals than n = {size:,} supports: one instance counts "
                    f"{100 / size:.2g} points{others}."
                ),
                remedy="print fewer decimals",
            )


def _power(number: PrintedNumber) -> int:
    """Percentage points are a hundred times proportions."""
    return 2 if abs(number.value) <= 1 and not number.percent else 0


def _sizes(context: CheckContext, table: Table) -> dict[tuple[int, int], int]:
    """Number of instances behind each score of a table: from its row or column n, or from the data."""
    found: dict[tuple[int, int], int] = {}
    if context.evidence is not None:
        for linked in context.linked_tables:
            if linked.table is table:
                found = {
                    (item.cell.row, item.cell.column): item.n
                    for item in linked.scores()
                    if item.n and (_SHARES.search(item.metric) or table_of_shares(table))
                }
    rows = {cell.row for cell in table.body() if _headed(table, table.row_header(cell.row)[-1:])}
    columns = {cell.column for cell in table.body() if _headed(table, table.column_header(cell.column)[-1:])}
    by_column = {cell.column: _whole(cell) for cell in table.body() if cell.row in rows and _whole(cell)}
    by_row = {cell.row: _whole(cell) for cell in table.body() if cell.column in columns and _whole(cell)}
    if not table_of_shares(table):
        return found
    for cell in table.body():
        size = by_column.get(cell.column) if len(rows) == 1 else None
        size = size or (by_row.get(cell.row) if len(columns) == 1 else None)
        if size and cell.row not in rows and cell.column not in columns and _is_score(table, cell):
            found.setdefault((cell.row, cell.column), size)
    return found


def table_of_shares(table: Table) -> bool:
    """Whether caption or headings name a metric that counts instances."""
    words = " ".join([table.caption.text, *(cell.text.text for cell in table.cells() if cell.header)])
    return _SHARES.search(words) is not None


def _headed(table: Table, headings: tuple[str, ...]) -> bool:
    return any(quantity_of(table, text) == "n" for text in headings)


def _is_score(table: Table, cell: Cell) -> bool:
    headings = (*table.row_header(cell.row)[-1:], *table.column_header(cell.column)[-1:])
    return (
        _SHARES.search(" ".join((table.caption.text, *headings))) is not None
        and not OTHER_METRIC.search(" ".join(headings))
        and cell.spread is None
        and all(quantity_of(table, text) in (None, "score") for text in headings)
    )


def _whole(cell: Cell) -> int:
    number = cell.number
    return int(number.value) if number is not None and not number.decimals and number.value >= FEWEST else 0


_SHARES = re.compile(
    r"\bacc(?:uracy|uracies)?\b|\bexact match\b|\bEM\b|\bwin rates?\b|\berror rates?\b|\bsuccess rates?\b|"
    r"\bresolved\b|\bpass@1\b",
    re.IGNORECASE,
)


RULE = Rule(
    code="RK305",
    name="decimals-beyond-n",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
)
