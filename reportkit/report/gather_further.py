"""What else is said of an analysis: of effects that stay possible, plans, printed tables and Friedman's test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from reportkit.errors import ReportkitError
from reportkit.replicability.friedman import FOLLOW_UP, FriedmanOutcome
from reportkit.replicability.printed import Reproduction
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.records import Plan, Possible
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, effect_words
from reportkit.significance.outcome import Outcome as Assessment

POWER = 0.8
ONE_POINT = 0.01
"""The difference that a plan is made for where none was declared and scores are proportions."""


def finite_or_none(value: float | None) -> float | None:
    """Return the number, or None for what JSON cannot hold."""
    return value if value is not None and math.isfinite(value) else None


def in_one_unit(items: Sequence[Assessment]) -> bool:
    """Whether all are differences of scores, and in percent all or none."""
    if any(effect_words(item) != "difference" for item in items if item.tested):
        return False
    return len({item.percent for item in items}) == 1


def largest_possible(part: ReplicabilityAnalysis) -> Possible | None:
    """The largest upper end of an interval."""
    found = [
        Possible(
            metric=comparison.metric,
            a=comparison.system_a,
            b=comparison.system_b,
            dataset=item.dataset,
            difference=item.interval.high,
            level=item.interval.level,
        )
        for comparison in part.comparisons
        if in_one_unit(comparison.assessments)
        for item in comparison.assessments
        if item.interval is not None and math.isfinite(item.interval.high)
    ]
    return max(found, key=lambda one: one.difference, default=None)


def planned(part: ReplicabilityAnalysis) -> Plan | None:
    """Instances for the declared difference, or for one percentage point where scores are proportions."""
    items = part.assessments
    rope = part.settings.rope
    difference = rope or (ONE_POINT if all(item.percent for item in items) else None)
    if difference is None:
        return None
    from reportkit.power_analysis.pilot import instances_needed  # only where nothing is shown

    level = part.alpha[0] / (part.n_hypotheses * (2 if part.design == "both" else 1))
    try:
        needed = [instances_needed(item, difference, level=level, power=POWER) for item in items]
    except ReportkitError:  # more than a billion
        return None
    known = [n for n in needed if n is not None]
    if len(known) < len(items):
        return None
    metric = part.comparisons[0].metric
    return Plan(metric=metric, difference=difference, declared=bool(rope), n=max(known), power=POWER)


def reproduced(item: Reproduction) -> dict[str, Any]:
    """Return what a printed table says, and what its scores say, as plain values."""
    printed = item.printed
    named = None if printed is None or printed.identified is None else list(printed.identified)
    return {
        "a": item.system_a,
        "b": item.system_b,
        "alpha": item.alpha,
        "n_datasets": item.n_datasets,
        "printed": None if printed is None else {"k_hat": dict(printed.k_hat), "named": named},
        "recomputed": dict(item.recomputed),
        "recomputed_at_rounding_ends": [dict(item.recomputed_low), dict(item.recomputed_high)],
        "named": list(item.identified),
        "wrong_direction": list(item.wrong_direction),
        "impossible": list(item.impossible),
        "marks_differ": item.marks_differ,
        "a_better": {reading: dict(values) for reading, values in item.a_better.items()},
        "b_better": {reading: dict(values) for reading, values in item.b_better.items()},
        "named_a": list(item.identified_a),
        "named_b": list(item.identified_b),
    }


def friedman_facts(outcome: FriedmanOutcome) -> dict[str, Any]:
    """Return Friedman's test as plain values."""
    follow_up = SIGNIFICANCE_TESTS[FOLLOW_UP]
    kept = ("chi_squared", "chi_squared_p", "f_p", "alpha")
    return {
        **{name: getattr(outcome, name) for name in kept},
        "systems": list(outcome.systems),
        "datasets": list(outcome.datasets),
        "average_ranks": dict(outcome.average_ranks),
        "f": finite_or_none(outcome.f),
        "degrees_of_freedom": list(outcome.degrees_of_freedom),
        "follow_up_title": follow_up.title,
        "follow_up_cite": follow_up.citation,
        "pairs": [{**asdict(pair), "differs": pair in outcome.differing} for pair in outcome.pairs],
    }
