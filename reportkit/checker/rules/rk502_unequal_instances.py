"""Systems were not scored on the same instances.

What it does
------------
Reports results in which a system lacks instances that another one has, or in which scores are empty, unless the
settings say what becomes of them (`missing`). Where Friedman's test leaves out datasets that not all systems have, that
is reported as well.

Why
---
Two systems are compared on what both were scored on. A score that is missing because an output could not be read is
most often a wrong answer: who drops it changes the result. ACL Rolling Review, guidelines R1 and R5.

Example
-------
    system,dataset,instance,score
    ours,sst2,1,1
    ours,sst2,2,1
    base,sst2,1,1

Instead
-------
Complete the results; or say in `reportkit.toml` what is to be done, and in the paper that it was done: `missing =
"drop"` (common instances only), `"worst"` (no output is a wrong one) or `"bounds"` (what holds whatever the scores
were).

When it is wrong
----------------
If the systems were meant to have test sets of their own: declare `pairing = "unpaired"`.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import refused, reported
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding if the sets of instances differ."""
    yield from refused(context, RULE, "missing")
    yield from reported(context, RULE)


RULE = Rule(
    code="RK502",
    name="unequal-instances",
    severity="error",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R1, R5",
)
