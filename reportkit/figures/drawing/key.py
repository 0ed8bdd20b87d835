"""The key of a figure: its markers and their meaning, above the axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from reportkit.figures.drawing.names import text_width
from reportkit.figures.drawing.style import INK, PAPER, shade
from reportkit.figures.drawing.typography import put, typography

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LineStyle: TypeAlias = Literal["", "-", "--", "-.", ":"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """A marker, a line, or both, and what they mean.

    Parameters
    ----------
    meaning : str
        In words.
    marker : str
        As matplotlib writes it: "o", "D", "x"; empty for a line only.
    filled : bool
        Whether the marker is filled.
    line : str
        As matplotlib writes it: "-", "--"; empty for a marker only.
    colour : str or float
        Colour of marker and line, or a shade from ink to paper; never the only distinction.
    face : str or float, optional
        Colour of the inside of a filled marker, if it is not that of its edge.
    math : bool
        Whether the meaning holds a formula between `$`, and no name of the user.
    """

    meaning: str
    marker: str = ""
    filled: bool = True
    line: LineStyle = ""
    colour: str | float = INK
    face: str | float | None = None
    math: bool = False

    @property
    def width(self) -> float:
        """Width of sign and meaning, in points."""
        return 2.0 * typography().small + text_width(self.meaning, typography().small, math=self.math)


def colour_of(given: str | float) -> str:
    """Return a colour; a number is a shade from ink to paper."""
    return given if isinstance(given, str) else shade(given)


def key_columns(signs: Sequence[Sign], width: float) -> int:
    """Return how many columns of a key are at most `width` points wide together."""
    for columns in range(len(signs), 1, -1):
        each, longer = divmod(len(signs), columns)  # matplotlib puts one more into the first columns
        ends = [place * each + min(place, longer) for place in range(columns + 1)]
        widths = [max(sign.width for sign in signs[start:stop]) for start, stop in pairwise(ends)]
        if sum(widths) + 1.3 * typography().small * columns <= width:
            return columns
    return 1


def draw_key(signs: Sequence[Sign], width: float, *, figure: Figure | None = None, axes: Axes | None = None) -> None:
    """Draw the key above all panels of a figure, or above axes of the user."""
    from matplotlib.lines import Line2D

    if not signs:
        return
    handles = []
    for sign in signs:
        colour = colour_of(sign.colour)
        face = colour if sign.face is None else colour_of(sign.face)
        look: dict[str, Any] = {"color": colour, "linestyle": sign.line or "none", "marker": sign.marker or "none"}
        look["markerfacecolor"] = face if sign.filled else shade(PAPER)
        handles.append(Line2D([], [], markersize=4.0, markeredgecolor=colour, **look))
    labels, columns = [sign.meaning for sign in signs], key_columns(signs, width)
    if axes is not None:
        legend = axes.legend(handles, labels, ncols=columns, loc="lower left", bbox_to_anchor=(0.0, 1.02))
    elif figure is not None:
        legend = figure.legend(handles, labels, ncols=columns, loc="outside upper left")
    for text, sign in zip(legend.get_texts(), signs, strict=True):
        put(text, sign.meaning, math=sign.math)
