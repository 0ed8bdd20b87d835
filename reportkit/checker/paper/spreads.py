"""Which numbers in the cells of a table are spreads, standard errors and bounds of intervals."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.paper.printed_number import Role

_DEVIATION = r"(?:s\.? ?d\.?|std\.?(?: ?(?:dev|err)\.?)?|stdev|standard (?:deviation|error)s?)"
_WITH_SPREAD = re.compile(rf"\(\s*(?:±\s?)?(?:{_DEVIATION}|s\.?e\.?m?\.?|σ)\s*\)\s*$", re.IGNORECASE)
_SPREAD = re.compile(rf"{_DEVIATION}|σ|s\.?e\.?", re.IGNORECASE)
_MEAN = re.compile(r"m|μ|x̄|mean|avg\.?|average|coef(?:\.|f\.?|ficients?)?|estimates?|est\.|b|β|β̂", re.IGNORECASE)
_OPENS, _CLOSES = re.compile(r"\[\.?\d[\d.]*%?"), re.compile(r"\.?\d[\d.]*%?\]")
"""Headings of two columns with the bounds of an interval: [0.025 and 0.975]."""
_PARENTHESISED = re.compile(r"\(\d*\.\d+\)")
_ERRORS = re.compile(r"\bstandard errors?\b|\bs\.?e\.?s?\b", re.IGNORECASE)
_NO_ERRORS = re.compile(
    r"\b[tzp][\s-]*(?:statistic|stat|value|ratio|score)s?\b[^.;]*\b(?:parenthes|bracket)|"
    r"\b(?:parenthes|bracket)\w*[^.;]*\b[tzp][\s-]*(?:statistic|stat|value|ratio|score)s?\b",
    re.IGNORECASE,
)
"""What else stands in parentheses below coefficients."""
_OF_INTERVAL = re.compile(r"\b(?:CIs?|CrIs?|HDIs?|(?:confidence|credible) (?:intervals?|limits))\b")
_SIGNED = r"[+\-−–]?(?:\d+(?:\.\d+)?|\.\d+)"
_BOUNDS = re.compile(rf"{_SIGNED}\s?%?\s*(?:-|–|—|,|;|to)\s*{_SIGNED}\s?%?")


def with_spreads(grid: tuple[tuple[Cell, ...], ...], n_rows: int, n_columns: int) -> tuple[tuple[Cell, ...], ...]:
    """Say what numbers in parentheses are, where a heading does: "Mean (SD)", "SD" beside "Mean"."""
    headed = [[cell.text.text for cell in row] for row in grid[:n_rows]]
    width = len(grid[0]) if grid else 0
    names = [next((row[column] for row in reversed(headed) if row[column]), "") for column in range(width)]
    beside = {column for column, name in enumerate(names) if _WITH_SPREAD.search(name)}
    own = {
        column
        for column in range(max(1, n_columns), width)
        if _SPREAD.fullmatch(names[column]) and _MEAN.fullmatch(names[column - 1])
    }
    rows = {
        index
        for index, row in enumerate(grid)
        if index >= n_rows and any(_WITH_SPREAD.search(cell.text.text) for cell in row[:n_columns])
    }
    if not (beside or own or rows):
        return grid
    made: dict[int, Cell] = {}
    for index, row in enumerate(grid):
        for column, cell in enumerate(row):
            roles = tuple(number.role for number in cell.numbers)
            if cell.header or id(cell) in made:
                continue
            if (column in beside or index in rows) and roles == ("value", "remark"):
                made[id(cell)] = _with_role(cell, 1, "spread")
            elif column in own and roles == ("value",):
                made[id(cell)] = _with_role(cell, 0, "spread")
    return tuple(tuple(made.get(id(cell), cell) for cell in row) for row in grid)


def _with_role(cell: Cell, at: int, role: Role) -> Cell:
    numbers = (replace(number, role=role) if index == at else number for index, number in enumerate(cell.numbers))
    return replace(cell, numbers=tuple(numbers))


def with_errors(table: Table) -> Table:
    """Say of numbers in parentheses below coefficients that they are their standard errors, row by row of a regression.

    Coefficients have marks, or a caption or a note says so; none says that other statistics stand there.
    """
    said = " ".join(text.text for text in (table.caption, *table.notes))
    left = table.n_header_columns
    errors: dict[int, Cell] = {}
    marked = _ERRORS.search(said) is not None
    for above, row in pairwise(table.grid[table.n_header_rows :]):
        pairs = [(over, cell) for over, cell in zip(above[left:], row[left:], strict=True) if cell.text]
        if (
            left
            and pairs
            and any(cell.text for cell in above[:left])
            and not any(cell.text and cell.row == pairs[0][1].row for cell in row[:left])
            and all(_PARENTHESISED.fullmatch(cell.text.text) and over.number is not None for over, cell in pairs)
        ):
            errors |= {id(cell): _with_role(cell, 0, "spread") for _, cell in pairs}
            marked |= any(mark.startswith(("*", "+", "†")) for over, _ in pairs for mark in over.marks)
    if len({cell.row for cell in errors.values()}) < 2 or not marked or _NO_ERRORS.search(said):
        return table
    return replace(table, grid=tuple(tuple(errors.get(id(cell), cell) for cell in row) for row in table.grid))


def with_bounds(grid: tuple[tuple[Cell, ...], ...], n_rows: int, n_columns: int) -> tuple[tuple[Cell, ...], ...]:
    """Say of two numbers alone in a cell that they are bounds, where a heading says that there is an interval."""
    width = len(grid[0]) if grid else 0
    below = {at for at in range(width) if any(_OF_INTERVAL.search(row[at].text.text) for row in grid[:n_rows])}
    beside = {at for at, row in enumerate(grid) if any(_OF_INTERVAL.search(cell.text.text) for cell in row[:n_columns])}
    if not (below or beside - set(range(n_rows))):
        return grid
    made: dict[int, Cell] = {}
    for cell in (row[column] for at, row in enumerate(grid) for column in (range(width) if at in beside else below)):
        two = [number.role for number in cell.numbers] == ["value", "value"]
        if two and not cell.header and _BOUNDS.fullmatch(cell.text.text):
            low, high = cell.numbers
            made[id(cell)] = replace(cell, numbers=(replace(low, role="low"), replace(high, role="high")))
    return tuple(tuple(made.get(id(cell), cell) for cell in row) for row in grid)
