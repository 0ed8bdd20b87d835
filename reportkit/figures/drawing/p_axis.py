"""A logarithmic axis of p-values, with a band for those that are too small to be told apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from reportkit.figures.drawing.typography import typography

_DECADES_BELOW = 4
_BAND = 1.0  # decades of paper
_LABEL, _BAND_LABEL = 22.0, 30.0  # from the middle of a label to that of the next

HIGHEST = 1.6
"""Upper end of the axis, a little beyond 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PAxis:
    """Where p-values stand.

    Parameters
    ----------
    lowest : float
        Lower end of the axis.
    floor : float
        Smallest p-value that is drawn at its place; 0 if all are.
    exponent : int
        Decade of the floor, or of the lower end.
    """

    lowest: float
    floor: float
    exponent: int

    def placed(self, p_value: float) -> float:
        """Where a p-value is drawn."""
        return 10.0 ** (self.exponent - _BAND / 2) if p_value < self.floor else p_value

    def ticks_within(self, width: float) -> list[tuple[float, str]]:
        """Places and labels of ticks on an axis that is so many points long; no two labels touch."""
        decade = width / (math.log10(HIGHEST) - math.log10(self.lowest))
        step = next((step for step in (1, 2, 3, 5, 10, 20, 50) if step * decade >= _LABEL * typography().scale), 100)
        powers = list(range(0, self.exponent - 1, -step))
        if not self.floor:
            return [(10.0**power, power_words(power)) for power in powers]
        band = self.exponent - _BAND / 2
        apart = [power for power in powers if (power - band) * decade >= _BAND_LABEL * typography().scale]
        return [(10.0**power, power_words(power)) for power in apart] + [(10.0**band, rf"$<10^{{{self.exponent}}}$")]


def power_words(power: int) -> str:
    """A power of ten as the label of a tick.

    Examples
    --------
    >>> power_words(0), power_words(-2), power_words(-6)
    ('1', '.01', '$10^{-6}$')
    """
    return {0: "1", -1: ".1", -2: ".01", -3: ".001"}.get(power, rf"$10^{{{power}}}$")


def p_axis(p_values: Sequence[float], levels: Sequence[float]) -> PAxis:
    """An axis on which all levels stand, and p-values down to four decades below the smallest of them.

    Examples
    --------
    >>> p_axis([0.02, 0.3], [0.05]).floor, p_axis([1e-300, 0.3], [0.05]).floor
    (0.0, 1e-06)
    """
    exponent = math.floor(math.log10(min(levels))) - _DECADES_BELOW
    if min(p_values) < 10.0**exponent:
        return PAxis(lowest=10.0 ** (exponent - _BAND), floor=10.0**exponent, exponent=exponent)
    exponent = math.floor(math.log10(min(*p_values, *levels)) - 0.15)
    return PAxis(lowest=10.0**exponent, floor=0.0, exponent=exponent)
