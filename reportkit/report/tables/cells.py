"""What stands in one cell, and which of several scores is best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reportkit.language.numerals import p_value_text
from reportkit.report.prose import Prose, Text


def text(words: str) -> Prose:
    """Plain words as prose."""
    return (Text(words),) if words else ()


def p_text(p_value: float) -> Prose:
    """Write a p-value for a table: `.036`, `3.9e-10` as a power of ten."""
    written = p_value_text(p_value, precise=True)
    if "e" not in written:
        return text(written)
    mantissa, exponent = written.split("e")
    digits = exponent.replace("-", "⁻").translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return text(f"{mantissa}×10{digits}")


def best_of(values: Sequence[float], higher_is_better: bool) -> list[bool]:
    """Which values are best, all ties, decided on unrounded values (equal to 12 digits)."""
    array = np.array(values if higher_is_better else [-value for value in values])
    return [bool(flag) for flag in array >= array.max() - 1e-12 * max(1.0, float(np.abs(array).max()))]
