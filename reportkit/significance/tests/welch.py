"""Welch's t-test of the means of two independent samples, and its interval."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DesignError
from reportkit.scores.sample import Sample
from reportkit.significance.entry import MEAN_SCORES, MEASURED, SignificanceTest, by_student_t
from reportkit.significance.interval import Estimate
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan
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
    sign = -1.0 if swapped else 1.0
    mean = sample.value_difference
    if min(first.size, second.size) < 2:
        return Estimate(mean=mean, standard_error=None, degrees_of_freedom=math.nan)
    scale = max(float(np.abs(first).max()), float(np.abs(second).max()))
    v, w = (variance_of_mean(scores, scale) for scores in (first, second))
    if v + w == 0:
        return Estimate(mean=mean, standard_error=None, degrees_of_freedom=math.nan)
    freedom = (v + w) ** 2 / (v * v / (first.size - 1) + w * w / (second.size - 1))
    difference = float(first.mean() - second.mean())
    return Estimate(
        mean=sign * difference if mean else 0.0,
        standard_error=scale * math.sqrt(v + w),
        degrees_of_freedom=freedom,
    )


def variance_of_mean(scores: NDArray[np.float64], scale: float) -> float:
    """s^2 / n in units of scale^2: squares of very large scores would leave the range of a float."""
    if scale == 0:
        return 0.0
    unit = scores / scale
    deviations = unit - unit.mean()
    if float(np.abs(deviations).max()) <= _NO_VARIANCE:
        return 0.0
    return float(np.square(deviations).sum()) / (scores.size - 1) / scores.size


def welch(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """Welch's t-test: two means, unequal variances, Satterthwaite's degrees of freedom.

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
    estimate = estimate_unpaired(sample)
    if estimate.t is None:
        problem = (
            "'welch' needs two instances or more of each system"
            if sample.n < 2
            else "'welch' cannot estimate a variance: neither system's scores vary"
        )
        raise DesignError(
            problem, where=sample.label, remedy="choose 'studentised-permutation', which needs no variance"
        )
    return WELCH.outcome(
        sample,
        Tails.of_t(estimate.t, estimate.degrees_of_freedom, digits=1),
        statistic=estimate.t,
        statistic_name=f"t({estimate.degrees_of_freedom:.1f})",
        estimate=estimate.mean,
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
