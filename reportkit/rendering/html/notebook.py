r"""Tables and reports inside another document: a notebook, its export to PDF, a Quarto document.

Such a document brings its own headings, bibliography and styles. So nothing floats, nothing is a document of its own,
works are cited in words, and styles stand on the elements. In Quarto, which numbers and captions what a cell shows,
a table comes without caption and label.
"""

from __future__ import annotations

import base64
import dataclasses
import os
from collections.abc import Callable, Sequence

from reportkit.appearance.appearance import Appearance
from reportkit.rendering.html.html import html_table
from reportkit.rendering.latex.latex import latex_table
from reportkit.rendering.markdown.markdown import markdown_document, markdown_table, numbers
from reportkit.rendering.text.escaping import columns_in_terminal, escape_html, escape_latex, escape_markdown, visible
from reportkit.rendering.text.inline import Lookup, html_prose, latex_prose, plain_prose
from reportkit.report.model import Align, Block, Cell, Figure, Itemize, Paragraph, Report, Row, Table
from reportkit.report.prose import Cite, Prose, Reference, Text, joined

QUARTO = "QUARTO_BIN_PATH"
"""Variable of the environment that Quarto sets while it runs a document."""

_MOST_ROWS = 60


def in_quarto() -> bool:
    """Whether Quarto runs the document."""
    return bool(os.environ.get(QUARTO))


def table_formats(table: Table, appearance: Appearance | None = None) -> dict[str, Callable[[], str]]:
    """How a table is shown, by MIME type."""
    return {
        "text/plain": lambda: plain_table(table),
        "text/html": lambda: table_as_html(table),
        "text/latex": lambda: table_as_latex(table, appearance),
        "text/markdown": lambda: table_as_markdown(table, appearance),
    }


def result_formats(
    lines: Sequence[str], table: Table, appearance: Appearance | None = None
) -> dict[str, Callable[[], str]]:
    """How a result is shown, by MIME type: what it says, and its first table."""
    shown = table_formats(table, appearance)
    return {
        "text/html": lambda: "".join(f"<p>{escape_html(line)}</p>\n" for line in lines) + shown["text/html"](),
        "text/latex": lambda: (
            "".join(f"\\noindent {escape_latex(line, breakable=True)}\\par\n" for line in lines) + shown["text/latex"]()
        ),
        "text/markdown": lambda: "".join(f"{escape_markdown(line)}\n\n" for line in lines) + shown["text/markdown"](),
    }


def report_formats(report: Report) -> dict[str, Callable[[], str]]:
    """How a report is shown, by MIME type."""
    return {
        "text/plain": lambda: "\n".join((report.title, *report.summary)),
        "text/html": lambda: report_as_html(report),
        "text/latex": lambda: report_as_latex(report),
        "text/markdown": lambda: markdown_document(report),
    }


def plain_table(table: Table) -> str:
    """Write a table as text in even columns: headers, a line, rows; at most 60 of them.

    Examples
    --------
    >>> from reportkit.report.model import Column
    >>> columns = (Column(header=(Text("System"),), align="left"), Column(header=(Text("tweets"),)))
    >>> row = Row(cells=(Cell(text=(Text("VADER"),)), Cell(text=(Text("92.3"),), mark="*")))
    >>> print(plain_table(Table(name="t", caption=(), columns=columns, rows=(row,))))
    System  tweets
    ------  ------
    VADER   92.3*
    """
    above = {i: plain_prose(item.header) for item in table.spanners for i in range(item.first, item.last + 1)}
    names = [" ".join(filter(None, (above.get(i), plain_prose(c.header)))) for i, c in enumerate(table.columns)]
    rows = (*table.header_rows, *table.rows)
    texts = [[plain_prose(cell.text) + visible(cell.mark) for cell in row.cells] for row in rows[:_MOST_ROWS]]
    widths = [max(map(columns_in_terminal, column)) for column in zip(names, *texts, strict=True)]
    aligns = [column.align for column in table.columns]
    head, *body = (_even(line, widths, aligns) for line in (names, *texts))
    lines = [head, "  ".join("-" * width for width in widths), *body]
    more = [f"... {len(rows) - _MOST_ROWS} more rows"] if len(rows) > _MOST_ROWS else []
    return "\n".join(lines + more)


def _even(line: Sequence[str], widths: Sequence[int], aligns: Sequence[Align]) -> str:
    cells = []
    for cell, width, align in zip(line, widths, aligns, strict=True):
        free = width - columns_in_terminal(cell)
        before = {"left": 0, "right": free, "center": free // 2}[align]
        cells.append(" " * before + cell + " " * (free - before))
    return "  ".join(cells).rstrip()


def table_as_html(table: Table) -> str:
    """Write a table as HTML; styles stand on its elements, and lines have the colour of the text around."""
    return html_table(_without_caption(table) if in_quarto() else table)


def table_as_markdown(table: Table, appearance: Appearance | None = None) -> str:
    """Write a table as Markdown, in Quarto in pandoc's."""
    if in_quarto():
        return markdown_table(_without_caption(table), flavour="pandoc")
    return markdown_table(table, flavour=(appearance or Appearance()).markdown)


def table_as_latex(table: Table, appearance: Appearance | None = None, lookup: Lookup | None = None) -> str:
    r"""Write a table as LaTeX within a document: no float and no label, works cited in words.

    Needs booktabs alone.

    Parameters
    ----------
    table : Table
        Any.
    appearance : Appearance, optional
        How it is set.
    lookup : Lookup, optional
        Numbers of the tables of the report that it is part of; such a table has its caption in Quarto, too.
    """
    bare = in_quarto() and lookup is None
    lookup = lookup or Lookup()
    look = (appearance or Appearance()).replace(environment="tabular")
    if look.venue == Appearance().venue:  # no paper is meant: notebooks have one column
        look = look.replace(venue="article")
    tabular = _without_comments(latex_table(_cited_in_words(_without_caption(table), lookup), appearance=look))
    if bare:
        return tabular
    named = lookup.named("table", table.name) if lookup.numbers else "Table"
    caption = latex_prose(_words(table.full_caption, lookup), breakable=True)
    below = rf"\noindent\textbf{{{escape_latex(named)}.}} {caption}\par" if caption else ""
    return "\n".join(filter(None, (r"\begin{center}", tabular.rstrip(), r"\end{center}", below))) + "\n"


def report_as_html(report: Report) -> str:
    """Write a report as a piece of HTML: headings of a low level, figures in it, no style that reaches beyond it."""
    lookup = Lookup(numbers=numbers(report))
    parts = [f"<h3>{escape_html(report.title)}</h3>"]
    for section in report.sections:
        parts.append(f"<h4>{escape_html(section.title)}</h4>")
        parts.extend(_html_block(block, lookup) for block in section.blocks)
    parts.append(f'<p style="font-size: smaller;"><code>{escape_html(report.signature.line)}</code></p>')
    return '<div class="reportkit">\n' + "\n".join(parts) + "\n</div>\n"


def report_as_latex(report: Report) -> str:
    r"""Write a report as a piece of LaTeX, for a document that has a preamble: it needs booktabs alone.

    Figures are not files there: their captions stand in their places.
    """
    lookup = Lookup(numbers=numbers(report))
    parts = [rf"\subsection*{{{escape_latex(report.title, breakable=True)}}}"]
    for section in report.sections:
        parts.append(rf"\subsubsection*{{{escape_latex(section.title)}}}")
        parts.extend(_latex_block(block, lookup, report.appearance).rstrip() for block in section.blocks)
    signature = escape_latex(report.signature.line, breakable=True, typewriter=True)
    parts.append(rf"{{\footnotesize\raggedright\texttt{{{signature}}}\par}}")
    return "\n\n".join(parts) + "\n"


def _html_block(block: Block, lookup: Lookup) -> str:
    match block:
        case Table():
            return f'<div style="overflow-x: auto;">{html_table(block, lookup=lookup)}</div>'
        case Figure():
            caption = html_prose(block.caption, lookup)
            named = escape_html(lookup.named("figure", block.name))
            return (
                f'<figure style="margin: 1em 0;">{_image(block)}\n'
                f"<figcaption><strong>{named}.</strong> {caption}</figcaption></figure>"
            )
        case Paragraph():
            return f"<p>{html_prose(block.content, lookup)}</p>"
        case Itemize():
            items = "".join(f"<li>{html_prose(item, lookup)}</li>" for item in block.items)
            return f"<ul>{items}</ul>"


def _latex_block(block: Block, lookup: Lookup, look: Appearance) -> str:
    match block:
        case Table():
            return table_as_latex(block, look, lookup)
        case Figure():
            caption = latex_prose(_words(block.caption, lookup), breakable=True)
            named = escape_latex(lookup.named("figure", block.name))
            shown = latex_prose((Text("Not shown here; see "), Text(f'figure("{block.name}")')), breakable=True)
            return rf"\noindent\textbf{{{named}.}} {caption} ({shown}.)\par"
        case Paragraph():
            return latex_prose(_words(block.content, lookup), breakable=True)
        case Itemize():
            items = "\n".join(rf"\item {latex_prose(_words(item, lookup), breakable=True)}" for item in block.items)
            return f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}" if items else ""


def _image(figure: Figure) -> str:
    """Draw the figure as a PNG on white, which is read on a dark page, too."""
    from reportkit.figures.drawing.save import figure_bytes  # matplotlib is loaded only where there is a figure

    content = base64.b64encode(figure_bytes(figure.draw(), "png", dpi=150)).decode("ascii")
    return (
        f'<img alt="{escape_html(figure.alt_text)}" src="data:image/png;base64,{content}" '
        'style="background: white; max-width: 100%;">'
    )


def _without_caption(table: Table) -> Table:
    return dataclasses.replace(table, caption=(), legend=())


def _without_comments(latex: str) -> str:
    """Leave out the comments above, and the sign of one at the end, which would hide what follows."""
    return "\n".join(line for line in latex.splitlines() if not line.startswith("% ")).removesuffix("%") + "\n"


def _cited_in_words(table: Table, lookup: Lookup) -> Table:
    """Write out the citations and references in headers and cells."""

    def row(one: Row) -> Row:
        return dataclasses.replace(one, cells=tuple(map(cell, one.cells)))

    def cell(one: Cell) -> Cell:
        return dataclasses.replace(one, text=_words(one.text, lookup))

    return dataclasses.replace(
        table,
        columns=tuple(dataclasses.replace(one, header=_words(one.header, lookup)) for one in table.columns),
        spanners=tuple(dataclasses.replace(one, header=_words(one.header, lookup)) for one in table.spanners),
        header_rows=tuple(map(row, table.header_rows)),
        rows=tuple(map(row, table.rows)),
    )


def _words(content: Prose, lookup: Lookup) -> Prose:
    """Write out citations and references, for a document that does not have the works and the labels."""
    return joined(
        Text(plain_prose((part,), lookup)) if isinstance(part, (Cite, Reference)) else part for part in content
    )
