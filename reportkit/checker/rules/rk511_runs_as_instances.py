"""Runs are pooled as if they were instances.

What it does
------------
Reports results in which every "instance" belongs to one seed only, so that the scores of several runs on the same test
items stand as so many different items.

Why
---
Five runs on 200 items are not 1,000 items: scores of one item are alike in all runs, n is five times too large, and the
p-values are far too small. ACL Rolling Review, guideline R5.

Example
-------
    system,dataset,instance,seed,score
    ours,cb,1-17,1,1
    ours,cb,2-17,2,0

Instead
-------
    Give the id of the test item as `instance`, the same for all seeds: runs and items are then both in the test.

When it is wrong
----------------
If the column does not number runs (a random seed for each item, say): leave it out.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import refused
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding if runs stand in the place of instances."""
    yield from refused(context, RULE, "pooled runs")


RULE = Rule(
    code="RK511", name="runs-as-instances", severity="error", needs=frozenset({"data"}), check=check, sources="ARR R5"
)
