"""The interval that belongs to a decision: at the level at which the correction tests a dataset."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from scipy.special import ndtri

from reportkit.intervals.interval import Interval, agreeing

NEAREST_TO_CERTAIN = 1 - 1e-12
"""The largest level that an interval is computed for: rounding would make larger ones 1."""


def level_of_decision(p_value: float, adjusted_p_value: float, alpha: float) -> float:
    """Level at which a hypothesis is tested by itself: rejected exactly where its adjusted p-value is at most alpha.

    Parameters
    ----------
    p_value, adjusted_p_value : float
        One-sided; the second is not smaller.
    alpha : float
        Of the whole family.

    Returns
    -------
    float
        alpha times the ratio of the two. It is at most alpha, so that a bound at this level holds, by itself, with a
        confidence of at least 1 - alpha; that the bounds of all rejected hypotheses lie on the right side of 0 holds
        for all of them together, as the correction does.

    Examples
    --------
    Of four datasets, the smallest p-value is tested at a fourth of the level.

    >>> round(level_of_decision(0.01, 0.04, 0.05), 6)
    0.0125
    """
    return alpha * min(1.0, p_value / adjusted_p_value)


def decision_interval(
    at_level: Callable[[float], Interval | None],
    usual: Interval | None,
    estimate: float,
    p_values: tuple[float, float],
    levels: tuple[float, float],
    limit: float = math.inf,
) -> Interval | None:
    """Interval whose lower end belongs to the decision for A, and whose upper end to that for B.

    Parameters
    ----------
    at_level : callable
        Confidence level -> two-sided interval that never contradicts the test; None where the data cannot bound the
        difference at that level, and the usual interval, widened, then stands in.
    usual : Interval or None
        At the usual level; None where no interval belongs to the test, and then there is none here.
    estimate : float
        Of what the intervals are for.
    p_values : (float, float)
        One-sided, for A and for B.
    levels : (float, float)
        One-sided, of the decisions for A and for B.
    limit : float
        Largest possible size of a difference.

    Returns
    -------
    Interval or None
        Its lower end is above 0 exactly where the p-value for A is at most its level, and its upper end below 0 exactly
        where that for B is. Its own level is that of the lower end.
    """
    if usual is None:
        return None
    ends: dict[float, Interval] = {}
    for level in levels:
        if level not in ends:
            wanted = min(1 - 2 * level, NEAREST_TO_CERTAIN)
            ends[level] = at_level(wanted) or agreeing(
                widened(usual, estimate, wanted).within(limit), estimate, *p_values, matched=False
            )
    lower, upper = (ends[level] for level in levels)
    return replace(lower, high=max(lower.low, upper.high))


WIDENED = "widened by the normal approximation"
"""Ends the title of an interval that the data could not bound at its level."""


def widened(interval: Interval, estimate: float, confidence_level: float) -> Interval:
    """An interval at another level by the normal approximation: each half in proportion to the quantile.

    Examples
    --------
    >>> interval = Interval(low=0.1, high=0.3, level=0.95, title="interval", citation="")
    >>> found = widened(interval, 0.2, 0.99)
    >>> round(found.low, 4), round(found.high, 4)
    (0.0686, 0.3314)
    """
    ratio = float(ndtri((1 - confidence_level) / 2) / ndtri((1 - interval.level) / 2))
    low, high = (estimate + ratio * (end - estimate) for end in (interval.low, interval.high))
    return replace(interval, low=low, high=high, level=confidence_level, title=f"{interval.title}, {WIDENED}")
