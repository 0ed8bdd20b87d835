"""What Python shows of a result: names and small values as they are, and of large ones how large they are."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

MOST = 2_000
"""Characters."""

_OF_VALUE = 80
_OF_REST = 60


def short_repr(item: Any) -> str:
    """Name of a dataclass and its fields; to be its `__repr__`.

    Parameters
    ----------
    item : dataclass
        Any. Fields with `repr=False` are left out, values that are not short are measured: an array by its shape, a
        sequence by its number of items, another result by its name.
    """
    parts = [f"{field.name}={_shown(getattr(item, field.name))}" for field in dataclasses.fields(item) if field.repr]
    name, shown = type(item).__name__, ", ".join(parts)
    return f"{name}({shown})" if len(name) + len(shown) + 2 < MOST else f"{name}({shown[: MOST - _OF_REST]}...)"


def few_lines(lines: Sequence[str], whole: str) -> str:
    """Join as many lines as can be read at a glance, with a last one that says how many more there are, and where.

    Examples
    --------
    >>> few_lines(["a: 1", "b: 2"], "summary()").splitlines()
    ['a: 1', 'b: 2']
    """
    if sum(len(line) + 1 for line in lines) < MOST:
        return "\n".join(lines)
    shown: list[str] = []
    for line in lines:
        if shown and sum(map(len, shown)) + len(shown) + len(line) > MOST - _OF_REST:
            break
        shown.append(line)
    return "\n".join([*shown, f"... and {len(lines) - len(shown)} more; {whole} has all"])


def _shown(value: object) -> str:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return f"<{type(value).__name__}>"
    shape = getattr(value, "shape", None)
    if shape and (len(shape) > 1 or shape[0] > 6):
        return f"<{'array' if type(value).__name__ == 'ndarray' else type(value).__name__} of shape {tuple(shape)}>"
    if isinstance(value, Mapping):
        if any(dataclasses.is_dataclass(one) for one in value.values()) or len(value) > 6:
            return f"<{len(value)} items>"
    elif isinstance(value, Collection) and not isinstance(value, (str, bytes)):
        kinds = {type(one).__name__ for one in value} if not shape else set()
        if any(map(dataclasses.is_dataclass, value)) or len(value) > 6:
            return f"<{len(value)} {kinds.pop() if len(kinds) == 1 else 'items'}>"
    shown = repr(value)
    if len(shown) <= _OF_VALUE:
        return shown
    if isinstance(value, Collection) and not isinstance(value, (str, bytes)):
        return f"<{len(value)} items>"
    return f"{shown[: _OF_VALUE - 3]}..."
