r"""No table of wins and losses with these accuracies gives this McNemar p-value.

What it does
------------
For tables with the accuracies of two systems and a p-value on datasets whose number of instances is printed, in a paper
that names McNemar's test beside the table: goes through all numbers of right answers that the printed accuracies stand
for, and through all tables of wins and losses with these margins, and reports a p-value that none of them gives,
one-sided or two-sided.

Why
---
ACL Rolling Review, guideline R1. Two accuracies alone bound McNemar's p: 1721 and 1637 of 2376 give at most .0131
one-sided, whatever the pairing was.

Example
-------
    72.4 against 68.9 on 2376 instances, McNemar's test, p = .21

Instead
-------
    72.4 against 68.9 on 2376 instances, McNemar's test, p = .004

When it is wrong
----------------
If p is adjusted and the heading does not say it, or if scores are means over runs. Columns of adjusted p-values are
left alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from reportkit.checker.comparison import PrintedComparison, comparisons, p_text, words_about
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.rule import Rule
from reportkit.checker.sizes import Sizes, sizes_of

NAMED = re.compile(r"\bMcNemar", re.IGNORECASE)
ADJUSTED = re.compile(r"\b(?:adjusted|corrected|correction|Bonferroni|Holm|FDR)\b", re.IGNORECASE)
SLACK = 1.1
"""Variants of the test (continuity correction, mid-p, the normal approximation) differ by less at the ends."""

MOST_COUNTS = 60


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each p-value that the margins rule out."""
    sizes: Sizes | None = None
    for comparison in comparisons(context.paper):
        about = " ".join(words_about(context.paper, comparison.table))
        if comparison.adjusted or not any(line.p for line in comparison.lines) or ADJUSTED.search(about):
            continue
        if not NAMED.search(about):
            continue
        sizes = sizes or sizes_of(context.paper)
        yield from _lines(context, comparison, sizes)


def _lines(context: CheckContext, comparison: PrintedComparison, sizes: Sizes) -> Iterator[Diagnostic]:
    from reportkit.scores.rounding_cell import p_value_cell, parsed_p_value

    percent = any(
        cell.number.value > 1
        for line in comparison.lines
        for cell in (line.a, line.b)
        if cell is not None and cell.number
    )
    for line in comparison.lines:
        n = int(line.n.number.value) if line.n is not None and line.n.number is not None else sizes.of(line.dataset)
        written = p_text(line.p)
        cells = [cell.number for cell in (line.a, line.b) if cell is not None and cell.number is not None]
        if line.p is None or n is None or len(cells) != 2 or parsed_p_value(written) is None:
            continue
        ends = feasible_p_values(cells[0], cells[1], n, percent=percent)
        if ends is None:
            continue
        context.coverage.checked(context.number, (line.p.numbers[0]).span)
        low, _, high = p_value_cell(written)
        if low > ends[1] * SLACK or high < ends[0] / SLACK:
            bound = f"at most {ends[1]:.3g}" if low > ends[1] else f"at least {ends[0]:.3g}"
            yield RULE.at(
                context.paper,
                line.p.span,
                f"p = {written} on {line.dataset} is no McNemar p-value of {cells[0].text} and {cells[1].text} "
                f"on {n:,} "
                f"instances: it is {bound}.",
                remedy="compute the test anew, or say which test this p is of",
            )


def feasible_p_values(a: PrintedNumber, b: PrintedNumber, n: int, *, percent: bool) -> tuple[float, float] | None:
    """Smallest one-sided and largest two-sided p of all tables with these accuracies; None if there are none."""
    from reportkit.significance.margins import feasible_interval

    scale = 100 if percent else 1
    counts = []
    for number in (a, b):
        low, high = math.ceil(number.low / scale * n - 1e-9), math.floor(number.high / scale * n + 1e-9)
        if low > high or high - low > MOST_COUNTS or low < 0 or high > n:
            return None
        counts.append((low, high))
    (a_low, a_high), (b_low, b_high) = counts
    pairs = {(a_low, b_high), (a_high, b_low), (a_low, b_low), (a_high, b_high)}
    if max(a_low, b_low) <= min(a_high, b_high):
        return None
    found = [feasible_interval(max(x, y), min(x, y), n) for x, y in pairs]
    return min(item.low for item in found), min(1.0, 2 * max(item.high for item in found))


RULE = Rule(
    code="RK112",
    name="mcnemar-p-infeasible",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    contradiction=True,
    sources="ARR R1",
)
