"""Intervals at the level of a decision, and at that of several intervals together."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from scipy.special import ndtri

from reportkit.errors import SettingsError
from reportkit.significance.assess import agreeing
from reportkit.significance.interval import check_level
from reportkit.significance.outcome import Interval

NEAREST_TO_CERTAIN = 1 - 1e-12
"""The largest level that an interval is computed for: rounding would make larger ones 1."""


def level_of_decision(p_value: float, adjusted_p_value: float, alpha: float) -> float:
    """Return the level of a hypothesis by itself: it is rejected exactly where its adjusted p-value is at most alpha.

    Parameters
    ----------
    p_value, adjusted_p_value : float
        One-sided; the second is not smaller.
    alpha : float
        Alpha of the whole family.

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
    """Return the interval whose lower end belongs to the decision for A, and whose upper end to that for B.

    Parameters
    ----------
    at_level : callable
        Confidence level -> two-sided interval that never contradicts the test; None where the data cannot bound the
        difference at that level, and the usual interval, widened, is then inside.
    usual : Interval or None
        At the usual level; None where no interval belongs to the test; None is then returned.
    estimate : float
        Estimate of the difference that the intervals are for.
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


WIDENED = "widened by the normal approximation"  # ends the title of an interval that the data could not bound


def widened(interval: Interval, estimate: float, confidence_level: float) -> Interval:
    """Return the interval at another level by the normal approximation: each half in proportion to the quantile.

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


def simultaneous_level(confidence_level: float, n_datasets: int) -> float:
    """Return the level of each of N intervals that all hold at once with confidence C: 1 - (1 - C) / N.

    Parameters
    ----------
    confidence_level : float
        Joint confidence, in (0, 1).
    n_datasets : int
        Number of intervals, at least 1: the whole family, shown or not.

    Raises
    ------
    SettingsError
        If a number makes no sense.

    Notes
    -----
    Bonferroni's inequality; holds whatever the dependence between datasets. Dunn (1961), "Multiple comparisons among
    means".

    Examples
    --------
    >>> round(simultaneous_level(0.95, 10), 6)
    0.995
    """
    check_level(confidence_level)
    if n_datasets < 1:
        raise SettingsError(f"n_datasets is {n_datasets!r}", remedy="give the number of intervals, at least 1")
    return 1 - (1 - confidence_level) / n_datasets
