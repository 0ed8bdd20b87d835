"""Which p-values a printed one was rounded from."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

from reportkit.errors import ScoreValueError
from reportkit.scores.codes import quoted

SMALLEST = sys.float_info.min
"""Lower end of a cell that reaches down to 0, which no p-value is."""

NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_P_VALUE = re.compile(rf"\s*(?P<sign>[<>=]|<=|>=|≤|≥)?\s*(?P<number>{NUMBER})\s*")
_MOST_DIGITS = 300
"""Digits, and powers of ten, that a floating-point number can hold."""

P_VALUE_REMEDY = "write it as printed: 0.0376, 2.1e-05, 0.0 or <.001; for 5% write 0.05, and for n.s. the number itself"


def p_value_cell(text: str, column_texts: Iterable[str] = ()) -> tuple[float, float, float]:
    """All p-values that would have been printed like this: lowest, the one to use, highest.

    A printed 0 stands for the upper end of its cell, and so does "<1e-4": a p-value is never 0, and the upper end never
    claims too much. A bare "0" or "0.0" shows no resolution of its own; that of its column is taken: in a column with
    0.0001 it was rounded from at most 0.00005. Where no number that is written out shows
    more decimals than the 0, the coarsest number in scientific notation says it: four decimals with 1e-4 and 2.1e-5.

    Parameters
    ----------
    text : str
        As printed: "0.0376", "2.1e-05", "0.0", "<.001", ">.99".
    column_texts : iterable of str
        The whole column, for the resolution of a bare 0.

    Returns
    -------
    tuple of float
        (low, value, high), in (0, 1]; low is 2.2e-308 where the cell reaches down to 0.

    Raises
    ------
    ScoreValueError
        If it is not a number between 0 and 1.

    Examples
    --------
    >>> p_value_cell("0.0376")
    (0.03755, 0.0376, 0.03765)
    >>> p_value_cell("0.0", ["0.0", "0.0001", "0.2123"])[1:]
    (5e-05, 5e-05)
    >>> p_value_cell("<1e-4")[1:]
    (0.0001, 0.0001)
    """
    parsed = parsed_p_value(text)
    if parsed is None:
        raise ScoreValueError(f"{quoted(text)} is not a p-value", remedy=P_VALUE_REMEDY)
    sign, number, value = parsed
    if sign in ("<", "<=", "≤"):
        return SMALLEST, value, value
    if sign in (">", ">=", "≥"):
        return max(value, SMALLEST), 1.0, 1.0
    half_exponent = _last_place(number)
    if value == 0 and "e" not in number.casefold() and half_exponent >= -1:
        plain, scientific = _last_places(column_texts)
        finest = min(plain, default=0)
        half_exponent = min(half_exponent, finest if finest < -1 else max(scientific, default=0))
    half = min(1.0, float(f"5e{half_exponent - 1}"))
    if value == 0:
        return SMALLEST, half, half
    low, high = _shifted(number, half_exponent, -5), _shifted(number, half_exponent, 5)
    return max(low, SMALLEST), value, min(high, 1.0)


def parsed_p_value(text: str) -> tuple[str, str, float] | None:
    """Sign, digits and value of a p-value between 0 and 1, else None."""
    match = _P_VALUE.fullmatch(text.replace("−", "-"))  # a minus as typesetters write it
    if match is None:
        return None
    sign, number = match["sign"] or "", match["number"]
    mantissa, _, exponent = number.casefold().partition("e")
    if len(mantissa) > _MOST_DIGITS or len(exponent) > len("-300") or abs(int(exponent or 0)) > _MOST_DIGITS:
        return None
    value = float(number)
    bounded = sign in ("<", "<=", "≤")
    if not 0 <= value <= 1 or (bounded and value == 0) or number.startswith("-"):
        return None
    if value == 0 and not re.fullmatch(r"[+]?[0.]+(?:[eE][+-]?[0-9]+)?", number):
        return None  # 1e-400: too small for a float
    return sign, number.removeprefix("+"), value


def _last_place(number: str) -> int:
    """Exponent of the last printed digit: -4 for 0.0376, -6 for 2.1e-05.

    >>> [_last_place(number) for number in ("0.0376", "2.1e-05", "0", "0.0")]
    [-4, -6, 0, -1]
    """
    mantissa, _, exponent = number.casefold().partition("e")
    return int(exponent or 0) - len(mantissa.partition(".")[2])


def _shifted(number: str, last_place: int, half_units: int) -> float:
    """The number plus so many tenths of a unit of its last place, without the noise of binary fractions."""
    mantissa = number.casefold().partition("e")[0]
    units = int(mantissa.replace(".", "") or 0)
    return float(f"{units * 10 + half_units}e{last_place - 1}")


def _last_places(texts: Iterable[str]) -> tuple[list[int], list[int]]:
    """Exponents of the last digits of numbers above 0 that are written out, and of those in scientific notation."""
    found: tuple[list[int], list[int]] = [], []
    for text in texts:
        parsed = parsed_p_value(text)
        if parsed is not None and parsed[0] in ("", "=") and parsed[2] > 0:
            found["e" in parsed[1].casefold()].append(_last_place(parsed[1]))
    return found
