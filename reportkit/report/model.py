"""The content of a report without a format: tables, figures, paragraphs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from reportkit.appearance import Appearance
from reportkit.finding import Finding
from reportkit.language import short_repr
from reportkit.report.facts import Facts
from reportkit.report.rounding import rounded
from reportkit.venues import venue_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as MatplotlibFigure

    from reportkit.figures.drawing.style import Span

Align = Literal["left", "right", "center"]
Words: TypeAlias = str
"""Text without a format."""

SHOWN: dict[str, Callable[[Table], Mapping[str, Callable[[], str]]]] = {}
"""Formats of a table in a notebook, by MIME type; renderers register under "table", as the model knows no format."""


class Shown:
    """An object that IPython shows in the formats that the object provides."""

    __slots__ = ()

    def _formats(self) -> Mapping[str, Callable[[], str]]:
        """Return the text in each format, by MIME type."""
        raise NotImplementedError

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        return {
            name: make()
            for name, make in self._formats().items()
            if (not include or name in include) and not (exclude and name in exclude)
        }

    def _repr_html_(self) -> str | None:
        return self._repr_mimebundle_(["text/html"]).get("text/html")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a table: finished text, and how it is set off.

    Parameters
    ----------
    text : Words
        What is printed; numbers arrive rounded.
    mark : str
        Signs after the number that must not shift it: `*`, `*+`, `abc`; set as a superscript in a column of its own.
    bold, underline : bool
        Best and second best.
    """

    text: Words = ""
    mark: str = ""
    bold: bool = False
    underline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column.

    Parameters
    ----------
    header : Words
        Its name.
    align : {"left", "right", "center"}
        Alignment of its cells.
    """

    header: Words
    align: Align = "right"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spanner:
    """A header over several columns, from `first` to `last` (indices into the columns, both included)."""

    header: Words
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row, with a rule above it where a new group begins; `heading`: its first cell names what is below.

    The other cells of a heading are empty, and its first one may reach across the table.
    """

    cells: tuple[Cell, ...]
    rule_above: bool = False
    heading: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Shown):
    """A table with its caption.

    Parameters
    ----------
    name : str
        Letters, digits and hyphens: file stem, and label `tab:<name>`.
    caption : Words
        Says what is shown.
    columns : tuple of Column
        In order.
    rows : tuple of Row
        Each with one cell per column.
    spanners : tuple of Spanner
        Headers over groups of columns.
    header_rows : tuple of Row
        Rows that belong to the header, such as the number of instances.
    legend : Words
        Explains every sign; is after the caption, or below the table where notes do.
    """

    name: str
    caption: Words
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    spanners: tuple[Spanner, ...] = ()
    header_rows: tuple[Row, ...] = ()
    legend: Words = ""

    __repr__ = short_repr

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
    def full_caption(self) -> Words:
        """Caption and legend, one after the other."""
        return f"{self.caption} {self.legend}".strip()

    def _formats(self) -> Mapping[str, Callable[[], str]]:
        return SHOWN["table"](self) if SHOWN else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure with its caption.

    Parameters
    ----------
    name : str
        Letters, digits and hyphens: file stem, and label `fig:<name>`.
    caption : Words
        Says what is shown; figures carry no title inside.
    alt_text : str
        What a reader who cannot see it needs to know.
    kind : str
        Which figure it is: one of `reportkit.figures.drawings.KINDS`.
    content : object
        What it shows, from which it is drawn: the content dataclass of its kind, plain values only; numbers are
        `rounded`.
    venue : str
        Whose columns and type it is drawn for.
    """

    name: str
    caption: Words
    alt_text: str
    kind: str
    content: Any
    venue: str = "report"

    __repr__ = short_repr

    def __post_init__(self) -> None:
        object.__setattr__(self, "content", rounded(self.content))

    @classmethod
    def of(cls, kind: str, content: Any, *, name: str, caption: Words) -> Figure:
        """Make a figure from its content, with a description in words."""
        from reportkit.figures.drawings import drawing

        return cls(name=name, caption=caption, alt_text=drawing(kind).alt_text(content), kind=kind, content=content)

    @property
    def label(self) -> str:
        """LaTeX label."""
        return f"fig:{self.name}"

    def draw(self, width: float | Span | None = None, ax: Axes | None = None) -> MatplotlibFigure:
        """Draw it from its content, as a matplotlib figure.

        Parameters
        ----------
        width : float or {"column", "text"}, optional
            TeX points, or what the venue has; by default what suits the content.
        ax : matplotlib.axes.Axes, optional
            Where to draw, in a figure of your own.

        Raises
        ------
        UnknownNameError
            If there is no such kind, width or venue.
        """
        from reportkit.figures.drawings import drawing

        drawn = drawing(self.kind).draw(self.content, width=width, venue=venue_of(self.venue), ax=ax)
        drawn.alt_text = self.alt_text  # type: ignore[attr-defined] # of a ShownFigure
        return drawn

    @property
    def wide(self) -> bool:
        """Whether it reaches across the two columns of its venue."""
        from reportkit.figures.drawings import drawing

        return venue_of(self.venue).two_columns and drawing(self.kind).span(self.content) == "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Running text, a file of its own if it has a name."""

    content: Words
    name: str = ""

    __repr__ = short_repr


@dataclass(frozen=True, slots=True, kw_only=True)
class Itemize:
    """A list with bullets."""

    items: tuple[Words, ...]

    __repr__ = short_repr


Block: TypeAlias = Table | Figure | Paragraph | Itemize


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A titled part of the report."""

    title: str
    blocks: tuple[Block, ...]

    __repr__ = short_repr


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """The line that every file carries: what was computed, from which data, and how.

    Parameters
    ----------
    version : str
        Version of reportkit.
    source : str
        Name of the results file, without folders.
    digest : str
        SHA-256 of the content, 64 hexadecimal digits; empty where there are no data.
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
        head = {"reportkit": self.version, "data": self.source}
        head |= {"sha256": self.digest[:12]} if self.digest else {}  # what is planned from numbers alone has no data
        return "|".join(f"{key}:{value}" for key, value in {**head, **self.fields}.items())


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
        Line that every file carries.
    findings : tuple of Finding
        What limits the claims, worst first.
    data : mapping
        The same content for machines, as `report.json` holds it: strings, `rounded` numbers, lists and mappings only.
    summary : tuple of str
        The few sentences that the terminal shows.
    appearance : Appearance
        How it is set.
    numbers : mapping of str to str
        What running text may name, as it is printed: "main/sst2/ours".
    extras : tuple of Paragraph
        Paragraphs that are files of their own, and not part of the document.
    checklist : tuple of Section
        Draft answers to the checklists of conferences, a file of its own.
    facts : Facts or None
        What a report on comparisons is written from: it can be assembled in another way.
    """

    title: str
    sections: tuple[Section, ...]
    signature: Signature
    findings: tuple[Finding, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    summary: tuple[str, ...] = ()
    appearance: Appearance = field(default_factory=Appearance)
    numbers: Mapping[str, str] = field(default_factory=dict)
    extras: tuple[Paragraph, ...] = ()
    checklist: tuple[Section, ...] = ()
    facts: Facts | None = None

    __repr__ = short_repr

    def __post_init__(self) -> None:
        object.__setattr__(self, "data", rounded(self.data))

        def styled(block: Block) -> Block:
            return replace(block, venue=self.appearance.venue) if isinstance(block, Figure) else block

        sections = tuple(replace(one, blocks=tuple(map(styled, one.blocks))) for one in self.sections)
        object.__setattr__(self, "sections", sections)

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
