"""Tables as JSON: every cell with its text, its number, its marks and how it is set off."""

from __future__ import annotations

import json
from typing import Any

from reportkit.rendering.numbers.printed_numbers import number_value
from reportkit.rendering.text.inline import Lookup, plain_prose
from reportkit.report.model import Cell, Column, Row, Signature, Spanner, Table

TABLE_SCHEMA_VERSION = "1.0"


def json_table(table: Table, signature: Signature | None = None, *, lookup: Lookup | None = None) -> str:
    r"""Write a table as JSON.

    Parameters
    ----------
    table : Table
        Any.
    signature : Signature, optional
        What the table was computed from, and how.
    lookup : Lookup, optional
        Numbers of the tables of a report, and the literature.

    Returns
    -------
    str
        As `docs/reference/table.schema.json` describes it: cells and headers as they were given, symbols by their names
        in code (`k_hat`), numbers beside their text. A lone half of a surrogate pair, which UTF-8 does not have, is
        to be encoded as `\udXXX`.

    Examples
    --------
    >>> from reportkit.report.prose import Text
    >>> cell = Cell(text=(Text("−1,024.5"),), mark="*", bold=True)
    >>> table = Table(name="t", caption=(), columns=(Column(header=(Text("n"),)),), rows=(Row(cells=(cell,)),))
    >>> json.loads(json_table(table))["rows"][0]["cells"]
    [{'text': '−1,024.5', 'number': -1024.5, 'mark': '*', 'bold': True, 'underline': False}]
    """
    lookup = lookup or Lookup()
    content = {
        "schema_version": TABLE_SCHEMA_VERSION,
        "signature": None if signature is None else signature.line,
        "name": table.name,
        "label": table.label,
        "caption": plain_prose(table.caption, lookup),
        "legend": plain_prose(table.legend, lookup),
        "columns": [_column(column, lookup) for column in table.columns],
        "spanners": [_spanner(spanner, lookup) for spanner in table.spanners],
        "header_rows": [_row(row, lookup) for row in table.header_rows],
        "rows": [_row(row, lookup) for row in table.rows],
    }
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _column(column: Column, lookup: Lookup) -> dict[str, Any]:
    return {"header": plain_prose(column.header, lookup, machine=True), "align": column.align}


def _spanner(spanner: Spanner, lookup: Lookup) -> dict[str, Any]:
    header = plain_prose(spanner.header, lookup, machine=True)
    return {"header": header, "first": spanner.first, "last": spanner.last}


def _row(row: Row, lookup: Lookup) -> dict[str, Any]:
    return {
        "rule_above": row.rule_above,
        "heading": row.heading,
        "cells": [_cell(cell, lookup) for cell in row.cells],
    }


def _cell(cell: Cell, lookup: Lookup) -> dict[str, Any]:
    text = plain_prose(cell.text, lookup, machine=True)
    return {
        "text": text,
        "number": number_value(text),
        "mark": cell.mark,
        "bold": cell.bold,
        "underline": cell.underline,
    }
