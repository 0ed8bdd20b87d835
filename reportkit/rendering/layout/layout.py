"""How a table is set so that it fits: one column or two, type size, broken headers, panels, consecutive tables.

Nothing is scaled: a table that is too wide is first set tighter, then smaller, then with broken headers and names or
on its other side, then across both columns if there are two, then cut into panels below one another that repeat the
first column. A table that is too long becomes several, "(continued)", or breaks across pages by itself where
`longtable` is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from reportkit.appearance.appearance import Environment
from reportkit.appearance.venues import VENUES, TypeSize, Venue
from reportkit.language.counts_and_lists import counted
from reportkit.rendering.layout.panels import Panel, floats_of, panels_of
from reportkit.rendering.layout.table_measure import Breaking, ColumnSizes, TableMeasure
from reportkit.report.model import Table
from reportkit.report.prose import Prose
from reportkit.report.tables.turned import turned

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
    table : Table
        As it is set: turned, where that fits a column and the other side does not.
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
    table: Table

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
    sides = (table, turned(table)) if table.may_turn and table.turned_head else (table,)
    places = _places(venue, environment)
    setters = [_Setter(ColumnSizes(side, venue.face), venue, places, most_lines) for side in sides]
    for place in places:
        for way in _WAYS:
            for setter in setters:
                for type_size, tabcolsep, measure in setter.trials(way):
                    if measure.width(setter.every, tabcolsep) <= SAFE * place.width:
                        return setter.layout(place, type_size, tabcolsep, measure, (setter.every,))
    setter, place = setters[0], places[-1]
    for type_size, tabcolsep in setter.steps:
        measure = setter.measure(type_size, _LIMITED)
        broken = any(measure.limits) or any(measure.header_limits)
        if broken and measure.width(setter.every, tabcolsep) <= SAFE * place.width:
            return setter.layout(place, type_size, tabcolsep, measure, (setter.every,))
    trials = [
        (panels_of(measure, tabcolsep, SAFE * place.width), type_size, tabcolsep, measure)
        for type_size, tabcolsep in setter.steps
        for measure in (setter.measure(type_size, way) for way in (replace(_LIMITED, breaking="spaces"), _LIMITED))
    ]
    panels, type_size, tabcolsep, measure = min(trials, key=lambda trial: len(trial[0]))
    return setter.layout(place, type_size, tabcolsep, measure, panels)


@dataclass(frozen=True, slots=True)
class _Way:
    """How headers and names are broken into lines, from the least to the most."""

    breaking: Breaking
    limited: bool = False
    label: float | None = None


_WAYS = (
    _Way("none"),
    _Way("spaces"),
    _Way("hyphens"),
    *(_Way("hyphens", label=label) for label in (110.0, 85.0, 60.0, 45.0)),
)
_LIMITED = _Way("hyphens", limited=True)

MOST_BROKEN_NAMES = 8
"""In a table of more rows, names are not broken into lines to make it narrower: it would become too long."""


class _Setter:
    """The table and where it may stand, for the steps of `lay_out`."""

    def __init__(
        self, column_sizes: ColumnSizes, venue: Venue, places: tuple[_Place, ...], most_lines: int | None
    ) -> None:
        self.column_sizes, self.venue, self.places, self.most_lines = column_sizes, venue, places, most_lines
        self.table = column_sizes.table
        self.every = tuple(range(len(self.table.columns)))
        self._measures: dict[tuple[float, _Way], TableMeasure] = {}

    @property
    def steps(self) -> Iterator[tuple[TypeSize, float]]:
        """Type sizes and spaces between columns, from the most readable on."""
        first, *smaller = self.venue.sizes
        yield first, _WIDE
        yield first, _TIGHT
        for size in smaller:
            yield size, _TIGHT

    def trials(self, way: _Way) -> Iterator[tuple[TypeSize, float, TableMeasure]]:
        """Ways to set the table in one piece, from the most readable on."""
        if way.label is not None and len(self.table.rows) > MOST_BROKEN_NAMES:
            return
        for size, tabcolsep in self.steps:
            yield size, tabcolsep, self.measure(size, way)

    def measure(self, size: TypeSize, way: _Way) -> TableMeasure:
        """Widths at a size, taken once."""
        key = (size.points, way)
        if key not in self._measures:
            self._measures[key] = TableMeasure(
                self.column_sizes, size.points, breaking=way.breaking, limited=way.limited, label=way.label
            )
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
        wanted = self.measure(self.venue.sizes[0], _WAYS[0]).width(self.every, _WIDE)
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
            table=self.table,
        )

    def _lines(self, place: _Place, type_size: TypeSize, measure: TableMeasure) -> int:
        """Lines of body that a page holds beside the caption, the header and the rules."""
        if place.environment == "longtable":
            return _ENDLESS
        venue = self.venue
        caption = self.measure(venue.sizes[0], _WAYS[0]).prose(self.table.full_caption)
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
