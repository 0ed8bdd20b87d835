"""How a column of a table is made up in print: as one, as a number and its marks, or as a number cut at its point."""

from __future__ import annotations

import re
from typing import Literal

from reportkit.report.model import Table
from reportkit.report.prose import Prose, Raised, Text

Kind = Literal["single", "marks", "point"]

_DECIMAL = re.compile(r"([<>≤≥≈+−-]?\d*)(\.\d+)([^\d.].*)?")
_SHORT, _LONG = 6, 20


def column_kinds(table: Table) -> tuple[Kind, ...]:
    """Say for each column how it is printed.

    Parameters
    ----------
    table : Table
        Any.

    Returns
    -------
    tuple of {"single", "marks", "point"}
        `point`: numbers with different numbers of decimals, such as p-values; they stand below one another with the
        point. `marks`: other numbers, some with marks, which have a column of their own behind them. `single`: the
        rest.

    Examples
    --------
    >>> from reportkit.report.model import Cell, Column, Row
    >>> cells = [[".036", "84.1", "9"], [".48", "9.3", "10"]]
    >>> rows = tuple(Row(cells=tuple(Cell(text=(Text(text),), mark="*") for text in row)) for row in cells)
    >>> columns = (Column(header=()), Column(header=()), Column(header=(), align="left"))
    >>> column_kinds(Table(name="t", caption=(), columns=columns, rows=rows))
    ('point', 'marks', 'single')
    """
    return tuple(_kind(table, index) for index in range(len(table.columns)))


def _kind(table: Table, index: int) -> Kind:
    if table.columns[index].align != "right":
        return "single"
    cells = [row.cells[index] for row in (*table.header_rows, *table.rows)]
    contents = [cell.text for cell in cells if cell.text]
    parts = [at_the_point(content) for content in contents]
    decimals = {_decimals(fraction) for _, fraction in parts if fraction}
    others_short = all(fraction or _is_short(whole) for whole, fraction in parts)
    if len(decimals) > 1 and others_short:
        return "point"
    return "marks" if any(cell.mark for cell in cells) else "single"


def at_the_point(content: Prose) -> tuple[Prose, Prose]:
    """Cut a number at its decimal point; what is no such number stays before it.

    Examples
    --------
    >>> at_the_point((Text("<.001"),))
    ((Text(text='<'),), (Text(text='.001'),))
    >>> at_the_point((Text("–"),))
    ((Text(text='–'),), ())
    """
    if content and isinstance(content[0], Text) and all(isinstance(part, (Text, Raised)) for part in content[1:]):
        match = _DECIMAL.fullmatch(content[0].text)
        if match and sum(len(part.text) for part in content if isinstance(part, Text)) <= _LONG:
            whole, fraction = match[1], match[2] + (match[3] or "")
            return ((Text(whole),) if whole else ()), (Text(fraction), *content[1:])
    return content, ()


def _decimals(fraction: Prose) -> str:
    """What of a fraction decides where it ends: digits count by their number, the rest by what it is."""
    text = fraction[0].text if isinstance(fraction[0], Text) else ""
    return re.sub(r"\d", "0", text)


def _is_short(content: Prose) -> bool:
    return len(content) == 1 and isinstance(content[0], Text) and len(content[0].text) <= _SHORT
