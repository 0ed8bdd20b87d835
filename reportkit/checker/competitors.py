"""Which numbers of a table compete with each other, and in which direction: a column of systems, or a row of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from reportkit.checker.context import CheckContext
from reportkit.checker.directions import higher_is_better
from reportkit.checker.labels import AVERAGES, normalised, quantity_of
from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.patterns import patterns
from reportkit.checker.vocabulary import HIGHER_IS_BETTER, LOWER_IS_BETTER

NO_COMPETITOR, NO_SCORE = patterns(
    "competitors",
    "no_competitor no_score",
)
PER_LINE = re.compile(r"\b(?:per|each|every|within an?|in an?) (column|row)\b", re.IGNORECASE)
"""Where the caption says that numbers compete."""
WORDS = re.compile(r"[^\W\d_]{3,}")
MOST_WORDS = 4
"""Of a cell with a result; one with more is a description that has a number in it."""
FEWEST = 2
"""Numbers in a line that can be compared."""
WIDEST = 1000
"""Ratio from which on numbers of a line are not of one kind."""
MOSTLY = 0.75
"""Share of a row from which on it is bold, not its numbers."""
SYSTEM = re.compile(r"\bours?\b|\bproposed\b|\bbaselines?\b|\bthis work\b", re.IGNORECASE)
LINES_ENOUGH = 3
"""Cells of a column that is bold as a whole; lines of unknown direction whose bold numbers agree on one."""


@dataclass(frozen=True, slots=True)
class Competing:
    """Numbers that compete: a column if systems are rows, else a row; its direction may be that of the lines beside."""

    table: Table
    cells: tuple[Cell, ...]
    higher: bool | None
    in_column: bool
    is_marked: Callable[[Cell], bool]
    as_beside: bool = False

    @property
    def values(self) -> list[float]:
        """Printed values, oriented so that higher is better."""
        sign = -1.0 if self.higher is False else 1.0
        return [sign * cell.number.value for cell in self.cells if cell.number is not None]

    @property
    def marked(self) -> list[tuple[Cell, float]]:
        """Marked cells with their values."""
        return [(cell, value) for cell, value in self.pairs if self.is_marked(cell)]

    @property
    def pairs(self) -> list[tuple[Cell, float]]:
        """Cells with their values."""
        return list(zip(self.cells, self.values, strict=True))

    def parts(self, cell: Cell) -> Iterator[list[tuple[Cell, float]]]:
        """The parts of the line that a cell stands in: between rules, beside one heading, of one first name."""
        sections = {
            section_of(self.table, item) for row in self.table.grid for item in row if item.bold and item.number
        }
        for key in (_block, section_of, _outer_heading) if self.in_column else (_outer_column,):
            own = key(self.table, cell)
            part = [(item, value) for item, value in self.pairs if key(self.table, item) == own]
            marked = sections if key is section_of else {key(self.table, item) for item, _ in self.marked}
            if own is not None and (len(marked) > 1 or (key is section_of and 1 < len(part) < len(self.cells))):
                yield part
        families = [list(rows) for _, rows in groupby(self.pairs, lambda pair: _family(self.table, pair[0]))]
        if self.in_column and len(families) > 1 and all(_has_its_winner(rows) for rows in families):
            yield next(rows for rows in families if any(item is cell for item, _ in rows))

    def best(self, cell: Cell, value: float) -> bool:
        """Whether a value is the best of its line, or of its part; of an unknown direction, at either end."""
        groups = [self.values, *([other for _, other in part] for part in self.parts(cell))]
        return any(value == max(group) or (self.higher is None and value == min(group)) for group in groups)

    def other_end(self, value: float) -> bool:
        """Whether a value is the worst of three or more, so that the metric is rather another one."""
        return len(self.cells) > FEWEST and value == min(self.values)

    @property
    def name(self) -> str:
        """The line as readers find it."""
        cell = self.cells[0]
        headings = self.table.column_header(cell.column) if self.in_column else self.table.row_header(cell.row)
        side, number = ("column", cell.column) if self.in_column else ("row", cell.row)
        return f"{side} {' / '.join(headings) or number + 1}"


def competing_lines(
    context: CheckContext, table: Table, marked: Callable[[Cell], bool], *, extremes: bool = True
) -> list[Competing]:
    """Lines with a marked number, in the direction in which systems compete; marks may show it if they mark extremes."""
    if not any(marked(cell) and cell.number is not None for cell in table.cells()):
        return []
    columns, rows = (_comparable(context, table, marked, in_column=side) for side in (True, False))
    if any(_is_own(table, line) for line in (*rows, *columns)):
        return []
    stands = systems_are_rows(context, table)
    columns, rows = ([line for line in lines if _alike(line.cells)] for lines in (columns, rows))
    if not extremes:
        return [] if stands is None else [line for line in (columns if stands else rows) if line.marked]
    of_columns, of_rows = _weight(columns), _weight(rows)
    if stands is None:
        stands = None if of_columns == of_rows else of_columns > of_rows
    elif (of_columns[0] < of_rows[0]) if stands else (of_rows[0] < of_columns[0]):
        stands = None  # what is bold is best in the other direction
    return [] if stands is None else _directed([line for line in (columns if stands else rows) if line.marked])


def _directed(lines: list[Competing]) -> list[Competing]:
    """Lines of unknown direction take that in which the bold numbers of all of them are the best, if there is one."""
    unknown = [line for line in lines if line.higher is None]
    ends = [sum(value == end(line.values) for line in unknown for _, value in line.marked[:1]) for end in (min, max)]
    if max(ends) < LINES_ENOUGH or min(ends) > 0:
        return lines
    return [replace(line, higher=ends[1] > 0, as_beside=True) if line.higher is None else line for line in lines]


def _is_own(table: Table, line: Competing) -> bool:
    """Whether a line is bold because it is that of the authors.

    A row is, if its name and most of it are bold, or all of it and it stands between rules alone; a column, if it is
    long and all of it is bold.
    """
    whole = all(cell.bold for cell in line.cells)
    if line.in_column:
        return whole and len(line.cells) >= LINES_ENOUGH
    named = any(cell.bold for cell in table.grid[line.cells[0].row][: max(1, table.n_header_columns)])
    if named and len(line.marked) >= max(FEWEST, MOSTLY * len(line.cells)):
        return True
    row, section = line.cells[0].row, section_of(table, line.cells[0])
    alone = [
        other
        for other in range(table.n_header_rows, table.n_rows)
        if section_of(table, table.grid[other][0]) == section
    ]
    return whole and alone == [row]


def _weight(lines: Sequence[Competing]) -> tuple[int, float]:
    """How many bold numbers are extremes of their lines, and which share of the lines has one winner."""
    extremes = sum(line.best(*item) for line in lines for item in line.marked)
    return extremes, sum(len({value for _, value in line.marked}) == 1 for line in lines) / max(1, len(lines))


def systems_are_rows(context: CheckContext, table: Table) -> bool | None:
    """Whether systems of the data are rows; without data, whether headings show it.

    Only columns are headed by metrics and averages, or only rows by what names a system: ours, a baseline.
    """
    linked = context.linked_tables if context.evidence is not None else ()
    known = next((item.systems_in_rows for item in linked if item.table is table), None)
    if known is not None:
        return known
    if said := PER_LINE.search(table.caption.text):
        return said[1].lower() == "column"
    last = [table.column_header(column)[-1:] for column in range(table.n_header_columns, table.n_columns)]
    above = [text for texts in last for text in texts]
    beside = [text for row in range(table.n_header_rows, table.n_rows) for text in table.row_header(row)[-1:]]
    if len(set(above)) < len(above):
        return None  # the same metrics under several headings
    metrics = [sum(map(_is_metric, texts)) for texts in (above, beside)]
    if bool(metrics[0]) == bool(metrics[1]):
        metrics = [sum(SYSTEM.search(text) is not None for text in texts) for texts in (beside, above)]
    return None if bool(metrics[0]) == bool(metrics[1]) else bool(metrics[0])


def _is_metric(text: str) -> bool:
    if normalised(text) in AVERAGES or "↑" in text or "↓" in text:
        return True
    return bool(HIGHER_IS_BETTER.search(text) or LOWER_IS_BETTER.search(text))


def _comparable(
    context: CheckContext, table: Table, marked: Callable[[Cell], bool], *, in_column: bool
) -> list[Competing]:
    """Each line's competing numbers; lines with too few are left out."""
    found = []
    for index in range(table.n_columns if in_column else table.n_rows):
        places = [row[index] for row in table.grid[table.n_header_rows :]] if in_column else table.grid[index]
        cells = tuple(cell for cell in dict.fromkeys(places) if _competes(table, cell, in_column=in_column))
        counts = all(cell.number is not None and not cell.number.decimals for cell in cells)
        higher = _higher(context, table, cells, in_column=in_column)
        if _names_metrics(table, cells, in_column=in_column):
            continue
        if len(cells) >= FEWEST and not (counts and higher is None) and not _signed(cells):
            found.append(Competing(table, cells, higher, in_column, marked))
    return found


def _names_metrics(table: Table, cells: Sequence[Cell], *, in_column: bool) -> bool:
    """Whether the numbers of a line are of several metrics: the names beside them are of both directions."""
    headings = [table.row_header(cell.row) if in_column else table.column_header(cell.column) for cell in cells]
    named = [" ".join(texts) for texts in headings]
    lower, higher = ([bool(words.search(text)) for text in named] for words in (LOWER_IS_BETTER, HIGHER_IS_BETTER))
    return any(lower) and any(higher) and FEWEST * sum(map(max, lower, higher)) >= len(cells)


def _signed(cells: Sequence[Cell]) -> bool:
    """Whether numbers are printed with + or have both signs: differences and correlations, of which size counts."""
    numbers = [cell.number for cell in cells if cell.number is not None]
    return any(number.text.startswith("+") for number in numbers) or (
        min(number.value for number in numbers) < 0 < max(number.value for number in numbers)
    )


def _alike(cells: Sequence[Cell]) -> bool:
    """Whether numbers can be of one metric: all in percent or none, and not a thousandfold apart."""
    numbers = [cell.number for cell in cells if cell.number is not None]
    sizes = [abs(number.value) for number in numbers if number.value]
    return len({number.percent for number in numbers}) == 1 and max(sizes, default=1) < WIDEST * min(sizes, default=1)


def _competes(table: Table, cell: Cell, *, in_column: bool) -> bool:
    """Whether a cell holds the result of a system: no count, no p-value, no human, oracle, average or total."""
    if cell.header or cell.number is None or cell.row in table.group_rows:
        return False
    if cell.grey:
        return False
    if len(WORDS.findall(cell.text.text)) > MOST_WORDS:
        return False
    of_row, of_column = table.row_header(cell.row), table.column_header(cell.column)
    system, line = (of_row, of_column) if in_column else (of_column, of_row)
    if any(NO_COMPETITOR.search(text) for text in system) or any(normalised(text) in AVERAGES for text in system[-1:]):
        return False
    if any(NO_SCORE.search(text) for text in line[-1:]):
        return False
    if any(quantity_of(table, text) not in (None, "score") for text in system[-1:]):
        return False
    return all(quantity_of(table, text) in (None, "score", "difference") for text in line[-1:])


def _higher(context: CheckContext, table: Table, line: Sequence[Cell], *, in_column: bool) -> bool | None:
    """Direction of a line: from the data, an arrow, or the name of the metric; None if it is not known."""
    if context.evidence is not None:
        for linked in context.linked_tables:
            known = {item.higher_is_better for item in linked.cells if item.cell in line and item.kind == "score"}
            if len(known) == 1:
                return known.pop()
    above = dict.fromkeys(text for cell in line for text in table.column_header(cell.column))
    beside = dict.fromkeys(text for cell in line for text in table.row_header(cell.row))
    own = " ".join(above if in_column else beside)
    return higher_is_better(own, " ".join([*above, *beside]), table.caption.text)


def _family(table: Table, cell: Cell) -> str:
    """First word of the name of a row: of the model that the rows below each other vary."""
    return " ".join(table.row_header(cell.row)).partition(" ")[0]


def _has_its_winner(rows: list[tuple[Cell, float]]) -> bool:
    """Whether the bold numbers of several rows are the best of these rows."""
    bold = [value for cell, value in rows if cell.bold]
    return len(rows) > 1 and bool(bold) and min(bold) == max(value for _, value in rows)


def _block(table: Table, cell: Cell) -> tuple[int, str] | None:
    """The rows of one part under one heading."""
    outer = _outer_heading(table, cell)
    return None if outer is None else (section_of(table, cell), outer)


def _outer_heading(table: Table, cell: Cell) -> str | None:
    """All headings beside a row but the last."""
    headings = []
    for column in range(table.n_header_columns - 1):
        above = [table.grid[row][column].text.text for row in range(cell.row, table.n_header_rows - 1, -1)]
        headings.append(next(filter(None, above), ""))
    return " / ".join(headings) if any(headings) else None


def _outer_column(table: Table, cell: Cell) -> str | None:
    """The first of several headings above a column."""
    headings = table.column_header(cell.column)
    return headings[0] if len(headings) > 1 else None


def section_of(table: Table, cell: Cell) -> int:
    """Number of rules and group headings above a cell."""
    return sum(rule <= cell.row for rule in table.rules) + sum(row < cell.row for row in table.group_rows)
