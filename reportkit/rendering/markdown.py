"""Markdown that GitHub and pandoc read alike, and that reads well as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from reportkit.rendering.bibliography import in_words
from reportkit.rendering.contents import all_prose, cited_keys
from reportkit.rendering.environment import open_templates
from reportkit.rendering.escaping import escape_markdown, guard_line_start, visible
from reportkit.rendering.inline import Lookup, markdown_mark, markdown_prose
from reportkit.rendering.latex import check_references
from reportkit.rendering.padding import padded
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
from reportkit.report.model import Block, Cell, Figure, Itemize, Paragraph, Report, Row, Signature, Table
from reportkit.report.prose import Code

_ALIGN = {"left": ":--", "right": "--:", "center": ":-:"}


def markdown_table(
    table: Table,
    signature: Signature | None = None,
    *,
    templates: Sequence[Path] = (),
    lookup: Lookup | None = None,
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

    Returns
    -------
    str
        A pipe table with numbers flush right, and the caption below. Markdown has one row of headers: spanners stand
        before the headers below them, further rows of the header come first in the body.

    Raises
    ------
    RenderingError
        If a template of the user fails.

    Examples
    --------
    >>> from reportkit.report.model import Column
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
    lookup = lookup or Lookup()
    view = TableView(
        floats=((_panel(table, lookup),),),
        caption=markdown_prose(table.full_caption, lookup),
        label=table.label,
        title=_title("table", table.name, lookup),
    )
    head = markdown_head(f"table {table.name}", signature)
    return open_templates("markdown", tuple(templates)).render("table", head=head, table=view)


def markdown_paragraph(
    paragraph: Paragraph,
    signature: Signature | None = None,
    *,
    templates: Sequence[Path] = (),
    lookup: Lookup | None = None,
) -> str:
    """Write running text as Markdown."""
    content = guard_line_start(markdown_prose(paragraph.content, lookup))
    head = markdown_head(f"paragraph {paragraph.name}".strip(), signature)
    return open_templates("markdown", tuple(templates)).render("paragraph", head=head, content=content)


def markdown_document(report: Report, *, templates: Sequence[Path] = ()) -> str:
    """Write a report as one Markdown document; figures are read from `figures/<name>.png`.

    Parameters
    ----------
    report : Report
        Any.
    templates : sequence of Path
        Folders with templates of a user.

    Returns
    -------
    str
        With the works cited in words, as there is no BibTeX.

    Raises
    ------
    RenderingError
        If a template of the user fails, or a reference points to a table or figure that the report does not have.
    UnknownNameError
        If a work is cited that is not in the literature.
    """
    check_references(report)
    lookup = Lookup(numbers=numbers(report))
    sections = tuple(
        SectionView(
            title=guard_line_start(escape_markdown(section.title)),
            blocks=tuple(_block(block, lookup, templates) for block in section.blocks),
        )
        for section in report.sections
    )
    keys = sorted(cited_keys(all_prose(report)))
    works = sorted(escape_markdown(in_words(lookup.references[key])) for key in keys)
    view = ReportView(
        title=guard_line_start(escape_markdown(report.title)),
        plain_title=visible(report.title),
        sections=sections,
        signature=markdown_prose((Code(report.signature.line),)),
        cited=bool(keys),
        references=tuple(guard_line_start(work) for work in works),
    )
    head = markdown_head("report", report.signature)
    return open_templates("markdown", tuple(templates)).render("report", head=head, report=view)


def numbers(report: Report) -> dict[tuple[str, str], int]:
    """Numbers of the tables and figures of a report, as LaTeX counts them."""
    tables = {("table", table.name): number for number, table in enumerate(report.tables, start=1)}
    return tables | {("figure", figure.name): number for number, figure in enumerate(report.figures, start=1)}


def markdown_head(what: str, signature: Signature | None) -> HeadView:
    """Comments above the content of a file; none without a signature."""
    if signature is None:
        return HeadView()
    source = f"data {signature.source} sha256:{signature.digest[:12]}"
    lines = (
        f"reportkit {signature.version} | {what} | {source} | do not edit: reportkit overwrites it",
        signature.line,
    )
    return HeadView(comments=tuple(_comment(line) for line in lines))


def _comment(line: str) -> str:
    """No two hyphens in a row, which could end a comment of HTML."""
    return visible(line).replace("--", "-\u2010").replace(">", "\u203a").replace("<", "\u2039")


def _block(block: Block, lookup: Lookup, templates: Sequence[Path]) -> BlockView:
    opened = open_templates("markdown", tuple(templates))
    kind: Literal["table", "figure", "paragraph", "itemize"]
    match block:
        case Table():
            kind, body = "table", markdown_table(block, templates=templates, lookup=lookup)
        case Figure():
            kind, body = "figure", opened.render("figure", figure=_figure(block, lookup))
        case Paragraph():
            kind, body = "paragraph", guard_line_start(markdown_prose(block.content, lookup))
        case Itemize():
            items = tuple(guard_line_start(markdown_prose(item, lookup)) for item in block.items)
            kind, body = "itemize", opened.render("itemize", items=items)
    return BlockView(kind=kind, body=body.rstrip())


def _figure(figure: Figure, lookup: Lookup) -> FigureView:
    return FigureView(
        path=f"figures/{figure.name}.png",
        caption=markdown_prose(figure.caption, lookup),
        alt_text=escape_markdown(figure.alt_text),
        label=figure.label,
        title=_title("figure", figure.name, lookup),
    )


def _title(kind: Literal["table", "figure"], name: str, lookup: Lookup) -> str:
    return lookup.named(kind, name) if (kind, name) in lookup.numbers else kind.capitalize()


def _panel(table: Table, lookup: Lookup) -> PanelView:
    header = [_header(table, index, lookup) for index in range(len(table.columns))]
    alignments = [_ALIGN[column.align] for column in table.columns]
    rows = [[_cell(cell, lookup) for cell in row.cells] for row in (*table.header_rows, *table.rows)]
    even_header, even_alignments, *even = padded([header, alignments, *rows], last=True)
    further = len(table.header_rows)
    return PanelView(
        header=tuple(even_header),
        alignments=tuple(even_alignments),
        header_rows=tuple(RowView(cells=tuple(row)) for row in even[:further]),
        rows=tuple(_row(row, cells) for row, cells in zip(table.rows, even[further:], strict=True)),
    )


def _row(row: Row, cells: Sequence[str]) -> RowView:
    return RowView(cells=tuple(cells), rule_above=row.rule_above)


def _header(table: Table, index: int, lookup: Lookup) -> str:
    above = [spanner.header for spanner in table.spanners if spanner.first <= index <= spanner.last]
    return ": ".join(
        filter(None, (markdown_prose(part, lookup, in_table=True) for part in [*above, table.columns[index].header]))
    )


def _cell(cell: Cell, lookup: Lookup) -> str:
    content = markdown_prose(cell.text, lookup, in_table=True).strip()
    if content and cell.underline:
        content = f"<u>{content}</u>"
    if content and cell.bold:
        content = f"**{content}**"
    return content + markdown_mark(cell.mark)
