"""Excel: a workbook with a sheet for each table, numbers as numbers, as they are printed."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from reportkit.rendering.exports import cells_of
from reportkit.rendering.notation import Context, Format
from reportkit.rendering.office import optional, undated
from reportkit.rendering.text.escaping import visible
from reportkit.report.model import Signature, Table

_LONGEST_TITLE, _LONGEST_TEXT = 31, 32_000
_NUMBER = re.compile(r"[+-]?(\d+(\.\d+)?|\.\d+)(e-?\d+)?")
_NEEDS = {"of": "Excel files", "extra": "excel"}


def workbook(tables: Sequence[Table], signature: Signature | None = None, context: Context | None = None) -> bytes:
    """Write tables as one workbook.

    Parameters
    ----------
    tables : sequence of Table
        Each gets a sheet of its name.
    signature : Signature, optional
        Stands below each table.

    Returns
    -------
    bytes
        An .xlsx file: headers in the first row, which stays in sight as the first column does; numbers are numbers with
        the printed decimals; signs after numbers are in columns of their own; the caption is below. A name that
        begins with = is text, not a formula. The same tables give the same bytes.

    Raises
    ------
    RenderingError
        If openpyxl is not installed.
    """
    book = optional("openpyxl", **_NEEDS).Workbook()
    bold = optional("openpyxl.styles", **_NEEDS).Font(bold=True)
    book.remove(book.active)
    book.properties.creator = "reportkit"
    book.properties.created = datetime(1980, 1, 1, tzinfo=UTC).replace(tzinfo=None)
    for number, table in enumerate(tables, start=1):
        short = table.name if len(table.name) <= _LONGEST_TITLE else f"{table.name[:27]}-{number}"
        sheet = book.create_sheet(short)
        header, rows = cells_of(table, context)
        notes = [str(Format(context).write(table.full_caption)), "" if signature is None else signature.line]
        for at, texts in enumerate([header, *rows, [], *([note] for note in notes if note)], start=1):
            for column, text in enumerate(texts, start=1):
                _put(sheet.cell(at, column), text)
        for cell in sheet[1]:
            cell.font = bold
        _embolden(sheet, table, bold)
        sheet.freeze_panes = "B2"
    buffer = io.BytesIO()
    book.save(buffer)
    return undated(buffer.getvalue())


def _embolden(sheet: Any, table: Table, bold: Any) -> None:
    """Set in bold what is bold in the table; marks have columns of their own."""
    rows = (*table.header_rows, *table.rows)
    column = 1
    for index in range(len(table.columns)):
        for at, row in enumerate(rows, start=2):
            if row.cells[index].bold:
                sheet.cell(at, column).font = bold
        column += 1 + any(row.cells[index].mark for row in rows)


def _put(cell: Any, text: str) -> None:
    if cell.column == 1 or not _NUMBER.fullmatch(text):  # names are in the first column
        cell.value = visible(text)[:_LONGEST_TEXT] or None
        if cell.value is not None:
            cell.data_type = "s"  # also =1+1
        return
    cell.value = float(text)
    mantissa, _, exponent = text.partition("e")
    decimals = len(mantissa.partition(".")[2])
    cell.number_format = "0" + "." * bool(decimals) + "0" * decimals + "E+00" * bool(exponent)
