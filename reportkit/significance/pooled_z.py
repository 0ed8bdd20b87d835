"""The z-test of two independent proportions with a pooled standard error."""

from __future__ import annotations

import math

from scipy.special import ndtr

from reportkit.intervals import choose_interval
from reportkit.results.unpaired import RightOf, UnpairedScores
from reportkit.significance.entry import SignificanceTest
from reportkit.significance.hypotheses import RIGHT_ANSWERS
from reportkit.significance.outcome import Outcome
from reportkit.significance.pairing_lost import SAME_POPULATION, pairing_findings, unpaired_details
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tails import Tails


def pooled_z(sample: UnpairedScores, plan: ResamplingPlan) -> Outcome:
    """z-test of two independent proportions.

    z = (a / n_a - b / n_b) / sqrt(p (1 - p) (1 / n_a + 1 / n_b)) with the pooled proportion p; no continuity
    correction.

    Parameters
    ----------
    sample : UnpairedScores
        Scores of 0 or 1 (0 or -1 where lower is better).
    plan : ResamplingPlan
        Not needed; every test takes it.

    Notes
    -----
    Null hypothesis: A is right at most as often as B. Sadat Azer et al. (2020), Example 1. z^2 is Pearson's chi-squared
    of the 2 x 2 table.

    Examples
    --------
    >>> import numpy as np
    >>> sample = UnpairedScores(system_a="s1", system_b="s2", dataset="ARC-easy", metric="accuracy", kind="binary",
    ...                         a=np.repeat([1.0, 0.0], [1721, 655]), b=np.repeat([1.0, 0.0], [1637, 739]))
    >>> outcome = pooled_z(sample, ResamplingPlan())
    >>> round(outcome.statistic, 7), round(outcome.p_greater, 8)
    (2.6763676, 0.00372125)
    """
    right = sample.right
    return POOLED_Z.outcome(
        sample, z_tails(right), statistic=z_of_proportions(right), statistic_name="z", n_nonzero=None
    )


def z_of_proportions(right: RightOf) -> float:
    """Pooled z statistic, positive if the first proportion is larger; 0 if all answers are right, or all wrong.

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
    """Both one-sided p-values of the pooled z statistic."""
    if right.a + right.b in (0, right.n_a + right.n_b):
        return Tails(p_greater=1.0, p_less=1.0, p_min=1.0, method="asymptotic", algorithm="normal")
    z = z_of_proportions(right)
    return Tails(
        p_greater=float(ndtr(-z)),
        p_less=float(ndtr(z)),
        p_min=float(ndtr(-math.sqrt(right.n_a + right.n_b))),
        method="asymptotic",
        algorithm="normal",
    )


POOLED_Z = SignificanceTest(
    name="pooled-z",
    title="two-proportion z-test",
    function=pooled_z,
    shape="unpaired",
    kinds=frozenset({"binary"}),
    uses_weights=False,
    uses_clusters=False,
    effect="mean",
    interval=choose_interval.PROPORTIONS,
    estimand="difference in accuracy",
    null_hypothesis="A is right at most as often as B",
    hypotheses=RIGHT_ANSWERS,
    assumptions=(SAME_POPULATION, "both samples are large enough for the normal approximation"),
    citation="sadatazer2020claims",
    summary="The usual z-test of two independent proportions; for a thousand instances and more.",
    remarks=pairing_findings,
    details=unpaired_details,
)
