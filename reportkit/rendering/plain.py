"""Tables as CSV: the text of the cells, without type or signs, for other programs."""

from __future__ import annotations

import csv
import io

from reportkit.rendering.numbers.printed_numbers import printed_number
from reportkit.rendering.text.inline import plain_prose
from reportkit.report.model import Table


def csv_table(table: Table) -> str:
    """Write a table as CSV.

    Parameters
    ----------
    table : Table
        Any.

    Returns
    -------
    str
        One row of headers (a spanner stands before the headers below it) and one row per row; numbers without signs
        of typography (`-1.25`, `12400`, `3.9e-10`); marks in columns of their own, named after the column. Names stand
        as they were given, also where a spreadsheet would read a formula (`=1+1`): import such columns as text.

    Examples
    --------
    >>> from reportkit.report.model import Cell, Column, Row
    >>> from reportkit.report.prose import Text
    >>> columns = (Column(header=(Text("System"),)), Column(header=(Text("tweets"),)))
    >>> row = Row(cells=(Cell(text=(Text("a, b"),)), Cell(text=(Text("−1,024.5"),), mark="*")))
    >>> print(csv_table(Table(name="t", caption=(), columns=columns, rows=(row,))), end="")
    System,tweets,tweets mark
    "a, b",-1024.5,*
    """
    header, rows = texts_of(table)
    return "".join(map(_line, (header, *rows)))


def texts_of(table: Table) -> tuple[list[str], list[list[str]]]:
    """Headers and rows of a table as text, as `csv_table` writes them."""
    rows = (*table.header_rows, *table.rows)
    marked = [any(row.cells[index].mark for row in rows) for index in range(len(table.columns))]
    header: list[str] = []
    for index, column in enumerate(table.columns):
        above = [spanner.header for spanner in table.spanners if spanner.first <= index <= spanner.last]
        parts = (plain_prose(part, machine=True) for part in [*above, column.header])
        name = " ".join(filter(None, parts))
        header += [name, f"{name} mark"] if marked[index] else [name]
    lines: list[list[str]] = []
    for row in rows:
        line: list[str] = []
        for cell, with_mark in zip(row.cells, marked, strict=True):
            text = plain_prose(cell.text, machine=True)
            text = printed_number(text) or text
            line += [text, cell.mark] if with_mark else [text]
        lines.append(line)
    return header, lines


def _line(fields: list[str]) -> str:
    """One line; the writer quotes the signs of its own line break, so that either kind within a name is safe."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\r\n").writerow(fields)
    return buffer.getvalue().removesuffix("\r\n") + "\n"
