"""The abstract and the text say the same in the same words, with another number.

What it does
------------
Compares each sentence of the abstract that holds a result with those of the text, and reports one that has the same
words and all numbers but one in common.

Why
---
ACL Rolling Review, guideline R1. Abstract and conclusion are copied from one another, and only one of them is brought
up to date.

Example
-------
    Abstract: Our parser reaches 91.4 LAS on English, 2.1 points above the baseline.
    Conclusion: Our parser reaches 91.7 LAS on English, 2.1 points above the baseline.

Instead
-------
    One number in both.

When it is wrong
----------------
If the two sentences are about different things that their words do not tell apart. Short sentences, and those with a
year or a count alone that differs, are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Sentence
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.rule import Rule

FEWEST_WORDS = 7
"""Words besides the numbers that two sentences share."""
_WORD = re.compile(r"[^\W\d_]+")
_OPENING = frozenset({"we", "in", "this", "paper", "work", "our", "the", "that", "show", "overall", "finally", "and"})


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each number of the abstract that the text contradicts."""
    sentences = [item for item in context.paper.sentences if item.numbers]
    abstract = [(item, _numbers(item)) for item in sentences if item.place == "abstract"]
    if not abstract:
        return
    said: dict[tuple[str, ...], list[tuple[Sentence, list[PrintedNumber]]]] = {}
    for sentence in sentences:
        if sentence.place == "body":
            said.setdefault(_words(sentence), []).append((sentence, _numbers(sentence)))
    for sentence, numbers in abstract:
        words = _words(sentence)
        if len(words) < FEWEST_WORDS or not any(map(_is_result, numbers)):
            continue
        others = [(other, found) for other, found in said.get(words, ()) if len(found) == len(numbers)]
        if any(_differing(numbers, found) == [] for _, found in others):
            continue  # said so somewhere else, too
        for other, found in others:
            pairs = _differing(numbers, found)
            if len(pairs) == 1 and all(map(_is_result, pairs[0])):
                one, two = pairs[0]
                place = context.paper.location(other.span)
                yield RULE.at(
                    context.paper,
                    one.span,
                    f"The abstract says {one.text}, and the same sentence says {two.text} in line {place.line} of "
                    f"{place.path.name}.",
                    remedy="print one number in both",
                )


def _words(sentence: Sentence) -> tuple[str, ...]:
    """Words without those that sentences open with, so that "We show that" makes no difference."""
    words = [word.casefold() for word in _WORD.findall(sentence.text.text)]
    while words and words[0] in _OPENING:
        del words[0]
    return tuple(words)


def _numbers(sentence: Sentence) -> list[PrintedNumber]:
    return [number for _, _, number in located_numbers(sentence.text)]


def _is_result(number: PrintedNumber) -> bool:
    """Whether a number is a score, a gain or a p-value: with decimals, or in percent."""
    return bool(number.decimals) or number.percent


def _differing(ones: list[PrintedNumber], others: list[PrintedNumber]) -> list[tuple[PrintedNumber, PrintedNumber]]:
    """Pairs that no common value is printed as."""
    return [
        (one, other)
        for one, other in zip(ones, others, strict=True)
        if one.high < other.low - 1e-12 or other.high < one.low - 1e-12
    ]


RULE = Rule(
    code="RK121",
    name="abstract-number-differs",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    sources="ARR R1",
)
