r"""A number behind ± is not explained.

What it does
------------
Reports tables and sentences with ± if neither the caption, nor the notes, nor a paragraph that refers to the table, nor
a sentence about ± says whether it is a standard deviation, a standard error or an interval; and those that say which
but not over what: runs, folds, instances, resamples.

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
If the explanation stands in an appendix that does not refer to the table. Name it in the caption: readers look there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Document, Sentence, Table
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.paper.source import Span
from reportkit.checker.results_tables import METRIC
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import HIGHER_IS_BETTER, LOWER_IS_BETTER

WHICH = re.compile(
    r"\bstandard (?:deviations?|errors?)\b|\bstd\b|\bstdev\b|\bs\.?d\.?(?=[\s,.;)]|$)|\bs\.?e\.?m?\.?(?=[\s,.;)]|$)"
    r"|\b(?:confidence|credible) (?:intervals?|bounds?)\b|\b\d+\s?%\s?(?:CIs?|intervals?)\b|\bCIs?\b|\bhalf[- ]width"
    r"|\binterquartile\b|\bσ\b|\bdeviations?\b",
    re.IGNORECASE,
)
OVER_WHAT = re.compile(
    r"\b(?:seeds?|runs?|folds?|splits?|initiali[sz]ations?|restarts?|trials?|repetitions?|repeats|instances?|examples?|"
    r"items?|sentences?|documents?|queries|questions?|topics|segments|bootstrap\w*|resampl\w+|permutations?|annotators?|"
    r"raters?|tasks?|datasets?|subjects?|participants?)\b"
    r"|\b(?:across|over|of|among|between) (?:all|the|\d+|every|each) \w+",
    re.IGNORECASE,
)
MEASURED = re.compile(rf"{METRIC.pattern}|(?i:{HIGHER_IS_BETTER.pattern}|{LOWER_IS_BETTER.pattern})|\d\s?%|\bpoints?\b")
"""In the sentence, of which ± is about a result; 787 ± 25 kpc is a distance."""
REPEATED = re.compile(
    r"\b(?:across|over|with|from|of) (?:[\w-]+ ){0,3}(?:seeds|runs|folds|splits|trials|repetitions|repeats|restarts)\b",
    re.IGNORECASE,
)
"""What the paper repeats, wherever it says so."""
ABOUT = re.compile(
    r"±|\bplus[- ]minus\b|\berror bars?\b|\bmeans? (?:and|with|±)|\baverages? (?:and|with)", re.IGNORECASE
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each table, and one for each paragraph, with an unexplained ±."""
    document = context.paper
    headings = [" ".join(table_headings(table)) for table in document.tables]
    telling = {item.paragraph for item in document.sentences if _tells(item.text.text)}
    paragraphs = [item.text.text for number in sorted(telling) for item in document.paragraph(number)]
    general = " ".join([*paragraphs, *filter(_tells, headings)])
    for table in document.tables:
        spreads = [cell.spread for cell in table.body() if cell.spread is not None]
        if spreads:
            context.coverage.claim(context.number, table.span)
            words = _words(document, table)
            missing = _missing(f"{words} {general}", said=context.prose.says(REPEATED, own=True) is not None)
            if missing:
                message = f"The caption does not say {missing} the numbers behind ± are."
                yield RULE.at(document, spreads[0].span, message, remedy=TO_DO)
    yield from _in_prose(context, general)


def _tells(text: str) -> bool:
    """Whether a text about ± says what stands behind it."""
    return ABOUT.search(text) is not None and WHICH.search(text) is not None


def _words(document: Document, table: Table) -> str:
    """Caption, notes and the paragraphs that refer to the table."""
    parts = [table.caption.text, *(note.text for note in table.notes), *table_headings(table)]
    if table.label:
        uses = [label.span for label in document.labels if label.use and label.name == table.label]
        paragraphs = {sentence.paragraph for sentence in document.sentences for use in uses if _holds(sentence, use)}
        parts += [item.text.text for number in sorted(paragraphs) for item in document.paragraph(number)]
    return " ".join(parts)


def _holds(sentence: Sentence, use: Span) -> bool:
    """Whether a place is inside a sentence."""
    span = sentence.span
    return span.file == use.file and span.start <= use.start <= span.end


def table_headings(table: Table) -> list[str]:
    """Texts of the header rows."""
    return [text for column in range(table.n_columns) for text in table.column_header(column)]


def _missing(words: str, *, said: bool) -> str:
    """What is not said: "which kind of spread", "over what", or nothing."""
    if not WHICH.search(words):
        return "whether standard deviations, standard errors or intervals"
    return "" if said or OVER_WHAT.search(words) else "over what (runs, folds, instances)"


def _in_prose(context: CheckContext, general: str) -> Iterator[Diagnostic]:
    document = context.paper
    seen: set[int] = set()
    for sentence in document.sentences:
        spread = _behind_a_number(sentence)
        if spread is None or sentence.paragraph in seen or not MEASURED.search(sentence.text.text):
            continue
        if sentence.place in ("caption", "note"):
            continue
        seen.add(sentence.paragraph)
        context.coverage.claim(context.number, sentence.span)
        words = " ".join(item.text.text for item in _paragraph(document, sentence))
        if not WHICH.search(f"{words} {general}"):
            message = "The text does not say whether standard deviation, standard error or interval stands behind ±."
            yield RULE.at(document, spread.span, message, remedy=TO_DO)


def _behind_a_number(sentence: Sentence) -> PrintedNumber | None:
    """The first number behind ± that has its value before it: "updates by ±1" has none."""
    for start, _, number in located_numbers(sentence.text) if "±" in sentence.text.text else ():
        if number.role == "spread" and _VALUE_BEFORE.search(sentence.text.text[:start]):
            return number
    return None


_VALUE_BEFORE = re.compile(r"\d\s*%?\s*(?:±|\+/?-)\s*$")


def _paragraph(document: Document, sentence: Sentence) -> tuple[Sentence, ...]:
    return document.paragraph(sentence.paragraph)


TO_DO = 'say it once, as in "mean ± standard deviation over 5 seeds"'
RULE = Rule(
    code="RK301",
    name="spread-undefined",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    measured=(13, 0, 0),
    unseen=(10, 1, 2),
    folds=True,
    sources="NeurIPS 7; ACL C3",
)
