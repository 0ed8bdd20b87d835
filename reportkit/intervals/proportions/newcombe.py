"""Newcombe's hybrid score interval for the difference of two independent proportions."""

from __future__ import annotations

import math

from scipy.special import ndtri

from reportkit.intervals.interval import Interval
from reportkit.intervals.proportions.wilson import wilson
from reportkit.scores.shapes.sample import RightOf


def newcombe_interval(right: RightOf, confidence_level: float = 0.95) -> Interval:
    """Interval for the difference of two proportions from Wilson's score intervals of each.

    With Wilson intervals (l_a, u_a) and (l_b, u_b) and d = a / n_a - b / n_b, the ends are

        d - sqrt((a / n_a - l_a)^2 + (u_b - b / n_b)^2)  and  d + sqrt((u_a - a / n_a)^2 + (b / n_b - l_b)^2).

    Parameters
    ----------
    right : RightOf
        a of n_a and b of n_b.
    confidence_level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Interval
        Within [-1, 1], and never of width 0.

    Notes
    -----
    Assumes that the two samples are independent. Newcombe (1998), "Interval estimation for the difference between
    independent proportions: comparison of eleven methods", method 10.

    Examples
    --------
    The two systems of Sadat Azer et al. (2020), Example 2, on ARC-easy; the paper prints a 90% interval as a 95% one.

    >>> interval = newcombe_interval(RightOf(1721, 2376, 1637, 2376))
    >>> round(interval.low, 5), round(interval.high, 5)
    (0.00946, 0.06118)
    """
    z = float(ndtri(0.5 + confidence_level / 2))
    p_a, p_b = right.a / right.n_a, right.b / right.n_b
    low_a, high_a = wilson(right.a, right.n_a, z)
    low_b, high_b = wilson(right.b, right.n_b, z)
    difference = (right.a * right.n_b - right.b * right.n_a) / (right.n_a * right.n_b)
    return Interval(
        low=max(-1.0, difference - math.hypot(p_a - low_a, high_b - p_b)),
        high=min(1.0, difference + math.hypot(high_a - p_a, p_b - low_b)),
        level=confidence_level,
        title="Newcombe score interval",
        citation="newcombe1998interval",
    )


def newcombe_error(right: RightOf) -> float | None:
    """Standard error of the difference of two independent proportions; None if each is 0 or 1.

    Examples
    --------
    >>> round(newcombe_error(RightOf(1721, 2376, 1637, 2376)), 6)
    0.0132
    """
    p_a, p_b = right.a / right.n_a, right.b / right.n_b
    return math.sqrt(p_a * (1 - p_a) / right.n_a + p_b * (1 - p_b) / right.n_b) or None
