"""Intervals that hold for all datasets at once."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.errors import SettingsError
from reportkit.intervals.choose_interval import interval_for
from reportkit.intervals.interval import Interval
from reportkit.results.sample import Sample


def simultaneous_level(level: float, n_datasets: int) -> float:
    """Level of each of N intervals that all hold at once with confidence `level`: 1 - (1 - level) / N.

    Parameters
    ----------
    level : float
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
    if not 0 < level < 1:
        raise SettingsError(f"the confidence level is {level!r}", remedy="give a level strictly between 0 and 1")
    if n_datasets < 1:
        raise SettingsError(f"n_datasets is {n_datasets!r}", remedy="give the number of intervals, at least 1")
    return 1 - (1 - level) / n_datasets


def simultaneous_intervals(samples: Sequence[Sample], level: float = 0.95, *, seed: int = 0) -> list[Interval | None]:
    """Interval of the difference on each dataset, all of which hold at once with confidence `level`.

    Parameters
    ----------
    samples : sequence of Sample
        A and B on each dataset of the family.
    level : float
        Joint confidence, in (0, 1).
    seed : int
        Of random resamples, where an interval needs them.

    Returns
    -------
    list of (Interval or None)
        As `interval_for` gives them at `simultaneous_level`; datasets without information on the variance (None) count
        in the family too.

    Examples
    --------
    >>> import numpy as np
    >>> from reportkit.results.pairing import PairedScores
    >>> right = PairedScores(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                      a=np.ones(50), b=np.repeat([1.0, 0.0], [45, 5]))
    >>> round(simultaneous_intervals([right, right])[0].low, 4), round(interval_for(right).low, 4)
    (-0.0004, 0.0215)
    """
    if not samples:
        return []
    each = simultaneous_level(level, len(samples))
    return [interval_for(sample, each, seed=seed) for sample in samples]
