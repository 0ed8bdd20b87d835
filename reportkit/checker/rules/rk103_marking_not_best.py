r"""Bold or underline is not where it should be.

What it does
------------
In a paper that says that bold is the best number, reports a bold number that another one beats, and a number that ties
with the bold one as printed but is not bold. In a line with underlined numbers, reports an underlined one that is not
the second best. The direction comes from the data, from an arrow, from the name of the metric, or from three lines
whose bold numbers agree; where it is not known, nothing is reported.

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
tables where more than one bold number in three is beaten (one in nine where headings do not say what competes). Humans,
oracles, averages and differences do not compete. Underlined numbers count where the paper says that they are second
best. Parts of a table between rules count as tables of their own where bold is best in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from reportkit.checker.bolding import also_bold, moved
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import AVERAGES, normalised, quantity_of
from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.results_tables import BOLD_IS_BEST
from reportkit.checker.rule import Rule
from reportkit.checker.vocabulary import HIGHER_IS_BETTER, LOWER_IS_BETTER

OTHER_POLICY = re.compile(
    r"bold(?:face[d]?)?[^.]*(?:signific|ours?\b|proposed|our (?:model|method|system)|emphasi|highlight)"
    r"|signific[^.]*\bbold|underlin[^.]*signific"
    r"|bold(?:face[d]?)?[^.]*(?:\babsolute|\bmagnitude|\bclosest|\bnearest|\bsmallest \|)",
    re.IGNORECASE,
)
BOLD = re.compile(r"\bbold(?:face[d]?)?\b", re.IGNORECASE)
P_VALUES = re.compile(r"\bp[- ]?values?\b", re.IGNORECASE)
BEST = re.compile(
    r"\b(?:best|highest|lowest|top|winn\w+|largest|smallest|maxim\w+|minim\w+|strongest|"
    r"the (?:higher|lower|better|larger|smaller) (?:number|score|value|one))\b",
    re.IGNORECASE,
)
PER_LINE = re.compile(r"\b(?:per|each|every|within an?|in an?) (column|row)\b", re.IGNORECASE)
"""Where the caption says that numbers compete."""
NO_COMPETITOR = re.compile(
    r"\b(?:humans?|oracle|upper[- ]?bound|gold|ceiling|skyline|topline|ground[- ]?truth|references?|annotators?|"
    r"experts?|"
    r"inter-?annotator|random|chance|majority|total|baseline mean|"
    r"threshold|t-?stat\w*|statistics?|coefficients?|(?:de|in)creases?|gains?|improvements?|differences?|drops?|changes?|margins?)\b|Δ",
    re.IGNORECASE,
)
NO_SCORE = re.compile(
    r"#|[↓↑]\s?%|%\s?[↓↑]|\b(?:years?|ids?|flops|params?|parameters|sizes?|epochs?|steps?|layers?|time|costs?|tokens|counts?|rank|seeds?|"
    r"lengths?|dim\w*|frequency|wins)\b|^[knmλαβ]\W*$",
    re.IGNORECASE,
)
FEWEST = 2
"""Numbers in a line that can be compared."""
MOSTLY = 0.75
"""Share of a row from which on it is bold, not its numbers."""
LINES_ENOUGH = 3
"""Cells of a column that is bold as a whole; lines of unknown direction whose bold numbers agree on one."""
MISTAKES = 2
"""Bold numbers that have to be the best for each one that is not, for that one to be a mistake."""
MISTAKES_UNSURE = 8
"""The same where headings do not say whether systems are rows or columns."""
WIDEST = 1000
"""Ratio from which on numbers of a line are not of one kind."""


@dataclass(frozen=True, slots=True)
class Line:
    """Numbers that compete: a column if systems are rows, else a row."""

    table: Table
    cells: tuple[Cell, ...]
    higher: bool | None
    in_column: bool

    @property
    def values(self) -> list[float]:
        """Printed values, oriented so that higher is better."""
        sign = -1.0 if self.higher is False else 1.0
        return [sign * cell.number.value for cell in self.cells if cell.number is not None]

    @property
    def bold(self) -> list[tuple[Cell, float]]:
        """Bold cells with their values."""
        return [(cell, value) for cell, value in self.pairs if cell.bold]

    @property
    def pairs(self) -> list[tuple[Cell, float]]:
        """Cells with their values."""
        return list(zip(self.cells, self.values, strict=True))

    def parts(self, cell: Cell) -> Iterator[list[tuple[Cell, float]]]:
        """The parts of the line that a cell stands in: between rules, and below or beside one heading."""
        sections = {_section(self.table, item) for row in self.table.grid for item in row if item.bold and item.number}
        for key in (_block, _section, _outer_heading) if self.in_column else (_outer_column,):
            own = key(self.table, cell)
            part = [(item, value) for item, value in self.pairs if key(self.table, item) == own]
            marked = sections if key is _section else {key(self.table, item) for item, _ in self.bold}
            if own is not None and (len(marked) > 1 or (key is _section and 1 < len(part) < len(self.cells))):
                yield part

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


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each cell whose marking is not deserved, or is missing beside a tie."""
    general = context.prose.says(BOLD_IS_BEST) is not None
    second = context.prose.says(UNDERLINED_IS_SECOND) is not None
    for table in context.paper.tables:
        words = " ".join([context.prose.beside(table), *BOLD_SAID.findall(context.prose.refers_to(table))])
        about_bold = [part for part in re.split(r"[.;]\s", words) if BOLD.search(part)]
        if OTHER_POLICY.search(words) or not (any(map(BEST.search, about_bold)) if about_bold else general):
            continue
        if P_VALUES.search(table.caption.text) and not about_bold:
            continue
        lines = _lines(context, table)
        explained = sum(line.best(*item) for line in lines for item in line.bold)
        others = sum(len(line.bold) for line in lines) - explained
        said = _systems_are_rows(context, table)
        sure = said is not None and all(line.in_column == said for line in lines)
        most = max(1, explained // MISTAKES) if sure else explained // MISTAKES_UNSURE
        if others > most or _rows_are_emphasised(table):
            continue  # too many for mistakes: bold is the best of something else, or marks rows
        for line in lines:
            context.coverage.table(context.number, table.span)
            if line.higher is not None:
                yield from _bold(context, line)
            if second:
                yield from _underlined(context, line)


def _lines(context: CheckContext, table: Table) -> list[Line]:
    """Lines with a bold number, in the direction in which systems compete."""
    columns = _comparable(context, table, in_column=True)
    rows = _comparable(context, table, in_column=False)
    if any(_is_own(table, line) for line in (*rows, *columns)):
        return []
    stands = _systems_are_rows(context, table)
    columns, rows = ([line for line in lines if _alike(line.cells)] for lines in (columns, rows))
    of_columns, of_rows = _weight(columns), _weight(rows)
    if stands is None:
        stands = None if of_columns == of_rows else of_columns > of_rows
    elif (of_columns[0] < of_rows[0]) if stands else (of_rows[0] < of_columns[0]):
        stands = None  # what is bold is best in the other direction
    return [] if stands is None else _directed([line for line in (columns if stands else rows) if line.bold])


def _directed(lines: list[Line]) -> list[Line]:
    """Lines of unknown direction take that in which the bold numbers of all of them are the best, if there is one."""
    unknown = [line for line in lines if line.higher is None]
    ends = [sum(value == end(line.values) for line in unknown for _, value in line.bold[:1]) for end in (min, max)]
    if max(ends) < LINES_ENOUGH or min(ends) > 0:
        return lines
    return [replace(line, higher=ends[1] > 0) if line.higher is None else line for line in lines]


def _is_own(table: Table, line: Line) -> bool:
    """Whether a line is bold because it is that of the authors.

    A row is, if its name and most of it are bold, or all of it and it stands between rules alone; a column, if it is
    long and all of it is bold.
    """
    whole = all(cell.bold for cell in line.cells)
    if line.in_column:
        return whole and len(line.cells) >= LINES_ENOUGH
    named = any(cell.bold for cell in table.grid[line.cells[0].row][: max(1, table.n_header_columns)])
    if named and len(line.bold) >= max(FEWEST, MOSTLY * len(line.cells)):
        return True
    row, section = line.cells[0].row, _section(table, line.cells[0])
    alone = [
        other for other in range(table.n_header_rows, table.n_rows) if _section(table, table.grid[other][0]) == section
    ]
    return whole and alone == [row]


def _rows_are_emphasised(table: Table) -> bool:
    """Whether bold numbers stand only in rows whose names are bold, while other rows' names are not."""
    bold: set[int] = set()
    plain: set[int] = set()
    for row in range(table.n_header_rows, table.n_rows):
        cells = dict.fromkeys(table.grid[row])
        named = any(cell.bold for cell in cells if cell.number is None and cell.column < max(1, table.n_header_columns))
        (bold if named else plain).add(row)
    marked = {cell.row for row in table.grid for cell in row if cell.bold and cell.number is not None}
    return len(bold) > 1 and bool(plain) and marked <= bold


def _weight(lines: Sequence[Line]) -> tuple[int, float]:
    """How many bold numbers are extremes of their lines, and which share of the lines has one winner."""
    extremes = sum(line.best(*item) for line in lines for item in line.bold)
    return extremes, sum(len({value for _, value in line.bold}) == 1 for line in lines) / max(1, len(lines))


def _systems_are_rows(context: CheckContext, table: Table) -> bool | None:
    """Whether systems of the data are rows; without data, whether only columns are headed by metrics and averages."""
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
    return None if bool(metrics[0]) == bool(metrics[1]) else bool(metrics[0])


def _is_metric(text: str) -> bool:
    if normalised(text) in AVERAGES or "↑" in text or "↓" in text:
        return True
    return bool(HIGHER_IS_BETTER.search(text) or LOWER_IS_BETTER.search(text))


def _comparable(context: CheckContext, table: Table, *, in_column: bool) -> list[Line]:
    """Each line's competing numbers; lines with too few are left out."""
    found = []
    for index in range(table.n_columns if in_column else table.n_rows):
        places = [row[index] for row in table.grid[table.n_header_rows :]] if in_column else table.grid[index]
        cells = tuple(cell for cell in dict.fromkeys(places) if _competes(table, cell, in_column=in_column))
        counts = all(cell.number is not None and not cell.number.decimals for cell in cells)
        higher = _higher(context, table, cells)
        if len(cells) >= FEWEST and not (counts and higher is None) and not _signed(cells):
            found.append(Line(table, cells, higher, in_column))
    return found


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
    if cell.header or cell.number is None or cell.row in table.group_rows or "gray" in cell.colour:
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


def _bold(context: CheckContext, line: Line) -> Iterator[Diagnostic]:
    for cell, _ in line.bold:
        context.coverage.claim(context.number, cell.span)
    parts = {_section(line.table, cell) for cell, _ in line.bold}
    if len(line.bold) == len(line.cells) > len(parts):
        return  # all of them: it is the line that is bold
    where = f"in {line.name} of {context.paper.name_of(line.table)}"
    better = max(line.values)
    for cell, value in line.bold:
        if not line.best(cell, value) and not line.other_end(value):
            part = next(line.parts(cell), line.pairs)
            winner, best = max(part, key=itemgetter(1))
            yield RULE.at(
                context.paper,
                cell.span,
                f"{_text(cell)} is bold, and {_text(winner)} ({_name(line, winner)}) is better, {where}.",
                remedy="set the best number in bold, or say in the caption what bold means",
                edits=moved(context.paper, cell, [other for other, number in part if number == best]),
                safe=_certain(context, line),
            )
    if max(value for _, value in line.bold) < better:
        return
    tied = {_section(line.table, cell) for cell, value in line.bold if value == better}
    for cell, value in line.pairs:
        if not cell.bold and value == better and _section(line.table, cell) in tied:
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


def _block(table: Table, cell: Cell) -> tuple[int, str] | None:
    """The rows of one part under one heading."""
    outer = _outer_heading(table, cell)
    return None if outer is None else (_section(table, cell), outer)


def _outer_heading(table: Table, cell: Cell) -> str | None:
    """All headings beside a row but the last."""
    headings = [item.text.text for item in table.grid[cell.row][: table.n_header_columns]]
    return " / ".join(headings[:-1]) if len(headings) > 1 and any(headings[:-1]) else None


def _outer_column(table: Table, cell: Cell) -> str | None:
    """The first of several headings above a column."""
    headings = table.column_header(cell.column)
    return headings[0] if len(headings) > 1 else None


def _section(table: Table, cell: Cell) -> int:
    """Number of rules and group headings above a cell."""
    return sum(rule <= cell.row for rule in table.rules) + sum(row < cell.row for row in table.group_rows)


def _underlined(context: CheckContext, line: Line) -> Iterator[Diagnostic]:
    numbers = line.values
    distinct = sorted(set(numbers), reverse=True)
    if line.higher is None or len(distinct) < FEWEST or {value for _, value in line.bold} != {distinct[0]}:
        return
    for cell, value in zip(line.cells, numbers, strict=True):
        own = [other for item, other in line.pairs if _section(line.table, item) == _section(line.table, cell)]
        if cell.underlined and not cell.bold and value < distinct[1] and value not in sorted(set(own))[-2:]:
            second = line.cells[numbers.index(distinct[1])]
            yield RULE.at(
                context.paper,
                cell.span,
                f"{_text(cell)} is underlined, and {_text(second)} is the second best, in {line.name} of "
                f"{context.paper.name_of(line.table)}.",
                remedy="underline the second best number, or say in the caption what underlining means",
            )


def _text(cell: Cell) -> str:
    return "" if cell.number is None else cell.number.text


def _name(line: Line, cell: Cell) -> str:
    headings = line.table.row_header(cell.row) if line.in_column else line.table.column_header(cell.column)
    return " ".join(dict.fromkeys(headings)) or f"row {cell.row + 1}"


UNDERLINED_IS_SECOND = re.compile(
    r"\b(?:second|runner|2nd)\b[^.]{0,60}\bunder(?:lin|scor)|\bunder(?:lin|scor)\w*[^.]{0,60}\b(?:second|runner|2nd)\b",
    re.IGNORECASE,
)
BOLD_SAID = re.compile(r"[^.]*\bbold(?:face[d]?)?\b[^.]*\.?", re.IGNORECASE)


RULE = Rule(
    code="RK103",
    name="marking-not-best",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    default=False,
    sources="ARR R1",
)
