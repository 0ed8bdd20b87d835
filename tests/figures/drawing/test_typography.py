"""Type: the face and the sizes of the venue, every sign as itself, widths as drawn."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.font_manager import FontProperties, fontManager, get_font
from matplotlib.mathtext import MathTextParser

from reportkit.figures.drawing.lettering import text_width
from reportkit.figures.drawing.new_figure import new_figure
from reportkit.figures.drawing.style import style, write
from reportkit.figures.drawing.typography import LEAST_SIZE, Typography, lettering, set_in, typography, typography_of
from reportkit.venues import VENUES

CM = Typography(face="computer modern")
ASCII = "".join(map(chr, range(0x20, 0x7F)))


@pytest.mark.parametrize("venue", VENUES)
def test_type_goes_with_the_venue(venue: str) -> None:
    """Computer Modern where the paper is set in it, a size larger where one column fills the page; never too small."""
    chosen, preset = typography_of(venue), VENUES[venue]
    assert (chosen.face == "computer modern") == (preset.face == "computer modern")
    assert (chosen.text, chosen.small) == ((8.0, 7.0) if preset.two_columns else (9.0, 8.0))
    assert LEAST_SIZE <= chosen.small < chosen.text <= preset.base_size
    assert chosen.page_height <= preset.text_height * 72 / 72.27 - 60


def test_type_holds_inside_only() -> None:
    """What was before comes back, also after an error."""
    assert typography() == Typography()
    with style(CM):
        assert typography() == CM
    with pytest.raises(ZeroDivisionError), set_in(CM):
        raise ZeroDivisionError
    assert typography() == Typography()


@pytest.mark.parametrize("face", ["times", "computer modern"])
@pytest.mark.parametrize(
    "text", [ASCII, "+3.1 −2.5 ≤ ≥ ± × · … ← →", "task_01_new", "a<b>c", "$5 to $10", "naïve 中 R&D"]
)
def test_width_is_that_of_the_drawn_text(text: str, face: str) -> None:
    """In both faces the measured width agrees with the extent of the text drawn by Agg to 1%."""
    chosen = Typography(face=face)  # type: ignore[arg-type]
    with style(chosen):
        figure = new_figure(900, 40)
        figure.set_dpi(300)
        drawn = write(figure, 5, 10, text).get_window_extent(figure.canvas.get_renderer()).width
        assert text_width(text, 8.0) == pytest.approx(drawn * 72 / 300, rel=0.01)


USUAL = {
    "_": "underscore", "<": "less", ">": "greater", "|": "bar", "{": "braceleft", "}": "braceright",
    "\\": "backslash", "~": "similar", "$": "dollar", "−": "minus", "α": "alpha", "±": "plusminus", "×": "multiply",
    "≤": "lessequal", "≥": "greaterequal", "→": "arrowright", "←": "arrowleft",
    '"': "quotedblright", "'": "quoteright", "`": "quoteleft", "^": "circumflex", "-": "hyphen",
}  # fmt: skip
"""Names of the glyphs of Computer Modern; quotes are typographic, as TeX sets them."""


@pytest.mark.parametrize("sign", [*USUAL, *sorted(set(ASCII) - set(" ") - set(USUAL))])
def test_every_sign_has_its_own_glyph_in_computer_modern(sign: str) -> None:
    """cmr10 has other glyphs in the places of some signs; each is drawn with the glyph that bears its name."""
    letters = lettering(sign, "computer modern")
    font = FontProperties(family=list(letters.families), size=8, math_fontfamily=letters.math_face)
    if letters.math:
        glyphs = [(glyph[0], glyph[2]) for glyph in MathTextParser("path").parse(letters.text, 72, font).glyphs]
    else:
        glyphs = [(get_font(fontManager.findfont(font)), ord(letters.text))]
    expected = USUAL.get(sign) or unicodedata.name(sign).split()[-1].lower()
    names = [file.get_glyph_name(file.get_char_index(code)) for file, code in glyphs]
    assert len(names) == 1
    known = {expected, sign, f"{expected}sign", *_WORDS.get(sign, ())}
    assert names[0] in known or names[0].lower() in known, names


_WORDS = {
    "!": ("exclam",), "#": ("numbersign",), "%": ("percent",), "&": ("ampersand",), "(": ("parenleft",),
    ")": ("parenright",), "*": ("asterisk",), "+": ("plus",), ",": ("comma",), ".": ("period",), "/": ("slash",),
    ":": ("colon",), ";": ("semicolon",), "=": ("equal",), "?": ("question",), "@": ("at",), "[": ("bracketleft",),
    "]": ("bracketright",),
}  # fmt: skip


@given(st.text(st.sampled_from(ASCII + "−…→←≤≥×±·α"), max_size=30))
@settings(deadline=None, max_examples=150)
def test_computer_modern_text_is_a_formula_that_matplotlib_reads(text: str) -> None:
    """Any run of TeX's signs, dollars among them, is drawn without an error, and with ink if it has any sign."""
    with style(CM):
        figure = new_figure(900, 40)
        drawn = write(figure, 5, 10, text)
        box = drawn.get_window_extent(figure.canvas.get_renderer())
        assert (box.width > 0) == bool(text.split())
    assert lettering(text, "computer modern").families[0] == "cmr10"


def test_names_beyond_tex_are_set_in_one_face() -> None:
    """A name with an accent or of another script is not half in one face and half in the other."""
    for name in ("naïve_bayes", "中文情感", "Zürich", "emoji 😀"):
        assert lettering(name, "computer modern").families[0] == "STIXGeneral"
        assert not lettering(name, "computer modern").math
    assert lettering("$x$", "times").math is False
