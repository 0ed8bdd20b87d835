r"""A Bayes factor is about another hypothesis than the claim, or does not follow from the printed figures.

What it does
------------
Reads posterior and prior masses of a hypothesis and its complement where a Bayes factor is computed, as in
BF = (a/b)/(c/d). Reports pairs that do not sum to one, as complementary masses must; a factor that the four figures
cannot give, however they were rounded; and a paper that prints two values of the same factor. Reports a factor of a
hypothesis of equivalence (|difference| below a margin) that is called evidence that one system is better.

Why
---
A Bayes factor is the posterior odds over the prior odds (Kass and Raftery 1995); figures that do not fit show that a
denominator was exchanged. Sadat Azer et al. (2020) print (.027/.980)/(.019/.972), whose pairs sum to 1.007 and .991,
and call the factor 1.382 in one place and 1.32 in another.

Example
-------
    BF = (0.027/0.980) / (0.019/0.972) = 1.382

Instead
-------
    BF = (0.0272/0.9728) / (0.0199/0.9801) = 1.377

When it is wrong
----------------
If the two hypotheses leave room for a third one, so that their masses need not sum to one, or if a paper prints factors
of several comparisons in sentences that name none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Sentence
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.rule import Rule

_N = r"(?P<{}>\d*\.\d+)"
ODDS = re.compile(
    r"\(?\s*" + _N.format("a") + r"\s*/\s*" + _N.format("b") + r"\s*\)?\s*/\s*\(?\s*" + _N.format("c") + r"\s*/\s*"
    + _N.format("d") + r"\s*\)?\s*(?:=|≈)\s*" + _N.format("v")
)  # fmt: skip
FACTOR = re.compile(
    r"(?:\bBF_?\s*\(?\d*\)?\s*(?:=|≈|is|of)\s*|\bBayes factors?\s*(?:\([^)]*\)\s*)?(?:=|≈|is|of|was|"
    r"equals)\s*(?:only\s+)?|"
    r"\bfactor of\s+)(?P<v>\d+\.\d+)"
)
MASSES = re.compile(
    r"posterior (?:probability|mass)[^.;]{0,60}?(?P<a>0?\.\d+)[^;]{0,60}?prior (?:probability|"
    r"mass)[^.;]{0,60}?(?P<c>0?\.\d+)",
    re.IGNORECASE,
)
BAYES = re.compile(r"\bBayes factors?\b|\bBF(?:_?\d+)?\b")
EQUIVALENCE = re.compile(r"\|[^|]{3,30}\|\s*(?:<|≤)|\babsolute difference\b|\bequivalen\w+|\bROPE\b")
BETTER = re.compile(r"\b(?:exceeds?|better than|outperforms?|superior|beats?)\b", re.IGNORECASE)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each figure that does not fit."""
    sentences = [item for item in context.paper.sentences if item.place != "reference"]
    values: list[tuple[Sentence, PrintedNumber]] = []
    for sentence in sentences:
        text = sentence.text.text
        if not BAYES.search(text) and "odds" not in text:
            continue
        formula = ODDS.search(text)
        if formula is not None:
            yield from _formula(context, sentence, formula)
        yield from _masses(context, sentence)
        if BAYES.search(text):
            values += _factors(sentence, formula)
    yield from _two_values(context, values)


def _formula(context: CheckContext, sentence: Sentence, match: re.Match[str]) -> Iterator[Diagnostic]:
    a, b, c, d, v = (_cell(match[name]) for name in "abcdv")
    for name, (one, other), (first, second) in (("posterior", (a, b), "ab"), ("prior", (c, d), "cd")):
        if one[1] + other[1] < 1 - 1e-9 or one[0] + other[0] > 1 + 1e-9:
            total = float(match[first]) + float(match[second])
            yield RULE.at(
                context.paper,
                sentence.text.span(match.start(first), match.end(second)),
                f"{match[first]} and {match[second]} are {name} masses of a hypothesis and its complement, and sum to "
                f"{total:.4g}, not to 1.",
                remedy="take each mass and its complement from the same distribution: (a / (1 - a)) / (c / (1 - c))",
                severity="warning",
            )
    factors = [w / x / (y / z) for w, x, y, z in product(a, b, c, d)]
    if min(factors) > v[1] or max(factors) < v[0]:
        yield RULE.at(
            context.paper,
            sentence.text.span(match.start("v"), match.end("v")),
            f"The Bayes factor {match['v']} does not follow from the four figures, which give {min(factors):.3g} to "
            f"{max(factors):.3g}.",
            remedy="compute it from the unrounded masses, and print them with more digits",
        )


def _masses(context: CheckContext, sentence: Sentence) -> Iterator[Diagnostic]:
    """Posterior and prior mass in words, with the factor behind them."""
    text = sentence.text.text
    masses, factor = MASSES.search(text), None
    if masses is not None:
        factor = FACTOR.search(text, masses.end())
    if masses is None or factor is None:
        return
    a, c, v = _cell(masses["a"]), _cell(masses["c"]), _cell(factor["v"])
    low = _odds(a[0]) / _odds(c[1])
    high = _odds(a[1]) / _odds(c[0])
    if _neither(v, low, high):
        yield RULE.at(
            context.paper,
            sentence.text.span(factor.start("v"), factor.end("v")),
            f"The Bayes factor {factor['v']} does not follow from the masses {masses['a']} and {masses['c']}, "
            f"whose odds "
            f"have the ratio {low:.3g} to {high:.3g}.",
            remedy="divide posterior odds by prior odds",
        )


def _neither(value: tuple[float, float], low: float, high: float) -> bool:
    """Whether neither the factor nor its reciprocal can be the ratio of odds."""
    ranges = (value, (1 / value[1], 1 / value[0])) if value[0] > 0 else (value,)
    return all(one[1] < low or one[0] > high for one in ranges)


def _factors(sentence: Sentence, formula: re.Match[str] | None) -> list[tuple[Sentence, PrintedNumber]]:
    begin, end = (0, 0) if formula is None else formula.span()
    ends = {match.end("v") for match in FACTOR.finditer(sentence.text.text) if not begin <= match.start("v") < end}
    if MASSES.search(sentence.text.text):
        return []
    if formula is not None:
        ends.add(formula.end("v"))
    spans = {sentence.text.span(end - 1, end).end for end in ends}
    return [(sentence, number) for number in sentence.numbers if number.span.end in spans]


def _two_values(context: CheckContext, values: list[tuple[Sentence, PrintedNumber]]) -> Iterator[Diagnostic]:
    """Two values of one factor: a paper that computes one, and quotes another in a sentence that is about one too."""
    if len(values) != 2 or not any(ODDS.search(sentence.text.text) for sentence, _ in values):
        return
    (sentence, quoted), (_, computed) = values
    if ODDS.search(sentence.text.text):
        (sentence, quoted), (_, computed) = reversed(values)
    text = sentence.text.text
    if quoted.low > computed.high or quoted.high < computed.low:
        yield RULE.at(
            context.paper,
            quoted.span,
            f"The Bayes factor is {quoted.text} here and {computed.text} where it is computed.",
            remedy="print the same factor in both places, or say that they are two",
        )
    about = next((item.text.text for item, number in values if number is computed), "")
    around = " ".join(
        item.text.text
        for item in context.paper.sentences
        if any(number is computed for number in item.numbers)
        or item.paragraph in {s.paragraph for s, number in values if number is computed}
    )
    if BETTER.search(text) and (EQUIVALENCE.search(around) or EQUIVALENCE.search(about)) and computed.value > 1:
        yield RULE.at(
            context.paper,
            quoted.span,
            "The factor is called evidence that one system is better, and is computed for the hypothesis that both are "
            "equivalent.",
            remedy="say which hypothesis the factor favours, or compute that of the claim",
        )


def _cell(text: str) -> tuple[float, float]:
    half = 0.5 * 10.0 ** -len(text.partition(".")[2])
    return float(text) - half, float(text) + half


def _odds(mass: float) -> float:
    mass = min(max(mass, 1e-12), 1 - 1e-12)
    return mass / (1 - mass)


RULE = Rule(
    code="RK703",
    name="bayes-factor-other-hypothesis",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    contradiction=True,
)
