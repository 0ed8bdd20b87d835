"""Systems have different numbers of runs.

What it does
------------
Reports results in which one system has several runs and another has one (a warning), or in which the numbers of runs
differ (good to know: the tests allow for it).

Why
---
A single run beside the mean of five says nothing about that system trained anew, and it may be the best of several. If
runs are missing because they failed, the others were chosen by their scores. ACL Responsible NLP checklist, C3.

Example
-------
    ours: seeds 1 to 5; base: seed 1 only.

Instead
-------
    Give the same number of runs of each system, or say how many there were of each, and why.

When it is wrong
----------------
If a system has no random part (a rule, an interface without sampling): say so.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import reported
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield systems with a single run beside others, and unequal numbers."""
    yield from reported(context, RULE)


RULE = Rule(
    code="RK512",
    name="unequal-runs",
    severity="warning",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ACL C3",
)
