"""A p-value stands without a size of the effect or an interval beside it.

What it does
------------
Reports a paragraph of prose that claims an advantage with a p-value, and gives no size: no other number with decimals
or percent, no interval, no ±, and no reference to a table or figure.

Why
---
p says how well the data fit "no difference"; it says nothing about how large the difference is, and with enough
instances every difference has a small one. Sadat Azer et al. (2020), section 4, ask for intervals where a margin is
meant; ACL Rolling Review, guideline R5; NeurIPS checklist, item 7.

Example
-------
    Our system is better than the baseline (p = .002).

Instead
-------
    Our system is better than the baseline by 2.3 points (95% interval 1.1 to 3.5; p = .002).

When it is wrong
----------------
If the size stands in another paragraph that this one does not refer to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.printed_number import located_numbers
from reportkit.checker.prose import Statement
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import BETTER, INTERVAL, P_NUMBER

THRESHOLD = re.compile(
    r"\b(?:considered?|thresholds?|level|denot\w+|mark\w*|indicat\w+|where|if|whenever|regard\w*|call\w*|set|"
    r"reported as|for (?:all|any)|stars?|"
    r"dropout|nucleus|top-p|sampl\w+|probabilit\w+|asterisks?|adjusted over|all (?:other )?p|(?:is|are|was|"
    r"were) (?:done|performed|conducted|carried out|computed|"
    r"calculated|assessed|tested|evaluated|determined))\b",
    re.IGNORECASE,
)
ALREADY_COUNTED = re.compile(r"(?:^|[^\w.])(?:p|P|α|n|N|k|m|B|df)(?:[- ]values?)?\s*(?:=|<|>|≤|≥|≈|of|is)?\s*$")


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each paragraph with p and no size."""
    prose = context.prose
    seen: set[int] = set()
    for item in prose.own:
        if item.sentence.paragraph in seen or item.sentence.place in ("caption", "note") or not item.sentence.numbers:
            continue
        match = next((found for found in P_NUMBER.finditer(item.text) if found["relation"]), None)
        if match is None or not BETTER.search(item.text) or THRESHOLD.search(item.text) or item.hypothetical:
            continue
        seen.add(item.sentence.paragraph)
        context.coverage.claim(context.number, item.sentence.span)
        around = prose.around(item)
        if "⟦ref⟧" in around or re.search(r"\b(?:Table|Figure|Fig\.) \d", around) or INTERVAL.search(around):
            continue
        if any(_is_a_size(other) for other in prose.paragraph(item)):
            continue
        yield RULE.at(
            context.paper,
            item.span(match),
            "A p-value stands alone: neither the size of the difference nor an interval is beside it.",
            remedy="give the difference with its unit and its interval beside p",
        )


def _is_a_size(item: Statement) -> bool:
    """Whether a sentence prints a number that may be a score or a difference."""
    p_values = [(found.start(), found.end()) for found in P_NUMBER.finditer(item.text)]
    for start, end, number in located_numbers(item.sentence.text) if item.sentence.numbers else ():
        if any(first <= start < last for first, last in p_values) or ALREADY_COUNTED.search(item.text[:start]):
            continue
        if number.decimals or number.percent or re.match(r"\s*(?:percentage )?(?:points?|percent|%)", item.text[end:]):
            return True
    return False


RULE = Rule(
    code="RK211",
    name="margin-missing",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R5; NeurIPS 7",
)
