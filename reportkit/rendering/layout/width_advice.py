"""What makes a wide table narrower, and by how much: computed from the table, for its comment and the terminal."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from reportkit.appearance.venues import Venue
from reportkit.finding import Finding
from reportkit.rendering.layout.layout import SAFE, Layout, lay_out
from reportkit.rendering.layout.table_measure import TIGHTEST, ColumnSizes, TableMeasure
from reportkit.report.model import Cell, Column, Report, Row, Table
from reportkit.report.prose import Text, plain

_BEHIND_SCORE = re.compile(r"\s*(\[[^\]]*\]|\([^)]*\)|±\s*[\d.]+)\s*$")
_LEAST = 5.0
_MOST_NAMES, _LONG_NAME = 3, 16


@dataclass(frozen=True, slots=True)
class Saving:
    """A way to make a table narrower.

    Parameters
    ----------
    what : str
        In words.
    points : float
        By how much, in points.
    """

    what: str
    points: float


def savings(table: Table, venue: Venue) -> tuple[Saving, ...]:
    """Ways to make a table narrower where it is set as tight as it may be, the most effective first.

    Parameters
    ----------
    table : Table
        Any.
    venue : Venue
        Whose smallest type is used.

    Examples
    --------
    >>> from reportkit.appearance.venues import VENUES
    >>> columns = (Column(header=(Text("System"),), align="left"), Column(header=(Text("score"),)))
    >>> names = ("base", "a-system-with-a-long-name", "ours")
    >>> rows = tuple(Row(cells=(Cell(text=(Text(name),)), Cell(text=(Text("93.1 [92.6, 93.5]"),)))) for name in names)
    >>> table = Table(name="results", caption=(), columns=columns, rows=rows)
    >>> for saving in savings(table, VENUES["acl"]):
    ...     print(f"{saving.what}: {saving.points:.0f} pt")
    'a-system-with-a-long-name' no longer than 6 characters (labels): 65 pt
    only scores, with nothing after them (cell): 36 pt
    """
    width = _tightest(table, venue)
    found = [Saving(what, width - _tightest(other, venue)) for what, other in _variants(table)]
    found.extend(_shorter_headers(table, venue))
    return tuple(sorted((item for item in found if item.points >= _LEAST), key=lambda item: -item.points))


def lacking(table: Table, layout: Layout, venue: Venue) -> tuple[float, float]:
    """How much a table lacks, set as tight as it may be, and the width that it would have to fit, in points.

    For a table that was set across two columns, that is the width of one of them.
    """
    place = venue.column_width if layout.across and layout.n_panels == 1 else layout.place
    return _tightest(table, venue) - SAFE * place, place


def width_notes(table: Table, layout: Layout, venue: Venue) -> tuple[str, ...]:
    """Lines of the comment above a wide table; those that would make it fit a column, or all if it fits no page."""
    broken = layout.n_panels > 1 or layout.width > layout.place
    if not broken and not layout.across:
        return ()
    missing, place = lacking(table, layout, venue)
    if missing <= 0:
        return ()
    found = [item for item in savings(table, venue) if broken or item.points >= missing]
    if broken:
        found.extend((*_across(layout, venue), *_fewer_columns(table, venue, missing)))
    lines = [f"- {item.what}: {item.points:.0f} pt{_enough(item, missing)}" for item in found]
    where = "a column" if place == venue.column_width else "the page"
    head = f"to fit {where} of {place:.0f} pt in one piece it would have to lose {missing:.0f} pt:"
    return (head, *lines) if lines else ()


def width_findings(report: Report) -> tuple[Finding, ...]:
    """Say which tables of a report are too wide for its venue, and what to do."""
    look = report.appearance
    venue = look.preset
    findings = []
    for table in report.tables:
        layout = lay_out(table, venue, environment=look.environment)
        if layout.n_panels == 1 and layout.width <= layout.place:
            continue
        table = layout.table
        missing, place = lacking(table, layout, venue)
        ways = [
            *savings(table, venue)[:_MOST_NAMES],
            *_across(layout, venue),
            *_fewer_columns(table, venue, missing),
        ]
        done = f"cut into {layout.n_panels} panels" if layout.n_panels > 1 else "too wide for the page"
        width = max(missing, 0.0) + SAFE * place
        message = (
            f"Table {table.name}, set as tight as it may be, is {width:.0f} pt wide for {place:.0f} pt: it is {done}."
        )
        remedy = "; or ".join(f"{item.what} ({item.points:.0f} pt)" for item in ways)
        findings.append(Finding("wide-table", "warning", message, remedy=remedy))
    return tuple(findings)


def _enough(saving: Saving, missing: float) -> str:
    return ", enough" if saving.points >= missing else ""


def _across(layout: Layout, venue: Venue) -> Iterator[Saving]:
    """The other column, where the table was kept to one."""
    if venue.two_columns and not layout.across and layout.place < venue.text_width:
        yield Saving("set across both columns (environment table*)", SAFE * (venue.text_width - layout.place))


def _tightest(table: Table, venue: Venue) -> float:
    """Width in the smallest type, headers broken at spaces."""
    measure = TableMeasure(ColumnSizes(table, venue.face), venue.sizes[-1].points, breaking="spaces")
    return measure.width(range(len(table.columns)), TIGHTEST)


def _variants(table: Table) -> Iterator[tuple[str, Table]]:
    """Narrower forms of a table, and how they are asked for."""
    if table.name.startswith("results") and (turned := exchanged(table)) is not None:
        yield "rows and columns exchanged (rows)", turned
    yield "only scores, with nothing after them (cell)", _without_additions(table)
    if table.header_rows:
        rows = "the row" if len(table.header_rows) == 1 else "the rows"
        yield f"without {rows} below the header", dataclasses.replace(table, header_rows=())
    if (shortened := _shorter_labels(table)) is not None:
        yield shortened


def exchanged(table: Table) -> Table | None:
    """The table with rows and columns exchanged; None where groups or columns of words stand against it."""
    body = [row for row in table.rows if not row.heading]
    if not body or any(column.align != "right" for column in table.columns[1:]):
        return None
    first, *others = table.columns
    heads = [*table.header_rows, *body]
    columns = (
        Column.left(first.header),
        *(Column.right(row.cells[0].text) for row in heads),
    )
    rows = tuple(
        Row(cells=(Cell.of(column.header), *(row.cells[index] for row in heads)))
        for index, column in enumerate(others, 1)
    )
    return Table(name=table.name, caption=table.caption, columns=columns, rows=rows)


def _without_additions(table: Table) -> Table:
    def stripped(cell: Cell) -> Cell:
        if len(cell.text) == 1 and isinstance(cell.text[0], Text):
            return dataclasses.replace(cell, text=(Text(_BEHIND_SCORE.sub("", cell.text[0].text)),))
        return cell

    rows = tuple(
        dataclasses.replace(row, cells=(row.cells[0], *map(stripped, row.cells[1:]))) if not row.heading else row
        for row in table.rows
    )
    return dataclasses.replace(table, rows=rows)


def _shorter_labels(table: Table) -> tuple[str, Table] | None:
    """The few longest names of the first column cut to the length of the next one."""
    names = [plain(row.cells[0].text) for row in table.rows if not row.heading]
    lengths = sorted(map(len, names), reverse=True)
    if len(set(lengths)) < 2:
        return None
    few = [length for length in lengths[1 : _MOST_NAMES + 1] if length < lengths[0]]
    most = max(min(few, default=lengths[0]), len(plain(table.columns[0].header)))
    long = list(dict.fromkeys(name for name in names if len(name) > most))
    if not long or len(long) > _MOST_NAMES or lengths[0] < _LONG_NAME:
        return None

    def cut(row: Row) -> Row:
        name = plain(row.cells[0].text)
        if row.heading or len(name) <= most:
            return row
        return dataclasses.replace(row, cells=(Cell.of((Text(name[:most]),)), *row.cells[1:]))

    what = f"{', '.join(map(repr, long))} no longer than {most} characters (labels)"
    return what, dataclasses.replace(table, rows=tuple(map(cut, table.rows)))


def _shorter_headers(table: Table, venue: Venue) -> Iterator[Saving]:
    """Headers that are wider than what stands below them, together."""
    sizes = ColumnSizes(table, venue.face)
    measure = TableMeasure(sizes, venue.sizes[-1].points, breaking="spaces")
    body, marks = sizes.at(venue.sizes[-1].points)
    least = measure.prose((Text("abcd"),))
    excess = {
        index: measure.columns[index] - marks[index] - max(body[index], least) for index in range(1, len(table.columns))
    }
    wide = sorted((index for index in excess if excess[index] > _LEAST), key=lambda index: -excess[index])
    if wide:
        names = ", ".join(repr(plain(table.columns[index].header)) for index in wide[:_MOST_NAMES])
        more = f" and {len(wide) - _MOST_NAMES} more" if len(wide) > _MOST_NAMES else ""
        yield Saving(f"shorter headers of columns: {names}{more} (labels)", sum(excess[index] for index in wide))


def _fewer_columns(table: Table, venue: Venue, missing: float) -> Iterator[Saving]:
    """As many columns fewer as it takes, at their average width."""
    sizes = ColumnSizes(table, venue.face)
    columns = TableMeasure(sizes, venue.sizes[-1].points, breaking="spaces").columns[1:]
    if missing <= 0 or len(columns) < 2:
        return
    each = sum(columns) / len(columns) + 2 * TIGHTEST
    number = math.ceil(missing / each)
    if number < len(columns):
        yield Saving(f"{number} of {len(columns)} columns fewer, at about {each:.0f} pt each", number * each)
