"""The word "significant" is used without saying which kind, and no test stands near.

What it does
------------
Reports "significant", "significantly" and "significance" in prose, captions and footnotes if the sentence says neither
"statistical(ly)" nor "practical(ly)", and neither it nor its neighbours name a test, a p-value, a level or an interval.
The noun alone is accepted in a paper that speaks of statistical significance or of significance tests elsewhere.

Why
---
ACL Rolling Review, reviewer guideline R5 (missing statistical significance assessment) and R1 (misleading
presentation). Readers take the word for a test result; many papers mean "large". Sadat Azer et al. (2020), section 4,
ask authors to say which of the two they mean.

Example
-------
    Our model is significantly better than the baseline.

Instead
-------
    Our model is better than the baseline by 2.3 points (95% interval 1.1 to 3.5; exact McNemar test, two-sided,
    p = .002). Or, if no test was made: Our model is much better than the baseline.

When it is wrong
----------------
Quotations, titles of papers and fixed terms are recognised only in part ("significant digits", "significant other",
"most significant bit"). Ignore the line with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.prose import Statement
from reportkit.checker.rule import Rule

WORD = re.compile(r"\b(?:in)?significan(?:t|tly|ce)\b", re.IGNORECASE)
QUALIFIED = re.compile(r"\b(?:statistical|practical|clinical|substantive)(?:ly)?\b", re.IGNORECASE)
TERM = re.compile(
    r"\bsignifican\w+ (?:digit|figure|bit|byte|other|level of|wave height)|\bleast significan|\bmost significan\w+ bit"
    r"|\b(?:significance|significan\w+) test|\bsigned[- ]rank",
    re.IGNORECASE,
)
TERM_SAID = re.compile(r"\bstatistical(?:ly)? significan|\bsignifican\w+ (?:test|level)", re.IGNORECASE)
"""After it, the noun "significance" is a term of the paper."""
TEST_NAMED = re.compile(
    r"\bp\s*(?:-\s*values?|[<>=≤≥])|\bα\s*=|\b\d+\s?% (?:confidence|credible)|\b(?:confidence|credible) interval"
    r"|\b(?:t|z|F|χ\^?2)[- ]?tests?\b|\bt-test|\b(?:McNemar|Wilcoxon|bootstrap|permutation|randomi[sz]ation|sign|"
    r"signed-rank|Mann|Friedman|Nemenyi|Holm|Bonferroni|Fisher|Welch|Steiger|Williams|Student|ANOVA|Kruskal|ASO|"
    r"chi-squared?)\b(?:[^.]{0,40}\b(?:test|correct|adjust|p\b|resampl|α)|['’]s\b|\s*\()?",
    re.IGNORECASE,
)
NEAR = 1
"""Sentences before and after that count as near, within a paragraph."""


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each sentence with an unqualified claim."""
    prose = context.prose
    noun = prose.says(TERM_SAID) is not None
    for statement in prose.with_words("significan"):
        near = prose.paragraph(statement)
        index = next(number for number, other in enumerate(near) if other is statement)
        yield from _in_sentence(context, statement, near[max(0, index - NEAR) : index + NEAR + 1], noun=noun)


def _in_sentence(
    context: CheckContext, statement: Statement, near: list[Statement], *, noun: bool
) -> Iterator[Diagnostic]:
    text = statement.text
    found = next((item for item in WORD.finditer(text) if not (noun and item[0].lower() == "significance")), None)
    if found is None or statement.attributed:
        return
    sentence = statement.sentence
    context.coverage.claim(context.number, sentence.span)
    if QUALIFIED.search(text) or TERM.search(text) or any(TEST_NAMED.search(item.text) for item in near):
        return
    yield RULE.at(
        context.paper,
        sentence.text.span(*found.span()),
        f"{found[0]!r} is not qualified as statistical or practical, and no test is named near it.",
        remedy='say "statistically significant" and name the test, its sides, its correction and p; or choose another '
        'word ("large", "clear") if no test was made',
    )


RULE = Rule(
    code="RK201",
    name="significance-unqualified",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    sources="ARR R1, R5; Sadat Azer et al. 2020",
)
