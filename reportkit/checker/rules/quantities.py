"""One quantity with two numbers: the summary of a paper against the rest, and against its tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Sentence
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.patterns import SECTIONS, patterns
from reportkit.checker.rule import rule
from reportkit.checker.rules.claims import against_tables, stands

RE = patterns("claims")
STOP = frozenset(SECTIONS["stop_words"]["words"])
NEAR = 12
"""Words on each side of a number that tell its quantity."""
FEWEST_WORDS, FEWEST_SHARED, SHARE = 3, 5, 0.5
"""Content words that two places share at least; words and numbers, a number counting twice; and, if they share no
number, the share of their words."""
WIDEST, NEAREST, FEWEST_BESIDE = 3, 1.3, 2
"""Largest ratio of two numbers of one quantity; and the one up to which, beside a shared number, this many words do."""
SURE = 2
"""Other numbers that two places have to share where the number of the summary also occurs elsewhere."""
MOST_COMMON = 30
"""A word that stands at more places than this is too common to connect two of them."""


@dataclass(frozen=True, eq=False)
class _Quantity:
    """A number of a result, and the content words, names and other numbers around it."""

    sentence: Sentence
    number: PrintedNumber
    words: frozenset[str]
    names: frozenset[str]
    others: frozenset[str]
    points: bool


@rule("RK121", "abstract-number-differs", "warning")
def abstract_number_differs(context: CheckContext) -> Iterator[Diagnostic]:
    r"""One quantity has two numbers in the paper.

    Compares numbers (with decimals or in percent, in the same unit) of abstract, introduction or conclusion with those
    of the rest by the words, names and other numbers around them. Where they share most content words (other numbers
    count twice) and no name tells them apart, the two have to agree. Silent if the number of the summary stands
    anywhere else in the paper, or the other one in the same section, and after "about", "up to" and the like. A number
    of the abstract is compared with the tables, too, as in RK116.

    Found::

        \begin{abstract}The Validator module corrects 17.2\% of tasks that are submitted incorrectly.\end{abstract}
        \section{Results} The Validator module corrects 10.0\% of the incorrectly submitted tasks.

    Not found::

        \begin{abstract}The Validator module corrects 10.0\% of tasks that are submitted incorrectly.\end{abstract}
        \section{Results} The Validator module corrects 10.0\% of the incorrectly submitted tasks.

    Source: ARR R1.
    """
    paper = context.paper
    quantities = list(_quantities(context))
    by_word: dict[str, list[_Quantity]] = {}
    for item in quantities:
        for word in item.words | item.others:
            by_word.setdefault(word, []).append(item)
    printed: dict[tuple[str, str], list[PrintedNumber]] = {}
    for sentence in paper.sentences:
        if sentence.place != "reference":
            printed.setdefault(_section(sentence), []).extend(sentence.numbers)
    for table in paper.tables:
        printed.setdefault(("table", ""), []).extend(number for cell in table.cells() for number in cell.numbers)
    for item in (item for item in quantities if _is_summary(item.sentence)):
        here = _section(item.sentence)
        near = {
            other
            for word in item.words | item.others
            if len(by_word[word]) <= MOST_COMMON
            for other in by_word[word]
            if _section(other.sentence) != here and _same(item, other)
        }
        if not near:
            continue
        agreeing = any(_agree(item.number, other.number) for other in near)
        alike = {other: 2 * len(item.others & other.others) + len(item.words & other.words) for other in near}
        other = min(alike, key=lambda other: (-alike[other], other.number.span))
        elsewhere = (number for where, numbers in printed.items() if where != here for number in numbers)
        twice = _is_summary(other.sentence) and other.number.span < item.number.span
        there = any(stands(other.number, number) for number in printed[here])
        known = len(item.others & other.others) < SURE and any(stands(item.number, number) for number in elsewhere)
        if agreeing or not (twice or there or known):
            place = paper.location(other.number.span)
            yield from abstract_number_differs.compare(
                context,
                "number in two places",
                item.number.span,
                agreeing,
                f"{item.number.text} is printed here, and {other.number.text} of the same in line {place.line} of "
                f"{place.path.name}.",
                "print one number in both",
            )
    yield from against_tables(context, abstract_number_differs, abstract=True)


def _section(sentence: Sentence) -> tuple[str, str]:
    return ("abstract", "") if sentence.place == "abstract" else ("", sentence.section)


def _is_summary(sentence: Sentence) -> bool:
    return sentence.place == "abstract" or RE["summary"].search(sentence.section) is not None


def _quantities(context: CheckContext) -> Iterator[_Quantity]:
    for item in context.prose.results:
        sentence = item.sentence
        if not sentence.numbers or sentence.place not in ("abstract", "body", "caption"):
            continue
        located = located_numbers(sentence.text)
        words = list(RE["word"].finditer(item.text))
        names = list(RE["name"].finditer(item.text))
        ranges = [match.span() for match in RE["range"].finditer(item.text)]
        for start, end, number in located:
            if not (number.decimals or number.percent) or number.relation != "=" or number.role == "remark":
                continue
            before = [word for word in words if word.end() <= start][-NEAR:]
            behind = [word for word in words if word.start() >= end][:NEAR]
            low, high = (before or behind)[0].start() if words else 0, (behind or before)[-1].end() if words else 0
            if RE["unsure"].search(item.text[max(0, start - 25) : start]) or any(a <= start < b for a, b in ranges):
                continue
            content = {_stem(word[0]) for word in (*before, *behind) if word[0].lower() not in STOP}
            yield _Quantity(
                sentence,
                number,
                frozenset(content),
                frozenset(name[0] for name in names if low <= name.start() < high),
                frozenset(other.text for at, _, other in located if at != start and low <= at < high),
                " point" in item.text[end : end + 20],
            )


def _stem(word: str) -> str:
    word = word.lower()
    return re.sub(r"(?:ly|ing|ed|es|s|e)$", "", word) if len(word) > 4 else word


def _same(one: _Quantity, other: _Quantity) -> bool:
    """Return whether two numbers measure the same quantity, judged by the words around them."""
    values = sorted(abs(item.number.value) for item in (one, other))
    shared, anchors = len(one.words & other.words), len(one.others & other.others)
    fewest = 0 if anchors else SHARE * min(len(one.words), len(other.words))
    near = anchors and shared >= FEWEST_BESIDE and values[1] <= NEAREST * values[0]
    return (
        not (one.names - other.names and other.names - one.names)
        and one.number.percent == other.number.percent
        and (one.number.sign == "-") == (other.number.sign == "-")
        and one.number.role == other.number.role
        and one.points == other.points
        and values[1] <= WIDEST * values[0]
        and (bool(near) or (shared >= max(FEWEST_WORDS, fewest) and shared + 2 * anchors >= FEWEST_SHARED))
    )


def _agree(one: PrintedNumber, other: PrintedNumber) -> bool:
    return one.low <= other.high + 1e-9 and other.low <= one.high + 1e-9
