r"""The type of a figure: face and sizes that match the paper it is printed in.

Papers set in Times get STIXGeneral, papers set in Computer Modern the Computer Modern that comes with matplotlib. That
font holds TeX's characters only, some of them in the places of others (`_` is an accent, `<` an exclamation mark), so a
text is written as TeX writes it, sign by sign; a name with other signs is set in STIXGeneral as a whole. Characters of
other scripts are looked for in fonts that may be installed; what no font holds is an empty box.
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

from reportkit.venues import Venue, venue_of

if TYPE_CHECKING:
    from matplotlib.text import Text

Face = Literal["times", "computer modern"]

BUNDLED = ("STIXGeneral", "DejaVu Serif", "DejaVu Sans")
"""Fonts that come with matplotlib and hold Latin, Greek, Cyrillic, Arabic and most signs."""

_INSTALLED = (
    *("Noto Serif CJK SC", "Noto Sans CJK SC", "Source Han Serif SC", "WenQuanYi Zen Hei", "Droid Sans Fallback"),
    *("Songti SC", "Arial Unicode MS", "SimSun", "MS Mincho", "Malgun Gothic", "Nirmala UI", "Noto Sans Devanagari"),
    *("Noto Sans Bengali", "Noto Sans Tamil", "Noto Sans Thai", "Noto Emoji", "Symbola", "Unifont"),
)
LEAST_SIZE = 6.5
"""Smallest type in points that is read without effort on paper; no text but exponents is smaller."""

_MOST_PAGE = 8.5 * 72
_CAPTION = 70.0  # room on a page for a caption of a few lines
_PLAIN_IN_CM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !#%&'()*+,-./:;=?@[]^`\"")
_WRITTEN_IN_CM = {
    "$": r"\$",
    "_": r"$\_$",
    "<": r"$\!<\!$",
    ">": r"$\!>\!$",
    "|": "$|$",
    "{": r"$\lbrace$",
    "}": r"$\rbrace$",
    "\\": r"$\backslash$",
    "~": r"$\!\sim\!$",
    "−": "${-}$",
    "…": r"$\ldots$",
    "→": r"$\rightarrow$",
    "←": r"$\leftarrow$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "·": r"$\cdot$",
    "α": r"$\alpha$",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Typography:
    """Face and sizes of one figure, in PostScript points.

    Parameters
    ----------
    face : {"times", "computer modern"}
        Typeface of all texts and formulas.
    text, small : float
        Type size of names, and of figures and keys.
    page_height : float
        Greatest height of a figure, which leaves room for a caption.
    """

    face: Face = "times"
    text: float = 8.0
    small: float = 7.0
    page_height: float = _MOST_PAGE

    @property
    def scale(self) -> float:
        """Size relative to the usual type."""
        return self.text / 8.0

    @property
    def line(self) -> float:
        """Distance from one baseline to the next."""
        return 9.5 * self.scale

    @property
    def below_axis(self) -> float:
        """Room under an axis for its ticks and a line of words."""
        return self.small + self.line + 8.0


DRAWING = threading.RLock()
"""matplotlib's settings and its reader of formulas belong to the whole process: one thread draws or measures."""

_current: ContextVar[Typography] = ContextVar("typography", default=Typography())  # noqa: B039 (frozen)


def typography() -> Typography:
    """Return the type in which figures are drawn now; see `set_in`."""
    return _current.get()


@contextmanager
def set_in(chosen: Typography) -> Iterator[None]:
    """Set everything that is drawn inside in this type."""
    token = _current.set(chosen)
    try:
        yield
    finally:
        _current.reset(token)


def typography_of(venue: str | Venue) -> Typography:
    """Return the typography of a venue's figures: one size larger if one column fills the page.

    Raises
    ------
    UnknownNameError
        If there is no such venue.

    Examples
    --------
    >>> typography_of("acl").text, typography_of("neurips").text, typography_of("article").face
    (8.0, 9.0, 'computer modern')
    """
    preset = venue_of(venue) if isinstance(venue, str) else venue
    text = 8.0 if preset.two_columns else 9.0
    return Typography(
        face="computer modern" if preset.face == "computer modern" else "times",
        text=text,
        small=text - 1.0,
        page_height=min(_MOST_PAGE, preset.height * 72 / 72.27 - _CAPTION),
    )


def clean(text: str) -> str:
    r"""Write a text as one line of composed characters, without invisible ones and direction marks.

    Examples
    --------
    >>> clean("movie\n reviews\u202e"), clean("cafe\u0301") == "caf\u00e9"
    ('movie reviews', True)
    """
    composed = unicodedata.normalize("NFC", text)
    spaced = "".join(" " if unicodedata.category(sign) in ("Cc", "Zl", "Zp", "Zs") else sign for sign in composed)
    return " ".join("".join(map(_visible, spaced)).split())


def _visible(sign: str) -> str:
    category = unicodedata.category(sign)
    if category == "Cs":
        return "\ufffd"
    return "" if category == "Cf" or "\ufe00" <= sign <= "\ufe0f" or sign >= "\U000e0100" else sign


@dataclass(frozen=True, slots=True)
class Lettering:
    """Settings by which matplotlib draws one text.

    Parameters
    ----------
    text : str
        With formulas between `$`, if `math`.
    families : tuple of str
        Fonts, the first by preference.
    math : bool
        Whether `$` stands for formulas.
    math_face : {"stix", "cm"}
        matplotlib's name of the fonts of formulas.
    """

    text: str
    families: tuple[str, ...]
    math: bool
    math_face: Literal["stix", "cm"]


@lru_cache(maxsize=4096)
def lettering(text: str, face: Face, *, math: bool = False) -> Lettering:
    r"""Say how a text is drawn in a face; only with `math` is `$` read as the sign of a formula.

    Examples
    --------
    >>> lettering("my_model", "times").text, lettering("my_model", "computer modern").text
    ('my_model', 'my$\\_$model')
    >>> lettering("naïve", "computer modern").families[0]
    'STIXGeneral'
    """
    if math:
        cm = face == "computer modern"
        return Lettering(text, ("cmr10", *BUNDLED) if cm else BUNDLED, True, "cm" if cm else "stix")
    shown = clean(text)
    if face == "computer modern" and all(sign in _PLAIN_IN_CM or sign in _WRITTEN_IN_CM for sign in shown):
        written = "".join(_WRITTEN_IN_CM.get(sign, sign) for sign in shown)
        return Lettering(written, ("cmr10",), "$" in written, "cm")
    others = () if shown.isascii() or all(map(_bundled, shown)) else _installed()
    return Lettering(shown, (*BUNDLED, *others), False, "stix")


def put(artist: Text, text: str, *, math: bool = False) -> None:
    """Let an artist show a text as it is, `$` and all; a formula between `$` only with `math`."""
    letters = lettering(text, typography().face, math=math)
    artist.set_text(letters.text)
    artist.set_fontfamily(list(letters.families))
    artist.set_math_fontfamily(letters.math_face)
    artist.set_parse_math(letters.math)


def _bundled(sign: str) -> bool:
    return sign.isascii() or any(ord(sign) in _characters(family) for family in BUNDLED)


@cache
def _characters(family: str) -> frozenset[int]:
    from matplotlib.font_manager import FontProperties, fontManager, get_font

    return frozenset(get_font(fontManager.findfont(FontProperties(family=[family]))).get_charmap())


@cache
def _installed() -> tuple[str, ...]:
    from matplotlib.font_manager import fontManager

    names = {entry.name for entry in fontManager.ttflist}
    return tuple(family for family in _INSTALLED if family in names)
