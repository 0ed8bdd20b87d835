"""Layout of a table: how wide it is, which float holds it, how headers are broken, what keeps its numbers in line.

Widths are estimated for Times at 9 points, without TeX. A table goes into a column, else across the page, else it is
shrunk to fit; one that is longer than a page is continued in a second float.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reportkit.appearance import Appearance
from reportkit.rendering.notation import SIGN, Format
from reportkit.rendering.text.escaping import columns_in_terminal, visible
from reportkit.report.model import Align, Cell, Row, Table, Words
from reportkit.report.tokens import parts

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
_BREAK = re.compile(r"(?<=[ _/.:-])(?=[^ _/.:-])|(?<=[a-z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnView:
    """One column as templates see it.

    Parameters
    ----------
    header : str or prose
        Whole header.
    lines : tuple of str or prose
        The header, broken into as many lines as all headers of the table; empty lines come first.
    align : {"left", "right", "center"}
        Of its cells.
    sign : str
        The longest mark in it.
    decimals : int
        Most decimals of its numbers; 0 where something else stands in it.
    above : str or prose
        The header over it and its neighbours, if there is one.
    """

    header: Words
    lines: tuple[Words, ...]
    align: Align
    sign: str
    decimals: int
    above: Words = ""

    def signs(self, cell: Cell) -> str:
        """Signs that a shorter mark lacks, to be left as space."""
        return self.sign[len(cell.mark) :] if self.align == "right" else ""

    def digits(self, cell: Cell) -> str:
        """Decimals that a number lacks, to be left as space."""
        found = _NUMBER.fullmatch(_plain(cell.text))
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
    """How a table is set.

    Parameters
    ----------
    environment : str
        LaTeX: `table`, `table*` or `tabular`.
    shrunk : bool
        Whether the estimate finds it wider than its place, so that it is shrunk to fit.
    columns : tuple of ColumnView
        In order.
    spans : tuple of SpanView
        All columns, stretch by stretch; empty where no header stands over several.
    parts : tuple of tuple of Row
        Rows of each float.
    """

    environment: str
    shrunk: bool
    columns: tuple[ColumnView, ...]
    spans: tuple[SpanView, ...]
    parts: tuple[tuple[Row, ...], ...]


def laid_out(table: Table, look: Appearance, notation: Format | None = None) -> Layout:
    """Lay out a table for the columns of a venue.

    Parameters
    ----------
    table : Table
        Any.
    look : Appearance
        With the venue, and the environment that was asked for.
    notation : Format, optional
        With the labels of names.
    """
    plain = Format(None if notation is None else notation.context)
    venue = look.preset
    width, narrow = (_estimate(table, plain, venue.face, broken=broken) for broken in (False, True))
    environment, broken = look.environment, False
    if environment == "auto":
        fits = [
            ("table", False, width <= venue.column_width),
            ("table", True, narrow <= venue.column_width),
            ("table*", False, width <= venue.text_width),
            ("table*", True, True),
        ]
        environment, broken = next((name, lines) for name, lines, fit in fits if fit)  # type: ignore[assignment]
        environment = "table" if not venue.two_columns else environment
    room = venue.text_width if environment == "table*" else venue.column_width
    broken = broken or width > room
    page = max(10, int((venue.height - _AROUND) / _LINE))
    return Layout(
        environment=environment,
        shrunk=(narrow if broken else width) > room,
        columns=_columns(table, plain, broken=broken),
        spans=_spans(table),
        parts=(table.rows,) if environment == "tabular" else _parts(table.rows, page),
    )


def _parts(rows: tuple[Row, ...], most: int) -> tuple[tuple[Row, ...], ...]:
    if len(rows) <= most:
        return (rows,)
    count = -(-len(rows) // most)
    size = -(-len(rows) // count)
    return tuple(rows[start : start + size] for start in range(0, len(rows), size))


def _plain(text: Words) -> str:
    return str(Format().write(text))


def _estimate(table: Table, plain: Format, face: str, *, broken: bool) -> float:
    """Estimate the width of a table, in points."""
    wider = 1.0 if face == "times" else 1.15
    widths = []
    for index, column in enumerate(table.columns):
        rows = [row for row in (*table.header_rows, *table.rows) if not row.heading]
        heads = [str(plain.write(line)) for line in _lines(column.header, plain, broken=broken)]
        cells = [_width(str(plain.write(row.cells[index].text)), row.cells[index].bold) for row in rows]
        sign = max((len(row.cells[index].mark) for row in rows), default=0) * _SIGN
        widths.append(max([*(_width(line) for line in heads), *(cell + sign for cell in cells)], default=0.0))
    for spanner in table.spanners:
        inside = sum(widths[spanner.first : spanner.last + 1]) + 2 * _TABCOLSEP * (spanner.last - spanner.first)
        widths[spanner.last] += max(0.0, _width(str(plain.write(spanner.header))) - inside)
    return wider * sum(widths) + 2 * _TABCOLSEP * (len(widths) - 1)


def _width(text: str, bold: bool = False) -> float:
    wide = (columns_in_terminal(text) - len(text)) * 4.5 if not text.isascii() else 0.0
    return (sum(_WIDTHS.get(sign, 4.5) for sign in text) + max(0.0, wide)) * (1.06 if bold else 1.0)


def _lines(header: Words, plain: Format, *, broken: bool) -> Sequence[Words]:
    """Break a header that is words alone; one with symbols or TeX stays whole."""
    words = all(
        (kind == "text" and not SIGN.search(content))
        or (kind == "name" and isinstance(plain.context.labels.get(content, ""), str))
        for kind, content in parts(header)
    )
    return _broken(plain.write(header)) if broken and words else [header]


def _broken(header: str) -> list[str]:
    """Break a header into two lines, as even as its words allow.

    Examples
    --------
    >>> _broken("movie_reviews"), _broken("SST2"), _broken("nyt editorials snippets")
    (['movie_', 'reviews'], ['SST2'], ['nyt editorials', 'snippets'])
    """
    shown = visible(str(header))
    places = [found.start() for found in _BREAK.finditer(shown)]
    if len(shown) < 8 or not places:
        return [shown]
    place = min(places, key=lambda at: max(at, len(shown) - at))
    return [shown[:place].rstrip(" "), shown[place:]]


def _columns(table: Table, plain: Format, *, broken: bool) -> tuple[ColumnView, ...]:
    rows = [row for row in (*table.header_rows, *table.rows) if not row.heading]
    body = [row for row in table.rows if not row.heading]
    heads = [_lines(column.header, plain, broken=broken) for column in table.columns]
    height = max(map(len, heads), default=1)
    above = {at: span.header for span in table.spanners for at in range(span.first, span.last + 1)}
    views = []
    for index, (column, lines) in enumerate(zip(table.columns, heads, strict=True)):
        texts = [str(plain.write(row.cells[index].text)) for row in body]
        said = [text for text in texts if text.strip() not in _NOTHING]
        numbers = [_NUMBER.fullmatch(text) for text in said]
        right = column.align == "right"
        views.append(
            ColumnView(
                header=column.header,
                lines=("",) * (height - len(lines)) + tuple(lines),
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
