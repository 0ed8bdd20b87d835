"""Sizes differ more than tenfold, and k-hat treats all datasets alike.

What it does
------------
Reports results in which the largest dataset has more than ten times as many instances as the smallest.

Why
---
A count of datasets, and k-hat as a bound of it, gives a dataset of 100 instances the same weight as one of 10,000,
though a difference of the same size is found in the second only. "Not on the small ones" may be a matter of n alone.
ACL Rolling Review, guideline R5.

Example
-------
    MNLI with 9,815 instances and CB with 56 in one count.

Instead
-------
    State n for each dataset, and show the intervals beside the count.

When it is wrong
----------------
It is never an error: it is to be read with the count.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import reported
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield the extremes of the sizes."""
    yield from reported(context, RULE)


RULE = Rule(
    code="RK508",
    name="sizes-differ",
    severity="info",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R5",
)
