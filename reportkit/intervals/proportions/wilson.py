"""Wilson's score interval of one proportion, such as the accuracy of one system."""

from __future__ import annotations

import math

from scipy.special import ndtri

from reportkit.errors import SettingsError
from reportkit.intervals.interval import Interval, check_level


def wilson_interval(right: int, n: int, confidence_level: float = 0.95) -> Interval:
    """Interval for the accuracy of one system that is right on `right` of n instances.

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
    """Wilson's score interval for k of n: the proportions p with |k / n - p| <= z sqrt(p (1 - p) / n).

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
    """Refuse counts that are no `right` of n, and levels outside (0, 1).

    Raises
    ------
    SettingsError
        Says the value.
    """
    if n < 1 or not 0 <= right <= n:
        raise SettingsError(
            f"{right} right of {n} instances is no proportion", remedy="give counts with 0 <= right <= n"
        )
    check_level(confidence_level)
