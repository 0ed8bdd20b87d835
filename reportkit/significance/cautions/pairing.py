"""What it costs to leave a pairing aside, and what k of n can say where it is not known."""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.finding import Finding
from reportkit.language.numerals import p_value_range_text
from reportkit.scores.shapes.proportions import Proportions
from reportkit.scores.shapes.sample import Details, SideDetails
from reportkit.scores.shapes.unpaired import UnpairedScores
from reportkit.significance.margins import feasible_interval
from reportkit.significance.outcome import Outcome

SAME_POPULATION = "the instances of both systems are drawn from the same population"
"""Assumption of every unpaired test, besides independent instances."""


def pairing_findings(sample: UnpairedScores, outcome: Outcome) -> tuple[Finding, ...]:
    """Say that the pairing is lost: because it was asked for, or because there is none.

    Examples
    --------
    >>> import numpy as np
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9]), b=np.array([0.4, 0.5, 0.3]), n_common=2)
    >>> [finding.code for finding in pairing_findings(sample, None)]
    ['pairing-lost']
    """
    where = sample.label
    if sample.n_common:
        return (
            Finding(
                "pairing-lost",
                "warning",
                f"The two systems have {sample.n_common:,} instances in common, but are compared as independent "
                "samples, as you chose. A paired test is usually far more powerful, and this one keeps its level only "
                "if the scores on the common instances are not negatively correlated.",
                where=where,
                remedy="leave pairing='unpaired' away to compare on the common instances (missing='drop' if there are "
                "others)",
            ),
        )
    return (
        Finding(
            "different-instances",
            "info",
            "The two systems were scored on different instances: a difference between the instances cannot be told "
            "from one between the systems, unless both sets are drawn at random from the same population.",
            where=where,
        ),
    )


def unpaired_details(sample: UnpairedScores, outcome: Outcome) -> Details:
    """Sizes of both samples, and of what they have in common.

    Examples
    --------
    >>> import numpy as np
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9]), b=np.array([0.4, 0.5, 0.3]))
    >>> unpaired_details(sample, None).as_dict()
    {'n_common': 0, 'a': {'n_instances': 2}, 'b': {'n_instances': 3}}
    """
    return Details(
        n_common=sample.n_common,
        a=SideDetails(n_instances=sample.n_a),
        b=SideDetails(n_instances=sample.n_b),
    )


NOT_NEGATIVELY_CORRELATED = "the right answers of the two systems are not negatively correlated"
"""Assumption of every test that takes two systems with unknown pairing as independent samples."""


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
    where = sample.label
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
        f"is the same, the exact McNemar p-value of the claim that {better} is better is "
        f"{p_value_range_text(interval.low, interval.high)}, depending on the pairing.",
        where=where,
        remedy="give the score of every instance; or choose test='mcnemar-margins', which is valid for every pairing",
    )
