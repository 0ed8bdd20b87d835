"""Tables and reports in a notebook: HTML and Markdown, by MIME type."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence

from markupsafe import Markup

from reportkit.appearance import Appearance
from reportkit.rendering.documents import Writer, report_writer
from reportkit.rendering.exports import plain_table
from reportkit.rendering.literature import numbers
from reportkit.rendering.notation import Context, Format, Html, Markdown
from reportkit.report.model import Block, Figure, Report, Table


def table_formats(table: Table, appearance: Appearance | None = None) -> dict[str, Callable[[], str]]:
    """Return how a table is shown, by MIME type."""
    look = appearance or Appearance()
    return {
        "text/plain": lambda: plain_table(table, Context(labels=look.labels)),
        "text/html": lambda: Writer("html", look).table(table, head=False),
        "text/markdown": lambda: Writer("markdown", look).table(table),
    }


def result_formats(
    lines: Sequence[str], table: Table, appearance: Appearance | None = None
) -> dict[str, Callable[[], str]]:
    """Return how a result is shown, by MIME type: the sentences of its summary, and its first table."""
    shown = table_formats(table, appearance)
    return {
        "text/html": lambda: "".join(f"<p>{Html().escape(line)}</p>\n" for line in lines) + shown["text/html"](),
        "text/markdown": lambda: "".join(f"{Markdown().escape(line)}\n\n" for line in lines) + shown["text/markdown"](),
    }


def report_formats(report: Report) -> dict[str, Callable[[], str]]:
    """Return how a report is shown, by MIME type."""
    return {
        "text/plain": lambda: "\n".join((str(Format().write(report.title)), *report.summary)),
        "text/html": lambda: _Piece(report).write(),
        "text/markdown": lambda: report_writer("markdown", report).document(report),
    }


class _Piece(Writer):
    """Write a report as a piece of HTML: headings of a low level, figures in it, no style that reaches beyond it."""

    def __init__(self, report: Report) -> None:
        super().__init__("html", report.appearance, report.signature, context=Context(numbers=numbers(report)))
        self._report = report

    def write(self) -> str:
        """Write it."""
        sections = self._sections(self._report.sections)
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
