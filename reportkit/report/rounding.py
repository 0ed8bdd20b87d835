"""Numbers as a report stores them: so many digits that nothing is lost, and no more than every processor agrees on.

The exponential of one processor differs from that of another in the last of 17 digits, and the sum of a thousand terms
in the last two or three. What a report stores, and what its figures are drawn from, is therefore rounded, so that the
same results give the same bytes everywhere.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from decimal import ROUND_UP, Context
from itertools import chain, islice
from typing import Any

DIGITS = 9
"""Significant digits that a report stores; tables print four at most."""

_PLAIN = {str, int, bool, type(None)}
_ROWS = {list, tuple}
_MANY = 100
"""Numbers, or rows of them, from which on arrays pay."""

_POWERS = tuple(10.0**power for power in range(23))  # those that a float holds
_MIDDLE = 1e-6
_BOUND = Context(prec=2, rounding=ROUND_UP)


def rounded(value: Any) -> Any:
    """Round every float in a value to `DIGITS` significant digits.

    Parameters
    ----------
    value : object
        A number, or mappings, lists, tuples and dataclasses of numbers and other things, nested; changed nowhere.

    Returns
    -------
    object
        The same, with rounded numbers; rounding twice changes nothing.

    Examples
    --------
    >>> rounded({"p_value": 0.1 + 0.2, "n": 3, "curve": (1 / 3, 2e-300 / 3)})
    {'p_value': 0.3, 'n': 3, 'curve': (0.333333333, 6.66666667e-301)}
    """
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, (list, tuple)):
        if len(value) >= _MANY and (found := _many_rounded(value)) is not None:
            return found
        return type(value)(
            [
                float(f"{one:.{DIGITS}g}") if type(one) is float else one if type(one) in _PLAIN else rounded(one)
                for one in value
            ]
        )
    if isinstance(value, Mapping):
        return {name: rounded(one) for name, one in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}
        changed = {name: new for name, old in fields.items() if (new := rounded(old)) is not old and new != old}
        return dataclasses.replace(value, **changed) if changed else value
    return value


def _many_rounded(value: list[Any] | tuple[Any, ...]) -> Any:
    """The same of many numbers, or of many rows of them, at once; None if it holds anything else."""
    in_rows = all(type(row) in _ROWS for row in value)
    flat = list(chain.from_iterable(value)) if in_rows else value
    if not _PLAIN.issuperset(kinds := set(map(type, flat)) - {float}):
        return None
    floats = _floats_rounded([one for one in flat if type(one) is float] if kinds else flat)
    if kinds:
        each = iter(floats)
        floats = [next(each) if type(one) is float else one for one in flat]
    if not in_rows:
        return type(value)(floats)
    each = iter(floats)
    return type(value)([type(row)(islice(each, len(row))) for row in value])


def _floats_rounded(values: Sequence[float]) -> list[float]:
    """As printed and read again: a quotient of two whole numbers that floats hold is the float nearest to the decimal.

    What is so near the middle of two decimals that the product decides, or too small or too large, is printed and read.
    """
    import numpy as np  # not for a paper that is checked without results

    x, powers = np.array(values, dtype=np.float64), np.array(_POWERS)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        places = DIGITS - 1 - np.floor(np.log10(np.abs(x)))
        possible = (places >= 0) & (places < powers.size)
        power = powers[np.where(possible, places, 0).astype(np.intp)]
        scaled = x * power
        whole = np.rint(scaled)
        digits = np.abs(whole)
        possible &= (digits >= 10.0 ** (DIGITS - 1)) & (digits < 10.0**DIGITS)
        possible &= np.abs(np.abs(scaled - whole) - 0.5) > _MIDDLE
    found: list[float] = (whole / power).tolist()
    for place in np.flatnonzero(~possible).tolist():
        found[place] = float(f"{values[place]:.{DIGITS}g}")
    return found


def bound(value: float) -> float:
    """Round an upper bound up to two significant digits.

    Examples
    --------
    >>> bound(0.00195114), bound(0.0), bound(0.25)
    (0.002, 0.0, 0.25)
    """
    return float(_BOUND.create_decimal_from_float(value))


def finite(value: float) -> float | None:
    """A number as JSON can hold it: None for infinity and for what is none."""
    return value if math.isfinite(value) else None


def level_key(alpha: float) -> str:
    """Key of a level: "0.05".

    Examples
    --------
    >>> level_key(0.05), level_key(0.001)
    ('0.05', '0.001')
    """
    return f"{alpha:.12g}"
