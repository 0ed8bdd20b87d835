"""The Mann-Whitney test of two independent samples: who scores better more often."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from reportkit.intervals import choose_interval
from reportkit.scores.shapes.unpaired import UnpairedScores
from reportkit.significance.cautions.pairing import SAME_POPULATION, pairing_findings, unpaired_details
from reportkit.significance.entry import ANY_KIND, WINS, SignificanceTest
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan

MOST_STEPS = 50_000_000
"""Additions up to which the exact distribution of the rank sum is computed; samples of about 50 each."""

RELATIVE_ERROR = 1e-12


def mann_whitney(sample: UnpairedScores, plan: ResamplingPlan) -> Outcome:
    """Mann-Whitney test (Wilcoxon's rank-sum test), with midranks for ties.

    U counts the pairs of an instance of A and one of B in which A scores better, ties as one half. Its distribution
    over all divisions of the scores is computed exactly for up to about 50 instances of each system, ties included;
    beyond, by the normal approximation with the variance for ties and a continuity correction.

    Parameters
    ----------
    sample : UnpairedScores
        Scores of any kind that can be ordered.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Notes
    -----
    Null hypothesis: the scores of both systems have the same distribution, against A scoring better more often than
    worse. It is about P(A > B), not about the means, which may differ the other way; and with the same P(A > B) but
    unequal spreads the level is not kept. Mann and Whitney (1947); Lehmann (1975), "Nonparametrics", section 1.4.

    Examples
    --------
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="rating", kind="ordinal",
    ...                         a=np.array([3.0, 4.0, 5.0, 5.0]), b=np.array([2.0, 3.0, 4.0]))
    >>> outcome = mann_whitney(sample, ResamplingPlan())
    >>> outcome.method, round(35 * outcome.p_greater, 9), round(outcome.estimate, 4)
    ('exact', 5.0, 0.6667)
    """
    first, second, swapped = sample.in_order()
    ranks = _doubled_ranks(np.concatenate((first, second)))
    n_first, n_second = first.size, second.size
    observed = int(ranks[:n_first].sum())
    tails = _exact(ranks, n_first, observed) or _normal(ranks, n_first, observed)
    # twice U minus its middle, in pairs: wins minus losses
    wins = observed - n_first * (n_first + 1) - n_first * n_second
    sign = -1.0 if swapped else 1.0
    return MANN_WHITNEY.outcome(
        sample,
        tails.swapped() if swapped else tails,
        statistic=sign * wins,
        statistic_name="pairs won by A minus pairs won by B",
        estimate=sign * wins / (n_first * n_second),
    )


def _doubled_ranks(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Twice the midranks: whole numbers."""
    ordered = np.sort(values)
    low, high = np.searchsorted(ordered, values, side="left"), np.searchsorted(ordered, values, side="right")
    return np.asarray(low + high + 1, dtype=np.int64)


def _exact(ranks: NDArray[np.int64], n_first: int, observed: int) -> Tails | None:
    """Tails of the sum of n_first of the ranks; None if that is too much work."""
    n = ranks.size
    if n_first > n - n_first:  # the sum of the other ranks is the rest
        tails = _exact(ranks[::-1], n - n_first, int(ranks.sum()) - observed)
        return None if tails is None else tails.swapped()
    most = int(np.sort(ranks)[n - n_first :].sum())
    if n * n_first * (most + 1) > MOST_STEPS:
        return None
    ways = np.zeros((n_first + 1, most + 1))
    ways[0, 0] = 1.0
    for rank in np.sort(ranks):
        ways[1:, rank:] += ways[:-1, : most + 1 - rank].copy()
    sums = ways[n_first]
    total = float(sums.sum())
    reached = np.flatnonzero(sums)
    return Tails(
        p_greater=min(1.0, float(sums[observed:].sum()) / total),
        p_less=min(1.0, float(sums[: observed + 1].sum()) / total),
        p_min=min(float(sums[reached[0]]), float(sums[reached[-1]])) / total,
        method="exact",
        algorithm="distribution of the rank sum",
        relative_error=RELATIVE_ERROR,
    )


def _normal(ranks: NDArray[np.int64], n_first: int, observed: int) -> Tails:
    n = ranks.size
    n_second = n - n_first
    centre = n_first * (n + 1)  # of the sum of doubled ranks
    ties = np.unique(ranks, return_counts=True)[1].astype(np.float64)
    variance = n_first * n_second * (n + 1 - float((ties**3 - ties).sum()) / (n * (n - 1))) / 3
    if variance <= 0:
        return Tails.of_no_difference("asymptotic", "normal")
    scale = math.sqrt(variance)
    most = int(np.sort(ranks)[n_second:].sum())
    return Tails(
        p_greater=float(ndtr(-(observed - centre - 1) / scale)),
        p_less=float(ndtr((observed - centre + 1) / scale)),
        p_min=float(ndtr(-(most - centre - 1) / scale)),
        method="asymptotic",
        algorithm="normal with continuity correction",
    )


MANN_WHITNEY = SignificanceTest(
    name="mann-whitney",
    title="Mann-Whitney test",
    function=mann_whitney,
    shape="unpaired",
    kinds=ANY_KIND,
    interval=choose_interval.SUPERIORITY,
    estimand="probability that A scores better minus probability that B does",
    null_hypothesis="A scores better than B no more often than B scores better than A",
    hypotheses=WINS,
    effect_words="superiority",
    assumptions=(SAME_POPULATION, "scores are distributed alike where the systems are equally good"),
    citation="mann1947test",
    summary="Rank test of P(A > B) against P(B > A), for ordinal scores; not a test of means.",
    remarks=pairing_findings,
    details=unpaired_details,
)
