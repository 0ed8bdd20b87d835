"""JSON Lines: one object per line; texts as categoricals, numbers as they are written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.json

from reportkit.errors import InputError, ReadingError, SettingsError
from reportkit.readers.categorical import categorical, is_text
from reportkit.readers.source import MEMORY, Source
from reportkit.results.columns import recognise_columns
from reportkit.results.row_numbers import quoted

_HEAD_BYTES = 1 << 20
_BLOCK_BYTES = 4 << 20


def read_json_lines(
    source: Source, columns: Mapping[str, str] | None = None, systems: Sequence[str] | None = None
) -> pd.DataFrame:
    """Read a file with one JSON object per line.

    A key that is absent from a line counts as null. Numbers of a printed table are kept as they are written.

    Raises
    ------
    ReadingError
        If it is empty, not UTF-8, or a line is not a JSON object; the message says the line.
    """
    first = _first_object(source)
    if _is_printed(list(first), columns, systems):
        return pd.DataFrame(list(_objects(source, as_written=True)), dtype=object)
    texts = {key: pa.string() for key, value in first.items() if isinstance(value, str)}  # else dates are recognised
    try:
        table = pyarrow.json.read_json(
            source.arrow(),
            read_options=pyarrow.json.ReadOptions(block_size=_BLOCK_BYTES),
            parse_options=pyarrow.json.ParseOptions(explicit_schema=pa.schema(texts)),
            memory_pool=MEMORY,
        )
    except (pa.ArrowException, OSError, UnicodeDecodeError):
        return pd.DataFrame(list(_objects(source)))  # says the line; or several types in one column
    if any(
        pa.types.is_temporal(kind) or (pa.types.is_integer(kind) and table.column(place).null_count)
        for place, kind in enumerate(table.schema.types)
    ):
        return pd.DataFrame(list(_objects(source)), dtype=object)
    order = [*first, *(name for name in table.column_names if name not in first)]  # the schema came first
    return pd.DataFrame(
        {name: categorical(table[name]) if is_text(table[name].type) else table[name].to_pandas() for name in order},
        copy=False,
    )


def _is_printed(names: Sequence[str], columns: Mapping[str, str] | None, systems: Sequence[str] | None) -> bool:
    try:
        return recognise_columns(names, columns, systems=systems).form == "printed"
    except (InputError, SettingsError):
        return False


def _first_object(source: Source) -> dict[str, Any]:
    for row in _objects(source):
        return row
    raise ReadingError(
        f"{source.name!r} is empty", remedy='write one JSON object per line: {"system": ..., "dataset": ..., ...}'
    )


def _objects(source: Source, *, as_written: bool = False) -> Iterator[dict[str, Any]]:
    source.head(_HEAD_BYTES)  # says if gzip data are none
    number = 0
    keep: Any = str if as_written else None
    try:
        with source.open() as file:
            for number, line in enumerate(file, start=1):
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                if text:
                    yield _object(source, number, json.loads(text, parse_float=keep, parse_int=keep), text)
    except json.JSONDecodeError as error:
        raise ReadingError(
            f"a line of {source.name!r} is not JSON: {error.msg}",
            where=f"line {number}, column {error.colno}: {quoted(text)}",
            remedy='write one JSON object per line: {"system": ..., "dataset": ..., "instance": ..., "score": ...}',
        ) from None
    except UnicodeDecodeError as error:
        raise ReadingError(
            f"{source.name!r} is not UTF-8: byte 0x{line[error.start]:02x}",
            where=f"line {number}, byte {error.start + 1}",
            remedy="save the file as UTF-8",
        ) from None
    except (OSError, EOFError) as error:
        raise source.unreadable(error) from None


def _object(source: Source, number: int, value: Any, text: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    remedy = 'write one JSON object per line: {"system": ..., "dataset": ..., "instance": ..., "score": ...}'
    if isinstance(value, list):
        remedy += "\n(pandas: df.to_json(path, orient='records', lines=True))"
    raise ReadingError(
        f"a line of {source.name!r} is not a JSON object but a {type(value).__name__}",
        where=f"line {number}: {quoted(text)}",
        remedy=remedy,
    )
