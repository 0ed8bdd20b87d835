"""Numbers as papers print them: plain text, the one place that rounds."""

from __future__ import annotations

import math
from collections.abc import Sequence

FULL_ALPHA_DIGITS = 12
_FURTHER_DECIMALS = 4  # of an end of an interval that would be written as 0


def p_value_text(p_value: float, *, precise: bool = False) -> str:
    """Write a p-value: two significant digits, no zero before the point, never `.000`.

    Parameters
    ----------
    p_value : float
        In (0, 1].
    precise : bool
        Write values below .001 as `3.9e-10` instead of `<.001`.

    Returns
    -------
    str
        `.48`, `.036`, `.0046`, `<.001` (or `3.9e-10`), `>.99`, `1`.

    Raises
    ------
    ValueError
        If the value is not in (0, 1].

    Examples
    --------
    >>> [p_value_text(p) for p in (0.4812, 0.0359, 0.0046, 3.87e-10, 0.9996, 1.0)]
    ['.48', '.036', '.0046', '<.001', '>.99', '1']
    >>> p_value_text(3.87e-10, precise=True)
    '3.9e-10'
    """
    if not 0 < p_value <= 1:
        raise ValueError(f"p_value is {p_value!r}, not in (0, 1]")
    if p_value == 1:
        return "1"
    if p_value >= 0.995:
        return ">.99"
    if p_value >= 0.0995:
        return f"{p_value:.2f}".removeprefix("0")
    if p_value >= 0.00995:
        return f"{p_value:.3f}".removeprefix("0")
    if p_value >= 0.001:
        return f"{p_value:.4f}".removeprefix("0")
    if not precise:
        return "<.001"
    mantissa, exponent = f"{p_value:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def p_value_beside_levels(p_value: float, levels: Sequence[float], *, precise: bool = False) -> str:
    """Write a p-value for a column: its side of each level is seen, with further digits where rounding would hide it.

    Examples
    --------
    >>> p_value_beside_levels(0.0502, (0.05,)), p_value_beside_levels(0.0498, (0.05, 0.01))
    ('.0502', '.050')
    >>> p_value_beside_levels(1.0, (0.05,))
    '1.00'
    """
    written = p_value_text(p_value, precise=precise)
    if written[0] in "<>" or "e" in written:
        return written
    if p_value == 1:
        return "1.00"
    for decimals in range(len(written.partition(".")[2]), FULL_ALPHA_DIGITS):
        if all((float(written) <= level) == (p_value <= level) for level in levels):
            return written
        written = f"{p_value:.{decimals + 1}f}".removeprefix("0")
    return written


def p_value_range_text(low: float, high: float) -> str:
    """Say where a p-value lies, with nothing said twice.

    Parameters
    ----------
    low, high : float
        In (0, 1], low at most high.

    Examples
    --------
    >>> [p_value_range_text(*ends) for ends in ((1e-30, 1e-9), (0.036, 0.036), (1e-30, 0.013), (0.25, 0.47))]
    ['below .001', '.036', 'at most .013', 'between .25 and .47']
    """
    first, last = p_value_text(low), p_value_text(high)
    if first == last:
        return first.replace("<", "below ").replace(">", "above ")
    return f"at most {last}" if first[0] == "<" else f"between {first} and {last}"


def level_text(alpha: float) -> str:
    """Write a level as it was given, without the zero before the point.

    Examples
    --------
    >>> level_text(0.05), level_text(0.0125)
    ('.05', '.0125')
    """
    return f"{alpha:.{FULL_ALPHA_DIGITS}g}".removeprefix("0")


def percent_text(proportion: float) -> str:
    """Write a confidence or level in percent, without decimals that say nothing.

    Examples
    --------
    >>> percent_text(0.95), percent_text(0.975), percent_text(0.99)
    ('95%', '97.5%', '99%')
    """
    return f"{100 * proportion:.6g}%"


_EXACT = 2.0**40
_LAST_BITS = 1e-9


def fixed(value: float, decimals: int) -> str:
    """Write a number with fixed decimals and a true minus sign; never `-0.0`.

    Halves are rounded away from 0, and what is one but for the last bits of a computer's number counts as one: the same
    difference is written alike wherever it was computed.

    Examples
    --------
    >>> fixed(-1.25, 1), fixed(-0.01, 1), fixed(93.06, 1), fixed(100 * (0.6575 - 0.63), 1)
    ('−1.3', '0.0', '93.1', '2.8')
    """
    halves = 2 * value * 10.0**decimals
    if abs(halves) < _EXACT and round(halves) % 2 and abs(halves - round(halves)) < _LAST_BITS * max(1.0, abs(halves)):
        value = (round(halves) + math.copysign(0.5, halves)) / (2 * 10.0**decimals)  # beyond the half
    text = f"{value:.{decimals}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("-", "−")


def signed(value: float, decimals: int) -> str:
    """Write a difference with its sign.

    Examples
    --------
    >>> signed(1.68, 2), signed(-3.42, 2), signed(0.0, 1)
    ('+1.68', '−3.42', '0.0')
    """
    text = fixed(value, decimals)
    return text if text.startswith("−") or float(text) == 0 else f"+{text}"


def interval_end(value: float, decimals: int) -> str:
    """Write an end of an interval of a difference: with more decimals where it would be rounded to 0.

    On which side of 0 an end lies is what it is read for. `0.00` is therefore written only of an end that is 0; one so
    near that further digits say nothing keeps its sign alone.

    Examples
    --------
    >>> interval_end(0.0412, 1), interval_end(-0.0012, 2), interval_end(0.0, 2), interval_end(1e-12, 2)
    ('+0.04', '−0.001', '0.00', '+0.00')
    >>> interval_end(math.inf, 2)
    '∞'
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if value == 0:
        return signed(value, decimals)
    for more in range(_FURTHER_DECIMALS + 1):
        written = signed(value, decimals + more)
        if written[0] in "+−":
            return written
    return ("+" if value > 0 else "−") + signed(0.0, decimals)


def interval_text(low: float, high: float, decimals: int) -> str:
    """Write the interval of a difference in brackets.

    Examples
    --------
    >>> interval_text(0.0412, 3.14, 1)
    '[+0.04, +3.1]'
    """
    return f"[{interval_end(low, decimals)}, {interval_end(high, decimals)}]"


def decimals_for(standard_error: float, *, most: int = 4) -> int:
    """Fewest decimals whose last digit is not coarser than the standard error; 1 for percentages of usual size.

    Examples
    --------
    >>> decimals_for(1.7), decimals_for(0.4), decimals_for(0.012), decimals_for(0.0)
    (1, 1, 2, 4)
    """
    if standard_error <= 0 or not math.isfinite(standard_error):
        return most
    return min(most, max(1, -math.floor(math.log10(standard_error))))
