r"""No correlation between two systems gives this p-value of Steiger's test.

What it does
------------
For tables with the correlations of two systems with the same gold scores and a p-value, on datasets whose number of
instances is printed, in a paper that names Steiger's (or Williams's, or Meng's) test beside the table: goes through all
correlations between the systems that can stand beside the two printed ones (the matrix of the three has to be positive
semi-definite), and reports a p-value that none of them gives, one-sided or two-sided.

Why
---
ACL Rolling Review, guideline R1. The larger the correlation between two systems, the smaller p; even systems that
disagree as much as they can leave no p of .21 for .68 and .57 on 252 pairs of words.

Example
-------
    0.6814 against 0.5706 on 252 pairs, Steiger's test, p = 0.2123

Instead
-------
    0.6814 against 0.5706 on 252 pairs, Steiger's test, p = 0.0123

When it is wrong
----------------
If n is that of the dataset and the correlation was computed on the part that both systems cover. Then say how many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.comparison import PrintedComparison, comparisons, p_text, words_about
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule
from reportkit.checker.sizes import Sizes, sizes_of

NAMED = re.compile(r"\b(?:Steiger|Williams|Meng|Dunn and Clark)\b")
ADJUSTED = re.compile(r"\b(?:adjusted|corrected|correction|Bonferroni|Holm)\b", re.IGNORECASE)
SLACK = 1.25
"""The tests of Steiger, Williams and Meng differ by less at the ends."""

N_STEPS = 400


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each p-value that no correlation between the systems gives."""
    sizes: Sizes | None = None
    for comparison in comparisons(context.paper):
        about = " ".join(words_about(context.paper, comparison.table))
        if comparison.adjusted or not any(line.p for line in comparison.lines) or not NAMED.search(about):
            continue
        sizes = sizes or sizes_of(context.paper)
        yield from _lines(context, comparison, sizes)


def _lines(context: CheckContext, comparison: PrintedComparison, sizes: Sizes) -> Iterator[Diagnostic]:
    from reportkit.scores.rounding_cell import p_value_cell, parsed_p_value

    for line in comparison.lines:
        n = int(line.n.number.value) if line.n is not None and line.n.number is not None else sizes.of(line.dataset)
        written = p_text(line.p)
        values = [cell.number.value for cell in (line.a, line.b) if cell is not None and cell.number is not None]
        if line.p is None or n is None or n < 10 or len(values) != 2 or parsed_p_value(written) is None:
            continue
        if not all(abs(value) < 1 for value in values) or values[0] == values[1]:
            continue
        context.coverage.checked(context.number, line.p.numbers[0].span)
        low = p_value_cell(written)[0]
        largest = largest_p_value(values[0], values[1], n)
        if low > SLACK * largest:
            yield RULE.at(
                context.paper,
                line.p.span,
                f"p = {written} on {line.dataset} is too large for correlations of {values[0]:g} and "
                f"{values[1]:g} on {n:,} "
                f"instances: for every correlation between the systems, it is at most {largest:.2g}.",
                remedy="compute the test anew, or print the number of instances that it was made on",
            )


def largest_p_value(r_a: float, r_b: float, n: int) -> float:
    """Largest two-sided p of Steiger's test over all correlations between the systems that are possible.

    Examples
    --------
    >>> round(largest_p_value(0.6814, 0.5706, 252), 3)
    0.063
    """
    from scipy.special import ndtr

    from reportkit.significance.tests.steiger import steiger_z

    half = ((1 - r_a * r_a) * (1 - r_b * r_b)) ** 0.5
    low, high = r_a * r_b - half, min(r_a * r_b + half, 1 - 1e-9)
    smallest = min(abs(steiger_z(r_a, r_b, low + (high - low) * step / N_STEPS, n)) for step in range(N_STEPS + 1))
    return float(2 * ndtr(-smallest))


RULE = Rule(
    code="RK113",
    name="steiger-p-impossible",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    contradiction=True,
    sources="ARR R1",
)
