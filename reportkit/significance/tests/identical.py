"""Two systems that score the same on every instance: nothing to test."""

from __future__ import annotations

from reportkit.errors import DesignError
from reportkit.intervals import choose_interval
from reportkit.scores.shapes.sample import Sample
from reportkit.significance.entry import ANY_KIND, NOT_BETTER, SignificanceTest
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan


def identical(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """State that two systems show no difference: p = 1 on both sides.

    Many implementations give 0, NaN or an error here.

    Raises
    ------
    DesignError
        If the scores differ on some instance.

    Examples
    --------
    >>> import numpy as np
    >>> from reportkit.scores.shapes.paired_scores import PairedScores
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.5, 0.9]), b=np.array([0.5, 0.9]))
    >>> identical(paired, ResamplingPlan()).towards("two-sided").p_value
    1.0
    """
    if not sample.identical:
        raise DesignError(
            f"'identical' is for systems with the same output everywhere; on some of {sample.n:,} {sample.unit}s they "
            "differ",
            where=sample.label,
            remedy="name another test, or none",
        )
    tails = Tails.of_no_difference()
    return IDENTICAL.outcome(
        sample, tails, statistic=0.0, statistic_name="units with different scores", n_nonzero=0, estimate=0.0
    )


IDENTICAL = SignificanceTest(
    name="identical",
    title="comparison of identical scores",
    function=identical,
    kinds=ANY_KIND,
    uses_weights=True,
    interval=choose_interval.IDENTICAL,
    estimand="mean difference",
    null_hypothesis="A is not better than B",
    hypotheses=NOT_BETTER,
    monotone=True,
    tests_nothing=True,
    assumptions=(),
    citation="",
    summary="Both systems have the same score on every instance: p = 1.",
    title_with_clusters="comparison of identical scores",
)
