"""Read one file as a table: delimited text, JSON, JSON Lines, Parquet, Feather, Excel; the content says which."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import pandas as pd
import pyarrow as pa

from reportkit.errors import ColumnError, ReadingError, SettingsError
from reportkit.finding import Finding
from reportkit.harnesses.file import File
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.names import CERTAIN, listed_in, strength

TEXT_ENDINGS = frozenset({".csv", ".tsv", ".txt", ".tab", ".psv", ".dat", ".ssv", ""})
_LARGEST_WORKBOOK = 1_000_000_000
_PRINTED = ("score_a", "score_b", "p_value")
_KEYS = ("system", "dataset", "instance", "metric", "cluster", "rater")
_NO_SCORE = ["", *["NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "<NA>", "-", "--", "–", "—", "#N/A"]]


def read_table(
    file: File, *, named: bool = False, texts: Sequence[str] = ()
) -> tuple[pd.DataFrame, list[Finding]] | None:
    """Read the table of a file.

    Parameters
    ----------
    file : File
    named : bool
        Whether the user named this file, so that it has to be a table whatever its ending.
    texts : sequence of str
        Columns that hold names or ids, and are texts whatever they look like.

    Returns
    -------
    tuple or None
        The rows, with names and ids of delimited files as texts ("007" stays "007"), and what was noticed; None if the
        file is no table.

    Raises
    ------
    ReadingError
        If it is damaged, or of no known format and named.
    ColumnError
        If two columns have one name.
    """
    head = file.head
    ending = file.path.suffix.lower()
    notes: list[Finding] = []
    if not head.strip():
        raise ReadingError(f"{file.name!r} is empty", remedy="write the results again")
    if head[:4] == b"PAR1":
        frame = _arrow(file, "Parquet")
    elif head[:6] == b"ARROW1":
        frame = _arrow(file, "Feather")
    elif head[:2] == b"PK" or ending in (".xlsx", ".xlsm"):
        frame, notes = _excel(file)
    elif ending in (".xls", ".ods", ".pkl", ".npz"):
        raise ReadingError(
            f"{file.name!r} is of a format that is not read",
            remedy="save the sheet as .xlsx or CSV" if ending in (".xls", ".ods") else "write CSV or Parquet",
        )
    elif (content := file.json) is not None:
        found = frame_of_json(content)
        if found is None:
            if named:
                raise ReadingError(
                    f"{file.name!r} is JSON of no known format",
                    where=_outline(content),
                    remedy="write a list of objects, one per score: "
                    '[{"system": "a", "dataset": "d", "instance": "1", "score": 1}, ...]',
                )
            return None
        frame = found
    elif ending in TEXT_ENDINGS or named:
        frame = _delimited(file, texts)
    else:
        return None
    frame.columns = [str(name).strip() for name in frame.columns]
    if not frame.columns.is_unique:
        raise _named_twice(file, list(frame.columns))
    if not len(frame):
        raise ReadingError(f"{file.name!r} has a header and no rows", remedy="write one row per score")
    unnamed = [name for name in frame.columns if re.fullmatch(r"|Unnamed: ?\d+|level_0|__index_level_\d+__", name)]
    if unnamed and unnamed[0] == frame.columns[0] and "name" not in frame and _names_rows(frame[unnamed[0]]):
        frame, unnamed = frame.rename(columns={unnamed[0]: "name"}), unnamed[1:]
    if len(unnamed) == len(frame.columns):
        raise ReadingError(f"{file.name!r} has no columns with a name", remedy="write a header")
    return frame.drop(columns=unnamed), notes


def _named_twice(file: File, names: Sequence[str]) -> ColumnError:
    twice = next(name for name, n in Counter(names).items() if n > 1)
    said = f"two columns are called {twice!r}" if twice else "two columns have no name"
    return ColumnError(said, where=f"{file.name!r}", remedy="rename or remove all but one")


def _delimited(file: File, texts: Sequence[str]) -> pd.DataFrame:
    """Delimited text; names and ids stay texts, other columns are numbers where all cells are."""
    from pyarrow import csv

    head = file.head
    if b"\0" in head and head[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise ReadingError(f"{file.name!r} is of no known format", remedy="write CSV, JSON Lines or Parquet")
    in_memory = not file.path.is_file() or head[:2] in (b"\xff\xfe", b"\xfe\xff") or head[:3] == b"\xef\xbb\xbf"
    sample = (file.text if in_memory else head.decode("utf-8", "replace")).lstrip("\ufeff")[: 1 << 16]
    above = _lines_above(sample)
    sample = "\n".join(sample.splitlines()[above:])
    first = next(line for line in sample.splitlines() if line.strip())
    if "\ufffd" in sample:
        file.text  # noqa: B018 - raises with the line, if it is not UTF-8
    delimiter = _delimiter(sample)
    names = [name.strip().strip('"') for name in first.split(delimiter)]
    if len(set(names)) < len(names):
        raise _named_twice(file, names)
    if all(re.fullmatch(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", name) for name in names):
        raise ReadingError(
            f"{file.name!r} has no header: its first line holds numbers",
            where=first[:80],
            remedy="write a first line with the names of the columns, and columns that name systems and instances",
        )
    as_texts = {name: pa.dictionary(pa.int32(), pa.string()) for name in names if is_key(name) or name in texts}
    printed = {name for name in names if any(listed_in(name, "printed", role) for role in _PRINTED)}
    if len(printed) == len(_PRINTED):  # as they are printed: 90.70 is not 90.7
        as_texts |= dict.fromkeys(printed, pa.string())
    parse = csv.ParseOptions(delimiter=delimiter, newlines_in_values=b'"' in head)

    def table(column_types: dict[str, Any], threads: bool = True) -> pa.Table:
        source = io.BytesIO(file.text.encode()) if in_memory else str(file.path)
        convert = csv.ConvertOptions(
            column_types=column_types, null_values=_NO_SCORE, strings_can_be_null=False, true_values=[], false_values=[]
        )
        return csv.read_csv(
            source,
            read_options=csv.ReadOptions(use_threads=threads, skip_rows=above),
            parse_options=parse,
            convert_options=convert,
        )

    try:
        try:
            found = table(as_texts)
        except pa.ArrowInvalid:  # a column begins with numbers and goes on with words, or the rows differ in length
            found = table(dict.fromkeys(names, pa.string()), threads=False)
    except pa.ArrowInvalid as error:
        raise _ragged(file, error, delimiter) from None
    frame: pd.DataFrame = found.to_pandas(date_as_object=False)
    for name in frame.columns[[str(kind) in ("object", "str", "string") for kind in frame.dtypes]]:
        if str(name) not in as_texts:
            frame[name] = _numbers_if_all(frame[name])
    return frame


def _lines_above(sample: str) -> int:
    """Remarks above the header: lines that begin with # and have other cells than the line that follows."""
    lines = sample.splitlines()
    above = 0
    while above + 1 < len(lines) and lines[above].startswith("#"):
        signs = [[line.count(sign) for sign in ",;\t|"] for line in lines[above : above + 2]]
        if signs[0] == signs[1]:
            break
        above += 1
    return above


def _names_rows(column: pd.Series) -> bool:
    """Whether a column without a header holds a text per row, as the index of a frame that was written with it."""
    return not pd.api.types.is_numeric_dtype(column.dtype) and bool(column.is_unique) and len(column) > 1


def is_key(name: str) -> bool:
    """Tell whether a column holds names or ids by its name; they are texts whatever they look like."""
    return any(strength(name, role) == CERTAIN for role in _KEYS)


def _delimiter(sample: str) -> str:
    """The delimiter that occurs equally often in most of the first lines, outside of quotes."""
    lines = [re.sub(r'"[^"]*"', "", line) for line in sample.splitlines()[:40] if line.strip()]
    if len(lines) > 2:
        lines = lines[:-1]  # may be cut off
    best = (0.0, 0, ",")
    for sign in (",", "\t", ";", "|"):
        counts = Counter(line.count(sign) for line in lines)
        number = lines[0].count(sign)
        if number:
            best = max(best, (counts[number] / len(lines), number, sign), key=lambda one: one[:2])
    return best[2]


def _ragged(file: File, error: Exception, delimiter: str) -> ReadingError:
    text = str(error)
    shape = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", text)
    if "UTF8" in text or "UTF-8" in text:
        file.text  # noqa: B018 - raises with the line
    if file.text.count('"') % 2:
        return ReadingError(
            f"{file.name!r} has a quote that is never closed",
            where=f"line {int(shape.group(1)):,}, or above it" if shape is not None else None,
            remedy='close the quote, or double a quote that belongs to the text ("")',
        )
    if shape is not None:
        line, expected, got = shape.groups()
        return ReadingError(
            f"{file.name!r} has rows of different length",
            where=f"line {int(line):,} has {counted(int(got), 'cell')}, the header {expected} ({delimiter!r})",
            remedy="put cells that hold the delimiter into quotation marks, or complete the row",
        )
    return ReadingError(f"{file.name!r} is no table", where=text[:160], remedy="write CSV with a header")


def _numbers_if_all(series: pd.Series) -> pd.Series:
    """Numbers, where all cells are numbers or empty; the texts otherwise, with None for empty cells."""
    texts = series.where(~series.isin(_NO_SCORE[1:]), "")
    filled = texts[texts != ""]
    numbers = pd.to_numeric(filled, errors="coerce")
    if len(filled) and numbers.notna().all():
        return numbers.reindex(series.index)
    return series.where(series != "", None)


def _arrow(file: File, kind: str) -> pd.DataFrame:
    source = str(file.path) if file.path.is_file() else io.BytesIO(file.data)
    try:
        if kind == "Parquet":
            from pyarrow import parquet  # slow to import, like the next one

            coded = [field.name for field in parquet.read_schema(source) if pa.types.is_string(field.type)]
            table = parquet.read_table(source, read_dictionary=coded)
        else:
            from pyarrow import feather

            table = feather.read_table(source)
        for place, field in enumerate(table.schema):
            column = table.column(place)
            # as floats, which empty cells would make of them, ids are exact up to 2**53 only
            ids = pa.types.is_integer(field.type) and is_key(field.name) and column.null_count > 0
            if (
                ids
                or pa.types.is_binary(field.type)
                or pa.types.is_string(field.type)
                or field.type == pa.large_string()
            ):
                table = table.set_column(place, field.name, column.cast(pa.string()).dictionary_encode())
        frame: pd.DataFrame = table.to_pandas()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise ReadingError(
            f"{file.name!r} is damaged {kind}", where=str(error)[:160], remedy="copy or write the file again"
        ) from None
    return frame if isinstance(frame.index, pd.RangeIndex) else frame.reset_index()


def frame_of_json(content: Any) -> pd.DataFrame | None:
    """Return the table that JSON holds: records, columns, nested names; None if it holds none.

    Examples
    --------
    >>> frame_of_json({"model": "a", "results": [{"id": 1, "em": 0}, {"id": 2, "em": 1}]})
       id  em model
    0   1   0     a
    1   2   1     a
    >>> frame_of_json({"a": [1, 0], "b": [1, 1]})
       a  b
    0  1  1
    1  0  1
    """
    try:
        return _of_records(content) if isinstance(content, list) else _of_object(content) if content else None
    except (TypeError, ValueError):  # columns of different length, a name that is a list
        return None


def _of_object(content: dict[str, Any]) -> pd.DataFrame | None:
    values = list(content.values())
    if {"columns", "data"} <= content.keys():  # as pandas writes it with orient="split"
        return pd.DataFrame(content["data"], columns=[str(name) for name in content["columns"]])
    tables = [one for one in values if isinstance(one, list) and len(one) > 1 and all(isinstance(o, dict) for o in one)]
    if len(tables) == 1 and (frame := _of_records(tables[0])) is not None:
        return frame.assign(**{k: v for k, v in content.items() if isinstance(v, str) and k not in frame})
    if len(values) > 1 and all(isinstance(one, list) for one in values):
        return None if any(isinstance(cell, (list, dict)) for one in values for cell in one) else pd.DataFrame(content)
    if all(isinstance(one, (str, int, float)) for one in values) and not all(isinstance(one, str) for one in values):
        return pd.DataFrame([content])  # one number per metric
    if len(values) < 2 or not all(isinstance(one, dict) for one in values) or len({tuple(one) for one in values}) > 1:
        return None
    if not all(isinstance(cell, (int, float)) for one in values for cell in one.values()):
        return None
    if all(key.isdigit() for key in values[0]):  # what pandas writes by itself
        return pd.DataFrame(content)
    return pd.DataFrame.from_dict(content, orient="index").rename_axis("name").reset_index()


def _of_records(content: list[Any]) -> pd.DataFrame | None:
    if not content or not all(isinstance(one, dict) for one in content):
        return None
    nested = any(isinstance(value, dict) for one in content[:200] for value in one.values())
    frame = pd.json_normalize(content, max_level=2) if nested else pd.DataFrame(content)
    for name in frame.columns:  # whole numbers beside empty cells become floats, which are exact up to 2**53 only
        if is_key(str(name)) and pd.api.types.is_float_dtype(frame[name].dtype) and name in content[0]:
            cells = [one.get(name) for one in content]
            if any(isinstance(cell, int) for cell in cells):
                frame[name] = pd.Series(cells, index=frame.index, dtype=object)
    for name in frame.columns:
        if frame[name].dtype == object and frame[name].map(lambda cell: isinstance(cell, (list, dict))).any():
            frame[name] = frame[name].map(_as_text)
    return frame


def _as_text(cell: Any) -> Any:
    if isinstance(cell, list):
        return "; ".join(map(str, cell))
    return str(cell) if isinstance(cell, dict) else cell


def _outline(content: Any) -> str:
    if isinstance(content, dict):
        return "an object with " + listed([repr(key) for key in content], 6)
    return f"a list of {counted(len(content), 'entry', 'entries')}"


def _excel(file: File) -> tuple[pd.DataFrame, list[Finding]]:
    """The visible sheets with the header of the first; hidden sheets are left out, hidden rows are named."""
    try:
        openpyxl: Any = import_module("openpyxl")
    except ImportError as error:
        raise SettingsError(
            "Excel files are read by openpyxl, which is not installed",
            remedy='pip install "reportkit-replic[excel]";\nor save the sheet as CSV',
        ) from error
    try:
        with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
            size = sum(item.file_size for item in archive.infolist())
        if size < _LARGEST_WORKBOOK:
            workbook = openpyxl.load_workbook(io.BytesIO(file.data), data_only=True)
            sheets = [(sheet, cells) for sheet in workbook.worksheets if len(cells := _cells(sheet)) > 1]
    except Exception as error:
        raise ReadingError(
            f"{file.name!r} is no Excel workbook (.xlsx), or is damaged",
            where=" ".join(str(error).split())[:160] or type(error).__name__,
            remedy="save it again as .xlsx, or the sheet as CSV",
        ) from None
    if size >= _LARGEST_WORKBOOK:
        raise ReadingError(f"{file.name!r} is too large for a workbook", remedy="save the sheet as CSV")
    shown = [(sheet, cells) for sheet, cells in sheets if sheet.sheet_state == "visible"]
    if not shown:
        raise ReadingError(f"{file.name!r} has no rows", remedy="write one row per score into a sheet that is shown")
    header = shown[0][1].iloc[0].tolist()
    if None in header:
        raise ReadingError(
            f"a column of {file.name!r} has no name",
            where=f"sheet {shown[0][0].title!r}, column {header.index(None) + 1} of the first row that is not empty",
            remedy="put the names of the columns into the first row; no titles, no merged cells",
        )
    kept = [(sheet, cells.iloc[1:]) for sheet, cells in shown if cells.iloc[0].tolist() == header]
    notes = []
    if others := [sheet.title for sheet, _ in sheets if sheet not in [one for one, _ in kept]]:
        message = f"{counted(len(others), 'sheet')} left out: hidden, or with other columns than {shown[0][0].title!r}."
        remedy = "show the sheet, or save it as a file of its own"
        notes.append(Finding("sheets-left-out", "warning", message, listed(list(map(repr, others)), 5), remedy))
    hidden = [f"{s.title!r} row {n + 1}" for s, cells in kept for n in cells.index if s.row_dimensions[n + 1].hidden]
    if hidden:
        message = f"{counted(len(hidden), 'row')} that a filter of Excel hides {'is' if len(hidden) == 1 else 'are'} "
        message += "read like all others."
        remedy = "delete these rows if they are not meant"
        notes.append(Finding("hidden-rows", "warning", message, listed(hidden, 5), remedy))
    parts = [
        cells.set_axis(list(map(str, header)), axis=1).assign(**{"sheet name": sheet.title}) for sheet, cells in kept
    ]
    frame = pd.concat(parts, ignore_index=True)
    for name in frame.columns:
        if not frame[name].map(lambda cell: isinstance(cell, str)).any():
            frame[name] = frame[name].infer_objects()
    return frame if len(kept) > 1 else frame.drop(columns="sheet name"), notes


def _cells(sheet: Any) -> pd.DataFrame:
    """The rows and columns of a sheet that are not empty; the index is the number of the row, from 0."""
    cells = pd.DataFrame(list(sheet.values), dtype=object).replace("", None)
    cells = cells.dropna(how="all").dropna(axis="columns", how="all")
    return cells.where(cells.notna(), None)


__all__ = ["frame_of_json", "read_table"]
