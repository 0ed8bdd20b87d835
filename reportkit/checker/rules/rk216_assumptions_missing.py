"""The assumptions of the test, and why they fit, are not said.

What it does
------------
Reports, once for a paper, the first sentence that names a test of the authors, if no sentence of the paper says
anything about what the test assumes: pairing, independence, normality, symmetry, skewness, clusters, or why it was
chosen.

Why
---
A test is a number about its assumptions as much as about the systems. Sadat Azer et al. (2020), section 4, ask for a
summary of the check and for a reason where a mismatch remains; ACL Rolling Review, guideline R5: discussion of any
assumptions.

Example
-------
    We use a t-test; ours is better (p = .01).

Instead
-------
    We use the paired t-test. Scores are paired by document, documents are independent, and with 2,000 of them
    the skewness of the
    differences (0.4) does not matter.

When it is wrong
----------------
If the assumptions are discussed in other words. One word such as "paired", "independent" or "assume" is enough to
silence it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import TEST

SAID = re.compile(
    r"\bassum|\bindependen(?:t|ce|tly)\b|\bpaired\b|\bdependen(?:t|ce)\b|\bnormal(?:ly|ity)\b|\bGaussian\b|"
    r"\bnon-?parametric|\bdistribution[- ]free|"
    r"\bexchangeab|\bsymmetr|\bskew|\bcluster(?:s|ed|ing)? |\bi\.?i\.?d\b|\brandom sample|\bsuitable for\b|"
    r"\bappropriate (?:for|because|since|as)\b",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for the first test whose assumptions nobody mentions."""
    named = context.prose.says(TEST, own=True)
    if named is None or context.prose.says(SAID):
        return
    context.coverage.claim(context.number, named.sentence.span)
    match = TEST.search(named.text)
    yield RULE.at(
        context.paper,
        named.sentence.span if match is None else named.span(match),
        "A test is named, and nothing is said about what the test assumes or why it fits.",
        remedy=(
            "say how scores are paired, what is independent of what, and how skewed differences are; `reportkit "
            "build` writes it"
        ),
    )


RULE = Rule(
    code="RK216",
    name="assumptions-missing",
    severity="info",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="Sadat Azer et al. 2020, section 4",
)
