r"""LaTeX: tables that need booktabs alone, and the report as a document that pdflatex, xelatex and lualatex compile."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Literal

from reportkit.appearance.appearance import Appearance
from reportkit.errors import RenderingError
from reportkit.rendering.contents import all_prose, cited_keys, prose_of, references_of, words_of
from reportkit.rendering.latex.latex_head import latex_head, packages_of, watched_glyphs
from reportkit.rendering.latex.latex_tabular import Side, table_view
from reportkit.rendering.layout.layout import Layout, lay_out
from reportkit.rendering.templates.environment import open_templates
from reportkit.rendering.text.escaping import escape_latex
from reportkit.rendering.text.inline import citing, latex_prose
from reportkit.rendering.view import BlockView, FigureView, ReportView, SectionView, TableView
from reportkit.report.model import Block, Figure, Itemize, Paragraph, Report, Signature, Table


def latex_table(
    table: Table,
    signature: Signature | None = None,
    *,
    templates: Sequence[Path] = (),
    layout: Layout | None = None,
    appearance: Appearance | None = None,
) -> str:
    r"""Write a table as LaTeX, to be read into a paper with `\input`.

    Parameters
    ----------
    table : Table
        Any.
    signature : Signature, optional
        Stands in the comment above the table.
    templates : sequence of Path
        Folders with templates of a user.
    layout : Layout, optional
        How it is set; by default as `lay_out` chooses for the venue.
    appearance : Appearance, optional
        Venue, environment, side of the caption.

    Returns
    -------
    str
        A `table` or `table*` with caption and label, or what else is asked for. The first lines say which packages it
        needs (booktabs alone, by default) and whether it fits a column, and hold the signature.

    Raises
    ------
    RenderingError
        If a template of the user fails.

    Examples
    --------
    >>> from reportkit.report.model import Cell, Column, Row
    >>> from reportkit.report.prose import Text, prose
    >>> columns = (Column(header=(Text("System"),), align="left"), Column(header=(Text("SST_2"),)))
    >>> row = Row(cells=(Cell(text=(Text("R&D"),)), Cell(text=(Text("93.1"),), mark="*", bold=True)))
    >>> table = Table(name="main", caption=prose("Accuracy (%)."), columns=columns, rows=(row,))
    >>> print(latex_table(table).split("%\n")[1])
    \begin{tabular}{@{}l r@{}l@{}}
    \toprule
    System & SST\_2& \\
    \midrule
    R\&D   & \textbf{93.1}&$^{*}$ \\
    \bottomrule
    \end{tabular}\par}
    \caption{Accuracy (\%).}
    \label{tab:main}
    \end{table}
    <BLANKLINE>
    """
    look = appearance or Appearance()
    view, layout = set_table(table, look, layout)
    words = "\n".join([words_of(prose_of(table)), *(cell.mark for row in table.rows for cell in row.cells)])
    head = latex_head(
        f"table {table.name}",
        signature,
        words,
        packages=packages_of(view),
        notes=(layout.note,),
    )
    template = view.environment if view.environment in ("tabular", "longtable") else "table"
    return open_templates("latex", tuple(templates)).render(template, head=head, table=view)


def set_table(table: Table, appearance: Appearance, layout: Layout | None = None) -> tuple[TableView, Layout]:
    """Lay out a table for a venue, and write its cells."""
    venue = appearance.preset
    layout = layout or lay_out(table, venue, environment=appearance.environment)
    above = appearance.caption_side == "above"
    side = Side(above=above, gap=venue.gap_above if above else venue.gap_below)
    with citing(venue):
        return table_view(
            layout.table,
            layout,
            caption=side,
            notes=venue.notes,
        ), layout


def latex_paragraph(paragraph: Paragraph, signature: Signature | None = None, *, templates: Sequence[Path] = ()) -> str:
    r"""Write running text as LaTeX, to be read into a paper with `\input`."""
    words = words_of([paragraph.content])
    head = latex_head(f"paragraph {paragraph.name}".strip(), signature, words)
    content = latex_prose(paragraph.content, breakable=True)
    return open_templates("latex", tuple(templates)).render("paragraph", head=head, content=content)


def latex_document(report: Report, *, templates: Sequence[Path] = (), inline: bool = False) -> str:
    r"""Write a report as a complete LaTeX document.

    Parameters
    ----------
    report : Report
        Any.
    templates : sequence of Path
        Folders with templates of a user.
    inline : bool
        Put tables and paragraphs into the document, instead of reading `tables/<name>.tex` with `\input`. Figures are
        always files: `figures/<name>.pdf`.

    Returns
    -------
    str
        Compiles with pdflatex, xelatex or lualatex, and with bibtex if anything is cited.

    Raises
    ------
    RenderingError
        If a template of the user fails, or a reference points to a table or figure that the report does not have.
    UnknownNameError
        If a work is cited that is not in the literature.
    """
    check_references(report)
    with citing(report.appearance.preset):
        return _document(report, templates, inline=inline)


def _document(report: Report, templates: Sequence[Path], *, inline: bool) -> str:
    opened = open_templates("latex", tuple(templates))
    contents = list(all_prose(report))
    words = f"{words_of(contents)}\n{report.signature.line}"
    sections = tuple(
        SectionView(
            title=escape_latex(section.title),
            blocks=tuple(
                BlockView(
                    kind=_KINDS[type(block)],
                    body=_body(block, templates, report.appearance, inline=inline),
                    keep=isinstance(block, Paragraph) and not block.name and isinstance(following, (Table, Figure)),
                )
                for block, following in zip_longest(section.blocks, section.blocks[1:])
            ),
        )
        for section in report.sections
    )
    view = ReportView(
        title=escape_latex(report.title, breakable=True),
        plain_title=escape_latex(report.title),
        sections=sections,
        signature=escape_latex(report.signature.line, breakable=True, typewriter=True),
        cited=bool(cited_keys(contents)),
        text_width=f"{max(_TEXT_WIDTH, report.appearance.preset.text_width):g}pt",
        preamble=preamble_of(report),
        glyphs=watched_glyphs(words),
    )
    how = "compile with pdflatex, bibtex, pdflatex, pdflatex in the folder that holds this file"
    return opened.render("report", head=latex_head("report", report.signature, words, notes=(how,)), report=view)


def check_references(report: Report) -> None:
    """Raise RenderingError if a reference points to a table or figure that the report does not have."""
    known = {("table", table.name) for table in report.tables} | {("figure", figure.name) for figure in report.figures}
    for reference in references_of(all_prose(report)):
        if (reference.kind, reference.name) not in known:
            raise RenderingError(
                f"the report refers to {reference.kind} {reference.name!r}, which it does not have",
                remedy=f"known: {', '.join(f'{kind} {name}' for kind, name in sorted(known)) or 'none'}",
            )


_TEXT_WIDTH, _WIDEST_TEXT = 455.25, 530.0
_REPORT_SIZES = {"small": 9.0, "footnotesize": 8.0}
"""Of the document that holds the report, in points: a venue with wider text widens it, and the paper if need be."""

_KINDS: dict[type[Block], Literal["table", "figure", "paragraph", "itemize"]] = {
    Table: "table",
    Figure: "figure",
    Paragraph: "paragraph",
    Itemize: "itemize",
}


def _body(block: Block, templates: Sequence[Path], appearance: Appearance, *, inline: bool) -> str:
    opened = open_templates("latex", tuple(templates))
    match block:
        case Table():
            if inline:
                body = latex_table(block, templates=templates, appearance=appearance).rstrip()
            else:
                body = rf"\input{{tables/{block.name}}}"
            return _floated(body, block) if appearance.environment == "tabular" else body
        case Figure():
            return opened.render("figure", figure=figure_view(block)).rstrip()
        case Paragraph():
            if block.name and not inline:
                return rf"\input{{{block.name}}}"
            return latex_prose(block.content, breakable=True)
        case Itemize():
            items = tuple(latex_prose(item, breakable=True) for item in block.items)
            return opened.render("itemize", items=items).rstrip() if items else ""


def _floated(tabular: str, table: Table) -> str:
    """A bare table in a float, as its user has it in the paper."""
    caption = latex_prose(table.full_caption, breakable=True)
    lines = (r"\begin{table}", r"\centering", tabular, rf"\caption{{{caption}}}", rf"\label{{{table.label}}}")
    return "\n".join((*lines, r"\end{table}"))


def preamble_of(report: Report) -> tuple[str, ...]:
    """Lines of the preamble that the tables of a report need: packages, and the venue's own type sizes."""
    venue = report.appearance.preset
    views = (set_table(table, report.appearance)[0] for table in report.tables)
    packages = dict.fromkeys(package for view in views for package in packages_of(view) if package != "booktabs")
    sizes = [
        rf"\renewcommand{{\{size.command}}}{{\fontsize{{{size.points:g}}}{{{size.leading:g}}}\selectfont}}"
        for size in venue.sizes
        if _REPORT_SIZES.get(size.command, size.points) != size.points
    ]
    wide = venue.text_width > _WIDEST_TEXT
    paper = [rf"\geometry{{paperwidth={venue.text_width + 100:g}pt}}"] if wide else []
    above = [r"\captionsetup[table]{position=above}"] if report.appearance.caption_side == "above" else []
    return (*(rf"\usepackage{{{package}}}" for package in packages), *paper, *sizes, *above)


def figure_view(figure: Figure) -> FigureView:
    """Prepare a figure for its template; one that is wider than a column of its venue crosses both."""
    wide = figure.preset.two_columns and figure.span == "text"
    return FigureView(
        environment="figure*" if wide else "figure",
        path=f"figures/{figure.name}",
        caption=latex_prose(figure.caption, breakable=True),
        alt_text=escape_latex(figure.alt_text),
        label=figure.label,
    )
