"""A report as one HTML page: to be read before submission, without a network, by eye or by ear.

Its figures are SVG that clashes with nothing else on the page, and that a screen reader can say.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args
from xml.etree import ElementTree as ET

from reportkit.finding import Severity
from reportkit.rendering.contents import all_prose, cited_keys, in_words
from reportkit.rendering.html.html import html_panel
from reportkit.rendering.html.sources import sources_of
from reportkit.rendering.images import Images, images_of
from reportkit.rendering.latex.latex import check_references
from reportkit.rendering.markdown.markdown import markdown_head, numbers
from reportkit.rendering.templates.environment import Templates, open_templates
from reportkit.rendering.text.escaping import escape_html, visible
from reportkit.rendering.text.inline import Lookup, html_prose
from reportkit.rendering.view import BlockView, FigureView, ItemView, ReportView, SectionView, TableView, WorkView
from reportkit.report.model import Block, Figure, Itemize, Paragraph, Report, Table
from reportkit.report.prose import Prose, Strong

_ID_LINK = re.compile(r"url\(#([^)]+)\)")
_SHARED = {"stroke-linejoin": "round", "stroke-linecap": "butt"}
_SCALE = 1.5
"""Letters of 8 pt, right in print, are small on a screen."""

_WITHOUT_USE = frozenset({"metadata", "style", "script", "title", "desc"})


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
    _without_background(root, prefix)
    svg = ET.Element("svg", _root_attributes(root, prefix))
    ET.SubElement(svg, "title", {"id": f"{prefix}-title"}).text = visible(title)
    ET.SubElement(svg, "desc", {"id": f"{prefix}-description"}).text = visible(description)
    svg.extend(list(root))
    return ET.tostring(svg, encoding="unicode")


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _linked(name: str, value: str, prefix: str) -> str:
    """One attribute, with the ids in it under the prefix."""
    match _local(name):
        case "id":
            return f"{prefix}-{value}"
        case "href" if value.startswith("#"):
            return f"#{prefix}-{value[1:]}"
        case _:
            return _ID_LINK.sub(rf"url(#{prefix}-\1)", value)


def _root_attributes(root: ET.Element, prefix: str) -> dict[str, str]:
    """Keep the size as a style, which gives way on a narrow screen, and say what it is."""
    attributes = {"viewBox": root.attrib["viewBox"]}
    if size := re.fullmatch(r"([\d.]+)pt", root.attrib.get("width", "")):
        attributes["style"] = f"width: {_SCALE * float(size[1]):.4g}pt"
    labels = {"role": "img", "aria-labelledby": f"{prefix}-title {prefix}-description"}
    return {**attributes, **labels, **_SHARED}


def _without_background(root: ET.Element, prefix: str) -> None:
    """Matplotlib fills the whole figure first; the page has a colour of its own."""
    for group in root.iter("g"):
        if group.attrib.get("id") == f"{prefix}-patch_1":
            for path in group.iter("path"):
                path.attrib["style"] = re.sub(r"fill: *#ffffff", "fill: none", path.attrib.get("style", ""))


SEVERITIES: tuple[Severity, ...] = get_args(Severity)


def html_document(report: Report, *, templates: Sequence[Path] = (), images: Images | None = None) -> str:
    """Write a report as one HTML page.

    Parameters
    ----------
    report : Report
        Any.
    templates : sequence of Path
        Folders with templates of a user: `html/report.html.jinja` is the page, `style` and `script` what it looks like
        and does.
    images : mapping, optional
        Pictures by figure and format, where they are drawn already.

    Returns
    -------
    str
        With figures, style sheet and script in it; nothing is loaded from elsewhere, and the page's own policy forbids
        it. A header of a table sorts its rows, and buttons copy it as LaTeX, Markdown or CSV; without the script the
        page reads the same, and what would be copied can be unfolded. Light and dark, as the
        reader's system asks for.

    Raises
    ------
    RenderingError
        If a template of the user fails, or a reference points to a table or figure that the report does not have.
    UnknownNameError
        If a work is cited that is not in the literature.
    """
    check_references(report)
    opened = open_templates("html", tuple(templates))
    lookup = Lookup(numbers=numbers(report), linked=True)
    script = opened.render("script")
    keys = cited_keys(all_prose(report))
    works = sorted((in_words(lookup.references[key]), key) for key in keys)
    anchors = _anchors([section.title for section in report.sections])
    drawn = images_of(report, ("svg",)) if images is None else images
    view = ReportView(
        title=escape_html(report.title),
        plain_title=escape_html(report.title),
        sections=tuple(
            SectionView(
                title=escape_html(section.title),
                blocks=tuple(_block(block, report, opened, lookup, templates, drawn) for block in section.blocks),
                anchor=anchor,
            )
            for section, anchor in zip(report.sections, anchors, strict=True)
        ),
        signature=escape_html(report.signature.line),
        cited=bool(keys),
        works=tuple(WorkView(anchor=escape_html(f"ref-{key}"), words=escape_html(words)) for words, key in works),
        style=opened.render("style"),
        script=script,
        script_hash=_hash(script),
    )
    return opened.render("report", head=markdown_head("report", report.signature), report=view)


def _hash(script: str) -> str:
    """How a browser knows a script: by the bytes between its tags."""
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return "sha256-" + base64.b64encode(digest).decode("ascii")


def _anchors(titles: Sequence[str]) -> list[str]:
    """Ids from titles: letters and digits, each once, none that the page has of its own."""
    taken = {"content", "references", "references-title"}
    anchors = []
    for title in titles:
        stem = "-".join(re.findall("[a-z0-9]+", title.lower()))[:60] or "section"
        anchor, number = stem, 1
        while {anchor, f"{anchor}-title"} & taken:
            number += 1
            anchor = f"{stem}-{number}"
        taken |= {anchor, f"{anchor}-title"}
        anchors.append(anchor)
    return anchors


def _block(
    block: Block, report: Report, opened: Templates, lookup: Lookup, templates: Sequence[Path], images: Images
) -> BlockView:
    """Write a block of the page."""
    kind: Literal["table", "figure", "paragraph", "itemize"]
    match block:
        case Table():
            kind, body = "table", opened.render("sortable", table=_table(block, report, lookup, templates))
        case Figure():
            kind, body = "figure", opened.render("figure", figure=_figure(block, lookup, images))
        case Paragraph():
            kind, body = "paragraph", opened.render("paragraph", content=html_prose(block.content, lookup))
        case Itemize():
            items = tuple(ItemView(content=html_prose(item, lookup), severity=_severity(item)) for item in block.items)
            kind, body = "itemize", opened.render("itemize", items=items) if items else ""
    return BlockView(kind=kind, body=body.rstrip())


def _severity(item: Prose) -> str:
    """What a point of a list begins with, if it is how much it limits the claims; it is said in words as well."""
    first = item[0].text.lower() if item and isinstance(item[0], Strong) else ""
    return first if first in SEVERITIES else ""


def _table(table: Table, report: Report, lookup: Lookup, templates: Sequence[Path]) -> TableView:
    unlinked = dataclasses.replace(lookup, linked=False)
    return TableView(
        floats=((html_panel(table, lookup, page=True),),),
        caption=html_prose(table.full_caption, lookup),
        label=escape_html(table.label),
        title=escape_html(lookup.named("table", table.name)),
        sources=sources_of(table, report, unlinked, templates),
    )


def _figure(figure: Figure, lookup: Lookup, images: Images) -> FigureView:
    title = lookup.named("figure", figure.name)
    image = images[figure.name]["svg"]
    return FigureView(
        path="",
        caption=html_prose(figure.caption, lookup),
        alt_text=escape_html(figure.alt_text),
        label=escape_html(figure.label),
        title=escape_html(title),
        svg=inline_svg(image, prefix=f"svg-{figure.name}", title=title, description=figure.alt_text),
    )
