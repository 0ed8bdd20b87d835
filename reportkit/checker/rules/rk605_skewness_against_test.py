"""Differences are too skewed for the chosen test at this n.

What it does
------------
Reports tests of a mean where the skewness g of the differences is so large that the true size of a one-sided test at
.05 is predicted to be off by more than a percentage point: n < 121 g^2. Where the bootstrap-t was used, which allows
for skewness, only samples that are too much even for it. Also where fewer than 50 units differ, which do not show
whether differences are skewed; where all of them favour one system, so that rare losses may be missing from the sample;
where large clusters favour another system than small ones; and where Wilcoxon's test, which is one of symmetry, serves
a claim about means.

Why
---
A t-test, a sign flip and a percentile bootstrap rest on symmetric differences or on a large n. With a few large losses
among many small gains they find the system better too often. Hall (1992), "The Bootstrap and Edgeworth Expansion",
section 2.4; ACL Rolling Review, guideline R5.

Example
-------
    n = 30 differences with skewness -3.5, tested by a sign flip.

Instead
-------
    test = "bootstrap-t"

When it is wrong
----------------
If the p-value is far from the level: an error of some percentage points changes nothing then. Or if the claim is about
the distribution, not the mean: choose the sign test or Wilcoxon's test and say so.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import reported
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield tests whose size is off."""
    yield from reported(context, RULE, least="warning")


RULE = Rule(
    code="RK605",
    name="skewness-against-test",
    severity="warning",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R5",
)
