"""Tables for other programs and for terminals: CSV, JSON, and text in even columns."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from reportkit.rendering.notation import Context, Format, Machine
from reportkit.rendering.printed_numbers import number_value, printed_number
from reportkit.rendering.text.escaping import columns_in_terminal, visible
from reportkit.report.model import Align, Cell, Row, Signature, Table

TABLE_SCHEMA_VERSION = "1.0"
_MOST_ROWS = 60


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
    >>> from reportkit.report.model import Column
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


def _line(fields: list[str]) -> str:
    """Write one line; the writer quotes the signs of its own line break, so that either kind within a name is safe."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\r\n").writerow(fields)
    return buffer.getvalue().removesuffix("\r\n") + "\n"


def json_table(table: Table, signature: Signature | None = None, *, context: Context | None = None) -> str:
    r"""Write a table as JSON, as `docs/reference/table.schema.json` describes it.

    Examples
    --------
    >>> from reportkit.report.model import Column
    >>> cell = Cell(text="−1,024.5", mark="*", bold=True)
    >>> table = Table(name="t", caption="", columns=(Column(header="n"),), rows=(Row(cells=(cell,)),))
    >>> json.loads(json_table(table))["rows"][0]["cells"]
    [{'text': '−1,024.5', 'number': -1024.5, 'mark': '*', 'bold': True, 'underline': False}]
    """
    plain, machine = Format(context), Machine(context)

    def row(one: Row) -> dict[str, Any]:
        return {"rule_above": one.rule_above, "heading": one.heading, "cells": [cell(each) for each in one.cells]}

    def cell(one: Cell) -> dict[str, Any]:
        text = machine.write(one.text)
        number = number_value(text)
        return {"text": text, "number": number, "mark": one.mark, "bold": one.bold, "underline": one.underline}

    content = {
        "schema_version": TABLE_SCHEMA_VERSION,
        "signature": None if signature is None else signature.line,
        "name": table.name,
        "label": table.label,
        "caption": plain.write(table.caption),
        "legend": plain.write(table.legend),
        "columns": [{"header": machine.write(column.header), "align": column.align} for column in table.columns],
        "spanners": [
            {"header": machine.write(item.header), "first": item.first, "last": item.last} for item in table.spanners
        ],
        "header_rows": [row(each) for each in table.header_rows],
        "rows": [row(each) for each in table.rows],
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def plain_table(table: Table, context: Context | None = None) -> str:
    """Write a table as text in even columns: headers, a line, rows; at most 60 of them.

    Examples
    --------
    >>> from reportkit.report.model import Column
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
    texts = [[plain.write(cell.text) + visible(cell.mark) for cell in row.cells] for row in rows[:_MOST_ROWS]]
    widths = [max(map(columns_in_terminal, column)) for column in zip(names, *texts, strict=True)]
    aligns = [column.align for column in table.columns]
    head = _even(names, widths, aligns)
    body = [_even(line, widths, aligns) for line in texts]
    lines = [head, "  ".join("-" * width for width in widths), *body]
    more = [f"... {len(rows) - _MOST_ROWS} more rows"] if len(rows) > _MOST_ROWS else []
    return "\n".join(lines + more)


def _even(line: Sequence[str], widths: Sequence[int], aligns: Sequence[Align]) -> str:
    cells = []
    for cell, width, align in zip(line, widths, aligns, strict=True):
        free = width - columns_in_terminal(cell)
        before = {"left": 0, "right": free, "center": free // 2}[align]
        cells.append(" " * before + cell + " " * (free - before))
    return "  ".join(cells).rstrip()
