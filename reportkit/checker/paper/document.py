"""The content of a paper, in one frozen model for LaTeX and Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.paper.source import NOWHERE, Location, MappedText, SourceFile, Span
from reportkit.language import short_repr

Language = Literal["latex", "markdown"]
_PLACEHOLDER = re.compile(r"⟦\w+⟧")
MOST_HEADING = 60
"""Most characters of headings in the name of a place."""
Place = Literal["body", "abstract", "caption", "footnote", "heading", "note", "reference"]


@dataclass(frozen=True, slots=True)
class Sentence:
    r"""One sentence of prose, a caption or a heading.

    Parameters
    ----------
    text : MappedText
        Cleaned: macros resolved, mathematics as text, white space single; citations, references and `\rk` are the
        placeholders `⟦cite⟧`, `⟦ref⟧`, `⟦rk⟧`.
    place : {"body", "abstract", "caption", "footnote", "heading", "note", "reference"}
        Where it is; "note": text inside a float that is not its caption; "reference": an entry of a bibliography.
    section : str
        Title of the innermost heading above; empty before the first.
    paragraph : int
        Number of the paragraph; sentences of one paragraph, caption or footnote share it.
    numbers : tuple of PrintedNumber
        Printed in it.
    """

    text: MappedText
    place: Place
    section: str
    paragraph: int
    numbers: tuple[PrintedNumber, ...] = ()

    @property
    def span(self) -> Span:
        """Its place in the source."""
        return self.text.span()


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table; a cell that spans several rows or columns is at each of their places in the grid.

    Parameters
    ----------
    text : MappedText
        Cleaned; superscripts are written `^†`.
    row, column : int
        Of its upper left corner.
    n_rows, n_columns : int
        Its span.
    numbers : tuple of PrintedNumber
        In order; `role` says what each is in the cell.
    marks : tuple of str
        Significance marks next to the number: `†`, `*`, `**`, `a`, ...
    bold, underlined, italic : bool
        Of its first number, or of its whole text.
    header : bool
        Whether it is in the header rows or header columns.
    span : Span
        The source of the cell, without white space at the ends.
    styles : tuple of (int, int, frozenset of str)
        Styles by stretch of the text.
    """

    text: MappedText
    row: int
    column: int
    n_rows: int = 1
    n_columns: int = 1
    numbers: tuple[PrintedNumber, ...] = ()
    marks: tuple[str, ...] = ()
    bold: bool = False
    underlined: bool = False
    italic: bool = False
    header: bool = False
    span: Span = NOWHERE
    styles: tuple[tuple[int, int, frozenset[str]], ...] = ()

    @property
    def number(self) -> PrintedNumber | None:
        """The number that the cell is about: the first one that is not a spread, bound or remark."""
        return next((item for item in self.numbers if item.role == "value"), None)

    @property
    def lone(self) -> PrintedNumber | None:
        """The number that the cell is about, or the only one besides remarks: a standard error in its own column."""
        others = [item for item in self.numbers if item.role != "remark"]
        return self.number or (others[0] if len(others) == 1 else None)

    @property
    def interval(self) -> tuple[PrintedNumber, PrintedNumber] | None:
        """Lower and upper bound, if the cell prints an interval."""
        low = next((item for item in self.numbers if item.role == "low"), None)
        high = next((item for item in self.numbers if item.role == "high"), None)
        return None if low is None or high is None else (low, high)

    @property
    def grey(self) -> bool:
        """Whether a part of it is set in grey."""
        return any("gray" in style for _, _, styles in self.styles for style in styles)

    @property
    def spread(self) -> PrintedNumber | None:
        """The number after ±."""
        return next((item for item in self.numbers if item.role == "spread" and "±" in self.text.text), None)


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One row or column of the body of a table.

    Parameters
    ----------
    headings : tuple of str
        Its own, outermost first.
    cells : tuple of Cell
        In order, without those of group rows.
    across : tuple of tuple of str
        For each cell, the headings of its line in the other direction.
    index : int
        Index of the row or column.
    is_row : bool
        Which of the two it is.
    """

    headings: tuple[str, ...]
    cells: tuple[Cell, ...]
    across: tuple[tuple[str, ...], ...]
    index: int
    is_row: bool

    @property
    def name(self) -> str:
        """Innermost heading; empty if there is none."""
        return self.headings[-1] if self.headings else ""

    def numbers(self) -> list[tuple[PrintedNumber, tuple[str, ...]]]:
        """Return the numbers that its cells are about, with the headings of their lines in the other direction."""
        pairs = zip(self.cells, self.across, strict=True)
        return [(cell.number, across) for cell, across in pairs if cell.number is not None]


@dataclass(frozen=True, eq=False)
class Table:
    r"""One table.

    Parameters
    ----------
    grid : tuple of tuple of Cell
        Rectangular; columns that LaTeX splits (`r@{}l`) are one column here.
    n_header_rows, n_header_columns : int
        Leading rows and columns that name what the others hold.
    caption : MappedText
        Empty if there is none.
    label : str
        Key of its `\label`; empty if there is none.
    notes : tuple of MappedText
        Text in the same float that is not a caption.
    rules : tuple of int
        Rows above which a full rule stands, `len(grid)` for one below the last; a row twice for two rules.
    group_rows : tuple of int
        Rows that hold one heading for the rows below.
    paragraph : int
        Paragraph of its caption.
    span : Span
        The source of the tabular.
    """

    grid: tuple[tuple[Cell, ...], ...]
    n_header_rows: int = 0
    n_header_columns: int = 0
    caption: MappedText = field(default_factory=MappedText)
    label: str = ""
    notes: tuple[MappedText, ...] = ()
    rules: tuple[int, ...] = ()
    group_rows: tuple[int, ...] = ()
    paragraph: int = -1
    span: Span = NOWHERE

    __repr__ = short_repr

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.grid)

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.grid[0]) if self.grid else 0

    def cells(self) -> Iterator[Cell]:
        """Yield every cell once, row by row."""
        for row, cells in enumerate(self.grid):
            for column, cell in enumerate(cells):
                if (cell.row, cell.column) == (row, column):
                    yield cell

    def body(self) -> Iterator[Cell]:
        """Return every cell outside the header rows and columns and the group rows, once."""
        return (cell for cell in self.cells() if not cell.header and cell.row not in self.group_rows)

    @cached_property
    def rows(self) -> tuple[Line, ...]:
        """The rows of the body."""
        columns = range(self.n_header_columns, self.n_columns)
        across = tuple(self.column_header(column) for column in columns)
        return tuple(
            Line(self.row_header(row), tuple(self.grid[row][column] for column in columns), across, row, is_row=True)
            for row in range(self.n_header_rows, self.n_rows)
            if row not in self.group_rows
        )

    @cached_property
    def columns(self) -> tuple[Line, ...]:
        """The columns of the body."""
        rows = [row for row in range(self.n_header_rows, self.n_rows) if row not in self.group_rows]
        across = tuple(self.row_header(row) for row in rows)
        return tuple(
            Line(
                self.column_header(column), tuple(self.grid[row][column] for row in rows), across, column, is_row=False
            )
            for column in range(self.n_header_columns, self.n_columns)
        )

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The rows, then the columns."""
        return (*self.rows, *self.columns)

    def column_header(self, column: int) -> tuple[str, ...]:
        """Return the texts above a column, outermost first, each spanned cell once."""
        found: list[str] = []
        seen: list[Cell] = []
        for row in self.grid[: self.n_header_rows]:
            cell = row[column]
            if cell.text and not any(cell is other for other in seen):
                seen.append(cell)
                found.append(cell.text.text)
        return tuple(found)

    def row_header(self, row: int) -> tuple[str, ...]:
        """Return the texts left of a row, outermost first; the heading of its group of rows comes before them.

        A blank text followed by others is that of the row above, up to a rule.
        """
        above = [index for index in self.group_rows if index < row]
        found = [next(cell.text.text for cell in self.grid[above[-1]] if cell.text)] if above else []
        seen: list[Cell] = []
        for cell in self._labels(row):
            if cell.text and not any(cell is other for other in seen):
                seen.append(cell)
                found.append(cell.text.text)
        return tuple(found)

    def _labels(self, row: int) -> list[Cell]:
        """Return the cells left of a row; a blank one before further texts takes the cell above."""
        cells = list(self.grid[row][: self.n_header_columns])
        last = max((at for at, cell in enumerate(cells) if cell.text), default=0)
        for at in range(last):
            above = row
            while not cells[at].text and above > self.n_header_rows and above not in (*self.rules, *self.group_rows):
                above -= 1
                cells[at] = self.grid[above][at]
            if not cells[at].text:
                break
        return cells


@dataclass(frozen=True, slots=True)
class Label:
    r"""A `\label`, or a use of one by `\ref` and its kin."""

    name: str
    span: Span
    use: bool = False


@dataclass(frozen=True, slots=True)
class NumberKey:
    r"""A use of `\rk{key}`, which prints a number of a report."""

    key: str
    span: Span


@dataclass(frozen=True, slots=True)
class Suppression:
    """An inline request to leave findings out.

    Parameters
    ----------
    codes : tuple of str
        Codes or prefixes: RK201, RK2; empty for all.
    line : int
        The line it is about: its own, or the next one if nothing else stands on its line; 0 for the whole file.
    span : Span
        Where it is.
    """

    codes: tuple[str, ...]
    line: int
    span: Span


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that kept a part of the paper from being read; fatal if nothing of it was read."""

    message: str
    remedy: str
    span: Span
    fatal: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A paper, read.

    Parameters
    ----------
    language : {"latex", "markdown"}
        What it is written in.
    files : tuple of SourceFile
        The paper and everything that it inputs, in order of reading.
    sentences : tuple of Sentence
        In order of the source.
    tables : tuple of Table
        In order of the source.
    labels, rk_keys, suppressions : tuple
        Labels, uses of a report's numbers, and inline requests, each with its place.
    rk_values : mapping of str to MappedText
        Numbers that an input file of reportkit defines, by key.
    problems : tuple of Problem
        What could not be read.
    """

    language: Language
    files: tuple[SourceFile, ...]
    sentences: tuple[Sentence, ...] = ()
    tables: tuple[Table, ...] = ()
    labels: tuple[Label, ...] = ()
    rk_keys: tuple[NumberKey, ...] = ()
    rk_values: Mapping[str, MappedText] = field(default_factory=dict)
    suppressions: tuple[Suppression, ...] = ()
    problems: tuple[Problem, ...] = ()

    __repr__ = short_repr

    @property
    def numbers(self) -> tuple[PrintedNumber, ...]:
        """Every printed number, of prose and of cells outside headers."""
        prose = [number for sentence in self.sentences for number in sentence.numbers]
        cells = [number for table in self.tables for cell in table.body() for number in cell.numbers]
        return tuple(sorted([*prose, *cells], key=lambda number: number.span))

    @property
    def nothing_read(self) -> bool:
        """Whether no sentence and no table was read, and something kept them from it."""
        return bool(self.problems) and not self.sentences and not self.tables

    def location(self, span: Span) -> Location:
        """Return the file, lines and columns of a stretch."""
        return self.files[span.file].location(span)

    def source(self, span: Span) -> str:
        """Return the source text at this place."""
        return self.files[span.file].text[span.start : span.end]

    def paragraph(self, number: int) -> tuple[Sentence, ...]:
        """Return the sentences of one paragraph, caption or footnote."""
        return tuple(sentence for sentence in self.sentences if sentence.paragraph == number)

    def name_of(self, table: Table) -> str:
        """Return the name of a table: "Table 2 (tab:main)"; without a caption, the line that it begins in."""
        if table.paragraph < 0:
            return f"the table in line {self.location(table.span)[1]}"
        captions = list(dict.fromkeys(other.paragraph for other in self.tables if other.paragraph >= 0))
        label = f" ({table.label})" if table.label else ""
        return f"Table {captions.index(table.paragraph) + 1}{label}"

    def place_of(self, span: Span) -> str:
        """Return the name of a place in a table: "Table 2 (tab:main), row Ours, column SST-2"; empty elsewhere."""
        around = [table for table in self.tables if _holds(table.span, span)]
        for table in around:
            cell = next((cell for cell in table.cells() if _holds(cell.span, span)), None)
            if cell is None:
                continue
            row = table.row_header(cell.row) if cell.row >= table.n_header_rows else ()
            column = table.column_header(cell.column) if cell.column >= table.n_header_columns else ()
            named = [f"{side} {name}" for side, of in (("row", row), ("column", column)) if (name := _heading(of))]
            return ", ".join((self.name_of(table), *named))
        return self.name_of(around[0]) if around else ""


def _holds(outer: Span, inner: Span) -> bool:
    return outer.file == inner.file and outer.start <= inner.start < max(outer.end, inner.end) <= outer.end


def _heading(texts: Iterable[str]) -> str:
    """Return the headings of a row or column without citations, cut if they are long."""
    text = " / ".join(filter(None, (_PLACEHOLDER.sub("", text).strip() for text in texts)))
    return text if len(text) <= MOST_HEADING else f"{text[: MOST_HEADING - 1].rstrip()}…"
