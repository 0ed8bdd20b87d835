"""Tests of two independent proportions: Fisher's and Boschloo's exact ones, and the usual z-test."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincc, gammaln, ndtr, xlogy

from reportkit.scores.sample import RightOf, Sample
from reportkit.significance.entry import IntervalMethod, ResamplingPlan, SignificanceTest
from reportkit.significance.hypotheses import RIGHT_ANSWERS
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.proportions import independent_margin, newcombe_interval
from reportkit.significance.unpaired import (
    NOT_NEGATIVELY_CORRELATED,
    SAME_POPULATION,
    margin_details,
    pairing_findings,
    pairing_unknown,
    unpaired_details,
)

HYPERGEOMETRIC_ERROR = 1e-9
"""Bound on the relative error of a hypergeometric tail above the smallest float."""


def fisher_exact(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """Run Fisher's exact test, one-sided in each direction.

    Given how many of all answers are right, the number of right answers of A is hypergeometric if both systems are
    right equally often: p = P(X >= a). The p-value is valid at any n, and conservative.

    Parameters
    ----------
    sample : Sample
        Scores of 0 or 1 (0 or -1 where lower is better).
    plan : ResamplingPlan
        Not needed; every test takes it.

    Notes
    -----
    Null hypothesis: A is right no more often than B. Fisher (1935), "The Design of Experiments".

    Examples
    --------
    >>> import numpy as np
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                 a=np.repeat([1.0, 0.0], [7, 1]), b=np.repeat([1.0, 0.0], [2, 6]))
    >>> outcome = fisher_exact(sample, ResamplingPlan())
    >>> round(outcome.p_greater, 6)  # (8 * 28 + 1 * 8) / 11440
    0.02028
    """
    entry = AGGREGATE_FISHER if sample.shape == "counts" else FISHER_EXACT
    return entry.outcome(sample, fisher_tails(sample.right), statistic_name="difference in accuracy")


def fisher_tails(right: RightOf) -> Tails:
    """Return both one-sided p-values."""
    return Tails(
        p_greater=fisher_p(right),
        p_less=fisher_p(right.swapped()),
        p_min=min(_least_fisher(right), _least_fisher(right.swapped())),
        method="exact",
        algorithm="hypergeometric",
        relative_error=HYPERGEOMETRIC_ERROR,
    )


def fisher_p(right: RightOf) -> float:
    """Return the one-sided p-value for the first of two proportions being larger.

    Examples
    --------
    >>> round(fisher_p(RightOf(3, 3, 0, 3)), 12)
    0.05
    """
    from scipy.stats import hypergeom  # imported here: it is slow to import

    a, n_a, b, n_b = right
    if a <= max(0, a + b - n_b):
        return 1.0
    return min(1.0, float(hypergeom.sf(a - 1, n_a + n_b, a + b, n_a)))


def _least_fisher(right: RightOf) -> float:
    """Return the smallest p-value that these numbers of right answers in all allow."""
    most = min(right.n_a, right.a + right.b)
    return fisher_p(RightOf(most, right.n_a, right.a + right.b - most, right.n_b))


PROPORTIONS = IntervalMethod(
    interval=lambda sample, level, seed, p_values: newcombe_interval(sample.right, level),
    margin=lambda sample, margin, seed: independent_margin(sample.right, margin),
    matched=False,
)
"""Newcombe's interval and the score test of a margin, for every test of two independent proportions."""


FISHER_EXACT = SignificanceTest(
    name="fisher-exact",
    title="Fisher exact test",
    function=fisher_exact,
    shape="unpaired",
    kinds=frozenset({"binary"}),
    interval=PROPORTIONS,
    estimand="difference in accuracy",
    hypotheses=RIGHT_ANSWERS,
    assumptions=(SAME_POPULATION,),
    citation="fisher1935design",
    summary="Exact conditional test of two independent proportions; valid at any n, and conservative.",
    remarks=pairing_findings,
    details=unpaired_details,
)


def _of_counts(entry: SignificanceTest, name: str, summary: str, *assumptions: str) -> SignificanceTest:
    """Return the same test of k of n against k of n, where the pairing of instances is unknown."""
    return replace(
        entry,
        name=name,
        shape="counts",
        assumptions=(NOT_NEGATIVELY_CORRELATED, *assumptions),
        summary=summary,
        remarks=pairing_unknown,
        details=margin_details,
    )


AGGREGATE_FISHER = _of_counts(
    FISHER_EXACT,
    "aggregate-fisher",
    "Exact test of k of n against k of n, for numbers too large for Boschloo's; conservative.",
)


MOST_TABLES = 1_000_000
"""Tables (n_a + 1) (n_b + 1) up to which the test takes a fraction of a second."""

RELATIVE_ERROR = 1e-6
"""Allowance for a maximum over the common proportion that lies between the points looked at."""

_TIE = 1e-9
_GRID = 16.0  # on the arcsine scale a binomial tail changes over about 1 / sqrt(n): this many points for each
_PEAKS = 3


def boschloo(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """Run Boschloo's test: Fisher's exact p-value as the statistic, distributed as at the worst common proportion.

    Under the null hypothesis both systems are right with the same probability, which is unknown. The p-value is the
    largest probability, over all values of it, of a table whose one-sided Fisher p-value is at most the observed one.
    It is never above Fisher's, and keeps the level at any n.

    Parameters
    ----------
    sample : Sample
        Scores of 0 or 1 (0 or -1 where lower is better).
    plan : ResamplingPlan
        Not needed; every test takes it.

    Notes
    -----
    Null hypothesis: A is right no more often than B. Boschloo (1970), "Raised conditional level of significance for
    the 2 x 2-table when testing the equality of two probabilities". The maximum is looked for on a grid, equidistant on
    the arcsine scale, and around its highest points; SciPy's `boschloo_exact` samples the proportion more coarsely.

    Examples
    --------
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                 a=np.repeat([1.0, 0.0], [7, 1]), b=np.repeat([1.0, 0.0], [2, 6]))
    >>> outcome = boschloo(sample, ResamplingPlan())
    >>> round(outcome.p_greater, 4), round(outcome.p_less, 4)
    (0.0106, 0.9912)
    """
    entry = AGGREGATE_BOSCHLOO if sample.shape == "counts" else BOSCHLOO
    return entry.outcome(sample, boschloo_tails(sample.right), statistic_name="difference in accuracy")


def boschloo_tails(right: RightOf) -> Tails:
    """Return both one-sided p-values."""
    return Tails(
        p_greater=boschloo_p(right),
        p_less=boschloo_p(right.swapped()),
        p_min=_least_boschloo(right.n_a, right.n_b),
        method="exact",
        algorithm="maximum over the common proportion",
        relative_error=RELATIVE_ERROR,
    )


def boschloo_p(right: RightOf) -> float:
    """Return the one-sided p-value for the first of two proportions being larger.

    Examples
    --------
    >>> round(boschloo_p(RightOf(7, 8, 2, 8)), 6)
    0.010635
    """
    if right.a + right.b in (0, right.n_a + right.n_b):
        return 1.0
    fisher = fisher_tables(right.n_a, right.n_b)
    extreme = fisher <= fisher[right.a, right.b] * (1 + _TIE)
    return min(1.0, largest_probability(extreme) * (1 + RELATIVE_ERROR))


@lru_cache(maxsize=16)
def boschloo_region(n_a: int, n_b: int, level: float) -> NDArray[np.int64]:
    """Return, for each number of right answers of A, the largest of B at which the test rejects; -1 if at none.

    Examples
    --------
    >>> boschloo_region(3, 3, 0.05)
    array([-1, -1, -1,  0])
    """
    tables = fisher_tables(n_a, n_b)
    values = np.unique(tables[tables <= min(1.0, 4 * level + 0.05)])
    low, high = 0, values.size  # the region holds the `low` smallest values
    while low < high:
        middle = (low + high + 1) // 2
        extreme = tables <= values[middle - 1] * (1 + _TIE)
        within = largest_probability(extreme) * (1 + RELATIVE_ERROR) <= level
        low, high = (middle, high) if within else (low, middle - 1)
    if low == 0:
        return np.full(n_a + 1, -1)
    return np.asarray((tables <= values[low - 1] * (1 + _TIE)).sum(axis=1) - 1)


@lru_cache(maxsize=4)
def fisher_tables(n_a: int, n_b: int) -> NDArray[np.float64]:
    """Return P(X_a >= a | a + b right answers) for every table, shape (n_a + 1, n_b + 1); read-only."""
    few, many = min(n_a, n_b), max(n_a, n_b)
    total, k = np.arange(n_a + n_b + 1)[:, None], np.arange(few + 1)  # k right answers of the smaller sample
    rest = total - k
    log_few, log_many, log_all = (_log_choose(n) for n in (few, many, n_a + n_b))
    log_pmf = log_few + log_many[np.clip(rest, 0, many)] - log_all[total]
    pmf = np.exp(np.where((rest >= 0) & (rest <= many), log_pmf, -np.inf))
    a, b = np.arange(n_a + 1)[:, None], np.arange(n_b + 1)
    # many right answers of A are few of B among all
    tables = np.cumsum(pmf[:, ::-1], axis=1)[:, ::-1][a + b, a] if n_a <= n_b else np.cumsum(pmf, axis=1)[a + b, b]
    tables.flags.writeable = False
    return np.asarray(tables)


def largest_probability(extreme: NDArray[np.bool_]) -> float:
    """Return the largest probability of a set of tables over the common proportion of two independent binomials.

    Parameters
    ----------
    extreme : ndarray of bool of shape (n_a + 1, n_b + 1)
        The set: with a table it holds all those with fewer right answers of B.
    """
    n_a, n_b = extreme.shape[0] - 1, extreme.shape[1] - 1
    points = math.ceil(_GRID * math.sqrt(n_a + n_b)) + 64
    grid = np.linspace(0.0, math.pi / 2, points + 2)[1:-1]
    probability = _probability(extreme)
    values = probability(grid)
    best, step = float(values.max()), float(grid[1] - grid[0])
    padded = np.concatenate(([-1.0], values, [-1.0]))
    peaks = np.flatnonzero((values >= padded[:-2]) & (values >= padded[2:]))
    for index in peaks[np.argsort(values[peaks])[::-1][:_PEAKS]]:
        centre, width = float(grid[index]), step
        for _ in range(4):
            near = np.clip(np.linspace(centre - width, centre + width, 9), 0.0, math.pi / 2)
            around = probability(near)
            centre, width = float(near[int(around.argmax())]), width / 4
            best = max(best, float(around.max()))
    return best


def _probability(extreme: NDArray[np.bool_]) -> Callable[..., NDArray[np.float64]]:
    """Return the probability at angles, with one tail for each number of right answers of the smaller sample."""
    n_a, n_b = extreme.shape[0] - 1, extreme.shape[1] - 1
    if n_a > n_b:  # wrong answers of B against wrong answers of A
        turned = _probability(extreme[::-1, ::-1].T)
        return lambda angles: turned(math.pi / 2 - angles)
    rows = np.flatnonzero(extreme.any(axis=1))
    most_b = extreme[rows].sum(axis=1) - 1

    def probability(angles: NDArray[np.float64]) -> NDArray[np.float64]:
        right = np.sin(angles)[:, None] ** 2
        if n_b < 50 * n_a:  # a sum of all terms costs less than this many tails
            below = np.minimum(np.cumsum(_binomial(n_b, right), axis=1)[:, most_b], 1.0)
        else:
            below = np.where(most_b == n_b, 1.0, betaincc(most_b + 1, np.maximum(n_b - most_b, 1), right))
        return np.asarray((_binomial(n_a, right)[:, rows] * below).sum(axis=1))

    return probability


def _binomial(n: int, right: NDArray[np.float64]) -> NDArray[np.float64]:
    k = np.arange(n + 1)
    return np.asarray(np.exp(_log_choose(n) + xlogy(k, right) + xlogy(n - k, 1 - right)))


def _log_choose(n: int) -> NDArray[np.float64]:
    k = np.arange(n + 1)
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))


def _least_boschloo(n_a: int, n_b: int) -> float:
    """Return the largest probability that one system is right everywhere and the other nowhere."""
    n = n_a + n_b
    return math.exp(n_a * math.log(n_a / n) + n_b * math.log(n_b / n))


BOSCHLOO = replace(
    FISHER_EXACT,
    name="boschloo",
    title="Boschloo exact test",
    function=boschloo,
    citation="boschloo1970raised",
    summary="Exact unconditional test of two independent proportions; more powerful than Fisher's.",
)


AGGREGATE_BOSCHLOO = _of_counts(
    BOSCHLOO,
    "aggregate-boschloo",
    "Exact test of k of n against k of n, as if the samples were independent; says what holds for any pairing.",
)


def pooled_z(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """Run the pooled z-test of two independent proportions.

    z = (a / n_a - b / n_b) / sqrt(p (1 - p) (1 / n_a + 1 / n_b)) with the pooled proportion p; no continuity
    correction.

    Parameters
    ----------
    sample : Sample
        Scores of 0 or 1 (0 or -1 where lower is better).
    plan : ResamplingPlan
        Not needed; every test takes it.

    Notes
    -----
    Null hypothesis: A is right no more often than B. Sadat Azer et al. (2020), Example 1. z^2 is Pearson's chi-squared
    of the 2 x 2 table.

    Examples
    --------
    >>> import numpy as np
    >>> sample = Sample(shape="unpaired",
    ...                 system_a="s1", system_b="s2", dataset="ARC-easy", metric="accuracy", kind="binary",
    ...                 a=np.repeat([1.0, 0.0], [1721, 655]), b=np.repeat([1.0, 0.0], [1637, 739]))
    >>> outcome = pooled_z(sample, ResamplingPlan())
    >>> round(outcome.statistic, 7), round(outcome.p_greater, 8)
    (2.6763676, 0.00372125)
    """
    right = sample.right
    entry = AGGREGATE_Z if sample.shape == "counts" else POOLED_Z
    return entry.outcome(sample, z_tails(right), statistic=z_of_proportions(right), statistic_name="z")


def z_of_proportions(right: RightOf) -> float:
    """Return the pooled z statistic, positive if the first proportion is larger; 0 if all answers are right or wrong.

    Examples
    --------
    >>> round(z_of_proportions(RightOf(566, 1172, 496, 1172)), 5)
    2.90449
    """
    a, n_a, b, n_b = right
    n, k = n_a + n_b, a + b
    if k in (0, n):
        return 0.0
    return (a * n_b - b * n_a) * math.sqrt(n / (n_a * n_b)) / math.sqrt(k * (n - k))


def z_tails(right: RightOf) -> Tails:
    """Return both one-sided p-values of the pooled z statistic."""
    if right.a + right.b in (0, right.n_a + right.n_b):
        return Tails.of_no_difference("asymptotic", "normal")
    z = z_of_proportions(right)
    return Tails(
        p_greater=float(ndtr(-z)),
        p_less=float(ndtr(z)),
        p_min=float(ndtr(-math.sqrt(right.n_a + right.n_b))),
        method="asymptotic",
        algorithm="normal",
    )


POOLED_Z = replace(
    FISHER_EXACT,
    name="pooled-z",
    title="two-proportion z-test",
    function=pooled_z,
    assumptions=(SAME_POPULATION, "both samples are large enough for the normal approximation"),
    citation="sadatazer2020claims",
    summary="The usual z-test of two independent proportions; found in most papers.",
)


AGGREGATE_Z = _of_counts(
    POOLED_Z,
    "aggregate-z",
    "z-test of k of n against k of n, as if the samples were independent; found in most papers.",
    "there are enough instances for the normal approximation",
)
