r"""A number in the text is not the one of the table that it names.

What it does
------------
In sentences that name one row and one column of a table that their paragraph refers to, and say that one reaches one
score on the other, looks the score up in the table, and reports a number that is none of those found there, with regard
to rounding.

Why
---
ACL Rolling Review, guideline R1. Text is written once, and tables are built anew until the deadline.

Example
-------
    Ours reaches 93.1 on SST-2 (Table 1).  The table says 92.1.

Instead
-------
    Ours reaches 92.1 on SST-2 (Table 1).

When it is wrong
----------------
If the sentence is about another split, another metric or another version than the table. Paragraphs with a citation,
sentences with several scores, systems that are put together, and words such as "development", "previous", "at least",
"up to" are left alone. It is off unless it is asked for: what it found in papers that nobody had looked at was wrong,
and of 750 numbers beside a reference to a table all but a few stood in the table, or were differences of its numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reportkit.checker.comparison import without_marks
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import AVERAGES, QUANTITIES, normalised
from reportkit.checker.paper.document import Sentence, Table
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.rule import Rule
from reportkit.checker.rules.rk102_prose_number_differs import near, stated_score

COMBINED = re.compile(r"\w \+ \w")
"""Systems that are put together, which are none of the rows that their parts name."""


@dataclass(frozen=True, slots=True)
class _Source:
    """Scores of one table (or the data) by pairs of names."""

    rows: dict[str, str]
    columns: dict[str, str]
    numbers: dict[tuple[str, str], list[PrintedNumber]]


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each number in the text that the table beside it does not have."""
    sources = {id(table): _source(table) for table in context.paper.tables}
    printed = {
        cell.number.text.rstrip("%")
        for table in context.paper.tables
        for cell in table.body()
        if cell.number is not None
    }
    for sentence in context.paper.sentences:
        if sentence.place in ("reference", "heading") or not sentence.numbers:
            continue
        stated = stated_score(sentence)
        if stated is None or COMBINED.search(stated[1]):
            continue
        number, text = stated
        found = _in_tables(f" {normalised(text)} ", _referred(context, sentence, sources))
        if found is None:
            continue
        pair, numbers = found
        context.coverage.checked(context.number, number.span)
        elsewhere = number.text.rstrip("%") in printed  # of another row, part or table, whose name is longer
        if elsewhere or any(_agree(number, other) for other in numbers):
            continue
        if near(number.value, [other.value for other in numbers]):
            shown = " or ".join(dict.fromkeys(other.text for other in numbers[:3]))
            yield RULE.at(
                context.paper,
                number.span,
                f"{number.text} is printed here, and {shown} in the table, for {pair[0]} and {pair[1]}.",
                remedy="find out which of the two is out of date",
            )


def _referred(context: CheckContext, sentence: Sentence, sources: dict[int, _Source]) -> list[_Source]:
    """The tables that the paragraph refers to; none if it cites others."""
    paragraph = context.paper.paragraph(sentence.paragraph)
    if any("⟦cite⟧" in item.text.text for item in paragraph):
        return []
    names = {
        label.name
        for label in context.paper.labels
        if label.use
        for item in paragraph
        if label.span.file == item.span.file and item.span.start <= label.span.start <= item.span.end
    }
    return [sources[id(table)] for table in context.paper.tables if table.label and table.label in names]


def _source(table: Table) -> _Source:
    rows: dict[str, str] = {}
    columns: dict[str, str] = {}
    numbers: dict[tuple[str, str], list[PrintedNumber]] = {}
    for cell in table.body():
        if cell.number is None:
            continue
        row, column = table.row_header(cell.row), table.column_header(cell.column)
        for one in {_name(text) for text in row} - {""}:
            for other in {_name(text) for text in column} - {""}:
                rows[one], columns[other] = row[-1], column[-1]
                numbers.setdefault((one, other), []).append(cell.number)
    return _Source(rows, columns, numbers)


def _name(text: str) -> str:
    words = normalised(re.sub(r"\s*\(.*?\)", "", without_marks(text)))
    usable = len(words) >= 2 and any(character.isalpha() for character in words)
    return words if usable and words not in AVERAGES and words not in QUANTITIES else ""


def _in_tables(words: str, sources: list[_Source]) -> tuple[tuple[str, str], list[PrintedNumber]] | None:
    """Names of one row and one column of one table that the words hold, and all numbers under both names anywhere."""
    for source in sources:
        rows = _longest([name for name in source.rows if f" {name} " in words])
        columns = _longest([name for name in source.columns if f" {name} " in words])
        if len(rows) == len(columns) == 1 and (rows[0], columns[0]) in source.numbers:
            one, other = rows[0], columns[0]
            numbers = [
                number
                for each in sources
                for pair in ((one, other), (other, one))
                for number in each.numbers.get(pair, ())
            ]
            return (source.rows[one], source.columns[other]), numbers
    return None


def _longest(names: list[str]) -> list[str]:
    """Names that are not part of another of them."""
    return [name for name in names if not any(name != other and f" {name} " in f" {other} " for other in names)]


def _agree(one: PrintedNumber, other: PrintedNumber) -> bool:
    """Whether two printed numbers can stand for one value, in percent or as proportions."""
    for scale in (1.0, 100.0, 0.01):
        if one.low <= scale * other.high + 1e-9 and scale * other.low <= one.high + 1e-9:
            return True
    return False


RULE = Rule(
    code="RK116",
    name="prose-number-not-in-table",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    contradiction=True,
    default=False,
    sources="ARR R1",
)
