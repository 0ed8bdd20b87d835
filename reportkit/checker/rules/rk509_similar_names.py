"""Names of systems or datasets differ only in case or spaces.

What it does
------------
Reports names that are the same but for case, spaces or the form of their letters ("SST2" and "sst2"): they count as
different systems or datasets.

Why
---
Half of a dataset then stands in one row and half in another, or a system seems to lack instances; the number of
datasets, and with it every correction, is wrong. ACL Rolling Review, guideline R1.

Example
-------
    ours,SST2,1,1
    base,sst2,1,0

Instead
-------
    Write each name in one way.

When it is wrong
----------------
If they are meant to be different, call them so that a reader can see it.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import reported
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield names that are probably one and the same."""
    yield from reported(context, RULE)


RULE = Rule(
    code="RK509",
    name="similar-names",
    severity="warning",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R1",
)
