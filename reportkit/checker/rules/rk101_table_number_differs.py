"""A number in a table is not the one that follows from the data.

What it does
------------
Links the cells of a table to systems, datasets and metrics of the results by the headings of row and column, recomputes
every score, difference, average and number of instances with the settings of the same `reportkit.toml`, and reports a
printed number whose digits do not stand for the computed one: 93.1 stands for every value from 93.05 to 93.15. Where
the results are not at hand, the scores and tests of a report (`--report`) take their place.
p-values, adjusted p-values and bounds of intervals are warnings, and only if they differ by more than another valid
test or interval would: a factor of two, a fifth of the width.

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

from collections.abc import Iterator, Sequence

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.linked import LinkedCell
from reportkit.checker.prose_tests import MOST_FACTOR, MOST_SHARE
from reportkit.checker.rule import Rule

_NOUNS = {
    "score": "score",
    "difference": "difference",
    "average": "average",
    "n": "number of instances",
    "rank": "rank",
    "p-value": "p-value of reportkit",
    "adjusted-p-value": "adjusted p-value of reportkit",
    "interval-low": "lower bound of reportkit",
    "interval-high": "upper bound of reportkit",
}
OF_TEST = frozenset({"p-value", "adjusted-p-value", "interval-low", "interval-high"})
"""What depends on the test and the interval that are chosen: reported as warnings, and with room for another choice."""


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each linked cell that does not agree with the data."""
    coverage, paper = context.coverage, context.number
    for linked in context.linked_tables:
        if linked.scores():
            coverage.results(paper, (number.span for cell in linked.table.body() for number in cell.numbers))
        for _, number, reason in linked.unlinked:
            coverage.unlinked(paper, number.span, reason)
        for item in linked.cells:
            coverage.checked(paper, item.number.span)
            coverage.table(paper, linked.table.span)
            if not (_agrees(item, linked.cells) if item.kind in OF_TEST else item.agrees):
                yield _differs(context, item)


def _agrees(item: LinkedCell, cells: Sequence[LinkedCell]) -> bool:
    """Whether a p-value or a bound is that of the data, or near it as that of another test or interval may be."""
    if item.agrees:
        return True
    number = item.number
    if item.kind in ("p-value", "adjusted-p-value"):
        values = [item.value]
        if item.kind == "p-value":
            values.append(min(1.0, 2 * min(item.value, 1 - item.value)))  # two-sided
        for value in values:
            if number.stands_for(value):
                return True
            if number.relation == "=" and number.low <= MOST_FACTOR * value and value <= MOST_FACTOR * number.high:
                return True
        return False
    other_kind = "interval-high" if item.kind == "interval-low" else "interval-low"
    other = next((cell for cell in cells if cell.cell is item.cell and cell.kind == other_kind), None)
    if other is None:
        return True
    width = abs(item.scale * (item.value - other.value))
    return abs(number.value - item.scale * item.value) <= MOST_SHARE * width + number.unit


def _differs(context: CheckContext, item: LinkedCell) -> Diagnostic:
    exact = f"{item.scale * item.value:.{item.number.decimals + 3}g}"
    computed = f"{item.scale * item.value:.{item.number.decimals + 2}f}" if item.kind not in ("n", "rank") else exact
    if item.kind in ("p-value", "adjusted-p-value"):
        computed = f"{item.value:.3g}"
    place = f"from {context.scored.name}" if item.kind in OF_TEST else f"in {context.scored.name}"
    if item.kind in OF_TEST:
        return RULE.at(
            context.paper,
            item.number.span,
            f"{item.number.text} is printed, and the {_NOUNS[item.kind]} {place} is {computed}.",
            where=item.where,
            remedy="find out which data and which test it comes from; the settings of reportkit.toml decide what is "
            "computed",
            severity="warning",
        )
    return RULE.at(
        context.paper,
        item.number.span,
        f"{item.number.text} is printed, and the {_NOUNS[item.kind]} {place} is {computed}.",
        where=item.where,
        remedy=f"print {item.expected}, or find out which of the two is out of date",
        replacement=item.expected,
        safe=False,
    )


RULE = Rule(
    code="RK101",
    name="table-number-differs",
    severity="error",
    needs=frozenset({"paper", "data or report"}),
    check=check,
    also={"warning": "what differs is not a score but what a test gives, which depends on the settings"},
    sources="ARR R1; NeurIPS 7",
)
