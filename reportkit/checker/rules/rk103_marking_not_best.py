r"""Bold is not where it should be.

What it does
------------
In a paper that says that bold is the best number, reports a bold number that another one beats, and a number that ties
with the bold one as printed but is not bold, where headings show which numbers compete. The direction comes from the
data, from an arrow, from the name of the metric, or from three lines whose bold numbers agree; where it is not known,
nothing is reported.

Why
---
ACL Rolling Review, guideline R1 (misleading presentation). Readers look for bold first, and many at nothing else.

Example
-------
    Ours & 92.0 \\ Theirs & \textbf{91.8} \\

Instead
-------
    Ours & \textbf{92.0} \\ Theirs & 91.8 \\

When it is wrong
----------------
If bold means something else in one table: tables whose caption says what bold is, and not that it is the best (highest,
lowest, ...) or that ties it to statistical significance, are left alone, and so are rows and columns that are bold as a
whole, lines whose numbers are not of one kind, tables where bold numbers stand only in rows whose names are bold, and
tables where more than one bold number in three is beaten. Humans, oracles, averages and differences do not compete.
Parts of a table between rules count as tables
of their own where bold is best in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

from reportkit.checker.bolding import also_bold, moved
from reportkit.checker.competitors import (
    WORDS,
    Line,
    lines_with_bold,
    section_of,
    systems_are_rows,
)
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.results_tables import BOLD_IS_BEST
from reportkit.checker.rule import Rule

OTHER_POLICY = re.compile(
    r"bold(?:face[d]?)?[^.]*(?:signific|ours?\b|proposed|our (?:model|method|system)|emphasi|highlight)"
    r"|signific[^.]*\bbold|underlin[^.]*signific"
    r"|\bbest\b[^.]*\b(?:exclud\w+|except|other than|apart from|not counting)\b[^.]*\bbold"
    r"|\bbold(?:face[d]?)?[^.]*\b(?:exclud\w+|except|other than|apart from|not counting)\b"
    r"|bold(?:face[d]?)?[^.]*(?:\babsolute|\bmagnitude|\bclosest|\bnearest|\bsmallest \|)",
    re.IGNORECASE,
)
BOLD = re.compile(r"\bbold(?:face[d]?)?\b", re.IGNORECASE)
UP_TO_STOP = re.compile(r"[^.]+\.?")
P_VALUES = re.compile(r"\bp[- ]?values?\b", re.IGNORECASE)
BEST = re.compile(
    r"\b(?:best|highest|lowest|top|winn\w+|largest|smallest|maxim\w+|minim\w+|strongest|"
    r"the (?:higher|lower|better|larger|smaller) (?:number|score|value|one))\b",
    re.IGNORECASE,
)
MISTAKES = 2
"""Bold numbers that have to be the best for each one that is not, for that one to be a mistake."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A table whose bold numbers can mark the best ones."""

    lines: list[Line]
    stated: bool
    sure: bool

    @property
    def bold(self) -> list[tuple[Line, Cell, float]]:
        """Bold numbers with the lines they compete in."""
        return [(line, cell, value) for line in self.lines for cell, value in line.bold]

    @property
    def beaten(self) -> int:
        """How many bold numbers are not the best."""
        return sum(not line.best(cell, value) for line, cell, value in self.bold)

    @property
    def mistakes(self) -> bool:
        """Whether bold is said to be the best, headings show of what, and those beaten are few enough for mistakes."""
        best = len(self.bold) - self.beaten
        return self.sure and self.stated and self.beaten <= max(1, best // MISTAKES)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each cell whose marking is not deserved, or is missing beside a tie."""
    for table in _marked(context):
        if not table.mistakes:
            continue
        for line in table.lines:
            context.coverage.table(context.number, line.table.span)
            if line.higher is not None:
                yield from _bold(context, line)


def _marked(context: CheckContext) -> Iterator[Marked]:
    """Tables in which nothing says that bold is something else than the best."""
    general = context.prose.says(BOLD_IS_BEST) is not None
    for table in context.paper.tables:
        words = " ".join([context.prose.beside(table), *_about_bold(context.prose.refers_to(table))])
        about_bold = [part for part in re.split(r"[.;]\s", words) if BOLD.search(part)]
        if OTHER_POLICY.search(words) or (about_bold and not any(map(BEST.search, about_bold))):
            continue
        if (P_VALUES.search(table.caption.text) and not about_bold) or _rows_are_emphasised(table):
            continue
        lines = lines_with_bold(context, table)
        said = systems_are_rows(context, table)
        sure = said is not None and all(line.in_column == said for line in lines)
        yield Marked(lines, bool(about_bold) or general, sure)


def _rows_are_emphasised(table: Table) -> bool:
    """Whether bold numbers stand only in rows whose names are bold, while other rows' names are not."""
    bold: set[int] = set()
    plain: set[int] = set()
    for row in range(table.n_header_rows, table.n_rows):
        cells = dict.fromkeys(table.grid[row])
        named = any(cell.bold for cell in cells if cell.number is None or WORDS.search(cell.text.text))
        (bold if named else plain).add(row)
    marked = {cell.row for row in table.grid for cell in row if cell.bold and cell.number is not None}
    return len(bold) > 1 and bool(plain) and marked <= bold


def _bold(context: CheckContext, line: Line) -> Iterator[Diagnostic]:
    for cell, _ in line.bold:
        context.coverage.claim(context.number, cell.span)
    parts = {section_of(line.table, cell) for cell, _ in line.bold}
    if len(line.bold) == len(line.cells) > len(parts):
        return  # all of them: it is the line that is bold
    where = f"in {line.name} of {context.paper.name_of(line.table)}"
    better = max(line.values)
    for cell, value in line.bold:
        part = next(line.parts(cell), line.pairs)
        winner, best = max(part, key=itemgetter(1))
        if not line.best(cell, value) and not line.other_end(value):
            better_one = f"{_text(winner)} ({_name(line, winner)})"
            message = f"{_text(cell)} is bold, and {better_one} is better, {where}."
            if line.as_beside and min(line.values) < value:
                end, lines = "highest" if line.higher else "lowest", "columns" if line.in_column else "rows"
                message = (
                    f"{_text(cell)} is bold, and is neither the highest nor the lowest {where}. The bold numbers of "
                )
                message += f"the other {lines} are the {end}, which is {better_one} here."
            yield RULE.at(
                context.paper,
                cell.span,
                message,
                remedy="set the best number in bold, or say in the caption what bold means",
                edits=[]
                if line.as_beside
                else moved(context.paper, cell, [one for one, number in part if number == best]),
                safe=_certain(context, line),
            )
    if max(value for _, value in line.bold) < better:
        return
    tied = {section_of(line.table, cell) for cell, value in line.bold if value == better}
    for cell, value in line.pairs:
        if not cell.bold and value == better and section_of(line.table, cell) in tied:
            yield RULE.at(
                context.paper,
                cell.span,
                f"{_text(cell)} ties with the number in bold, as printed, and is not bold, {where}.",
                remedy="set all numbers that tie as printed in bold",
                edits=also_bold(context.paper, cell, [other for other, value in line.bold if value == better]),
                safe=_certain(context, line),
            )


def _certain(context: CheckContext, line: Line) -> bool:
    """Whether every number of a line is a score of the data, printed as it is: then the best is known, and not read."""
    if context.evidence is None:
        return False
    scores = [item for linked in context.linked_tables for item in linked.scores() if item.agrees]
    return all(any(item.cell is cell for item in scores) for cell in line.cells)


def _text(cell: Cell) -> str:
    return "" if cell.number is None else cell.number.text


def _name(line: Line, cell: Cell) -> str:
    headings = line.table.row_header(cell.row) if line.in_column else line.table.column_header(cell.column)
    return " ".join(dict.fromkeys(headings)) or f"row {cell.row + 1}"


def _about_bold(text: str) -> list[str]:
    """Sentences of a text that say something of bold."""
    return [sentence for sentence in UP_TO_STOP.findall(text) if BOLD.search(sentence)]


RULE = Rule(
    code="RK103",
    name="marking-not-best",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    sources="ARR R1",
)
