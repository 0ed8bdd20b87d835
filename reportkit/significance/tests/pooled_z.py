"""The z-test of two independent proportions with a pooled standard error."""

from __future__ import annotations

import math
from dataclasses import replace

from scipy.special import ndtr

from reportkit.scores.sample import RightOf, Sample
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.fisher_exact import FISHER_EXACT
from reportkit.significance.unpaired import (
    NOT_NEGATIVELY_CORRELATED,
    SAME_POPULATION,
    margin_details,
    pairing_unknown,
)


def pooled_z(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """z-test of two independent proportions.

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


AGGREGATE_Z = replace(
    POOLED_Z,
    name="aggregate-z",
    shape="counts",
    assumptions=(
        NOT_NEGATIVELY_CORRELATED,
        "there are enough instances for the normal approximation",
    ),
    summary="z-test of k of n against k of n, as if the samples were independent; found in most papers.",
    remarks=pairing_unknown,
    details=margin_details,
)
