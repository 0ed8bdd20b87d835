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
    heading : bool
        Whether it names the rows below; in HTML it has one cell, over all columns.
    """

    cells: tuple[str, ...]
    rule_above: bool = False
    heading: bool = False


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
    width : str
        LaTeX: how many columns the `tabular` has, `7`.
    """

    columns: str = ""
    spanners: tuple[str, ...] = ()
    rules: str = ""
    header: tuple[str, ...]
    alignments: tuple[str, ...] = ()
    header_rows: tuple[RowView, ...] = ()
    rows: tuple[RowView, ...]
    width: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    """HTML: a table in another format, to be copied.

    Parameters
    ----------
    name : str
        Of the format: `LaTeX`.
    text : str
        The table, with its lines.
    """

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    r"""A table.

    Parameters
    ----------
    environment : str
        LaTeX: `table`, `table*`, `tabular` (no float) or `longtable`.
    size : str
        LaTeX: `small`, `footnotesize`, `fontsize{8}{9.5}\selectfont`.
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
    caption_above : bool
        LaTeX: on which side of the table its caption stands.
    gap : str
        LaTeX: space to be added between table and caption, `7pt`; may be empty.
    notes : str
        LaTeX: what stands below the table in `tablenotes`; empty if the caption says it.
    threeparttable : bool
        LaTeX: whether the table stands in a `threeparttable`, whose caption is as wide as it.
    sources : tuple of SourceView
        HTML: what can be copied.
    """

    environment: str = ""
    size: str = ""
    tabcolsep: str = ""
    floats: tuple[tuple[PanelView, ...], ...]
    caption: str
    label: str
    title: str = ""
    caption_above: bool = False
    gap: str = ""
    notes: str = ""
    threeparttable: bool = False
    sources: tuple[SourceView, ...] = ()


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
        Markdown and HTML: `Figure 1`.
    svg : str
        HTML: the figure itself, as an `svg` element with a title and a description.
    environment : str
        LaTeX: `figure`, or `figure*` for one that crosses both columns.
    """

    path: str
    caption: str
    alt_text: str
    label: str
    title: str = ""
    svg: str = ""
    environment: str = ""


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
    """A titled part of the report.

    Parameters
    ----------
    title : str
        Finished.
    blocks : tuple of BlockView
        In order.
    anchor : str
        HTML: its id on the page.
    """

    title: str
    blocks: tuple[BlockView, ...]
    anchor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemView:
    """A point of a list.

    Parameters
    ----------
    content : str
        Finished.
    severity : str
        HTML: `error`, `warning` or `info` if it says what limits the claims, by the word that it begins with.
    """

    content: str
    severity: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkView:
    """A work of the literature: its id on the page, and the work in words."""

    anchor: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportView:
    r"""A report.

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
        Title without symbols, for the properties of a PDF or the name of a window.
    text_width : str
        LaTeX: width of the text, `455.25pt`.
    preamble : tuple of str
        LaTeX: lines that the tables need, such as `\usepackage{longtable}`.
    glyphs : tuple of str
        LaTeX: lines by which xelatex and lualatex show what their font lacks; may be empty.
    works : tuple of WorkView
        HTML: the works cited.
    root : str
        Markdown: the way from the document to the folder of the report, `../`; may be empty.
    style, script, script_hash : str
        HTML: the style sheet and the script of the page, and `sha256-...` by which a browser knows the script.
    """

    title: str
    sections: tuple[SectionView, ...]
    signature: str
    cited: bool
    references: tuple[str, ...] = ()
    plain_title: str = ""
    text_width: str = ""
    preamble: tuple[str, ...] = ()
    glyphs: tuple[str, ...] = ()
    works: tuple[WorkView, ...] = ()
    root: str = ""
    style: str = ""
    script: str = ""
    script_hash: str = ""
