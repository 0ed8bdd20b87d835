"""Tests of a metric of sums over all instances: bootstrap, jackknife, and swaps of outputs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.scores.sample import Sample
from reportkit.significance.cautions import caution
from reportkit.significance.corpus import (
    FEWEST_FOR_BOOTSTRAP,
    N_RESAMPLES,
    corpus_bootstrap_interval,
    corpus_bootstrap_margin,
    corpus_interval,
    jackknife,
    ratio_units,
    seed_key,
    unit_counts,
)
from reportkit.significance.entry import MEASURED, IntervalMethod, ResamplingPlan, SignificanceTest
from reportkit.significance.hypotheses import EXCHANGEABLE_OUTPUTS, METRIC_OF_ALL
from reportkit.significance.nulls import flip_tails
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.resamples import ExactColumns, all_swaps, resample_counts, swapped_differences
from reportkit.significance.tests.paired_means import drawn_tails
from reportkit.significance.tests.sign_flip import tails_of
from reportkit.significance.units import by_student_t

Floats = NDArray[np.float64]

TIE = 1e-12
"""Differences that are equal up to this part of the value of the metric are equal."""

ENOUGH_UNITS = 50
"""With fewer instances (clusters) the test can exceed its level: .0745 at .05 for F1 and n = 30, simulated."""


def corpus_bootstrap(paired: Sample, plan: ResamplingPlan) -> Outcome:
    """Run the paired bootstrap test of a metric of sums, such as BLEU or F1.

    Resamples of n instances (of whole clusters, if there are any) are drawn with replacement, the counts of A and of B
    are summed over each, and d* is the difference of the metric: p is the probability that d* is at least twice the
    observed difference d, that is by at least d more than expected. It is estimated as (s + 1) / (b + 1). Where the
    metric is a ratio of two sums and both systems have the same denominators, such as accuracy over tokens or the word
    error rate, it is computed exactly, as for infinitely many resamples.

    Parameters
    ----------
    paired : Sample
        Counts of A and B.
    plan : ResamplingPlan
        Number of random resamples, seed and thresholds. All pairs of a dataset share the resamples.

    Notes
    -----
    Null hypothesis: the metric of A, over the population of instances, is at most that of B. Assumes independent
    instances (clusters), and enough of them for resamples to stand for new test sets: one-sided size at .05 was .040 to
    .079 in simulations with n = 20 to 1,000. A resample on which the metric is undefined counts in both tails.
    Berg-Kirkpatrick, Burkett and Klein (2012), Figure 1 and footnote 5; with `>=` and the added 1, so that identical
    systems give p = 1.

    Examples
    --------
    >>> from reportkit.metrics.corpus import F1
    >>> a, b = np.array([[3.0, 1, 0], [2, 0, 2], [5, 1, 1]]), np.array([[3.0, 2, 0], [2, 1, 2], [4, 1, 2]])
    >>> paired = Sample(shape="corpus", system_a="a", system_b="b", dataset="cb", metric="F1", kind="continuous",
    ...                 a=a, b=b, measure=F1)
    >>> outcome = corpus_bootstrap(paired, ResamplingPlan())
    >>> round(outcome.estimate, 4), outcome.n_resamples, 0 < outcome.p_greater < 0.05
    (0.1077, 9999, True)
    """
    return corpus_bootstraps([paired], plan)[0]


def corpus_bootstraps(samples: Sequence[Sample], plan: ResamplingPlan, _: object = None) -> list[Outcome]:
    """Test many pairs as `corpus_bootstrap` does one; on a dataset, resamples are drawn once for all its pairs."""
    found: dict[int, tuple[Tails, Floats | None]] = {}
    alike: dict[tuple[int, ...], list[int]] = {}
    for index, paired in enumerate(samples):
        if paired.common_denominator:
            found[index] = drawn_tails(ratio_units(paired)), None
        else:
            alike.setdefault((*seed_key(paired, plan.seed), len(unit_counts(paired)[0])), []).append(index)
    for indices in alike.values():
        found |= zip(indices, _drawn_tails([samples[index] for index in indices], plan), strict=True)
    return [_outcome(paired, *found[index], plan) for index, paired in enumerate(samples)]


def _outcome(paired: Sample, tails: Tails, drawn: Floats | None, plan: ResamplingPlan) -> Outcome:
    """Return the outcome of a bootstrap; with the interval, if it uses the same resamples."""
    name, differing = f"difference in {paired.metric}", int(np.count_nonzero(paired.differing))
    outcome = CORPUS_BOOTSTRAP.outcome(paired, tails, statistic_name=name, n_nonzero=differing)
    if drawn is None or plan.level is None:
        return outcome
    p_values = outcome.p_greater, outcome.p_less
    return replace(outcome, interval=corpus_bootstrap_interval(paired, plan.level, plan.seed, p_values, drawn))


def _drawn_tails(samples: Sequence[Sample], plan: ResamplingPlan) -> list[tuple[Tails, Floats | None]]:
    """Return the tails of pairs with equally many units of a dataset; each system's metric is computed once a resample.

    Undefined resamples count in both tails. With them are the first differences, where an interval takes as many.
    """
    sides: dict[bytes, Floats] = {}
    pairs = []
    for paired in samples:
        both = unit_counts(paired)
        pairs.append([counts.tobytes() for counts in both])
        sides |= zip(pairs[-1], both, strict=True)
    n, k = sides[pairs[0][0]].shape
    key, value = seed_key(samples[0], plan.seed), samples[0].measure.oriented
    reached, drawn = np.zeros((len(samples), 2), dtype=np.int64), np.zeros(len(samples), dtype=np.int64)
    kept, first = plan.level is not None and plan.n_resamples == N_RESAMPLES, [list[Floats]() for _ in samples]
    unsettled, done = [*range(len(samples))], 0
    for stage in plan.stages():
        needed = dict.fromkeys(side for index in unsettled for side in pairs[index])
        place = {side: at for at, side in enumerate(needed)}
        columns = ExactColumns(np.hstack([sides[side] for side in place]), total=n)
        for counts in resample_counts(key, n, done, stage):
            values = value(columns.weighted(counts).reshape(len(counts), len(place), k))
            for index in unsettled:
                a, b = (values[:, place[side]] for side in pairs[index])
                twice, tolerance = 2 * samples[index].value_difference, tie_tolerance(samples[index])
                reached[index] += count_beyond(a - b, twice, twice, tolerance)
                if kept and stage == N_RESAMPLES:
                    first[index].append(a - b)
        drawn[unsettled], done = stage, stage
        unsettled = [index for index in unsettled if any(plan.is_open(int(count), stage) for count in reached[index])]
        if not unsettled:
            break
    p_min = math.exp(-n * math.log(n))
    return [
        (
            Tails.estimated(int(for_a), int(for_b), int(number), seed=plan.seed, p_min=p_min),
            np.concatenate(differences) if kept else None,
        )
        for (for_a, for_b), number, differences in zip(reached, drawn, first, strict=True)
    ]


def count_beyond(drawn: NDArray[np.float64], upper: float, lower: float, tolerance: float) -> tuple[int, int]:
    """Return the values at or above one threshold, and at or below another; undefined ones count in both."""
    return (
        int(np.count_nonzero(~(drawn < upper - tolerance))),
        int(np.count_nonzero(~(drawn > lower + tolerance))),
    )


def tie_tolerance(paired: Sample) -> float:
    """Return the absolute difference up to which two differences of the metric count as equal."""
    return TIE * max(abs(paired.value_a), abs(paired.value_b))


def _of_resamples(paired: Sample, outcome: Outcome) -> Iterator[Finding]:
    n_units, units = (paired.n, "instances") if paired.n_clusters is None else (paired.n_clusters, "clusters")
    if paired.beyond_half:
        yield caution("bootstrap-bias", paired.label, metric=paired.metric)
    if paired.few_differ:
        yield caution("few-resampled-units", paired.label, differing=paired.n_differing_units, n=n_units, units=units)
    elif n_units < ENOUGH_UNITS:
        where = f"{paired.label} ({n_units} {units})"
        yield caution("few-resampled-units/all", where, limit=ENOUGH_UNITS, units=units)


CORPUS_BOOTSTRAP = SignificanceTest(
    name="corpus-bootstrap",
    title="recentred paired bootstrap test",
    resamples=True,
    function=corpus_bootstrap,
    together=corpus_bootstraps,
    shape="corpus",
    kinds=MEASURED,
    interval=IntervalMethod(
        interval=corpus_bootstrap_interval,
        margin=lambda paired, margin, seed: corpus_bootstrap_margin(paired, margin, seed=seed),
        matched=False,
    ),
    estimand="difference in the metric",
    hypotheses=METRIC_OF_ALL,
    assumptions=("there are enough of them for resamples to stand for new test sets",),
    citation="bergkirkpatrick2012empirical",
    summary="Share of resamples on which a metric of sums (BLEU, F1) favours A by twice the observed difference.",
    title_with_clusters="recentred paired bootstrap test with whole clusters",
    remarks=_of_resamples,
)


def corpus_jackknife_t(paired: Sample, plan: ResamplingPlan) -> Outcome:
    """Run a t-test of the difference of a metric of sums, with the delete-one jackknife standard error.

    t = d / se, se = sqrt((n - 1) / n * sum (d_(-j) - mean)^2), n - 1 degrees of freedom; d_(-j) is the difference
    without instance j (without cluster j, if there are clusters, of which there are n).

    Parameters
    ----------
    paired : Sample
        Counts of A and B.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Raises
    ------
    DesignError
        If there is one unit only, if all delete-one values are equal although the systems differ, or if the metric is
        undefined without one of the instances: the data then hold no information on the variance.

    Notes
    -----
    Null hypothesis: the metric of A, over the population of instances, is at most that of B. Assumes independent
    instances (clusters) and a smooth metric. One-sided size at .05 was .039 to .065 in simulations with n = 20 to
    1,000, the best of the tests of corpus metrics. Efron and Tibshirani (1993), "An Introduction to the Bootstrap",
    chapter 11.

    Examples
    --------
    >>> from reportkit.metrics.corpus import ACCURACY
    >>> a, b = np.array([[9.0, 10.0], [7.0, 10.0], [8.0, 10.0]]), np.array([[8.0, 10.0], [7.0, 10.0], [5.0, 10.0]])
    >>> paired = Sample(shape="corpus", system_a="a", system_b="b", dataset="cb", metric="UAS", kind="continuous",
    ...                 a=a, b=b, measure=ACCURACY)
    >>> outcome = corpus_jackknife_t(paired, ResamplingPlan())  # Student's t of .1, 0, .3
    >>> round(outcome.statistic, 4), round(outcome.p_greater, 4)
    (1.5119, 0.1349)
    """
    return CORPUS_JACKKNIFE_T.t_outcome(
        paired, jackknife(paired), instead="choose 'approximate-randomization', which needs no variance"
    )


def _of_clusters(paired: Sample, outcome: Outcome) -> Iterator[Finding]:
    if outcome.n_clusters is not None and outcome.n_clusters < FEWEST_FOR_BOOTSTRAP:
        limits = ": too few for a bootstrap, and differences that matter can easily be missed"
        yield caution("few-clusters", paired.label, n=outcome.n_clusters, limits=limits)


CORPUS_JACKKNIFE_T = SignificanceTest(
    name="corpus-jackknife-t",
    title="jackknife t-test",
    function=corpus_jackknife_t,
    shape="corpus",
    kinds=MEASURED,
    interval=by_student_t(
        jackknife, interval="jackknife t interval", test="jackknife t-test", citation="efron1993introduction"
    ),
    estimand="difference in the metric",
    hypotheses=METRIC_OF_ALL,
    assumptions=("no single one changes the metric much, so the difference is approximately normally distributed",),
    citation="efron1993introduction",
    summary="t-test of a metric of sums (BLEU, F1) with the delete-one jackknife standard error.",
    title_with_clusters="jackknife t-test with whole clusters",
    remarks=_of_clusters,
)


def approximate_randomization(paired: Sample, plan: ResamplingPlan) -> Outcome:
    """Run the approximate randomization test of a metric of sums.

    If swapping the outputs of A and B changes nothing, each instance (each cluster) belongs to A or to B by a fair
    coin: p is the share of the 2^m swaps of the m differing instances with a difference of the metric at least as large
    as the observed one. All swaps are enumerated where at most a million differ in their sums: of 20 instances, or of
    hundreds that are right or wrong. Otherwise it is estimated as (s + 1) / (b + 1). Where the metric is a ratio of two
    sums and both systems have the same denominators, it is a sign-flip test of the numerators, computed exactly.

    Parameters
    ----------
    paired : Sample
        Counts of A and B.
    plan : ResamplingPlan
        Number of random swaps, seed and thresholds; needed only where there are too many swaps to enumerate.

    Notes
    -----
    Null hypothesis: the outputs of A and B are exchangeable, instance by instance. That is more than an equal metric:
    systems with equal F1 but another balance of precision and recall are not exchangeable, and the one-sided size at
    .05 was then .049 to .072 in simulations. A swap for which the metric is undefined counts in both tails. Noreen
    (1989), "Computer-Intensive Methods for Testing Hypotheses", chapter 2; Phipson and Smyth (2010) for the added 1.

    Examples
    --------
    >>> from reportkit.metrics.corpus import ACCURACY
    >>> a, b = np.array([[9.0, 10.0], [7.0, 10.0], [8.0, 10.0]]), np.array([[8.0, 10.0], [7.0, 10.0], [5.0, 10.0]])
    >>> paired = Sample(shape="corpus", system_a="a", system_b="b", dataset="cb", metric="UAS", kind="continuous",
    ...                 a=a, b=b, measure=ACCURACY)
    >>> outcome = approximate_randomization(paired, ResamplingPlan())
    >>> outcome.p_greater, outcome.method
    (0.25, 'exact')
    """
    tails = _ratio_tails(paired) if paired.common_denominator else swap_tails(paired, plan)
    return APPROXIMATE_RANDOMIZATION.outcome(
        paired,
        tails,
        statistic_name=f"difference in {paired.metric}",
        n_nonzero=int(np.count_nonzero(paired.differing)),
    )


def _ratio_tails(paired: Sample) -> Tails:
    """Return the tails of a sign-flip test: with the same denominators only the sum of the numerators changes."""
    units = ratio_units(paired)
    tails = tails_of(flip_tails(units.sums[None, :]).each()[0], units.sums)
    return tails.swapped() if units.swapped else tails


def swap_tails(paired: Sample, plan: ResamplingPlan) -> Tails:
    """Return the tails from all swaps, or from random ones, in favour of the system that comes first by name."""
    if paired.identical:
        return Tails.of_no_difference()
    turned = paired.system_b < paired.system_a
    a, b = unit_counts(paired)
    first, second = (b, a) if turned else (a, b)
    value = paired.measure.oriented
    difference, tolerance = float(value(first.sum(axis=0)) - value(second.sum(axis=0))), tie_tolerance(paired)
    p_min = math.ldexp(1.0, -paired.n_differing_units)
    everything = all_swaps(first, second, value)
    if everything is not None:
        for_first = for_second = 0.0
        for probabilities, values in everything:
            for_first += float(probabilities[~(values < difference - tolerance)].sum())
            for_second += float(probabilities[~(values > difference + tolerance)].sum())
        p_greater, p_less = min(for_first, 1.0), min(for_second, 1.0)
        tails = Tails(p_greater=p_greater, p_less=p_less, p_min=p_min, method="exact", algorithm="enumeration")
        return tails.swapped() if turned else tails
    rng = plan.rng(paired)

    def draw(number: int) -> tuple[int, int]:
        for_first = for_second = 0
        for drawn in swapped_differences(first, second, value, rng=rng, n_resamples=number):
            more, less = count_beyond(drawn, difference, difference, tolerance)
            for_first, for_second = for_first + more, for_second + less
        return for_first, for_second

    tails = Tails.estimated(*plan.count(draw), seed=plan.seed, p_min=p_min)
    return tails.swapped() if turned else tails


APPROXIMATE_RANDOMIZATION = SignificanceTest(
    name="approximate-randomization",
    title="approximate randomization test",
    resamples=True,
    function=approximate_randomization,
    shape="corpus",
    kinds=MEASURED,
    interval=replace(
        CORPUS_JACKKNIFE_T.interval,
        interval=lambda paired, level, seed, p_values: corpus_interval(paired, level, seed),
        matched=False,
    ),
    estimand="difference in the metric",
    hypotheses=EXCHANGEABLE_OUTPUTS,
    assumptions=("the outputs of equally good systems are exchangeable",),
    citation="noreen1989computer",
    summary="Share of swaps of the outputs of A and B with at least the observed difference in a metric of sums.",
    title_with_clusters="approximate randomization test with whole clusters",
)
