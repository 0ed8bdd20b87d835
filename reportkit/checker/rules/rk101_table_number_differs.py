"""A number in a table is not the one that follows from the data.

What it does
------------
Links the cells of a table to systems, datasets and metrics of the results by the headings of row and column, recomputes
every score, difference, average and number of instances with the settings of the same `reportkit.toml`, and reports a
printed number whose digits do not stand for the computed one: 93.1 stands for every value from 93.05 to 93.15.

Why
---
ACL Rolling Review, guideline R1 (misleading presentation); NeurIPS checklist, item 7. Tables are typed by hand, and the
runs behind them change. Nothing else in a review can be checked so cheaply, and nothing costs more trust.

Example
-------
A cell says 81.0, and the mean of its scores in results.csv is 80.0.

Instead
-------
Build the table from the results (`reportkit build`), or type the number that follows from them.

When it is wrong
----------------
If the table shows another split, another metric or another version of a system under the same name. Name what the
headings stand for in `[check.labels]`; `"Dev" = ""` says that a heading means nothing, and a name that the data do not
have keeps a column from being linked. Truncated (not rounded) digits are reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.linked import LinkedCell
from reportkit.checker.rule import Rule

COMPARED = frozenset({"score", "difference", "average", "n"})
_NOUNS = {"score": "score", "difference": "difference", "average": "average", "n": "number of instances"}


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each linked cell that does not agree with the data."""
    coverage, paper = context.coverage, context.number
    for linked in context.linked_tables:
        for _, number, reason in linked.unlinked:
            coverage.unlinked(paper, number.span, reason)
        for item in linked.cells:
            if item.kind not in COMPARED:
                coverage.unlinked(paper, item.number.span, "no rule compares p-values and intervals with the data yet")
                continue
            coverage.checked(paper, item.number.span)
            coverage.table(paper, linked.table.span)
            if not item.agrees:
                yield _differs(context, item)


def _differs(context: CheckContext, item: LinkedCell) -> Diagnostic:
    exact = f"{item.scale * item.value:.{item.number.decimals + 3}g}"
    computed = f"{item.scale * item.value:.{item.number.decimals + 2}f}" if item.kind != "n" else exact
    return RULE.at(
        context.paper,
        item.number.span,
        f"{item.number.text} is printed, and the {_NOUNS[item.kind]} in {context.data.name} is {computed}.",
        where=item.where,
        remedy=f"print {item.expected}, or find out which of the two is out of date",
        replacement=item.expected,
        safe=False,
    )


RULE = Rule(
    code="RK101",
    name="table-number-differs",
    severity="error",
    needs=frozenset({"paper", "data"}),
    check=check,
)
