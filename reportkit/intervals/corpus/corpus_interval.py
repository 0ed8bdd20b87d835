"""Which interval stands beside the difference of a corpus metric: by its test, and by the number of instances."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import stdtr

from reportkit.intervals.corpus.bca import N_RESAMPLES, bca_interval
from reportkit.intervals.corpus.corpus_bootstrap_t import corpus_bootstrap_t_interval
from reportkit.intervals.corpus_units import ratio_units, resampled_differences
from reportkit.intervals.interval import Interval, tail_level
from reportkit.intervals.jackknife import jackknife, jackknife_standard_error, jackknife_t_interval
from reportkit.intervals.margin_result import MarginTest
from reportkit.intervals.margins.bootstrap_margin import shifted_bootstrap_tails
from reportkit.null_distributions import draw_end
from reportkit.scores.shapes.paired_statistics import PairedStatistics

FEWEST_FOR_BOOTSTRAP = 20
"""With fewer independent units, resamples say little: the jackknife is used for test and interval."""

FEWEST_FOR_BASIC = 50
"""With fewer independent units, the basic bootstrap interval reaches at least as far as the jackknife t interval."""

FEWEST_FOR_BCA = 50
"""With fewer independent units, the bootstrap-t is used, which also corrects for the spread of the standard error."""


def corpus_interval(paired: PairedStatistics, confidence_level: float = 0.95, seed: int = 0) -> Interval | None:
    """Confidence interval of the difference of a metric of sums: BCa, bootstrap-t below 50 units, jackknife below 20.

    Parameters
    ----------
    paired : PairedStatistics
        A and B on one dataset.
    confidence_level : float
        Confidence level, in (0, 1).
    seed : int
        Of the resamples.

    Returns
    -------
    Interval or None
        None if the data hold no information on the variance.

    Examples
    --------
    >>> import numpy as np
    >>> from reportkit.metrics.corpus.proportions import ACCURACY
    >>> a, b = np.array([[9.0, 10.0], [7.0, 10.0], [8.0, 10.0]]), np.array([[8.0, 10.0], [7.0, 10.0], [5.0, 10.0]])
    >>> paired = PairedStatistics(system_a="a", system_b="b", dataset="cb", metric="Accuracy", kind="continuous",
    ...                           a=a, b=b, measure=ACCURACY)
    >>> corpus_interval(paired).title
    'jackknife t interval'
    """
    n_units = paired.n if paired.n_clusters is None else paired.n_clusters
    if n_units < FEWEST_FOR_BOOTSTRAP:
        return jackknife_t_interval(paired, confidence_level)
    if n_units < FEWEST_FOR_BCA:
        return corpus_bootstrap_t_interval(paired, confidence_level, seed)
    return bca_interval(paired, confidence_level, seed)


def corpus_bootstrap_interval(
    paired: PairedStatistics,
    confidence_level: float = 0.95,
    seed: int = 0,
    p_values: tuple[float, float] = (1.0, 1.0),
    *,
    fewest: int = FEWEST_FOR_BASIC,
) -> Interval | None:
    """Interval of all differences that the recentred bootstrap does not reject: [2 d - d*_high, 2 d - d*_low].

    d*_low and d*_high are the quantiles of the resampled differences, of infinitely many where the metric is a ratio of
    sums whose denominators A and B share. Of few units resamples vary too little, and an end reaches at least as far
    as that of the jackknife t interval, unless the test says that it lies on the other side of 0.

    Parameters
    ----------
    paired : PairedStatistics
        A and B on one dataset.
    confidence_level : float
        Confidence level, in (0, 1).
    seed : int
        Of the resamples, which are those of the test with the same seed.
    p_values : tuple of float
        One-sided p-values of the test, for A and for B.
    fewest : int
        With fewer units the jackknife t interval widens it.

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
    >>> from reportkit.metrics.corpus.f_measures import F1
    >>> rng = np.random.default_rng(0)
    >>> b = rng.integers(0, 9, size=(200, 3)).astype(float)
    >>> a = b + rng.integers(0, 2, size=(200, 3)) * [1, 0, 0]
    >>> paired = PairedStatistics(system_a="a", system_b="b", dataset="cb", metric="F1", kind="continuous",
    ...                           a=a, b=b, measure=F1)
    >>> interval = corpus_bootstrap_interval(paired)
    >>> interval.low < paired.value_difference < interval.high, interval.title
    (True, 'basic bootstrap interval')
    """
    if jackknife_standard_error(paired) is None:
        return None
    alpha = tail_level(confidence_level)
    low, high = _exact_ends(paired, alpha) if paired.common_denominator else _drawn_ends(paired, alpha, seed)
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        return None
    title = "basic bootstrap interval"
    n_units = paired.n if paired.n_clusters is None else paired.n_clusters
    student = jackknife_t_interval(paired, confidence_level) if n_units < fewest else None
    if student is not None:
        title = "basic bootstrap and jackknife t interval"
        low = _further(low, student.low, p_values[0] <= alpha)
        high = -_further(-high, -student.high, p_values[1] <= alpha)
    return Interval(low=low, high=high, level=confidence_level, title=title, citation="davison1997bootstrap")


def corpus_bootstrap_margin(paired: PairedStatistics, margin: float, *, seed: int = 0) -> MarginTest | None:
    """Test the difference of a metric of sums against a margin, by the test that `corpus_bootstrap_interval` inverts.

    p is the probability that a resampled difference is at least 2 d - margin; below 50 units the larger one of that and
    the p-value of the jackknife t-test.

    Parameters
    ----------
    paired : PairedStatistics
        A and B on one dataset.
    margin : float
        In units of the metric, oriented.
    seed : int
        Of the resamples.

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
    >>> from reportkit.metrics.corpus.f_measures import F1
    >>> rng = np.random.default_rng(0)
    >>> b = rng.integers(0, 9, size=(200, 3)).astype(float)
    >>> a = b + rng.integers(0, 2, size=(200, 3)) * [1, 0, 0]
    >>> paired = PairedStatistics(system_a="a", system_b="b", dataset="cb", metric="F1", kind="continuous",
    ...                           a=a, b=b, measure=F1)
    >>> corpus_bootstrap_margin(paired, 0.01).p_greater < 0.01 < corpus_bootstrap_margin(paired, 0.2).p_greater
    True
    """
    found = jackknife(paired)
    if found.standard_error is None:
        return None
    tails = _exact_tails(paired, margin, seed) if paired.common_denominator else _drawn_tails(paired, margin, seed)
    t = (found.difference - margin) / found.standard_error
    if found.n_units < FEWEST_FOR_BASIC:
        freedom = found.n_units - 1
        tails = max(tails[0], float(stdtr(freedom, -t))), max(tails[1], float(stdtr(freedom, t)))
    return MarginTest(
        margin=margin,
        estimate=found.difference,
        statistic=found.difference - margin,
        p_greater=tails[0],
        p_less=tails[1],
        title="recentred paired bootstrap test",
        citation="bergkirkpatrick2012empirical",
    )


def _exact_tails(paired: PairedStatistics, margin: float, seed: int) -> tuple[float, float]:
    return shifted_bootstrap_tails(ratio_units(paired), margin)


def _drawn_tails(paired: PairedStatistics, margin: float, seed: int) -> tuple[float, float]:
    """Undefined resamples count in both tails."""
    drawn = np.concatenate(list(resampled_differences(paired, seed, 0, N_RESAMPLES)))
    wanted = 2.0 * paired.value_difference - margin
    above, below = np.count_nonzero(~(drawn < wanted)), np.count_nonzero(~(drawn > wanted))
    return (int(above) + 1) / (drawn.size + 1), (int(below) + 1) / (drawn.size + 1)


def _exact_ends(paired: PairedStatistics, alpha: float) -> tuple[float, float]:
    units = ratio_units(paired)
    low = draw_end(units.sums, units.sizes, alpha)
    high = -draw_end(-units.sums, units.sizes, alpha)
    return (-high, -low) if units.swapped else (low, high)


def _drawn_ends(paired: PairedStatistics, alpha: float, seed: int) -> tuple[float, float]:
    """Ends from the resamples: a difference is rejected where at most `allowed` of them are as far off."""
    drawn = np.concatenate(list(resampled_differences(paired, seed, 0, N_RESAMPLES)))
    known = np.sort(drawn[np.isfinite(drawn)])
    allowed = math.floor(alpha * (drawn.size + 1)) - 1 - (drawn.size - known.size)
    if not 0 <= allowed < known.size:
        return -math.inf, math.inf
    twice = 2.0 * paired.value_difference
    return twice - float(known[known.size - 1 - allowed]), twice - float(known[allowed])


def _further(low: float, other: float, rejected: bool) -> float:
    """The lower of two lower ends, unless it lies on the other side of 0 than the test says."""
    lower = min(low, other)
    return low if rejected and lower <= 0 < low else lower
