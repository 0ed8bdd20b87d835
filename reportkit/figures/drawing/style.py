r"""One style for all figures: widths, greys, lines, and how a text is placed.

Lengths inside figures are PostScript points (1/72 inch), as matplotlib's font sizes are; widths of columns are given
in TeX points (1/72.27 inch), as `\the\columnwidth` prints them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, get_args

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.figures.drawing.typography import DRAWING, Typography, lettering, set_in, typography
from reportkit.venues import Venue, venue_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text
    from matplotlib.transforms import Transform

Span = Literal["column", "text"]
"""A column, or the whole width of the text."""


INK = "#000000"
GREY = "#6e6e6e"
LIGHT_GREY = "#8c8c8c"  # of lines that say something, but less than others
FAINT = "#dedede"  # of lines that only lead the eye
BLUE = "#0072b2"  # of Okabe and Ito; as a grey it is distinct from black and from GREY's lines by marker and dash

SETTINGS: Mapping[Any, Any] = MappingProxyType(
    {
        "text.hinting": "no_hinting",  # letters stand in PNG where they stand in PDF
        "axes.linewidth": 0.5,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.facecolor": "none",
        "xtick.major.size": 2.5,
        "ytick.major.size": 2.5,
        "xtick.major.width": 0.5,
        "ytick.major.width": 0.5,
        "xtick.major.pad": 2.0,
        "ytick.major.pad": 2.0,
        "lines.linewidth": 0.8,
        "lines.markersize": 4.5,
        "figure.facecolor": "white",
        "savefig.dpi": 300,
        "pdf.fonttype": 42,
        "ps.fonttype": 42,
        "svg.fonttype": "path",
        "svg.hashsalt": "reportkit",
    }
)


@contextmanager
def style(chosen: Typography | None = None) -> Iterator[None]:
    """Draw with matplotlib's defaults and this style; the user's settings come back unchanged.

    A `matplotlibrc` of the user has no influence, so the same results give the same figure everywhere. As matplotlib
    has one set of settings for all threads, one of reportkit's threads draws at a time; a thread of the user that draws
    with matplotlib meanwhile draws in this style.
    """
    import matplotlib

    type_ = chosen or Typography()
    letters = lettering("", type_.face, math=True)
    with DRAWING, matplotlib.rc_context(), set_in(type_):
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                **SETTINGS,
                "font.family": list(letters.families),
                "mathtext.fontset": letters.math_face,
                "axes.formatter.use_mathtext": letters.math_face == "cm",  # or matplotlib warns
                "font.size": type_.text,
                "axes.labelsize": type_.text,
                "xtick.labelsize": type_.small,
                "ytick.labelsize": type_.small,
            }
        )
        yield


def width_in_points(width: float | Span, venue: str | Venue = "report") -> float:
    """Width of a figure in PostScript points.

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


def axes_at(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """Axes at a place in points from the lower left corner."""
    total_width, total_height = (72 * side for side in figure.get_size_inches())
    place = (left / total_width, bottom / total_height, width / total_width, height / total_height)
    return figure.add_axes(place)


def inches(figure: Figure) -> Transform:
    """Places in inches from the lower left corner of the figure, also where matplotlib saves more or less than it."""
    from matplotlib.transforms import Affine2D

    width, height = figure.get_size_inches()
    return Affine2D().scale(1 / width, 1 / height) + figure.transFigure  # only this moves with `bbox_inches`


def write(
    figure: Figure,
    x: float,
    y: float,
    text: str,
    *,
    size: float | None = None,
    ha: Literal["left", "center", "right"] = "left",
    va: Literal["baseline", "center", "top", "bottom"] = "baseline",
    rotation: float = 0.0,
    colour: str = INK,
    math: bool = False,
) -> Text:
    """Write one line at a place in points from the lower left corner.

    Words are drawn as they are, `$` and all; only with `math=True`, for texts without any name of the user, is `$...$`
    a formula.
    """
    letters = lettering(text, typography().face, math=math)
    return figure.text(
        x / 72,
        y / 72,
        letters.text,
        transform=inches(figure),
        fontsize=size or typography().text,
        fontfamily=list(letters.families),
        math_fontfamily=letters.math_face,
        ha=ha,
        va=va,
        rotation=rotation,
        rotation_mode="anchor",
        color=colour,
        parse_math=letters.math,
    )


def settle(figure: Figure) -> None:
    """Make the labels of all ticks now, while the style holds: matplotlib would make them when they are needed."""
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if axes.axison and axis.get_visible():
                axis.get_ticklabels()
