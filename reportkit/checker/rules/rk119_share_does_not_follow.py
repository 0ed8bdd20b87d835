"""A percentage does not follow from the two counts beside it.

What it does
------------
Reads "869 of 942, which is 92%", "69/120 (57.5%)" and "57.5% (69/120)", and reports a percentage that is not the share
of the counts, rounded or cut off.

Why
---
ACL Rolling Review, guideline R1. One of the three numbers is from another version.

Example
-------
    Annotators agree on 69 of 120 items (61%).

Instead
-------
    Annotators agree on 69 of 120 items (57.5%).

When it is wrong
----------------
If the percentage is of something else than the two counts. Levels, intervals, comparisons, counts below 5 and
percentages that other words stand before are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Document
from reportkit.checker.paper.macros import FRACTIONS
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.paper.source import Span
from reportkit.checker.rule import Rule

_COUNT = r"\d{1,3}(?:,\d{3})+|\d+"
_SHARE = r"(?P<share>\d{1,3}(?:\.\d+)?)"
OF = re.compile(
    rf"(?<![\d.,/])(?P<k>{_COUNT})\s+(?:out\s+)?of\s+(?:the\s+|these\s+|all\s+|our\s+)?(?P<n>{_COUNT})"
    rf"(?![\d.,]*\d|\s?%|K)(?P<between>[^.;\d]{{0,60}}?){_SHARE}\s?%"
)
SLASH = re.compile(rf"(?<![\d.,/])(?P<k>{_COUNT})\s?/\s?(?P<n>{_COUNT})(?P<between>\s?(?:\(|,\s|=\s?)){_SHARE}\s?%")
BEFORE = re.compile(
    rf"(?<![\d.,/–-]){_SHARE}\s?%(?P<between>\s?\(\s?)(?P<k>{_COUNT})(?:\s?/\s?|\s+(?:out\s+)?of\s+)(?P<n>{_COUNT})\s?\)"
)
_CALLED_SHARE = re.compile(r"(?:\(|,|\bor|\bis|\bare|i\.e\.,?|=|:)\s*$")
_NOT_A_SHARE = re.compile(
    r"\blevel\b|\bCI\b|\binterval\b|\band\b|\bconfiden|\bfrom\b|\bby\b|\bthan\b|\bα\b|\bbut\b|\bwhile\b", re.IGNORECASE
)
_OF_CERTAINTY = re.compile(r"\s*(?:confiden|credib|CI\b|interval|level)", re.IGNORECASE)
FEWEST = 5


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each share that does not follow."""
    for sentence in context.paper.sentences:
        text = sentence.text.text
        if sentence.place == "reference" or "%" not in text:
            continue
        for match in (item for form in (OF, SLASH, BEFORE) for item in form.finditer(text)):
            span = sentence.text.span(match.start("share"), match.end("share"))
            number = next((item for item in sentence.numbers if item.span == span), None)
            if number is None or not _CALLED_SHARE.search(match["between"]) or _NOT_A_SHARE.search(match["between"]):
                continue
            if _OF_CERTAINTY.match(text, match.end()):
                continue
            if _fraction(context.paper, sentence.text.span(match.start("k"), match.end("n"))):
                continue
            k, n = (int(match[name].replace(",", "")) for name in "kn")
            if not 0 < k <= n or n < FEWEST:
                continue
            context.coverage.checked(context.number, span)
            if not _printed_so(number, Fraction(100 * k, n)):
                yield RULE.at(
                    context.paper,
                    span,
                    f"{match['k']} of {match['n']} are {100 * k / n:.{number.decimals + 1}f}%, not {number.text}%.",
                    remedy="count anew",
                )


def _fraction(document: Document, span: Span) -> bool:
    r"""Whether the counts are a fraction of a formula, as in `\\tfrac{1}{10}`, which counts nothing."""
    before = document.files[span.file].text[max(0, span.start - 20) : span.start]
    return before.endswith(tuple(f"{name}{{" for name in FRACTIONS))


def _printed_so(number: PrintedNumber, share: Fraction) -> bool:
    """Whether a share is printed so, rounded or with further digits cut off."""
    value, unit = Fraction(number.value).limit_denominator(10**9), Fraction(number.unit).limit_denominator(10**12)
    return value - unit / 2 <= share <= value + unit


RULE = Rule(
    code="RK119",
    name="share-does-not-follow",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    contradiction=True,
    default=False,
    sources="ARR R1",
)
