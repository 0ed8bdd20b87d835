"""What a template sees: finished strings, nothing to compute.

Every string is escaped for its format. A template of a user may rely on these names; `CONTEXT_VERSION` changes when one
of them does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CONTEXT_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadView:
    """What stands above the content of every file.

    Parameters
    ----------
    comments : tuple of str
        Lines without the sign of a comment: program and data, needed packages, signature, notes.
    definitions : tuple of str
        Lines of LaTeX for characters that pdflatex cannot set; empty otherwise.
    """

    comments: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RowView:
    """One row of a table.

    Parameters
    ----------
    cells : tuple of str
        In LaTeX with the `&` before a mark, to be joined with ` & `.
    rule_above : bool
        Whether a group begins here.
    """

    cells: tuple[str, ...]
    rule_above: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelView:
    r"""A part of a table that stands by itself: one `tabular`.

    Parameters
    ----------
    columns : str
        LaTeX: the column specification. Markdown: empty.
    spanners : tuple of str
        Cells of the row of headers over several columns; empty if there are none.
    rules : str
        LaTeX: the `\cmidrule`s under them.
    header : tuple of str
        Cells of the header.
    alignments : tuple of str
        Markdown: `:--`, `--:`, `:-:`. HTML: `left`, `right`, `center`. LaTeX: empty.
    header_rows, rows : tuple of RowView
        Further rows of the header, and the body.
    """

    columns: str = ""
    spanners: tuple[str, ...] = ()
    rules: str = ""
    header: tuple[str, ...]
    alignments: tuple[str, ...] = ()
    header_rows: tuple[RowView, ...] = ()
    rows: tuple[RowView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    r"""A table.

    Parameters
    ----------
    environment : str
        LaTeX: `table` or `table*`.
    size : str
        LaTeX: `small` or `footnotesize`.
    tabcolsep : str
        LaTeX: half the space between columns, `4pt`.
    floats : tuple of tuple of PanelView
        Consecutive tables, each with its panels; the first has the caption.
    caption : str
        Finished; may be empty.
    label : str
        `tab:results`.
    title : str
        Markdown and HTML: `Table 1`, or `Table`.
    """

    environment: str = ""
    size: str = ""
    tabcolsep: str = ""
    floats: tuple[tuple[PanelView, ...], ...]
    caption: str
    label: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureView:
    """A figure.

    Parameters
    ----------
    path : str
        From the report's folder.
    caption, alt_text : str
        Finished.
    label : str
        `fig:forest`.
    title : str
        Markdown: `Figure 1`.
    """

    path: str
    caption: str
    alt_text: str
    label: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockView:
    """A part of a section.

    Parameters
    ----------
    kind : {"table", "figure", "paragraph", "itemize"}
        What it is.
    body : str
        Finished: the content, or the command that reads the file which holds it.
    keep : bool
        LaTeX: whether it stays on the page of what follows, as a sentence that announces a table does.
    """

    kind: Literal["table", "figure", "paragraph", "itemize"]
    body: str
    keep: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionView:
    """A titled part of the report."""

    title: str
    blocks: tuple[BlockView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportView:
    """A report.

    Parameters
    ----------
    title : str
        Finished.
    sections : tuple of SectionView
        In order.
    signature : str
        One line, finished.
    cited : bool
        Whether there is a bibliography.
    references : tuple of str
        Markdown: the works cited, one line each. LaTeX: empty, BibTeX makes them.
    plain_title : str
        Title without symbols, for the properties of a PDF.
    """

    title: str
    sections: tuple[SectionView, ...]
    signature: str
    cited: bool
    references: tuple[str, ...] = ()
    plain_title: str = ""
