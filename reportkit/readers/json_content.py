"""JSON of harnesses: documents, lines and records as Python reads them, with a message where they are damaged."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from reportkit.errors import ReadingError
from reportkit.readers.source import Source
from reportkit.scores.table.row_numbers import quoted

_fast: Callable[[bytes], Any] | None = None
with suppress(ImportError):  # an extra, and about twice as fast
    import orjson

    _fast = orjson.loads

_HALVES = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")
"""Halves of surrogate pairs, which JSON and Python let pass; UTF-8 has none."""

_FAILED = (ValueError, RecursionError)

BROKEN = "check that the file was written to its end, and that nobody changed it"
"""What to do with a file whose content is not what its format has."""


def fast_loads(content: bytes) -> Any:
    """What the fastest parser that is installed makes of a document; a ValueError if it is not JSON."""
    parser: Any = _fast  # None where the extra is not installed
    return json.loads(content) if parser is None else parser(content)


def document(source: Source) -> Any:
    """The value that a file holds.

    Raises
    ------
    ReadingError
        If it is not JSON in UTF-8, or is too large; the message says where.
    """
    content = source.read_all().removeprefix(b"\xef\xbb\xbf")
    return _value(source, content, 1, what="")


def mapping(source: Source) -> dict[str, Any]:
    """The object that a file holds; a ReadingError if it is something else."""
    value = document(source)
    if not isinstance(value, dict):
        raise wrong(source, f"is not a JSON object but a {type(value).__name__}")
    return value


def lines(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number and object of each line that is not blank.

    Raises
    ------
    ReadingError
        If a line is not a JSON object in UTF-8; the message says which.
    """
    for number, line in source.lines():
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line.isspace() or not line:
            continue
        value = _value(source, line, number, what="a line of ")
        if not isinstance(value, dict):
            raise wrong(source, f"has a line that is not a JSON object but a {type(value).__name__}", line=number)
        yield number, value


def wrong(source: Source, problem: str, *, line: int | None = None, where: str = "", remedy: str = "") -> ReadingError:
    """What to say of a file whose content is not as its format has it."""
    place = "; ".join(part for part in (f"line {line:,}" if line is not None else "", where) if part)
    return ReadingError(f"{source.name!r} {problem}", where=place or None, remedy=remedy or "check how it was written")


def number(value: Any) -> float | None:
    """A score; None if it is none: null, NaN, a text, a list.

    Examples
    --------
    >>> number(True), number("0.5"), number(None), number(float("nan"))
    (1.0, None, None, None)
    """
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, (int, float)):
        try:
            found = float(value)
        except OverflowError:
            return None
        return None if math.isnan(found) else found
    return None


def text_of(record: Any, *keys: str) -> str | None:
    """The first of some members that is a text, or a number written as one; None if none is."""
    if not isinstance(record, dict):
        return None
    for key in keys:
        value = record.get(key)
        if value.__class__ is str and value:
            return value
        if isinstance(value, (int, float)) and not isinstance(value, bool) and not _inexact(value):
            return str(value)
    return None


def member_of(source: Source, value: Any, kind: type, where: str) -> Any:
    """The value itself, if it is of a type.

    Raises
    ------
    ReadingError
        If it is of another one.
    """
    if isinstance(value, kind) and not (isinstance(value, bool) and kind is not bool):
        return value
    wanted = {dict: "an object", list: "a list", str: "a text", float: "a number"}.get(kind, kind.__name__)
    raise ReadingError(f"{source.name!r} holds {shown(value)} where {wanted} belongs", where=where, remedy=BROKEN)


def text_at(source: Source, record: Mapping[str, Any], key: str, where: str) -> str:
    """A text of a record, or a number written as one, that has to be there and not be empty.

    Raises
    ------
    ReadingError
        If it is not there.
    """
    if (found := text_of(record, key)) is not None:
        return found
    said = f"no {key!r}" if key not in record else f"{shown(record[key])} as {key!r}"
    raise ReadingError(f"{source.name!r} holds a record with {said}", where=where, remedy=BROKEN)


def score_at(source: Source, value: Any, where: str) -> float | None:
    """A score as a number; None of null and of NaN, which are not scored.

    Raises
    ------
    ReadingError
        If it is something else.
    """
    if value is None:
        return None
    if isinstance(value, (bool, int, float)):
        try:
            score = float(value)
        except OverflowError:
            score = math.inf
        if math.isnan(score):
            return None
        if math.isfinite(score):
            return score
    raise ReadingError(f"{source.name!r} holds {shown(value)} as a score", where=where, remedy=BROKEN)


def shown(value: Any) -> str:
    """A value in a message, shortened."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _inexact(value: float) -> bool:
    """Whether different whole numbers would be the same: one of too many digits may have been read as a float."""
    return type(value) is float and not abs(value) < 2.0**53


def inside(value: Any, *keys: str) -> Any:
    """The member of a member ...; None if there is no such."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _value(source: Source, content: bytes, line: int, *, what: str) -> Any:
    if _fast is not None:
        try:
            return _fast(content)
        except _FAILED:
            pass  # NaN, which is not JSON and which Python reads; or Python says what is wrong
    try:
        value = json.loads(content)
        return _whole(value) if _HALVES.search(content) else value
    except json.JSONDecodeError as error:
        raise ReadingError(
            f"{what}{source.name!r} is not JSON: {error.msg}",
            where=f"line {line + error.lineno - 1:,}, column {error.colno:,}: {_around(error)}",
            remedy="the file may have been cut off: copy or write it again",
        ) from None
    except UnicodeDecodeError as error:
        raise ReadingError(
            f"{source.name!r} is not UTF-8: byte 0x{content[error.start]:02x}",
            where=f"line {line + content[: error.start].count(10):,}",
            remedy="save the file as UTF-8",
        ) from None
    except RecursionError:
        raise wrong(source, "is nested too deeply to be read", line=line) from None
    except ValueError:
        raise wrong(source, "holds a number of too many digits", line=line) from None


def _whole(value: Any) -> Any:
    """The value with lone halves of surrogate pairs, which no column can hold, written as their escapes."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    return value


def _around(error: json.JSONDecodeError) -> str:
    return quoted(error.doc[max(0, error.pos - 20) : error.pos + 20])
