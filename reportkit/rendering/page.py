"""A report as one HTML page: to be read before submission, without a network, by eye or by ear."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias
from xml.etree import ElementTree as ET

from markupsafe import Markup

from reportkit.rendering.documents import Writer
from reportkit.rendering.exports import csv_table
from reportkit.rendering.literature import numbers
from reportkit.rendering.notation import Context
from reportkit.rendering.text.escaping import coded, visible
from reportkit.report.model import Block, Figure, Paragraph, Report, Table

Picture = Literal["svg", "pdf", "png"]
Images: TypeAlias = Mapping[str, Mapping[Picture, bytes]]
"""By the name of the figure, and by format."""

_ID_LINK = re.compile(r"url\(#([^)]+)\)")
_SCALE = 1.5
"""Letters of 8 pt, right in print, are small on a screen."""

_WITHOUT_USE = frozenset({"metadata", "style", "script", "title", "desc"})


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


def inline_svg(image: bytes, *, prefix: str, title: str, description: str) -> str:
    """Prepare an SVG file of matplotlib to stand in an HTML page.

    Parameters
    ----------
    image : bytes
        As `reportkit.figures.drawing.save.figure_bytes` gives it.
    prefix : str
        Begins every id, so that several figures stand on one page.
    title, description : str
        What a screen reader says; plain text.

    Returns
    -------
    str
        One `svg` element without namespaces, prolog, metadata, style sheet and background: the page shows through. It
        scales with the page, and no rule in it reaches what is outside.

    Examples
    --------
    >>> image = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path id="a" d="M 0 0"/></svg>'
    >>> print(inline_svg(image, prefix="forest", title="Figure 1", description="One dot."))
    <svg viewBox="0 0 9 9" role="img" aria-labelledby="forest-title forest-description" stroke-linejoin="round"
    stroke-linecap="butt"><title id="forest-title">Figure 1</title><desc id="forest-description">One
    dot.</desc><path id="forest-a" d="M 0 0" /></svg>
    """
    root = ET.fromstring(image)  # noqa: S314 - written by matplotlib in this process
    for parent in list(root.iter()):
        for child in list(parent):
            if _local(child.tag) in _WITHOUT_USE:
                parent.remove(child)
    for element in root.iter():
        element.tag = _local(element.tag)
        element.attrib = {_local(name): _linked(name, value, prefix) for name, value in element.attrib.items()}
        element.text, element.tail = (text if text and text.strip() else None for text in (element.text, element.tail))
    for group in root.iter("g"):  # matplotlib fills the whole figure first; the page has a colour of its own
        for path in group.iter("path") if group.attrib.get("id") == f"{prefix}-patch_1" else ():
            path.attrib["style"] = re.sub(r"fill: *#ffffff", "fill: none", path.attrib.get("style", ""))
    attributes = {"viewBox": root.attrib["viewBox"]}
    if size := re.fullmatch(r"([\d.]+)pt", root.attrib.get("width", "")):
        attributes["style"] = f"width: {_SCALE * float(size[1]):.4g}pt"
    attributes |= {"role": "img", "aria-labelledby": f"{prefix}-title {prefix}-description"}
    svg = ET.Element("svg", {**attributes, "stroke-linejoin": "round", "stroke-linecap": "butt"})
    ET.SubElement(svg, "title", {"id": f"{prefix}-title"}).text = visible(title)
    ET.SubElement(svg, "desc", {"id": f"{prefix}-description"}).text = visible(description)
    svg.extend(list(root))
    return ET.tostring(svg, encoding="unicode")


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _linked(name: str, value: str, prefix: str) -> str:
    """Return one attribute, with the ids in it under the prefix."""
    match _local(name):
        case "id":
            return f"{prefix}-{value}"
        case "href" if value.startswith("#"):
            return f"#{prefix}-{value[1:]}"
        case _:
            return _ID_LINK.sub(rf"url(#{prefix}-\1)", value)


class Page(Writer):
    """Write a report as one page.

    Parameters
    ----------
    report : Report
        Any.
    templates : sequence of Path
        Folders with templates of a user: `html/report.html.jinja` is the page, `style` and `script` what it looks like
        and does.
    images : mapping, optional
        Pictures by figure and format, where they are drawn already.
    """

    def __init__(self, report: Report, *, templates: Sequence[Path] = (), images: Images | None = None) -> None:
        context = Context(numbers=numbers(report), linked=True)
        super().__init__("html", report.appearance, report.signature, templates=templates, context=context)
        self._report, self._images = report, images_of(report, ("svg",)) if images is None else images
        apart = Context(numbers=context.numbers)
        self._copied = {
            name: Writer(name.lower(), report.appearance, report.signature, templates=templates, context=apart)
            for name in ("LaTeX", "Markdown")
        }

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
            style=Markup(self._skeletons.fill("style")),  # noqa: S704 - a template
            script=Markup(script),  # noqa: S704
            script_hash=Markup(f"sha256-{digest}"),  # noqa: S704
        )

    def document(self, report: Report, **more: Any) -> str:  # noqa: D102
        anchors = [f"section-{number}" for number in range(1, len(report.sections) + 1)]
        return super().document(report, anchors=anchors, **more)

    def block(self, block: Block, **_: Any) -> str:
        """Write one block of a section, with what its buttons copy."""
        match block:
            case Table():
                texts = {name: writer.table(block) for name, writer in self._copied.items()}
                copied = _sources({**texts, "CSV": csv_table(block)})
                return self.table(block, head=False, skeleton="sortable", sources=copied)
            case Figure():
                title = self._title(block)
                svg = inline_svg(
                    self._images[block.name]["svg"],
                    prefix=f"svg-{block.name}",
                    title=title,
                    description=block.alt_text,
                )
                return self.figure(block, svg=Markup(svg))  # noqa: S704 - written by matplotlib
            case Paragraph():
                texts = {name: writer.paragraph(block) for name, writer in self._copied.items() if block.name}
                return self._skeletons.fill(
                    "paragraph", content=block.content, title="Paragraph", sources=_sources(texts)
                )
            case _:
                return super().block(block)


def _sources(texts: Mapping[str, str]) -> list[tuple[str, Markup]]:
    """Escape texts as they are, lines and spaces included: a page shows none of their signs."""
    return [
        (name, Markup("\n".join(html.escape(coded(line), quote=True) for line in text.split("\n"))))  # noqa: S704
        for name, text in texts.items()
    ]
