"""Two systems have the same scores throughout, or one has a constant score.

What it does
------------
Reports pairs of systems whose scores are equal on every instance of a dataset, systems that have one and the same score
on all instances (all wrong, say), predictions that put all instances in the same order, and runs or folds that do not
vary at all.

Why
---
Equal scores are most often one file that was evaluated twice, and a constant score is most often an empty or unreadable
output. A p-value of 1 then says nothing about the systems. ACL Rolling Review, guideline R1.

Example
-------
    system,dataset,instance,score
    ours,cb,1,0
    ours,cb,2,0
    ours,cb,3,0

Instead
-------
    Score the outputs anew, and compare the files of the two systems.

When it is wrong
----------------
On a handful of instances two systems can well get the same ones right; and a hard dataset may be beyond a system. Say
so in the paper: a reader will ask.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import reported
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield pairs with equal scores and systems with constant ones."""
    yield from reported(context, RULE)


RULE = Rule(
    code="RK504",
    name="identical-outputs",
    severity="warning",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R1",
)
