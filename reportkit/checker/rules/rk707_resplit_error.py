"""A standard error over re-splits is presented as sampling error.

What it does
------------
Reports a standard error, interval or error bar that is taken over random splits, re-splits, folds or repetitions of
cross-validation, with nothing in the paragraph about their dependence.

Why
---
Splits share instances. The more often one splits the same data, the smaller this standard error, although nothing new
was observed: it is the error of the mean over splits, and not that of the result. Nadeau and Bengio (2003); Xue et
al. (2024).

Example
-------
    Error bars are standard errors over 100 random splits.

Instead
-------
    Bars are standard deviations over 10 random splits of the same data; they are no sampling error. The
    interval over test instances is 78.1 to 81.3.

When it is wrong
----------------
If the splits are disjoint samples. Say "disjoint" or "independent". In papers that test nothing, errors over splits
only describe, and are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

ERROR = re.compile(
    r"\b(?:standard errors?|SEMs?|confidence intervals?|CIs?|error bars?|margins? of error)\b[^.;]{0,70}\b(?:over|"
    r"across|from|of|between|on)\b[^.;]{0,30}?"
    r"\b(?:re-?splits?|random splits?|(?:train\w*[ /-]\w*[ -]?)splits?|splits|folds|"
    r"repeated (?:random )?(?:splits?|cross-?validations?)|repetitions of (?:\S+ )?cross-?validation)\b",
    re.IGNORECASE,
)
KNOWN = re.compile(
    r"\bcorrect(?:ed|ion)\b|\bNadeau\b|\bBengio\b|\bdependen|\bindependen|\bdisjoint\b|\boverlap|"
    r"\bnot? (?:a )?sampling\b|\bblocked\b|\bshare\b|\bcorrelat",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each error over splits."""
    prose = context.prose
    if not prose.tests:
        return  # nothing is concluded from the error
    for item in prose.with_words("split", "fold", "cross-validation", "crossvalidation"):
        match = ERROR.search(item.text)
        if match is None:
            continue
        context.coverage.claim(context.number, item.sentence.span)
        if item.negated(match.end()) or KNOWN.search(prose.around(item)):
            continue
        yield RULE.at(
            context.paper,
            item.span(match),
            "An error over splits of the same data shrinks with the number of splits, and is no sampling error.",
            remedy=(
                "call it the standard deviation over splits, and give an interval over test instances; or the "
                "corrected variance of Nadeau and Bengio"
            ),
        )


RULE = Rule(
    code="RK707",
    name="resplit-error",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
)
