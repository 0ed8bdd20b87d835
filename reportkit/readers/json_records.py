"""JSON: a list of objects, one per row; or `columns` and `data`, as pandas splits a frame."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from reportkit.errors import ReadingError
from reportkit.readers import json_content
from reportkit.readers.categorical import categorical
from reportkit.readers.format import Format
from reportkit.readers.json_lines import RepeatedKeyError, frame_of_cells, is_printed, members
from reportkit.readers.source import Source
from reportkit.scores.table.row_numbers import quoted

_EXACT = 2.0**53
"""From here on, different whole numbers are the same floating-point number."""

_LIST = re.compile(rb'(\{\s*"[^"]*"\s*:\s*)?\[\s*(\{|$)')
"""A list of objects, perhaps the only member of an object."""

_REMEDY = 'write a list of objects, one per row: [{"system": ..., "dataset": ..., "instance": ..., "score": ...}, ...]'


def read_json_records(
    source: Source, columns: Mapping[str, str] | None = None, systems: Sequence[str] | None = None
) -> pd.DataFrame:
    """Read a JSON document that holds a table.

    A key that is absent from an object counts as null. Numbers of a printed table are kept as they are written.

    Raises
    ------
    ReadingError
        If it is empty, not UTF-8, not JSON or no table, or an object has a key twice.
    """
    frame = _frame(source, _document(source))
    if is_printed(list(map(str, frame.columns)), columns, systems):
        return _frame(source, _document(source, as_written=True))
    return frame


def _document(source: Source, *, as_written: bool = False) -> Any:
    keep: Any = str if as_written else None
    content = source.read_all()
    if not as_written and (fast := _rows_of_scalars(content)) is not None:
        return fast
    try:
        text = content.decode("utf-8-sig")
        return json.loads(text, parse_float=keep, parse_int=keep, object_pairs_hook=members)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ReadingError(
            f"{source.name!r} is not UTF-8: byte 0x{content[error.start]:02x}",
            where=f"line {line}",
            remedy="save the file as UTF-8; if it is ISO-8859-1: iconv -f ISO-8859-1 -t UTF-8 FILE > NEW",
        ) from None
    except json.JSONDecodeError as error:
        raise ReadingError(
            f"{source.name!r} is not JSON: {error.msg}" if content.strip() else f"{source.name!r} is empty",
            where=f"line {error.lineno}, column {error.colno}",
            remedy=_REMEDY,
        ) from None
    except RepeatedKeyError as error:
        raise ReadingError(
            f"an object of {source.name!r} has the key {quoted(error.key)} twice, and one value would be lost",
            remedy="give each key once",
        ) from None
    except RecursionError:
        raise ReadingError(f"{source.name!r} is nested too deeply to be read", remedy=_REMEDY) from None
    except ValueError:
        raise ReadingError(
            f"{source.name!r} holds a number of too many digits",
            remedy='write ids that are no counts as text: "id": "123..."',
        ) from None


def _rows_of_scalars(content: bytes) -> list[dict[str, Any]] | None:
    """Flat objects with the same keys, read by what is fastest; None of anything else, which is read with more care.

    No key of an object is lost: each is followed by a colon, and there are as many as the objects have members.
    """
    try:
        rows = json_content.fast_loads(content)
    except (ValueError, RecursionError):
        return None
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        return None
    keys = rows[0].keys()
    n_members = len(keys) * len(rows)
    if any(row.keys() != keys for row in rows) or content.count(b'":') != n_members:
        return None
    if re.search(rb'"\s+:', content):
        return None
    for key in keys:
        numbers = [cell for row in rows if type(cell := row[key]) is float]
        if numbers and np.abs(np.array(numbers)).max() >= _EXACT:
            return None  # it may be a whole number, which is to stay one
    return rows


def _frame(source: Source, document: Any) -> pd.DataFrame:
    if isinstance(document, dict):
        rows = _split(source, document)
    elif isinstance(document, list):
        rows = document
    else:
        raise ReadingError(f"{source.name!r} is no table but a {type(document).__name__}", remedy=_REMEDY)
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise ReadingError(
                f"an entry of {source.name!r} is not an object but a {type(row).__name__}",
                where=f"entry {number:,}: {quoted(str(row))}",
                remedy=_REMEDY,
            )
    if not rows:
        raise ReadingError(f"{source.name!r} has no rows", remedy=_REMEDY)
    if all(row.keys() == rows[0].keys() for row in rows):
        return pd.DataFrame({key: _column([row[key] for row in rows]) for key in rows[0]}, index=range(len(rows)))
    return frame_of_cells(source, rows, remedy=_REMEDY)


def _column(cells: list[Any]) -> pd.Series[Any]:
    """Texts as categoricals, numbers of one kind as such, anything else as it is."""
    kinds = {type(cell) for cell in cells}
    if kinds == {float} or (kinds == {int} and max(map(abs, cells)) < 2**63):
        return pd.Series(cells)
    if kinds == {str}:
        with suppress(UnicodeEncodeError):  # half a pair of surrogates
            return pd.Series(categorical(pa.chunked_array([pa.array(cells, type=pa.string())])))
    return pd.Series(np.fromiter(cells, dtype=object, count=len(cells)))


def _split(source: Source, document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Rows of `{"columns": [...], "data": [[...], ...]}`."""
    names, data = document.get("columns"), document.get("data")
    if isinstance(names, list) and isinstance(data, list) and all(isinstance(name, str) for name in names):
        if len({*names}) < len(names):
            raise ReadingError(f"{source.name!r} has two columns of one name", remedy="give each column its own name")
        for number, row in enumerate(data, start=1):
            if not isinstance(row, list) or len(row) != len(names):
                raise ReadingError(
                    f"a row of {source.name!r} does not have {len(names)} cells",
                    where=f"row {number:,}",
                    remedy="write it again: df.to_json(path, orient='split')",
                )
        return [dict(zip(names, row, strict=True)) for row in data]
    if len(document) == 1 and isinstance(only := next(iter(document.values())), list):
        return only
    raise ReadingError(
        f"{source.name!r} is an object, not a table",
        where="its keys: " + ", ".join(map(quoted, list(map(str, document))[:10])),
        remedy=_REMEDY + "\n(pandas: df.to_json(path, orient='records'))",
    )


def can_read(head: bytes, path: Path) -> bool:
    """Whether a document begins as a list of objects, or as a frame that pandas splits."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return _LIST.match(text) is not None or (text.startswith(b"{") and b'"columns"' in head and b'"data"' in head)


JSON_RECORDS = Format(name="JSON", endings=(".json",), read=read_json_records, can_read=can_read)
