"""The number of marks does not fit k-hat, or a printed count or mark does not follow.

What it does
------------
Counts, in a report, the datasets that Holm's procedure names and compares them with k-hat by Bonferroni: both are
the same number by construction, so that a difference shows a report that was edited. Closed testing over independent
datasets never identifies more of them than its own k-hat counts. Where the data are a paper's
printed figures: a printed k-hat that no p-values rounding to the printed ones give, other datasets marked than follow
from them, and claimed winners that score lower on a dataset that counts for them.

Why
---
Tables and text of a report say the same thing in several places. Where they disagree, one of them is wrong, and a
reader cannot tell which. Dror et al. (2017) print a count of 10 by Fisher's method where 9 follows.

Example
-------
    "k_hat": {"0.05": {"bonferroni": 6, ...}}, with seven datasets "identified" at 0.05

Instead
-------
    Build the report anew; change no number of it by hand.

When it is wrong
----------------
Never for what reportkit computed. Of printed figures: if they were typed wrongly into the results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import reported
from reportkit.checker.rule import Rule
from reportkit.report.machine.claims import claims_in


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each claim and level, and what the analysis says of printed figures."""
    yield from reported(context, RULE)
    report = context.report_data or {}
    family = report.get("family")
    if not isinstance(family, Mapping):
        return
    several = len(family.get("metrics") or ()) > 1 or family.get("design") not in ("declared", "both", "separate")
    closed = family.get("correction") == "closed-testing"
    if several and not closed:
        return
    try:
        claims = claims_in(report)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return
    for comparison in claims:
        disagreeing = _above_the_bound(comparison) if closed else _disagreeing(comparison)
        for said in disagreeing:
            yield RULE.about(
                said, where=f"{comparison['system_a']} > {comparison['system_b']}", remedy="build the report anew"
            )


def _disagreeing(comparison: Mapping[str, Any]) -> Iterator[str]:
    """Levels at which the number identified by Holm's procedure is not the bound by Bonferroni.

    Over several claims Holm's procedure finds more than the bounds of each.
    """
    for level, counts in comparison["k_hat"].items():
        marks, bound = _identified(comparison, level), counts["bonferroni"]
        if marks != bound:
            yield f"Holm's procedure names {marks} datasets at {level}, and k-hat by Bonferroni is {bound}."


def _above_the_bound(comparison: Mapping[str, Any]) -> Iterator[str]:
    """Levels at which closed testing identifies more datasets than it counts."""
    for level, counts in comparison["k_hat"].items():
        marks, bound = _identified(comparison, level), counts["recommended"]
        if marks > bound:
            yield f"Closed testing names {marks} datasets at {level}, and its k-hat is {bound}."


def _identified(comparison: Mapping[str, Any], level: str) -> int:
    return sum(bool(item["identified"][level]) for item in comparison["datasets"])


RULE = Rule(code="RK610", name="counts-disagree", severity="error", needs=frozenset({"data or report"}), check=check)
