"""One system has several scores for one instance.

What it does
------------
Reports results in which (system, dataset, instance) occurs several times: with different scores as an error, and rows
that repeat another row in every column as a warning.

Why
---
Whatever is computed from them counts some instances twice, and n is too large. Often a run was appended to an older
one, or runs with different seeds lost their `seed` column. ACL Rolling Review, guideline R1.

Example
-------
    system,dataset,instance,score
    ours,sst2,17,1
    ours,sst2,17,0

Instead
-------
Remove the repetition, or name the column that tells the scores apart (`seed`, `fold`, `metric`).

When it is wrong
----------------
Never: if the scores are of several runs, name their column.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import refused, reported
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for repeated keys, and one for repeated rows."""
    yield from refused(context, RULE, "duplicates")
    yield from reported(context, RULE, severity="warning")


RULE = Rule(
    code="RK501",
    name="duplicate-scores",
    severity="error",
    needs=frozenset({"data or report"}),
    check=check,
    also={"warning": "the rows are the same throughout"},
    sources="ARR R1",
)
