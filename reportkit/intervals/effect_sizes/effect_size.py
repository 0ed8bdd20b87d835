"""How large a difference is on a scale of its own: an estimate with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

from reportkit.intervals.interval import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectSize:
    """An effect size of A against B.

    Parameters
    ----------
    name : str
        In prose, such as "relative difference".
    estimate : float
        Observed value; inf where a ratio has nothing below the line.
    no_effect : float
        Value that stands for two equally good systems: 0 for a difference, 1/2 for a probability, 1 for a ratio.
        Larger values speak for A.
    interval : Interval or None
        None if the data hold no information on the variance. How B against A reads depends on the effect size
        (the negative, the complement, the inverse): compute it anew instead of calling `interval.swapped()`.

    Raises
    ------
    ValueError
        If the estimate is NaN.
    """

    name: str
    estimate: float
    no_effect: float
    interval: Interval | None

    def __post_init__(self) -> None:
        if math.isnan(self.estimate):
            raise ValueError(f"{self.name}: the estimate is NaN")
