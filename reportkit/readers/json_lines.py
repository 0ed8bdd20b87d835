"""JSON Lines: one object per line; texts as categoricals, numbers as they are written."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from reportkit.errors import InputError, ReadingError, SettingsError
from reportkit.readers.categorical import categorical, is_text
from reportkit.readers.format import Format
from reportkit.readers.source import BLOCK_BYTES, MEMORY, Source
from reportkit.scores.table.columns import recognise_columns
from reportkit.scores.table.row_numbers import quoted

_REMEDY = 'write one JSON object per line: {"system": ..., "dataset": ..., "instance": ..., "score": ...}'

_EXACT = 2.0**53
"""From here on, different whole numbers are the same floating-point number."""

_BRACKETS = 100
"""Lines with more of them are read in Python: Arrow does not survive deep nesting."""

_LOOKED_AT = 1000
_FEW_KEYS = 100
_SPARSE = 20
"""Refuse objects that have but one of so many keys in common, where there are more than 20 million cells."""

_MANY_CELLS = 20_000_000


def read_json_lines(
    source: Source, columns: Mapping[str, str] | None = None, systems: Sequence[str] | None = None
) -> pd.DataFrame:
    """Read a file with one JSON object per line.

    A key that is absent from a line counts as null. Numbers of a printed table are kept as they are written; whole
    numbers, which may be ids, are kept whole, however large.

    Raises
    ------
    ReadingError
        If it is empty, not UTF-8, or a line is not a JSON object, or has a key twice; the message says the line.
    """
    frame = _as_values(source)
    return _frame(source, as_written=True) if is_printed(list(map(str, frame.columns)), columns, systems) else frame


def _as_values(source: Source) -> pd.DataFrame:
    first = _first_object(source)
    table = _table(source, first)
    if table is None:  # in Python, which says the line; or keeps what Arrow would change
        return _frame(source)
    order = [*first, *(name for name in table.column_names if name not in first)]  # the schema came first
    return pd.DataFrame(
        {name: categorical(table[name]) if is_text(table[name].type) else table[name].to_pandas() for name in order},
        index=pd.RangeIndex(table.num_rows),  # objects may be empty
        copy=False,
    )


def is_printed(names: Sequence[str], columns: Mapping[str, str] | None, systems: Sequence[str] | None) -> bool:
    """Whether columns are those of a printed table."""
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


def _table(source: Source, first: Mapping[str, Any]) -> pa.Table | None:
    """What Arrow reads; None if it cannot, or if Python's reader would read something else."""
    import pyarrow.json

    n_objects = _plain_objects(source)
    if n_objects is None:
        return None
    texts = {key: pa.string() for key, value in first.items() if isinstance(value, str)}  # else dates are recognised
    try:
        with source.arrow() as content:
            table = pyarrow.json.read_json(
                content,
                read_options=pyarrow.json.ReadOptions(block_size=BLOCK_BYTES),
                parse_options=pyarrow.json.ParseOptions(explicit_schema=pa.schema(texts)),
                memory_pool=MEMORY,
            )
        table.validate(full=True)  # Arrow does not ask whether texts are UTF-8
    except (pa.ArrowException, UnicodeError, OSError):
        return None
    if table.num_rows != n_objects or any(map(_changed, table.columns)):
        return None
    return table


def _plain_objects(source: Source) -> int | None:
    """Number of lines that begin as an object does; None if a line is nested deeply, or keys differ from line to line.

    Arrow calls itself for each bracket, until the process is killed, and makes a column of each key that occurs.
    """
    keys: set[str] = set()
    most = 0
    for row in islice(_objects(source), _LOOKED_AT):
        keys.update(row)
        most = max(most, len(row))
    if len(keys) > max(_FEW_KEYS, _SPARSE * most):
        return None
    n_objects = 0
    before = b"\n"
    for number, block in enumerate(source.blocks()):
        block = block.removeprefix(b"\xef\xbb\xbf") if number == 0 else block
        beginnings = block.count(b"\n{") + (before == b"\n" and block.startswith(b"{"))
        n_brackets = block.count(b"{") + block.count(b"[")
        if n_brackets - beginnings > _BRACKETS and any(
            line.count(b"{") + line.count(b"[") > _BRACKETS for line in block.split(b"\n")
        ):
            return None
        n_objects += beginnings
        before = block[-1:]
    return n_objects


def _changed(column: pa.ChunkedArray) -> bool:
    """Whether values may not be what is written: dates, whole numbers beside none, and large ones as floats."""
    if pa.types.is_floating(column.type):
        extremes = pc.min_max(column).as_py()
        return any(abs(extremes[end] or 0.0) >= _EXACT for end in ("min", "max"))
    return bool(pa.types.is_temporal(column.type) or (pa.types.is_integer(column.type) and column.null_count))


def _frame(source: Source, *, as_written: bool = False) -> pd.DataFrame:
    """All objects, each value as Python reads it."""
    return frame_of_cells(source, _objects(source, as_written=as_written), remedy=_REMEDY)


def frame_of_cells(source: Source, rows: Iterable[Mapping[str, Any]], *, remedy: str) -> pd.DataFrame:
    """Objects as rows; a key that is absent from an object is None.

    Raises
    ------
    ReadingError
        If the objects have hardly any key in common.
    """
    cells: dict[str, list[Any]] = {}
    known: dict[str, str] = {}
    n_rows = n_values = 0
    for row in rows:
        for key, value in row.items():
            column = cells.setdefault(key, [])
            column.extend([None] * (n_rows - len(column)))
            column.append(known.setdefault(value, value) if isinstance(value, str) else value)
        n_rows += 1
        n_values += len(row)
        if len(cells) * n_rows > max(_SPARSE * n_values, _MANY_CELLS):
            raise ReadingError(
                f"the objects of {source.name!r} have hardly any key in common",
                where=f"{len(cells):,} different keys in {n_rows:,} objects",
                remedy=remedy,
            )
    frame = {}
    for key, column in cells.items():
        column.extend([None] * (n_rows - len(column)))
        frame[key] = np.fromiter(column, dtype=object, count=n_rows)  # a cell may be a list
    return pd.DataFrame(frame, index=range(n_rows), dtype=object, copy=False)


def _objects(source: Source, *, as_written: bool = False) -> Iterator[dict[str, Any]]:
    keep: Any = str if as_written else None
    for number, line in source.lines():
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip(" \t\r\n")
            if text:
                value = json.loads(text, parse_float=keep, parse_int=keep, object_pairs_hook=members)
                yield _object(source, number, value, text)
        except json.JSONDecodeError as error:
            raise ReadingError(
                f"a line of {source.name!r} is not JSON: {error.msg}",
                where=f"line {number}, column {error.colno}: {quoted(text)}",
                remedy=_REMEDY,
            ) from None
        except UnicodeDecodeError as error:
            raise ReadingError(
                f"{source.name!r} is not UTF-8: byte 0x{line[error.start]:02x}",
                where=f"line {number}, byte {error.start + 1}",
                remedy="save the file as UTF-8; if it is ISO-8859-1: iconv -f ISO-8859-1 -t UTF-8 FILE > NEW",
            ) from None
        except RepeatedKeyError as error:
            raise ReadingError(
                f"an object of {source.name!r} has the key {quoted(error.key)} twice, and one value would be lost",
                where=f"line {number}: {quoted(text)}",
                remedy="give each key once",
            ) from None
        except RecursionError:
            raise ReadingError(
                f"a line of {source.name!r} is nested too deeply to be read",
                where=f"line {number}: {quoted(text)}",
                remedy="leave out what is not system, dataset, instance or score",
            ) from None
        except ValueError as error:
            if isinstance(error, ReadingError):
                raise
            raise ReadingError(
                f"a line of {source.name!r} holds a number of too many digits",
                where=f"line {number}: {quoted(text)}",
                remedy='write ids that are no counts as text: "id": "123..."',
            ) from None


class RepeatedKeyError(Exception):
    """An object has a key twice."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(key)


def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The members of an object; RepeatedKeyError if a key is there twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise RepeatedKeyError(Counter(name for name, _ in pairs).most_common(1)[0][0])
    return members


def _object(source: Source, number: int, value: Any, text: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    remedy = _REMEDY
    if isinstance(value, list):
        remedy += "\n(pandas: df.to_json(path, orient='records', lines=True))"
    raise ReadingError(
        f"a line of {source.name!r} is not a JSON object but a {type(value).__name__}",
        where=f"line {number}: {quoted(text)}",
        remedy=remedy,
    )


JSON_LINES = Format(name="JSON Lines", endings=(".jsonl", ".ndjson"), read=read_json_lines)
