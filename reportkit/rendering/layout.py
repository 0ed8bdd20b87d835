r"""How a table is set so that it fits: one column or two, type size, broken headers, panels, consecutive tables.

Nothing is scaled: a table that is too wide is first set tighter, then smaller, then across both columns, then cut into
panels below one another that repeat the first column. A table that is too long becomes several, "(continued)".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reportkit.phrases import counted
from reportkit.rendering.column_kinds import column_kinds
from reportkit.rendering.font_widths import FONTS
from reportkit.rendering.width import column_widths, natural_width, prose_width
from reportkit.report.model import Spanner, Table
from reportkit.report.prose import Prose, Text, joined

Environment = Literal["table", "table*"]

COLUMN_WIDTH = 219.0
TEXT_WIDTH = 455.0
"""Width of a column and of the text block of ACL papers, in TeX points; other two-column styles are a little wider."""

MOST_LINES = 50
"""Lines of body in one table; at `\\small` they fill a page with a caption of a few lines."""

_WIDEST_LABEL, _WIDEST_CELL = 150.0, 90.0
_SIZES = {9: "small", 8: "footnotesize"}
_TIGHTEST = 3.0
_TRIALS = ((9, 4.0, False), (9, 3.0, False), (9, 4.0, True), (9, 3.0, True), (8, 3.0, False), (8, 3.0, True))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    r"""How one table is set.

    Parameters
    ----------
    environment : {"table", "table*"}
        One column, or the whole width of the page.
    size : {9, 8}
        Type size in points, in a document of 10 pt.
    tabcolsep : float
        Half the space between columns, in points.
    headers : tuple of tuple of Prose
        The header of each column, in lines.
    spanners : tuple of tuple of Prose
        Each header over several columns, in lines.
    limits : tuple of float or None
        Widest line of a cell in each column, in points, where long cells are broken into lines.
    insets : tuple of float
        By how much the numbers of a column that is set at the point stand within a wider header, in points.
    floats : tuple of tuple of Panel
        Consecutive tables, each with the panels that stand below one another in it.
    width : float
        Estimated width of the widest panel, in points.
    note : str
        What was done and why, one line.
    """

    environment: Environment
    size: int
    tabcolsep: float
    headers: tuple[tuple[Prose, ...], ...]
    spanners: tuple[tuple[Prose, ...], ...]
    limits: tuple[float | None, ...]
    insets: tuple[float, ...]
    floats: tuple[tuple[Panel, ...], ...]
    width: float
    note: str

    @property
    def size_command(self) -> str:
        r"""Name of the LaTeX command of the type size: `small` or `footnotesize`."""
        return _SIZES[self.size]


def lay_out(
    table: Table, *, column_width: float = COLUMN_WIDTH, text_width: float = TEXT_WIDTH, most_lines: int = MOST_LINES
) -> Layout:
    r"""Choose how a table is set.

    Parameters
    ----------
    table : Table
        Any.
    column_width, text_width : float
        Of a column and of the text block, in TeX points. Widths are estimated for the wider of Times and Computer
        Modern, so that the table fits in either.
    most_lines : int
        Lines of body before the table is cut into consecutive ones.

    Returns
    -------
    Layout
        Whether it fits is said in `note`.

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
    measures = {(size, stacked): _Measure(table, size, stacked=stacked) for size in _SIZES for stacked in (False, True)}
    every = tuple(range(len(table.columns)))
    wanted = measures[9, False].width(every, 4.0)
    places: tuple[tuple[Environment, float], ...] = (("table", column_width), ("table*", text_width))
    for environment, place in places:
        for size, tabcolsep, stacked in _TRIALS:
            measure = measures[size, stacked]
            width = measure.width(every, tabcolsep)
            if width <= place:
                floats = _floats((every,), measure, most_lines)
                note = _note(wanted, width, environment, size, column_width, text_width, floats)
                return measure.layout(environment, tabcolsep, floats, width, note)
    return _wide(table, wanted, text_width, column_width, most_lines)


def _wide(table: Table, wanted: float, text_width: float, column_width: float, most_lines: int) -> Layout:
    """Break long cells into lines; if that does not help, cut the table into panels."""
    for size, tabcolsep in ((9, 4.0), (8, 3.0)):
        measure = _Measure(table, size, stacked=True, limited=True)
        every = tuple(range(len(table.columns)))
        width = measure.width(every, tabcolsep)
        if width <= text_width:
            floats = _floats((every,), measure, most_lines)
            note = _note(wanted, width, "table*", size, column_width, text_width, floats, "long cells broken, ")
            return measure.layout("table*", tabcolsep, floats, width, note)
    trials = []
    for size, tabcolsep in ((9, 4.0), (9, 3.0), (8, 3.0)):
        measure = _Measure(table, size, stacked=True, limited=True)
        trials.append((_panels(measure, tabcolsep, text_width), measure, tabcolsep))
    panels, measure, tabcolsep = min(trials, key=lambda trial: len(trial[0]))
    width = max(measure.width(panel, tabcolsep) for panel in panels)
    floats = _floats(panels, measure, most_lines)
    cut = f"cut into {len(panels)} panels of at most {width:.0f} pt, " if len(panels) > 1 else ""
    note = _note(wanted, width, "table*", measure.size, column_width, text_width, floats, cut)
    return measure.layout("table*", tabcolsep, floats, width, note)


class _Measure:
    """Widths of the columns of a table at one type size, in the wider of the two fonts."""

    def __init__(self, table: Table, size: int, *, stacked: bool, limited: bool = False) -> None:
        self.table, self.size = table, size
        fonts = [column_widths(table, size=size, font=font) for font in FONTS]
        body = [max(font[i].body for font in fonts) for i in range(len(table.columns))]
        marks = [max(font[i].mark for font in fonts) for i in range(len(table.columns))]
        headers = [column.header for column in table.columns]
        self.headers = tuple(self._stack(header, body[i]) if stacked else (header,) for i, header in enumerate(headers))
        heads = [max((self._prose(line) for line in lines), default=0.0) for lines in self.headers]
        self.limits: tuple[float | None, ...] = tuple(
            cap if limited and max(body[i], heads[i]) > cap else None
            for i, cap in enumerate([_WIDEST_LABEL, *[_WIDEST_CELL] * (len(body) - 1)])
        )
        self.insets = tuple(
            max(0.0, round((head - cells) / 2, 1)) if kind == "point" else 0.0
            for head, cells, kind in zip(heads, body, column_kinds(table), strict=True)
        )
        self.columns = [
            min(max(head, cells), limit or math.inf) + mark
            for head, cells, mark, limit in zip(heads, body, marks, self.limits, strict=True)
        ]
        self.spanners = tuple(
            self._stack(spanner.header, self._below(spanner)) if stacked else (spanner.header,)
            for spanner in table.spanners
        )

    def width(self, columns: Sequence[int], tabcolsep: float) -> float:
        """Width of some columns, spanners included."""
        wanted = [max(self._prose(line) for line in lines) for lines in self.spanners]
        return natural_width(self.table, self.columns, columns, tabcolsep=tabcolsep, size=self.size, spanners=wanted)

    def _below(self, spanner: Spanner) -> float:
        """Width of the columns that a spanner covers, set as tight as they ever are."""
        inside = self.columns[spanner.first : spanner.last + 1]
        return sum(inside) + 2 * _TIGHTEST * (len(inside) - 1)

    def lines(self, row: int) -> int:
        """How many lines a row takes, where long cells are broken."""
        most = 1
        for cell, limit in zip(self.table.rows[row].cells, self.limits, strict=True):
            if limit:
                most = max(most, math.ceil(1.1 * self._prose(cell.text) / limit))
        return most

    @property
    def header_lines(self) -> int:
        """How many lines the headers take."""
        stacked = max((len(lines) for lines in self.headers), default=1)
        return stacked + len(self.table.header_rows) + max(map(len, self.spanners), default=0) + 1

    def layout(
        self,
        environment: Environment,
        tabcolsep: float,
        floats: tuple[tuple[Panel, ...], ...],
        width: float,
        note: str,
    ) -> Layout:
        """Put the decisions together."""
        return Layout(
            environment=environment,
            size=self.size,
            tabcolsep=tabcolsep,
            headers=self.headers,
            spanners=self.spanners,
            limits=self.limits,
            insets=self.insets,
            floats=floats,
            width=width,
            note=note,
        )

    def _prose(self, content: Prose) -> float:
        return max(prose_width(content, size=self.size, font=font) for font in FONTS)

    def _stack(self, header: Prose, room: float) -> tuple[Prose, ...]:
        """Break a header that is wider than its column at spaces, into lines as even as its longest word allows."""
        words = _words(header)
        if len(words) < 2 or self._prose(header) <= room:
            return (header,)
        room = max(room, *(self._prose(word) for word in words))
        lines: list[Prose] = [words[0]]
        for word in words[1:]:
            longer = joined((*lines[-1], Text(" "), *word))
            if self._prose(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        return tuple(lines)


def _words(content: Prose) -> list[Prose]:
    """Split prose at the spaces of its plain words; the sign of a claim stays with the system behind it."""
    words: list[Prose] = [()]
    for part in content:
        if not isinstance(part, Text):
            words[-1] = (*words[-1], part)
            continue
        for index, piece in enumerate(part.text.split(" ")):
            if index and words[-1] == (Text(">"),):
                words[-1] = (Text("> "),)
            elif index:
                words.append(())
            if piece:
                words[-1] = joined((*words[-1], Text(piece)))
    return [word for word in words if word]


def _panels(measure: _Measure, tabcolsep: float, place: float) -> tuple[tuple[int, ...], ...]:
    """Cut the columns into as few panels as fit, as even as possible, between spanners where that is possible."""
    first, *others = measure.columns
    begins = {spanner.first for spanner in measure.table.spanners}
    ends = {spanner.last + 1 for spanner in measure.table.spanners}
    breaks = [index in begins | ends or not _spanned(measure.table, index) for index in range(1, len(measure.columns))]
    weights = [width + 2 * tabcolsep for width in others]
    for spanner in measure.table.spanners:
        inside = range(spanner.first, spanner.last + 1)
        excess = (
            measure.width(inside, tabcolsep)
            - sum(measure.columns[i] for i in inside)
            - 2 * tabcolsep * (len(inside) - 1)
        )
        if spanner.last:
            weights[spanner.last - 1] += max(0.0, excess)
    parts = _divided(weights, breaks, place - first)
    return tuple((0, *range(start + 1, stop + 1)) for start, stop in parts)


def _spanned(table: Table, index: int) -> bool:
    return any(spanner.first <= index <= spanner.last for spanner in table.spanners)


def _floats(panels: Sequence[tuple[int, ...]], measure: _Measure, most_lines: int) -> tuple[tuple[Panel, ...], ...]:
    """Spread panels and rows over consecutive tables, none longer than a page."""
    rows = measure.table.rows
    lines = [float(measure.lines(index)) for index in range(len(rows))]
    parts = _divided(lines, [row.rule_above for row in rows], most_lines) if rows else [(0, 0)]
    floats: list[list[Panel]] = []
    room = 0.0
    for columns in panels:
        for start, stop in parts:
            height = sum(lines[start:stop]) + measure.header_lines
            if not floats or len(parts) > 1 or height > room:
                floats.append([])
                room = most_lines + measure.header_lines
            floats[-1].append(Panel(columns=columns, start=start, stop=stop))
            room -= height
    return tuple(tuple(panels) for panels in floats)


def _divided(weights: Sequence[float], breaks: Sequence[bool], capacity: float) -> list[tuple[int, int]]:
    """Cut a sequence into consecutive parts within a capacity: as few as possible, then as even as possible.

    A part ends before an element with a break, unless the elements between two breaks are more than the capacity. An
    element that is heavier than the capacity is a part of its own.
    """
    starts = [index for index, begins in enumerate(breaks) if begins or index == 0]
    units: list[tuple[int, int]] = []
    for start, stop in zip(starts, [*starts[1:], len(weights)], strict=True):
        fits = sum(weights[start:stop]) <= capacity
        units.extend([(start, stop)] if fits else [(index, index + 1) for index in range(start, stop)])
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
    for start, stop in units:
        if parts and sum(weights[parts[-1][0] : stop]) <= capacity:
            parts[-1] = (parts[-1][0], stop)
        else:
            parts.append((start, stop))
    return parts


def _note(
    wanted: float,
    width: float,
    environment: Environment,
    size: int,
    column_width: float,
    text_width: float,
    floats: tuple[tuple[Panel, ...], ...],
    done: str = "",
) -> str:
    r"""One line: how wide the table wants to be, and how it is set."""
    command = f"\\{_SIZES[size]}"
    if environment == "table":
        text = f"about {width:.0f} pt wide at {command}: fits a column of {column_width:.0f} pt"
    elif width > text_width:
        text = (
            f"about {wanted:.0f} pt wide: {done}still about {width:.0f} pt, too wide for a page of {text_width:.0f} pt"
        )
    elif done:
        text = f"about {wanted:.0f} pt wide: too wide for a page of {text_width:.0f} pt, {done}set across it (table*)"
    else:
        text = (
            f"about {width:.0f} pt wide at {command}: too wide for a column of {column_width:.0f} pt, "
            "set across the page (table*)"
        )
    parts = {(panel.start, panel.stop) for panels in floats for panel in panels}
    if len(floats) > 1:
        rows = f"{counted(max(stop for _, stop in parts), 'row')}, " if len(parts) > 1 else ""
        text += f"; {rows}in {len(floats)} consecutive tables"
    return text
