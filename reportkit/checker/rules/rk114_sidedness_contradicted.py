"""The printed p-values contradict the stated sides of the test.

What it does
------------
Where a paper says that its tests are one-sided for one system being better: reports p above .5 on a dataset on which
that system scores higher (such a p is two-sided), and p well below .5 on one on which it scores lower (such a p was
computed for whichever system is ahead). Where nothing is said about sides, p above .5 beside a positive difference is
an info: the p-values are two-sided, and the paper should say so.

Why
---
ACL Rolling Review, guideline R5. One-sided p-values in the observed direction double the level, and counts and
corrections that take them for one-sided p-values of one claim are wrong.

Example
-------
    One-sided tests.  E to K & 84.55 & 84.50 & 0.95

Instead
-------
    Two-sided tests.  E to K & 84.55 & 84.50 & 0.95

When it is wrong
----------------
If the test is about something else than the printed scores (ranks, sentences), so that both may point in different
directions: then RK214 applies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.comparison import PrintedComparison, comparisons, p_text, words_about
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

ONE_SIDED = re.compile(r"\bone[- ](?:sided|tailed)\b", re.IGNORECASE)
TWO_SIDED = re.compile(r"\btwo[- ](?:sided|tailed)\b|\bin both directions\b|\beither direction\b", re.IGNORECASE)
WELL_BELOW = 0.4


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each line whose p-value and difference contradict the stated side."""
    text = " ".join(item.text.text for item in context.paper.sentences if item.place != "reference")
    for comparison in comparisons(context.paper):
        if comparison.adjusted or not any(line.p for line in comparison.lines):
            continue
        own = " ".join(words_about(context.paper, comparison.table))
        words = own if ONE_SIDED.search(own) or TWO_SIDED.search(own) else text
        if TWO_SIDED.search(words):
            continue
        yield from _contradictions(context, comparison, stated=ONE_SIDED.search(words) is not None)


def _contradictions(context: CheckContext, comparison: PrintedComparison, *, stated: bool) -> Iterator[Diagnostic]:
    from reportkit.scores.rounding_cell import p_value_cell, parsed_p_value

    turn = -1 if comparison.lower_is_better else 1
    signs = [line.sign for line in comparison.lines]
    mostly = 1 if sum(turn * (sign or 0) for sign in signs) >= 0 else -1
    for line, sign in zip(comparison.lines, signs, strict=True):
        written = p_text(line.p)
        if line.p is None or parsed_p_value(written) is None or not sign:
            continue
        context.coverage.claim(context.number, line.p.span)
        low, _, high = p_value_cell(written)
        positive = sign * turn == mostly
        if positive and low > 0.5:
            said = "the test is said to be one-sided" if stated else "nothing is said about sides"
            message = f"p = {written} on {line.dataset} comes with a difference in favour of the better system: it is "
            message += f"two-sided, and {said}."
        elif stated and not positive and high < WELL_BELOW:
            message = f"p = {written} on {line.dataset} comes with a difference against the claim: it was computed for "
            message += "whichever system is ahead, and the test is said to be one-sided."
        else:
            continue
        yield RULE.at(
            context.paper,
            line.p.span,
            message,
            remedy="say which p-values these are, and compute those of the claim",
            severity=None if stated else "info",
        )


RULE = Rule(
    code="RK114",
    name="sidedness-contradicted",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    also={"info": "the sides are not stated"},
    sources="ARR R5",
)
