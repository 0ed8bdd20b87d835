r"""One style for all figures: widths, ink and greys, and matplotlib's settings while a figure is drawn.

Lengths inside figures are PostScript points (1/72 inch), as matplotlib's font sizes are; widths of columns are given
in TeX points (1/72.27 inch), as `\the\columnwidth` prints them.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Literal, get_args

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.figures.drawing.typography import DRAWING, Typography, lettering, set_in
from reportkit.venues import Venue, venue_of

Span = Literal["column", "text"]
"""A column, or the whole width of the text."""

STYLE_SHEET = Path(__file__).parents[1] / "reportkit.mplstyle"

INK, GREY, LIGHT, FAINT, BAND, FLOOR, PAPER = 0.0, 0.431, 0.549, 0.87, 0.894, 0.937, 1.0
"""Shades from ink to paper: of words, of minor lines, of guiding lines, of areas."""

BLUE = "#0072b2"
"""A colour of Okabe and Ito; in grey, marker and dash tell it from black and from GREY's lines."""

_colours: ContextVar[tuple[Any, Any]] = ContextVar("colours", default=("black", "white"))


def shade(share: float) -> str:
    """Return a mixture of ink (0) and paper (1).

    Examples
    --------
    >>> shade(INK), shade(GREY), shade(PAPER)
    ('#000000', '#6e6e6e', '#ffffff')
    """
    from matplotlib.colors import to_hex, to_rgb

    ends = zip(*map(to_rgb, _colours.get()), strict=True)
    red, green, blue = ((1 - share) * ink + share * paper for ink, paper in ends)
    return str(to_hex((red, green, blue)))


@contextmanager
def style(chosen: Typography | None = None, ink: Any = "black", paper: Any = "white") -> Iterator[None]:
    """Draw with matplotlib's defaults and this style; the user's settings come back unchanged.

    A `matplotlibrc` of the user has no influence, so the same results give the same figure everywhere. As matplotlib
    has one set of settings for all threads, one of reportkit's threads draws at a time; a thread of the user that draws
    with matplotlib meanwhile draws in this style.
    """
    import matplotlib

    type_ = chosen or Typography()
    letters = lettering("", type_.face, math=True)
    settings: dict[Any, Any] = {"font.size": type_.text, "axes.labelsize": type_.text, "legend.fontsize": type_.small}
    settings |= {"xtick.labelsize": type_.small, "ytick.labelsize": type_.small}
    for name in ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"):
        settings[name] = ink
    with DRAWING, matplotlib.rc_context(), set_in(type_), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # drawn as a box
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(matplotlib.rc_params_from_file(STYLE_SHEET, use_default_template=False))
        matplotlib.rcParams.update(
            {
                **settings,
                "figure.facecolor": paper,
                "font.family": list(letters.families),
                "mathtext.fontset": letters.math_face,
                "axes.formatter.use_mathtext": letters.math_face == "cm",  # otherwise matplotlib warns
            }
        )
        token = _colours.set((ink, paper))
        try:
            yield
        finally:
            _colours.reset(token)


def width_in_points(width: float | Span, venue: str | Venue = "report") -> float:
    """Return the width of a figure in PostScript points.

    Parameters
    ----------
    width : float or {"column", "text"}
        TeX points, or that of a column or of the whole text of a venue.
    venue : str or Venue
        One of `reportkit.venues.VENUES`, or one with other widths.

    Raises
    ------
    UnknownNameError
        If there is no such width or venue.
    SettingsError
        If a number is less than 100 or more than 2000 TeX points.

    Examples
    --------
    >>> round(width_in_points("column") / 72, 2), round(width_in_points("text", "neurips") / 72, 2)
    (3.03, 5.5)
    """
    preset = venue_of(venue) if isinstance(venue, str) else venue
    if isinstance(width, str):
        if width not in get_args(Span):
            raise UnknownNameError("figure width", width, get_args(Span))
        width = preset.column_width if width == "column" else preset.text_width
    if isinstance(width, bool) or not 100 <= width <= 2000 or not math.isfinite(width):
        raise SettingsError(
            f"width is {width!r}",
            remedy="give TeX points between 100 and 2000, as \\the\\columnwidth prints them, or "
            + " or ".join(map(repr, get_args(Span))),
        )
    return width * 72 / 72.27
