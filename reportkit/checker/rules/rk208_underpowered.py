"""The claimed gain is below the minimum detectable difference at this n.

What it does
------------
For each score of a table that carries a mark and is linked to the data, computes the smallest true difference that this
comparison would show with power .8 at the level of the analysis, and reports marked gains below it, with the factor by
which a true difference of half that size would be overstated (type M error).

Why
---
A comparison that can only show three points finds a gain of two by luck: those that reach the level are the overstated
ones. Card et al. (2020), "With little power comes great responsibility"; Gelman and Carlin (2014). ACL Rolling Review,
guideline R5. The minimum detectable difference takes from the results how well the difference is known, never the
difference itself.

Example
-------
    On 200 instances, 71.5* against 69.0; the comparison shows 5.4 points with power .8.

Instead
-------
    State the minimum detectable difference beside the gain, and its interval; test on more instances.

When it is wrong
----------------
The mark itself is not wrong: the test keeps its level. Only the size of the gain is likely to be overstated.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

if TYPE_CHECKING:
    from reportkit.analysis.analysis import Analysis
    from reportkit.replicability.comparison import Comparison
    from reportkit.significance.outcome import Outcome

POWER = 0.8


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each table with marked gains that the comparison could hardly have shown."""
    analysis = context.data.analysis
    if analysis is None or analysis.results is None:
        return
    known = _against_the_only_baseline(analysis)
    for table in context.linked_tables:
        small = []
        for cell in table.scores():
            if not cell.cell.marks or (cell.metric, cell.system, cell.dataset) not in known:
                continue
            comparison, item = known[cell.metric, cell.system, cell.dataset]
            context.coverage.claim(context.number, cell.cell.span)
            detectable = _detectable(analysis, comparison, item)
            if detectable is not None and 0 < item.difference < detectable:
                small.append((cell, item, detectable))
        if small:
            cell, item, detectable = min(small, key=lambda one: one[1].difference / one[2])
            gain, needed = cell.scale * item.difference, cell.scale * detectable
            yield RULE.at(
                context.paper,
                cell.cell.span,
                f"{len(small)} marked gain{'s are' if len(small) > 1 else ' is'} below what the comparison shows with "
                f"power {POWER:.0%}; on {item.dataset!r} {gain:.2g} where {needed:.2g} would be shown"
                f"{_overstated(item, detectable)}.",
                where="; ".join(one.dataset for _, one, _ in small[:6]),
                remedy="give the interval and the minimum detectable difference beside it, or test on more instances",
            )


def _against_the_only_baseline(analysis: Analysis) -> dict[tuple[str, str, str], tuple[Comparison, Outcome]]:
    """Assessments by (metric, system, dataset), if every claim is against one baseline."""
    if analysis.design not in ("declared", "baselines") or len({item.system_b for item in analysis.comparisons}) != 1:
        return {}
    return {
        (item.metric, comparison.system_a, item.dataset): (comparison, item)
        for comparison in analysis.comparisons
        for item in comparison.assessments
    }


def _detectable(analysis: Analysis, comparison: Comparison, item: Outcome) -> float | None:
    """Minimum detectable difference at the level of the analysis, in units of the score."""
    from reportkit.errors import ReportkitError
    from reportkit.evidence.samples import samples_of
    from reportkit.power_analysis.realised import realised_minimum_detectable

    results = analysis.results
    if results is None or item.kind == "ordinal":
        return None
    try:
        one = results.select(datasets=[item.dataset])
        (sample,) = samples_of(one, comparison.system_a, comparison.system_b, comparison.metric, analysis.settings)
        found = realised_minimum_detectable(sample, power=POWER, alpha=analysis.alpha[0], alternative="greater")
    except (ReportkitError, ValueError):
        return None
    return None if found is None else found.at_alpha


def _overstated(item: Outcome, detectable: float) -> str:
    """By how much a true difference of half the detectable one is overstated when it is found, as a clause."""
    from reportkit.power_analysis.planned_error import PlannedError
    from reportkit.power_analysis.type_s_m import type_s_m

    if item.standard_error is None or not (item.standard_error > 0 and math.isfinite(item.standard_error)):
        return ""
    factor = type_s_m(detectable / 2, PlannedError(item.standard_error)).exaggeration
    return f" (a true difference of half that size, when found, is overstated {factor:.1f} times on average)"


RULE = Rule(
    code="RK208",
    name="underpowered",
    severity="warning",
    needs=frozenset({"paper", "data"}),
    check=check,
    sources="ARR R5",
)
