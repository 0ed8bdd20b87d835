"""Stars or counts of datasets do not follow from the printed p-values.

What it does
------------
Takes the p-values that a table prints for two systems, each as the interval its digits stand for, and computes k-hat
(plain count, Bonferroni, Fisher) and the datasets that Holm's procedure identifies. Reports a printed k-hat that no
p-values which round to the printed ones can give, a star that does not follow, and a star that is missing.

Why
---
ACL Rolling Review, guideline R1. Dror et al. (2017) print a count of 10 where 9 follows from their own p-values, and no
rounding explains it. Counts and stars are what readers remember of a table.

Example
-------
    k-hat by Fisher is 10, and the twelve p-values of the table give 9.

Instead
-------
    k-hat by Fisher is 9.

When it is wrong
----------------
If the count is of other p-values than those of the table whose systems it names, or if the marks follow from a
correction that the caption does not name. Marks are checked only if the caption gives their level, and names Holm or
Bonferroni, no correction at all, or adjusted p-values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from reportkit.checker.comparison import LEVEL, PrintedComparison, comparisons, levels_of_marks, words_about
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Table
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.rule import Rule

if TYPE_CHECKING:
    from reportkit.replicability.printed.reproduction import Reproduction

K_HAT = re.compile(r"k̂|\bk-hat\b|\bkhat\b", re.IGNORECASE)
METHODS = {
    "fisher": re.compile(r"fish", re.IGNORECASE),
    "bonferroni": re.compile(r"bonf", re.IGNORECASE),
    "count": re.compile(r"count|naive", re.IGNORECASE),
}
IN_TEXT = re.compile(r"k̂_?\s*\(?(?P<method>\w+)\.?\)?\s*(?:=|is|of|equals)\s*(?P<k>\d+)\b(?!\.\d)")
OTHER_CORRECTION = re.compile(
    r"\b(?:FDR|Benjamini|Hochberg|Hommel|Šid[aá]k|Sidak|Dunn|Tukey|Nemenyi|max-?T|permutation-adjusted)", re.IGNORECASE
)
STEPDOWN = re.compile(r"\bHolm\b")
BONFERRONI = re.compile(r"\bBonferroni\b")
PLAIN = re.compile(
    r"\b(?:uncorrected|unadjusted|not (?:corrected|adjusted)|no correction|without correction)\b", re.IGNORECASE
)
NAMES = {"fisher": "Fisher", "bonferroni": "Bonferroni", "count": "a plain count"}


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each count that cannot follow, and one for each table whose marks do not follow."""
    found = [item for item in comparisons(context.paper) if any(line.p is not None for line in item.lines)]
    readable = [(item, texts) for item in found if (texts := item.p_texts()) is not None]
    for table in context.paper.tables:
        yield from _counts_of_table(context, table, readable)
    yield from _counts_in_text(context, readable)
    for comparison, texts in readable:
        yield from _marks(context, comparison, texts)


def reproduced(comparison: PrintedComparison, texts: list[str], alpha: float, k_hats: dict[str, int]) -> Reproduction:
    """Recompute what follows from the printed p-values at one level."""
    import numpy as np

    from reportkit.replicability.printed.reproduction import PrintedClaim, reproduce
    from reportkit.scores.rounding_cell import p_value_cells

    names = [line.dataset for line in comparison.lines]
    return reproduce(
        system_a=comparison.system_a,
        system_b=comparison.system_b,
        datasets=names,
        cells=np.array(p_value_cells(texts)),
        differences=np.array([float(line.sign or 0) for line in comparison.lines]),
        alpha=alpha,
        printed=PrintedClaim(system_a=comparison.system_a, system_b=comparison.system_b, alpha=alpha, k_hat=k_hats),
    )


def _counts_of_table(
    context: CheckContext, table: Table, readable: list[tuple[PrintedComparison, list[str]]]
) -> Iterator[Diagnostic]:
    columns = {
        column: method
        for column in range(table.n_header_columns, table.n_columns)
        if (method := _method(" ".join(table.column_header(column)))) is not None
    }
    if not columns:
        return
    level = _level(table.caption.text)
    for row in range(table.n_header_rows, table.n_rows):
        heading = " ".join(table.row_header(row)[-1:])
        comparison = _named(heading, readable)
        alpha = _level(heading) or level or _level(" ".join(table.row_header(row)))
        if comparison is None or alpha is None:
            continue
        for column, method in columns.items():
            number = table.grid[row][column].number
            if number is not None:
                yield from _count(context, number, method, alpha, *comparison)


def _counts_in_text(context: CheckContext, readable: list[tuple[PrintedComparison, list[str]]]) -> Iterator[Diagnostic]:
    for sentence in context.paper.sentences:
        if not K_HAT.search(sentence.text.text):
            continue
        comparison = _named(sentence.text.text, readable) or (readable[0] if len(readable) == 1 else None)
        alpha = _level(sentence.text.text) or 0.05
        for match in IN_TEXT.finditer(sentence.text.text):
            method = _method(f"k̂ {match['method']}")
            span = sentence.text.span(match.start("k"), match.end("k"))
            number = next((item for item in sentence.numbers if item.span == span), None)
            if comparison is not None and method is not None and number is not None:
                yield from _count(context, number, method, alpha, *comparison)


def _count(
    context: CheckContext,
    number: PrintedNumber,
    method: str,
    alpha: float,
    comparison: PrintedComparison,
    texts: list[str],
) -> Iterator[Diagnostic]:
    context.coverage.checked(context.number, number.span)
    found = reproduced(comparison, texts, alpha, {method: int(number.value)})
    if method not in found.impossible:
        return
    low, high = found.recomputed_high[method], found.recomputed_low[method]
    follows = f"{low}" if low == high else f"{low} to {high}"
    yield RULE.at(
        context.paper,
        number.span,
        f"k-hat by {NAMES[method]} is printed as {number.text}, and the {len(texts)} printed p-values of "
        f"{comparison.system_a} and {comparison.system_b} give {follows} at level {alpha:g}, however they were "
        f"rounded.",
        remedy="count anew, or print the p-values that the count was made of",
    )


def _marks(context: CheckContext, comparison: PrintedComparison, texts: list[str]) -> Iterator[Diagnostic]:
    about = words_about(context.paper, comparison.table)
    words = " ".join(about)
    levels = levels_of_marks(about)
    used = {mark for line in comparison.lines for mark in line.marks}
    if OTHER_CORRECTION.search(words) or not used & levels.keys():
        return
    for mark, alpha in levels.items():
        if mark not in used:
            continue
        certain, possible = _identified(comparison, texts, alpha, words)
        for index, line in enumerate(comparison.lines):
            context.coverage.claim(context.number, line.span) if mark in line.marks else None
            if mark in line.marks and not possible[index]:
                wrong = f"{line.dataset} is marked {mark}, which does not follow from its p = {texts[index]}"
            elif mark not in line.marks and certain[index] and not _stronger(line.marks, alpha, levels):
                wrong = f"{line.dataset} is not marked {mark}, which follows from its p = {texts[index]}"
            else:
                continue
            yield RULE.at(
                context.paper,
                line.span,
                f"{wrong} and the {len(texts)} p-values of the table ({_procedure(comparison, words)}, level "
                f"{alpha:g}).",
                remedy="mark what follows from the p-values, or say in the caption how the marks were made",
            )


def _identified(
    comparison: PrintedComparison, texts: list[str], alpha: float, words: str
) -> tuple[list[bool], list[bool]]:
    """Lines that are identified whatever the rounding, and those that some rounding identifies."""
    import numpy as np

    from reportkit.replicability.multiple_testing.p_values import rejection_level
    from reportkit.replicability.multiple_testing.partial_conjunction import holm
    from reportkit.scores.rounding_cell import p_value_cells

    cells = np.clip(np.array(p_value_cells(texts)), np.finfo(np.float64).smallest_normal, 1.0)
    found = []
    for column in (2, 0):
        p = cells[:, column]
        procedure = _procedure(comparison, words)
        if procedure == "Holm":
            p = holm(p)
        elif procedure == "Bonferroni":
            p = np.minimum(1.0, len(p) * p)
        found.append([bool(value) for value in p <= rejection_level(alpha)])
    return found[0], found[1]


def _procedure(comparison: PrintedComparison, words: str) -> str:
    if comparison.adjusted or PLAIN.search(words):
        return "no correction"
    return "Holm" if STEPDOWN.search(words) else "Bonferroni" if BONFERRONI.search(words) else "no correction"


def _stronger(marks: tuple[str, ...], alpha: float, levels: dict[str, float]) -> bool:
    """Whether another mark of the line stands for a smaller level, and so for this one too."""
    return any(levels.get(mark, 1.0) < alpha for mark in marks)


def _method(text: str) -> str | None:
    if not K_HAT.search(text):
        return None
    return next((name for name, pattern in METHODS.items() if pattern.search(text)), None)


def _level(text: str) -> float | None:
    levels = {float(match["level"]) for match in LEVEL.finditer(text) if match["level"]}
    return levels.pop() if len(levels) == 1 else None


def _named(
    text: str, readable: list[tuple[PrintedComparison, list[str]]]
) -> tuple[PrintedComparison, list[str]] | None:
    named = [pair for pair in readable if pair[0].names(text)]
    return named[0] if len(named) == 1 else None


RULE = Rule(
    code="RK111",
    name="count-from-printed-p",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    contradiction=True,
    sources="ARR R1",
)
