"""Estimate how far the score of one system on one dataset would vary.

An interval of one score says nothing about a difference: the scores of two systems on the same instances rise and fall
together, and two overlapping intervals are not a test. What a comparison needs is in `Outcome`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.metrics.correlation import correlation, leave_out
from reportkit.scores.sample import Sample
from reportkit.scores.scores import Scores
from reportkit.settings import Settings
from reportkit.significance.choose import is_skewed, shape_of
from reportkit.significance.interval import Estimate
from reportkit.significance.outcome import Interval
from reportkit.significance.proportions import wilson_interval
from reportkit.significance.tests.bootstrap_t import bootstrap_t_interval
from reportkit.significance.tests.scores_of_runs import CORRECTED_RESAMPLED_T, estimate_over_folds
from reportkit.significance.tests.two_way_t import TWO_WAY_T, estimate_two_way
from reportkit.significance.units import estimate_mean, estimate_of, student_t_interval

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSpread:
    """Spread of the score of one system on one dataset, as given (not negated where lower is better).

    Parameters
    ----------
    sd : float or None
        Standard deviation (divisor one less than their number) of the scores of single `sd_over`; None where there is
        one only, or where the design has none.
    standard_error : float or None
        Standard error of the score; None where the data cannot say.
    interval : Interval or None
        For the score; None where the data cannot say.
    sd_over, error_over : str
        What the two are over, in the plural: "instances", "runs", "clusters", "instances and runs".
    no_sd, no_error : str
        Why the design has no standard deviation, or no standard error and interval, as a clause; empty if it has.
    """

    sd: float | None = None
    standard_error: float | None = None
    interval: Interval | None = None
    sd_over: str = "instances"
    error_over: str = "instances"
    no_sd: str = ""
    no_error: str = ""


def spread_of(
    block: Scores, system: str, settings: Settings, common: Sequence[str] = (), among: int = 1
) -> ScoreSpread:
    """Compute the spread of one score.

    Parameters
    ----------
    block : Scores
        One dataset.
    system : str
        One of its systems.
    settings : Settings
        Level of the interval (1 minus the largest alpha), seed, missing scores, whether runs are random.
    common : sequence of str
        Restrict to the instances that these systems have, too: those on which a pair is compared.
    among : int
        Number of systems whose intervals are to hold all at once, by Bonferroni's inequality; then also that of the
        system that scores best, which was chosen by its score.

    Returns
    -------
    ScoreSpread

    Notes
    -----
    Right or wrong: Wilson's score interval. Means: Student's t interval, or the bootstrap-t where the scores are so
    skewed that the mean of a difference would be tested by it; cluster-robust if there are clusters. Runs by
    instances: the two-way standard error, instances and runs both random. Scores of runs: Student's t over the runs.
    Folds: corrected for the overlap of training sets. Metrics of sums and correlations: the jackknife. No interval
    reaches beyond the declared range of the scores, or beyond 0 and 1 where all scores of the dataset lie between them.

    Examples
    --------
    >>> from reportkit.scores.scores import Scores
    >>> block = Scores(shape="counts", dataset="ARC-easy", metric="accuracy", systems=("s1",), kind="binary",
    ...                instances=np.array([], dtype=object), scores=np.array([[1721, 2376]]))
    >>> spread = spread_of(block, "s1", Settings())
    >>> round(spread.standard_error, 4), round(spread.interval.low, 4), round(spread.interval.high, 4)
    (0.0092, 0.706, 0.7419)
    """
    spread = _spread(block, system, settings, common, 1 - settings.alpha[0] / among)
    found = spread.interval
    if found is None or (bounds := _range_of(block, settings, found)) is None:
        return spread
    low, high = max(bounds[0], found.low), min(bounds[1], found.high)
    return replace(spread, interval=replace(found, low=low, high=high))


def printed_spread(**_: object) -> ScoreSpread:
    """Return the spread of scores that a paper prints: unknown."""
    why = "only printed figures are known, not the scores of instances"
    return ScoreSpread(no_sd=why, no_error=why)


def _as_given(block: Scores, values: Floats) -> Floats:
    return values if block.higher_is_better else -values


def _range_of(block: Scores, settings: Settings, found: Interval) -> tuple[float, float] | None:
    """Return a range that an interval leaves: as declared, or 0 and 1 where all scores lie between them; else None."""
    matrix = block.matrix()
    if matrix is None or settings.score_range is not None:
        return None if matrix is None else settings.score_range
    if found.low >= 0 and found.high <= 1:
        return None
    given = _as_given(block, matrix.scores)
    return (0.0, 1.0) if np.nanmin(given) >= 0 and np.nanmax(given) <= 1 else None


def _spread(block: Scores, system: str, settings: Settings, common: Sequence[str], level: float) -> ScoreSpread:
    """Compute the spread, whatever the range of the scores."""
    row = block.row(system)
    if block.shape == "counts":
        return _of_counts(int(row[0]), int(row[1]), level)
    if block.shape in ("run-scores", "folds"):
        return _of_trainings(block, _as_given(block, row), level)
    if settings.missing == "worst" and block.has_worst:
        block = block.filled(settings.score_range)
    kept = np.asarray(np.all([block.present(name) for name in (system, *common)], axis=0))
    clusters, noun = block.units(kept)
    over = f"{block.unit if clusters is None else noun}s"
    weights = None if block.weights is None else block.weights[kept]
    if block.shape == "corpus":
        why = f"{block.measure.title} is computed from sums over all instances, and single instances have none"
        return _jackknifed(*_without_each(block, block.row(system)[kept], clusters), level, over, why)
    if block.shape == "correlation":
        predicted, gold = _as_given(block, block.row(system)[kept]), block.gold[kept]
        why = "a correlation is of all instances together, and single instances have none"
        value = correlation(predicted, gold, block.coefficient)
        left_out = leave_out(predicted, gold, block.coefficient, clusters)
        return _jackknifed(value, left_out, level, over, why, limit=1.0)
    units: dict[str, Any] = {"weights": weights, "clusters": clusters}
    values = _as_given(block, block.row(system)[..., kept])
    if block.shape == "runs":
        sd = _sd(np.average(values, axis=1, weights=weights))
        if settings.runs == "random":
            runs = _alone(block, values, shape="runs", b=np.zeros((1, values.shape[1])), **units)
            error = estimate_two_way(runs).standard_error
            interval = TWO_WAY_T.interval.interval(runs, level, 0, (1.0, 1.0))
            return ScoreSpread(
                sd=sd, standard_error=error, interval=interval, sd_over="runs", error_over=f"{over} and runs"
            )
        sample = _alone(block, values.mean(axis=0), **units)
        error, interval = _of_mean(sample, level, settings.rng)
        return ScoreSpread(sd=sd, standard_error=error, interval=interval, sd_over="runs", error_over=over)
    if block.kind == "binary" and clusters is None and weights is None:
        return _of_counts(int(values.sum()), values.size, level)
    sample = _alone(block, values, kind=block.kind, **units)
    error, interval = _of_mean(sample, level, settings.rng)
    return ScoreSpread(
        sd=_sd(values) if weights is None else None,
        standard_error=error,
        interval=interval,
        sd_over=f"{block.unit}s",
        error_over=over,
        no_sd="" if weights is None else f"the {block.unit}s have weights",
    )


def _alone(block: Scores, a: Floats, **more: Any) -> Sample:
    """Pair one system with scores of 0: the mean difference is its mean score."""
    names = {"system_a": "a", "system_b": "", "dataset": block.dataset, "metric": block.metric, "unit": block.unit}
    return Sample(**names | {"kind": "continuous", "a": a, "b": np.zeros_like(a)} | more)


def _of_counts(right: int, n: int, level: float) -> ScoreSpread:
    share = right / n
    return ScoreSpread(
        sd=math.sqrt(share * (1 - share) * n / (n - 1)) if n > 1 else None,
        standard_error=math.sqrt(share * (1 - share) / (n - 1)) if n > 1 and 0 < right < n else None,
        interval=wilson_interval(right, n, level),
    )


def _of_trainings(block: Scores, values: Floats, level: float) -> ScoreSpread:
    if block.shape == "run-scores":
        sample = _alone(block, values)
        error, interval = estimate_mean(sample).standard_error, student_t_interval(sample, level)
        return ScoreSpread(sd=_sd(values), standard_error=error, interval=interval, sd_over="runs", error_over="runs")
    folds = _alone(block, values, shape="folds")
    return ScoreSpread(
        sd=_sd(values.ravel()),
        standard_error=estimate_over_folds(folds).standard_error,
        interval=CORRECTED_RESAMPLED_T.interval.interval(folds, level, 0, (1.0, 1.0)),
        sd_over="folds",
        error_over="folds, corrected for the overlap of their training sets",
    )


def _of_mean(sample: Sample, level: float, seed: int) -> tuple[float | None, Interval | None]:
    """Return the standard error of a mean, and its interval: the bootstrap-t where it is skewed, else Student's t."""
    shape = shape_of(sample)
    estimate = estimate_of(shape.units)
    if sample.kind != "binary" and is_skewed(sample, shape):  # binary ones have weights or clusters here
        return estimate.standard_error, bootstrap_t_interval(sample, level, seed)
    return estimate.standard_error, student_t_interval(sample, level, estimate)


def _without_each(block: Scores, counts: Floats, clusters: NDArray[np.int64] | None) -> tuple[float, Floats]:
    """Return the value of a metric of sums, and its values without each instance or cluster."""
    if clusters is not None:
        _, codes = np.unique(clusters, return_inverse=True)
        counts = np.array([np.bincount(codes, weights=column) for column in counts.T]).T
    total = counts.sum(axis=0)
    return float(block.measure(total)), np.asarray(block.measure(total - counts))


def _jackknifed(
    value: float, left_out: Floats, level: float, over: str, no_sd: str, limit: float = math.inf
) -> ScoreSpread:
    """Return the jackknife standard error and t interval (Efron and Tibshirani 1993, chapter 11)."""
    n = left_out.size
    if n < 2 or not np.isfinite(left_out).all() or not math.isfinite(value):
        return ScoreSpread(error_over=over, no_sd=no_sd)
    error = math.sqrt((n - 1) / n * float(np.square(left_out - left_out.mean()).sum()))
    if error <= 1e-12 * abs(value):
        return ScoreSpread(error_over=over, no_sd=no_sd)
    estimate = Estimate(mean=value, standard_error=error, degrees_of_freedom=n - 1)
    interval = estimate.interval(level, title="jackknife t interval", citation="efron1993introduction", limit=limit)
    return ScoreSpread(standard_error=error, interval=interval, error_over=over, no_sd=no_sd)


def _sd(values: Floats) -> float | None:
    return float(np.std(values, ddof=1)) if values.size > 1 else None
