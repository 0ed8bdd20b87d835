"""Numbers as they are printed, read back: for programs, and for sorting the rows of a table."""

from __future__ import annotations

import math
import re

_SIGN = "[+−-]"
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+"
_POWER = r"×10(?P<exponent>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
_NUMBER = re.compile(rf"(?P<mantissa>{_SIGN}?(?:{_DIGITS}))(?:{_POWER})?", re.ASCII)
_LEADING = re.compile(rf"[(\[]?(?P<relation>[<≤>≥≈]?)[ ]?(?P<number>{_NUMBER.pattern})(?![\w.])")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")


def printed_number(text: str) -> str | None:
    """Write a printed number as programs read it; None if the text is anything else.

    Parameters
    ----------
    text : str
        What stands in a cell, without marks.

    Returns
    -------
    str or None
        With ASCII signs, without separators of thousands, with all its decimals; `<.001` is no number but a bound.

    Examples
    --------
    >>> printed_number("−1,024.50"), printed_number(".036"), printed_number("3.9×10⁻¹⁰"), printed_number("<.001")
    ('-1024.50', '.036', '3.9e-10', None)
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    mantissa = match["mantissa"].replace("−", "-").replace(",", "")
    exponent = match["exponent"]
    return mantissa if exponent is None else f"{mantissa}e{exponent.translate(_LOWERED)}"


def number_value(text: str) -> float | None:
    """Value of a printed number; None if the text is anything else, or too large for a float.

    Examples
    --------
    >>> number_value("93.1"), number_value("–"), number_value("93.1 [92.6, 93.5]")
    (93.1, None, None)
    """
    written = printed_number(text)
    value = None if written is None else float(written)
    return value if value is not None and math.isfinite(value) else None


def sort_value(text: str) -> float | None:
    """Value by which a cell is sorted: the number that it begins with; None where there is none.

    Bounds stand beside their value: `<.001` below .001, and above everything smaller.

    Examples
    --------
    >>> sort_value("93.1 [92.6, 93.5]"), sort_value("[+0.4, +3.1]"), sort_value("84.2%"), sort_value("–")
    (93.1, 0.4, 84.2, None)
    >>> 0.0009 < sort_value("<.001") < 0.001
    True
    """
    match = _LEADING.match(text)
    value = None if match is None else number_value(match["number"])
    if match is None or value is None:
        return None
    if match["relation"] == "<":
        return math.nextafter(value, -math.inf)
    return math.nextafter(value, math.inf) if match["relation"] == ">" else value
