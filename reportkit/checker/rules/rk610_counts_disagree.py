"""The number of marks by Holm is not k-hat by Bonferroni, or a printed count or mark does not follow.

What it does
------------
Counts, in a report, the datasets that Holm's procedure identifies and compares them with k-hat by Bonferroni: both are
the same number by construction, so that a difference shows a report that was edited. Where the data are a paper's
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


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each claim and level, and what the analysis says of printed figures."""
    yield from reported(context, RULE)
    report = context.report_data or {}
    family = report.get("family")
    several = isinstance(family, Mapping) and len(family.get("metrics") or ()) > 1
    one_claim = isinstance(family, Mapping) and family.get("design") in ("declared", "both", "separate")
    if several or not one_claim:
        return  # Holm's procedure over several claims finds more than the bounds of each
    comparisons = report.get("comparisons", ())
    for comparison in comparisons if isinstance(comparisons, list) else ():
        try:
            disagreeing = list(_disagreeing(comparison))
        except (KeyError, TypeError, AttributeError):
            continue
        for level, marks, bound in disagreeing:
            yield RULE.about(
                f"Holm's procedure identifies {marks} datasets at {level}, and k-hat by Bonferroni is {bound}.",
                where=f"{comparison['system_a']} > {comparison['system_b']}",
                remedy="build the report anew",
            )


def _disagreeing(comparison: Mapping[str, Any]) -> Iterator[tuple[str, int, int]]:
    """Level, number identified, and bound, where the last two differ."""
    for level, counts in comparison["k_hat"].items():
        marks = sum(bool(item["identified"][level]) for item in comparison["datasets"])
        if marks != counts["bonferroni"]:
            yield level, marks, counts["bonferroni"]


RULE = Rule(code="RK610", name="counts-disagree", severity="error", needs=frozenset({"data or report"}), check=check)
