"""Welch's t-test of the means of two independent samples."""

from __future__ import annotations

from functools import partial

from reportkit.errors import DesignError
from reportkit.intervals import choose_interval
from reportkit.intervals.means.welch import estimate_unpaired
from reportkit.scores.shapes.unpaired import UnpairedScores
from reportkit.significance.cautions.pairing import SAME_POPULATION, pairing_findings, unpaired_details
from reportkit.significance.cautions.unpaired_sizes import unpaired_size_findings
from reportkit.significance.entry import MEAN_SCORES, MEASURED, SignificanceTest
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan


def welch(sample: UnpairedScores, plan: ResamplingPlan) -> Outcome:
    """Welch's t-test: two means, unequal variances, Satterthwaite's degrees of freedom.

    Parameters
    ----------
    sample : UnpairedScores
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
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3]))
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
    interval=choose_interval.WELCH,
    estimand="difference of the means",
    null_hypothesis="the mean score of A is at most that of B",
    hypotheses=MEAN_SCORES,
    assumptions=(SAME_POPULATION, "both means are approximately normally distributed"),
    citation="welch1947generalization",
    summary="t-test of two independent means with unequal variances; for fifty instances and more.",
    remarks=pairing_findings,
    size_remarks=partial(unpaired_size_findings, alike=True),
    details=unpaired_details,
)
