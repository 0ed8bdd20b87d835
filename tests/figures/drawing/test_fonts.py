"""Fonts: every name can be drawn, and what cannot is a box without a warning."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.font_manager import fontManager

from reportkit.figures.drawing import fonts
from reportkit.figures.drawing.lettering import _width, text_width
from reportkit.figures.drawing.new_figure import new_figure
from reportkit.figures.drawing.save import figure_bytes
from reportkit.figures.drawing.style import style, write
from reportkit.figures.drawing.typography import lettering

PRIVATE = "\ue123"  # a character that no font of this machine can be expected to have
ANYTHING = st.text(st.characters(exclude_categories=()), max_size=12)  # lone surrogates too


def _forget() -> None:
    fonts._available.cache_clear()
    fonts._characters.cache_clear()
    _width.cache_clear()
    lettering.cache_clear()


def _font_with_private_character(path: Path, *, truetype: bool) -> None:
    pen = TTGlyphPen(None) if truetype else T2CharStringPen(600, None)
    pen.moveTo((50, 0))
    pen.lineTo((50, 700))
    pen.lineTo((550, 0))
    pen.closePath()
    empty = TTGlyphPen(None).glyph() if truetype else T2CharStringPen(600, None).getCharString()
    shape = pen.glyph() if truetype else pen.getCharString()
    builder = FontBuilder(1000, isTTF=truetype)
    builder.setupGlyphOrder([".notdef", "private"])
    builder.setupCharacterMap({ord(PRIVATE): "private"})
    outlines = {".notdef": empty, "private": shape}
    if truetype:
        builder.setupGlyf(outlines)
    else:
        builder.setupCFF("Private-Regular", {}, outlines, {})
    builder.setupHorizontalMetrics({".notdef": (600, 0), "private": (600, 50)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Private", "styleName": "Regular", "psName": "Private-Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)


@pytest.fixture(params=["truetype", "cff"])
def installed(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Install a font made on the spot, with TrueType or CFF outlines, that alone holds a private character."""
    path = tmp_path / ("private.ttf" if request.param == "truetype" else "private.otf")
    _font_with_private_character(path, truetype=request.param == "truetype")
    known = list(fontManager.ttflist)
    fontManager.addfont(path)
    monkeypatch.setattr(fonts, "INSTALLED", ("Private",))
    _forget()
    yield request.param
    fontManager.ttflist[:] = known
    fontManager._findfont_cached.cache_clear()
    _forget()


def test_specials_of_formulas_and_typesetters_are_kept() -> None:
    """A name with dollars, backslashes, braces and accents is drawn as it is."""
    name = "R&D_50%~{x}\\^$#  <é→ß>"
    assert fonts.drawable(name) == "R&D_50%~{x}\\^$# <é→ß>"


def test_line_breaks_and_direction_marks_do_not_reach_the_figure() -> None:
    """Line breaks and tabs become one space, override marks and variation selectors vanish, surrogates are replaced."""
    assert fonts.drawable("a\r\n\tb\u202ec\u200d\ufe0f\ud800") == "a bc\ufffd"


def test_missing_characters_are_boxes() -> None:
    """A character without a glyph becomes a box, and the others stay."""
    assert fonts.drawable(f"a{PRIVATE}b") == f"a{fonts.BOX}b"


@given(ANYTHING)
@settings(deadline=None, max_examples=60)
def test_no_text_warns(text: str) -> None:
    """Any text whatever is measured and drawn without a warning (warnings are errors here)."""
    text_width(text, 8.0)
    with style():
        figure = new_figure(100, 30)
        write(figure, 1, 10, text)
        figure.draw(figure.canvas.get_renderer())


@given(ANYTHING)
@settings(deadline=None, max_examples=60)
def test_drawable_text_stays_as_it_is(text: str) -> None:
    """What has been made drawable is not changed by doing it again."""
    assert fonts.drawable(fonts.drawable(text)) == fonts.drawable(text)


def test_an_installed_font_is_used_where_the_bundled_ones_have_no_glyph(installed: str) -> None:
    """A character of an installed font is drawn, with that font behind the bundled ones, and embedded properly."""
    assert fonts.drawable(PRIVATE) == PRIVATE
    assert fonts.families(f"a{PRIVATE}") == [fonts.BUNDLED[0], "Private"]
    assert fonts.families("a") == [fonts.BUNDLED[0]]
    assert text_width(PRIVATE, 10.0) == pytest.approx(0.6 * 10.0, abs=0.06)
    assert fonts.embeds_as_truetype("Private") is (installed == "truetype")
    with style():
        figure = new_figure(100, 30)
        write(figure, 1, 10, f"a{PRIVATE}")
    content = figure_bytes(figure, "pdf")
    assert (b"/Subtype /Type3" in content) is (installed == "cff")
    assert (b"/CIDFontType2" in content) is (installed == "truetype")


def test_font_collections_are_read_at_their_first_font(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A .ttc file is judged by the tag of its first font."""
    for tag, expected in ((b"\0\1\0\0", True), (b"OTTO", False)):
        path = tmp_path / "collection.ttc"
        path.write_bytes(b"ttcf" + b"\0\1\0\0" + (1).to_bytes(4, "big") + (20).to_bytes(4, "big") + b"\0" * 4 + tag)
        monkeypatch.setattr(fonts, "_file", lambda _, path=path: str(path))
        assert fonts.embeds_as_truetype("Some Collection") is expected
