"""Which interval, which margin test and which standard error stand beside a test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from reportkit.intervals.corpus.corpus_interval import (
    corpus_bootstrap_interval,
    corpus_bootstrap_margin,
    corpus_interval,
)
from reportkit.intervals.correlations.correlation_jackknife import correlation_jackknife_interval, estimate_difference
from reportkit.intervals.effect_sizes.brunner_munzel import brunner_munzel_interval, estimate_superiority
from reportkit.intervals.interval import Interval
from reportkit.intervals.jackknife import jackknife_standard_error, jackknife_t_interval
from reportkit.intervals.margin_result import MarginTest
from reportkit.intervals.margins.bootstrap_margin import bootstrap_margin
from reportkit.intervals.margins.margin import (
    bootstrap_t_or_student_margin,
    heaped_flip_margin,
    margin_test,
    student_margin,
    tango_margin,
    welch_margin,
)
from reportkit.intervals.means.bootstrap_t import bootstrap_t_interval
from reportkit.intervals.means.corrected_resampled import corrected_resampled_interval, estimate_over_folds
from reportkit.intervals.means.permutation_t import permutation_t_interval, permutation_t_margin
from reportkit.intervals.means.run_means import estimate_run_means, run_means_interval
from reportkit.intervals.means.sign_flip_interval import (
    bootstrap_interval,
    can_bound,
    sign_flip_interval,
    sign_flip_intervals_ahead,
)
from reportkit.intervals.means.skewness import is_skewed
from reportkit.intervals.means.student_t import estimate_mean, student_t_interval
from reportkit.intervals.means.two_way import estimate_two_way, two_way_interval
from reportkit.intervals.means.units import as_wins
from reportkit.intervals.means.welch import estimate_unpaired, welch_interval
from reportkit.intervals.proportions.discordant_pairs import (
    WinTail,
    normal_tail,
    tango_interval,
    upper_binomial_tail,
)
from reportkit.intervals.proportions.newcombe import newcombe_error, newcombe_interval
from reportkit.language.numerals import percent_text
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.sample import Sample, Shape
from reportkit.scores.shapes.unpaired import UnpairedScores

Effect = Literal["mean", "sign"]
"""What is estimated: the mean difference, or the share of wins minus the share of losses."""

PValues = tuple[float, float]
"""One-sided p-values of no difference: that A is better, and that B is."""

NO_VARIANCE = "the data hold no information on the variance"


def _no_variance(sample: Any, level: float) -> str:
    return NO_VARIANCE


def _of_design(sample: Any, margin: float, seed: int) -> MarginTest | None:
    return margin_test(sample, margin, seed=seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalMethod:
    """The interval that belongs to a test, and the same test of a difference other than 0.

    Parameters
    ----------
    interval : callable
        (sample, level, seed, p-values of the test) -> Interval, or None if the data allow none.
    margin : callable
        (sample, margin, seed) -> MarginTest, or None if the data hold no information on the variance.
    matched : bool
        Whether the interval holds the differences that the test, shifted to them, does not reject. Of another interval
        only the side of 0 on which its ends lie follows from the test; see `reportkit.intervals.interval`.
    silence : callable
        (sample, level) -> why there is no interval, as a clause.
    ahead : callable, optional
        (samples, level) -> None; computes for all of them at once what `interval` then finds.
    exists : callable, optional
        (sample, level) -> whether it is known, without computing it, that there is an interval.
    """

    interval: Callable[[Any, float, int, PValues], Interval | None]
    margin: Callable[[Any, float, int], MarginTest | None] = _of_design
    matched: bool = True
    silence: Callable[[Any, float], str] = _no_variance
    ahead: Callable[[Sequence[Any], float], None] | None = None
    exists: Callable[[Any, float], bool] = lambda sample, level: False


def _of_wins(tail: WinTail, named: str = "") -> IntervalMethod:
    """Score interval of wins minus losses, matched to one form of McNemar's test; clusters are ignored.

    Of ratings each is one of the pairs: there may be more wins than instances.
    """

    def interval(paired: PairedScores, level: float, seed: int, p_values: PValues) -> Interval:
        wins, losses = paired.wins_and_losses
        return tango_interval(wins, losses, paired.a.size, level, tail=tail, named=named)

    def margin_of(paired: PairedScores, margin: float, seed: int) -> MarginTest:
        wins, losses = paired.wins_and_losses
        return tango_margin(wins, losses, paired.a.size, margin, tail=tail)

    return IntervalMethod(
        interval=interval,
        margin=margin_of,
        exists=lambda paired, level: True,
    )


def _cannot_bound(paired: PairedScores, level: float) -> str:
    if can_bound(paired, level):
        return NO_VARIANCE
    n, unit = (paired.n, f"{paired.unit}s") if paired.n_clusters is None else (paired.n_clusters, "clusters")
    if paired.cluster_noun == "instance":
        unit = "instances"
    return f"{n} {unit if n != 1 else unit.removesuffix('s')} cannot bound the difference at {percent_text(level)}"


def _alone(paired: PairedScores) -> bool:
    return paired.clusters is None and paired.weights is None


EXACT_WINS = _of_wins(upper_binomial_tail, "exact test")
NORMAL_WINS = _of_wins(normal_tail)


def _flip_interval(paired: PairedScores, level: float, seed: int, p_values: PValues) -> Interval | None:
    """Interval beside a sign flip, which of right-or-wrong scores that stand alone is the exact McNemar test."""
    if paired.kind == "binary" and _alone(paired):
        return EXACT_WINS.interval(paired, level, seed, p_values)
    return sign_flip_interval(paired, level, p_values)


def _flip_margin(paired: PairedScores, margin: float, seed: int) -> MarginTest | None:
    if paired.kind == "binary" and _alone(paired):
        return EXACT_WINS.margin(paired, margin, seed)
    return None if estimate_mean(paired).standard_error is None else heaped_flip_margin(paired, margin, seed=seed)


def _flips_ahead(samples: Sequence[PairedScores], level: float) -> None:
    sign_flip_intervals_ahead([paired for paired in samples if not (paired.kind == "binary" and _alone(paired))], level)


def _flips_exist(paired: PairedScores, level: float) -> bool:
    if paired.kind == "binary" and _alone(paired):
        return EXACT_WINS.exists(paired, level)
    return estimate_mean(paired).standard_error is not None and can_bound(paired, level)


SIGN_FLIPS = IntervalMethod(
    interval=_flip_interval,
    margin=_flip_margin,
    silence=_cannot_bound,
    ahead=_flips_ahead,
    exists=_flips_exist,
)


def _sign_interval(paired: PairedScores, level: float, seed: int, p_values: PValues) -> Interval | None:
    """Interval of wins minus losses beside a sign test."""
    wins = as_wins(paired)
    if _alone(wins):
        return EXACT_WINS.interval(wins, level, seed, p_values)
    found = SIGN_FLIPS.interval(wins, level, seed, p_values)
    return None if found is None else replace(found, title=_of_shares(found.title))


def _of_shares(title: str) -> str:
    """Name of an interval of a share of wins, without the mean that it is one of."""
    return title.removesuffix(" of the mean").removesuffix(" of the weighted mean")


SIGNS = IntervalMethod(
    interval=_sign_interval,
    margin=lambda paired, margin, seed: (EXACT_WINS if _alone(paired) else SIGN_FLIPS).margin(
        as_wins(paired), margin, seed
    ),
    silence=lambda paired, level: _cannot_bound(as_wins(paired), level),
)

SIGNED_RANKS = IntervalMethod(
    interval=lambda paired, level, seed, p_values: None,
    matched=False,
    silence=lambda paired, level: "a test of symmetry about 0 has no interval of the mean",
)

STUDENT_T = IntervalMethod(
    interval=lambda paired, level, seed, p_values: student_t_interval(replace(paired, clusters=None), level),
    margin=lambda paired, margin, seed: student_margin(replace(paired, clusters=None), margin),
)
BOOTSTRAP_T = IntervalMethod(
    interval=lambda paired, level, seed, p_values: bootstrap_t_interval(paired, level, seed),
    margin=lambda paired, margin, seed: bootstrap_t_or_student_margin(paired, margin, seed=seed),
)
PAIRED_BOOTSTRAP = IntervalMethod(
    interval=lambda paired, level, seed, p_values: bootstrap_interval(paired, level),
    margin=lambda paired, margin, seed: (
        None if estimate_mean(paired).standard_error is None else bootstrap_margin(paired, margin)
    ),
)
CORPUS_BOOTSTRAP = IntervalMethod(
    interval=lambda paired, level, seed, p_values: corpus_bootstrap_interval(paired, level, seed, p_values),
    margin=lambda paired, margin, seed: corpus_bootstrap_margin(paired, margin, seed=seed),
    matched=False,
)
CORPUS_SWAPS = IntervalMethod(
    interval=lambda paired, level, seed, p_values: corpus_interval(paired, level, seed), matched=False
)
CORPUS_JACKKNIFE = IntervalMethod(interval=lambda paired, level, seed, p_values: jackknife_t_interval(paired, level))
CORRELATION_JACKKNIFE = IntervalMethod(
    interval=lambda paired, level, seed, p_values: correlation_jackknife_interval(paired, level)
)
OTHER_CORRELATION = replace(CORRELATION_JACKKNIFE, matched=False)
TWO_WAY = IntervalMethod(interval=lambda runs, level, seed, p_values: two_way_interval(runs, level))
RUN_MEANS = IntervalMethod(interval=lambda runs, level, seed, p_values: run_means_interval(runs, level))
RANKED_RUNS = replace(RUN_MEANS, matched=False)
FOLDS = IntervalMethod(interval=lambda folds, level, seed, p_values: corrected_resampled_interval(folds, level))
WELCH = IntervalMethod(
    interval=lambda sample, level, seed, p_values: welch_interval(sample, level),
    margin=lambda sample, margin, seed: welch_margin(sample, margin),
)


def _divisions_cannot_bound(sample: UnpairedScores, level: float) -> str:
    if sample.constant:
        return NO_VARIANCE
    return f"{sample.n_a} and {sample.n_b} instances cannot bound the difference at {percent_text(level)}"


PERMUTED_T = IntervalMethod(
    interval=lambda sample, level, seed, p_values: permutation_t_interval(sample, level, seed),
    margin=lambda sample, margin, seed: permutation_t_margin(sample, margin, seed=seed),
    silence=_divisions_cannot_bound,
)


def _wider(sample: Any, level: float, seed: int, p_values: PValues) -> Interval | None:
    """Hull of Welch's interval and that of the permutation test: the inversion of their larger p-value."""
    permuted, welch = permutation_t_interval(sample, level, seed), welch_interval(sample, level)
    if permuted is None or welch is None:
        return None
    low, high = min(welch.low, permuted.low), max(welch.high, permuted.high)
    return replace(welch, low=low, high=high, title="Welch interval confirmed by permutation")


def _larger(sample: Any, margin: float, seed: int) -> MarginTest | None:
    """Of Welch's test of a margin and the permutation test of it, the larger p-value in each direction."""
    welch, permuted = welch_margin(sample, margin), permutation_t_margin(sample, margin, seed=seed)
    if welch is None or permuted is None:
        return None
    return replace(
        welch,
        p_greater=max(welch.p_greater, permuted.p_greater),
        p_less=max(welch.p_less, permuted.p_less),
        title="Welch t-test confirmed by permutation",
    )


WELCH_AND_PERMUTED_T = replace(PERMUTED_T, interval=_wider, margin=_larger)
SUPERIORITY = IntervalMethod(
    interval=lambda sample, level, seed, p_values: brunner_munzel_interval(sample, level), matched=False
)
PROPORTIONS = IntervalMethod(
    interval=lambda sample, level, seed, p_values: newcombe_interval(sample.right, level), matched=False
)


def _of_identical(sample: Any, level: float, seed: int, p_values: PValues) -> Interval | None:
    """Where two systems score the same everywhere, right-or-wrong scores and wins still bound their difference."""
    return _IDENTICAL[sample.shape].interval(sample, level, seed, p_values)


def _of_identical_pairs(sample: PairedScores, level: float, seed: int, p_values: PValues) -> Interval | None:
    binary = sample.kind in ("binary", "ordinal") and _alone(sample)
    return EXACT_WINS.interval(sample, level, seed, p_values) if binary else None


def _of_identical_samples(sample: UnpairedScores, level: float, seed: int, p_values: PValues) -> Interval | None:
    method = SUPERIORITY if sample.kind == "ordinal" else PROPORTIONS if sample.binary else WELCH
    return method.interval(sample, level, seed, p_values)


IDENTICAL = IntervalMethod(interval=_of_identical, matched=False)

_IDENTICAL: Mapping[Shape, IntervalMethod] = {
    "corpus": CORPUS_JACKKNIFE,
    "correlation": CORRELATION_JACKKNIFE,
    "runs": TWO_WAY,
    "run-scores": RUN_MEANS,
    "folds": FOLDS,
    "counts": PROPORTIONS,
    "paired": IntervalMethod(interval=_of_identical_pairs, matched=False),
    "unpaired": IntervalMethod(interval=_of_identical_samples, matched=False),
}


def mean_interval(paired: PairedScores, confidence_level: float = 0.95, seed: int = 0) -> Interval | None:
    """Interval of a mean that stands beside no test: bootstrap-t where it is skewed, else Student's t.

    Parameters
    ----------
    paired : PairedScores
        Scores whose mean is asked for, as differences to 0.
    confidence_level : float
        Confidence level, in (0, 1).
    seed : int
        Of random resamples.

    Returns
    -------
    Interval or None
        None if the data hold no information on the variance.
    """
    return (
        bootstrap_t_interval(paired, confidence_level, seed)
        if is_skewed(paired)
        else student_t_interval(paired, confidence_level)
    )


_ERRORS: Mapping[Shape, Callable[[Any, Effect | None], float | None]] = {
    "paired": lambda sample, effect: _paired_error(sample, effect),
    "corpus": lambda sample, effect: jackknife_standard_error(sample),
    "runs": lambda sample, effect: estimate_two_way(sample).standard_error,
    "run-scores": lambda sample, effect: estimate_run_means(sample).standard_error,
    "folds": lambda sample, effect: estimate_over_folds(sample).standard_error,
    "correlation": lambda sample, effect: estimate_difference(sample).standard_error,
    "unpaired": lambda sample, effect: _unpaired_error(sample, effect),
    "counts": lambda sample, effect: newcombe_error(sample.right),
}


def standard_error(sample: Sample, *, effect: Effect | None = None) -> float | None:
    """Standard error of the difference between A and B, cluster-robust if there are clusters.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    effect : {"mean", "sign"}, optional
        Of what; by default the mean difference, but for ordinal scores, whose means say nothing, the share of wins
        minus the share of losses.

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
    return _ERRORS[sample.shape](sample, effect)


def _paired_error(sample: PairedScores, effect: Effect | None) -> float | None:
    signs = effect == "sign" or (effect is None and sample.kind == "ordinal")
    return estimate_mean(as_wins(sample) if signs else sample).standard_error


def _unpaired_error(sample: UnpairedScores, effect: Effect | None) -> float | None:
    if effect == "sign" or sample.kind == "ordinal":
        return estimate_superiority(sample).standard_error
    return newcombe_error(sample.right) if sample.binary else estimate_unpaired(sample).standard_error
