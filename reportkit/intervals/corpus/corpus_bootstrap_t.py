"""The bootstrap-t interval of the difference of a corpus metric, studentised by the jackknife: for few instances."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reportkit.intervals.corpus.bca import N_RESAMPLES
from reportkit.intervals.corpus_units import seed_key, unit_counts
from reportkit.intervals.interval import Interval
from reportkit.intervals.jackknife import jackknife, jackknife_t_interval
from reportkit.null_distributions.random.metric_resamples import drawn_counts
from reportkit.scores.shapes.paired_statistics import PairedStatistics

Floats = NDArray[np.float64]

FEWEST_RESAMPLES = 200
"""With fewer resamples that have a standard error, the jackknife t interval is given."""

_CELLS = 1 << 16
_ROWS = 1 << 10


def corpus_bootstrap_t_interval(
    paired: PairedStatistics, confidence_level: float = 0.95, seed: int = 0
) -> Interval | None:
    """Bootstrap-t interval: (d - t*_hi se, d - t*_lo se), where t* = (d* - d) / se*, and se* is a jackknife's.

    Parameters
    ----------
    paired : PairedStatistics
        A and B on one dataset, of few instances: each resample costs n evaluations of the metric.
    confidence_level : float
        Confidence level, in (0, 1).
    seed : int
        Of the resamples.

    Returns
    -------
    Interval or None
        The jackknife t interval where hardly a resample has a standard error; None if the data have none either.

    Notes
    -----
    Efron and Tibshirani (1993), "An Introduction to the Bootstrap", section 12.5.

    Examples
    --------
    >>> from reportkit.metrics.corpus.f_measures import F1
    >>> rng = np.random.default_rng(0)
    >>> b = rng.integers(0, 9, size=(30, 3)).astype(float)
    >>> a = b + rng.integers(0, 2, size=(30, 3)) * [1, 0, 0]
    >>> paired = PairedStatistics(system_a="a", system_b="b", dataset="cb", metric="F1", kind="continuous",
    ...                           a=a, b=b, measure=F1)
    >>> interval = corpus_bootstrap_t_interval(paired)
    >>> interval.low < paired.value_difference < interval.high, interval.title
    (True, 'bootstrap-t interval')
    """
    jack = jackknife(paired)
    if jack.standard_error is None:
        return None
    a, b = unit_counts(paired)
    n, tolerance = len(a), 1e-9 * jack.standard_error
    key, found = seed_key(paired, seed), []
    rows = max(1, min(_CELLS // n, _ROWS))
    for block in range(-(-N_RESAMPLES // rows)):
        weights = drawn_counts(key, n, block, rows)[: N_RESAMPLES - block * rows].astype(np.float64)
        differences, errors = _studentised(paired, weights, a, b)
        kept = np.isfinite(differences) & (errors > tolerance)  # also false where the error is NaN
        found.append((differences[kept] - jack.difference) / errors[kept])
    t = np.concatenate(found)
    if t.size < FEWEST_RESAMPLES:
        return jackknife_t_interval(paired, confidence_level)
    low, high = np.quantile(t, [(1 - confidence_level) / 2, (1 + confidence_level) / 2])
    return Interval(
        low=jack.difference - float(high) * jack.standard_error,
        high=jack.difference - float(low) * jack.standard_error,
        level=confidence_level,
        title="bootstrap-t interval",
        citation="efron1993introduction",
    )


def _studentised(paired: PairedStatistics, weights: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Differences of resamples, and their jackknife standard errors; a unit drawn twice is left out once at a time."""
    value = paired.measure.oriented
    n = len(a)
    sum_a, sum_b = weights @ a, weights @ b
    left_out = value(sum_a[:, None] - a) - value(sum_b[:, None] - b)
    left_out = np.where(weights > 0, left_out, 0.0)  # units that were not drawn cannot be left out
    mean = (weights * left_out).sum(axis=1) / n
    squares = (weights * np.square(left_out - mean[:, None])).sum(axis=1)
    return value(sum_a) - value(sum_b), np.sqrt((n - 1) / n * squares)
