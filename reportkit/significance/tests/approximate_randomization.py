"""Approximate randomization of a corpus metric: the outputs of A and B are swapped at random, instance by instance."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import binom, gammaln

from reportkit.scores.sample import Sample
from reportkit.significance.corpus import corpus_interval, jackknife, ratio_units, unit_counts
from reportkit.significance.entry import EXCHANGEABLE_OUTPUTS, MEASURED, IntervalMethod, SignificanceTest
from reportkit.significance.nulls import flip_tails
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.resamples import CELLS, ExactColumns
from reportkit.significance.tests.corpus_bootstrap import count_beyond, tie_tolerance
from reportkit.significance.tests.sign_flip import tails_of

Floats = NDArray[np.float64]

_MOST_SWAPS = 1 << 20  # essentially different swaps that are enumerated: of 20 rows that differ, each in its own way
_BLOCK = 1 << 15


def approximate_randomization(paired: Sample, plan: ResamplingPlan) -> Outcome:
    """Approximate randomization test of a metric of sums.

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
    """Tails from all swaps, or from random ones, in the direction of the system that comes first by name."""
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
        tails = Tails(
            p_greater=min(for_first, 1.0),
            p_less=min(for_second, 1.0),
            p_min=p_min,
            method="exact",
            algorithm="enumeration",
        )
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


def all_swaps(a: Floats, b: Floats, metric: Callable[[Floats], Floats]) -> Iterator[tuple[Floats, Floats]] | None:
    """Enumerate metric(A') - metric(B') over all swaps of the rows of A and B by fair coins.

    Of rows whose swap changes the sums alike, only the number of swapped ones matters, which is binomial: 200 instances
    with right or wrong labels have a few thousand swaps.

    Parameters
    ----------
    a, b : ndarray of shape (n, k)
        Counts per unit.
    metric : callable
        From sums of shape (..., k) to values of shape (...).

    Returns
    -------
    iterator of (ndarray, ndarray) or None
        Probabilities and differences, in blocks; a difference is NaN where the metric is undefined for one of the two.
        None if there are too many different swaps.

    Examples
    --------
    >>> a, b = np.array([[1.0], [1.0], [2.0]]), np.array([[0.0], [0.0], [2.0]])
    >>> [(probabilities, differences)] = all_swaps(a, b, lambda sums: sums[..., 0])
    >>> differences, probabilities.round(12)
    (array([-2.,  0.,  2.]), array([0.25, 0.5 , 0.25]))
    """
    moved = (a - b)[(a != b).any(axis=1)]
    first = moved[np.arange(len(moved)), (moved != 0).argmax(axis=1)]
    kinds, times = np.unique(moved * np.sign(first)[:, None] + 0.0, axis=0, return_counts=True)
    shape = tuple((times + 1).tolist())
    if math.prod(shape) > _MOST_SWAPS:
        return None
    total = a.sum(axis=0) + b.sum(axis=0)
    lowest = (total - times @ kinds) / 2.0
    chances = [_fair(int(number)) for number in times]

    def blocks() -> Iterator[tuple[Floats, Floats]]:
        for start in range(0, math.prod(shape), _BLOCK):
            counts = np.unravel_index(np.arange(start, min(start + _BLOCK, math.prod(shape))), shape)
            probabilities = np.prod([chance[count] for chance, count in zip(chances, counts, strict=True)], axis=0)
            sums = lowest + np.stack(counts, axis=1) @ kinds
            yield probabilities, metric(sums) - metric(total - sums)

    return blocks()


def _fair(n: int) -> Floats:
    """Return the probabilities of 0, ..., n heads of n fair coins."""
    heads = np.arange(n + 1.0)
    if n <= 1000:  # to the last bit
        return np.ldexp(binom(n, heads), -n)
    return np.asarray(np.exp(gammaln(n + 1.0) - gammaln(heads + 1.0) - gammaln(n - heads + 1.0) - n * math.log(2.0)))


def swapped_differences(
    a: Floats, b: Floats, metric: Callable[[Floats], Floats], *, rng: np.random.Generator, n_resamples: int
) -> Iterator[Floats]:
    """Return the differences metric(A') - metric(B') after swapping the rows of A and B by fair coins, in blocks.

    Parameters
    ----------
    a, b : ndarray of shape (n, k)
        Counts per unit.
    metric : callable
        From sums of shape (..., k) to values of shape (...).
    rng : numpy.random.Generator
        One bit is drawn per unit on which A and B differ and resample.
    n_resamples : int
        Number of random swaps.

    Yields
    ------
    ndarray of shape (number of resamples,)
        NaN where the metric is undefined for one of the two.

    Examples
    --------
    >>> a, b = np.array([[1.0], [1.0]]), np.array([[0.0], [0.0]])
    >>> drawn = np.concatenate(list(swapped_differences(a, b, lambda sums: sums[..., 0], n_resamples=1000,
    ...                                                  rng=np.random.default_rng(1))))
    >>> np.unique(drawn), bool(abs((drawn == 2).mean() - 0.25) < 0.05)
    (array([-2.,  0.,  2.]), True)
    """
    differs = (a != b).any(axis=1)
    moved = (b - a)[differs]
    sum_a, sum_b = a.sum(axis=0), b.sum(axis=0)
    n = len(moved)
    n_bytes, columns = -(-n // 8), ExactColumns(moved, total=n)
    rows = max(1, CELLS // max(8 * n_bytes, 1))
    while n_resamples > 0:
        bits = rng.integers(0, 256, size=(rows, n_bytes), dtype=np.uint8)  # always whole blocks: the stream goes on
        change = columns.weighted(np.unpackbits(bits, axis=1, count=n))
        yield (metric(sum_a + change) - metric(sum_b - change))[:n_resamples]
        n_resamples -= rows


APPROXIMATE_RANDOMIZATION = SignificanceTest(
    name="approximate-randomization",
    title="approximate randomization test",
    resamples=True,
    function=approximate_randomization,
    shape="corpus",
    kinds=MEASURED,
    interval=IntervalMethod(
        interval=lambda paired, level, seed, p_values: corpus_interval(paired, level, seed),
        margin=lambda paired, margin, seed: jackknife(paired).against(
            margin, title="jackknife t-test", citation="efron1993introduction"
        ),
        matched=False,
    ),
    estimand="difference in the metric",
    hypotheses=EXCHANGEABLE_OUTPUTS,
    assumptions=("the outputs of equally good systems are exchangeable",),
    citation="noreen1989computer",
    summary="Share of swaps of the outputs of A and B with at least the observed difference in a metric of sums.",
    title_with_clusters="approximate randomization test with whole clusters",
)
