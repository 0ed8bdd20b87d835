"""How a table is set so that it fits: one column or two, type size, broken headers, panels, consecutive tables.

Nothing is scaled: a table that is too wide is first set tighter, then smaller, then across both columns if there are
two, then cut into panels below one another that repeat the first column. A table that is too long becomes several,
"(continued)", or breaks across pages by itself where `longtable` is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from reportkit.appearance.appearance import Engine, Environment
from reportkit.appearance.venues import VENUES, TypeSize, Venue
from reportkit.language.counts_and_lists import counted
from reportkit.rendering.layout.table_measure import Breaking, ColumnSizes, TableMeasure
from reportkit.report.model import Row, Table
from reportkit.report.prose import Prose


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


Wrapping = Literal["table", "table*", "tabular", "longtable"]

MOST_LINES = 50
"""Lines of body in one table of the report; other venues have as many as fit a page with the caption."""

SAFE = 0.98
"""Part of a width that a table may take by its estimate, which may be a little too small."""

_WIDE, _TIGHT = 4.0, 3.0
_ENDLESS = 10**6


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    r"""How one table is set.

    Parameters
    ----------
    environment : {"table", "table*", "tabular", "longtable"}
        One column, the whole width of the page, nothing at all, or a table that breaks across pages.
    place : float
        Width that it has to fit, in points.
    across : bool
        Whether that is the width of a page with two columns.
    type_size : TypeSize
        Of the venue.
    tabcolsep : float
        Half the space between columns, in points.
    headers : tuple of tuple of Prose
        The header of each column, in lines.
    spanners : tuple of tuple of Prose
        Each header over several columns, in lines.
    limits, header_limits : tuple of float or None
        Widest line of a cell, and of a header, in each column, in points, where they are broken wherever they can be.
    insets : tuple of float
        By how much the numbers of a column that is set at the point stand within a wider header, in points.
    floats : tuple of tuple of Panel
        Consecutive tables, each with the panels that stand below one another in it.
    wanted, width : float
        Estimated width of the table as it is, and of the widest panel as it is set, in points.
    note : str
        What was done and why, one line.
    """

    environment: Wrapping
    place: float
    across: bool
    type_size: TypeSize
    tabcolsep: float
    headers: tuple[tuple[Prose, ...], ...]
    spanners: tuple[tuple[Prose, ...], ...]
    limits: tuple[float | None, ...]
    header_limits: tuple[float | None, ...]
    insets: tuple[float, ...]
    floats: tuple[tuple[Panel, ...], ...]
    wanted: float
    width: float
    note: str

    @property
    def size(self) -> float:
        """Type size in points."""
        return self.type_size.points

    @property
    def size_command(self) -> str:
        r"""LaTeX command of the type size, without its first backslash: `small`."""
        return self.type_size.command

    @property
    def n_panels(self) -> int:
        """Into how many panels the columns are cut."""
        return len({panel.columns for panels in self.floats for panel in panels})


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a table may stand."""

    environment: Wrapping
    width: float
    across: bool = False


def lay_out(
    table: Table,
    venue: Venue = VENUES["report"],
    *,
    environment: Environment = "auto",
    engine: Engine = "tabular",
    most_lines: int | None = None,
) -> Layout:
    r"""Choose how a table is set.

    Parameters
    ----------
    table : Table
        Any.
    venue : Venue
        Widths, type and sizes. Where its type is not known, widths are estimated for the wider of Times and Computer
        Modern, so that the table fits in either.
    environment : {"auto", "table", "table*", "tabular", "longtable"}
        What the table is wrapped in. `auto`: a column where it fits, else the page; a venue with one column has
        `table` alone.
    engine : {"tabular", "siunitx"}
        What aligns the numbers.
    most_lines : int, optional
        Lines of body before the table is cut into consecutive ones; by default as many as the venue's page holds.

    Returns
    -------
    Layout
        Whether it fits is said in `note`.

    Raises
    ------
    SettingsError
        If `longtable` is asked for in two columns, where LaTeX has none.

    Examples
    --------
    >>> from reportkit.report.model import Cell, Column, Row, Table
    >>> from reportkit.report.prose import Text
    >>> names = ("System", "tweets", "reviews", "movies", "editorials")
    >>> columns = tuple(Column(header=(Text(name),), align="right" if i else "left") for i, name in enumerate(names))
    >>> row = Row(cells=tuple(Cell(text=(Text("93.1" if i else "VADER"),)) for i in range(5)))
    >>> lay_out(Table(name="t", caption=(), columns=columns, rows=(row,))).note
    'about 186 pt wide at \\small: fits a column of 219 pt'
    """
    if environment == "longtable":
        venue.refuse_longtable()
    setter = _Setter(ColumnSizes(table, venue.face, engine), venue, _places(venue, environment), most_lines)
    for place in setter.places:
        for type_size, tabcolsep, measure in setter.trials(place):
            if measure.width(setter.every, tabcolsep) <= SAFE * place.width:
                return setter.layout(place, type_size, tabcolsep, measure, (setter.every,))
    place = setter.places[-1]
    for type_size, tabcolsep in setter.steps:
        measure = setter.measure(type_size, "hyphens", limited=True)
        broken = any(measure.limits) or any(measure.header_limits)
        if broken and measure.width(setter.every, tabcolsep) <= SAFE * place.width:
            return setter.layout(place, type_size, tabcolsep, measure, (setter.every,))
    trials = [
        (panels_of(measure, tabcolsep, SAFE * place.width), type_size, tabcolsep, measure)
        for type_size, tabcolsep in setter.steps
        for measure in (setter.measure(type_size, breaking, limited=True) for breaking in ("spaces", "hyphens"))
    ]
    panels, type_size, tabcolsep, measure = min(trials, key=lambda trial: len(trial[0]))
    return setter.layout(place, type_size, tabcolsep, measure, panels)


class _Setter:
    """The table and where it may stand, for the steps of `lay_out`."""

    def __init__(
        self, column_sizes: ColumnSizes, venue: Venue, places: tuple[_Place, ...], most_lines: int | None
    ) -> None:
        self.column_sizes, self.venue, self.places, self.most_lines = column_sizes, venue, places, most_lines
        self.table = column_sizes.table
        self.every = tuple(range(len(self.table.columns)))
        self._measures: dict[tuple[float, Breaking, bool], TableMeasure] = {}

    @property
    def steps(self) -> Iterator[tuple[TypeSize, float]]:
        """Type sizes and spaces between columns, from the most readable on."""
        first, *smaller = self.venue.sizes
        yield first, _WIDE
        yield first, _TIGHT
        for size in smaller:
            yield size, _TIGHT

    def trials(self, place: _Place) -> Iterator[tuple[TypeSize, float, TableMeasure]]:
        """Ways to set the table in one piece; headers are broken within words only where no wider place is left."""
        ways: tuple[tuple[Breaking, ...], ...] = (("none", "spaces"),)
        if place is self.places[-1]:
            ways = (*ways, ("hyphens",))
        for breakings in ways:
            for size in self.venue.sizes:
                spaces = (_WIDE, _TIGHT) if size is self.venue.sizes[0] else (_TIGHT,)
                for breaking in breakings:
                    for tabcolsep in spaces:
                        yield size, tabcolsep, self.measure(size, breaking)

    def measure(self, size: TypeSize, breaking: Breaking, *, limited: bool = False) -> TableMeasure:
        """Widths at a size, taken once."""
        key = (size.points, breaking, limited)
        if key not in self._measures:
            self._measures[key] = TableMeasure(self.column_sizes, size.points, breaking=breaking, limited=limited)
        return self._measures[key]

    def layout(
        self,
        place: _Place,
        type_size: TypeSize,
        tabcolsep: float,
        measure: TableMeasure,
        panels: tuple[tuple[int, ...], ...],
    ) -> Layout:
        """Put the decisions together."""
        wanted = self.measure(self.venue.sizes[0], "none").width(self.every, _WIDE)
        width = max(measure.width(panel, tabcolsep) for panel in panels)
        most = self.most_lines or self._lines(place, type_size, measure)
        floats = floats_of(panels, measure, most)
        if place.environment == "longtable":
            floats = tuple((panel,) for panels in floats for panel in panels)
        return Layout(
            environment=place.environment,
            place=place.width,
            across=place.across,
            type_size=type_size,
            tabcolsep=tabcolsep,
            headers=measure.headers,
            spanners=measure.spanners,
            limits=measure.limits,
            header_limits=measure.header_limits,
            insets=measure.insets,
            floats=floats,
            wanted=wanted,
            width=width,
            note=_note(place, self.places, type_size, wanted, width, measure, floats),
        )

    def _lines(self, place: _Place, type_size: TypeSize, measure: TableMeasure) -> int:
        """Lines of body that a page holds beside the caption, the header and the rules."""
        if place.environment == "longtable":
            return _ENDLESS
        venue = self.venue
        caption = self.measure(venue.sizes[0], "none").prose(self.table.full_caption)
        caption *= venue.base_size / venue.sizes[0].points
        height = venue.text_height - 30 - 1.2 * venue.base_size * math.ceil(1.08 * caption / place.width + 0.5)
        lines = math.floor(height / type_size.leading) - measure.header_lines - 1
        return max(10, min(lines, MOST_LINES) if venue.name == "report" else lines)


def _places(venue: Venue, environment: Environment) -> tuple[_Place, ...]:
    column = _Place("table", venue.column_width)
    page = _Place("table*", venue.text_width, across=True)
    if environment == "longtable":
        return (_Place("longtable", venue.text_width),)
    if environment == "tabular":
        bare = _Place("tabular", venue.column_width)
        return (bare, _Place("tabular", venue.text_width, across=True)) if venue.two_columns else (bare,)
    if not venue.two_columns or environment == "table":
        return (column,)
    return (page,) if environment == "table*" else (column, page)


def _note(
    place: _Place,
    places: Sequence[_Place],
    type_size: TypeSize,
    wanted: float,
    width: float,
    measure: TableMeasure,
    floats: tuple[tuple[Panel, ...], ...],
) -> str:
    r"""One line: how wide the table wants to be, and how it is set."""
    where = f"a page of {place.width:.0f} pt" if place.across else f"a column of {place.width:.0f} pt"
    n_panels = len({panel.columns for panels in floats for panel in panels})
    star = " (table*)" if place.environment == "table*" else " (for a table* of yours)"
    if width > place.width:
        text = f"about {wanted:.0f} pt wide: {_done(n_panels, width, measure)}still about {width:.0f} pt, "
        text += f"too wide for {where}"
    elif n_panels > 1 or any(measure.limits) or any(measure.header_limits):
        text = f"about {wanted:.0f} pt wide: too wide for {where}, {_done(n_panels, width, measure)}"
        text += f"set across it{star}" if place.across else f"set at {type_size.words}"
    elif not place.across:
        text = f"about {width:.0f} pt wide at {type_size.words}: fits {where}"
    else:
        text = f"about {width:.0f} pt wide at {type_size.words}: "
        narrower = [other for other in places if not other.across]
        if narrower:
            text += f"too wide for a column of {narrower[0].width:.0f} pt, "
        text += f"set across the page{star}"
    parts = {(panel.start, panel.stop) for panels in floats for panel in panels}
    if place.environment == "longtable":
        return text + "; it breaks across pages (longtable)"
    if len(floats) > 1:
        rows = f"{counted(max(stop for _, stop in parts), 'row')}, " if len(parts) > 1 else ""
        text += f"; {rows}in {len(floats)} consecutive tables"
    return text


def _done(n_panels: int, width: float, measure: TableMeasure) -> str:
    if n_panels > 1:
        return f"cut into {n_panels} panels of at most {width:.0f} pt, "
    return "long cells broken, " if any(measure.limits) or any(measure.header_limits) else ""
