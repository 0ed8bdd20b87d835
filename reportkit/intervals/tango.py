"""Tango's score interval for the difference between two paired proportions."""

from __future__ import annotations

import math

from scipy.special import ndtri

from reportkit.errors import SettingsError
from reportkit.intervals.interval import Interval

_BISECTIONS = 100


def tango_interval(wins: int, losses: int, n: int, level: float = 0.95) -> Interval:
    """Interval for P(only A is right) - P(only B is right), from paired counts.

    It holds every difference that a score test at this level does not reject; at difference 0 that test is McNemar's
    without continuity correction. It keeps its level in small samples and for proportions near 0 and 1, and says
    something even where no instance shows a difference.

    Parameters
    ----------
    wins, losses : int
        Instances on which only A, and only B, is right.
    n : int
        All instances.
    level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Interval
        Within [-1, 1].

    Raises
    ------
    SettingsError
        If the counts are negative, or more wins and losses than instances.

    Notes
    -----
    Assumes independent instances. Tango (1998), "Equivalence test and confidence interval for the difference in
    proportions for the paired-sample design", Statistics in Medicine 17, equations 3 and 6.

    Examples
    --------
    >>> interval = tango_interval(wins=5, losses=0, n=50)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0215, 0.2136)
    """
    if min(wins, losses) < 0 or n < 1 or wins + losses > n:
        raise SettingsError(
            f"{wins} wins and {losses} losses among {n} instances are no counts",
            remedy="give counts with wins + losses <= n",
        )
    critical = float(ndtri(0.5 + level / 2)) if 0 < level < 1 else math.nan  # Interval refuses such a level
    return Interval(
        low=-_upper_end(losses, wins, n, critical),
        high=_upper_end(wins, losses, n, critical),
        level=level,
        title="Tango score interval",
        citation="tango1998equivalence",
    )


def _upper_end(wins: int, losses: int, n: int, critical: float) -> float:
    """Largest difference that the score test does not reject, by bisection between the estimate and 1."""
    inside, outside = (wins - losses) / n, 1.0
    for _ in range(_BISECTIONS):
        middle = 0.5 * (inside + outside)
        if not inside < middle < outside:
            break
        if _is_rejected(middle, wins, losses, n, critical):
            outside = middle
        else:
            inside = middle
    return outside


def _is_rejected(difference: float, wins: int, losses: int, n: int, critical: float) -> bool:
    """Whether |z(difference)| exceeds the critical value."""
    excess = wins - losses - n * difference
    return excess**2 > critical * critical * _restricted_variance(difference, wins, losses, n)


def tango_z(difference: float, wins: int, losses: int, n: int) -> float:
    """Score statistic z of the null hypothesis that the difference of two paired proportions is `difference`.

    Parameters
    ----------
    difference : float
        Strictly between -1 and 1.
    wins, losses, n : int
        As for `tango_interval`.

    Returns
    -------
    float
        Near standard normal under the null hypothesis; at 0 it is McNemar's z, and 0 where no instance differs.

    Notes
    -----
    Tango (1998), equation 3.

    Examples
    --------
    >>> round(tango_z(0.0, 30, 14, 100), 4), round(16 / 44**0.5, 4)
    (2.4121, 2.4121)
    """
    variance = _restricted_variance(difference, wins, losses, n)
    return (wins - losses - n * difference) / math.sqrt(variance) if variance > 0 else 0.0


def _restricted_variance(difference: float, wins: int, losses: int, n: int) -> float:
    """Variance of wins - losses at this difference, with the nuisance parameter at its restricted maximum."""
    linear = -wins - losses + (2 * n - wins + losses) * difference
    constant = -losses * difference * (1 - difference)
    root = math.sqrt(max(linear * linear - 8 * n * constant, 0.0))
    # the larger root of 2 n q^2 + linear q + constant, without cancellation
    q = (root - linear) / (4 * n) if linear <= 0 else -2 * constant / (root + linear)
    return n * (2 * q + difference * (1 - difference))
