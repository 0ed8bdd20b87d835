"""Intervals and margins of one proportion and of two independent ones."""

from __future__ import annotations

import math

from scipy.special import betaincinv, ndtr, ndtri

from reportkit.errors import SettingsError
from reportkit.scores.sample import RightOf
from reportkit.significance.interval import MarginTest, check_level
from reportkit.significance.nulls import SMALLEST_P_VALUE
from reportkit.significance.outcome import Interval


def wilson_interval(right: int, n: int, confidence_level: float = 0.95) -> Interval:
    """Return the interval for the accuracy of one system that is right on `right` of n instances.

    It holds every accuracy p that a score test does not reject, |right / n - p| <= z sqrt(p (1 - p) / n). Its coverage
    is near the level on average over p, at single p below or above it.

    Parameters
    ----------
    right : int
        Instances that the system gets right, from 0 to n.
    n : int
        All instances, at least 1.
    confidence_level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Interval
        Within [0, 1], for one proportion: there is nothing to swap.

    Raises
    ------
    SettingsError
        If the counts are impossible, or the level is not in (0, 1).

    See Also
    --------
    clopper_pearson_interval : guarantees the level for every p, and is wider.

    Notes
    -----
    Assumes independent instances. Says nothing about a difference: two overlapping intervals do not make a test.
    Wilson (1927), "Probable inference, the law of succession, and statistical inference"; recommended by Brown, Cai
    and DasGupta (2001).

    Examples
    --------
    >>> interval = wilson_interval(1721, 2376)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.706, 0.7419)
    """
    check_proportion(right, n, confidence_level)
    low, high = wilson(right, n, float(ndtri(0.5 + confidence_level / 2)))
    return Interval(
        low=low, high=high, level=confidence_level, title="Wilson score interval", citation="wilson1927probable"
    )


def wilson(k: float, n: int, z: float) -> tuple[float, float]:
    """Return Wilson's score interval for k of n: the proportions p with |k / n - p| <= z sqrt(p (1 - p) / n).

    Examples
    --------
    >>> low, high = wilson(0, 10, 1.96)
    >>> low, round(high, 4)
    (0.0, 0.2775)
    """
    centre = (k + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * math.sqrt(k * (n - k) / n + z * z / 4)
    return (0.0 if k == 0 else centre - half), (1.0 if k == n else centre + half)


def check_proportion(right: int, n: int, confidence_level: float) -> None:
    """Refuse counts that are not between 0 and n, and levels outside (0, 1).

    Raises
    ------
    SettingsError
        Says the value.
    """
    if n < 1 or not 0 <= right <= n:
        raise SettingsError(
            f"{right} right of {n} instances is not a proportion", remedy="give counts with 0 <= right <= n"
        )
    check_level(confidence_level)


def clopper_pearson_interval(right: int, n: int, confidence_level: float = 0.95) -> Interval:
    """Return the exact interval for the accuracy of one system that is right on `right` of n instances.

    It holds every accuracy that neither of two binomial tests, one for each side at (1 - level) / 2, rejects: its
    coverage is at least the level for every n and every accuracy, and mostly above it.

    Parameters
    ----------
    right : int
        Instances that the system gets right, from 0 to n.
    n : int
        All instances, at least 1.
    confidence_level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Interval
        Within [0, 1], for one proportion: there is nothing to swap.

    Raises
    ------
    SettingsError
        If the counts are impossible, or the level is not in (0, 1).

    See Also
    --------
    wilson_interval : shorter, keeps its level on average only.

    Notes
    -----
    Assumes independent instances. Clopper and Pearson (1934), "The use of confidence or fiducial limits illustrated in
    the case of the binomial".

    Examples
    --------
    >>> interval = clopper_pearson_interval(0, 10)
    >>> interval.low, round(interval.high, 4)
    (0.0, 0.3085)
    """
    check_proportion(right, n, confidence_level)
    outside = (1 - confidence_level) / 2
    return Interval(
        low=0.0 if right == 0 else float(betaincinv(right, n - right + 1, outside)),
        high=1.0 if right == n else float(betaincinv(right + 1, n - right, 1 - outside)),
        level=confidence_level,
        title="Clopper-Pearson interval",
        citation="clopper1934confidence",
    )


def newcombe_interval(right: RightOf, confidence_level: float = 0.95) -> Interval:
    """Return the interval for the difference of two proportions from Wilson's score intervals of each.

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
    """Return the standard error of the difference of two independent proportions; None if each is 0 or 1.

    Examples
    --------
    >>> round(newcombe_error(RightOf(1721, 2376, 1637, 2376)), 6)
    0.0132
    """
    p_a, p_b = right.a / right.n_a, right.b / right.n_b
    return math.sqrt(p_a * (1 - p_a) / right.n_a + p_b * (1 - p_b) / right.n_b) or None


def independent_margin(right: RightOf, margin: float) -> MarginTest:
    """Score test of a difference of two independent proportions against a margin.

    Parameters
    ----------
    right : RightOf
        Right answers and instances of A and of B.
    margin : float
        As a proportion: .01 is one percentage point.

    Returns
    -------
    MarginTest
        B against A at the negative margin is exactly the same, turned round.

    Raises
    ------
    SettingsError
        If the margin is impossible.

    Notes
    -----
    Null hypotheses: difference <= margin, and >= margin. The variance is that of the most likely proportions whose
    difference is the margin. Assumes independent instances and samples; asymptotic. Farrington and Manning (1990),
    "Test statistics and sample size formulae for comparative binomial trials with null hypothesis of non-zero risk
    difference or non-unity relative risk". At margin 0 it is the two-proportion z-test with pooled variance. (The
    constrained proportions of statsmodels 0.14 have a smaller likelihood.)

    Examples
    --------
    >>> test = independent_margin(RightOf(1721, 2376, 1637, 2376), 0.01)
    >>> round(test.statistic, 4), round(test.p_greater, 4)
    (1.9197, 0.0274)
    """
    if not -1 < margin < 1:
        raise SettingsError(
            f"a margin of {margin!r} is no difference of two proportions",
            remedy="give it as a proportion: 0.01 for one percentage point",
        )
    estimate = right.a / right.n_a - right.b / right.n_b
    first, second = _most_likely(right, margin)
    variance = first * (1 - first) / right.n_a + second * (1 - second) / right.n_b
    excess = estimate - margin
    z = excess / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, excess) if excess else 0.0
    return MarginTest(
        margin=margin,
        estimate=estimate,
        statistic=z,
        p_greater=max(float(ndtr(-z)), SMALLEST_P_VALUE),
        p_less=max(float(ndtr(z)), SMALLEST_P_VALUE),
        title="score test of two independent proportions",
        citation="farrington1990test",
    )


def _most_likely(right: RightOf, margin: float) -> tuple[float, float]:
    """Return the proportions of A and B with the largest likelihood among those whose difference is the margin.

    The root of a cubic in the proportion of B: Farrington and Manning (1990), appendix I.
    """
    n = right.n_a + right.n_b
    second = ((right.n_a + 2 * right.n_b) * margin - n - right.a - right.b) / n
    first = ((right.n_b * margin - n - 2 * right.b) * margin + right.a + right.b) / n
    constant = right.b * margin * (1 - margin) / n
    third = second / 3
    v = third**3 - second * first / 6 + constant / 2
    u = math.copysign(math.sqrt(max(third * third - first / 3, 0.0)), v)
    angle = (math.pi + math.acos(min(1.0, max(-1.0, v / u**3)))) / 3 if u else math.pi / 3
    of_b = min(max(2 * u * math.cos(angle) - third, max(0.0, -margin)), min(1.0, 1.0 - margin))
    return of_b + margin, of_b
