"""The bias-corrected and accelerated bootstrap interval of the difference of a corpus metric."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from reportkit.intervals.corpus_units import resampled_differences
from reportkit.intervals.interval import Interval
from reportkit.intervals.jackknife import jackknife
from reportkit.scores.shapes.paired_statistics import PairedStatistics

N_RESAMPLES = 9_999
"""Resamples of an interval: the first ones of the stream that the test draws from, too."""


def bca_interval(paired: PairedStatistics, confidence_level: float = 0.95, seed: int = 0) -> Interval | None:
    """BCa interval of the difference of a metric of sums between A and B.

    The ends are quantiles of the resampled differences, at levels that are corrected for the bias
    z0 = ndtri((#(d* < d) + #(d* <= d)) / 2b) and for the acceleration, which the jackknife estimates.

    Parameters
    ----------
    paired : PairedStatistics
        A and B on one dataset.
    confidence_level : float
        Confidence level, in (0, 1).
    seed : int
        Of the resamples, which are those of the test with the same seed.

    Returns
    -------
    Interval or None
        None if no resample differs from the others, or none has the observed value inside: the data then hold no
        information on the variance.

    Notes
    -----
    Assumes independent instances (clusters) and a smooth metric; second-order correct. Resamples on which the metric is
    undefined are left out. Efron (1987), "Better bootstrap confidence intervals", sections 1 and 7; for ties, the
    observed value counts half.

    Examples
    --------
    >>> from reportkit.metrics.corpus.f_measures import F1
    >>> rng = np.random.default_rng(0)
    >>> b = rng.integers(0, 9, size=(200, 3)).astype(float)
    >>> a = b + rng.integers(0, 2, size=(200, 3)) * [1, 0, 0]
    >>> paired = PairedStatistics(system_a="a", system_b="b", dataset="cb", metric="F1", kind="continuous",
    ...                           a=a, b=b, measure=F1)
    >>> interval = bca_interval(paired)
    >>> interval.low < paired.value_difference < interval.high, interval.title
    (True, 'BCa bootstrap interval')
    """
    drawn = np.concatenate(list(resampled_differences(paired, seed, 0, N_RESAMPLES)))
    drawn = np.sort(drawn[np.isfinite(drawn)])
    jack = jackknife(paired)
    tolerance = 1e-12 * max(jack.scale, abs(jack.difference))
    below = int(np.searchsorted(drawn, jack.difference - tolerance, side="left"))
    up_to = int(np.searchsorted(drawn, jack.difference + tolerance, side="right"))
    share = (below + up_to) / 2 / max(drawn.size, 1)
    if not 0 < share < 1 or drawn[-1] - drawn[0] <= tolerance:
        return None
    bias, acceleration = float(ndtri(share)), jack.acceleration
    ends = []
    for tail in ((1 - confidence_level) / 2, (1 + confidence_level) / 2):
        z = bias + float(ndtri(tail))
        shrink = 1 - acceleration * z
        if shrink <= 0:  # beyond what the correction can describe
            ends.append(0.0 if z < 0 else 1.0)
            continue
        ends.append(float(ndtr(bias + z / shrink)))
    low, high = (float(end) for end in np.quantile(drawn, ends, method="weibull"))
    return Interval(
        low=low, high=high, level=confidence_level, title="BCa bootstrap interval", citation="efron1987better"
    )
