"""Short `repr` of results: names and small values as they are, and the size of large ones."""

from __future__ import annotations

import dataclasses
import reprlib
from collections.abc import Sequence
from typing import Any

MOST = 2_000
"""Characters."""

_OF_REST = 60
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = 80


def short_repr(item: Any) -> str:
    """Name of a dataclass and its fields; to be its `__repr__`.

    Parameters
    ----------
    item : dataclass
        Any. Fields with `repr=False` are left out, long values are cut.
    """
    shown_fields = [field.name for field in dataclasses.fields(item) if field.repr]
    parts = [f"{name}={_SHORT.repr(getattr(item, name))}" for name in shown_fields]
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
