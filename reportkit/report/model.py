"""What the reader of a report sees, without a format: tables, figures, paragraphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from reportkit.appearance import Appearance
from reportkit.finding import Finding
from reportkit.report.prose import Prose, sentences

if TYPE_CHECKING:
    from matplotlib.figure import Figure as MatplotlibFigure

Align = Literal["left", "right", "center"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a table: finished text, and how it is set off.

    Parameters
    ----------
    text : Prose
        What is printed; numbers arrive rounded.
    mark : str
        Signs behind the number that must not shift it: `*`, `*+`, `abc`; set as a superscript in a column of its own.
    bold, underline : bool
        Best and second best.
    """

    text: Prose = ()
    mark: str = ""
    bold: bool = False
    underline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: its header and how its cells are aligned."""

    header: Prose
    align: Align = "right"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spanner:
    """A header over several columns, from `first` to `last` (indices into the columns, both included)."""

    header: Prose
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row, with a rule above it where a new group begins."""

    cells: tuple[Cell, ...]
    rule_above: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table with its caption.

    Parameters
    ----------
    name : str
        Letters, digits and hyphens: file stem, and label `tab:<name>`.
    caption : Prose
        Says what is shown.
    columns : tuple of Column
        In order.
    rows : tuple of Row
        Each with one cell per column.
    spanners : tuple of Spanner
        Headers over groups of columns.
    header_rows : tuple of Row
        Rows that belong to the header, such as the number of instances.
    legend : Prose
        Explains every sign; stands behind the caption, or below the table where notes do.
    """

    name: str
    caption: Prose
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    spanners: tuple[Spanner, ...] = ()
    header_rows: tuple[Row, ...] = ()
    legend: Prose = ()

    def __post_init__(self) -> None:
        for row in (*self.header_rows, *self.rows):
            if len(row.cells) != len(self.columns):
                raise ValueError(
                    f"table {self.name!r}: a row has {len(row.cells)} cells for {len(self.columns)} columns"
                )

    @property
    def label(self) -> str:
        """LaTeX label."""
        return f"tab:{self.name}"

    @property
    def full_caption(self) -> Prose:
        """Caption and legend, one after the other."""
        return sentences(self.caption, self.legend)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure with its caption.

    Parameters
    ----------
    name : str
        Letters, digits and hyphens: file stem, and label `fig:<name>`.
    caption : Prose
        Says what is shown; figures carry no title inside.
    alt_text : str
        What a reader who cannot see it needs to know.
    draw : callable
        Draws it, as a matplotlib figure.
    """

    name: str
    caption: Prose
    alt_text: str
    draw: Callable[[], MatplotlibFigure]

    @property
    def label(self) -> str:
        """LaTeX label."""
        return f"fig:{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Running text, a file of its own if it has a name."""

    content: Prose
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Itemize:
    """A list with bullets."""

    items: tuple[Prose, ...]


Block: TypeAlias = Table | Figure | Paragraph | Itemize


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A titled part of the report."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What was computed from what, and how: the line that every file carries.

    Parameters
    ----------
    version : str
        Of reportkit.
    source : str
        Name of the results file, without folders.
    digest : str
        SHA-256 of the content, 64 hexadecimal digits.
    fields : mapping of str to str
        Short keys and values, in order: `test:mcnemar`, `adj:holm(m=8)`.
    """

    version: str
    source: str
    digest: str
    fields: Mapping[str, str]

    @property
    def line(self) -> str:
        """One line, `key:value` pairs separated by bars."""
        head = {"reportkit": self.version, "data": self.source, "sha256": self.digest[:12]}
        return "|".join(f"{key}:{value}" for key, value in {**head, **self.fields}.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A value that running text may name by a key.

    Parameters
    ----------
    content : Prose
        As it is printed: rounded, with the sign of typography.
    meaning : str
        What it is, in words, for the list of keys.
    """

    content: Prose
    meaning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything a report says, without a format.

    Parameters
    ----------
    title : str
        First line.
    sections : tuple of Section
        In order.
    signature : Signature
        See there.
    findings : tuple of Finding
        What limits the claims, worst first.
    data : mapping
        The same content for machines, as `report.json` holds it: strings, numbers, lists and mappings only.
    summary : tuple of str
        The few sentences that the terminal shows.
    appearance : Appearance
        How it is set.
    numbers : mapping of str to Number
        What running text may name: "main/sst2/ours".
    """

    title: str
    sections: tuple[Section, ...]
    signature: Signature
    findings: tuple[Finding, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    summary: tuple[str, ...] = ()
    appearance: Appearance = field(default_factory=Appearance)
    numbers: Mapping[str, Number] = field(default_factory=dict)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks of all sections, in order."""
        return tuple(block for section in self.sections for block in section.blocks)

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables, in order."""
        return tuple(block for block in self.blocks if isinstance(block, Table))

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All figures, in order."""
        return tuple(block for block in self.blocks if isinstance(block, Figure))
