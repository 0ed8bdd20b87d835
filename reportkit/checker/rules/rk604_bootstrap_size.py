"""The bootstrap draws samples of another size than n.

What it does
------------
Reports a bootstrap whose samples are said to be of another size than the test set: a fraction, a percentage, a
subset, or a number that differs from the number of test instances in the same paragraph.

Why
---
The bootstrap imitates drawing a test set of size n anew. Samples of half that size spread by a factor of 1.4 too
widely, larger ones too narrowly, so that p is that of another study. Berg-Kirkpatrick et al. (2012), section 2, draw
samples of the size of the test set; ACL Rolling Review, guideline R5.

Example
-------
    We draw 1,000 bootstrap samples of 500 sentences from the 2,000 test sentences.

Instead
-------
    We draw 10,000 bootstrap samples of 2,000 sentences, the size of the test set.

When it is wrong
----------------
If an m-out-of-n bootstrap or subsampling is meant and its scaling is corrected; those words silence the rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

NOUN = r"(?:sentences?|instances?|examples?|documents?|questions?|queries|items?|segments?|pairs?|utterances?|points?)"
OF_SIZE = re.compile(
    rf"\b(?:samples?|re-?samples?|subsets?|test sets?|replicates?)\b[^.;]{{0,30}}?\b(?:of size|of|with|each (?:of|"
    rf"with|containing)|containing|consisting of) "
    rf"(?P<size>\d[\d,]*) (?:\w+ )?{NOUN}|\b(?:samples?|re-?samples?|subsets?) (?:each )?of size (?P<bare>\d[\d,]*)\b",
    re.IGNORECASE,
)
FRACTION = re.compile(
    r"\b(?:samples?|re-?samples?|subsets?|draw\w*)\b[^.;]{0,40}\b(?P<size>half|a third|a quarter|two thirds|"
    r"(?!100\s?%)\d+\s?%) (?:of|the size)(?: the| all| our)? (?:\w+ )?"
    r"(?:test|data|sentences|instances|examples|items|documents|set)",
    re.IGNORECASE,
)
MEANT = re.compile(
    r"\bm[- ]out[- ]of[- ]n\b|\bsubsampling\b|\bconfidence\b[^.]*%|\blearning curve|\btraining\b", re.IGNORECASE
)
TOTAL = re.compile(
    rf"(?<![\w.,])(?P<n>\d[\d,]*) (?:\w+ )?(?:test )?{NOUN}\b|\bn\s*=\s*(?P<bare>\d[\d,]*)", re.IGNORECASE
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each bootstrap of another size."""
    for item in context.prose.with_words("bootstrap"):
        if item.negated(len(item.text)) or MEANT.search(item.text):
            continue
        match = FRACTION.search(item.text)
        against = "the test set"
        if match is None:
            match = OF_SIZE.search(item.text)
            if match is None:
                continue
            size = _whole(match["size"] or match["bare"])
            rest = (
                " ".join(other.text for other in context.prose.paragraph(item) if other is not item)
                + " "
                + item.text[: match.start()]
                + item.text[match.end() :]
            )
            totals = {_whole(found["n"] or found["bare"]) for found in TOTAL.finditer(rest)}
            if not totals or size in totals or (max(totals) <= size and len(totals) > 1):
                continue
            against = f"{max(totals):,} instances"
        context.coverage.claim(context.number, item.sentence.span)
        printed = match["size"] or match["bare"]
        yield RULE.at(
            context.paper,
            item.span(match),
            f"The bootstrap draws samples of {printed}, and not of the size of {against}.",
            remedy="draw samples of the size of the test set, with replacement",
        )


def _whole(text: str) -> int:
    return int(text.replace(",", "") or 0)


RULE = Rule(
    code="RK604",
    name="bootstrap-size",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R5",
)
