"""Units, resamples, jackknife and intervals of a corpus metric."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reportkit.scores.designs import Units
from reportkit.scores.sample import Sample
from reportkit.significance.interval import Estimate, MarginTest
from reportkit.significance.null_sums import draw_end
from reportkit.significance.outcome import Interval, tail_level
from reportkit.significance.resamples import ExactColumns, hash64, resample_counts
from reportkit.significance.units import shifted_bootstrap_tails

Floats = NDArray[np.float64]


def unit_counts(paired: Sample) -> tuple[Floats, Floats]:
    """Return the counts of A and of B per instance, or summed per cluster; shape (n_units, k) each."""
    counts = _by_unit(np.stack((paired.a, paired.b)), paired.clusters)
    return counts[0], counts[1]


def ratio_units(paired: Sample) -> Units:
    """Return each unit's difference of numerators, and its denominator, for a ratio whose denominators A and B share.

    Sorted and in favour of the system that comes first by name, as for means of scores: the metric is the mean of the
    numerators weighted by the denominators, whose differences are `sums`.
    """
    ratio = paired.measure.ratio
    if ratio is None or not paired.common_denominator:
        raise ValueError(f"{paired.measure.name!r} of {paired.label} is not a ratio with a common denominator")
    swapped = paired.system_b < paired.system_a
    a, b = unit_counts(paired)
    numerator, denominator = map(paired.measure.position, ratio)
    forward = paired.measure.higher_is_better != swapped
    sums = (a - b if forward else b - a)[:, numerator] + 0.0
    sizes = a[:, denominator]
    order = np.lexsort((sizes, sums))
    return Units(sums=sums[order], sizes=sizes[order], swapped=swapped)


def resampled_differences(paired: Sample, seed: int, start: int, stop: int) -> Floats:
    """Yield the oriented differences A minus B on bootstrap resamples start to stop.

    Resamples of instances (of whole clusters, if there are any) are the same for all pairs of systems of a dataset.

    Yields
    ------
    ndarray
        NaN where the metric of A or of B is undefined on a resample.

    Examples
    --------
    >>> from reportkit.metrics.corpus import F1
    >>> a, b = np.array([[3.0, 1, 0], [2, 0, 2], [5, 1, 1]]), np.array([[3.0, 2, 0], [2, 1, 2], [4, 1, 2]])
    >>> paired = Sample(shape="corpus", system_a="a", system_b="b", dataset="cb", metric="F1", kind="continuous",
    ...                 a=a, b=b, measure=F1)
    >>> drawn = resampled_differences(paired, 0, 0, 1000)
    >>> bool(abs(drawn.mean() - paired.value_difference) < 0.01)
    True
    """
    counts = np.hstack(unit_counts(paired))
    columns, half = ExactColumns(counts, total=len(counts)), counts.shape[1] // 2
    key, value = seed_key(paired, seed), paired.measure.oriented
    found = []
    for drawn in resample_counts(key, len(counts), start, stop):
        sums = columns.weighted(drawn)
        found.append(value(sums[:, :half]) - value(sums[:, half:]))
    return np.concatenate(found)


def seed_key(paired: Sample, seed: int) -> tuple[int, ...]:
    """Return the entropy of the stream: the same for all pairs of systems of a dataset."""
    return seed, hash64(paired.dataset), hash64(paired.metric)


def _by_unit(statistics: Floats, clusters: NDArray[np.int64] | None) -> Floats:
    """Sum counts of shape (n_systems, n, k) over the instances of each cluster, in the order of the clusters."""
    if clusters is None:
        return statistics
    _, codes = np.unique(clusters, return_inverse=True)
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(int(codes.max()) + 1))
    return np.asarray(np.add.reduceat(statistics[:, order], starts, axis=1))


_NO_VARIANCE = 1e-12
"""Deviations below this part of the largest value of the metric are the noise of floating-point arithmetic."""


def jackknife(paired: Sample) -> Estimate:
    """Compute the difference without each instance (each cluster, if there are any), from the column sums.

    Notes
    -----
    Efron and Tibshirani (1993), "An Introduction to the Bootstrap", chapter 11. The metric has to be smooth: one unit
    of many changes it little.

    Examples
    --------
    >>> from reportkit.metrics.corpus import ACCURACY
    >>> a, b = np.array([[9.0, 10.0], [7.0, 10.0], [8.0, 10.0]]), np.array([[8.0, 10.0], [7.0, 10.0], [5.0, 10.0]])
    >>> paired = Sample(shape="corpus", system_a="a", system_b="b", dataset="cb", metric="Accuracy", kind="continuous",
    ...                 a=a, b=b, measure=ACCURACY)
    >>> result = jackknife(paired)  # the same as s / sqrt(n) of the differences .1, 0, .3
    >>> round(result.standard_error, 6), round(float(np.std([0.1, 0.0, 0.3], ddof=1) / np.sqrt(3)), 6)
    (0.088192, 0.088192)
    """
    a, b = unit_counts(paired)
    value = paired.measure.oriented
    left_out = value(a.sum(axis=0) - a) - value(b.sum(axis=0) - b)
    largest, n = max(abs(value) for value in (paired.value_a, paired.value_b, paired.value_difference)), left_out.size
    found = Estimate(
        mean=paired.value_difference,
        standard_error=None,
        degrees_of_freedom=n - 1,
        n_nonzero=int(np.count_nonzero(paired.differing)),
    )
    if n == 1:
        return replace(found, unknown="there is one instance (or cluster) only")
    if not np.isfinite(left_out).all():
        return replace(found, unknown=f"{paired.metric} is undefined without some instance")
    deviations = left_out.mean() - left_out
    if float(np.abs(deviations).max()) <= _NO_VARIANCE * largest / n:
        return replace(found, unknown="no instance changes the difference when it is left out")
    return replace(found, standard_error=math.sqrt((n - 1) / n * float(np.square(deviations).sum())))


def jackknife_t_interval(paired: Sample, confidence_level: float = 0.95) -> Interval | None:
    """Return Student's t interval with the jackknife standard error; None if that is unknown."""
    return jackknife(paired).interval(confidence_level, title="jackknife t interval", citation="efron1993introduction")


N_RESAMPLES = 9_999
"""Resamples of an interval: the first ones of the stream that the test draws from, too."""


FEWEST_FOR_BOOTSTRAP = 20
"""With fewer independent units, resamples say little: the jackknife is used for test and interval."""

FEWEST_FOR_BASIC = 50
"""With fewer independent units, the basic bootstrap interval reaches at least as far as the jackknife t interval."""


def corpus_interval(paired: Sample, confidence_level: float = 0.95, seed: int = 0) -> Interval | None:
    """Return the jackknife interval that goes with a swap test, as resamples say little about such data.

    If the jackknife has no variance, return quantiles of the resampled differences; None if these are all alike.
    """
    student = jackknife_t_interval(paired, confidence_level)
    drawn = np.empty(0) if student is not None else resampled_differences(paired, seed, 0, N_RESAMPLES)
    drawn = drawn[np.isfinite(drawn)]
    if student is not None or not drawn.size or not np.ptp(drawn):
        return student
    low, high = np.quantile(drawn, [0.5 - confidence_level / 2, 0.5 + confidence_level / 2], method="weibull")
    title, citation = "percentile bootstrap interval", "efron1993introduction"
    return Interval(low=float(low), high=float(high), level=confidence_level, title=title, citation=citation)


def corpus_bootstrap_interval(
    paired: Sample,
    confidence_level: float = 0.95,
    seed: int = 0,
    p_values: tuple[float, float] = (1.0, 1.0),
    drawn: Floats | None = None,
) -> Interval | None:
    """Return the interval of all differences that the recentred bootstrap does not reject.

    It is [2 d - d*_high, 2 d - d*_low].

    d*_low and d*_high are the quantiles of the resampled differences, of infinitely many where the metric is a ratio of
    sums whose denominators A and B share. Of few units resamples vary too little, and an end reaches at least as far
    as that of the jackknife t interval, unless the test says that it lies on the other side of 0.

    Parameters
    ----------
    paired : Sample
        A and B on one dataset.
    confidence_level : float
        Confidence level, in (0, 1).
    seed : int
        Seed of the resamples, which are those of the test with the same seed.
    p_values : tuple of float
        One-sided p-values of the test, for A and for B.
    drawn : ndarray of shape (9999,), optional
        Resampled differences of the test, so that they are not computed again.

    Returns
    -------
    Interval or None
        None if the data hold no information on the variance, or if the metric is undefined on so many resamples that
        nothing is rejected.

    Notes
    -----
    Assumes independent instances (clusters), enough of them for resamples to stand for new test sets. A resample on
    which the metric is undefined counts in both tails, as in the test. Davison and Hinkley (1997), "Bootstrap Methods
    and their Application", section 5.2.

    Examples
    --------
    >>> from reportkit.metrics.corpus import F1
    >>> rng = np.random.default_rng(0)
    >>> b = rng.integers(0, 9, size=(200, 3)).astype(float)
    >>> a = b + rng.integers(0, 2, size=(200, 3)) * [1, 0, 0]
    >>> paired = Sample(shape="corpus", system_a="a", system_b="b", dataset="cb", metric="F1", kind="continuous",
    ...                 a=a, b=b, measure=F1)
    >>> interval = corpus_bootstrap_interval(paired)
    >>> interval.low < paired.value_difference < interval.high, interval.title
    (True, 'basic bootstrap interval')
    """
    student = jackknife_t_interval(paired, confidence_level)
    if student is None:
        return None
    alpha = tail_level(confidence_level)
    if paired.common_denominator:
        units = ratio_units(paired)
        low, high = draw_end(units.sums, units.sizes, alpha), -draw_end(-units.sums, units.sizes, alpha)
        low, high = (-high, -low) if units.swapped else (low, high)
    else:
        drawn = resampled_differences(paired, seed, 0, N_RESAMPLES) if drawn is None else drawn
        low, high = _drawn_ends(paired, alpha, drawn)
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        return None
    title = "basic bootstrap interval"
    if len(unit_counts(paired)[0]) < FEWEST_FOR_BASIC:
        title = "basic bootstrap and jackknife t interval"
        low = _further(low, student.low, p_values[0] <= alpha)
        high = -_further(-high, -student.high, p_values[1] <= alpha)
    return Interval(low=low, high=high, level=confidence_level, title=title, citation="davison1997bootstrap")


def _drawn_ends(paired: Sample, alpha: float, drawn: Floats) -> tuple[float, float]:
    """Return ends from the resamples: a difference is rejected where at most `allowed` of them are as far off."""
    known = np.sort(drawn[np.isfinite(drawn)])
    allowed = math.floor(alpha * (drawn.size + 1)) - 1 - (drawn.size - known.size)
    if not 0 <= allowed < known.size:
        return -math.inf, math.inf
    twice = 2.0 * paired.value_difference
    return twice - float(known[known.size - 1 - allowed]), twice - float(known[allowed])


def _further(low: float, other: float, rejected: bool) -> float:
    """Return the lower of two lower ends, unless it lies on the other side of 0 than the test says."""
    lower = min(low, other)
    return low if rejected and lower <= 0 < low else lower


def corpus_bootstrap_margin(paired: Sample, margin: float, *, seed: int = 0) -> MarginTest | None:
    """Test the difference of a metric of sums against a margin, by the test that `corpus_bootstrap_interval` inverts.

    p is the probability that a resampled difference is at least 2 d - margin; below 50 units the larger one of that and
    the p-value of the jackknife t-test.

    Parameters
    ----------
    paired : Sample
        A and B on one dataset.
    margin : float
        In units of the metric, oriented.
    seed : int
        Seed of the resamples.

    Returns
    -------
    MarginTest or None
        None if the data hold no information on the variance.

    Notes
    -----
    Null hypothesis: the difference is at most (at least) the margin. Assumes independent instances (clusters), enough
    of them for resamples to stand for new test sets. Berg-Kirkpatrick, Burkett and Klein (2012), Figure 1.

    Examples
    --------
    >>> from reportkit.metrics.corpus import F1
    >>> rng = np.random.default_rng(0)
    >>> b = rng.integers(0, 9, size=(200, 3)).astype(float)
    >>> a = b + rng.integers(0, 2, size=(200, 3)) * [1, 0, 0]
    >>> paired = Sample(shape="corpus", system_a="a", system_b="b", dataset="cb", metric="F1", kind="continuous",
    ...                 a=a, b=b, measure=F1)
    >>> corpus_bootstrap_margin(paired, 0.01).p_greater < 0.01 < corpus_bootstrap_margin(paired, 0.2).p_greater
    True
    """
    found = jackknife(paired)
    student = found.against(margin, title="recentred paired bootstrap test", citation="bergkirkpatrick2012empirical")
    if student is None:
        return None
    if paired.common_denominator:
        tails = shifted_bootstrap_tails(ratio_units(paired), margin)
    else:  # undefined resamples count in both tails
        drawn = resampled_differences(paired, seed, 0, N_RESAMPLES)
        wanted = 2.0 * paired.value_difference - margin
        above, below = np.count_nonzero(~(drawn < wanted)), np.count_nonzero(~(drawn > wanted))
        tails = (int(above) + 1) / (drawn.size + 1), (int(below) + 1) / (drawn.size + 1)
    if found.degrees_of_freedom + 1 < FEWEST_FOR_BASIC:
        tails = max(tails[0], student.p_greater), max(tails[1], student.p_less)
    return replace(student, statistic=found.mean - margin, p_greater=tails[0], p_less=tails[1])
