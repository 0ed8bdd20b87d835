"""The z-test where only the numbers of right answers are known, with what they say whatever the pairing was."""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.finding import Finding
from reportkit.numerals import p_value_text
from reportkit.results.details import Details, SideDetails
from reportkit.results.proportions import Proportions
from reportkit.significance.entry import SignificanceTest
from reportkit.significance.hypotheses import RIGHT_ANSWERS
from reportkit.significance.margins import feasible_interval
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.pooled_z import z_of_proportions, z_tails


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
    >>> from reportkit.results.unpaired import RightOf
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


def margin_details(sample: Proportions, outcome: Outcome) -> Details:
    """Sizes, and the McNemar p-values that the margins allow in each direction if both have the same test set."""
    a, n_a, b, n_b = sample.right
    higher = sample.higher_is_better
    details = Details(
        a=SideDetails(n_right=a if higher else n_a - a, n_instances=n_a),
        b=SideDetails(n_right=b if higher else n_b - b, n_instances=n_b),
    )
    if n_a != n_b:
        return details
    return details | Details(a=_margins(a, b, n_a), b=_margins(b, a, n_a))


def _margins(one: int, other: int, n: int) -> SideDetails:
    interval = feasible_interval(one, other, n)
    return SideDetails(
        mcnemar_p_value_low=interval.low, mcnemar_p_value_high=interval.high, n_only_right_most=interval.most_wins
    )


def pairing_unknown(sample: Proportions, outcome: Outcome) -> Iterator[Finding]:
    """Say that the pairing is not known, and what can be said whatever it was."""
    a, n_a, b, n_b = sample.right
    where = f"{sample.system_a} v {sample.system_b} on {sample.dataset}"
    if n_a != n_b:
        yield Finding(
            "pairing-unknown",
            "warning",
            f"Only numbers of right answers are known, of {n_a:,} and of {n_b:,} instances: the systems are compared "
            "as independent samples, and what part of the test set they share is not known.",
            where=where,
            remedy="give the score of every instance",
        )
        return
    interval = feasible_interval(max(a, b), min(a, b), n_a)
    better = sample.system_a if a >= b else sample.system_b
    yield Finding(
        "pairing-unknown",
        "warning",
        "Only numbers of right answers are known, so the systems are compared as independent samples. If the test set "
        f"is the same, the exact McNemar p-value for {better} better lies between {p_value_text(interval.low)} and "
        f"{p_value_text(interval.high)}.",
        where=where,
        remedy="give the score of every instance; or choose test='mcnemar-margins', which is valid whatever the "
        "pairing was",
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
    estimand="difference in accuracy",
    null_hypothesis="A is right at most as often as B",
    hypotheses=RIGHT_ANSWERS,
    assumptions=(
        "the right answers of the two systems are not negatively correlated",
        "there are enough instances for the normal approximation",
    ),
    citation="sadatazer2020claims",
    summary="z-test of k of n against k of n, as if the samples were independent; says what holds for any pairing.",
    remarks=pairing_unknown,
    details=margin_details,
)
