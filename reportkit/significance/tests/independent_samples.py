"""Welch's t-test of two means, and the Mann-Whitney test of ranks, exact with ties."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from reportkit.scores.sample import Sample
from reportkit.significance.entry import ANY_KIND, MEASURED, IntervalMethod, ResamplingPlan, SignificanceTest, no_margin
from reportkit.significance.hypotheses import MEAN_SCORES, WINS
from reportkit.significance.interval import Estimate
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.units import by_student_t
from reportkit.significance.unpaired import SAME_POPULATION, pairing_findings, unpaired_details, unpaired_size_findings

_NO_VARIANCE = 1e-12
"""Deviations below this part of the largest score are the noise of floating-point arithmetic."""


def estimate_unpaired(sample: Sample) -> Estimate:
    """Estimate the difference of the means, its standard error, and Welch's degrees of freedom.

    se^2 = v_a + v_b with v = s^2 / n of each sample; df = (v_a + v_b)^2 / (v_a^2 / (n_a - 1) + v_b^2 / (n_b - 1)).

    Parameters
    ----------
    sample : Sample
        Scores whose mean says something.

    Notes
    -----
    Welch (1947), "The generalization of 'Student's' problem when several different population variances are involved".

    Examples
    --------
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3]))
    >>> estimate = estimate_unpaired(sample)
    >>> round(estimate.t, 4), round(estimate.degrees_of_freedom, 4)
    (3.153, 4.8496)
    """
    first, second, swapped = sample.in_order()
    scale = max(float(np.abs(first).max()), float(np.abs(second).max()))
    v, w = (variance_of_mean(scores, scale) for scores in (first, second))
    difference = float(first.mean() - second.mean()) if sample.value_difference else 0.0
    return _welch_estimate(0.0 - difference if swapped else difference, v, w, first.size, second.size, scale)


def _welch_estimate(mean: float, v: float, w: float, n: int, m: int, scale: float = 1.0) -> Estimate:
    """Add Welch's degrees of freedom to a difference of means with variances v and w, in units of scale^2."""
    if min(n, m) < 2 or v + w == 0:
        unknown = "a system has one instance only" if min(n, m) < 2 else "neither system's scores vary"
        return Estimate(mean=mean, standard_error=None, degrees_of_freedom=math.nan, unknown=unknown)
    freedom = (v + w) ** 2 / (v * v / (n - 1) + w * w / (m - 1))
    return Estimate(mean=mean, standard_error=scale * math.sqrt(v + w), degrees_of_freedom=freedom)


def variance_of_mean(scores: NDArray[np.float64], scale: float) -> float:
    """Return s^2 / n in units of scale^2: squares of very large scores would leave the range of a float."""
    if scale == 0 or scores.size == 1:
        return 0.0
    unit = scores / scale
    deviations = unit - unit.mean()
    if float(np.abs(deviations).max()) <= _NO_VARIANCE:
        return 0.0
    return float(np.square(deviations).sum()) / (scores.size - 1) / scores.size


def welch(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """Run Welch's t-test: two means, unequal variances, Satterthwaite's degrees of freedom.

    Parameters
    ----------
    sample : Sample
        Scores whose mean says something.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Raises
    ------
    DesignError
        If a system has one instance only, or if the scores of neither system vary though their means differ.

    Notes
    -----
    Null hypothesis: the mean score of A is at most that of B. Assumes independent instances and means whose
    distributions are near normal; not equal variances. Welch (1947).

    Examples
    --------
    >>> import numpy as np
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3]))
    >>> outcome = welch(sample, ResamplingPlan())
    >>> outcome.statistic_name, round(outcome.statistic, 4), round(outcome.p_greater, 4)
    ('t(4.8)', 3.153, 0.0132)
    """
    if sample.identical:
        tails = Tails.of_no_difference("asymptotic", "t")
        return WELCH.outcome(sample, tails, statistic=0.0, statistic_name="t")
    return WELCH.t_outcome(
        sample,
        estimate_unpaired(sample),
        digits=1,
        instead="choose 'studentised-permutation', which needs no variance",
    )


WELCH = SignificanceTest(
    name="welch",
    title="Welch t-test",
    function=welch,
    shape="unpaired",
    kinds=MEASURED,
    interval=by_student_t(
        estimate_unpaired, interval="Welch interval", test="Welch t-test", citation="welch1947generalization"
    ),
    estimand="difference of the means",
    hypotheses=MEAN_SCORES,
    assumptions=(SAME_POPULATION, "both means are approximately normally distributed"),
    citation="welch1947generalization",
    summary="t-test of two independent means with unequal variances; for fifty instances and more.",
    remarks=pairing_findings,
    size_remarks=unpaired_size_findings,
    details=unpaired_details,
)


def estimate_superiority(sample: Sample) -> Estimate:
    """Estimate P(A > B) - P(A < B) and its standard error from placements.

    The placement of a score of A is the share of the scores of B below it minus the share above it; those of B are
    defined likewise. The difference is the mean placement of A; its variance is the sum of the variances of both mean
    placements.

    Notes
    -----
    Brunner and Munzel (2000), "The nonparametric Behrens-Fisher problem: asymptotic theory and a small-sample
    approximation", sections 2 and 3, written for 2 p - 1.

    Examples
    --------
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="rating", kind="ordinal",
    ...                 a=np.array([3.0, 4.0, 5.0, 5.0]), b=np.array([2.0, 3.0, 4.0]))
    >>> estimate = estimate_superiority(sample)
    >>> round(estimate.mean, 4), round(estimate.standard_error, 4)
    (0.6667, 0.3227)
    """
    first, second, swapped = sample.in_order()
    above, below = _placements(first, second), _placements(second, first)
    difference = float(above.mean()) + 0.0
    v, w = (float(values.var(ddof=1)) / values.size if values.size > 1 else 0.0 for values in (above, below))
    return _welch_estimate(0.0 - difference if swapped else difference, v, w, first.size, second.size)


def _placements(scores: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of the (sorted) others below each score minus the share above it."""
    below = np.searchsorted(others, scores, side="left")
    above = others.size - np.searchsorted(others, scores, side="right")
    return np.asarray((below - above) / others.size, dtype=np.float64)


MOST_STEPS = 50_000_000
"""Additions up to which the exact distribution of the rank sum is computed; samples of about 50 each."""

RELATIVE_ERROR = 1e-12


PAIRS_WON = "pairs won by A minus pairs won by B"


def mann_whitney(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """Run the Mann-Whitney test (Wilcoxon's rank-sum test), with midranks for ties.

    U counts the pairs of an instance of A and one of B in which A scores better, ties as one half. Its distribution
    over all divisions of the scores is computed exactly for up to about 50 instances of each system, ties included;
    beyond, by the normal approximation with the variance for ties and a continuity correction.

    Parameters
    ----------
    sample : Sample
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
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="rating", kind="ordinal",
    ...                 a=np.array([3.0, 4.0, 5.0, 5.0]), b=np.array([2.0, 3.0, 4.0]))
    >>> outcome = mann_whitney(sample, ResamplingPlan())
    >>> outcome.method, round(35 * outcome.p_greater, 9), round(outcome.estimate, 4)
    ('exact', 5.0, 0.6667)
    """
    tails, wins = rank_sum_tails(sample)
    return MANN_WHITNEY.outcome(
        sample, tails, statistic=wins, statistic_name=PAIRS_WON, estimate=wins / (sample.a.size * sample.b.size)
    )


def rank_sum_tails(sample: Sample) -> tuple[Tails, float]:
    """Return the tails of the rank sum, exact where it can be enumerated, and the pairs won by A minus those by B."""
    first, second, swapped = sample.in_order()
    pooled = np.concatenate((first, second))
    ordered = np.sort(pooled)
    ranks = np.searchsorted(ordered, pooled, side="left") + np.searchsorted(ordered, pooled, side="right") + 1  # twice
    n_first, n_second = first.size, second.size
    observed = int(ranks[:n_first].sum())
    tails = _exact(ranks, n_first, observed) or _normal(ranks, n_first, observed)
    # wins minus losses over all pairs: 2 U - n_a n_b
    wins = float(observed - n_first * (n_first + 1) - n_first * n_second)
    return (tails.swapped(), -wins) if swapped else (tails, wins)


def _exact(ranks: NDArray[np.int64], n_first: int, observed: int) -> Tails | None:
    """Return the tails of the sum of n_first of the ranks; None if that is too much work."""
    n = ranks.size
    if n_first > n - n_first:  # the smaller group suffices: the sum of all ranks is fixed
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
    n, n_second = ranks.size, ranks.size - n_first
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
    interval=IntervalMethod(
        interval=lambda sample, level, seed, p_values: estimate_superiority(sample).interval(
            level, title="Brunner-Munzel interval", citation="brunner2000nonparametric", limit=1.0
        ),
        margin=no_margin,
        matched=False,
    ),
    estimand="probability that A scores better minus probability that B does",
    hypotheses=WINS,
    effect_words="superiority",
    assumptions=(SAME_POPULATION, "scores are distributed alike where the systems are equally good"),
    citation="mann1947test",
    summary="Rank test of P(A > B) against P(B > A), for ordinal scores; not a test of means.",
    remarks=pairing_findings,
    details=unpaired_details,
)
