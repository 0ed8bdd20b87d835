r"""One style for all figures: widths of columns, sizes, greys, and how a text is placed.

Lengths inside figures are PostScript points (1/72 inch), as matplotlib's font sizes are; widths of columns are given
in TeX points (1/72.27 inch), as `\the\columnwidth` prints them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.figures.fonts import BUNDLED, drawable, families

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

WIDTHS: Mapping[str, float] = MappingProxyType(
    {
        "column": 219.086,
        "text": 455.244,
        "acl-column": 219.086,
        "acl-text": 455.244,
        "neurips": 397.485,
        "icml-column": 234.878,
        "icml-text": 487.823,
        "ieee-column": 252.0,
        "ieee-text": 516.0,
        "acm-column": 241.147,
        "acm-text": 506.295,
        "article": 345.0,
    }
)
PAGE_HEIGHT = 8.5 * 72  # leaves room for a caption on A4 and letter paper

TEXT_SIZE = 8.0
SMALL_SIZE = 7.0
HAIRLINE = 0.4

INK = "#000000"
GREY = "#6e6e6e"
FAINT = "#dedede"
BLUE = "#0072b2"  # of Okabe and Ito; as a grey it is distinct from black and from GREY's lines by marker and dash

SETTINGS: Mapping[Any, Any] = MappingProxyType(
    {
        "font.family": list(BUNDLED),
        "font.size": TEXT_SIZE,
        "text.hinting": "no_hinting",  # letters stand in PNG where they stand in PDF
        "mathtext.fontset": "stix",
        "axes.linewidth": 0.5,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.labelsize": TEXT_SIZE,
        "axes.facecolor": "none",
        "xtick.labelsize": SMALL_SIZE,
        "ytick.labelsize": SMALL_SIZE,
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
def style() -> Iterator[None]:
    """Draw with matplotlib's defaults and this style; the user's settings come back unchanged.

    A `matplotlibrc` of the user has no influence, so the same results give the same figure everywhere.
    """
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(SETTINGS)
        yield


def width_in_points(width: float | str) -> float:
    """Width of a figure in PostScript points.

    Parameters
    ----------
    width : float or str
        TeX points, or the name of a preset such as "column" (219 pt, ACL), "text" (455 pt, ACL) or "neurips".

    Raises
    ------
    UnknownNameError
        If there is no preset of that name.
    SettingsError
        If a number is less than 100 or more than 2000 TeX points.

    Examples
    --------
    >>> round(width_in_points("column") / 72, 2), round(width_in_points(397.485) / 72, 2)
    (3.03, 5.5)
    """
    if isinstance(width, str):
        if width not in WIDTHS:
            raise UnknownNameError("figure width", width, WIDTHS)
        width = WIDTHS[width]
    if not 100 <= width <= 2000 or not math.isfinite(width):
        raise SettingsError(
            f"width is {width!r}",
            remedy="give TeX points between 100 and 2000, as \\the\\columnwidth prints them, or a preset: "
            + ", ".join(WIDTHS),
        )
    return width * 72 / 72.27


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of a size in points, outside pyplot."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width / 72, height / 72))
    FigureCanvasAgg(figure)
    return figure


def axes_at(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """Axes at a place in points from the lower left corner."""
    total_width, total_height = (72 * side for side in figure.get_size_inches())
    place = (left / total_width, bottom / total_height, width / total_width, height / total_height)
    return figure.add_axes(place)


def write(
    figure: Figure,
    x: float,
    y: float,
    text: str,
    *,
    size: float = TEXT_SIZE,
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
    shown = text if math else drawable(text)
    return figure.text(
        x / 72,
        y / 72,
        shown,
        transform=figure.dpi_scale_trans,
        fontsize=size,
        fontfamily=list(BUNDLED) if math else families(shown),
        ha=ha,
        va=va,
        rotation=rotation,
        rotation_mode="anchor",
        color=colour,
        parse_math=math,
    )
