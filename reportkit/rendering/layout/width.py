"""How wide text and tables are in print, without TeX."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from reportkit.rendering.layout.column_kinds import Kind, at_the_point, column_kinds
from reportkit.rendering.layout.font_widths import (
    GREEK,
    MARKS,
    MATHEMATICS,
    OPTICAL,
    SCRIPT_SIZES,
    SCRIPT_SPACE,
    SIGNS,
    SPECIMEN,
    SYMBOLS,
    WIDTHS,
    Face,
    Font,
)
from reportkit.rendering.text.escaping import unsettable, visible
from reportkit.rendering.text.latex_characters import GREEK as GREEK_LETTERS
from reportkit.rendering.text.latex_characters import INVISIBLE, SUBSCRIPTS, SUPERSCRIPTS
from reportkit.report.model import Cell, Table
from reportkit.report.prose import Code, Emphasis, Prose, Raised, Strong, Symbol, Text, Typeset


@lru_cache(maxsize=16384)
def text_width(text: str, *, size: float = 9, font: Font = "times", face: Face = "roman") -> float:
    r"""Width of one line of plain text.

    Parameters
    ----------
    text : str
        Anything.
    size : float
        Type size in points; `\small` is 9 in a document of 10 pt, `\footnotesize` 8.
    font : {"times", "computer modern"}
        What papers are set in.
    face : {"roman", "bold", "italic", "typewriter"}
        See there.

    Returns
    -------
    float
        TeX points, without kerning.

    Examples
    --------
    >>> round(text_width("93.1"), 2), round(text_width("93.1", face="bold", font="computer modern"), 2)
    (15.75, 18.91)
    """
    table = WIDTHS[font, face]
    missing = unsettable(text)
    letters = size / 1000 * (1.0 if face == "typewriter" else OPTICAL[font].get(size, 1.0))
    mathematics = size / 1000 * OPTICAL["computer modern"].get(size, 1.0)
    total, raised = 0.0, False
    for character in visible(text):
        if raised and not _is_raised(character):
            total += SCRIPT_SPACE
        raised = _is_raised(character)
        if character in MATHEMATICS and not (face == "typewriter" and character in table):
            total += MATHEMATICS[character] * mathematics
        elif character in GREEK_LETTERS:
            total += GREEK * mathematics
        elif raised:
            total += _raised_width(character, size)
        else:
            total += _character_width(character, table, missing) * letters
    return total + SCRIPT_SPACE * raised


def _is_raised(character: str) -> bool:
    return character in SUPERSCRIPTS or character in SUBSCRIPTS


def _raised_width(character: str, size: float) -> float:
    """Width of a raised or lowered character, which is set as mathematics in a smaller size."""
    script = SCRIPT_SIZES.get(size, 0.7 * size)
    plain = unicodedata.normalize("NFKC", character)
    return MARKS[plain] * script / 1000 if plain in MARKS else text_width(plain, size=script, font="computer modern")


def _character_width(character: str, table: dict[str, int], missing: set[str]) -> int:
    if character in SIGNS:
        return SIGNS[character]
    if character in table:
        return table[character]
    if character in missing:
        return SPECIMEN
    if character in INVISIBLE or unicodedata.combining(character):
        return 0
    return table.get(unicodedata.normalize("NFD", character)[0], table["n"])


def prose_width(content: Prose, *, size: float = 9, font: Font = "times", face: Face = "roman") -> float:
    """Width of prose on one line, in TeX points."""
    total = 0.0
    for part in content:
        match part:
            case Text(text) | Typeset(_, text):
                total += text_width(text, size=size, font=font, face=face)
            case Strong(text):
                total += text_width(text, size=size, font=font, face="bold")
            case Emphasis(text):
                total += text_width(text, size=size, font=font, face="italic")
            case Code(text):
                total += text_width(text, size=size, font=font, face="typewriter")
            case Symbol(name):
                total += SYMBOLS[name] * size / 1000 * OPTICAL["computer modern"].get(size, 1.0)
            case Raised(signs):
                total += mark_width(signs, size=size)
            case _:
                total += text_width("(Author et al., 2017)", size=size, font=font, face=face)
    return total


def mark_width(mark: str, *, size: float = 9) -> float:
    """Width of the signs behind a number, as a superscript, in TeX points."""
    if not mark:
        return 0.0
    script = SCRIPT_SIZES.get(size, 0.7 * size)
    signs = [
        MARKS[sign] * script / 1000 if sign in MARKS else text_width(sign, size=script, font="computer modern")
        for sign in mark
    ]
    return sum(signs) + SCRIPT_SPACE


@dataclass(frozen=True, slots=True)
class ColumnWidth:
    """Natural width of one column of a table, in TeX points.

    Parameters
    ----------
    header : float
        Of its header, on one line.
    body : float
        Of its cells, without marks that stand in a column of their own.
    mark : float
        Of the column of its marks; 0 if there is none.
    """

    header: float
    body: float
    mark: float

    @property
    def total(self) -> float:
        """Header or body, whichever is wider, and the marks."""
        return max(self.header, self.body) + self.mark


def column_widths(table: Table, *, size: float = 9, font: Font = "times") -> tuple[ColumnWidth, ...]:
    """Measure the columns of a table."""
    rows = [row for row in (*table.header_rows, *table.rows) if not row.heading]
    kinds = column_kinds(table)
    widths = []
    for index, column in enumerate(table.columns):
        header = prose_width(column.header, size=size, font=font)
        cells = [cell_width(row.cells[index], kinds[index], size=size, font=font) for row in rows]
        first = max((before for before, _ in cells), default=0.0)
        second = max((behind for _, behind in cells), default=0.0)
        if kinds[index] == "point":
            widths.append(ColumnWidth(header, first + second, 0.0))
        else:
            widths.append(ColumnWidth(header, first, second))
    return tuple(widths)


def cell_width(cell: Cell, kind: Kind, *, size: float = 9, font: Font = "times") -> tuple[float, float]:
    """Width of what stands in the first printed column of a cell, and in the second if there is one."""
    face: Face = "bold" if cell.bold else "roman"
    mark = mark_width(cell.mark, size=size)
    if cell.mark and cell.text and isinstance(last := cell.text[-1], Text) and _is_raised(last.text[-1:] or " "):
        mark += size / 6  # a mark behind an exponent stands apart from it
    if kind == "point":
        whole, fraction = (prose_width(part, size=size, font=font, face=face) for part in at_the_point(cell.text))
        return whole, fraction + mark
    width = prose_width(cell.text, size=size, font=font, face=face)
    return (width, mark) if kind == "marks" else (width + mark, 0.0)


def natural_width(
    table: Table,
    widths: Sequence[float],
    columns: Sequence[int],
    *,
    tabcolsep: float,
    size: float = 9,
    font: Font = "times",
    spanners: Sequence[float] | None = None,
) -> float:
    """Width of a table made of some of its columns, spanners included.

    Parameters
    ----------
    table : Table
        For its spanners.
    widths : sequence of float
        Of each column of the table.
    columns : sequence of int
        Which of them are set, in order.
    tabcolsep : float
        Half the space between two columns, in points; there is none outside.
    size, font
        As for `text_width`.
    spanners : sequence of float, optional
        Widths of the spanners, where they are broken into lines; by default each stands on one line.
    """
    total = sum(widths[index] for index in columns) + 2 * tabcolsep * (len(columns) - 1)
    for place, spanner in enumerate(table.spanners):
        spanned = [index for index in columns if spanner.first <= index <= spanner.last]
        if spanned:
            inside = sum(widths[index] for index in spanned) + 2 * tabcolsep * (len(spanned) - 1)
            wanted = prose_width(spanner.header, size=size, font=font) if spanners is None else spanners[place]
            total += max(0.0, wanted - inside)
    return total
