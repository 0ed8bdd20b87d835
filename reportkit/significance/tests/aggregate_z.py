"""The z-test of two proportions where only the numbers of right answers are known."""

from __future__ import annotations

from reportkit.intervals import choose_interval
from reportkit.scores.shapes.proportions import Proportions
from reportkit.significance.cautions.pairing import NOT_NEGATIVELY_CORRELATED, margin_details, pairing_unknown
from reportkit.significance.entry import RIGHT_ANSWERS, SignificanceTest
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.pooled_z import z_of_proportions, z_size_findings, z_tails


def aggregate_z(sample: Proportions, plan: ResamplingPlan) -> Outcome:
    """z-test of two proportions as if the two systems had been scored on independent samples.

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
    Null hypothesis: A is right at most as often as B. Sadat Azer et al. (2020), Example 1.

    Examples
    --------
    >>> from reportkit.scores.shapes.sample import RightOf
    >>> sample = Proportions(system_a="s1", system_b="s2", dataset="ARC-easy", metric="accuracy", kind="binary",
    ...                      right=RightOf(1721, 2376, 1637, 2376))
    >>> outcome = aggregate_z(sample, ResamplingPlan())
    >>> round(outcome.statistic, 7), round(outcome.p_greater, 8)
    (2.6763676, 0.00372125)
    """
    right = sample.right
    return AGGREGATE_Z.outcome(
        sample, z_tails(right), statistic=z_of_proportions(right), statistic_name="z", n_nonzero=None
    )


AGGREGATE_Z = SignificanceTest(
    name="aggregate-z",
    title="two-proportion z-test",
    function=aggregate_z,
    shape="counts",
    kinds=frozenset({"binary"}),
    uses_weights=False,
    uses_clusters=False,
    effect="mean",
    interval=choose_interval.PROPORTIONS,
    estimand="difference in accuracy",
    null_hypothesis="A is right at most as often as B",
    hypotheses=RIGHT_ANSWERS,
    assumptions=(
        NOT_NEGATIVELY_CORRELATED,
        "there are enough instances for the normal approximation",
    ),
    citation="sadatazer2020claims",
    summary="z-test of k of n against k of n, as if the samples were independent; found in most papers.",
    remarks=pairing_unknown,
    size_remarks=z_size_findings,
    details=margin_details,
)
