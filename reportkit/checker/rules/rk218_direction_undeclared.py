"""A one-sided p-value without a direction declared in advance.

What it does
------------
Reports, once for a paper, the first one-sided test or p-value of the authors, if nothing says which direction is
tested, or that it was declared before the results were seen.

Why
---
A one-sided p-value in the direction that came out is half the two-sided one, and wrong by a factor of two in every
case where the direction was chosen afterwards. ACL Rolling Review, guideline R5.

Example
-------
    Ours is better (one-sided sign-flip test, p = .03).

Instead
-------
    We test, one-sided, whether ours is better than the baseline, a direction declared in advance (sign-flip
    test, p = .03).

When it is wrong
----------------
If the alternative is stated in words that are not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

ONE_SIDED = re.compile(
    r"\b(?:one|1|single)[- –](?:sided|tailed)\b"
    r"(?! (?:[\w.%\\-]+ ){0,3}(?:bounds?|intervals?|limits?)\b)",
    re.IGNORECASE,
)
TESTED = re.compile(r"\btest|\bp\s*[<=≤]|\bp-?values?\b|\bsignifican|\bhypothes", re.IGNORECASE)
DECLARED = re.compile(
    r"\bin advance\b|\ba[- ]priori\b|\bbeforehand\b|\bpre-?(?:regist|specif|defin|declar)\w*|\bdirections?\b|"
    r"\bdirectional\b"
    r"|\balternative(?: hypothesis)?\b[^.]{0,80}\b(?:better|higher|greater|larger|lower|worse|less|more|"
    r"outperform\w*|exceed\w*|superior|>|<)"
    r"|\bwe (?:hypothesi[sz]e|expect(?:ed)?|predict(?:ed)?) that\b|\b(?:test|"
    r"ask)\w*,? (?:\S+ ){0,5}whether\b[^.]{0,80}\b(?:better|higher|outperform\w*|greater|worse|lower)"
    r"|\bnull hypothesis\b[^.]{0,80}\b(?:no better|not better|at most|no higher|as good)|\bH_?1\b",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for the first one-sided test whose direction nobody declares."""
    for item in context.prose.with_words("sided", "tailed"):
        match = ONE_SIDED.search(item.text)
        if (
            match is None
            or item.negated(match.start())
            or not TESTED.search(context.prose.near(item))
            or re.search(r"\btwo[- ]one[- ]sided", item.text, re.IGNORECASE)
        ):
            continue
        context.coverage.claim(context.number, item.sentence.span)
        if context.prose.says(DECLARED) is None:
            yield RULE.at(
                context.paper,
                item.span(match),
                f"{match[0]!r} is said, and no direction is declared in advance.",
                remedy=(
                    "say which system was expected to be better, and that this was fixed before the results were "
                    "seen; or test two-sided"
                ),
            )
        return


RULE = Rule(
    code="RK218",
    name="direction-undeclared",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R5",
)
