"""A Bayes factor without its sensitivity to the prior, or one whose verdict changes with it.

What it does
------------
Reports a Bayes factor of the authors that is given without any word about other priors: no sensitivity analysis, no
second prior, no range.

Why
---
A Bayes factor depends on the prior even with plenty of data: with a wide enough prior it favours the null hypothesis
whatever the data. Sadat Azer et al. (2020), section 3.2; Kruschke (2018). A verdict that changes between reasonable
priors is none.

Example
-------
    The Bayes factor is 5.2 in favour of a difference.

Instead
-------
    The Bayes factor is 5.2 (3.1 and 6.0 with priors half and twice as wide).

When it is wrong
----------------
If the sensitivity is shown in a figure whose caption says so in other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

BAYES_FACTOR = re.compile(
    r"(?:\bBayes factors?\b|\bBF(?:_?\(?(?:10|01)\)?)?)[^.]{0,40}?(?:=|≈|>|<|of|is|was)\s*(?:about |above |over |"
    r"only )?\d",
    re.IGNORECASE,
)
SENSITIVITY = re.compile(
    r"\bsensitiv|\bunder several\b|\bdepending on the prior|"
    r"\brobust(?:ness)? (?:to|of|against|check)|\b(?:other|different|several|two|"
    r"three|four|\d+|alternative|wider|narrower|various|all) (?:\w+ )?priors\b|\bprior widths?\b|"
    r"\brange of priors|"
    r"\bpriors? (?:half|twice|two|three)\b|\bunder (?:each|every|all) (?:\w+ )?prior",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for the first Bayes factor, if nothing is said about other priors."""
    prose = context.prose
    for item in prose.with_words("bayes factor", "bf"):
        match = BAYES_FACTOR.search(item.text)
        if match is None:
            continue
        context.coverage.claim(context.number, item.sentence.span)
        if prose.says(SENSITIVITY) is None:
            yield RULE.at(
                context.paper,
                item.span(match),
                "A Bayes factor is given for one prior only.",
                remedy=(
                    "give it for at least three priors (half, once and twice as wide), and say whether the verdict "
                    "changes"
                ),
            )
        return


RULE = Rule(
    code="RK702", name="bayes-factor-alone", severity="info", needs=frozenset({"paper"}), check=check, default=False
)
