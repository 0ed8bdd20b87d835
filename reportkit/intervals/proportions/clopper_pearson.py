"""The exact interval of one proportion, such as the accuracy of one system."""

from __future__ import annotations

from scipy.special import betaincinv

from reportkit.intervals.interval import Interval
from reportkit.intervals.proportions.wilson import check_proportion


def clopper_pearson_interval(right: int, n: int, confidence_level: float = 0.95) -> Interval:
    """Exact interval for the accuracy of one system that is right on `right` of n instances.

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
