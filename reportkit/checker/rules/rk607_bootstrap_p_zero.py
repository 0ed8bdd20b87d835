"""A bootstrap p-value counts strictly larger differences only, and can be zero.

What it does
------------
Reports p-values that are given as 0, in results that hold a paper's printed figures, or in a report of such results;
and papers that say that they count the resamples with a difference strictly larger than the observed one, or divide
that count by their number, without adding one.

Why
---
The share of resamples above the observed value can be 0, and a p-value cannot: a test that rejects at p = 0 has no
level. Count those at least as large and add one to both counts: (s + 1) / (B + 1). Phipson and Smyth (2010),
"Permutation p-values should never be zero"; ACL Rolling Review, guideline R5.

Example
-------
    We count the resamples with a difference strictly larger than the observed one and divide by B.

Instead
-------
    We count the resamples with a difference at least as large, and take (s + 1) / (B + 1).

When it is wrong
----------------
If 0 is the rounded form of a small number (then it is a note, not an error): print `< .0001`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import reported
from reportkit.checker.prose import Prose
from reportkit.checker.rule import Rule

STRICT = re.compile(
    r"\b(?:strictly (?:larger|greater|more|higher|exceed\w*)|(?:larger|greater|higher) (?:strictly )?than (?:twice )?"
    r"the observed|exceeds? (?:twice )?the observed)[^.;]*",
    re.IGNORECASE,
)
PLUS_ONE = re.compile(r"\+\s*1|\bplus one|\badd(?:s|ed|ing)? one|\bat least as\b|\bor equal|≥|>=", re.IGNORECASE)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield p-values of 0 in results, and ways of counting that allow them."""
    yield from reported(context, RULE)
    for document in context.documents:
        for item in Prose(document).with_words("resampl", "bootstrap", "permut", "randomi"):
            match = STRICT.search(item.text)
            if match is not None and not PLUS_ONE.search(item.text) and not item.negated(match.start()):
                yield RULE.at(
                    document,
                    item.span(match),
                    "A share of resamples that counts strictly larger differences can be 0, and a p-value cannot.",
                    remedy="count those at least as large, and add one: (s + 1) / (B + 1)",
                )


RULE = Rule(
    code="RK607",
    name="bootstrap-p-zero",
    severity="error",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R5",
)
