"""Boschloo's exact unconditional test of two independent proportions."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlogy

from reportkit.results.unpaired import RightOf, UnpairedScores
from reportkit.significance.entry import SignificanceTest
from reportkit.significance.hypotheses import RIGHT_ANSWERS
from reportkit.significance.outcome import Outcome
from reportkit.significance.pairing_lost import SAME_POPULATION, pairing_findings, unpaired_details
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tails import Tails

MOST_TABLES = 1_000_000
"""Tables (n_a + 1) (n_b + 1) up to which the test takes a fraction of a second, or two seconds at worst."""

RELATIVE_ERROR = 1e-6
"""Allowance for a maximum over the common proportion that lies between the points looked at."""

_TIE = 1e-9
_GRID = 16.0  # on the arcsine scale a binomial tail changes over about 1 / sqrt(n): so many points for each
_ROWS = 1 << 20


def boschloo(sample: UnpairedScores, plan: ResamplingPlan) -> Outcome:
    """Boschloo's test: Fisher's exact p-value as the statistic, its distribution at the worst common proportion.

    Under the null hypothesis both systems are right with the same probability, which is unknown. The p-value is the
    largest probability, over all values of it, of a table whose one-sided Fisher p-value is at most the observed one.
    It is never above Fisher's, and keeps the level at any n.

    Parameters
    ----------
    sample : UnpairedScores
        Scores of 0 or 1 (0 or -1 where lower is better).
    plan : ResamplingPlan
        Not needed; every test takes it.

    Notes
    -----
    Null hypothesis: A is right at most as often as B. Boschloo (1970), "Raised conditional level of significance for
    the 2 x 2-table when testing the equality of two probabilities". The maximum is looked for on a grid, equidistant on
    the arcsine scale, and around its highest points; SciPy's `boschloo_exact` samples the proportion more coarsely.

    Examples
    --------
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                         a=np.repeat([1.0, 0.0], [7, 1]), b=np.repeat([1.0, 0.0], [2, 6]))
    >>> outcome = boschloo(sample, ResamplingPlan())
    >>> round(outcome.p_greater, 4), round(outcome.p_less, 4)
    (0.0106, 0.9912)
    """
    right = sample.right
    tails = Tails(
        p_greater=boschloo_p(right),
        p_less=boschloo_p(right.swapped()),
        p_min=_least(right.n_a, right.n_b),
        method="exact",
        algorithm="maximum over the common proportion",
        relative_error=RELATIVE_ERROR,
    )
    return BOSCHLOO.outcome(
        sample, tails, statistic=sample.value_difference, statistic_name="difference in accuracy", n_nonzero=None
    )


def boschloo_p(right: RightOf) -> float:
    """One-sided p-value for the first of two proportions being larger.

    Examples
    --------
    >>> round(boschloo_p(RightOf(7, 8, 2, 8)), 6)
    0.010635
    """
    if right.a + right.b in (0, right.n_a + right.n_b):
        return 1.0
    fisher = _fisher_tables(right.n_a, right.n_b)
    extreme = fisher <= fisher[right.a, right.b] * (1 + _TIE)
    most_b = extreme.sum(axis=1) - 1  # row by row, the tables with few right answers of B are the extreme ones
    return min(1.0, _largest_probability(most_b, right.n_a, right.n_b) * (1 + RELATIVE_ERROR))


def _fisher_tables(n_a: int, n_b: int) -> NDArray[np.float64]:
    """P(X_a >= a | a + b right answers) for every table, shape (n_a + 1, n_b + 1)."""
    total, a = np.arange(n_a + n_b + 1), np.arange(n_a + 1)
    b = total[:, None] - a
    possible = (b >= 0) & (b <= n_b)
    log_a, log_b, log_all = (_log_choose(n) for n in (n_a, n_b, n_a + n_b))
    log_pmf = log_a + log_b[np.clip(b, 0, n_b)] - log_all[:, None]
    pmf = np.where(possible, np.exp(log_pmf), 0.0)
    tails = np.cumsum(pmf[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(tails[a[:, None] + np.arange(n_b + 1), a[:, None]])


def _log_choose(n: int) -> NDArray[np.float64]:
    k = np.arange(n + 1)
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))


def _largest_probability(most_b: NDArray[np.int64], n_a: int, n_b: int) -> float:
    """Largest P(X_b <= most_b[X_a]) over the common proportion of two independent binomials."""
    log_a, log_b = _log_choose(n_a), _log_choose(n_b)
    rows = np.flatnonzero(most_b >= 0)

    def probability(angle: NDArray[np.float64]) -> NDArray[np.float64]:
        right = np.sin(angle)[:, None] ** 2
        pmf_a = _binomial(log_a[rows], rows, n_a, right)
        cdf_b = np.cumsum(_binomial(log_b, np.arange(n_b + 1), n_b, right), axis=1)
        return np.asarray((pmf_a * cdf_b[:, most_b[rows]]).sum(axis=1))

    points = math.ceil(_GRID * math.sqrt(n_a + n_b)) + 64
    grid = np.linspace(0.0, math.pi / 2, points + 2)[1:-1]
    at_once = max(1, _ROWS // (n_a + n_b + 2))
    values = np.concatenate([probability(grid[start : start + at_once]) for start in range(0, points, at_once)])
    best = float(values.max())
    step = float(grid[1] - grid[0])
    for index in np.argsort(values)[::-1][:5]:
        centre, width = float(grid[index]), step
        for _ in range(4):
            near = np.clip(np.linspace(centre - width, centre + width, 17), 0.0, math.pi / 2)
            around = probability(near)
            centre, width = float(near[int(around.argmax())]), width / 8
            best = max(best, float(around.max()))
    return best


def _binomial(
    log_choose: NDArray[np.float64], k: NDArray[np.int64], n: int, right: NDArray[np.float64]
) -> NDArray[np.float64]:
    return np.asarray(np.exp(log_choose + xlogy(k, right) + xlogy(n - k, 1 - right)))


def _least(n_a: int, n_b: int) -> float:
    """Largest probability that one system is right everywhere and the other nowhere."""
    n = n_a + n_b
    return math.exp(n_a * math.log(n_a / n) + n_b * math.log(n_b / n))


BOSCHLOO = SignificanceTest(
    name="boschloo",
    title="Boschloo exact test",
    function=boschloo,
    shape="unpaired",
    kinds=frozenset({"binary"}),
    uses_weights=False,
    uses_clusters=False,
    effect="mean",
    estimand="difference in accuracy",
    null_hypothesis="A is right at most as often as B",
    hypotheses=RIGHT_ANSWERS,
    assumptions=(SAME_POPULATION,),
    citation="boschloo1970raised",
    summary="Exact unconditional test of two independent proportions; more powerful than Fisher's.",
    remarks=pairing_findings,
    details=unpaired_details,
)
