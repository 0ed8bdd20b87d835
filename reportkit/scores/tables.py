"""Read one file as a table: delimited text, JSON, JSON Lines, Parquet, Excel; the content says which."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import pandas as pd
import pyarrow as pa

from reportkit.finding import Finding
from reportkit.harnesses.file import File
from reportkit.language import counted, listed
from reportkit.scores.names import CERTAIN, listed_in, strength
from reportkit.scores.refusals import notice, refusal

TEXT_ENDINGS = frozenset({".csv", ".tsv", ".txt", ".tab", ".psv", ".dat", ".ssv", ""})
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
        file is not a table.

    Raises
    ------
    ReadingError
        If it is damaged, or of no known format and named.
    ColumnError
        If two columns have one name.
    """
    head, ending = file.head, file.path.suffix.lower()
    notes: list[Finding] = []
    found: pd.DataFrame | None = None
    if not head.strip():
        raise refusal("empty-file", file=file.name)
    if head[:4] == b"PAR1":
        found = _parquet(file)
    elif head[:2] == b"PK" or ending in (".xlsx", ".xlsm"):
        found, notes = _excel(file)
    elif ending in (".xls", ".ods", ".pkl", ".npz", ".bz2", ".feather"):
        remedy = "save the sheet as .xlsx or CSV" if ending in (".xls", ".ods") else "write CSV or Parquet"
        raise refusal("unread-format", file=file.name, remedy=remedy)
    elif (content := file.json) is not None:
        found = frame_of_json(content)
        if found is None and named:
            where = f"a list of {counted(len(content), 'entry', 'entries')}"
            if isinstance(content, dict):
                where = f"an object with {listed([repr(key) for key in content], 6)}"
            raise refusal("unknown-json", where, file=file.name)
    elif ending in TEXT_ENDINGS or named:
        found = _delimited(file, texts)
    return None if found is None else (_with_names(file, found), notes)


def _with_names(file: File, frame: pd.DataFrame) -> pd.DataFrame:
    """Check the names of columns; an index that was written without a name is left out, or names the rows."""
    frame.columns = [str(name).strip() for name in frame.columns]
    refuse_twice(repr(file.name), list(frame.columns))
    if not len(frame):
        raise refusal("header-alone", file=file.name)
    unnamed = [name for name in frame.columns if re.fullmatch(r"|Unnamed: ?\d+|level_0|__index_level_\d+__", name)]
    if len(unnamed) == len(frame.columns):
        raise refusal("no-named-columns", file=file.name)
    first = frame.iloc[:, 0]
    if unnamed[:1] == [first.name] and not pd.api.types.is_numeric_dtype(first.dtype) and "name" not in frame:
        return frame.rename(columns={first.name: "name"}).drop(columns=unnamed[1:])
    return frame.drop(columns=unnamed)


def refuse_twice(source: str, names: Sequence[str]) -> None:
    """Refuse two columns of one name."""
    for twice in [name for name, n in Counter(names).items() if n > 1]:
        said = f"two columns are called {twice!r}" if twice else "two columns have no name"
        raise refusal("columns-twice", source, said=said)


def is_key(name: str) -> bool:
    """Tell by its name whether a column holds names or ids, which stay texts even if they look like numbers."""
    return any(strength(name, role) == CERTAIN for role in _KEYS)


# --- delimited text --------------------------------------------------------------------------------------------------


def _delimited(file: File, texts: Sequence[str]) -> pd.DataFrame:
    """Read delimited text; names and ids stay texts, other columns are numbers where all cells are."""
    from pyarrow import csv

    head = file.head
    encoding = "utf16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf8"
    if b"\0" in head and encoding == "utf8":
        raise refusal("unknown-format", file=file.name)
    text = head.decode(encoding, "replace").lstrip("\ufeff")
    if "\ufffd" in text:
        file.text  # noqa: B018 - raises with the line, if it is not UTF-8
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise refusal("empty-file", file=file.name)
    delimiter = _delimiter(lines)
    names = [name.strip().strip('"') for name in lines[0].split(delimiter)]
    refuse_twice(repr(file.name), names)
    if all(re.fullmatch(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", name) for name in names):
        raise refusal("no-header", lines[0][:80], file=file.name)
    printed = {name for name in names if any(listed_in(name, "printed", role) for role in _PRINTED)}
    as_texts = dict.fromkeys(printed if len(printed) == len(_PRINTED) else (), pa.string())  # 90.70 is not 90.7
    as_texts |= {name: pa.dictionary(pa.int32(), pa.string()) for name in names if is_key(name) or name in texts}
    parse = csv.ParseOptions(delimiter=delimiter, newlines_in_values=b'"' in head)

    def table(column_types: dict[str, Any], threads: bool = True) -> pa.Table:
        convert = csv.ConvertOptions(
            column_types=column_types, null_values=_NO_SCORE, strings_can_be_null=False, true_values=[], false_values=[]
        )
        source = str(file.path) if file.path.is_file() else io.BytesIO(file.data)
        read = csv.ReadOptions(use_threads=threads, encoding=encoding)
        return csv.read_csv(source, read_options=read, parse_options=parse, convert_options=convert)

    try:
        try:
            found = table(as_texts)
        except pa.ArrowInvalid:  # a column begins with numbers and goes on with words, or the rows differ in length
            found = table(dict.fromkeys(names, pa.string()), threads=False)
    except pa.ArrowInvalid as error:
        raise _ragged(file, str(error), delimiter) from None
    frame: pd.DataFrame = found.to_pandas(date_as_object=False)
    for name in frame.columns[[str(kind) in ("object", "str", "string") for kind in frame.dtypes]]:
        if str(name) not in as_texts:
            frame[name] = _numbers_if_all(frame[name])
    return frame


def _delimiter(lines: Sequence[str]) -> str:
    """Return the delimiter that occurs equally often in most of the first lines, outside of quotes."""
    plain = [re.sub(r'"[^"]*"', "", line) for line in lines[:40]]
    plain = plain[:-1] if len(plain) > 2 else plain  # the last one may be cut off

    def fits(sign: str) -> tuple[float, int]:
        number = plain[0].count(sign)
        return (sum(line.count(sign) == number for line in plain) / len(plain), number) if number else (0, 0)

    return max((",", "\t", ";", "|"), key=fits)


def _ragged(file: File, text: str, delimiter: str) -> Exception:
    """Say what is wrong with delimited text: its encoding, a quote, or rows of different length."""
    shape = re.search(r"Row #(\d+): Expected (\d+) columns, got (\d+)", text)
    row, expected, found = ("", "", "") if shape is None else shape.groups()
    if file.text.count('"') % 2:  # raises with the line, if it is not UTF-8
        return refusal("open-quote", f"line {int(row):,}, or above it" if row else None, file=file.name)
    if not row:
        return refusal("no-table-of-text", text[:160], file=file.name)
    cells = counted(int(found), "cell")
    return refusal("ragged", f"line {int(row):,} has {cells}, the header {expected} ({delimiter!r})", file=file.name)


def _numbers_if_all(series: pd.Series) -> pd.Series:
    """Return numbers, where all cells are numbers or empty; else the texts, with None for empty cells."""
    filled = series[~series.isin(_NO_SCORE)]
    numbers = pd.to_numeric(filled, errors="coerce")
    if len(filled) and numbers.notna().all():
        return numbers.reindex(series.index)
    return series.where(series != "", None)


# --- other formats ---------------------------------------------------------------------------------------------------


def _parquet(file: File) -> pd.DataFrame:
    from pyarrow import parquet  # slow to import

    source = str(file.path) if file.path.is_file() else io.BytesIO(file.data)
    try:
        table = parquet.read_table(source, read_dictionary=texts_of(parquet.read_schema(source)))
        for place, field in enumerate(table.schema):
            if pa.types.is_binary(field.type):
                table = table.set_column(place, field.name, table.column(place).cast(pa.string()).dictionary_encode())
        frame: pd.DataFrame = table.to_pandas()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise refusal("damaged-parquet", str(error)[:160], file=file.name) from None
    return frame if isinstance(frame.index, pd.RangeIndex) else frame.reset_index()


def texts_of(schema: pa.Schema) -> list[str]:
    """Return the names of columns of texts."""
    return [one.name for one in schema if pa.types.is_string(one.type) or pa.types.is_large_string(one.type)]


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
    if isinstance(content, dict):
        values = list(content.values())
        tables = [one for one in values if isinstance(one, list) and len(one) > 1 and isinstance(one[0], dict)]
        if len(tables) == 1 and (frame := frame_of_json(tables[0])) is not None:
            return frame.assign(**{k: v for k, v in content.items() if isinstance(v, str) and k not in frame})
        if any(isinstance(one, (int, float)) for one in values) and not any(
            isinstance(v, (list, dict)) for v in values
        ):
            return pd.DataFrame([content])  # one number per metric
        sizes = {len(one) if isinstance(one, list) else 0 for one in values}
        flat = len(sizes) == 1 and 0 not in sizes and not any(isinstance(one[0], (list, dict)) for one in values)
        return pd.DataFrame(content) if flat and len(values) > 1 else None
    if not content or not all(isinstance(one, dict) for one in content):
        return None
    nested = any(isinstance(value, dict) for one in content[:200] for value in one.values())
    return pd.json_normalize(content, max_level=2) if nested else pd.DataFrame(content)


def _excel(file: File) -> tuple[pd.DataFrame, list[Finding]]:
    """Read the first sheet that is shown; other sheets and hidden rows are named."""
    try:
        openpyxl: Any = import_module("openpyxl")
    except ImportError as error:
        raise refusal("no-openpyxl") from error
    try:
        workbook = openpyxl.load_workbook(io.BytesIO(file.data), data_only=True)
        sheets = {sheet: cells for sheet in workbook.worksheets if len(cells := _cells(sheet)) > 1}
    except Exception as error:
        where = " ".join(str(error).split())[:160] or type(error).__name__
        raise refusal("damaged-excel", where, file=file.name) from None
    sheet = next((one for one in sheets if one.sheet_state == "visible"), None)
    if sheet is None:
        raise refusal("empty-excel", file=file.name)
    header, cells = sheets[sheet].iloc[0].tolist(), sheets[sheet].iloc[1:]
    if None in header:
        raise refusal("unnamed-excel", file=file.name, sheet=sheet.title, column=header.index(None) + 1)
    notes = []
    if others := [repr(one.title) for one in sheets if one is not sheet]:
        number = counted(len(others), "sheet")
        notes.append(notice("sheets-left-out", listed(others, 5), number=number, first=sheet.title))
    if hidden := [f"{sheet.title!r} row {row + 1}" for row in cells.index if sheet.row_dimensions[row + 1].hidden]:
        notes.append(notice("hidden-rows", listed(hidden, 5), number=counted(len(hidden), "row")))
    frame = cells.set_axis([*map(str, header)], axis=1).reset_index(drop=True)
    numbers = [name for name in frame if not frame[name].map(lambda cell: isinstance(cell, str)).any()]
    return frame.astype({name: frame[name].infer_objects().dtype for name in numbers}), notes


def _cells(sheet: Any) -> pd.DataFrame:
    """Return the rows and columns of a sheet that are not empty; the index is the number of the row, from 0."""
    cells = pd.DataFrame(list(sheet.values), dtype=object).replace("", None)
    cells = cells.dropna(how="all").dropna(axis="columns", how="all")
    return cells.where(cells.notna(), None)
