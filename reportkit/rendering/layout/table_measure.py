"""Widths of the columns of one table at one type size, with headers on one line or broken into several."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from reportkit.appearance.venues import Face
from reportkit.rendering.layout.width import FONTS, Font, Kind, column_kinds, column_widths, natural_width, prose_width
from reportkit.report.model import Spanner, Table
from reportkit.report.prose import Prose, Text, joined

Breaking = Literal["none", "spaces", "hyphens"]
"""Where headers are broken into lines: nowhere, at spaces, or also behind hyphens, underscores and slashes."""

WIDEST_LABEL, WIDEST_CELL = 150.0, 90.0
TIGHTEST = 3.0
_MOST_LINES = 4
_MOST_PIECES = 60  # of a header that is broken into lines of its own; TeX breaks longer ones
_PIECES = re.compile(r".+?(?:[-‐‑–_/:]+(?=[^\W_])|$)")


class ColumnSizes:
    """What a table's columns need, measured once for each type size.

    Parameters
    ----------
    table : Table
        Any.
    face : {"times", "computer modern", "any"}
        What it is set in; for `any` the wider of the two.
    """

    def __init__(self, table: Table, face: Face = "any") -> None:
        self.table = table
        self.fonts: tuple[Font, ...] = FONTS if face == "any" else (face,)
        self._measured: dict[float, tuple[list[float], list[float]]] = {}

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """How each column is printed."""
        return column_kinds(self.table)

    def at(self, size: float) -> tuple[list[float], list[float]]:
        """Widths of the bodies and of the marks of the columns, in points."""
        if size not in self._measured:
            fonts = [column_widths(self.table, size=size, font=font, kinds=self.kinds) for font in self.fonts]
            columns = range(len(self.table.columns))
            body = [max(font[i].body for font in fonts) for i in columns]
            marks = [max(font[i].mark for font in fonts) for i in columns]
            self._measured[size] = body, marks
        return self._measured[size]


class TableMeasure:
    """Widths of the columns of a table at one type size.

    Parameters
    ----------
    sizes : ColumnSizes
        Of the table.
    size : float
        Type size in points.
    breaking : {"none", "spaces", "hyphens"}
        Where headers are broken.
    limited : bool
        Break cells that are wider than they need to be into lines.
    label : float, optional
        Widest line of a cell of the first column, in points; longer ones are broken.

    Attributes
    ----------
    headers, spanners : tuple of tuple of Prose
        In lines.
    limits : tuple of float or None
        Widest line of a cell in each column.
    header_limits : tuple of float or None
        Widest line of a header, where one word of it is wider than that.
    insets : tuple of float
        By how much numbers that are set at the point stand within a wider header.
    columns : list of float
        Widths, in points.
    """

    def __init__(
        self,
        sizes: ColumnSizes,
        size: float,
        *,
        breaking: Breaking = "none",
        limited: bool = False,
        label: float | None = None,
    ) -> None:
        self.table, self.size, self.fonts = sizes.table, size, sizes.fonts
        self.breaking: Breaking = breaking
        body, marks = sizes.at(size)
        caps = [WIDEST_LABEL, *[WIDEST_CELL] * (len(body) - 1)]
        self.limits: tuple[float | None, ...] = tuple(
            cap if limited and cells > cap else None for cap, cells in zip(caps, body, strict=True)
        )
        if label is not None and body[0] > label:
            self.limits = (label, *self.limits[1:])
        body = [min(cells, limit or math.inf) for cells, limit in zip(body, self.limits, strict=True)]
        self.headers = tuple(
            self._stack(column.header, cells) for column, cells in zip(self.table.columns, body, strict=True)
        )
        heads = [max((self.prose(line) for line in lines), default=0.0) for lines in self.headers]
        self.header_limits: tuple[float | None, ...] = tuple(
            max(cap, cells) if limited and head > max(cap, cells) else None
            for cap, head, cells in zip(caps, heads, body, strict=True)
        )
        heads = [min(head, limit or math.inf) for head, limit in zip(heads, self.header_limits, strict=True)]
        self.insets = tuple(
            max(0.0, round((head - cells) / 2, 1)) if kind == "point" else 0.0
            for head, cells, kind in zip(heads, body, sizes.kinds, strict=True)
        )
        self.columns = [max(head, cells) + mark for head, cells, mark in zip(heads, body, marks, strict=True)]
        self.spanners = tuple(self._stack(spanner.header, self._below(spanner)) for spanner in self.table.spanners)
        self._spanner_widths = [max(self.prose(line) for line in lines) for lines in self.spanners]

    def width(self, columns: Sequence[int], tabcolsep: float) -> float:
        """Width of some columns, spanners included."""
        return natural_width(
            self.table,
            self.columns,
            columns,
            tabcolsep=tabcolsep,
            size=self.size,
            spanners=self._spanner_widths,
        )

    def lines(self, row: int) -> int:
        """How many lines a row takes, where long cells are broken."""
        most = 1
        for cell, limit in zip(self.table.rows[row].cells, self.limits, strict=True):
            if limit:
                most = max(most, math.ceil(1.1 * self.prose(cell.text) / limit))
        return most

    @property
    def header_lines(self) -> int:
        """How many lines the headers take."""
        stacked = max((len(lines) for lines in self.headers), default=1)
        return stacked + len(self.table.header_rows) + max(map(len, self.spanners), default=0) + 1

    def prose(self, content: Prose) -> float:
        """Width of a text on one line."""
        return max(prose_width(content, size=self.size, font=font) for font in self.fonts)

    def _below(self, spanner: Spanner) -> float:
        """Width of the columns that a spanner covers, set as tight as they ever are."""
        inside = self.columns[spanner.first : spanner.last + 1]
        return sum(inside) + 2 * TIGHTEST * (len(inside) - 1)

    def _stack(self, header: Prose, room: float) -> tuple[Prose, ...]:
        """Break a header that is wider than its column into lines as even as its longest word allows."""
        if self.breaking == "none" or self.prose(header) <= room:
            return (header,)
        words = [[word] for word in _words(header)]
        if self.breaking == "hyphens" and max(self.prose(word) for [word] in words) > room:
            words = [_pieces(word) for [word] in words]
        if not 2 <= sum(map(len, words)) <= _MOST_PIECES:
            return (header,)
        room = max(room, *(self.prose(piece) for word in words for piece in word))
        lines = self._filled(words, room)
        while len(lines) > _MOST_LINES and self.breaking == "hyphens":
            room *= 1.1
            lines = self._filled(words, room)
        return tuple(lines)

    def _filled(self, words: Sequence[Sequence[Prose]], room: float) -> list[Prose]:
        lines: list[Prose] = []
        for word in words:
            for place, piece in enumerate(word):
                space = () if place else (Text(" "),)
                longer = joined((*lines[-1], *space, *piece)) if lines else piece
                if lines and self.prose(longer) <= room:
                    lines[-1] = longer
                else:
                    lines.append(piece)
        return lines


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


def _pieces(word: Prose) -> list[Prose]:
    """Split a long word behind its hyphens, underscores and slashes; what is left has two characters at least.

    Examples
    --------
    >>> [piece[0].text for piece in _pieces((Text("gpt-4o-paper_v2"),))]
    ['gpt-4o-', 'paper_v2']
    """
    if len(word) != 1 or not isinstance(word[0], Text):
        return [word]
    found: list[str] = []
    for piece in _PIECES.findall(word[0].text):
        if found and (len(found[-1].strip("-_/:")) < _SHORT or len(piece.strip("-_/:")) < _SHORT):
            found[-1] += piece
        else:
            found.append(piece)
    return [(Text(piece),) for piece in found] or [word]


_SHORT = 3
