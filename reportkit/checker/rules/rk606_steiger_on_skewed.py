"""Steiger's test on rank correlations or scores that are not normal.

What it does
------------
Reports tests of dependent correlations that are derived for Pearson correlations of normal values (Williams, Steiger)
where they are used for rank correlations, or where the values are clearly skewed or heavy-tailed; and tests of Pearson
correlations that hinge on single instances, seen or not yet seen.

Why
---
In simulations with lognormal and heavy-tailed values, their size at .05 was .24 to .50: every second or fourth pair of
equally good systems is found to differ. ACL Rolling Review, guideline R5.

Example
-------
    Spearman correlations with human scores, compared by Williams' test.

Instead
-------
    metric = "spearman"
    test = "correlation-jackknife-t"

When it is wrong
----------------
With rank correlations and hundreds of instances, the size was .052 to .084: the error is small, and still it is not the
test for them.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import reported
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield tests that do not fit their correlations."""
    yield from reported(context, RULE)


RULE = Rule(
    code="RK606",
    name="steiger-on-skewed",
    severity="warning",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R5",
)
