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
from reportkit.rendering.printed_numbers import number_value
from reportkit.rendering.text.escaping import columns_in_terminal, visible
from reportkit.report.model import Cell, Signature, Table, Words

_LONGEST_TITLE = 31
_NEEDS = {"module": "openpyxl", "of": "Excel files", "extra": "excel"}
_WIDEST, _LONGEST_TEXT = 60, 32_000


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
        An .xlsx file: headers in the first row, the first column and they stay in sight; numbers are numbers with the
        printed decimals; signs behind numbers stand in columns of their own; the caption stands below. A name that
        begins with = is text and no formula. The same tables give the same bytes.

    Raises
    ------
    RenderingError
        If openpyxl is not installed.
    """
    openpyxl = optional(**_NEEDS)
    book = openpyxl.Workbook()
    book.remove(book.active)
    book.properties.creator = "reportkit"
    book.properties.created = datetime(1980, 1, 1, tzinfo=UTC).replace(tzinfo=None)
    for title, table in zip(_titles(tables), tables, strict=True):
        _fill(book.create_sheet(title), table, signature, context)
    buffer = io.BytesIO()
    book.save(buffer)
    return undated(buffer.getvalue())


def _titles(tables: Sequence[Table]) -> list[str]:
    """Names of sheets: 31 characters at most, each once whatever the case of its letters."""
    titles: list[str] = []
    for table in tables:
        title, number = table.name[:_LONGEST_TITLE], 1
        while title.casefold() in {known.casefold() for known in titles}:
            number += 1
            title = f"{table.name[: _LONGEST_TITLE - len(str(number)) - 1]}~{number}"
        titles.append(title)
    return titles


def _fill(sheet: Any, table: Table, signature: Signature | None, context: Context | None) -> None:
    styles = optional("openpyxl.styles", of="Excel files", extra="excel")
    header, rows = cells_of(table, context)
    shown = (*table.header_rows, *table.rows)
    owners = _owners(table, len(header))
    for place, name in enumerate(header, start=1):
        cell = sheet.cell(row=1, column=place)
        _put(cell, name)
        cell.font = styles.Font(bold=True)
        cell.border = styles.Border(bottom=styles.Side(style="thin"))
        cell.alignment = styles.Alignment(wrap_text=True, vertical="bottom")
    for number, (texts, row) in enumerate(zip(rows, shown, strict=True), start=2):
        for place, (text, index) in enumerate(zip(texts, owners, strict=True), start=1):
            cell = sheet.cell(row=number, column=place)
            source: Cell | None = None if index is None else row.cells[index]
            _put(cell, text, source)
            if source is not None and (source.bold or source.underline):
                cell.font = styles.Font(bold=source.bold, underline="single" if source.underline else None)
    for place in range(1, len(header) + 1):
        letter = sheet.cell(row=1, column=place).column_letter
        widest = max(columns_in_terminal(visible(row[place - 1])) for row in (header, *rows))
        sheet.column_dimensions[letter].width = min(_WIDEST, max(6, widest) + 2)
    sheet.freeze_panes = "B2"
    notes = [str(Format(context).write(table.full_caption)), *([] if signature is None else [signature.line])]
    for number, note in enumerate(filter(None, notes), start=len(rows) + 3):
        _put(sheet.cell(row=number, column=1), note)


def _owners(table: Table, n_columns: int) -> list[int | None]:
    """Which column of the table each column of the sheet shows; None where it shows the signs behind its numbers."""
    owners: list[int | None] = []
    rows = (*table.header_rows, *table.rows)
    for index in range(len(table.columns)):
        owners += [index, None] if any(row.cells[index].mark for row in rows) else [index]
    assert len(owners) == n_columns  # noqa: S101 - as `cells_of` lays them out
    return owners


def _put(cell: Any, text: str, source: Cell | None = None) -> None:
    value = None if source is None else number_value(_plain(source.text))
    if value is None:
        cell.value = visible(text)[:_LONGEST_TEXT] or None
        if cell.value is not None:
            cell.data_type = "s"  # also =1+1
        return
    cell.value = int(value) if re.fullmatch(r"[+-]?\d+", text) else value
    cell.number_format = _number_format(_plain(source.text) if source is not None else text)


def _plain(text: Words) -> str:
    return str(Format().write(text))


def _number_format(printed: str) -> str:
    """Decimals, separators and sign as they are printed.

    Examples
    --------
    >>> _number_format("93.10"), _number_format("12,400"), _number_format("+6.2"), _number_format("3.9×10⁻¹⁰")
    ('0.00', '#,##0', '+0.0;-0.0;0.0', '0.0E+00')
    """
    mantissa = printed.partition("×")[0]
    decimals = len(mantissa.partition(".")[2])
    base = ("#,##0" if "," in mantissa else "0" if not mantissa.lstrip("+−-").startswith(".") else "#") + (
        "." + "0" * decimals if decimals else ""
    )
    if "×" in printed:
        return f"{base}E+00"
    return f"+{base};-{base};{base}" if printed.startswith("+") else base
