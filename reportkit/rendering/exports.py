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
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−", "0123456789+--")


def csv_table(table: Table, context: Context | None = None) -> str:
    """Write a table as CSV.

    Returns
    -------
    str
        One row of headers (a spanner is before the headers below it) and one row per row; numbers without signs
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
    """Write one line of CSV; line breaks of either kind within a name are quoted."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\r\n").writerow(fields)
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def plain_table(table: Table, context: Context | None = None, width: int | None = None) -> str:
    """Write a table as text in even columns: headers, a line, rows; at most 60 of them.

    Parameters
    ----------
    table : Table
        Any.
    context : Context, optional
        Holds the labels.
    width : int, optional
        Columns of the terminal. A wider table is in panels, one below the other, each with the first column.

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
    rows = (*table.header_rows, *table.rows)
    columns = []
    for place, column in enumerate(table.columns):
        name = " ".join(filter(None, (above.get(place), plain.write(column.header))))
        cells = [row.cells[place] for row in rows[:_MOST_ROWS]]
        marks = [f" {cell.mark}" if cell.mark.isalpha() else cell.mark.translate(_RAISED) for cell in cells]
        room = max(map(columns_in_terminal, marks), default=0)
        texts = [f"{plain.write(cell.text)}{visible(mark):<{room}}" for cell, mark in zip(cells, marks, strict=True)]
        columns.append(_even([name, *texts], column.align))
    panels = [[columns[0]]]
    for lines in columns[1:]:
        if width and len(panels[-1]) > 1 and sum(len(each[1]) + 2 for each in panels[-1]) + len(lines[1]) > width:
            panels.append([columns[0]])
        panels[-1].append(lines)
    more = [f"... {len(rows) - _MOST_ROWS} more rows"] if len(rows) > _MOST_ROWS else []
    parts = ["\n".join("  ".join(line).rstrip() for line in zip(*panel, strict=True)) for panel in panels]
    return "\n".join(["\n\n".join(parts), *more])


def _even(texts: list[str], align: str) -> list[str]:
    """Pad the cells of a column with spaces, and draw a line below its header."""
    width = max(map(columns_in_terminal, texts))
    lines = []
    for text in texts:
        free = width - columns_in_terminal(text)
        before = {"left": 0, "right": free, "center": free // 2}[align]
        lines.append(" " * before + text + " " * (free - before))
    return [lines[0], "-" * width, *lines[1:]]
