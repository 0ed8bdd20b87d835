"""What is said where only numbers of right answers are known, whatever the pairing was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reportkit.finding import Finding
from reportkit.numerals import p_value_range_text
from reportkit.results.proportions import Proportions
from reportkit.significance.margins import feasible_interval
from reportkit.significance.outcome import Outcome

NOT_NEGATIVELY_CORRELATED = "the right answers of the two systems are not negatively correlated"
"""Assumption of every test that takes two systems with unknown pairing as independent samples."""


def margin_details(sample: Proportions, outcome: Outcome) -> Mapping[str, float | str]:
    """Sizes, and the McNemar p-values that the margins allow in each direction if both have the same test set."""
    a, n_a, b, n_b = sample.right
    details: dict[str, float | str] = {
        f"right answers of {sample.system_a}": a if sample.higher_is_better else n_a - a,
        f"right answers of {sample.system_b}": b if sample.higher_is_better else n_b - b,
        f"instances of {sample.system_a}": n_a,
        f"instances of {sample.system_b}": n_b,
    }
    if n_a != n_b:
        return details
    for system, one, other in ((sample.system_a, a, b), (sample.system_b, b, a)):
        interval = feasible_interval(one, other, n_a)
        details[f"smallest possible McNemar p-value for {system} better"] = interval.low
        details[f"largest possible McNemar p-value for {system} better"] = interval.high
        details[f"most instances that only {system} gets right"] = interval.most_wins
    return details


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
        f"is the same, the exact McNemar p-value for {better} better is, whatever the pairing was, "
        f"{p_value_range_text(interval.low, interval.high)}.",
        where=where,
        remedy="give the score of every instance; or choose test='mcnemar-margins', which is valid whatever the "
        "pairing was",
    )
