"""Which interval and which standard error stand beside a test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from reportkit.intervals.bootstrap_t import bootstrap_t_interval
from reportkit.intervals.brunner_munzel import brunner_munzel_interval, estimate_superiority
from reportkit.intervals.corpus_interval import corpus_interval
from reportkit.intervals.corrected_resampled import corrected_resampled_interval, estimate_over_folds
from reportkit.intervals.correlation_jackknife import correlation_jackknife_interval, estimate_difference
from reportkit.intervals.interval import Interval
from reportkit.intervals.jackknife import jackknife_standard_error
from reportkit.intervals.newcombe import newcombe_error, newcombe_interval
from reportkit.intervals.run_means import estimate_run_means, run_means_interval
from reportkit.intervals.skewness import is_skewed
from reportkit.intervals.student_t import estimate_mean, student_t_interval
from reportkit.intervals.tango import tango_interval
from reportkit.intervals.two_way import estimate_two_way, two_way_interval
from reportkit.intervals.units import as_wins
from reportkit.intervals.welch import estimate_unpaired, welch_interval
from reportkit.results.pairing import PairedScores
from reportkit.results.sample import Sample, Shape
from reportkit.results.unpaired import UnpairedScores

Effect = Literal["mean", "sign"]
"""What is estimated: the mean difference, or the share of wins minus the share of losses."""


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """How uncertain a difference is, for one shape of results.

    Parameters
    ----------
    interval : callable
        (sample, level, seed) -> Interval, or None if the data hold no information on the variance.
    standard_error : callable
        (sample) -> standard error of the difference, or None.
    """

    interval: Callable[[Any, float, int], Interval | None]
    standard_error: Callable[[Any], float | None]


UNCERTAINTY: Mapping[Shape, Uncertainty] = {
    "corpus": Uncertainty(interval=corpus_interval, standard_error=jackknife_standard_error),
    "runs": Uncertainty(
        interval=lambda sample, level, seed: two_way_interval(sample, level),
        standard_error=lambda sample: estimate_two_way(sample).standard_error,
    ),
    "run-scores": Uncertainty(
        interval=lambda sample, level, seed: run_means_interval(sample, level),
        standard_error=lambda sample: estimate_run_means(sample).standard_error,
    ),
    "folds": Uncertainty(
        interval=lambda sample, level, seed: corrected_resampled_interval(sample, level),
        standard_error=lambda sample: estimate_over_folds(sample).standard_error,
    ),
    "correlation": Uncertainty(
        interval=lambda sample, level, seed: correlation_jackknife_interval(sample, level),
        standard_error=lambda sample: estimate_difference(sample).standard_error,
    ),
    "unpaired": Uncertainty(
        interval=lambda sample, level, seed: _unpaired_interval(sample, level),
        standard_error=lambda sample: _unpaired_error(sample),
    ),
    "counts": Uncertainty(
        interval=lambda sample, level, seed: newcombe_interval(sample.right, level),
        standard_error=lambda sample: newcombe_error(sample.right),
    ),
}
"""By shape; paired scores are told apart further by `interval_for`."""


def interval_for(
    sample: Sample, level: float = 0.95, *, effect: Effect | None = None, seed: int = 0
) -> Interval | None:
    """Two-sided confidence interval for the difference between A and B.

    Right-or-wrong scores without clusters and weights get Tango's score interval; everything else gets Student's t
    interval of the (weighted) mean difference, which is cluster-robust if there are clusters. Where the differences
    are so skewed that the bootstrap-t is the test of the decision table, the interval is the bootstrap-t interval, so
    that both ends are where the test has them; elsewhere the two intervals agree, and Student's needs no seed.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    level : float
        Confidence level, in (0, 1).
    effect : {"mean", "sign"}, optional
        What the interval is for; by default the mean difference, but for ordinal scores, whose means say nothing, the
        share of wins minus the share of losses.
    seed : int
        Of random resamples, where the interval needs them.

    Returns
    -------
    Interval or None
        None if the data hold no information on the variance: scores other than right or wrong that come from a single
        instance (or cluster), or that show the same difference everywhere, none included.

    Examples
    --------
    >>> import numpy as np
    >>> right = PairedScores(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                      a=np.ones(50), b=np.repeat([1.0, 0.0], [45, 5]))
    >>> interval = interval_for(right)
    >>> interval.title, round(interval.low, 4), round(interval.high, 4)
    ('Tango score interval', 0.0215, 0.2136)
    """
    if isinstance(sample, UnpairedScores) and effect == "sign":
        return brunner_munzel_interval(sample, level)
    if not isinstance(sample, PairedScores):
        return UNCERTAINTY[sample.shape].interval(sample, level, seed)
    paired = _with_effect(sample, effect)
    if paired.kind == "binary" and paired.clusters is None and paired.weights is None:
        return tango_interval(*paired.wins_and_losses, paired.n, level)
    skewed = is_skewed(paired) and paired.unit == "instance"
    interval = bootstrap_t_interval(paired, level, seed) if skewed else student_t_interval(paired, level)
    if interval is None or paired is sample:
        return interval
    return replace(interval, title=interval.title.removesuffix(" of the mean"))  # it is one of a share of wins


def standard_error(sample: Sample, *, effect: Effect | None = None) -> float | None:
    """Standard error of the difference between A and B, cluster-robust if there are clusters.

    Returns
    -------
    float or None
        None if the data hold no information on it: a single instance (or cluster), or the same difference everywhere.

    Examples
    --------
    >>> import numpy as np
    >>> right = PairedScores(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                      a=np.ones(50), b=np.repeat([1.0, 0.0], [45, 5]))
    >>> round(standard_error(right), 4)
    0.0429
    """
    if isinstance(sample, UnpairedScores) and effect == "sign":
        return estimate_superiority(sample).standard_error
    if not isinstance(sample, PairedScores):
        return UNCERTAINTY[sample.shape].standard_error(sample)
    return estimate_mean(_with_effect(sample, effect)).standard_error


def _unpaired_interval(sample: UnpairedScores, level: float) -> Interval | None:
    if sample.kind == "ordinal":
        return brunner_munzel_interval(sample, level)
    return newcombe_interval(sample.right, level) if sample.binary else welch_interval(sample, level)


def _unpaired_error(sample: UnpairedScores) -> float | None:
    if sample.kind == "ordinal":
        return estimate_superiority(sample).standard_error
    return newcombe_error(sample.right) if sample.binary else estimate_unpaired(sample).standard_error


def _with_effect(paired: PairedScores, effect: Effect | None) -> PairedScores:
    if effect is None:
        effect = "sign" if paired.kind == "ordinal" else "mean"
    return as_wins(paired) if effect == "sign" else paired
