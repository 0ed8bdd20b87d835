"""The score that is printed and what the test is about point in different directions.

What it does
------------
Reports datasets on which one system has the higher score, and the other one is ahead in what the test compares: the
share of instances won, ranks, or another quantity than the mean.

Why
---
A mark beside a mean is read as a statement about the mean. A sign test or a Wilcoxon test asks another question, and
may answer for the system with the lower score. ACL Rolling Review, guideline R5.

Example
-------
    A loses by little on most instances and wins by much on a few: its mean is higher, and the sign test favours B.

Instead
-------
Test the quantity that the table prints (for means the sign flip or the bootstrap), or print the one that is tested.

When it is wrong
----------------
Where the two questions are both meant, and the paper says which one the mark answers.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule
from reportkit.checker.verdicts import Verdict, verdicts


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each pair of systems and dataset."""
    found = verdicts(context)
    seen: set[tuple[frozenset[str], str, str]] = set()
    for item in () if found is None else found.items:
        key = (frozenset((item.system_a, item.system_b)), item.metric, item.dataset)
        if key in seen or item.difference * item.score_difference >= 0:
            continue
        seen.add(key)
        higher, ahead = _names(item)
        yield RULE.about(
            f"{higher} has the better score, and {ahead} is ahead in what the {item.title} compares.",
            where=item.where,
            remedy="test the quantity that is printed, or print the one that is tested",
        )


def _names(item: Verdict) -> tuple[str, str]:
    """Who has the better score, and who is ahead in the test."""
    names = (item.system_a, item.system_b)
    return names if item.score_difference > 0 else names[::-1]


RULE = Rule(
    code="RK214",
    name="effect-contradicts-test",
    severity="warning",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R5",
)
