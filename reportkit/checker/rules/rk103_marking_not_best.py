r"""Bold or underline is not where it should be.

What it does
------------
In a table that sets the best number of each line in bold, reports a bold number that another one beats, and a number
that ties with the bold one as printed but is not bold. In a line with underlined numbers, reports an underlined one
that is not the second best. The direction comes from the data, from an arrow, or from the name of the metric; where it
is not known, only a bold number that is neither the largest nor the smallest is reported.

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
If bold means something else: tables whose caption says what bold is, and not that it is the best (highest, lowest, ...)
or that ties it to statistical significance, are left alone, and so are rows that are bold as a whole, and lines with
several different bold numbers. Parts of a table between rules count as tables of their own where bold is best in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import QUANTITIES, normalised
from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import HIGHER_IS_BETTER, LOWER_IS_BETTER

OTHER_POLICY = re.compile(
    r"bold(?:face[d]?)?[^.]*(?:signific|ours?\b|proposed|our (?:model|method|system))"
    r"|signific[^.]*\bbold|underlin[^.]*signific",
    re.IGNORECASE,
)
BOLD = re.compile(r"\bbold(?:face[d]?)?\b", re.IGNORECASE)
BEST = re.compile(
    r"\b(?:best|highest|lowest|top|winn\w+|largest|smallest|maxim\w+|minim\w+|strongest|"
    r"the (?:higher|lower|better|larger|smaller) (?:number|score|value|one))\b",
    re.IGNORECASE,
)
FEWEST = 2
"""Numbers in a line that can be compared."""


@dataclass(frozen=True, slots=True)
class Line:
    """Numbers that compete: a column if systems are rows, else a row."""

    cells: tuple[Cell, ...]
    higher: bool | None

    def values(self) -> list[float]:
        """Printed values, oriented so that higher is better."""
        sign = -1.0 if self.higher is False else 1.0
        return [sign * cell.number.value for cell in self.cells if cell.number is not None]


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each cell whose marking is not deserved, or is missing beside a tie."""
    for table in context.paper.tables:
        words = " ".join([table.caption.text, *(note.text for note in table.notes)])
        about_bold = [part for part in re.split(r"[.;]\s", words) if BOLD.search(part)]
        if OTHER_POLICY.search(words) or (about_bold and not any(map(BEST.search, about_bold))):
            continue
        for line in _lines(context, table):
            context.coverage.table(context.number, table.span)
            yield from _bold(context, table, line)
            yield from _underlined(context, line)


def _lines(context: CheckContext, table: Table) -> Iterator[Line]:
    """Lines with a bold number, in the direction in which the table marks its best numbers."""
    columns = [[row[index] for row in table.grid[table.n_header_rows :]] for index in range(table.n_columns)]
    rows = [list(row) for row in table.grid[table.n_header_rows :]]
    by_column, by_row = _marked(table, columns), _marked(table, rows)
    if any(all(cell.bold for cell in line) and table.grid[line[0].row][0].bold for line in by_row):
        return  # a row set in bold as a whole, with its name
    share_columns = len(by_column) / max(1, len(_comparable(table, columns)))
    share_rows = len(by_row) / max(1, len(_comparable(table, rows)))
    if not by_column or share_columns == share_rows:
        in_rows = None if share_columns != share_rows else _one_bold_each(by_column, by_row)
    else:
        in_rows = share_columns > share_rows
    if in_rows is None:
        return
    for line in by_column if in_rows else by_row:
        yield Line(tuple(line), _higher(context, table, line))


def _one_bold_each(by_column: Sequence[Sequence[Cell]], by_row: Sequence[Sequence[Cell]]) -> bool | None:
    """Whether columns are the lines, where as many columns as rows hold a bold number."""
    if not by_column:
        return None
    best_columns = sum(_extreme(line) for line in by_column)
    best_rows = sum(_extreme(line) for line in by_row)
    return None if best_columns == best_rows else best_columns > best_rows


def _extreme(line: Sequence[Cell]) -> bool:
    values = [cell.number.value for cell in line if cell.number is not None]
    bold = [cell.number.value for cell in line if cell.bold and cell.number is not None]
    return all(value in (max(values), min(values)) for value in bold)


def _comparable(table: Table, lines: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """Cells of each line that hold a number of the table's body; lines with too few are left out."""
    found = []
    for line in lines:
        cells = [cell for cell in dict.fromkeys(line) if _competes(table, cell)]
        if len(cells) >= FEWEST:
            found.append(cells)
    return found


def _competes(table: Table, cell: Cell) -> bool:
    """Whether a cell holds a result, and no number of instances and no p-value."""
    if cell.header or cell.number is None or cell.row in table.group_rows:
        return False
    headings = (*table.row_header(cell.row)[-1:], *table.column_header(cell.column)[-1:])
    return not any(QUANTITIES.get(normalised(text), "score") not in ("score", "difference") for text in headings)


def _marked(table: Table, lines: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    return [line for line in _comparable(table, lines) if any(cell.bold for cell in line)]


def _higher(context: CheckContext, table: Table, line: Sequence[Cell]) -> bool | None:
    """Direction of a line: from the data, an arrow, or the name of the metric; None if it is not known."""
    if context.evidence is not None:
        for linked in context.linked_tables:
            known = {item.higher_is_better for item in linked.cells if item.cell in line and item.kind == "score"}
            if len(known) == 1:
                return known.pop()
    headings = [text for cell in line for text in (*table.column_header(cell.column), *table.row_header(cell.row))]
    for words in (" ".join(dict.fromkeys(headings)), table.caption.text):
        for lower, higher in (
            ("↓" in words, "↑" in words),
            (LOWER_IS_BETTER.search(words), HIGHER_IS_BETTER.search(words)),
        ):
            if bool(lower) != bool(higher):
                return bool(higher)
    return None


def _bold(context: CheckContext, table: Table, line: Line) -> Iterator[Diagnostic]:
    numbers = line.values()
    if _means_something_else(table, line):
        return
    for cell, value in zip(line.cells, numbers, strict=True):
        context.coverage.claim(context.number, cell.span) if cell.bold else None
        if not cell.bold or _best(table, line, cell, value, numbers):
            continue
        better = max(zip(numbers, line.cells, strict=True), key=lambda pair: pair[0])[1]
        yield RULE.at(
            context.paper,
            cell.span,
            f"{_text(cell)} is bold, and {_text(better)} ({_name(table, better, cell)}) is better.",
            remedy="set the best number in bold, or say in the caption what bold means",
        )
    bold_values = {value for cell, value in zip(line.cells, numbers, strict=True) if cell.bold}
    if line.higher is None or not bold_values or max(bold_values) < max(numbers):
        return
    for cell, value in zip(line.cells, numbers, strict=True):
        if not cell.bold and value == max(numbers):
            yield RULE.at(
                context.paper,
                cell.span,
                f"{_text(cell)} ties with the number in bold, as printed, and is not bold.",
                remedy="set all numbers that tie as printed in bold",
            )


def _means_something_else(table: Table, line: Line) -> bool:
    """Whether different numbers of one part are bold, so that bold cannot mean the best one."""
    bold = {(_section(table, cell), cell.number.value) for cell in line.cells if cell.bold and cell.number is not None}
    return len(bold) > len({section for section, _ in bold})


def _best(table: Table, line: Line, cell: Cell, value: float, numbers: Sequence[float]) -> bool:
    if value >= max(numbers) or (line.higher is None and value <= min(numbers)):
        return True
    section = [
        other for item, other in zip(line.cells, numbers, strict=True) if _section(table, item) == _section(table, cell)
    ]
    return len(section) < len(numbers) and (value >= max(section) or (line.higher is None and value <= min(section)))


def _section(table: Table, cell: Cell) -> int:
    """Number of rules and group headings above a cell."""
    return sum(rule <= cell.row for rule in table.rules) + sum(row < cell.row for row in table.group_rows)


def _underlined(context: CheckContext, line: Line) -> Iterator[Diagnostic]:
    numbers = line.values()
    distinct = sorted(set(numbers), reverse=True)
    bold = {value for cell, value in zip(line.cells, numbers, strict=True) if cell.bold}
    if line.higher is None or len(distinct) < FEWEST or bold != {distinct[0]}:
        return
    for cell, value in zip(line.cells, numbers, strict=True):
        if cell.underlined and not cell.bold and value < distinct[1]:
            second = line.cells[numbers.index(distinct[1])]
            yield RULE.at(
                context.paper,
                cell.span,
                f"{_text(cell)} is underlined, and {_text(second)} is the second best.",
                remedy="underline the second best number, or say in the caption what underlining means",
            )


def _text(cell: Cell) -> str:
    return "" if cell.number is None else cell.number.text


def _name(table: Table, cell: Cell, beside: Cell) -> str:
    headings = table.row_header(cell.row) if cell.column == beside.column else table.column_header(cell.column)
    return headings[-1] if headings else f"row {cell.row + 1}"


RULE = Rule(
    code="RK103", name="marking-not-best", severity="error", needs=frozenset({"paper"}), check=check, sources="ARR R1"
)
