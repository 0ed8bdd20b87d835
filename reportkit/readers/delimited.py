"""CSV and TSV: names as categoricals, scores as float64, what a paper prints as it is printed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.csv

from reportkit.errors import InputError, ReadingError, SettingsError
from reportkit.readers.categorical import MEMORY, categorical, is_text
from reportkit.readers.delimited_faults import diagnose, ends_in_open_quote, header_names
from reportkit.readers.source import Source
from reportkit.results.columns import Columns, recognise_columns, refuse_repeated_names
from reportkit.results.score_values import MISSING_SPELLINGS

_BLOCK_BYTES = 2 << 20
_NAMES = pa.dictionary(pa.int32(), pa.string())
_TEXT = pa.string()
_NUMBER = pa.float64()
_NULLS = sorted({spell for text in MISSING_SPELLINGS for spell in (text, text.upper(), text.capitalize())} | {"NaN"})
_FAILED_COLUMN = re.compile(r"In CSV column #(\d+): .*conversion error", re.DOTALL)


def read_delimited(
    source: Source, delimiter: str, columns: Mapping[str, str] | None, systems: Sequence[str] | None
) -> pd.DataFrame:
    """Read a delimited file with a header.

    Names and ids become categoricals of texts, as they are in the file: "007" and "NA" stay. An empty score is
    missing. If a score is not a number, the whole column is left as text, and ingestion names the rows. A printed table
    is left as text altogether: 0.050 is not 0.05.

    Raises
    ------
    ReadingError
        If it is empty, has another delimiter or encoding, or rows of different length; the message says the line.
    ColumnError
        If two columns have the same name.
    """
    header = header_names(source, delimiter)
    refuse_repeated_names(header)
    table = _read(source, delimiter, header, _types(header, columns, systems))
    if table.num_rows == 0:
        raise ReadingError(
            f"{source.name!r} has a header and no rows",
            where="columns: " + ", ".join(map(repr, header[:20])),
            remedy="write the scores below the header",
        )
    if any(pa.types.is_binary(kind) for kind in table.schema.types) or ends_in_open_quote(table):
        diagnose(source, delimiter, header)
    return pd.DataFrame({name: _series(table, name) for name in table.column_names}, copy=False)


def _types(
    header: Sequence[str], columns: Mapping[str, str] | None, systems: Sequence[str] | None
) -> dict[str, pa.DataType]:
    """Type of each column that plays a role; the others are as Arrow sees them."""
    try:
        found = recognise_columns(header, columns, systems=systems)
    except (InputError, SettingsError):  # said again, with all that is known, when the frame is ingested
        return {}
    if found.form == "printed":
        return dict.fromkeys(header, _TEXT)
    types = {name: _type_of(role) for role, name in found.roles.items() if role != "gold"}
    return {**types, **dict.fromkeys(_system_columns(found), _NUMBER)}


def _system_columns(found: Columns) -> tuple[str, ...]:
    return found.systems if found.form == "wide" else ()


def _type_of(role: str) -> pa.DataType:
    if role in ("score", "weight"):
        return _NUMBER
    return _TEXT if role == "instance" else _NAMES


def _read(source: Source, delimiter: str, header: Sequence[str], types: dict[str, pa.DataType]) -> pa.Table:
    newlines = False
    while True:
        try:
            return pyarrow.csv.read_csv(
                source.arrow(),
                read_options=pyarrow.csv.ReadOptions(block_size=_BLOCK_BYTES),
                parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=newlines),
                convert_options=pyarrow.csv.ConvertOptions(column_types=types, null_values=_NULLS),
                memory_pool=MEMORY,
            )
        except pa.ArrowInvalid as error:
            failed = _FAILED_COLUMN.search(str(error))
            name = header[int(failed[1])] if failed and int(failed[1]) < len(header) else None
            if name is not None and types.get(name) not in (_TEXT, _NAMES):
                types = {**types, name: _TEXT}  # not numbers: the rows are named when the frame is ingested
            elif failed is None and not newlines:
                newlines = True  # a cell of several lines may span two blocks
            else:
                diagnose(source, delimiter, header)
                raise ReadingError(f"{source.name!r} cannot be read: {error}", remedy="check the file") from None
        except UnicodeDecodeError:
            diagnose(source, delimiter, header)
            raise
        except OSError as error:
            raise source.unreadable(error) from None


def _series(table: pa.Table, name: str) -> Any:
    column = table[name]
    if is_text(column.type):
        return categorical(column)
    if column.type == _NUMBER:
        return column.to_numpy()
    return column.to_pandas()
