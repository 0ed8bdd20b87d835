"""A p-value is printed as zero, below zero or above one.

What it does
------------
Reports p = .000 and p = 0.00, in a sentence and in a column of p-values; p = 0 beside its test statistic; and p below 0
or above 1 beside its test statistic or in a column beside t or z. `--fix` writes the bound that is certainly true:
p < .001 for p = .000.

Why
---
No p-value is zero; one that was rounded to .000 is below .0005, and readers need the bound. ACL Rolling Review,
guideline R5; NeurIPS checklist, item 7.

Example
-------
    t(28) = 5.90, p = .000

Instead
-------
    t(28) = 5.90, p < .001

When it is wrong
----------------
If p with decimals is no p-value: a probability of a model, say. A bare p = 0 counts only beside a test statistic,
because orders, positions and vectors are called p too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import p_heading
from reportkit.checker.paper.document import Cell, Document, Sentence, Table
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.paper.source import Span
from reportkit.checker.printed_test import P_VALUE, number_at, possible, reported_results, rows_of_tests
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each p-value that is none."""
    document = context.paper
    for sentence in document.sentences:
        beside = list(reported_results(sentence.text))
        yield from (_outside(document, reported.p) for reported in beside if not possible(reported.p))
        tests = {item.p.span for item in beside if item.degrees or item.statistic.decimals}
        yield from _zeros(document, sentence, tests)
    for table in document.tables:
        rows = [found["p"] for found in rows_of_tests(table) if "p" in found]
        yield from (_outside(document, p) for p in rows if not possible(p) and not p.percent)
        yield from _zeros_of_table(document, table)


def _outside(document: Document, p: PrintedNumber) -> Diagnostic:
    side = "below 0" if p.value < 0 else "above 1"
    return RULE.at(document, p.span, f"p is printed as {p.text}; no p-value is {side}.", remedy="compute p anew")


def _zeros(document: Document, sentence: Sentence, beside: set[Span]) -> Iterator[Diagnostic]:
    numbers = located_numbers(sentence.text) if sentence.numbers else []
    for match in P_VALUE.finditer(sentence.text.text):
        number = number_at(numbers, match.end("p"))
        if number is None or number.value != 0 or match["relation"] not in ("=", "<", "≤", "<="):
            continue
        if not number.decimals and number.span not in beside:
            continue  # an order, a position, a vector
        span = sentence.text.span(match.start("relation"), match.end("p"))
        replacement = None
        if number.decimals:
            sign = "<" if document.language == "markdown" or _in_mathematics(document, span.file, span.start) else "$<$"
            replacement = f"{sign} {_bound(number)}"
        yield _zero(document, number, span, replacement, safe=True)


def _zeros_of_table(document: Document, table: Table) -> Iterator[Diagnostic]:
    columns = {
        column
        for column in range(table.n_header_columns, table.n_columns)
        if any(p_heading(table, text) for text in table.column_header(column)[-1:])
    }
    for cell in table.body():
        number = cell.number
        if cell.column not in columns or number is None or number.value != 0 or number.relation != "=":
            continue
        if number.decimals:
            yield _zero(document, number, number.span, _cell_replacement(cell, number), safe=False)


def _cell_replacement(cell: Cell, number: PrintedNumber) -> str | None:
    return f"$<${_bound(number)}" if number.decimals and cell.text.text == number.text else None


def _bound(number: PrintedNumber) -> str:
    """What is certainly true of a p that was rounded to zero: 0.000 is below .0005, and so below .001."""
    zero = "0" if number.text.startswith("0") else ""
    return f"{zero}.{'0' * (number.decimals - 1)}1"


def _zero(document: Document, number: PrintedNumber, span: Span, replacement: str | None, *, safe: bool) -> Diagnostic:
    bound = f"write p < {_bound(number)}" if number.decimals else "write a bound such as p < .001"
    return RULE.at(
        document,
        span,
        f"p is printed as {number.text}; no p-value is zero.",
        remedy=bound + ", or more digits",
        replacement=replacement,
        safe=safe,
    )


def _in_mathematics(document: Document, file: int, offset: int) -> bool:
    r"""Whether a place of LaTeX is inside `$...$` or `\(...\)`: counted from the beginning of its paragraph."""
    text = document.files[file].text
    start = max(text.rfind("\n\n", 0, offset), 0)
    before = re.sub(r"\\.", lambda match: match[0] if match[0] in (r"\(", r"\)") else "  ", text[start:offset])
    return before.count("$") % 2 == 1 or before.count(r"\(") > before.count(r"\)")


RULE = Rule(
    code="RK117",
    name="p-value-impossible",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    sources="ARR R5; NeurIPS 7",
)
