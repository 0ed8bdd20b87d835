"""How one value is written as JSON and read back strictly; what is wrong in a document, and where.

The pieces of `serialise`, which joins them by the type hints of the model.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from reportkit.errors import nearest

Json: TypeAlias = Any
"""None, bool, int, finite float, str, list of these, dict of str to these."""


class FaultError(Exception):
    """Something in a document is wrong; the path to it is gathered on the way out, innermost first."""

    def __init__(self, problem: str, remedy: str | None = None) -> None:
        self.problem, self.remedy, self.path = problem, remedy, list[str]()
        super().__init__(problem)


@dataclass(frozen=True, slots=True)
class Codec:
    """How values of one type are written and read."""

    encode: Callable[[Any], Json]
    decode: Callable[[Json], Any]


def _of_primitive(kind: type, name: str) -> Codec:
    def encode(value: Any) -> Json:
        if type(value) is not kind:
            raise TypeError(f"{value!r} is not {name}")
        return value

    def decode(value: Json) -> Any:
        if type(value) is not kind:
            raise FaultError(f"{said(value)} stands where {name} must be")
        return value

    return Codec(encode, decode)


def _is_finite_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all floating-point numbers
        return False


def _encode_number(value: Any) -> Json:
    if not _is_finite_number(value):
        raise TypeError(f"{value!r} is not a finite number")
    return float(value) if isinstance(value, float) else value


def _decode_number(value: Json) -> Any:
    if not _is_finite_number(value):
        raise FaultError(f"{said(value)} stands where a finite number must be")
    return value


PRIMITIVES: dict[Any, Codec] = {
    str: _of_primitive(str, "a string"),
    bool: _of_primitive(bool, "true or false"),
    int: _of_primitive(int, "a whole number"),
    float: Codec(_encode_number, _decode_number),
    type(None): _of_primitive(type(None), "null"),
}


def literal_codec(allowed: tuple[Any, ...]) -> Codec:
    """Values that are among a few."""

    def known(value: Any) -> bool:
        return any(type(value) is type(one) and value == one for one in allowed)

    def encode(value: Any) -> Json:
        if not known(value):
            raise TypeError(f"{value!r} is none of {allowed!r}")
        return value

    def decode(value: Json) -> Any:
        if not known(value):
            raise FaultError(f"{said(value)} is not known here", suggestion(value, allowed))
        return value

    return Codec(encode, decode)


def decoded(one: Codec, value: Json, step: str) -> Any:
    """Read one part; a fault in it learns the step that leads to it."""
    try:
        return one.decode(value)
    except FaultError as fault:
        fault.path.append(step)
        raise


def as_list(value: Json) -> list[Json]:
    """Return the list, or raise FaultError."""
    if not isinstance(value, list):
        raise FaultError(f"{said(value)} stands where a list must be")
    return value


def as_object(value: Json) -> dict[str, Json]:
    """Return the object, or raise FaultError."""
    if not isinstance(value, dict):
        raise FaultError(f"{said(value)} stands where an object must be")
    return value


def suggestion(name: object, known: Iterable[object]) -> str:
    """Say what may have been meant, and what there is."""
    names = [str(one) for one in known]
    near = nearest(str(name), names)
    return (f"did you mean {near[0]!r}? " if near else "") + f"known: {', '.join(names)}"


def said(value: Json) -> str:
    """Write a value for a message, in a few characters."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    written = json.dumps(value)
    return written if len(written) <= 40 else written[:39] + "…"
