"""Student's paired t-test of the mean difference."""

from __future__ import annotations

from dataclasses import replace

from reportkit.errors import DesignError
from reportkit.scores.sample import Sample
from reportkit.significance.entry import MEAN_SCORES, MEASURED, IntervalMethod, SignificanceTest
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.units import estimate_mean, student_t_interval, student_t_margin


def paired_t(paired: Sample, plan: ResamplingPlan) -> Outcome:
    """Paired t-test of the (weighted) mean difference, with n - 1 degrees of freedom; clusters are ignored.

    Parameters
    ----------
    paired : Sample
        Scores whose mean says something.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Raises
    ------
    DesignError
        If all instances show the same difference and it is not 0, a single instance included: the data then hold no
        information on the variance, and p = 0 would be the claim of certainty.

    Notes
    -----
    Null hypothesis: the mean difference is at most 0. Assumes independent instances and a mean whose distribution is
    near normal. Student (1908). With weights, the standard error is that of a ratio of sums.

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.3]))
    >>> outcome = paired_t(paired, ResamplingPlan())
    >>> round(outcome.statistic, 4), round(outcome.p_greater, 4)
    (1.8516, 0.0806)
    """
    estimate = estimate_mean(replace(paired, clusters=None))
    if estimate.t is None:
        problem = (
            "'paired-t' needs two instances or more"
            if estimate.degrees_of_freedom == 0
            else f"'paired-t' cannot estimate a variance: every instance shows the same difference, {estimate.mean:g}"
        )
        raise DesignError(problem, where=paired.label, remedy="choose 'sign-flip', which needs no variance")
    return PAIRED_T.outcome(
        paired,
        Tails.of_t(estimate.t, estimate.degrees_of_freedom, identical=estimate.n_nonzero == 0),
        statistic=estimate.t,
        statistic_name=f"t({estimate.degrees_of_freedom})",
        n_nonzero=estimate.n_nonzero,
    )


PAIRED_T = SignificanceTest(
    name="paired-t",
    title="paired t-test",
    function=paired_t,
    kinds=MEASURED,
    uses_weights=True,
    interval=IntervalMethod(
        interval=lambda paired, level, seed, p_values: student_t_interval(replace(paired, clusters=None), level),
        margin=lambda paired, margin, seed: student_t_margin(replace(paired, clusters=None), margin),
    ),
    estimand="mean difference",
    hypotheses=MEAN_SCORES,
    assumptions=("the mean difference is approximately normally distributed",),
    citation="student1908probable",
    summary="Student's t of the mean difference; close to sign-flip for some hundred instances and more.",
    if_skewed="off level",
)
