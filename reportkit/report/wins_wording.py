"""The effect of tests that count who scores better: a share of wins, not a difference of scores."""

from __future__ import annotations

from reportkit.numerals import percent_text, signed
from reportkit.replicability.comparison import Comparison
from reportkit.report.prose import Prose, prose
from reportkit.significance.assessment import Assessment
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS


def wins_sentence(comparison: Comparison) -> Prose:
    """Share of wins minus share of losses, smallest and largest; empty where a difference of scores is tested."""
    items = [item for item in comparison.assessments if item.outcome.test != "identical"]
    if not items or any(_effect(item) != "sign" for item in items):
        return ()
    what = "The share of {ratings} that favour {a}, minus the share that favour {b}, "
    fields = {
        "a": comparison.system_a,
        "b": comparison.system_b,
        "ratings": "ratings" if any("n_raters" in item.details for item in items) else "instances",
    }
    if len(comparison.assessments) == 1:
        return prose(what + "is {value}.", value=_value(items[0]), **fields)
    low, high = min(items, key=lambda item: item.difference), max(items, key=lambda item: item.difference)
    return prose(
        what + "ranges from {low} ({where_low}) to {high} ({where_high}).",
        low=signed(low.difference, 2),
        where_low=low.dataset,
        high=signed(high.difference, 2),
        where_high=high.dataset,
        **fields,
    )


def _effect(item: Assessment) -> str:
    return SIGNIFICANCE_TESTS[item.outcome.test].effect if item.outcome.test in SIGNIFICANCE_TESTS else "mean"


def _value(item: Assessment) -> str:
    value = signed(item.difference, 2)
    if item.interval is None:
        return value
    ends = f"[{signed(item.interval.low, 2)}, {signed(item.interval.high, 2)}]"
    return f"{value} ({percent_text(item.interval.level)} {item.interval.title} {ends})"
