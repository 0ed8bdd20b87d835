"""Tables for other programs and for terminals: CSV, and text in even columns."""

from __future__ import annotations

import csv
import io
import re

from reportkit.rendering.notation import Context, Format, Machine
from reportkit.rendering.text.escaping import columns_in_terminal, visible
from reportkit.report.model import Table

_MOST_ROWS = 60
_NUMBER = re.compile(r"([+−-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?)(?:×10([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", re.ASCII)
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−", "0123456789+--")


def csv_table(table: Table, context: Context | None = None) -> str:
    """Write a table as CSV.

    Returns
    -------
    str
        One row of headers (a spanner stands before the headers below it) and one row per row; numbers without signs
        of typography (`-1.25`, `12400`, `3.9e-10`); marks in columns of their own, named after the column. Names stand
        as they were given, also where a spreadsheet would read a formula (`=1+1`): import such columns as text.

    Examples
    --------
    >>> from reportkit.report.model import Cell, Column, Row
    >>> columns = (Column(header="System"), Column(header="tweets"))
    >>> row = Row(cells=(Cell(text="a, b"), Cell(text="−1,024.5", mark="*")))
    >>> print(csv_table(Table(name="t", caption="", columns=columns, rows=(row,))), end="")
    System,tweets,tweets mark
    "a, b",-1024.5,*
    """
    header, rows = cells_of(table, context)
    return "".join(map(_line, (header, *rows)))


def cells_of(table: Table, context: Context | None = None) -> tuple[list[str], list[list[str]]]:
    """Return headers and rows of a table as text, as `csv_table` writes them."""
    machine = Machine(context)
    rows = (*table.header_rows, *table.rows)
    marked = [any(row.cells[index].mark for row in rows) for index in range(len(table.columns))]
    header: list[str] = []
    for index, column in enumerate(table.columns):
        above = [spanner.header for spanner in table.spanners if spanner.first <= index <= spanner.last]
        name = " ".join(filter(None, (str(machine.write(part)) for part in [*above, column.header])))
        header += [name, f"{name} mark"] if marked[index] else [name]
    lines: list[list[str]] = []
    for row in rows:
        line: list[str] = []
        for cell, with_mark in zip(row.cells, marked, strict=True):
            text = str(machine.write(cell.text))
            text = printed_number(text) or text
            line += [text, cell.mark] if with_mark else [text]
        lines.append(line)
    return header, lines


def printed_number(text: str) -> str | None:
    """Write a printed number as programs read it; None if the text is anything else.

    Examples
    --------
    >>> printed_number("−1,024.50"), printed_number(".036"), printed_number("3.9×10⁻¹⁰"), printed_number("<.001")
    ('-1024.50', '.036', '3.9e-10', None)
    """
    match = _NUMBER.fullmatch(text)
    if match is None or not any(sign.isdigit() for sign in match[1]):
        return None
    mantissa = match[1].translate(_LOWERED).replace(",", "")
    return f"{mantissa}e{match[2].translate(_LOWERED)}" if match[2] else mantissa


def _line(fields: list[str]) -> str:
    """Write one line; the writer quotes the signs of its own line break, so that either kind within a name is safe."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\r\n").writerow(fields)
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def plain_table(table: Table, context: Context | None = None) -> str:
    """Write a table as text in even columns: headers, a line, rows; at most 60 of them.

    Examples
    --------
    >>> from reportkit.report.model import Cell, Column, Row
    >>> columns = (Column(header="System", align="left"), Column(header="tweets"))
    >>> row = Row(cells=(Cell(text="VADER"), Cell(text="92.3", mark="*")))
    >>> print(plain_table(Table(name="t", caption="", columns=columns, rows=(row,))))
    System  tweets
    ------  ------
    VADER   92.3*
    """
    plain = Format(context)
    above = {i: plain.write(item.header) for item in table.spanners for i in range(item.first, item.last + 1)}
    names = [" ".join(filter(None, (above.get(i), plain.write(c.header)))) for i, c in enumerate(table.columns)]
    rows = (*table.header_rows, *table.rows)
    texts = [[f"{plain.write(cell.text)}{visible(cell.mark)}" for cell in row.cells] for row in rows[:_MOST_ROWS]]
    widths = [max(map(columns_in_terminal, column)) for column in zip(names, *texts, strict=True)]
    lines = []
    every: list[list[str]] = [names, ["-" * width for width in widths], *texts]
    for line in every:
        cells = []
        for cell, width, column in zip(line, widths, table.columns, strict=True):
            free = width - columns_in_terminal(cell)
            before = {"left": 0, "right": free, "center": free // 2}[column.align]
            cells.append(" " * before + cell + " " * (free - before))
        lines.append("  ".join(cells).rstrip())
    more = [f"... {len(rows) - _MOST_ROWS} more rows"] if len(rows) > _MOST_ROWS else []
    return "\n".join(lines + more)
