"""The run was chosen by its test score.

What it does
------------
Reports scores and runs whose names say that they are the best of several (a column `max_score`, a seed called `best`),
and results in which each system has one run on each dataset, but not the same one on all (as a warning).

Why
---
The best of several runs is compared with a score that was not chosen. Of two equally good systems, the one with more
runs is then found better in 45% to 72% of all cases at a level of 5% (best of 3 to 5 runs, simulated). ACL Rolling
Review, guideline R1; ACL Responsible NLP checklist, C3.

Example
-------
    system,dataset,instance,best_score

Instead
-------
    Give all runs, with a column `seed`: their number and spread are then part of the test.

When it is wrong
----------------
If `max` is the name of the metric, or the run was chosen on other data (a development set): rename the column, and say
in the paper how the run was chosen.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import refused, reported
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for scores that are the best of several runs, and one for runs that change with the dataset."""
    yield from refused(context, RULE, "best run")
    yield from reported(context, RULE)


RULE = Rule(
    code="RK510",
    name="best-run-chosen",
    severity="error",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R1; ACL C3",
)
