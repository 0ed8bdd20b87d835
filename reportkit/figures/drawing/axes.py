"""Marks, ticks and axes that several figures have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from reportkit.figures.drawing.key import LineStyle, Sign, colour_of
from reportkit.figures.drawing.names import all_shortened
from reportkit.figures.drawing.style import BLUE, GREY, INK, PAPER, shade
from reportkit.figures.drawing.typography import put, typography

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

Look: TypeAlias = tuple[str | float, LineStyle, str]
LOOKS: tuple[Look, ...] = (
    (INK, "-", "o"),
    (BLUE, "--", "s"),
    (GREY, "-.", "D"),
    (INK, ":", "^"),
)
"""Colour, dashes and marker of the first four curves, which can be told apart without colour, too."""

MOST_CURVES = len(LOOKS)
HIGHEST = 1.6
"""Upper end of an axis of p-values, a little beyond 1."""

_DECADES_BELOW = 4


def is_own(axes: Axes) -> bool:
    """Return whether axes are those of a figure of this package, and not of the user's."""
    return hasattr(axes.get_figure(root=True), "alt_text")


def width_of(axes: Axes) -> float:
    """Return the width in points of a panel with all its words; for axes of the user, their own width."""
    figure: Any = axes.get_figure(root=True)
    if is_own(axes):
        place = axes.get_subplotspec()
        return 72.0 * float(figure.get_figwidth()) / (place.get_gridspec().ncols if place is not None else 1)
    return 72.0 * float(axes.get_window_extent().width) / float(figure.dpi)


def height_of(axes: Axes) -> float:
    """Return the height of a figure of this package, or of the user's axes, in points."""
    figure: Any = axes.get_figure(root=True)
    height = 72.0 * float(figure.get_figheight())
    return height if is_own(axes) else float(axes.get_position().height) * height


def draw_markers(
    axes: Axes,
    x: Any,
    y: Any,
    marker: str,
    size: float,
    colour: str | float = INK,
    *,
    label: str,
    filled: bool = True,
    edge: float = 0.7,
    zorder: float = 3,
    clipped: bool = False,
) -> None:
    """Draw markers without a line, of one colour, filled or hollow; `label` is their id in an SVG."""
    (drawn,) = axes.plot(
        x,
        y,
        linestyle="none",
        marker=marker,
        markersize=size,
        markerfacecolor=colour_of(colour) if filled else shade(PAPER),
        markeredgecolor=colour_of(colour),
        markeredgewidth=edge,
        zorder=zorder,
        clip_on=clipped,
        label=label,
    )
    drawn.set_in_layout(False)  # empty markers would count as one in the corner


def write_label(axes: Axes, axis: str, text: str, *, math: bool = False, pad: float = 2.0) -> None:
    """Label the axis "x" or "y"; the words may hold a formula only with `math`."""
    set_label = axes.set_xlabel if axis == "x" else axes.set_ylabel
    put(set_label("", labelpad=pad, color=shade(INK)), text, math=math)


def write(axes: Axes, text: str, place: tuple[float, float], *, math: bool = False, **options: Any) -> None:
    """Write one line at a place of the axes: in data, or as `xycoords` and `offset` in points say."""
    offset = options.pop("offset", (0.0, 0.0))
    options = {"fontsize": typography().small, "annotation_clip": False, **options}
    written = axes.annotate("", place, offset, textcoords="offset points", **options)
    put(written, text, math=math)


def set_ticks(axis: Axis, ticks: Sequence[tuple[float, str]], *, math: bool = False) -> None:
    """Set the positions and labels of the ticks, without minor ticks."""
    from matplotlib.ticker import FixedFormatter

    axis.set_ticks([place for place, _ in ticks], ["" for _ in ticks])
    axis.set_ticks([], minor=True)
    axis.set_tick_params(labelcolor=shade(INK))
    labels = axis.get_ticklabels()
    for label, (_, text) in zip(labels, ticks, strict=True):
        put(label, text, math=math and "$" in text)
    axis.set_major_formatter(FixedFormatter([label.get_text() for label in labels]))


def number_ticks(axis: Axis, most: int, steps: Sequence[float] = (1, 2, 5, 10)) -> None:
    """Set at most `most` ticks at round numbers, all with the same decimals and a true minus sign."""
    from matplotlib.ticker import MaxNLocator, ScalarFormatter

    low, high = sorted(axis.get_view_interval())
    places = [float(place) for place in MaxNLocator(most, steps=steps).tick_values(low, high) if low <= place <= high]
    formatter = ScalarFormatter(useOffset=False, useMathText=False)
    formatter.set_scientific(False)
    formatter.set_axis(axis)
    set_ticks(axis, list(zip(places, formatter.format_ticks(places), strict=True)))


def share_ticks(axis: Axis, most: int) -> None:
    """Set ticks of shares: 0, .2, ..., 1, without a zero before the point."""
    number_ticks(axis, most, (1, 2, 2.5, 5, 10))
    texts = [(float(place), share_words(float(place))) for place in axis.get_majorticklocs()]
    set_ticks(axis, texts)


def share_words(value: float) -> str:
    """Write a share as the label of a tick.

    Examples
    --------
    >>> share_words(0.0), share_words(0.25), share_words(1.0), share_words(0.9500000001)
    ('0', '.25', '1', '.95')
    """
    text = f"{value:.4g}"
    return text.removeprefix("0") if text.startswith("0.") else text


def ticks_across(width: float, each: float = 28.0) -> int:
    """Return how many ticks an axis of a width in points has room for."""
    return max(2, min(9, int(width // (each * typography().scale))))


def without_y_axis(axes: Axes) -> None:
    """Remove the vertical axis, where heights have no numbers."""
    axes.yaxis.set_visible(False)
    axes.spines["left"].set_visible(False)


def decade_ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Return powers of ten, or where there are fewer than three of them also 2 and 5 times those, within two ends.

    Examples
    --------
    >>> [text for _, text in decade_ticks(40, 2100, 9)], [text for _, text in decade_ticks(0.8, 2e5, 3)]
    (['50', '100', '200', '500', '1,000', '2,000'], ['1', '100', '10,000'])
    """
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    found: list[float] = []
    for parts in ((1,), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 8)):
        found = [m * 10.0**power for power in powers for m in parts]
        found = [value for value in found if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]
        if len(found) >= (3 if parts == (1,) else 2):
            break
    texts = [(value, f"{value:,.0f}" if value >= 1 else f"{value:g}".removeprefix("0")) for value in found]
    return texts[:: -(-len(texts) // most) or 1]


def power_words(power: int) -> str:
    """Write a power of ten as the label of a tick.

    Examples
    --------
    >>> power_words(0), power_words(-2), power_words(-6)
    ('1', '.01', '$10^{-6}$')
    """
    return {0: "1", -1: ".1", -2: ".01", -3: ".001"}.get(power, rf"$10^{{{power}}}$")


@dataclass(frozen=True, slots=True, kw_only=True)
class PAxis:
    """A logarithmic axis of p-values, with a band for those that are too small to be told apart.

    Parameters
    ----------
    lowest : float
        Lower end of the axis.
    floor : float
        Smallest p-value that is drawn at its place; 0 if all are.
    exponent : int
        Decade of the floor, or of the lower end.
    """

    lowest: float
    floor: float
    exponent: int

    def placed(self, p_value: float) -> float:
        """Return where a p-value is drawn: in the middle of the band, if it is below the floor."""
        return 10.0 ** (self.exponent - 0.5) if p_value < self.floor else p_value

    def ticks(self, most: int) -> list[tuple[float, str]]:
        """Return places and labels of at most `most` ticks."""
        step = -(-(1 - self.exponent) // most)
        powers = range(0, self.exponent + (1 if self.floor else -1), -step)
        band = [(10.0 ** (self.exponent - 0.5), rf"$<10^{{{self.exponent}}}$")] if self.floor else []
        return [(10.0**power, power_words(power)) for power in powers] + band


def p_axis(p_values: Sequence[float], levels: Sequence[float]) -> PAxis:
    """Return an axis that shows all levels, and p-values down to four decades below the smallest level.

    Examples
    --------
    >>> p_axis([0.02, 0.3], [0.05]).floor, p_axis([1e-300, 0.3], [0.05]).floor
    (0.0, 1e-06)
    """
    exponent = math.floor(math.log10(min(levels))) - _DECADES_BELOW
    if min(p_values) < 10.0**exponent:
        return PAxis(lowest=10.0 ** (exponent - 1), floor=10.0**exponent, exponent=exponent)
    exponent = math.floor(math.log10(min(*p_values, *levels)) - 0.15)
    return PAxis(lowest=10.0**exponent, floor=0.0, exponent=exponent)


def named_signs(names: Sequence[str], *, marker: bool = False) -> list[Sign]:
    """Return the signs of the first curves with their names, shortened so that they stay different."""
    shown = all_shortened(names, 90.0 * typography().scale, typography().small)
    return [
        Sign(meaning=name, line=style, marker=sign if marker else "", filled=False, colour=colour)
        for name, (colour, style, sign) in zip(shown, LOOKS, strict=False)
    ]


def rounded(values: Sequence[float], digits: int = 6) -> tuple[float, ...]:
    """Return plain numbers with a few significant digits, as a stored figure keeps them.

    Examples
    --------
    >>> rounded([0.123456789, 0.0])
    (0.123457, 0.0)
    """
    return tuple(float(f"{float(value):.{digits}g}") for value in values)
