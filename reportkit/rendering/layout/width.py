"""How wide text and tables are in print, without TeX; and how a column is made up: as one, with marks, or at its point.

Widths of characters are in thousandths of the type size, for the two fonts that papers are set in: printable ASCII from
`!` to `~`, measured from the fonts' metrics at 10 pt: Times (`ptmr8t`, `ptmb8t`, `ptmri8t`) and Computer Modern in its
T1 form, Latin Modern (`ec-lmr10`, `ec-lmbx10`, `ec-lmri10`), which has the widths of Computer Modern and also the signs
that OT1 lacks. Computer Modern is relatively wider at smaller sizes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from reportkit.rendering.text.escaping import unsettable, visible
from reportkit.rendering.text.latex_characters import GREEK as GREEK_LETTERS
from reportkit.rendering.text.latex_characters import INVISIBLE, SUBSCRIPTS, SUPERSCRIPTS
from reportkit.report.model import Cell, Table
from reportkit.report.prose import Code, Emphasis, Prose, Raised, Strong, Symbol, Text, Typeset

Font = Literal["times", "computer modern"]
Face = Literal["roman", "bold", "italic", "typewriter"]

FONTS: tuple[Font, ...] = ("times", "computer modern")

_MEASURED: dict[tuple[Font, Face], str] = {
    ("times", "roman"): """
        333 408 500 500 833 778 333 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 500 500 278 278
        564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722
        944 722 722 611 333 278 333 469 500 333 444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500
        333 389 278 500 500 722 500 500 444 480 200 480 541
    """,
    ("times", "bold"): """
        333 555 500 500 1000 833 333 333 333 500 570 250 333 250 278 500 500 500 500 500 500 500 500 500 500 333 333
        570 570 570 500 930 722 667 722 722 667 611 778 778 389 500 778 667 944 722 778 611 778 722 556 667 722 722
        1000 722 722 667 333 278 333 581 500 333 500 556 444 556 444 333 500 556 278 333 556 278 833 556 500 556 556
        444 389 333 556 500 722 500 500 444 394 220 394 520
    """,
    ("times", "italic"): """
        333 420 500 500 833 778 333 333 333 500 675 250 333 250 278 500 500 500 500 500 500 500 500 500 500 333 333
        675 675 675 500 920 611 611 667 722 611 611 722 722 333 444 667 556 833 667 722 611 722 611 500 556 722 611
        833 611 556 556 389 278 389 422 500 333 500 500 444 500 444 278 500 500 278 278 444 278 722 500 500 500 500
        389 389 278 500 444 667 444 444 389 400 275 400 541
    """,
    ("computer modern", "roman"): """
        278 374 833 500 833 778 278 389 389 500 778 278 333 278 500 500 500 500 500 500 500 500 500 500 500 278 278
        778 778 778 472 778 750 708 722 764 681 653 785 750 361 514 778 625 917 750 778 681 778 736 556 722 750 750
        1028 750 750 611 278 500 278 556 750 278 500 556 444 556 444 306 500 556 278 306 528 278 833 556 500 556 528
        392 394 389 556 528 722 528 528 444 500 278 500 556
    """,
    ("computer modern", "bold"): """
        350 481 958 575 958 894 319 447 447 575 894 319 383 319 575 575 575 575 575 575 575 575 575 575 575 319 319
        894 894 894 543 894 869 818 831 882 756 724 904 900 436 594 901 692 1092 900 864 786 864 862 639 800 885 869
        1189 869 869 703 319 575 319 556 869 319 559 639 511 639 527 351 575 639 319 351 607 319 958 639 575 639 607
        474 454 447 639 607 831 607 607 511 575 319 575 556
    """,
    ("computer modern", "italic"): """
        307 401 818 500 818 767 307 409 409 511 767 307 358 307 511 511 511 511 511 511 511 511 511 511 511 307 307
        778 767 778 511 767 743 704 716 755 678 653 774 743 386 525 769 627 897 743 767 678 767 729 562 716 743 743
        999 743 743 613 307 500 307 556 743 307 511 460 460 511 460 307 460 511 307 307 460 256 818 562 511 511 460
        422 409 332 537 460 664 464 486 409 500 278 500 556
    """,
}

_SPACES: dict[tuple[Font, Face], int] = {
    ("times", "roman"): 250,
    ("times", "bold"): 250,
    ("times", "italic"): 250,
    ("computer modern", "roman"): 333,
    ("computer modern", "bold"): 383,
    ("computer modern", "italic"): 358,
}

WIDTHS: dict[tuple[Font, Face], dict[str, int]] = {
    **{
        key: {" ": _SPACES[key], **{chr(33 + index): int(width) for index, width in enumerate(table.split())}}
        for key, table in _MEASURED.items()
    },
    ("times", "typewriter"): {chr(code): 600 for code in range(32, 127)},
    ("computer modern", "typewriter"): {chr(code): 525 for code in range(32, 127)},
}
"""Thousandths of the type size, by font and face."""

OPTICAL: dict[Font, dict[float, float]] = {
    "times": {},
    "computer modern": {6: 1.222, 7: 1.138, 8: 1.0625, 9: 1.028},
}
"""How much wider a size is than 10 pt in proportion."""

MATHEMATICS: dict[str, int] = {
    **dict.fromkeys("<>−±×÷∓≤≥≠≈≡∼≃≅∝∈∉⊂⊃⊆⊇⊕⊗", 778),
    **dict.fromkeys("∪∩∧∨∖¬∀", 670),
    **dict.fromkeys("→←↔⇒⇐⇔↦∞", 1000),
    "|": 278,
    "∑": 1056,
}
"""Signs that are set as mathematics: in Computer Modern beside either font, as in acl.sty, IEEEtran, NeurIPS, ICML."""

SIGNS: dict[str, int] = {
    **dict.fromkeys("…", 1020),
    **dict.fromkeys("↑↓†‡§¶", 470),
    **dict.fromkeys("–‒°·∗⟨⟩", 510),
    **dict.fromkeys("—―", 1020),
    **dict.fromkeys("‘’′", 286),
    **dict.fromkeys("“”„″", 490),
    **dict.fromkeys("ıȷ", 278),
    **dict.fromkeys("ŁĐÐÞ", 690),
    **dict.fromkeys("łđðþßø", 530),
    **dict.fromkeys("ØÆŒ", 870),
    **dict.fromkeys("æœ", 730),
}
"""Other signs, about as wide in both."""

GREEK = 600
SPECIMEN = 700
"""Other Greek letters; the box that stands for a character that cannot be set."""

SYMBOLS: dict[str, int] = {
    "k_hat": 552,
    "k_hat_bonferroni": 2511,
    "k_hat_fisher": 2740,
    "k_hat_count": 2499,
    "p_u": 2101,
    "alpha": 643,
    "delta": 482,
    "n": 600,
    "N": 912,
    "p": 503,
    "u": 572,
}
"""Symbols of prose, in Computer Modern."""

MARKS: dict[str, int] = {"*": 639, "+": 935, "−": 935, "†": 574, "‡": 574, "§": 574, "¶": 800}
"""Signs behind a number, in thousandths of the size of superscripts."""

SCRIPT_SIZES: dict[float, float] = {10.95: 8.0, 10: 7.0, 9: 6.0, 8: 6.0, 7: 5.0}
SCRIPT_SPACE = 0.5
"""Type size of superscripts, and what TeX adds behind them, in points."""


Kind = Literal["single", "marks", "point"]

_DECIMAL = re.compile(r"([<>≤≥≈+−-]?\d*)(\.\d+)([^\d.].*)?")
_SHORT, _LONG = 6, 20


def column_kinds(table: Table) -> tuple[Kind, ...]:
    """Say for each column how it is printed.

    Parameters
    ----------
    table : Table
        Any.

    Returns
    -------
    tuple of {"single", "marks", "point"}
        `point`: numbers with different numbers of decimals, such as p-values; they stand below one another with the
        point. `marks`: other numbers, some with marks, which have a column of their own behind them. `single`: the
        rest.

    Examples
    --------
    >>> from reportkit.report.model import Cell, Column, Row
    >>> cells = [[".036", "84.1", "9"], [".48", "9.3", "10"]]
    >>> rows = tuple(Row(cells=tuple(Cell(text=(Text(text),), mark="*") for text in row)) for row in cells)
    >>> columns = (Column(header=()), Column(header=()), Column(header=(), align="left"))
    >>> column_kinds(Table(name="t", caption=(), columns=columns, rows=rows))
    ('point', 'marks', 'single')
    """
    return tuple(_kind(table, index) for index in range(len(table.columns)))


def _kind(table: Table, index: int) -> Kind:
    if table.columns[index].align != "right":
        return "single"
    cells = [row.cells[index] for row in (*table.header_rows, *table.rows)]
    contents = [cell.text for cell in cells if cell.text]
    parts = [at_the_point(content) for content in contents]
    decimals = {_decimals(fraction) for _, fraction in parts if fraction}
    others_short = all(fraction or _is_short(whole) for whole, fraction in parts)
    if len(decimals) > 1 and others_short:
        return "point"
    return "marks" if any(cell.mark for cell in cells) else "single"


@lru_cache(maxsize=16384)
def at_the_point(content: Prose) -> tuple[Prose, Prose]:
    """Cut a number at its decimal point; what is no such number stays before it.

    Examples
    --------
    >>> at_the_point((Text("<.001"),))
    ((Text(text='<'),), (Text(text='.001'),))
    >>> at_the_point((Text("–"),))
    ((Text(text='–'),), ())
    """
    if content and isinstance(content[0], Text) and all(isinstance(part, (Text, Raised)) for part in content[1:]):
        match = _DECIMAL.fullmatch(content[0].text)
        if match and sum(len(part.text) for part in content if isinstance(part, Text)) <= _LONG:
            whole, fraction = match[1], match[2] + (match[3] or "")
            return ((Text(whole),) if whole else ()), (Text(fraction), *content[1:])
    return content, ()


def _decimals(fraction: Prose) -> str:
    """What of a fraction decides where it ends: digits count by their number, the rest by what it is."""
    text = fraction[0].text if isinstance(fraction[0], Text) else ""
    return re.sub(r"\d", "0", text)


def _is_short(content: Prose) -> bool:
    return len(content) == 1 and isinstance(content[0], Text) and len(content[0].text) <= _SHORT


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


def column_widths(
    table: Table, *, size: float = 9, font: Font = "times", kinds: Sequence[Kind] | None = None
) -> tuple[ColumnWidth, ...]:
    """Measure the columns of a table, of which `column_kinds` may be known."""
    rows = [row for row in (*table.header_rows, *table.rows) if not row.heading]
    kinds = column_kinds(table) if kinds is None else kinds
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
