""" "Marginally significant" or "a trend" for a p above the level.

What it does
------------
Reports "marginally significant", "borderline significance", "approaching significance", "a trend towards
significance", and a "trend" with a p above .05 beside it.

Why
---
The level was fixed so that a verdict would not depend on the wish for one; words for "almost" move it afterwards, and
only ever in one direction. ACL Rolling Review, guideline R5. A p of .06 and one of .04 are nearly the same evidence:
the size with its interval says that better than a word.

Example
-------
    The gain is marginally significant (p = .07).

Instead
-------
    The gain is 0.8 points (95% interval -0.1 to 1.7; p = .07), not statistically significant at level .05.

When it is wrong
----------------
If a trend over time or over sizes is meant and a p-value happens to stand beside it. Trends without p, trend tests,
and names of methods are not reported.
"""  # noqa: D210

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import P_NUMBER

SIGNIFICANCE = r"(?:statistical(?:ly)? )?significan(?:t|ce)\b(?! test)"
WORDING = re.compile(
    rf"\b(?:marginal(?:ly)?|border-?line|quasi-?|near-?|weakly|almost|nearly|barely|close to|on the (?:verge|edge|"
    rf"brink|border) of|"
    rf"(?:approach|near|border|verg)(?:es|ed|s|ing)?(?: on)?|just (?:above|below|short of|misse[ds]|fail(?:s|"
    rf"ed) to reach)|"
    rf"(?:almost|nearly) reach(?:es|ed|ing)?|(?:trend|tend)(?:s|ed|ing)? (?:toward|to)s?|"
    rf"trending(?: towards?)?)[ -]{SIGNIFICANCE}"
    rf"|\bsignificant trend\b[^.]{{0,60}}\bp\s*[=<>]",
    re.IGNORECASE,
)
TREND = re.compile(
    r"\b(?:a|the|this|clear|slight|positive|negative|same|similar|some) trend\b(?! tests?| line| analys)", re.IGNORECASE
)

BELOW = re.compile(r"^.{0,80}?\bp\s*[<=≤]\s*0?\.0[0-4]\d*\b|^.{0,80}?\bp\s*[<≤]\s*0?\.05\b", re.IGNORECASE)
"""A p below the level: the effect is small, not the evidence."""


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each wording that promotes a large p."""
    for item in context.prose.with_words("significan", "trend"):
        match = WORDING.search(item.text)
        if match is None and (trend := TREND.search(item.text)) and _large_p(item.text[trend.end() :]):
            match = trend
        if match is None or item.negated(match.start()) or BELOW.search(item.text[match.end() :]):
            continue
        context.coverage.claim(context.number, item.sentence.span)
        yield RULE.at(
            context.paper,
            item.span(match),
            f"{match[0].strip()!r} promotes a p above the level.",
            remedy=(
                "give p, the difference and its interval, and say that it is not statistically significant at the "
                "level that was fixed"
            ),
        )


def _large_p(text: str) -> bool:
    """Whether a p from .05 to .2 follows."""
    return any(
        match["relation"] in ("=", "≈") and re.fullmatch(r"0?\.\d+", match["p"]) and 0.05 < float(match["p"]) <= 0.2
        for match in P_NUMBER.finditer(text)
    )


RULE = Rule(
    code="RK210",
    name="trend-wording",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R5",
)
