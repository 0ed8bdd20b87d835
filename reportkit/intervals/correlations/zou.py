"""Zou's interval for the difference of two correlations with the same gold score, from intervals of each."""

from __future__ import annotations

import math

from scipy.special import ndtri

from reportkit.errors import DesignError
from reportkit.intervals.interval import Interval
from reportkit.metrics.correlation.coefficients import TITLES
from reportkit.scores.shapes.predictions import PairedPredictions

_FEWEST = 4


def zou_limits(
    r_a: float, r_b: float, r_ab: float, n: int, level: float = 0.95, *, rank: bool = False
) -> tuple[float, float]:
    """Limits of the difference r_a - r_b of two correlations that share one variable.

    Parameters
    ----------
    r_a, r_b : float
        Correlations of A and of B with the gold score, in (-1, 1).
    r_ab : float
        Correlation of A with B, in [-1, 1].
    n : int
        Number of instances, at least 4.
    level : float
        Confidence level, in (0, 1).
    rank : bool
        Whether these are Spearman correlations, whose Fisher z has the variance (1 + r^2 / 2) / (n - 3).

    Returns
    -------
    tuple of float
        Lower and upper limit.

    Notes
    -----
    With l and u the limits of each correlation by Fisher's z, and c the correlation of the two estimates,

        L = r_a - r_b - sqrt((r_a - l_a)^2 + (u_b - r_b)^2 - 2 c (r_a - l_a) (u_b - r_b)),

    and U likewise. Zou (2007), section on overlapping correlations; the variance for Spearman correlations is that of
    Bonett and Wright (2000).

    Examples
    --------
    >>> low, high = zou_limits(0.396, 0.179, 0.088, 66)
    >>> round(low, 3), round(high, 3)
    (-0.093, 0.517)
    """
    low_a, high_a = _fisher_limits(r_a, n, level, rank)
    low_b, high_b = _fisher_limits(r_b, n, level, rank)
    squares = r_a * r_a + r_b * r_b
    numerator = (r_ab - 0.5 * r_a * r_b) * (1 - squares - r_ab * r_ab) + r_ab**3
    c = min(1.0, max(-1.0, numerator / ((1 - r_a * r_a) * (1 - r_b * r_b))))
    return (
        r_a - r_b - _distance(r_a - low_a, high_b - r_b, c),
        r_a - r_b + _distance(high_a - r_a, r_b - low_b, c),
    )


def zou_interval(sample: PairedPredictions, level: float = 0.95) -> Interval | None:
    """Zou's interval for the difference of two Pearson or Spearman correlations; clusters are ignored.

    Parameters
    ----------
    sample : PairedPredictions
        A and B on one dataset.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Interval or None
        None if there are fewer than four instances, or if a correlation with the gold score is 1 or -1.

    Raises
    ------
    DesignError
        For Kendall's tau, for which the interval is not derived.

    Notes
    -----
    Assumes independent instances, and jointly normal values for Pearson correlations: for lognormal or heavy-tailed
    ones the size of the corresponding test at .05 was .24 to .50 in simulations. Zou (2007), "Toward using confidence
    intervals to compare correlations".

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> gold = rng.normal(size=50)
    >>> sample = PairedPredictions(
    ...     system_a="a", system_b="b", dataset="pairs", metric="pearson", kind="continuous", coefficient="pearson",
    ...     a=gold + rng.normal(size=50), b=gold + 2 * rng.normal(size=50), gold=gold)
    >>> interval = zou_interval(sample)
    >>> interval.title, round(interval.low, 3), round(interval.high, 3)
    ('Zou interval', 0.142, 0.698)
    """
    if sample.coefficient == "kendall":
        raise DesignError(
            f"Zou's interval is not derived for the {TITLES['kendall']}",
            where=sample.label,
            remedy="take the jackknife t interval, which needs no distribution",
        )
    r_a, r_b = sample.value_a, sample.value_b
    if sample.n < _FEWEST or max(abs(r_a), abs(r_b)) >= 1:
        return None
    rank = sample.coefficient == "spearman"
    low, high = zou_limits(r_a, r_b, sample.between, sample.n, level, rank=rank)
    return Interval(
        low=low,
        high=high,
        level=level,
        title="Zou interval" + (" with the Bonett–Wright variance" if rank else ""),
        citation="zou2007toward",
    )


def _fisher_limits(r: float, n: int, level: float, rank: bool) -> tuple[float, float]:
    variance = (1 + r * r / 2) / (n - 3) if rank else 1 / (n - 3)
    half = float(ndtri(0.5 + level / 2)) * math.sqrt(variance)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def _distance(one: float, other: float, c: float) -> float:
    return math.sqrt(max(0.0, one * one + other * other - 2 * c * one * other))
