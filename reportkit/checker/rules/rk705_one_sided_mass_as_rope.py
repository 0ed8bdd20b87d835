"""The posterior mass on one side is used as a decision by interval and region of equivalence.

What it does
------------
Reports a sentence that decides by HDI and ROPE from the posterior mass above (or below) zero.

Why
---
HDI and ROPE compare an interval with a region around zero; the mass on one side of zero says nothing about that
region: all of it can lie within. Kruschke (2018); Sadat Azer et al. (2020), section 3.2.

Example
-------
    98% of the posterior is above 0, so by the HDI+ROPE rule the systems differ.

Instead
-------
    The 95% HDI, 0.4 to 2.1 points, overlaps the region of practical equivalence (-1 to 1 point), so that no
    decision is made; 98% of the posterior is above 0.

When it is wrong
----------------
If both are reported side by side, and the decision follows from the interval.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

ONE_SIDE = re.compile(
    r"\b(?:posterior|mass|probability|HDI)\b[^.;]{0,50}(?:\b(?:above|below|greater than|larger than|less than|"
    r"positive|negative|right of|left of|over|exceeds?)\b(?: (?:0|zero)\b)?|[<>] ?0\b)|P\([^)]*[<>]\s*0[^)]*\)",
    re.IGNORECASE,
)
RULE_NAMED = re.compile(r"\bROPE\b|\bregions? of practical equivalence\b", re.IGNORECASE)
DECIDED = re.compile(
    r"\b(?:so|thus|therefore|hence|because|since|means?|decid\w*|conclu\w*|reject\w*|accept\w*|differ|shows?|"
    r"by the|according to)\b",
    re.IGNORECASE,
)
INTERVAL_USED = re.compile(
    r"\b(?:overlap\w*|exclude\w*|outside|inside|within|contain\w*|falls?|lies|entirely|completely)\b", re.IGNORECASE
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each decision by ROPE from the mass on one side."""
    for item in context.prose.with_words("rope", "practical equivalence"):
        match = ONE_SIDE.search(item.text)
        if match is None or not RULE_NAMED.search(item.text) or not DECIDED.search(item.text):
            continue
        context.coverage.claim(context.number, item.sentence.span)
        if INTERVAL_USED.search(item.text) or item.negated(match.end()):
            continue
        yield RULE.at(
            context.paper,
            item.span(match),
            "A decision by HDI and ROPE is drawn from the posterior mass on one side of zero.",
            remedy="compare the whole interval with the bounds of the region; give the mass on one side beside it",
        )


RULE = Rule(
    code="RK705",
    name="one-sided-mass-as-rope",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
)
