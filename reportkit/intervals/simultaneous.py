"""Intervals that hold for all datasets at once."""

from __future__ import annotations

from reportkit.errors import SettingsError
from reportkit.intervals.interval import check_level


def simultaneous_level(confidence_level: float, n_datasets: int) -> float:
    """Level of each of N intervals that all hold at once with confidence C: 1 - (1 - C) / N.

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
