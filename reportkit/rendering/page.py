"""HTML: a report as one page, to be read without a network, by eye or by ear; and pieces of it in a notebook."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from markupsafe import Markup

from reportkit.appearance import Appearance
from reportkit.rendering.documents import Writer, report_writer
from reportkit.rendering.exports import csv_table, plain_table
from reportkit.rendering.literature import numbers
from reportkit.rendering.notation import Context, Format, Html, Markdown
from reportkit.rendering.text.escaping import coded, visible
from reportkit.report.model import Block, Figure, Paragraph, Report, Table

Picture = Literal["svg", "pdf", "png"]
Images: TypeAlias = Mapping[str, Mapping[Picture, bytes]]
"""Pictures by the name of the figure and by format."""

_SCALE = 1.5
"""Letters of 8 pt, right in print, are small on a screen."""


def images_of(report: Report, formats: Iterable[Picture] = ("svg", "pdf", "png")) -> Images:
    """Draw the figures of a report, each once."""
    if not report.figures:
        return {}
    # matplotlib is loaded only where there is a figure
    from reportkit.figures.drawing.save import figure_bytes

    note, wanted = visible(report.signature.line), tuple(formats)
    found = {}
    for figure in report.figures:
        drawn = figure.draw()
        found[figure.name] = {each: figure_bytes(drawn, each, note="" if each == "svg" else note) for each in wanted}
    return found


class Page(Writer):
    """Write a report as one page, or as a piece of one.

    Parameters
    ----------
    report : Report
        Any.
    templates : sequence of Path
        Folders with templates of a user: `html/report.html.jinja` is the page, `style` and `script` what it looks like
        and does.
    images : mapping, optional
        Pictures by figure and format, where they are drawn already.
    piece : bool
        Whether it is in a notebook: headings of a low level, nothing to copy, no style that reaches beyond it.
    """

    def __init__(
        self, report: Report, *, templates: Sequence[Path] = (), images: Images | None = None, piece: bool = False
    ) -> None:
        context = Context(numbers=numbers(report), linked=not piece)
        super().__init__("html", report.appearance, report.signature, templates=templates, context=context)
        self._report = report
        self._kind: Picture = "png" if piece else "svg"
        self._images = images_of(report, (self._kind,)) if images is None else images
        self._copied = (
            {}
            if piece
            else {
                name: Writer(
                    name.lower(),
                    report.appearance,
                    report.signature,
                    templates=templates,
                    context=Context(numbers=context.numbers),
                )
                for name in ("LaTeX", "Markdown")
            }
        )

    def page(self) -> str:
        """Write the page, with figures, style sheet and script in it; nothing is loaded from elsewhere.

        Raises
        ------
        RenderingError
            If a template of the user fails, or a reference points to a table or figure that the report does not have.
        UnknownNameError
            If a work is cited that is not in the literature.
        """
        script = self._skeletons.fill("script")
        digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
        return self.document(
            self._report,
            anchors=[f"section-{number}" for number in range(1, len(self._report.sections) + 1)],
            style=Markup(self._skeletons.fill("style")),  # noqa: S704 - a template
            script=Markup(script),  # noqa: S704
            script_hash=Markup(f"sha256-{digest}"),  # noqa: S704
        )

    def piece(self) -> str:
        """Write the report for a cell of a notebook."""
        sections = self._sections(self._report.sections)
        return self._skeletons.fill(
            "piece", report=self._report, sections=sections, signature=self._report.signature.line
        )

    def block(self, block: Block, **_: Any) -> str:
        """Write one block of a section, with what its buttons copy."""
        match block:
            case Table() if self._copied:
                texts = {name: writer.table(block) for name, writer in self._copied.items()}
                copied = _sources({**texts, "CSV": csv_table(block)})
                return self.table(block, head=False, skeleton="sortable", sources=copied)
            case Figure():
                return self.figure(block, image=self._image(block))
            case Paragraph() if block.name and self._copied:
                copied = _sources({name: writer.paragraph(block) for name, writer in self._copied.items()})
                return self._skeletons.fill("paragraph", content=block.content, title="Paragraph", sources=copied)
            case _:
                return super().block(block)

    def _image(self, figure: Figure) -> Markup:
        """Write the picture of a figure, which holds its content; without a background where the page shows through."""
        content = self._images[figure.name][self._kind]
        style = "background: white; max-width: 100%;"
        if self._kind == "svg":
            width = re.search(rb'<svg [^>]*?width="([\d.]+)pt"', content)
            style = f"width: {_SCALE * float(width[1]):.4g}pt;" if width else ""
        kind = "png" if self._kind == "png" else "svg+xml"
        source = f"data:image/{kind};base64,{base64.b64encode(content).decode('ascii')}"
        alt = self.notation.escape(figure.alt_text)
        return Markup(f'<img alt="{alt}" src="{source}" style="{style}">')  # noqa: S704 - escaped here


def _sources(texts: Mapping[str, str]) -> list[tuple[str, Markup]]:
    """Escape the sources that a page copies, with their lines and spaces."""
    return [
        (name, Markup("\n".join(html.escape(coded(line), quote=True) for line in text.split("\n"))))  # noqa: S704
        for name, text in texts.items()
    ]


def table_formats(table: Table, appearance: Appearance | None = None) -> dict[str, Callable[[], str]]:
    """Return how a notebook shows a table, by MIME type."""
    look = appearance or Appearance()
    return {
        "text/plain": lambda: plain_table(table, Context(labels=look.labels)),
        "text/html": lambda: Writer("html", look).table(table, head=False),
        "text/markdown": lambda: Writer("markdown", look).table(table),
    }


def result_formats(
    lines: Sequence[str], table: Table, appearance: Appearance | None = None
) -> dict[str, Callable[[], str]]:
    """Return how a notebook shows a result, by MIME type: the sentences of its summary, and its first table."""
    shown = table_formats(table, appearance)
    return {
        "text/html": lambda: "".join(f"<p>{Html().escape(line)}</p>\n" for line in lines) + shown["text/html"](),
        "text/markdown": lambda: "".join(f"{Markdown().escape(line)}\n\n" for line in lines) + shown["text/markdown"](),
    }


def report_formats(report: Report) -> dict[str, Callable[[], str]]:
    """Return how a notebook shows a report, by MIME type."""
    return {
        "text/plain": lambda: "\n".join((str(Format().write(report.title)), *report.summary)),
        "text/html": lambda: Page(report, piece=True).piece(),
        "text/markdown": lambda: report_writer("markdown", report).document(report),
    }
