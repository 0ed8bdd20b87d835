r"""A number behind ± is not explained.

What it does
------------
Reports tables with ±, and sentences that print a result with ±, of a paper that nowhere names a standard deviation, a
standard error, a variance or an interval, and whose headings, captions and notes do not either.

Why
---
NeurIPS checklist, item 7: error bars need their method, their factor of variability, and whether they are standard
deviations or standard errors. ACL Responsible NLP checklist, C3. The three differ by factors of two to ten, and a
standard deviation over seeds says nothing about the test set.

Example
-------
    Ours & 93.1 ± 0.4 \\  with the caption "Accuracy (%)."

Instead
-------
    Caption: Accuracy (%), mean ± standard deviation over 5 seeds.

When it is wrong
----------------
If another word says it. A paper that speaks of a standard deviation of something else is not reported, though its
table may be unclear. Name it in the caption: readers look there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Sentence
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.results_tables import METRIC
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import HIGHER_IS_BETTER, LOWER_IS_BETTER

WHICH = re.compile(
    r"\bstandard (?:deviations?|errors?)\b|\bstd\b|\bstdev\b|\bs\.?d\.?(?=[\s,.;)]|$)|\bs\.?e\.?m?\.?(?=[\s,.;)]|$)"
    r"|\b(?:confidence|credible) (?:intervals?|bounds?)\b|\b\d+\s?%\s?(?:CIs?|intervals?)\b|\bCIs?\b|\bhalf[- ]width"
    r"|\binterquartile\b|\bdeviations?\b|\bvariances?\b",
    re.IGNORECASE,
)
MEASURED = re.compile(
    rf"{METRIC.pattern}|(?i:{HIGHER_IS_BETTER.pattern}|{LOWER_IS_BETTER.pattern})|\d\s?%|\bpoints?\b"
    r"|(?i:\b(?:reach|achiev|scor)\w*)"
)
"""In the sentence, of which ± is about a result; 787 ± 25 kpc is a distance."""

EXAMPLES = re.compile(r"\b(?:examples?|prompts?|dialogues?|conversations?|transcripts?|generations)\b", re.IGNORECASE)
"""Sections of texts that are shown, not of results."""


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each table, and one for each paragraph, with ± in a paper that explains it nowhere."""
    document = context.paper
    spreads = {table: [cell.spread for cell in table.body() if cell.spread is not None] for table in document.tables}
    for table, found in spreads.items():
        if found:
            context.coverage.claim(context.number, table.span)
    beside = [context.prose.beside(table) for table in document.tables]
    headings = [cell.text.text for table in document.tables for cell in table.cells() if cell.header]
    if context.prose.says(WHICH) is not None or any(WHICH.search(text) for text in (*beside, *headings)):
        return
    for found in spreads.values():
        if found:
            message = "The paper does not say whether standard deviations, standard errors or intervals stand behind ±."
            yield RULE.at(document, found[0].span, message, remedy=TO_DO)
    seen: set[int] = set()
    for sentence in document.sentences:
        spread = _behind_a_number(sentence)
        if spread is None or sentence.paragraph in seen or not MEASURED.search(sentence.text.text):
            continue
        if sentence.place in ("caption", "note") or EXAMPLES.search(sentence.section):
            continue
        seen.add(sentence.paragraph)
        context.coverage.claim(context.number, sentence.span)
        message = "The text does not say whether standard deviation, standard error or interval stands behind ±."
        yield RULE.at(document, spread.span, message, remedy=TO_DO)


def _behind_a_number(sentence: Sentence) -> PrintedNumber | None:
    """The first number behind ± that has its value before it: "updates by ±1" has none."""
    for start, _, number in located_numbers(sentence.text) if "±" in sentence.text.text else ():
        if number.role == "spread" and _VALUE_BEFORE.search(sentence.text.text[:start]):
            return number
    return None


_VALUE_BEFORE = re.compile(r"\d\s*%?\s*(?:±|\+/?-)\s*$")


TO_DO = 'say it once, as in "mean ± standard deviation over 5 seeds"'
RULE = Rule(
    code="RK301",
    name="spread-undefined",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    folds=True,
    sources="NeurIPS 7; ACL C3",
)
