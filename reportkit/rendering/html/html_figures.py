"""Figures inside an HTML page: SVG that clashes with nothing else on the page, and that a screen reader can say."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from reportkit.rendering.text.escaping import visible

_ID_LINK = re.compile(r"url\(#([^)]+)\)")
_SHARED = {"stroke-linejoin": "round", "stroke-linecap": "butt"}
_SCALE = 1.35
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
