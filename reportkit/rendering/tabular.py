"""Layout of a table: its width, its float, and the space that keeps its numbers in line.

Widths are estimated for Times at 9 points, without TeX. A table goes into a column, else across the page, else it is
shrunk to fit; one that is longer than a page is continued in a second float.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reportkit.appearance import Appearance
from reportkit.rendering.notation import Format
from reportkit.rendering.text.escaping import columns_in_terminal
from reportkit.report.model import Align, Cell, Row, Table, Words

_TABCOLSEP, _LINE, _SIGN, _AROUND = 4.0, 11.5, 4.0, 150.0
_WIDTHS = {  # in points, of Times at 9 points; digits and other signs have 4.5
    **dict.fromkeys("il.,:;'|! ", 2.5),
    **dict.fromkeys("tfjr()[]/-I", 3.1),
    **dict.fromkeys("acesz", 4.0),
    **dict.fromkeys("mwMW%—@", 7.2),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ+−=<>≤≥&", 6.2),
}
_NUMBER = re.compile(r"[<>≤+−]?(?:\d[\d,]*)?(?:\.(\d+))?")
_NOTHING = frozenset({"", "–", "—", "-", "·"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnView:
    """One column as templates see it.

    Parameters
    ----------
    header : str or prose
        Its header.
    align : {"left", "right", "center"}
        Alignment of its cells.
    sign : str
        The longest mark in it.
    decimals : int
        Most decimals of its numbers; 0 where something else is in it.
    above : str or prose
        The header over it and its neighbours, if there is one.
    """

    header: Words
    align: Align
    sign: str
    decimals: int
    above: Words = ""

    def signs(self, cell: Cell) -> str:
        """Return the signs that a shorter mark lacks, to be left as space."""
        return self.sign[len(cell.mark) :] if self.align == "right" else ""

    def digits(self, cell: Cell) -> str:
        """Return the decimals that a number lacks, to be left as space."""
        found = _NUMBER.fullmatch(str(Format().write(cell.text)))
        if not self.decimals or found is None or not found[0]:
            return ""
        own = len(found[1] or "")
        return ("." if not own else "") + "0" * (self.decimals - own) if own < self.decimals else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanView:
    """A stretch of columns under one header, or under none; columns are counted from 1, both ends included."""

    header: Words
    first: int
    last: int

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The layout of a table.

    Parameters
    ----------
    environment : str
        LaTeX: `table`, `table*` or `tabular`.
    shrunk : bool
        Whether the estimate finds it wider than its place, so that it is shrunk to fit.
    columns : tuple of ColumnView
        In order.
    spans : tuple of SpanView
        All columns, stretch by stretch; empty where no header is over several.
    parts : tuple of tuple of Row
        Rows of each float.
    """

    environment: str
    shrunk: bool
    columns: tuple[ColumnView, ...]
    spans: tuple[SpanView, ...]
    parts: tuple[tuple[Row, ...], ...]


def laid_out(table: Table, look: Appearance, notation: Format) -> Layout:
    """Lay out a table for the columns of a venue.

    Parameters
    ----------
    table : Table
        Any.
    look : Appearance
        With the venue, and the environment that was asked for.
    notation : Format
        With the labels of names.
    """
    plain = Format(notation.context)
    venue = look.preset
    width, environment = _estimate(table, plain, venue.face), look.environment
    if environment == "auto":
        environment = "table*" if venue.two_columns and width > venue.column_width else "table"
    room = venue.text_width if environment == "table*" else venue.column_width
    page = max(10, int((venue.height - _AROUND) / _LINE))
    return Layout(
        environment=environment,
        shrunk=width > room,
        columns=_columns(table, plain),
        spans=_spans(table),
        parts=(table.rows,) if environment == "tabular" else _parts(table.rows, page),
    )


def _parts(rows: tuple[Row, ...], most: int) -> tuple[tuple[Row, ...], ...]:
    if len(rows) <= most:
        return (rows,)
    count = -(-len(rows) // most)
    size = -(-len(rows) // count)
    return tuple(rows[start : start + size] for start in range(0, len(rows), size))


def _estimate(table: Table, plain: Format, face: str) -> float:
    """Estimate the width of a table, in points."""
    wider = 1.0 if face == "times" else 1.15
    widths = []
    for index, column in enumerate(table.columns):
        rows = [row for row in (*table.header_rows, *table.rows) if not row.heading]
        head = _width(str(plain.write(column.header)))
        cells = [_width(str(plain.write(row.cells[index].text)), row.cells[index].bold) for row in rows]
        sign = max((len(row.cells[index].mark) for row in rows), default=0) * _SIGN
        widths.append(max([head, *(cell + sign for cell in cells)]))
    for spanner in table.spanners:
        inside = sum(widths[spanner.first : spanner.last + 1]) + 2 * _TABCOLSEP * (spanner.last - spanner.first)
        widths[spanner.last] += max(0.0, _width(str(plain.write(spanner.header))) - inside)
    return wider * sum(widths) + 2 * _TABCOLSEP * (len(widths) - 1)


def _width(text: str, bold: bool = False) -> float:
    wide = (columns_in_terminal(text) - len(text)) * 4.5 if not text.isascii() else 0.0
    return (sum(_WIDTHS.get(sign, 4.5) for sign in text) + max(0.0, wide)) * (1.06 if bold else 1.0)


def _columns(table: Table, plain: Format) -> tuple[ColumnView, ...]:
    rows = [row for row in (*table.header_rows, *table.rows) if not row.heading]
    body = [row for row in table.rows if not row.heading]
    above = {at: span.header for span in table.spanners for at in range(span.first, span.last + 1)}
    views = []
    for index, column in enumerate(table.columns):
        texts = [str(plain.write(row.cells[index].text)) for row in body]
        said = [text for text in texts if text.strip() not in _NOTHING]
        numbers = [_NUMBER.fullmatch(text) for text in said]
        right = column.align == "right"
        views.append(
            ColumnView(
                header=column.header,
                align=column.align,
                sign=max((row.cells[index].mark for row in rows), key=len, default="") if right else "",
                decimals=max((len(found[1] or "") for found in numbers if found), default=0)
                if right and all(numbers)
                else 0,
                above=above.get(index, ""),
            )
        )
    return tuple(views)


def _spans(table: Table) -> tuple[SpanView, ...]:
    if not table.spanners:
        return ()
    spans, free = [], 1
    for spanner in sorted(table.spanners, key=lambda item: item.first):
        spans += [SpanView(header="", first=at, last=at) for at in range(free, spanner.first + 1)]
        spans.append(SpanView(header=spanner.header, first=spanner.first + 1, last=spanner.last + 1))
        free = spanner.last + 2
    return (*spans, *(SpanView(header="", first=at, last=at) for at in range(free, len(table.columns) + 1)))
