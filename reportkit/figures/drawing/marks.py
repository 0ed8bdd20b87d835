"""Marks that several figures have: markers without a line, ticks that are set, an axis without numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reportkit.figures.drawing.style import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

BAND = "#e4e4e4"
"""Shade of regions behind what is drawn."""

FLOOR = "#efefef"
"""Shade of the band for p-values that are too small for the axis."""

CAP_HEIGHT = 0.31
"""Half the height of a digit, in font sizes: puts a baseline so that digits are centred on a row."""


def draw_markers(
    axes: Axes,
    x: Sequence[float] | Any,
    y: Sequence[float] | Any,
    marker: str,
    size: float,
    colour: str = INK,
    *,
    label: str,
    filled: bool = True,
    edge: float = 0.7,
    zorder: float = 3,
    clipped: bool = False,
) -> None:
    """Draw markers without a line, of one colour, filled or white; `label` is their id in an SVG."""
    axes.plot(
        x,
        y,
        linestyle="none",
        marker=marker,
        markersize=size,
        markerfacecolor=colour if filled else "white",
        markeredgecolor=colour,
        markeredgewidth=edge,
        zorder=zorder,
        clip_on=clipped,
        label=label,
    )


def set_ticks(axis: Axis, ticks: Sequence[tuple[float, str]]) -> None:
    """Set places and texts of the ticks, and no others between them."""
    from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

    axis.set_major_locator(FixedLocator([place for place, _ in ticks]))
    axis.set_major_formatter(FixedFormatter([text for _, text in ticks]))
    axis.set_minor_locator(NullLocator())


def number_ticks(axis: Axis, most: int, steps: Sequence[float] = (1, 2, 5, 10)) -> None:
    """Ticks at round numbers, at most so many, with a true minus sign."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(most, steps=steps))
    axis.set_major_formatter(lambda value, _: f"{value:g}".replace("-", "−"))


def without_y_axis(axes: Axes) -> None:
    """Take the vertical axis away, where rows or heights have no numbers."""
    axes.yaxis.set_visible(False)
    axes.spines["left"].set_visible(False)
