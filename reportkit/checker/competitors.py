"""Find the numbers of a table that compete, and their direction: a column of systems, or a row of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reportkit.checker.labels import AVERAGES, normalised, quantity_of
from reportkit.checker.paper.document import Cell, Line, Table
from reportkit.checker.patterns import patterns
from reportkit.checker.vocabulary import HIGHER_IS_BETTER, LOWER_IS_BETTER, METRICS, higher_is_better

RE = patterns("competitors")
WORDS = re.compile(r"[^\W\d_]{3,}")
MOST_WORDS = 4
"""Most words of a cell with a result; a cell with more is a description that contains a number."""
FEWEST = 2
"""Lines with fewer numbers are not compared."""
WIDEST = 1000
"""A line whose numbers differ by this factor or more mixes different quantities."""
MOSTLY = 0.75
"""From this share of bold numbers on, a row is bold as a whole."""
LINES_ENOUGH = 3
"""Fewest cells of a column bold as a whole; fewest lines whose bold numbers have to agree to show a direction."""


@dataclass(frozen=True, eq=False)
class Competing:
    """Numbers that compete: a column if systems are rows, else a row; its direction may come from the next lines."""

    table: Table
    line: Line
    cells: tuple[Cell, ...]
    higher: bool | None
    is_marked: Callable[[Cell], bool]

    @cached_property
    def pairs(self) -> list[tuple[Cell, float]]:
        """Cells with their printed values, oriented so that higher is better."""
        sign = -1.0 if self.higher is False else 1.0
        return [(cell, sign * cell.number.value) for cell in self.cells if cell.number is not None]

    @property
    def values(self) -> list[float]:
        """Values of all cells."""
        return [value for _, value in self.pairs]

    @property
    def marked(self) -> list[tuple[Cell, float]]:
        """Marked cells with their values."""
        return [(cell, value) for cell, value in self.pairs if self.is_marked(cell)]

    def parts(self, cell: Cell) -> Iterator[list[tuple[Cell, float]]]:
        """Yield the parts of the line that a cell is in: between rules, under one outer heading."""
        for key in (section_of, _outer_heading):
            own = key(self.table, cell)
            part = [(item, value) for item, value in self.pairs if key(self.table, item) == own]
            if own is not None and 1 < len(part) < len(self.cells):
                yield part

    def best(self, cell: Cell, value: float) -> bool:
        """Return whether a value is the best of its line or part; at either end, where the direction is unknown."""
        groups = [self.values, *([other for _, other in part] for part in self.parts(cell))]
        return any(value == max(group) or (self.higher is None and value == min(group)) for group in groups)

    @property
    def name(self) -> str:
        """The line as readers find it."""
        return f"{'row' if self.line.is_row else 'column'} {' / '.join(self.line.headings) or self.line.index + 1}"


def competing_lines(table: Table, marked: Callable[[Cell], bool], *, extremes: bool = True) -> list[Competing]:
    """Return the lines with a marked number, in the direction in which systems compete; none if headings leave it open.

    Lines that are marked as a whole, as the authors' own are, do not count, nor do marks of the worst numbers.
    """
    systems = systems_are_rows(table)
    if systems is None or not any(marked(cell) and cell.number is not None for cell in table.body()):
        return []
    sides = [[made for line in lines if (made := _made(table, line, marked))] for lines in (table.columns, table.rows)]
    if any(_is_own(line) for side in sides for line in side):
        return []
    best = [sum(line.best(*item) for line in side for item in line.marked) for side in sides]
    mine = sides[0] if systems else sides[1]
    return [] if extremes and best[not systems] < best[systems] else _directed([line for line in mine if line.marked])


def _directed(lines: list[Competing]) -> list[Competing]:
    """Give lines of unknown direction the one in which all their marked numbers are the best, if there is one."""
    unknown = [line for line in lines if line.higher is None]
    ends = [sum(value == end(line.values) for line in unknown for _, value in line.marked[:1]) for end in (min, max)]
    if max(ends) < LINES_ENOUGH or min(ends) > 0:
        return lines
    return [replace(line, higher=ends[1] > 0) if line.higher is None else line for line in lines]


def _is_own(line: Competing) -> bool:
    """Return whether a line is marked as the authors' own: a row with its name, or a long column as a whole."""
    if not line.line.is_row:
        return len(line.marked) == len(line.cells) >= LINES_ENOUGH
    labels = line.table.grid[line.line.index][: max(1, line.table.n_header_columns)]
    return any(map(line.is_marked, labels)) and len(line.marked) >= max(FEWEST, MOSTLY * len(line.cells))


def systems_are_rows(table: Table) -> bool | None:
    """Return whether headings show that systems are rows.

    Rows have a heading such as "Method"; or only columns are headed by metrics and averages, or only rows by what
    names a system: ours, a baseline.
    """
    if said := RE["per_line"].search(table.caption.text):
        return said[1].lower() == "column"
    corner = table.grid[max(0, table.n_header_rows - 1)][max(0, table.n_header_columns - 1)]
    if RE["corner"].fullmatch(corner.text.text.strip()):
        return True
    above, beside = ([line.name for line in lines] for lines in (table.columns, table.rows))
    if len(set(above)) < len(above):
        return None  # the same metrics under several headings
    for shows, texts in ((_is_metric, (above, beside)), (RE["system"].search, (beside, above))):
        found = [any(map(shows, side)) for side in texts]
        if found[0] != found[1]:
            return found[0]
    return None


def _is_metric(text: str) -> bool:
    return normalised(text) in AVERAGES or "↑" in text or "↓" in text or METRICS.search(text) is not None


def _made(table: Table, line: Line, marked: Callable[[Cell], bool]) -> Competing | None:
    """Return the competing numbers of a line; None if they are too few, or of several kinds."""
    if RE["no_score"].search(line.name) or quantity_of(table, line.name) not in (None, "score", "difference"):
        return None
    pairs = [
        (cell, headings)
        for cell, headings in zip(line.cells, line.across, strict=True)
        if cell.number is not None and not cell.grey and len(WORDS.findall(cell.text.text)) <= MOST_WORDS
        and not any(map(RE["no_competitor"].search, headings))
        and not any(normalised(text) in AVERAGES for text in headings[-1:])
        and all(quantity_of(table, text) in (None, "score") for text in headings[-1:])
    ]  # fmt: skip
    numbers = [cell.number for cell, _ in pairs if cell.number is not None]
    named = [" ".join(headings) for _, headings in pairs]
    kinds = [sum(words.search(text) is not None for text in named) for words in (LOWER_IS_BETTER, HIGHER_IS_BETTER)]
    sizes = [abs(number.value) for number in numbers if number.value]
    higher = _higher(table, line, named)
    if (
        len(numbers) < FEWEST
        or (all(kinds) and FEWEST * sum(kinds) >= len(numbers))
        or any(number.text.startswith("+") for number in numbers)
        or min(number.value for number in numbers) < 0 < max(number.value for number in numbers)
        or len({number.percent for number in numbers}) > 1
        or max(sizes, default=1) >= WIDEST * min(sizes, default=1)
        or (higher is None and not any(number.decimals for number in numbers))
    ):
        return None
    return Competing(table, line, tuple(cell for cell, _ in pairs), higher, marked)


def _higher(table: Table, line: Line, across: Sequence[str]) -> bool | None:
    """Return whether higher is better on a line, by an arrow or the name of the metric; None if unknown."""
    own = " ".join(line.headings)
    return higher_is_better(own, " ".join([own, *dict.fromkeys(across)]), table.caption.text)


def _outer_heading(table: Table, cell: Cell) -> tuple[str, ...] | None:
    """Return all headings next to a row, or above a column, but the last; None if there is only one."""
    row, column = table.row_header(cell.row)[:-1], table.column_header(cell.column)[:-1]
    return (*row, "/", *column) if row or column else None


def section_of(table: Table, cell: Cell) -> int:
    """Count the rules and group headings above a cell."""
    return sum(rule <= cell.row for rule in table.rules) + sum(row < cell.row for row in table.group_rows)
