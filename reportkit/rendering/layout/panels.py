"""How a table is cut that fits no page: columns into panels, rows into consecutive tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reportkit.rendering.layout.table_measure import TableMeasure
from reportkit.report.model import Row, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A part of a table that stands by itself.

    Parameters
    ----------
    columns : tuple of int
        Which columns, the first of the table included.
    start, stop : int
        Which rows: from `start` up to `stop`, which is not included.
    """

    columns: tuple[int, ...]
    start: int
    stop: int


def panels_of(measure: TableMeasure, tabcolsep: float, place: float) -> tuple[tuple[int, ...], ...]:
    """Cut the columns into as few panels as fit, as even as possible, between spanners where that is possible.

    Parameters
    ----------
    measure : TableMeasure
        Of the table.
    tabcolsep : float
        Half the space between two columns, in points.
    place : float
        Widest that a panel may be, in points.

    Returns
    -------
    tuple of tuple of int
        Columns of each panel; the first column of the table stands in all of them.
    """
    first, *others = measure.columns
    table = measure.table
    edges = {spanner.first for spanner in table.spanners} | {spanner.last + 1 for spanner in table.spanners}
    breaks = [index in edges or not _spanned(table, index) for index in range(1, len(measure.columns))]
    weights = [width + 2 * tabcolsep for width in others]
    for spanner in table.spanners:
        inside = range(spanner.first, spanner.last + 1)
        apart = sum(measure.columns[i] for i in inside) + 2 * tabcolsep * (len(inside) - 1)
        if spanner.last:
            weights[spanner.last - 1] += max(0.0, measure.width(inside, tabcolsep) - apart)
    parts = divided(weights, units_of(weights, breaks, place - first), place - first)
    return tuple((0, *range(start + 1, stop + 1)) for start, stop in parts)


def _spanned(table: Table, index: int) -> bool:
    return any(spanner.first <= index <= spanner.last for spanner in table.spanners)


def floats_of(
    panels: Sequence[tuple[int, ...]], measure: TableMeasure, most_lines: int
) -> tuple[tuple[Panel, ...], ...]:
    """Spread panels and rows over consecutive tables, none longer than `most_lines` lines of body."""
    rows = measure.table.rows
    lines = [float(measure.lines(index)) + 0.4 * (index > 0 and row.rule_above) for index, row in enumerate(rows)]
    parts = divided(lines, row_units(lines, rows, most_lines), most_lines) if rows else [(0, 0)]
    floats: list[list[Panel]] = []
    room = 0.0
    for columns in panels:
        for start, stop in parts:
            height = sum(lines[start:stop]) + measure.header_lines
            if not floats or len(parts) > 1 or height > room:
                floats.append([])
                room = most_lines + measure.header_lines
            floats[-1].append(Panel(columns=columns, start=start, stop=stop))
            room -= height + 1
    return tuple(tuple(panels) for panels in floats)


def row_units(lines: Sequence[float], rows: Sequence[Row], capacity: float) -> list[tuple[int, int]]:
    """Rows that stay together: groups that fit, the rows of other groups, and a heading with the row below it."""
    breaks = [row.rule_above or row.heading for row in rows]
    # where a rule and a heading follow one another, the group begins once
    breaks = [begins and not (index and rows[index - 1].heading) for index, begins in enumerate(breaks)]
    units: list[tuple[int, int]] = []
    for start, stop in units_of(lines, breaks, capacity):
        if units and rows[units[-1][1] - 1].heading and units[-1][1] - units[-1][0] == 1:
            units[-1] = (units[-1][0], stop)
        else:
            units.append((start, stop))
    return units


def units_of(weights: Sequence[float], breaks: Sequence[bool], capacity: float) -> list[tuple[int, int]]:
    """Elements that stay together: those between two breaks, or each by itself where they are more than fits."""
    starts = [index for index, begins in enumerate(breaks) if begins or index == 0]
    units: list[tuple[int, int]] = []
    for start, stop in zip(starts, [*starts[1:], len(weights)], strict=True):
        fits = sum(weights[start:stop]) <= capacity
        units.extend([(start, stop)] if fits else [(index, index + 1) for index in range(start, stop)])
    return units


def divided(weights: Sequence[float], units: Sequence[tuple[int, int]], capacity: float) -> list[tuple[int, int]]:
    """Cut a sequence into consecutive parts within a capacity: as few as possible, then as even as possible.

    Parameters
    ----------
    weights : sequence of float
        Of the elements.
    units : sequence of (int, int)
        What must not be cut: from, and up to but not including. One that is heavier than the capacity is a part of its
        own.
    capacity : float
        Of each part.

    Examples
    --------
    >>> divided([1, 1, 1, 1], [(0, 1), (1, 2), (2, 3), (3, 4)], 3)
    [(0, 2), (2, 4)]
    """
    best = _filled(weights, units, capacity)
    low, high = 0.0, capacity
    for _ in range(30):
        middle = (low + high) / 2
        trial = _filled(weights, units, middle)
        if len(trial) == len(best):
            best, high = trial, middle
        else:
            low = middle
    return best


def _filled(weights: Sequence[float], units: Sequence[tuple[int, int]], capacity: float) -> list[tuple[int, int]]:
    parts: list[tuple[int, int]] = []
    held = 0.0
    for start, stop in units:
        weight = sum(weights[start:stop])
        if parts and held + weight <= capacity:
            parts[-1] = (parts[-1][0], stop)
            held += weight
        else:
            parts.append((start, stop))
            held = weight
    return parts
