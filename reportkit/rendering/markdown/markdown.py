"""Markdown that reads well as it stands: for GitHub (and any other reader), or with pandoc's own signs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from reportkit.appearance.appearance import Flavour
from reportkit.rendering.contents import all_prose, cited_keys, in_words, origin
from reportkit.rendering.latex.latex import check_references
from reportkit.rendering.markdown.pandoc import (
    ANCHORS,
    escape_pandoc,
    guard_box,
    pandoc_caption,
    pandoc_mark,
    pandoc_prose,
)
from reportkit.rendering.templates.environment import open_templates
from reportkit.rendering.text.escaping import columns_in_terminal, escape_markdown, guard_line_start, padded, visible
from reportkit.rendering.text.inline import Lookup, markdown_mark, markdown_prose
from reportkit.rendering.view import (
    BlockView,
    FigureView,
    HeadView,
    PanelView,
    ReportView,
    RowView,
    SectionView,
    TableView,
)
from reportkit.report.model import Block, Cell, Figure, Itemize, Paragraph, Report, Signature, Table
from reportkit.report.prose import Code, Prose

_ALIGN = {"left": ":--", "right": "--:", "center": ":-:"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Dialect:
    """How a flavour writes what the flavours write differently."""

    escape: Callable[[str], str]
    prose: Callable[[Prose, Lookup], str]
    in_cell: Callable[[Prose, Lookup], str]
    item: Callable[[str], str]
    underlined: str
    mark: Callable[[str], str]
    templates: str


_DIALECTS: dict[Flavour, _Dialect] = {
    "github": _Dialect(
        escape=escape_markdown,
        prose=markdown_prose,
        in_cell=lambda content, lookup: markdown_prose(content, lookup, in_table=True),
        item=str,
        underlined="<u>{}</u>",
        mark=markdown_mark,
        templates="",
    ),
    "pandoc": _Dialect(
        escape=escape_pandoc,
        prose=pandoc_prose,
        in_cell=pandoc_prose,
        item=guard_box,
        underlined="[{}]{{.underline}}",
        mark=pandoc_mark,
        templates="pandoc-",
    ),
}


def markdown_table(
    table: Table,
    signature: Signature | None = None,
    *,
    templates: Sequence[Path] = (),
    lookup: Lookup | None = None,
    flavour: Flavour = "github",
) -> str:
    r"""Write a table as Markdown.

    Parameters
    ----------
    table : Table
        Any.
    signature : Signature, optional
        Stands in a comment above the table.
    templates : sequence of Path
        Folders with templates of a user.
    lookup : Lookup, optional
        Numbers of the tables of a report, and the literature.
    flavour : {"github", "pandoc"}
        `pandoc`: with the caption and the id that pandoc 3 and Quarto know.

    Returns
    -------
    str
        A pipe table with numbers flush right, and the caption below. Markdown has one row of headers: spanners stand
        before the headers below them, further rows of the header come first in the body; an empty row stands for a
        rule.

    Raises
    ------
    RenderingError
        If a template of the user fails.

    Examples
    --------
    >>> from reportkit.report.model import Column, Row
    >>> from reportkit.report.prose import Text, prose
    >>> columns = (Column(header=(Text("System"),), align="left"), Column(header=(Text("SST_2"),)))
    >>> row = Row(cells=(Cell(text=(Text("R&D"),)), Cell(text=(Text("93.1"),), mark="*", bold=True)))
    >>> print(markdown_table(Table(name="main", caption=prose("Accuracy."), columns=columns, rows=(row,))))
    | System | SST_2      |
    | :--    | --:        |
    | R&D    | **93.1**\* |
    <BLANKLINE>
    **Table.** Accuracy.
    <BLANKLINE>
    """
    lookup, dialect = lookup or Lookup(), _DIALECTS[flavour]
    caption = dialect.prose(table.full_caption, lookup)
    label = table.label
    if flavour == "pandoc":
        label = f"{ANCHORS['table']}-{table.name}"
        caption = pandoc_caption(caption, label) if caption else ""
    view = TableView(
        floats=((_panel(table, lookup, dialect),),),
        caption=caption,
        label=label,
        title=_title("table", table.name, lookup),
    )
    head = markdown_head(f"table {table.name}", signature)
    return open_templates("markdown", tuple(templates)).render(f"{dialect.templates}table", head=head, table=view)


def markdown_paragraph(
    paragraph: Paragraph,
    signature: Signature | None = None,
    *,
    templates: Sequence[Path] = (),
    lookup: Lookup | None = None,
    flavour: Flavour = "github",
) -> str:
    """Write running text as Markdown."""
    content = guard_line_start(_DIALECTS[flavour].prose(paragraph.content, lookup or Lookup()))
    head = markdown_head(f"paragraph {paragraph.name}".strip(), signature)
    return open_templates("markdown", tuple(templates)).render("paragraph", head=head, content=content)


def markdown_document(report: Report, *, templates: Sequence[Path] = (), root: str = "") -> str:
    """Write a report as one Markdown document; figures are read from `figures/<name>.png`.

    Parameters
    ----------
    report : Report
        Any.
    templates : sequence of Path
        Folders with templates of a user.
    root : str
        The way from the document to the folder that holds `figures/`: "../", or nothing.

    Returns
    -------
    str
        In the flavour of the report's appearance: for GitHub with the works cited in words, as there is no BibTeX; for
        pandoc with citations that `pandoc --citeproc` and Quarto look up in `references.bib`.

    Raises
    ------
    RenderingError
        If a template of the user fails, or a reference points to a table or figure that the report does not have.
    UnknownNameError
        If a work is cited that is not in the literature.
    """
    check_references(report)
    lookup, dialect = Lookup(numbers=numbers(report)), _DIALECTS[report.appearance.markdown]
    sections = tuple(
        SectionView(
            title=guard_line_start(dialect.escape(section.title)),
            blocks=tuple(
                _block(block, lookup, templates, report.appearance.markdown, root) for block in section.blocks
            ),
        )
        for section in report.sections
    )
    keys = sorted(cited_keys(all_prose(report)))
    works = sorted(escape_markdown(in_words(lookup.references[key])) for key in keys)
    view = ReportView(
        title=guard_line_start(dialect.escape(report.title)),
        plain_title=visible(report.title),
        sections=sections,
        signature=dialect.prose((Code(report.signature.line),), lookup),
        cited=bool(keys),
        references=tuple(guard_line_start(work) for work in works),
        root=root,
    )
    head = markdown_head("report", report.signature)
    return open_templates("markdown", tuple(templates)).render(f"{dialect.templates}report", head=head, report=view)


def numbers(report: Report) -> dict[tuple[str, str], int]:
    """Numbers of the tables and figures of a report, as LaTeX counts them."""
    tables = {("table", table.name): number for number, table in enumerate(report.tables, start=1)}
    return tables | {("figure", figure.name): number for number, figure in enumerate(report.figures, start=1)}


def markdown_head(what: str, signature: Signature | None) -> HeadView:
    """Comments above the content of a file; none without a signature."""
    if signature is None:
        return HeadView()
    return HeadView(comments=tuple(map(_comment, (origin(what, signature), signature.line))))


def _comment(line: str) -> str:
    """No two hyphens in a row, which could end a comment of HTML."""
    return visible(line).replace("--", "-\u2010").replace(">", "\u203a").replace("<", "\u2039")


def _block(block: Block, lookup: Lookup, templates: Sequence[Path], flavour: Flavour, root: str) -> BlockView:
    opened, dialect = open_templates("markdown", tuple(templates)), _DIALECTS[flavour]
    kind: Literal["table", "figure", "paragraph", "itemize"]
    match block:
        case Table():
            kind, body = "table", markdown_table(block, templates=templates, lookup=lookup, flavour=flavour)
        case Figure():
            view = figure_view(block, lookup, flavour, root)
            kind, body = "figure", opened.render(f"{dialect.templates}figure", figure=view)
        case Paragraph():
            kind, body = "paragraph", guard_line_start(dialect.prose(block.content, lookup))
        case Itemize():
            items = tuple(dialect.item(guard_line_start(dialect.prose(item, lookup))) for item in block.items)
            kind, body = "itemize", opened.render("itemize", items=items)
    return BlockView(kind=kind, body=body.rstrip())


def figure_view(figure: Figure, lookup: Lookup, flavour: Flavour, root: str = "") -> FigureView:
    """Prepare a figure for its template; `root` is the way to the folder that holds `figures/`."""
    dialect = _DIALECTS[flavour]
    return FigureView(
        path=f"{root}figures/{figure.name}.png",
        caption=dialect.prose(figure.caption, lookup),
        alt_text=dialect.escape(figure.alt_text),
        label=f"{ANCHORS['figure']}-{figure.name}" if flavour == "pandoc" else figure.label,
        title=_title("figure", figure.name, lookup),
    )


def _title(kind: Literal["table", "figure"], name: str, lookup: Lookup) -> str:
    return lookup.named(kind, name) if (kind, name) in lookup.numbers else kind.capitalize()


def _panel(table: Table, lookup: Lookup, dialect: _Dialect) -> PanelView:
    header = [_header(table, index, lookup, dialect) for index in range(len(table.columns))]
    alignments = [_ALIGN[column.align] for column in table.columns]
    rows = [[_cell(cell, lookup, dialect) for cell in row.cells] for row in (*table.header_rows, *table.rows)]
    even_header, even_alignments, *even = padded([header, alignments, *rows], last=True)
    further = len(table.header_rows)
    body: list[RowView] = []
    for row, cells in zip(table.rows, even[further:], strict=True):
        if row.rule_above and body:
            body.append(RowView(cells=tuple(" " * columns_in_terminal(cell) for cell in even_alignments)))
        body.append(RowView(cells=tuple(cells), rule_above=row.rule_above, heading=row.heading))
    return PanelView(
        header=tuple(even_header),
        alignments=tuple(map(_dashed, even_alignments)) if dialect.templates else tuple(even_alignments),
        header_rows=tuple(RowView(cells=tuple(row)) for row in even[:further]),
        rows=tuple(body),
    )


def _dashed(alignment: str) -> str:
    """As many dashes as the column is wide: where a line of the table is long, pandoc sets its columns by them."""
    sign = alignment.strip()
    return sign[0] + "-" * len(alignment) + sign[-1]


def _header(table: Table, index: int, lookup: Lookup, dialect: _Dialect) -> str:
    above = [spanner.header for spanner in table.spanners if spanner.first <= index <= spanner.last]
    return ": ".join(filter(None, (dialect.in_cell(part, lookup) for part in [*above, table.columns[index].header])))


def _cell(cell: Cell, lookup: Lookup, dialect: _Dialect) -> str:
    content = dialect.in_cell(cell.text, lookup).strip()
    if content and cell.underline:
        content = dialect.underlined.format(content)
    if content and cell.bold:
        content = f"**{content}**"
    return content + dialect.mark(cell.mark)
