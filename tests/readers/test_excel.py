"""Excel: sheets, headers, ids that Excel changes, formulas."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pandas as pd
import pytest

import reportkit
from reportkit.errors import ReadingError, SettingsError
from reportkit.readers import read_frame

openpyxl = pytest.importorskip("openpyxl")

HEADER = ("system", "dataset", "instance", "score")
ROWS = [("new", "cb", 1, 0.5), ("old", "cb", 1, 0.25), ("new", "cb", 2, None), ("old", "cb", 2, 1)]


def _written(frame: pd.DataFrame) -> bytes:
    """With the 17 digits that Excel writes; openpyxl writes 16."""
    sink = io.BytesIO()
    with mock.patch("openpyxl.cell._writer.safe_string", lambda cell: repr(float(cell))):
        frame.to_excel(sink, index=False, engine="openpyxl")
    return sink.getvalue()


WRITERS = {".xlsx": _written, ".xlsm": _written}
"""How a frame is written in these formats, for the tests of all of them."""


def workbook(path: Path, **sheets: list[tuple[Any, ...]]) -> Path:
    """Write a workbook by openpyxl."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_cells_are_read_as_pandas_reads_them(tmp_path: Path) -> None:
    """Texts, whole numbers, scores and empty cells."""
    path = workbook(tmp_path / "r.xlsx", results=[HEADER, *ROWS], notes=[])
    found, expected = read_frame(path), pd.read_excel(path)
    pd.testing.assert_frame_equal(found, expected, check_dtype=False, check_categorical=False)


def test_sheets_of_one_header_are_datasets(tmp_path: Path) -> None:
    """Where no column holds datasets; with such a column they are parts of one table."""
    rows = [("id", "new", "old"), (1, 1, 0), (2, 1, 1)]
    frame = read_frame(workbook(tmp_path / "r.xlsx", cola=rows, rte=rows))
    assert list(frame["dataset"]) == ["cola", "cola", "rte", "rte"]
    frame = read_frame(workbook(tmp_path / "r.xlsx", one=[HEADER, *ROWS[:2]], two=[HEADER, *ROWS[2:]]))
    assert list(frame.columns) == list(HEADER)
    assert len(frame) == 4


def test_ids_that_look_like_dates_stay_apart(tmp_path: Path) -> None:
    """Excel makes a date of 3-1; it is a text again, and 7.0 is 7."""
    path = workbook(tmp_path / "r.xlsx", s=[("id", "new", "old"), (pd.Timestamp("2026-03-01"), 1, 0), (7.0, 1, 0)])
    assert list(read_frame(path)["id"]) == ["2026-03-01 00:00:00", 7]


@pytest.mark.parametrize(
    ("sheets", "said"),
    [
        ({"a": [HEADER, *ROWS], "b": [("x", "y"), (1, 2)]}, "different columns"),
        ({"a": [("Results", None, None, None), HEADER, *ROWS]}, "more cells than the header"),
        ({"a": [(None, "system"), (1, 2)]}, "has no name"),
        ({"a": [HEADER, ("new", "cb", 1, "#DIV/0!")]}, "the error #DIV/0!"),
        ({"a": [HEADER, ("new", "cb", 1, "=1/2")]}, "no stored value"),
        ({"a": [HEADER]}, "no rows"),
        ({"a": [("id", "id"), (1, 2)]}, "2 columns are called 'id'"),
    ],
)
def test_what_is_no_table_is_refused_with_the_cell(sheets: Any, said: str, tmp_path: Path) -> None:
    """Titles, notes, formulas that were never computed."""
    with pytest.raises(reportkit.ReportkitError, match=said):
        read_frame(workbook(tmp_path / "r.xlsx", **sheets))


def test_damaged_workbooks(tmp_path: Path) -> None:
    """No zip at all, one that breaks off, and one that is none of Excel."""
    whole = workbook(tmp_path / "r.xlsx", a=[HEADER, *ROWS]).read_bytes()
    for number, content in enumerate((b"", b"text", whole[:300], whole[: len(whole) // 2])):
        path = tmp_path / f"{number}.xlsx"
        path.write_bytes(content)
        with pytest.raises(ReadingError, match="not an Excel workbook"):
            read_frame(path)


def test_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without openpyxl."""
    path = workbook(tmp_path / "r.xlsx", a=[HEADER, *ROWS])
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(SettingsError, match="not installed") as refused:
        read_frame(path)
    assert 'pip install "reportkit-replic[excel]"' in str(refused.value)
