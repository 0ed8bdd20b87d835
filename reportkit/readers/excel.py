"""Excel: the sheet, or the sheets with the same header; by openpyxl (the extra [excel])."""

from __future__ import annotations

import datetime
import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import pandas as pd

from reportkit.errors import ColumnError, ReadingError, SettingsError
from reportkit.readers.format import Format
from reportkit.readers.source import Source, largest_content
from reportkit.scores.table.columns import recognise_columns, refuse_repeated_names
from reportkit.scores.table.row_numbers import quoted

INSTALL = 'pip install "reportkit-replic[excel]"'

_ERRORS = frozenset({"#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"})
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    KeyError,
    ValueError,
    TypeError,
    AttributeError,
    IndexError,
    OSError,
    EOFError,
    SyntaxError,
)


class _Sheet(NamedTuple):
    name: str
    header: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def read_excel(
    source: Source, columns: Mapping[str, str] | None = None, systems: Sequence[str] | None = None
) -> pd.DataFrame:
    """Read a workbook; the first row that is not empty is the header.

    Sheets with the same header are parts of one table; without a column of datasets, the sheets are the datasets.

    Raises
    ------
    SettingsError
        If openpyxl is not installed.
    ReadingError
        If it is no workbook or damaged, has no rows, sheets with different headers, cells without a name, or formulas
        whose values were not stored; the message says the cell.
    """
    content = source.read_all()
    workbook = _workbook(source, content, values=True)
    try:
        sheets = [sheet for name in workbook.sheetnames if (sheet := _sheet(source, workbook[name])) is not None]
    except _DAMAGED as error:
        if isinstance(error, ReadingError):
            raise
        raise _unreadable(source, error) from None
    if not sheets:
        raise ReadingError(
            f"{source.name!r} has no rows",
            where=f"sheets {_names(workbook.sheetnames)}",
            remedy="write one row per score",
        )
    _refuse_different(source, sheets)
    _refuse_formulas(source, content, sheets)
    header = sheets[0].header
    refuse_repeated_names(header)
    frame = pd.DataFrame(
        {name: _series([row[place] for sheet in sheets for row in sheet.rows]) for place, name in enumerate(header)}
    )
    if len(sheets) > 1 and not _has_dataset(header, columns):
        names = [sheet.name for sheet in sheets for _ in sheet.rows]
        frame.insert(0, "dataset", pd.Series(pd.Categorical(names)))
    return frame


def _workbook(source: Source, content: bytes, *, values: bool) -> Any:
    try:
        openpyxl = import_module("openpyxl")
    except ImportError as error:
        raise SettingsError(
            "Excel files are read by openpyxl, which is not installed", remedy=f"{INSTALL};\nor save the sheet as CSV"
        ) from error
    try:
        _refuse_too_large(source, content)
        return openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=values)
    except _DAMAGED as error:
        if isinstance(error, ReadingError):
            raise
        raise _unreadable(source, error) from None


def _refuse_too_large(source: Source, content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        size = sum(item.file_size for item in archive.infolist())
    if size > (limit := largest_content()):
        raise source.too_large(limit, size)


def _unreadable(source: Source, error: Exception) -> ReadingError:
    return ReadingError(
        f"{source.name!r} is not an Excel workbook (.xlsx), or is damaged",
        where=" ".join(str(error).split())[:200] or type(error).__name__,
        remedy="save it again as .xlsx, or the sheet as CSV in UTF-8",
    )


def _sheet(source: Source, sheet: Any) -> _Sheet | None:
    """The rows of a sheet below its header; None if there are none."""
    if not hasattr(sheet, "iter_rows"):  # a sheet with a chart alone
        return None
    sheet.reset_dimensions()  # what the file says of its size may be wrong
    rows = ((number, _trimmed(row)) for number, row in enumerate(sheet.iter_rows(values_only=True), start=1))
    filled = [(number, row) for number, row in rows if row]
    if len(filled) < 2:
        return None
    (line, first), *rest = filled
    for place, cell in enumerate(first):
        if cell is None:
            raise ReadingError(
                f"a column of {source.name!r} has no name",
                where=f"sheet {sheet.title!r}, cell {_place(line, place)}",
                remedy="put the names of the columns into the first row, one per column; no titles, no merged cells",
            )
    header = tuple(str(_plain(cell)).strip() for cell in first)
    for line, row in rest:
        if len(row) > len(header):
            raise ReadingError(
                f"a row of {source.name!r} has more cells than the header",
                where=f"sheet {sheet.title!r}, cell {_place(line, len(header))}",
                remedy="put the names of the columns into the first row, one per column; no notes beside",
            )
        for place, cell in enumerate(row):
            if isinstance(cell, str) and cell in _ERRORS:
                raise ReadingError(
                    f"a cell of {source.name!r} holds the error {cell}",
                    where=f"sheet {sheet.title!r}, cell {_place(line, place)}",
                    remedy="correct the formula, or empty the cell if there is no score",
                )
    return _Sheet(
        str(sheet.title), header, [(*map(_plain, row), *[None] * (len(header) - len(row))) for _, row in rest]
    )


def _trimmed(row: Sequence[Any]) -> tuple[Any, ...]:
    """A row without the empty cells at its end."""
    n = len(row)
    while n and (row[n - 1] is None or row[n - 1] == ""):
        n -= 1
    return tuple(row[:n])


def _plain(cell: Any) -> Any:
    """Whole numbers as such, and dates, which Excel makes of ids such as 3-1, as texts."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2.0**53:
        return int(cell)
    if isinstance(cell, (datetime.date, datetime.time, datetime.timedelta)):
        return str(cell)
    return None if cell == "" else cell


def _place(row: int, column: int) -> str:
    letters = ""
    column += 1
    while column:
        column, place = divmod(column - 1, 26)
        letters = chr(ord("A") + place) + letters
    return f"{letters}{row}"


def _series(cells: list[Any]) -> pd.Series[Any]:
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds == {str}:
        return pd.Series(pd.Categorical(cells))
    if kinds and kinds <= {int, float}:
        whole = kinds == {int}
        if whole and None not in cells:
            return pd.Series(cells)
        return pd.Series(cells, dtype="Int64" if whole and all(abs(cell or 0) < 2**63 for cell in cells) else float)
    return pd.Series(cells, dtype=object)


def _refuse_different(source: Source, sheets: Sequence[_Sheet]) -> None:
    headers = {sheet.header for sheet in sheets}
    if len(headers) > 1:
        raise ReadingError(
            f"the sheets of {source.name!r} have different columns",
            where="; ".join(f"{sheet.name!r}: " + ", ".join(sheet.header[:6]) for sheet in sheets[:5]),
            remedy="keep the sheets of the results alone, or save the sheet that is meant as CSV in UTF-8",
        )


def _has_dataset(header: Sequence[str], columns: Mapping[str, str] | None) -> bool:
    if "dataset" in (columns or {}):
        return True
    try:
        return "dataset" in recognise_columns(list(header), columns, without_instances=True).roles
    except ColumnError:
        return any(name.casefold() == "dataset" for name in header)


def _refuse_formulas(source: Source, content: bytes, sheets: Sequence[_Sheet]) -> None:
    """A formula without a stored value looks like an empty cell, and that like a score that is missing."""
    if not any(cell is None for sheet in sheets for row in sheet.rows for cell in row):
        return
    with_formulas, with_values = (_workbook(source, content, values=values) for values in (False, True))
    for sheet in sheets:
        both = zip(with_formulas[sheet.name].iter_rows(), with_values[sheet.name].iter_rows(), strict=False)
        for place in _uncomputed(both):
            raise ReadingError(
                f"a formula of {source.name!r} has no stored value",
                where=f"sheet {sheet.name!r}, cell {place}",
                remedy="open the file in Excel or LibreOffice and save it, or paste the values",
            )


def _uncomputed(rows: Iterator[tuple[Sequence[Any], Sequence[Any]]]) -> Iterator[str]:
    for formulas, values in rows:
        for formula, value in zip(formulas, values, strict=False):
            if value.value is None and isinstance(formula.value, str) and formula.value.startswith("="):
                yield str(formula.coordinate)


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(quoted, names[:10]))


EXCEL = Format(name="Excel", endings=(".xlsx", ".xlsm"), read=read_excel)
