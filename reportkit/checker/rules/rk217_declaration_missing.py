"""Nothing says whether hypotheses and sample sizes were fixed before looking.

What it does
------------
Reports, once for a paper with tests of its own, that nothing says whether hypotheses, tests and sample sizes were
fixed before the results were known. It prints a sentence to fill in.

Why
---
Whether a hypothesis was found in the data that test it, or instances were added until p was small, cannot be seen
from any table; only the authors can say it. ACL Rolling Review, guideline R1 names p-hacking and the best of an
unknown number of trials.

Example
-------
    We test whether ours is better on long sentences (p = .03).

Instead
-------
    The comparisons, the test and the number of instances were fixed before the test data were scored. [Or: The
    analysis of long
    sentences was chosen after seeing the results, and is exploratory.]

When it is wrong
----------------
If a preregistration is named in words that are not known here. It is an info: nothing in the paper is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import TEST

DECLARED = re.compile(
    r"\bpre-?(?:regist|specif|determin|defin|plan)\w*|\bin advance\b|\ba[- ]priori\b|\bbeforehand\b|"
    r"\bconfirmatory\b|\bexplorat|\bpost[- ]hoc\b"
    r"|\b(?:fixed|declared|chosen|decided|specified|stated|set|planned) (?:\w+ ){0,3}(?:before|prior to)\b|\bHARK|"
    r"\boptional stopping\b"
    r"|\bbefore (?:looking|seeing|running|scoring|computing|the (?:test|results|experiments))\b",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for a paper with tests and without a declaration."""
    named = context.prose.says(TEST, own=True)
    if named is None or context.prose.says(DECLARED):
        return
    match = TEST.search(named.text)
    yield RULE.at(
        context.paper,
        named.sentence.span if match is None else named.span(match),
        "Nothing says whether hypotheses, tests and sample sizes were fixed before the results were known.",
        remedy='complete and add: "The comparisons, the test and the number of instances were [not] fixed before the '
        'test data were scored; ... comparisons were made in all."',
    )


RULE = Rule(
    code="RK217",
    name="declaration-missing",
    severity="info",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R1",
)
