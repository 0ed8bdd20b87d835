r"""An average is not the mean of its cells, or hides a missing one; a total is not their sum.

What it does
------------
Finds columns and rows called average, mean or macro average, and the cells that they are the mean of: those before
them, or those between two averages. Which cells these are is taken from the lines in which the mean fits; a line in
which it does not is reported, with regard to the rounding of all numbers. Cells of two values, as in `49.7 / 88.9`,
have two averages. Reports an average beside an empty cell that
is the mean of the remaining ones, and is compared with averages over more. A total of whole numbers is reported where
it is not the sum of its cells, and all other totals of the table, at least three, are.

Why
---
ACL Rolling Review, guideline R1. Averages are typed by hand more often than scores, stay when scores change, and decide
which system is called the best.

Example
-------
    Ours & 80.0 & 50.0 & 67.5 \\  with the headings SST-2, ANLI, Avg.

Instead
-------
    Ours & 80.0 & 50.0 & 65.0 \\

When it is wrong
----------------
If the average is weighted in some lines and not in others. Headings that say "weighted" or "micro" are left alone, and
so is a table in which the mean fits in less than half of the lines, or in less than three if it is called all, overall
or total; if the caption says "weighted" or "micro", in less than three quarters of the lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.labels import AVERAGES, normalised, quantity_of
from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.rule import Rule

WEIGHTED = re.compile(r"\b(?:weighted|micro|geometric|harmonic|median|normali[sz]ed)\b", re.IGNORECASE)
_CLASSES = re.compile(r"\bprecision\b.*\brecall\b.*\bsupport\b|\bweighted avg\b", re.IGNORECASE | re.DOTALL)
"""A report by class, whose line of accuracy is none of the classes."""
_NO_MEANS = frozenset({"support", "std", "std dev", "stdev", "sd", "se", "standard deviation", "standard error"})
FEWEST = 2
TOTALS = frozenset({"total", "totals", "sum"})
POOLED = frozenset({"all", "overall"})
FEWEST_TOTALS = 3
"""Totals that are sums, or names that are means, which show that a further one should be."""


@dataclass(frozen=True, slots=True)
class _Needed:
    """In how many lines, and which share of them, the mean has to fit."""

    fewest: int
    share: float

    @classmethod
    def of(cls, table: Table, *, pooled: bool) -> _Needed:
        """More where the caption speaks of weights: it may mean the scores, as in "weighted accuracy"."""
        if WEIGHTED.search(table.caption.text):
            return cls(FEWEST_TOTALS, 0.75)
        return cls(FEWEST_TOTALS if pooled else 1, 0.5)

    def met(self, fitting: int, lines: int) -> bool:
        """Whether it does in so many of so many."""
        return lines >= FEWEST and fitting >= self.fewest and fitting >= self.share * lines


@dataclass(frozen=True, slots=True)
class _Average:
    """One average and the cells of its line, in order; None for a cell without a number."""

    cell: Cell
    number: PrintedNumber
    cells: tuple[Cell, ...]
    numbers: tuple[PrintedNumber | None, ...]

    def fits(self) -> bool:
        """Whether the average may be the mean of the numbers that are there."""
        there = [number for number in self.numbers if number is not None]
        low = sum(number.low for number in there) / len(there)
        high = sum(number.high for number in there) / len(there)
        return self.number.low <= high + 1e-9 and self.number.high >= low - 1e-9

    @property
    def sum(self) -> float:
        """Of the numbers that are there."""
        return sum(number.value for number in self.numbers if number is not None)

    @property
    def whole(self) -> bool:
        """Whether all numbers are whole, and none is missing or in percent."""
        numbers = (self.number, *self.numbers)
        return all(number is not None and not number.decimals and not number.percent for number in numbers)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each average that does not follow, and for each that hides a missing cell."""
    for table in context.paper.tables:
        if _of_pairs(table):
            continue
        for transposed in (False, True):
            yield from _averages(context, table, transposed=transposed)


def _of_pairs(table: Table) -> bool:
    """Whether the same names head rows and columns, as in a table of distances, where "all" is one of them."""
    rows = {normalised(name) for row in range(table.n_header_rows, table.n_rows) for name in table.row_header(row)}
    columns = {
        normalised(name)
        for column in range(table.n_header_columns, table.n_columns)
        for name in table.column_header(column)
    }
    return len((rows & columns) - {""}) > 1


def _averages(context: CheckContext, table: Table, *, transposed: bool) -> Iterator[Diagnostic]:
    side = range(table.n_header_rows, table.n_rows) if transposed else range(table.n_header_columns, table.n_columns)
    kinds = [(index, _kind(table, _headings(table, index, transposed=transposed))) for index in side]
    for place, (index, kind) in enumerate(kinds):
        if kind != "average":
            continue
        name = normalised(_headings(table, index, transposed=transposed)[-1])
        pooled = name in POOLED or name in TOTALS
        if name in TOTALS:
            parts = [other for other, before in kinds[:place] if before != "average"]
            lines = list(_lines(table, index, parts, 0, transposed=transposed))
            yield from _of_totals(context, table, lines, transposed)
        upright = [
            other for other, kind in kinds if kind == "score" and not _italic(table, other, transposed=transposed)
        ]
        needed = _Needed.of(table, pooled=pooled)
        for part in range(_parts(table, index, transposed=transposed)):
            for members in _candidates(kinds, place, upright):
                lines = list(_lines(table, index, members, part, transposed=transposed))
                lines = [line for line in lines if not _counts(table, line.cell, transposed=transposed)]
                if needed.met(sum(line.fits() for line in lines), len(lines)):
                    yield from _report(context, table, lines, transposed=transposed)
                    break


def _of_totals(context: CheckContext, table: Table, lines: list[_Average], transposed: bool) -> Iterator[Diagnostic]:
    whole = [line for line in lines if line.whole]
    wrong = [line for line in whole if line.sum != line.number.value]
    if len(wrong) == 1 and len(whole) > FEWEST_TOTALS:
        (line,) = wrong
        yield RULE.at(
            context.paper,
            line.number.span,
            f"The total{_name(table, line.cell, transposed=transposed)} is printed as {line.number.text}, and its "
            f"{len(line.numbers)} cells sum to {line.sum:,.0f}.",
            remedy="add them up anew, or say what else the total counts",
        )


def _candidates(kinds: list[tuple[int, str]], place: int, upright: list[int]) -> list[list[int]]:
    """Which cells an average may be of: since the last average, all before it, all behind it, all not in italics."""
    before = kinds[:place]
    since = next((at + 1 for at in range(place - 1, -1, -1) if kinds[at][1] == "average"), 0)
    sets = [
        [index for index, kind in before[since:] if kind == "score"],
        [index for index, kind in before if kind == "score"],
        [index for index, kind in kinds[place + 1 :] if kind == "score"],
        upright,
    ]
    return [members for number, members in enumerate(sets) if len(members) >= FEWEST and members not in sets[:number]]


def _parts(table: Table, index: int, *, transposed: bool) -> int:
    """How many values the averages of a line have: two in `49.7 / 88.9`."""
    across = range(table.n_columns) if transposed else range(table.n_rows)
    found = {len(_values(_at(table, index, item, transposed=transposed))) for item in across} - {0}
    return found.pop() if len(found) == 1 else 1


def _values(cell: Cell) -> list[PrintedNumber]:
    return [number for number in cell.numbers if number.role == "value"]


def _lines(table: Table, index: int, members: list[int], part: int, *, transposed: bool) -> Iterator[_Average]:
    across = range(table.n_header_columns, table.n_columns) if transposed else range(table.n_header_rows, table.n_rows)
    for item in across:
        if not transposed and item in table.group_rows:
            continue
        cell = _at(table, index, item, transposed=transposed)
        cells = tuple(_at(table, member, item, transposed=transposed) for member in members)
        values = _values(cell)
        numbers = tuple(_part(other, part, len(values)) for other in cells)
        if part < len(values) and sum(number is not None for number in numbers) >= FEWEST:
            yield _Average(cell, values[part], cells, numbers)


def _part(cell: Cell, part: int, parts: int) -> PrintedNumber | None:
    """One of the values of a cell, which has as many as its average; the first if it is asked for."""
    values = _values(cell)
    return values[part] if values and (part == 0 or len(values) == parts) else None


def _report(context: CheckContext, table: Table, lines: list[_Average], *, transposed: bool) -> Iterator[Diagnostic]:
    complete = max(sum(number is not None for number in line.numbers) for line in lines)
    for line in lines:
        there = [number for number in line.numbers if number is not None]
        context.coverage.checked(context.number, line.number.span)
        context.coverage.table(context.number, table.span)
        mean = line.sum / len(there)
        expected = f"{mean:.{line.number.decimals}f}"
        name = _name(table, line.cell, transposed=transposed)
        total = abs(line.number.value - line.sum) < 1e-9
        if not line.fits() and not total and len(there) == complete:
            yield RULE.at(
                context.paper,
                line.number.span,
                f"The average{name} is printed as {line.number.text}, and the mean of its {len(there)} cells is "
                f"{expected}.",
                remedy="compute it anew, or say how it is weighted",
            )
        elif line.fits() and len(there) < complete:
            yield RULE.at(
                context.paper,
                line.number.span,
                f"The average{name} is over {len(there)} cells, and others are over {complete}: they cannot be "
                f"compared.",
                remedy="leave it out, or average all systems over the cells that all have",
            )


def _counts(table: Table, cell: Cell, *, transposed: bool) -> bool:
    """Whether the line of an average is one of counts, or of spreads: an average has its own."""
    headings = table.column_header(cell.column) if transposed else table.row_header(cell.row)
    return any(normalised(text) in _NO_MEANS or quantity_of(table, text) == "n" for text in headings[-1:])


def _kind(table: Table, headings: tuple[str, ...]) -> str:
    last = headings[-1] if headings else ""
    words = normalised(last)
    if words == "accuracy" and _CLASSES.search(" ".join(cell.text.text for cell in table.cells() if cell.header)):
        return "other"
    if WEIGHTED.search(" ".join(headings)):
        return "other"
    if any(normalised(text) in AVERAGES for text in headings[-1:]):
        return "average"
    if quantity_of(table, last) not in (None, "score"):
        return "other"
    return (
        "other"
        if re.search(
            r"\b(?:rank|params?|parameters|size|time|cost|flops|speed|year|sd|std|se|support|counts?)\b", words
        )
        else "score"
    )


def _headings(table: Table, index: int, *, transposed: bool) -> tuple[str, ...]:
    return table.row_header(index) if transposed else table.column_header(index)


def _italic(table: Table, index: int, *, transposed: bool) -> bool:
    """Whether the name of a line is in italics, as what an average leaves out often is."""
    of_rows, of_columns = table.n_header_columns, table.n_header_rows
    headings = table.grid[index][:of_rows] if transposed else [row[index] for row in table.grid[:of_columns]]
    return any(cell.italic for cell in headings[-1:])


def _at(table: Table, index: int, item: int, *, transposed: bool) -> Cell:
    return table.grid[index][item] if transposed else table.grid[item][index]


def _name(table: Table, cell: Cell, *, transposed: bool) -> str:
    headings = table.column_header(cell.column) if transposed else table.row_header(cell.row)
    return f" of {headings[-1]}" if headings else ""


RULE = Rule(
    code="RK105",
    name="average-does-not-follow",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    sources="ARR R1",
)
