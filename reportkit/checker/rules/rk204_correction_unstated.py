r"""Several comparisons are marked, and no correction is stated.

What it does
------------
Reports, once for a paper, marks at two or more places (or p-values of two or more tests in one table) if nothing in
the paper says whether and how p-values are corrected for the number of comparisons. P-values of the coefficients of a
model, beside their t or z, are left alone.

Why
---
With 20 comparisons at level .05 and nothing to find, one mark is expected, and at least one appears with probability
.64 if they are independent. ACL Rolling Review, guideline R5; Dror et al. (2017), section 2.

Example
-------
    Caption: $\dagger$ better than BM25 (McNemar's test, two-sided, $p < .05$).  with marks in six columns

Instead
-------
    Caption: $\dagger$ better than BM25 (McNemar's test, two-sided, $p < .05$, Holm-adjusted over 6 datasets).

When it is wrong
----------------
If the comparisons are one hypothesis each in papers of their own. Say that p-values are not corrected, and this is
silent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import quantity_of
from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.printed_test import rows_of_tests
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import CORRECTION


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for the first table with several comparisons, if no correction is stated."""
    prose = context.prose
    for table in context.paper.tables:
        words = f"{prose.beside(table)} {prose.refers_to(table)}"
        compared = _compared(table, SIGNIFICANCE.search(words) is not None)
        if len(compared) < 2:
            continue
        context.coverage.claim(context.number, table.span)
        if CORRECTION.search(words) or prose.says(CORRECTION):
            return
        what = "p-values" if compared[0].marks == () else "significance marks"
        yield RULE.at(
            context.paper,
            compared[0].span,
            (
                f"The table has {len(compared)} {what}, and nothing says whether p-values are corrected for the "
                f"number of comparisons."
            ),
            remedy="correct (Holm's procedure needs no assumption) and say so, or say that p-values are not corrected",
        )
        return


def _compared(table: Table, about_significance: bool) -> list[Cell]:
    """Cells that are results of tests: marked ones, or those of a column or row of p-values."""
    marked = [cell for cell in table.body() if cell.number is not None and MARKS.intersection(cell.marks)]
    if marked and about_significance:
        return marked
    if any(rows_of_tests(table)):
        return []  # coefficients of a model, each with its statistic
    return [
        cell
        for cell in table.body()
        if cell.number is not None
        and 0 <= cell.number.value <= 1
        and any(
            quantity_of(table, text) == "p-value"
            for text in (*table.row_header(cell.row)[-1:], *table.column_header(cell.column)[-1:])
        )
    ]


SIGNIFICANCE = re.compile(r"\bsignifican|\bp\s*[<≤=]|\bbetter than\b[^.]*\btest|\bp-value", re.IGNORECASE)
MARKS = frozenset({"*", "**", "***", "†", "††", "‡", "‡‡", "§", "¶", "△", "⋄", "•"})


RULE = Rule(
    code="RK204",
    name="correction-unstated",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    sources="ARR R5",
)
