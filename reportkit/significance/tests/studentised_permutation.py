"""Permutation test of two independent means with Welch's statistic."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from reportkit.intervals import choose_interval
from reportkit.intervals.means.permutation_t import variance_from_sums, with_smallest_keys
from reportkit.scores.shapes.unpaired import UnpairedScores
from reportkit.significance.cautions.pairing import SAME_POPULATION, pairing_findings, unpaired_details
from reportkit.significance.cautions.unpaired_sizes import unpaired_size_findings
from reportkit.significance.entry import MEAN_SCORES, MEASURED, SignificanceTest
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan

MOST_ENUMERATED = 200_000
"""Ways of dividing the instances up to which all are looked at."""

_TIE = 1e-9  # statistics this close are equal: sums in another order differ by their last digits
_NO_VARIANCE = 1e-13
_CANCELLED = 1e-5  # sums of squares of values up to 1 say nothing certain about variances below this
_VALUES = 1 << 21


def studentised_permutation(sample: UnpairedScores, plan: ResamplingPlan) -> Outcome:
    """Permutation test with the statistic of Welch's t-test.

    All scores are divided anew between the two systems, n_a and n_b of them: p is the share of all divisions whose t is
    at least the observed one. It is exact if the two systems' scores have the same distribution where the systems are
    equally good, and, thanks to the studentised statistic, keeps its level for large n if they only have the same mean.

    Parameters
    ----------
    sample : UnpairedScores
        Scores whose mean says something.
    plan : ResamplingPlan
        Number of random divisions and seed, where there are more than 200,000.

    Notes
    -----
    Null hypothesis: the mean score of A is at most that of B. Janssen (1997), "Studentized permutation tests for
    non-i.i.d. hypotheses and the generalized Behrens-Fisher problem"; Chung and Romano (2013), "Exact and
    asymptotically robust permutation tests", section 2.

    Examples
    --------
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3]))
    >>> outcome = studentised_permutation(sample, ResamplingPlan())
    >>> outcome.method, outcome.p_greater == 2 / 35, outcome.p_min == 1 / 35
    ('exact', True, True)
    """
    first, second, swapped = sample.in_order()
    pooled = np.concatenate((first, second))
    values = _centred(pooled)
    observed = float(_statistics(values[None, : first.size], values[None, first.size :])[0])
    tails = _tails(values, first.size, observed, sample, plan)
    sign = -1.0 if swapped else 1.0
    finite = math.isfinite(observed)
    return STUDENTISED_PERMUTATION.outcome(
        sample,
        tails.swapped() if swapped else tails,
        statistic=sign * observed if finite else sample.value_difference,
        statistic_name="t" if finite else "difference of the means",
    )


def _tails(
    values: NDArray[np.float64], n_first: int, observed: float, sample: UnpairedScores, plan: ResamplingPlan
) -> Tails:
    n = values.size
    n_divisions = math.comb(n, n_first)
    if not values.any():
        return Tails.of_no_difference("exact", "enumeration")
    if n_divisions <= MOST_ENUMERATED:
        for_first, for_second = _extreme(values, _all_divisions(n, n_first), observed)
        return Tails(
            p_greater=for_first / n_divisions,
            p_less=for_second / n_divisions,
            p_min=1 / n_divisions,
            method="exact",
            algorithm="enumeration",
        )
    rng = plan.rng(sample)
    at_once = max(1, _VALUES // n)

    def draw(number: int) -> tuple[int, int]:
        greater = less = 0
        for start in range(0, number, at_once):
            keys = rng.random((min(at_once, number - start), n))
            more, fewer = _extreme(values, with_smallest_keys(keys, n_first), observed)
            greater, less = greater + more, less + fewer
        return greater, less

    log_divisions = math.lgamma(n + 1) - math.lgamma(n_first + 1) - math.lgamma(n - n_first + 1)
    return Tails.estimated(*plan.count(draw), seed=plan.seed, p_min=math.exp(-log_divisions))


def _centred(pooled: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores with mean 0 and largest absolute value 1: t does not change, and sums of squares lose nothing."""
    scale = float(np.abs(pooled).max())
    values = pooled / scale if scale else pooled
    values = values - values.mean()
    spread = float(np.abs(values).max())
    return np.asarray(values / spread if spread > _NO_VARIANCE else np.zeros_like(values))


@lru_cache(maxsize=2)
def _all_divisions(n: int, n_first: int) -> NDArray[np.bool_]:
    """Which of n instances are in the first sample, for every division; shape (n_divisions, n)."""
    chosen = np.fromiter(chain.from_iterable(combinations(range(n), n_first)), dtype=np.int64).reshape(-1, n_first)
    in_first = np.zeros((chosen.shape[0], n), dtype=bool)
    np.put_along_axis(in_first, chosen, True, axis=1)
    in_first.flags.writeable = False
    return in_first


def _extreme(values: NDArray[np.float64], in_first: NDArray[np.bool_], observed: float) -> tuple[int, int]:
    """Divisions with a statistic at least, and at most, the observed one."""
    statistics = _of_divisions(values, in_first)
    slack = _TIE * max(1.0, abs(observed)) if math.isfinite(observed) else 0.0
    return int(np.count_nonzero(statistics >= observed - slack)), int(np.count_nonzero(statistics <= observed + slack))


def _of_divisions(values: NDArray[np.float64], in_first: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Welch's t of each division from sums; with deviations from the means where sums of squares would cancel."""
    n = values.size
    n_first = int(np.count_nonzero(in_first[0]))
    n_second = n - n_first
    sums, squares = (in_first.astype(np.float64) @ np.stack((values, values**2), axis=1)).T
    rest, other_squares = values.sum() - sums, float(np.square(values).sum()) - squares
    difference = sums / n_first - rest / n_second
    variance = variance_from_sums(sums, squares, n_first) + variance_from_sums(rest, other_squares, n_second)
    safe = variance > _CANCELLED
    with np.errstate(divide="ignore", invalid="ignore"):
        t = difference / np.sqrt(np.where(safe, variance, np.nan))
    close = np.flatnonzero(~safe)
    if close.size:
        masks = in_first[close]
        spread = np.broadcast_to(values, masks.shape)
        t[close] = _statistics(spread[masks].reshape(-1, n_first), spread[~masks].reshape(-1, n_second))
    t[np.abs(difference) <= _NO_VARIANCE] = 0.0
    return np.asarray(t)


def _statistics(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Welch's t of each row; infinite where neither sample varies and the means differ."""
    difference = first.mean(axis=1) - second.mean(axis=1)
    difference[np.abs(difference) <= _NO_VARIANCE] = 0.0
    variance = _variance_of_mean(first) + _variance_of_mean(second)
    varies = variance > _NO_VARIANCE**2
    with np.errstate(divide="ignore", invalid="ignore"):
        t = difference / np.sqrt(np.where(varies, variance, 0.0))
    return np.asarray(np.where(difference == 0, 0.0, t))


def _variance_of_mean(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    n = samples.shape[1]
    if n < 2:
        return np.zeros(samples.shape[0])
    deviations = samples - samples.mean(axis=1, keepdims=True)
    return np.asarray(np.square(deviations).sum(axis=1) / (n - 1) / n)


STUDENTISED_PERMUTATION = SignificanceTest(
    name="studentised-permutation",
    title="studentised permutation test",
    resamples=True,
    function=studentised_permutation,
    shape="unpaired",
    kinds=MEASURED,
    interval=choose_interval.PERMUTED_T,
    estimand="difference of the means",
    null_hypothesis="the mean score of A is at most that of B",
    hypotheses=MEAN_SCORES,
    assumptions=(
        SAME_POPULATION,
        "scores are distributed alike where the systems are equally good, or there are many of them",
    ),
    citation="chung2013exact",
    summary="Permutation of Welch's t; exact for scores that are distributed alike, robust for others.",
    remarks=pairing_findings,
    size_remarks=unpaired_size_findings,
    details=unpaired_details,
)
