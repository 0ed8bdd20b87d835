"""Power is computed from the observed effect.

What it does
------------
Reports post-hoc, observed, retrospective and achieved power, and power "computed from the observed effect".

Why
---
Observed power is a function of p alone: p = .05 has an observed power of about one half, whatever the study. It says
nothing that p does not say. Hoenig and Heisey (2001), The Abuse of Power; ACL Rolling Review, guideline R5.

Example
-------
    The observed power of the test is .43, so a larger test set may show the effect.

Instead
-------
    With 400 instances and half of them discordant at most, a true difference of 5 points is found with probability .8.

When it is wrong
----------------
If "observed power" is something physical; most of that is recognised (power consumption, power law).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

OBSERVED = re.compile(
    r"\b(?:post[- ]?hoc|observed|retrospective|achieved|a[- ]posteriori) (?:statistical )?power\b(?! (?:law|"
    r"consumption|draw|usage|use|spectr|of (?:the )?(?:GPU|"
    r"device|chip)|limit|output|efficien|dissipation|grid|level))"
    r"|\bpower (?:analysis|calculations?|is|was|were|computed|calculated|estimated)\b[^.;]{0,60}\b(?:from|with|"
    r"for|based on|using|given|at) "
    r"(?:the |our )?(?:observed|estimated|measured|obtained) (?:effect|difference|gain|improvement|mean)"
    r"|\bpost[- ]?hoc power\b",
    re.IGNORECASE,
)
PLANNED = re.compile(
    r"\b(?:required|needed|necessary|suffic\w+)\b[^.;]{0,40}\bpower\b|"
    r"\b(?:pilot|future|replication|plann\w+|next|follow-up|new) (?:stud|experiment|data|test|sample)|\bpilot\b",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each mention of observed power."""
    for item in context.prose.with_words("power"):
        match = OBSERVED.search(item.text)
        if match is None:
            continue
        context.coverage.claim(context.number, item.sentence.span)
        if item.negated(match.start()) or PLANNED.search(item.text):
            continue
        yield RULE.at(
            context.paper,
            item.span(match),
            f"{match[0]!r}: power at the observed effect is another way to write p.",
            remedy="give the interval of the difference, or the smallest difference that this n detects with power .8",
        )


RULE = Rule(
    code="RK223",
    name="observed-power",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R5",
)
