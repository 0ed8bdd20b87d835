"""A dataset has fewer than 20 instances, or another unit of a test is rare.

What it does
------------
Reports datasets with fewer than 20 instances, systems with fewer than five runs, fewer than six clusters, and fewer
than six datasets where the datasets are the sample.

Why
---
Such a sample allows hardly any verdict: differences that matter are missed, and those that are found are overstated.
"Not significant" must not be read as "equal" there. ACL Rolling Review, guideline R5.

Example
-------
    A test set of 12 dialogues, rated by one person.

Instead
-------
Collect more units (runs, documents), or say n beside each result and draw no conclusion from a large p-value.

When it is wrong
----------------
An exact test of right-or-wrong scores keeps its level at any n: its small p-value from 15 instances is valid. A test of
a mean does so only if differences are symmetric, which 15 of them do not show.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import reported
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield what there is too little of."""
    yield from reported(context, RULE)


RULE = Rule(
    code="RK507",
    name="small-sample",
    severity="warning",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R5",
)
