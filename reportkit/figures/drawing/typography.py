r"""In which type a figure is set: the face and the sizes that go with the paper it is printed in.

Papers set in Times get STIXGeneral, papers set in Computer Modern the Computer Modern that comes with matplotlib. That
font holds TeX's characters only, some of them in the places of others (`_` is an accent, `<` an exclamation mark), so a
text is written as TeX writes it, sign by sign; a name with other signs is set in STIXGeneral as a whole. Nothing
depends on what is installed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from reportkit.figures.drawing.fonts import BUNDLED, drawable, families
from reportkit.venues import Venue, venue_of

Face = Literal["times", "computer modern"]

LEAST_SIZE = 6.5
"""Smallest type in points that is read without effort on paper; no text but exponents is smaller."""

_MOST_PAGE = 8.5 * 72
_CAPTION = 70.0  # room on a page for a caption of a few lines
_CM = ("cmr10", *BUNDLED)
_PLAIN_IN_CM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 !#%&'()*+,-./:;=?@[]^`\"")
_WRITTEN_IN_CM = {
    "$": r"\$",
    "_": r"$\_$",
    "<": r"$\!<\!$",  # without the space around a relation
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
        Of all texts and formulas.
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
        """How much larger than the usual type it is."""
        return self.text / 8.0

    @property
    def line(self) -> float:
        """From one baseline to the next."""
        return 9.5 * self.scale

    @property
    def below_axis(self) -> float:
        """Room under an axis for its ticks and a line of words."""
        return self.ticks + self.line + 3

    @property
    def ticks(self) -> float:
        """Height of ticks and their labels."""
        return self.small + 5.0


@dataclass(frozen=True, slots=True)
class Lettering:
    """How matplotlib is asked to draw one text.

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


DRAWING = threading.RLock()
"""matplotlib's settings and its reader of formulas belong to the whole process: one thread draws or measures."""

_USUAL = Typography()
_current: ContextVar[Typography] = ContextVar("typography", default=_USUAL)


def typography() -> Typography:
    """What is drawn now is set in this; see `set_in`."""
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
    """Type of the figures of a venue: a size larger where one column fills the page.

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


@lru_cache(maxsize=4096)
def lettering(text: str, face: Face, *, math: bool = False) -> Lettering:
    r"""How a text is drawn in a face; only with `math` is `$` read as the sign of a formula.

    Examples
    --------
    >>> lettering("my_model", "times").text, lettering("my_model", "computer modern").text
    ('my_model', 'my$\\_$model')
    >>> lettering("naïve", "computer modern").families[0]
    'STIXGeneral'
    """
    if math:
        return Lettering(text, _CM, True, "cm") if face == "computer modern" else Lettering(text, BUNDLED, True, "stix")
    shown = drawable(text)
    if face == "computer modern" and all(sign in _PLAIN_IN_CM or sign in _WRITTEN_IN_CM for sign in shown):
        written = "".join(_WRITTEN_IN_CM.get(sign, sign) for sign in shown)
        return Lettering(written, _CM[:1], "$" in written, "cm")
    return Lettering(shown, tuple(families(shown)), False, "stix")
