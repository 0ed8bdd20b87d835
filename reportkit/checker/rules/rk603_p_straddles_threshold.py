"""The Monte Carlo error of a p-value contains the threshold.

What it does
------------
Reports p-values from random resamples of which the 99.9% Clopper-Pearson interval holds the level that they are
compared with.

Why
---
With another seed the verdict could be the other one, and nobody should be able to choose a seed by its verdict. ACL
Rolling Review, guideline R5.

Example
-------
    p = .0498 from 1,000 resamples, at the level .05.

Instead
-------
    Raise `n_resamples`; ten thousand more cost seconds. The exact p-value, where there is one, has no such error.

When it is wrong
----------------
If the level was not meant: levels are those of the settings, corrected for the family.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import reported
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield p-values on which the seed decides."""
    yield from reported(context, RULE)


RULE = Rule(
    code="RK603",
    name="p-straddles-threshold",
    severity="warning",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R5",
)
