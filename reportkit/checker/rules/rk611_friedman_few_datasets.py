"""Friedman's or Nemenyi's test with fewer than ten datasets.

What it does
------------
Reports papers that use Friedman's test or Nemenyi's with a stated number of datasets below ten, and analyses that were
asked for it over so few.

Why
---
The chi-squared and F approximations of Friedman's test are rough for few datasets, and Nemenyi's critical difference is
so wide that systems can hardly be told apart. Demšar (2006), section 3.2.2, asks for more than ten; Benavoli et al.
(2016) advise against Nemenyi's test at all. ACL Rolling Review, guideline R5.

Example
-------
    Friedman's test over five datasets with Nemenyi's follow-up shows no differences.

Instead
-------
    Test within each dataset, on its instances, and count the datasets with k-hat.

When it is wrong
----------------
If the exact distribution of Friedman's statistic was used: say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import reported
from reportkit.checker.prose import Prose
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import COLLECTIONS, NUMERAL, number_of

FRIEDMAN = re.compile(r"\b(?:Friedman|Nemenyi)(?:['’]s)?\b")
MANY = re.compile(rf"\b(?P<n>{NUMERAL})\s+(?:\w+\s+)?{COLLECTIONS}", re.IGNORECASE)
BLOCKS = re.compile(r"\bn\s*=\s*(?P<n>\d+)", re.IGNORECASE)
"""The n of the test itself: what else is counted in the sentence may be the conditions that are compared."""
EXACT = re.compile(r"\bexact(?:ly)?\b", re.IGNORECASE)
FEWEST = 10


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield the first use of the test in each paper that states too few datasets for it, and that of the analysis."""
    yield from reported(context, RULE)
    for document in context.documents:
        prose = Prose(document)
        for item in prose.with_words("friedman", "nemenyi"):
            match = FRIEDMAN.search(item.text)
            if match is None or item.negated(match.start()) or EXACT.search(item.text):
                continue
            counts = [int(found["n"]) for found in BLOCKS.finditer(item.text)]
            counts = counts or [number_of(found["n"]) for found in MANY.finditer(item.text)]
            counts = counts or [number_of(found["n"]) for found in MANY.finditer(prose.near(item))]
            if counts and 1 < max(counts) < FEWEST:
                yield RULE.at(
                    document,
                    item.span(match),
                    f"{match[0]} test over {max(counts)} datasets: with fewer than {FEWEST}, its approximations are "
                    "rough and the tests can hardly separate the systems.",
                    remedy="test within each dataset, and count datasets with k-hat; or add datasets",
                )
                break


RULE = Rule(
    code="RK611",
    name="friedman-few-datasets",
    severity="warning",
    needs=frozenset(),
    check=check,
    default=False,
    sources="ARR R5",
)
