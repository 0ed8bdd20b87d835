"""A t statistic of a blocked cross-validation lacks its correction.

What it does
------------
Reports a t-test or t statistic of cross-validation results whose paragraph names no correction for the dependence of
folds (Nadeau and Bengio, 5x2cv, blocked m x 2 with its factor).

Why
---
Training sets of folds overlap, so that the differences of folds correlate: the variance over folds is too small, and
t too large. The usual paired t-test over ten folds rejects far more often than its level. Dietterich (1998); Nadeau
and Bengio (2003); for blocked 3x2 cross-validation, Xue et al. (2024).

Example
-------
    A paired t-test over the ten folds of the cross-validation gives p = .01.

Instead
-------
    The corrected t-test of Nadeau and Bengio over the ten folds gives p = .08.

When it is wrong
----------------
If each fold is tested with independent training data. Say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule

T_TEST = re.compile(r"(?<![\w])t[- ](?:tests?|statistics?|values?)\b|\bt\(\d+\)\s*=", re.IGNORECASE)
FOLDS = re.compile(
    r"\bcross-?\s?validat|\bfolds?\b|\b\d+\s?[-×x]\s?(?:fold|2\b[ -]?(?:cv|cross|BCV))|\bm\s?×\s?2|\bBCV\b",
    re.IGNORECASE,
)
CORRECTED = re.compile(
    r"\bcorrected\b|\bcorrection\b|\bNadeau\b|\bBengio\b|\bDietterich\b|\b5\s?[×x]\s?2|\b7/6\b|\bcombined\b|"
    r"\badjusted? (?:t|variance|for)|\bindependent (?:training|samples)|\bvariance (?:factor|estimator)",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each uncorrected t-test of folds."""
    prose = context.prose
    for item in prose.with_words("t-test", "t test", "t-stat", "t stat", "t(", "t-value", "t value"):
        match = T_TEST.search(item.text)
        if match is None or not FOLDS.search(item.text):
            continue
        context.coverage.claim(context.number, item.sentence.span)
        if item.negated(match.end()) or CORRECTED.search(prose.around(item)):
            continue
        yield RULE.at(
            context.paper,
            item.span(match),
            "A t statistic of cross-validation is used as if folds were independent.",
            remedy=(
                "use the corrected t-test (Nadeau and Bengio 2003) or a blocked cross-validation with its factor; "
                "`reportkit` has both"
            ),
        )


RULE = Rule(
    code="RK708",
    name="cross-validation-t-uncorrected",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
)
