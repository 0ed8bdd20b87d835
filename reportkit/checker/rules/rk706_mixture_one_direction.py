"""A mixture of vote and average is reported in one direction only.

What it does
------------
Reports papers that compare systems by the mixture estimator of blocked cross-validation (the larger of majority vote
and average) and nowhere say what it is with the systems exchanged.

Why
---
The mixture is the larger of two estimates, so that it favours whichever system is named first: for two equal systems it
is above 0 with probability 2/3 at a correlation of .5 between the two. Its reproducibility is never below that of its
parts, by construction.

Example
-------
    The mixture estimate of ours minus the baseline is positive in 97% of the re-partitions.

Instead
-------
    It is positive in 97% of the re-partitions for ours minus the baseline, and in 21% for the reverse direction.

When it is wrong
----------------
If the mixture is only described, or is a mixture of something else. Say "in both directions" where both are given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

MIXTURE = re.compile(
    r"\bmixture (?:estimat\w+|estimates?|method|of (?:the )?(?:majority )?(?:vote|average))", re.IGNORECASE
)
PARTS = re.compile(r"\b(?:majority )?vot(?:e|ing)\b", re.IGNORECASE)
RESULT = re.compile(
    r"\d|\b(?:positive|negative|better|larger|higher|highest|best|favou?rs|prefers|reproducib\w+)\b", re.IGNORECASE
)
REVERSE = re.compile(
    r"\b(?:both|reverse|opposite|other|either) (?:directions?|orders?)\b|\bin reverse\b|\bexchang\w+|\bswapp\w+"
    r"|\bone-directional|\bwhichever (?:system )?is named first",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield the first result of a mixture in a paper that gives one direction only."""
    prose = context.prose
    if prose.says(MIXTURE) is None or prose.says(PARTS) is None or prose.says(REVERSE) is not None:
        return
    for item in prose.with_words("mixture"):
        match = MIXTURE.search(item.text)
        if match is None or item.negated(match.start()) or not RESULT.search(item.text[match.end() :]):
            continue
        yield RULE.at(
            context.paper,
            item.span(match),
            "The mixture is the larger of vote and average: it favours the system that is named first, and only one "
            "direction is given.",
            remedy="give it for both directions, or report the average",
        )
        return


RULE = Rule(
    code="RK706",
    name="mixture-one-direction",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
)
