"""Find the numbers in cells that are spreads, because a heading says so."""

from __future__ import annotations

import re
from dataclasses import replace

from reportkit.checker.paper.document import Cell

_DEVIATION = r"(?:s\.? ?d\.?|std\.?(?: ?(?:dev|err)\.?)?|stdev|standard (?:deviation|error)s?)"
_WITH_SPREAD = re.compile(rf"\(\s*(?:±\s?)?(?:{_DEVIATION}|s\.?e\.?m?\.?|σ)\s*\)\s*$", re.IGNORECASE)


def with_spreads(grid: tuple[tuple[Cell, ...], ...], n_rows: int, n_columns: int) -> tuple[tuple[Cell, ...], ...]:
    """Take numbers in parentheses for spreads where the heading of a row or column is "Mean (SD)" or the like."""
    below = {at for row in grid[:n_rows] for at, cell in enumerate(row) if _WITH_SPREAD.search(cell.text.text)}
    made: dict[int, Cell] = {}
    for row in grid[n_rows:]:
        beside = any(_WITH_SPREAD.search(cell.text.text) for cell in row[:n_columns])
        for at, cell in enumerate(row):
            if (beside or at in below) and [number.role for number in cell.numbers] == ["value", "remark"]:
                value, remark = cell.numbers
                made[id(cell)] = replace(cell, numbers=(value, replace(remark, role="spread")))
    return tuple(tuple(made.get(id(cell), cell) for cell in row) for row in grid) if made else grid
