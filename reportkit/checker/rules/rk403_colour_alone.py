r"""Colour is the only carrier of a distinction.

What it does
------------
Off by default. Reports tables whose body has coloured cells that nothing else tells apart: no bold, underline,
italics, mark or sign, and that are no whole rows or columns.

Why
---
About one reader in twenty does not tell red from green, and many print in grey. The formatting instructions of ACL
ask that colour is not the only carrier of a distinction.

Example
-------
    \textcolor{green!60!black}{84.2} & \textcolor{red}{71.0}

Instead
-------
    \textcolor{green!60!black}{+2.1} & \textcolor{red}{$-$0.3}

When it is wrong
----------------
If the shades only repeat the numbers, as in a heat map; then the numbers carry it.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.rule import Rule

BLACK = frozenset({"", "black"})


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each table that uses colour alone."""
    for table in context.paper.tables:
        numbers = [cell for cell in table.body() if cell.number is not None]
        coloured = [cell for cell in numbers if cell.stands_out and cell.colour not in BLACK]
        plain = [cell for cell in numbers if not cell.stands_out or cell.colour in BLACK]
        if not coloured or (not plain and len({cell.colour for cell in coloured}) == 1) or _heat_map(table, coloured):
            continue
        alone = [cell for cell in coloured if not _otherwise(cell) and not _whole_line(table, cell)]
        if not alone:
            continue
        context.coverage.claim(context.number, table.span)
        yield RULE.at(
            context.paper,
            alone[0].span,
            (
                f"Colour ({alone[0].colour}) alone distinguishes {len(alone)} {'cell' if len(alone) == 1 else 'cells'} "
                f"of this table."
            ),
            remedy="add a mark, a sign or bold type that says the same",
        )


def _otherwise(cell: Cell) -> bool:
    """Whether something besides the colour tells the cell apart."""
    signed = cell.number is not None and cell.number.sign != ""
    return (
        cell.bold
        or cell.underlined
        or cell.italic
        or bool(cell.marks)
        or signed
        or any(mark in cell.text.text for mark in "↑↓▲▼+−")
    )


def _whole_line(table: Table, cell: Cell) -> bool:
    """Whether the row or the column has the colour as a whole."""
    row = [other for other in table.body() if other.row == cell.row and other.number is not None]
    column = [other for other in table.body() if other.column == cell.column and other.number is not None]
    return any(len(line) > 1 and all(other.colour == cell.colour for other in line) for line in (row, column))


def _heat_map(table: Table, coloured: list[Cell]) -> bool:
    """Whether there are many shades of one colour, which repeat what the numbers say."""
    return len({cell.colour for cell in coloured}) > 3 and len({cell.colour.split("!")[0] for cell in coloured}) <= 2


RULE = Rule(
    code="RK403",
    name="colour-alone",
    severity="info",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ACL formatting",
)
