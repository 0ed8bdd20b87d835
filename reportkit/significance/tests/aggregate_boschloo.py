"""Boschloo's exact test where only the numbers of right answers are known."""

from __future__ import annotations

from reportkit.intervals import choose_interval
from reportkit.scores.shapes.proportions import Proportions
from reportkit.significance.cautions.pairing import NOT_NEGATIVELY_CORRELATED, margin_details, pairing_unknown
from reportkit.significance.entry import RIGHT_ANSWERS, SignificanceTest
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.boschloo import boschloo_tails


def aggregate_boschloo(sample: Proportions, plan: ResamplingPlan) -> Outcome:
    """Boschloo exact test of two proportions as if the two systems had been scored on independent samples.

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
    Null hypothesis: A is right at most as often as B. For independent samples it keeps the level at any n; the z-test
    of such counts has a one-sided size of up to .091 at .05 and .022 at .01 with 40 and 10 instances. Boschloo (1970),
    "Raised conditional level of significance for the 2 x 2-table when testing the equality of two probabilities".

    Examples
    --------
    >>> from reportkit.scores.shapes.sample import RightOf
    >>> sample = Proportions(system_a="s1", system_b="s2", dataset="ARC-easy", metric="accuracy", kind="binary",
    ...                      right=RightOf(7, 8, 2, 8))
    >>> round(aggregate_boschloo(sample, ResamplingPlan()).p_greater, 4)
    0.0106
    """
    return AGGREGATE_BOSCHLOO.outcome(
        sample,
        boschloo_tails(sample.right),
        statistic=sample.value_difference,
        statistic_name="difference in accuracy",
        n_nonzero=None,
    )


AGGREGATE_BOSCHLOO = SignificanceTest(
    name="aggregate-boschloo",
    title="Boschloo exact test",
    function=aggregate_boschloo,
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
    citation="boschloo1970raised",
    summary="Exact test of k of n against k of n, as if the samples were independent; says what holds for any pairing.",
    remarks=pairing_unknown,
    details=margin_details,
)
