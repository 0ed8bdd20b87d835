"""A coefficient and its test statistic have different signs.

What it does
------------
Reports a coefficient (b, beta, estimate, slope) whose t or z, in the same sentence or the same row of a table, has the
other sign. Signs are compared only where no rounding can change them.

Why
---
t and z are the coefficient divided by its standard error, which is positive. One of the two signs was lost, and with
it the direction of the effect. ACL Rolling Review, guideline R5.

Example
-------
    Accuracy rises with length (b = 2.1, SE = 0.2, t = -10.8)

Instead
-------
    Accuracy rises with length (b = 2.1, SE = 0.2, t = 10.8)

When it is wrong
----------------
If the statistic belongs to another hypothesis than that the coefficient is zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Document, Sentence
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.printed_test import NUMBER, STATISTIC, number_at, opposite, rows_of_tests
from reportkit.checker.rule import Rule

COEFFICIENT = re.compile(
    rf"(?<![\w^_])(?:b|B|β|beta|[Ee]stimate|[Ss]lope|[Cc]oefficient)(?:_\(?\w+\)?)?\s*=\s*(?P<value>{NUMBER})"
)
FARTHEST = 60
"""Characters between a coefficient and its statistic: standard error and interval."""


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each statistic against its coefficient."""
    for sentence in context.paper.sentences:
        yield from (_finding(context.paper, *pair) for pair in _pairs(sentence) if opposite(*pair))
    for table in context.paper.tables:
        for found in rows_of_tests(table):
            coefficient, statistic = found.get("coefficient"), found.get("t", found.get("z"))
            if coefficient is not None and statistic is not None and opposite(coefficient, statistic):
                yield _finding(context.paper, coefficient, statistic)


def _pairs(sentence: Sentence) -> Iterator[tuple[PrintedNumber, PrintedNumber]]:
    """Coefficients of a sentence with the t or z that follows."""
    text = sentence.text.text
    coefficients = list(COEFFICIENT.finditer(text)) if sentence.numbers else []
    numbers = located_numbers(sentence.text) if coefficients else []
    for index, match in enumerate(coefficients):
        stop = coefficients[index + 1].start() if index + 1 < len(coefficients) else len(text)
        statistic = STATISTIC.search(text, match.end(), min(stop, match.end() + FARTHEST))
        if statistic is None or not (statistic["t"] or statistic["z"] or statistic["bare"]):
            continue
        one, other = number_at(numbers, match.end("value")), number_at(numbers, statistic.end("value"))
        if one is not None and other is not None:
            yield one, other


def _finding(document: Document, coefficient: PrintedNumber, statistic: PrintedNumber) -> Diagnostic:
    return RULE.at(
        document,
        statistic.span,
        f"The coefficient {coefficient.text} and its test statistic {statistic.text} have different signs.",
        remedy="find out which of the two signs is wrong, and which way the effect goes",
    )


RULE = Rule(
    code="RK118",
    name="signs-differ",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    sources="ARR R5",
)
