"""Fisher's exact test where only the numbers of right answers are known."""

from __future__ import annotations

from reportkit.intervals import choose_interval
from reportkit.scores.shapes.proportions import Proportions
from reportkit.significance.cautions.pairing import NOT_NEGATIVELY_CORRELATED, margin_details, pairing_unknown
from reportkit.significance.entry import RIGHT_ANSWERS, SignificanceTest
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.fisher_exact import fisher_tails


def aggregate_fisher(sample: Proportions, plan: ResamplingPlan) -> Outcome:
    """Fisher exact test of two proportions as if the two systems had been scored on independent samples.

    Which instances are right is not known, so nothing can be paired. Where the right answers of two systems on the same
    test set are positively correlated, as they mostly are, the test is conservative.

    Parameters
    ----------
    sample : Proportions
        k of n of each system.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Notes
    -----
    Null hypothesis: A is right at most as often as B. For independent samples it keeps the level at any n. The z-test
    does not, where the numbers of instances differ: with 5,000 and 1,000 of them and 98% right answers, its one-sided
    size is .054 at .05, but .013 at .01 and .0018 at .001. Fisher (1935), "The Design of Experiments".

    Examples
    --------
    >>> from reportkit.scores.shapes.sample import RightOf
    >>> sample = Proportions(system_a="s1", system_b="s2", dataset="ARC-easy", metric="accuracy", kind="binary",
    ...                      right=RightOf(1721, 2376, 1637, 2376))
    >>> round(aggregate_fisher(sample, ResamplingPlan()).p_greater, 5)
    0.00408
    """
    return AGGREGATE_FISHER.outcome(
        sample,
        fisher_tails(sample.right),
        statistic=sample.value_difference,
        statistic_name="difference in accuracy",
        n_nonzero=None,
    )


AGGREGATE_FISHER = SignificanceTest(
    name="aggregate-fisher",
    title="Fisher exact test",
    function=aggregate_fisher,
    shape="counts",
    kinds=frozenset({"binary"}),
    uses_weights=False,
    uses_clusters=False,
    effect="mean",
    interval=choose_interval.PROPORTIONS,
    estimand="difference in accuracy",
    null_hypothesis="A is right at most as often as B",
    hypotheses=RIGHT_ANSWERS,
    assumptions=(NOT_NEGATIVELY_CORRELATED,),
    citation="fisher1935design",
    summary="Exact test of k of n against k of n, for numbers too large for Boschloo's; conservative.",
    remarks=pairing_unknown,
    details=margin_details,
)
