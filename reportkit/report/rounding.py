"""Rounding of the numbers behind figures to the digits on which all processors agree, more than a reader sees."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

DIGITS = 9
"""Significant digits: processors differ in the last of 17, and after a thousand terms in the last two or three."""


def rounded(value: Any) -> Any:
    """Round every float in numbers, lists, tuples, mappings and dataclasses, nested, to `DIGITS` significant digits.

    Examples
    --------
    >>> rounded({"p_value": 0.1 + 0.2, "n": 3, "curve": (1 / 3, 2e-300 / 3)})
    {'p_value': 0.3, 'n': 3, 'curve': (0.333333333, 6.66666667e-301)}
    """
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, (list, tuple)):
        return type(value)([rounded(one) for one in value])
    if isinstance(value, Mapping):
        return {name: rounded(one) for name, one in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}
        changed = {name: new for name, old in fields.items() if (new := rounded(old)) is not old and new != old}
        return dataclasses.replace(value, **changed) if changed else value
    return value


def finite(value: float | None) -> float | None:
    """Return a number as JSON can hold it: None for infinity and for NaN."""
    return value if value is not None and math.isfinite(value) else None
