"""Type and names: every sign as itself in the face of the venue, and different names stay different."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.font_manager import FontProperties, fontManager, get_font
from matplotlib.mathtext import MathTextParser

from reportkit.figures.drawing.names import all_shortened, text_width
from reportkit.figures.drawing.shown import ShownFigure
from reportkit.figures.drawing.style import style
from reportkit.figures.drawing.typography import (
    LEAST_SIZE,
    Typography,
    clean,
    lettering,
    put,
    typography_of,
)
from reportkit.venues import VENUES

CM = Typography(face="computer modern")
ASCII = "".join(map(chr, range(0x20, 0x7F)))
ANYTHING = st.text(st.characters(exclude_categories=()), max_size=12)  # lone surrogates too


@pytest.mark.parametrize("venue", VENUES)
def test_type_goes_with_the_venue(venue: str) -> None:
    """Computer Modern where the paper is set in it, a size larger where one column fills the page; never too small."""
    chosen, preset = typography_of(venue), VENUES[venue]
    assert (chosen.face == "computer modern") == (preset.face == "computer modern")
    assert (chosen.text, chosen.small) == ((8.0, 7.0) if preset.two_columns else (9.0, 8.0))
    assert LEAST_SIZE <= chosen.small < chosen.text <= preset.sizes[0]
    assert chosen.page_height <= preset.height * 72 / 72.27 - 60


def test_line_breaks_and_direction_marks_do_not_reach_the_figure() -> None:
    """Line breaks and tabs become one space, override marks and variation selectors vanish, surrogates are replaced."""
    assert clean("a\r\n\tb\u202ec\u200d\ufe0f\ud800") == "a bc\ufffd"
    assert clean("R&D_50%~{x}\\^$#  <é→ß>") == "R&D_50%~{x}\\^$# <é→ß>"


def drawn(text: str, chosen: Typography | None = None) -> float:
    """Width in points of a text that is drawn; names are never formulas."""
    with style(chosen):
        figure = ShownFigure(figsize=(12, 1), dpi=300)
        written = figure.text(0.1, 0.5, "", fontsize=8.0)
        put(written, text)
        return 72 / 300 * float(written.get_window_extent(figure.canvas.get_renderer()).width)  # type: ignore[attr-defined] # of Agg


@pytest.mark.slow
@given(ANYTHING)
@settings(deadline=None, max_examples=60)
def test_any_text_is_drawn_without_a_warning(text: str) -> None:
    """Measured too (warnings are errors here)."""
    with style():
        text_width(text, 8.0)
    drawn(text)


@pytest.mark.parametrize("chosen", [Typography(), CM], ids=["times", "cm"])
@pytest.mark.parametrize("text", [ASCII, "+3.1 −2.5 ≤ ≥ ± × · … ← →", "task_01_new", "a<b>c", "$5 to $10", "naïve R&D"])
def test_width_is_that_of_the_drawn_text(text: str, chosen: Typography) -> None:
    """In both faces the measured width agrees with the extent of the text drawn by Agg to 1%."""
    with style(chosen):
        measured = text_width(text, 8.0)
    assert measured == pytest.approx(drawn(text, chosen), rel=0.01)


USUAL = {
    "_": "underscore", "<": "less", ">": "greater", "|": "bar", "{": "braceleft", "}": "braceright",
    "\\": "backslash", "~": "similar", "$": "dollar", "−": "minus", "α": "alpha", "±": "plusminus", "×": "multiply",
    "≤": "lessequal", "≥": "greaterequal", "→": "arrowright", "←": "arrowleft", "↑": "arrowup", "↓": "arrowdown",
    '"': "quotedblright", "'": "quoteright", "`": "quoteleft", "^": "circumflex", "-": "hyphen",
    "!": "exclam", "#": "numbersign", "%": "percent", "&": "ampersand", "(": "parenleft", ")": "parenright",
    "*": "asterisk", "+": "plus", ",": "comma", ".": "period", "/": "slash", ":": "colon", ";": "semicolon",
    "=": "equal", "?": "question", "@": "at", "[": "bracketleft", "]": "bracketright",
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
    (name,) = (file.get_glyph_name(file.get_char_index(code)) for file, code in glyphs)
    expected = USUAL.get(sign) or unicodedata.name(sign).split()[-1].lower()
    assert name.lower() in {expected, sign.lower(), f"{expected}sign"}


def test_names_beyond_tex_are_set_in_one_face() -> None:
    """A name with an accent or of another script is not half in one face and half in the other."""
    for name in ("naïve_bayes", "中文情感", "Zürich", "emoji 😀"):
        assert lettering(name, "computer modern").families[0] == "STIXGeneral"
    assert lettering("$x$", "times").math is False


@given(st.lists(st.text("ab_-/ ", min_size=1, max_size=40), min_size=1, max_size=6, unique=True), st.floats(30, 90))
@settings(deadline=None, max_examples=60)
def test_names_fit_and_different_ones_stay_different(names: list[str], width: float) -> None:
    """However alike they are."""
    known = list(dict.fromkeys(map(clean, names)))
    found = all_shortened(known, width, 8.0)
    assert all(text_width(name, 8.0) <= width + 1e-6 for name in found)
    assert len(set(found)) == len(known)
