"""A report as JSON and back, exactly: what `report.json` keeps in `document`, so that files are rendered without data.

The encoding follows the type hints of the frozen dataclasses of the model; a new field or a new kind of block needs
nothing here. Fields that have their default are left out. Where a hint allows several dataclasses, `type` says which
one it is. Prose is short: a string for plain words, a list where something else stands between them, so that a table
costs little more than its text.
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, Union, cast

from reportkit.errors import ReadingError, ReportkitError
from reportkit.figures.drawings import DRAWINGS
from reportkit.report.machine.codec import (
    PRIMITIVES,
    Codec,
    FaultError,
    Json,
    as_list,
    as_object,
    decoded,
    literal_codec,
    said,
    suggestion,
)
from reportkit.report.model import Cell, Column, Figure, Number, Report, Row
from reportkit.report.prose import Text

DOCUMENT_VERSION = 1
"""Of the encoding; a document of another version is refused."""

SHORT: Mapping[type, str] = {Text: "text", Cell: "text", Row: "cells", Column: "header", Number: "content"}
"""Dataclasses that are written as one of their fields where all others have their defaults."""

_TAG = "type"
_CONTENT = "content"
_KEY = re.compile(r"[a-z0-9.-]+(/[a-z0-9.-]+)*")
_FINDINGS = "findings"


def encode_report(report: Report) -> dict[str, Json]:
    """Write a report as JSON; all but `data`, which is `report.json` itself, and the findings where they stand there.

    Parameters
    ----------
    report : Report
        Any.

    Returns
    -------
    dict
        Strings, finite numbers, lists and mappings only.

    Raises
    ------
    TypeError
        If a part of the report is not what its type hint says: a mistake of the programmer.
    UnknownNameError
        If there is no such kind of figure.

    Examples
    --------
    >>> from reportkit.report.model import Signature
    >>> signature = Signature(version="0.1.0", source="r.csv", digest="3f9c" * 16, fields={})
    >>> document = encode_report(Report(title="A and B on 3 datasets", sections=(), signature=signature))
    >>> document["version"], document["title"]
    (1, 'A and B on 3 datasets')
    """
    document = {"version": DOCUMENT_VERSION, **_report_codec().encode(report)}
    if report.data.get(_FINDINGS) == [dataclasses.asdict(item) for item in report.findings]:
        document.pop(_FINDINGS, None)
    else:
        document.setdefault(_FINDINGS, [])
    return document


def decode_report(document: Json, data: Mapping[str, Any], *, where: str = "document") -> Report:
    """Read back what `encode_report` wrote.

    Parameters
    ----------
    document : JSON
        As written.
    data : mapping
        The content for machines, as it stands beside the document.
    where : str
        Name of the document in messages.

    Returns
    -------
    Report
        Equal to the one that was written.

    Raises
    ------
    ReadingError
        If anything is not as it must be: a kind, a field or a version that is not known, a missing field, a value of
        another type. The message says where in the document.
    """
    if not isinstance(document, dict):
        raise ReadingError(f"{where} is {said(document)}, not an object")
    version = document.get("version")
    if version != DOCUMENT_VERSION or isinstance(version, bool):
        raise ReadingError(
            f"{where} has version {version!r}; this reportkit reads version {DOCUMENT_VERSION}",
            where=f"{where}.version",
            remedy="use the version of reportkit that wrote it, or build the report again",
        )
    numbers = document.get("numbers")
    for key in numbers if isinstance(numbers, dict) else ():
        if not _KEY.fullmatch(key):
            raise ReadingError(
                f"{key!r} is no key of a number: a key has small letters, digits, points, hyphens and slashes",
                where=f"{where}.numbers",
            )
    try:
        content = {_FINDINGS: data.get(_FINDINGS, []), **document}
        del content["version"]
        return cast(Report, dataclasses.replace(_report_codec().decode(content), data=data))
    except FaultError as fault:
        raise ReadingError(fault.problem, where=where + "".join(reversed(fault.path)), remedy=fault.remedy) from None


_AS_IT_IS = Codec(lambda value: value, lambda value: value)


@cache
def _report_codec() -> Codec:
    return _of_dataclass(Report, without=("data", "facts"))


_CODECS: dict[Any, Codec] = {}


def codec(hint: Any) -> Codec:
    """How values of a type are written and read, from its hint, made once.

    Raises
    ------
    TypeError
        If there is no encoding for this type: a mistake of the programmer.

    Examples
    --------
    >>> codec(tuple[float, ...]).encode((1.5, 2.0))
    [1.5, 2.0]
    """
    if hint not in _CODECS:
        _CODECS[hint] = _made(hint)
    return _CODECS[hint]


def _made(hint: Any) -> Codec:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint in PRIMITIVES:
        return PRIMITIVES[hint]
    if origin is Literal:
        return literal_codec(arguments)
    if origin in (Union, types.UnionType):
        return _of_union(arguments)
    if origin is tuple:
        return _of_series(arguments[0]) if arguments[1:] == (...,) else _of_tuple(arguments)
    if isinstance(origin, type) and issubclass(origin, Mapping) and arguments[0] is str:
        return _of_mapping(arguments[1])
    if hint is Figure:
        return _of_figure()
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return _with_short_form(hint, _of_dataclass(hint))
    raise TypeError(f"no encoding for {hint!r}")


def _of_series(item: Any) -> Codec:
    inner = codec(item)

    def encode(value: Any) -> Json:
        if not isinstance(value, tuple):
            raise TypeError(f"{value!r} is not a tuple")
        return [inner.encode(one) for one in value]

    def decode(value: Json) -> Any:
        return tuple(decoded(inner, one, f"[{index}]") for index, one in enumerate(as_list(value)))

    if typing.get_origin(item) in (Union, types.UnionType) and Text in typing.get_args(item):
        return _short_prose(Codec(encode, decode))
    return Codec(encode, decode)


def _short_prose(full: Codec) -> Codec:
    """One piece of plain words is written as a string."""

    def encode(value: Any) -> Json:
        written = full.encode(value)
        return written[0] if len(written) == 1 and isinstance(written[0], str) else written

    def decode(value: Json) -> Any:
        return (Text(value),) if isinstance(value, str) else full.decode(value)

    return Codec(encode, decode)


def _of_tuple(items: tuple[Any, ...]) -> Codec:
    inner = [codec(item) for item in items]

    def encode(value: Any) -> Json:
        return [one.encode(part) for one, part in zip(inner, value, strict=True)]

    def decode(value: Json) -> Any:
        if len(as_list(value)) != len(inner):
            raise FaultError(f"a list of {len(value)} stands where one of {len(inner)} must be")
        return tuple(decoded(one, part, f"[{i}]") for i, (one, part) in enumerate(zip(inner, value, strict=True)))

    return Codec(encode, decode)


def _of_mapping(item: Any) -> Codec:
    inner = codec(item)

    def encode(value: Any) -> Json:
        return {PRIMITIVES[str].encode(name): inner.encode(one) for name, one in value.items()}

    def decode(value: Json) -> Any:
        return {name: decoded(inner, one, f"[{name!r}]") for name, one in as_object(value).items()}

    return Codec(encode, decode)


def _of_dataclass(kind: type, *, without: tuple[str, ...] = (), as_it_is: str = "") -> Codec:
    fields = {item.name: item for item in dataclasses.fields(kind) if item.name not in without}
    hints = typing.get_type_hints(kind)
    inner = {name: _AS_IT_IS if name == as_it_is else codec(hints[name]) for name in fields}
    if _TAG in fields:
        raise TypeError(f"{kind.__name__} has a field named {_TAG!r}")

    def encode(value: Any) -> Json:
        if type(value) is not kind:
            raise TypeError(f"{value!r} is not {kind.__name__}")
        parts = ((name, getattr(value, name)) for name in fields)
        return {name: inner[name].encode(part) for name, part in parts if not _is_default(fields[name], part)}

    def decode(value: Json) -> Any:
        content = as_object(value)
        for name in content:
            if name not in fields:
                raise FaultError(f"there is no field {name!r} in {_name(kind)}", suggestion(name, fields))
        for name, item in fields.items():
            if name not in content and not _has_default(item):
                raise FaultError(f"{_name(kind)} lacks {name!r}")
        parts = {name: decoded(inner[name], part, f".{name}") for name, part in content.items()}
        try:
            return kind(**parts)
        except (ReportkitError, ValueError, ArithmeticError, LookupError) as error:
            raise FaultError(str(getattr(error, "problem", error)), getattr(error, "remedy", None)) from None

    return Codec(encode, decode)


def _of_figure() -> Codec:
    """Make the codec of a figure, whose `kind` says what its `content` is."""
    frame = _of_dataclass(Figure, as_it_is=_CONTENT)

    def encode(value: Any) -> Json:
        content = codec(DRAWINGS[value.kind].content).encode(value.content)
        return {**frame.encode(value), _CONTENT: content}

    def decode(value: Json) -> Any:
        kind, content = as_object(value).get("kind"), value.get(_CONTENT)
        if not isinstance(kind, str) or kind not in DRAWINGS:
            raise FaultError(f"there is no kind of figure {kind!r}", suggestion(kind, DRAWINGS))
        shown = decoded(codec(DRAWINGS[kind].content), content, f".{_CONTENT}")
        return frame.decode({**value, _CONTENT: shown})

    return Codec(encode, decode)


def _with_short_form(kind: type, full: Codec) -> Codec:
    """One field alone is written without its name, where it cannot be taken for an object."""
    name = SHORT.get(kind)
    if name is None:
        return full
    inner = codec(typing.get_type_hints(kind)[name])

    def encode(value: Any) -> Json:
        written = full.encode(value)
        if list(written) == [name] and not isinstance(written[name], dict):
            return written[name]
        return written

    def decode(value: Json) -> Any:
        return full.decode(value) if isinstance(value, dict) else kind(**{name: inner.decode(value)})

    return Codec(encode, decode)


def _of_union(members: tuple[Any, ...]) -> Codec:
    """One dataclass, or several told apart by `type`, beside values that JSON tells apart."""
    classes: dict[str, Any] = {_name(one): one for one in members if dataclasses.is_dataclass(one)}
    others = [codec(one) for one in members if one not in classes.values()]
    inner = {one: codec(one) for one in classes.values()}
    short = next((member for member in classes.values() if SHORT.get(member) is not None), None)

    def encode(value: Any) -> Json:
        if type(value) in inner:
            written = inner[type(value)].encode(value)
            tagged = len(classes) > 1 and isinstance(written, dict)
            return {_TAG: _name(type(value)), **written} if tagged else written
        for one in others:
            with contextlib.suppress(TypeError):
                return one.encode(value)
        raise TypeError(f"{value!r} is none of {members!r}")

    def decode(value: Json) -> Any:
        if isinstance(value, dict) and len(classes) > 1:
            name = value.get(_TAG)
            if not isinstance(name, str) or name not in classes:
                raise FaultError(f"there is no {_TAG} {name!r} here", suggestion(name, classes))
            return inner[classes[name]].decode({key: part for key, part in value.items() if key != _TAG})
        if isinstance(value, dict) and classes:
            return inner[next(iter(classes.values()))].decode(value)
        if short is not None and isinstance(value, (str, list)):
            return inner[short].decode(value)
        faults = []
        for one in others:
            try:
                return one.decode(value)
            except FaultError as fault:
                faults.append(fault)
        # the fault that lies deepest is that of the type that was meant
        raise max(faults, key=lambda fault: len(fault.path), default=FaultError(f"{said(value)} is not known here"))

    return Codec(encode, decode)


def _has_default(item: dataclasses.Field[Any]) -> bool:
    return item.default is not dataclasses.MISSING or item.default_factory is not dataclasses.MISSING


def _is_default(item: dataclasses.Field[Any], value: Any) -> bool:
    if not _has_default(item):
        return False
    default = item.default if item.default_factory is dataclasses.MISSING else item.default_factory()
    return type(value) is type(default) and bool(value == default)


def _name(kind: Any) -> str:
    """`type` of a dataclass: its name, small, with hyphens."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", kind.__name__).lower()
