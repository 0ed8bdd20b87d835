"""Figures inside an HTML page."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from reportkit.figures.drawing.save import figure_bytes
from reportkit.rendering.html.html_figures import inline_svg
from tests.rendering.conftest import HOSTILE, line_figure

SVG = (
    b'<?xml version="1.0"?><!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg" '
    b'xmlns:xlink="http://www.w3.org/1999/xlink" width="219.6pt" viewBox="0 0 9 9"><metadata>x</metadata>'
    b'<defs><style type="text/css">*{stroke-linejoin: round}</style><path id="m1" d="M 0 0"/>'
    b'<clipPath id="c"/></defs><g id="patch_1"><path style="fill: #ffffff"/></g>'
    b'<g clip-path="url(#c)"><use xlink:href="#m1"/></g></svg>'
)


def test_ids_are_under_the_prefix_and_links_follow_them() -> None:
    """In `id`, in `href` and in `url(#...)`; namespaces, metadata and style sheets are gone."""
    text = inline_svg(SVG, prefix="p", title="t", description="d")
    assert 'id="p-m1"' in text
    assert 'href="#p-m1"' in text
    assert 'clip-path="url(#p-c)"' in text
    assert not re.search("xmlns|xlink|<style|metadata|<!|<[?]", text)
    assert "width: 296.5pt" in text


def test_the_page_shows_through() -> None:
    """The white ground of the whole figure is gone, other whites stay."""
    assert "fill: none" in inline_svg(SVG, prefix="p", title="t", description="d")
    other = SVG.replace(b"patch_1", b"patch_2")
    assert "fill: #ffffff" in inline_svg(other, prefix="p", title="t", description="d")


@pytest.mark.parametrize("words", HOSTILE)
def test_words_are_words(words: str) -> None:
    """Title and description are text, whatever they hold; the element stays well-formed."""
    root = ET.fromstring(inline_svg(SVG, prefix="p", title=words, description=words))  # noqa: S314 - written here
    assert [child.tag for child in root][:2] == ["title", "desc"]
    assert root[0].text == root[1].text


def test_a_figure_of_matplotlib() -> None:
    """Two on one page share no id, nothing points outside, and the same figure gives the same text."""
    image = figure_bytes(line_figure().draw(), "svg")
    one, two = (inline_svg(image, prefix=prefix, title="t", description="d") for prefix in ("a", "b"))
    ids = [set(re.findall(r' id="([^"]+)"', text)) for text in (one, two)]
    assert len(ids[0]) > 5
    assert ids[0].isdisjoint(ids[1])
    assert set(re.findall(r'href="#([^"]+)"', one)) | set(re.findall(r"url\(#([^)]+)\)", one)) <= ids[0]
    assert "http" not in one
    assert one == inline_svg(image, prefix="a", title="t", description="d")
