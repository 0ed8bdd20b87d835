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

from markupsafe import Markup

from reportkit.appearance import Appearance
from reportkit.rendering.documents import Writer, report_writer
from reportkit.rendering.exports import plain_table
from reportkit.rendering.literature import numbers
from reportkit.rendering.notation import Context, Format, Html, Latex, Markdown
from reportkit.report.model import Block, Figure, Report, Table

QUARTO = "QUARTO_BIN_PATH"
"""Variable of the environment that Quarto sets while it runs a document."""


def in_quarto() -> bool:
    """Return whether Quarto runs the document."""
    return bool(os.environ.get(QUARTO))


def table_formats(table: Table, appearance: Appearance | None = None) -> dict[str, Callable[[], str]]:
    """Return how a table is shown, by MIME type."""
    shown = dataclasses.replace(table, caption="", legend="") if in_quarto() else table
    look = appearance or Appearance()
    flavour = look.replace(markdown="pandoc") if in_quarto() else look
    return {
        "text/plain": lambda: plain_table(table, Context(labels=look.labels)),
        "text/html": lambda: Writer("html", look).table(shown, head=False),
        "text/latex": lambda: bare_latex(shown, look),
        "text/markdown": lambda: Writer("markdown", flavour).table(shown),
    }


def result_formats(
    lines: Sequence[str], table: Table, appearance: Appearance | None = None
) -> dict[str, Callable[[], str]]:
    """Return how a result is shown, by MIME type: the sentences of its summary, and its first table."""
    shown = table_formats(table, appearance)
    return {
        "text/html": lambda: "".join(f"<p>{Html().escape(line)}</p>\n" for line in lines) + shown["text/html"](),
        "text/latex": lambda: (
            "".join(f"\\noindent {Latex().escape(line, True)}\\par\n" for line in lines) + shown["text/latex"]()
        ),
        "text/markdown": lambda: "".join(f"{Markdown().escape(line)}\n\n" for line in lines) + shown["text/markdown"](),
    }


def report_formats(report: Report) -> dict[str, Callable[[], str]]:
    """Return how a report is shown, by MIME type."""
    return {
        "text/plain": lambda: "\n".join((str(Format().write(report.title)), *report.summary)),
        "text/html": lambda: _Piece(report).write(),
        "text/latex": lambda: report_as_latex(report),
        "text/markdown": lambda: report_writer("markdown", report).document(report),
    }


def bare_latex(table: Table, look: Appearance, context: Context | None = None) -> str:
    """Write a table as LaTeX within a document: no float and no label, works cited in words; needs booktabs alone."""
    venue = (
        "article" if look.venue == Appearance().venue else look.venue
    )  # no paper is meant: notebooks have one column
    known = dataclasses.replace(context or Context(), in_words=True)
    writer = Writer("latex", look.replace(environment="tabular", venue=venue), context=known)
    tabular = writer.table(dataclasses.replace(table, caption="", legend=""), head=False)
    tabular = "\n".join(line for line in tabular.splitlines() if not line.startswith("% ")).removesuffix("%")
    if not table.full_caption:
        return tabular + "\n"
    title = known.referred("table", table.name) if known.numbers else "Table"
    caption = writer.notation.write(table.full_caption, running=True)
    below = rf"\noindent\textbf{{{title}.}} {caption}\par"
    return "\n".join([r"\begin{center}", tabular, r"\end{center}", below]) + "\n"


def report_as_latex(report: Report) -> str:
    """Write a report as a piece of LaTeX, for a document that has a preamble: it needs booktabs alone.

    Figures are not files there: their captions stand in their places.
    """
    context = Context(numbers=numbers(report), in_words=True)
    writer = report_writer("latex", report, in_words=True)

    def body(block: Block) -> str:
        match block:
            case Table():
                return bare_latex(block, report.appearance, context)
            case Figure():
                title = context.referred("figure", block.name)
                caption = writer.notation.write(block.caption, running=True)
                return rf"\noindent\textbf{{{title}.}} {caption}\par"
            case _:
                return writer.block(block)

    parts = [rf"\subsection*{{{writer.notation.write(report.title, running=True)}}}"]
    for section in report.sections:
        parts.append(rf"\subsubsection*{{{writer.notation.write(section.title)}}}")
        parts.extend(body(block).rstrip() for block in section.blocks)
    parts.append(rf"{{\footnotesize\raggedright{writer.notation.code(report.signature.line)}\par}}")
    return "\n\n".join(parts) + "\n"


class _Piece(Writer):
    """Write a report as a piece of HTML: headings of a low level, figures in it, no style that reaches beyond it."""

    def __init__(self, report: Report) -> None:
        super().__init__("html", report.appearance, report.signature, context=Context(numbers=numbers(report)))
        self._report = report

    def write(self) -> str:
        """Write it."""
        sections = [
            {"title": one.title, "blocks": self._blocks(one, root="", inline=True)} for one in self._report.sections
        ]
        return self._skeletons.fill(
            "piece", report=self._report, sections=sections, signature=self._report.signature.line
        )

    def block(self, block: Block, **_: object) -> str:
        """Write one block of a section."""
        if not isinstance(block, Figure):
            return super().block(block)
        from reportkit.figures.drawing.save import figure_bytes  # matplotlib is loaded only where there is a figure

        content = base64.b64encode(figure_bytes(block.draw(), "png", dpi=150)).decode("ascii")
        image = (
            f'<img alt="{self.notation.escape(block.alt_text)}" src="data:image/png;base64,{content}" '
            'style="background: white; max-width: 100%;">'
        )
        return self.figure(block, svg=Markup(image))  # noqa: S704 - escaped here
