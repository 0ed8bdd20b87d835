"""The z-test of two independent proportions with a pooled standard error."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtr, ndtri, xlogy

from reportkit.finding import Finding
from reportkit.scores.sample import RightOf, Sample
from reportkit.significance.cautions import (
    NOT_NEGATIVELY_CORRELATED,
    SAME_POPULATION,
    margin_details,
    pairing_unknown,
)
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.skewness import levels_used, sizes_text
from reportkit.significance.tests.fisher_exact import FISHER_EXACT

_NEGLIGIBLE = 9.0
"""Numbers of right answers further from their mean than so many standard deviations (and 40) are left out."""

_TOLERATED = 1.1
"""Sizes up to this many times the level are not worth a word."""


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
    return POOLED_Z.outcome(sample, z_tails(right), statistic=z_of_proportions(right), statistic_name="z")


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


def z_sizes(right: RightOf, levels: Sequence[float]) -> tuple[float, ...]:
    """One-sided sizes of the z-test, in the worse direction, if both systems are right as often as all answers here.

    The probabilities of all tables are summed, but for those that are negligible together.

    Examples
    --------
    >>> [round(size, 3) for size in z_sizes(RightOf(39, 40, 10, 10), (0.05, 0.01))]
    [0.088, 0.008]
    """
    share = (right.a + right.b) / (right.n_a + right.n_b)
    (a, p_a), (b, p_b) = (_likely(n, share) for n in (right.n_a, right.n_b))
    k, n = a[:, None] + b, right.n_a + right.n_b
    spread = np.sqrt(np.maximum(k * (n - k), 1) * (right.n_a * right.n_b / n))
    z = (a[:, None] * float(right.n_b) - b * float(right.n_a)) / spread
    weights = p_a[:, None] * p_b
    quantiles = [-float(ndtri(level)) for level in levels]
    return tuple(max(float(weights[z >= q].sum()), float(weights[z <= -q].sum())) for q in quantiles)


def _likely(n: int, share: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Numbers of right answers of which the others together are negligible, with their probabilities."""
    width = _NEGLIGIBLE * math.sqrt(n * share * (1 - share)) + 40
    k = np.arange(max(0, int(n * share - width)), min(n, int(n * share + width) + 1) + 1)
    log_pmf = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + xlogy(k, share) + xlogy(n - k, 1 - share)
    return k, np.exp(log_pmf)


def z_size_findings(sample: Sample, outcome: Outcome, thresholds: Sequence[float]) -> Iterator[Finding]:
    """Warn where the z-test rejects more often than its level at these numbers of instances and right answers."""
    right = sample.right
    if right.a + right.b in (0, right.n_a + right.n_b):
        return
    levels = levels_used(outcome, thresholds)
    sizes = list(zip(levels, z_sizes(right, levels), strict=True))
    if any(size > _TOLERATED * level for level, size in sizes):
        yield Finding(
            "z-test-off-level",
            "warning",
            f"At these numbers of instances ({right.n_a:,} and {right.n_b:,}) the z-test finds a system better that is "
            f"right exactly as often as the other about {sizes_text(sizes)}.",
            where=sample.label,
            remedy="use the recommended profile, which has exact tests",
        )


POOLED_Z = replace(
    FISHER_EXACT,
    name="pooled-z",
    title="two-proportion z-test",
    function=pooled_z,
    assumptions=(SAME_POPULATION, "both samples are large enough for the normal approximation"),
    citation="sadatazer2020claims",
    summary="The usual z-test of two independent proportions; found in most papers.",
    size_remarks=z_size_findings,
)


def aggregate_z(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """z-test of two proportions as if the two systems had been scored on independent samples.

    Which instances are right is not known, so nothing can be paired. Where the right answers of two systems on the same
    test set are positively correlated, as they mostly are, the test is conservative.

    Parameters
    ----------
    sample : Sample
        k of n of each system.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Notes
    -----
    Null hypothesis: A is right no more often than B. Sadat Azer et al. (2020), Example 1.

    Examples
    --------
    >>> from reportkit.scores.sample import RightOf
    >>> sample = Sample(shape="counts",
    ...                 system_a="s1", system_b="s2", dataset="ARC-easy", metric="accuracy", kind="binary",
    ...                 counts=RightOf(1721, 2376, 1637, 2376))
    >>> outcome = aggregate_z(sample, ResamplingPlan())
    >>> round(outcome.statistic, 7), round(outcome.p_greater, 8)
    (2.6763676, 0.00372125)
    """
    right = sample.right
    return AGGREGATE_Z.outcome(sample, z_tails(right), statistic=z_of_proportions(right), statistic_name="z")


AGGREGATE_Z = replace(
    POOLED_Z,
    name="aggregate-z",
    function=aggregate_z,
    shape="counts",
    assumptions=(
        NOT_NEGATIVELY_CORRELATED,
        "there are enough instances for the normal approximation",
    ),
    summary="z-test of k of n against k of n, as if the samples were independent; found in most papers.",
    remarks=pairing_unknown,
    details=margin_details,
)
