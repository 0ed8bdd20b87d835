"""Panels with two axes side by side: where they stand, what their axes are called, and their ticks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reportkit.figures.drawing.fonts import clean
from reportkit.figures.drawing.key import LineStyle, Sign
from reportkit.figures.drawing.lettering import all_shortened
from reportkit.figures.drawing.style import BLUE, GREY, INK, axes_at, write
from reportkit.figures.drawing.typography import typography

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


LOOKS: tuple[tuple[str, LineStyle, str], ...] = (
    (INK, "-", "o"),
    (BLUE, "--", "s"),
    (GREY, "-.", "D"),
    (INK, ":", "^"),
)
"""Colour, dashes and marker of the first four of several curves; told apart without colour too."""

MOST_CURVES = len(LOOKS)
BETWEEN = 10.0
_ABOVE = 6.0


def panel_room(lines: int = 1) -> tuple[float, float]:
    """Room for ticks and so many lines of words to the left of a panel, and below it."""
    type_ = typography()
    return lines * type_.line + 4 + 3.2 * type_.small, type_.below_axis


def panel_width(total: float, number: int, lines: int = 1) -> float:
    """Width of each of several panels side by side, their words on the left not counted."""
    left, _ = panel_room(lines)
    return (total - 4 - number * left - (number - 1) * BETWEEN) / number


def draw_panel(
    figure: Figure,
    number: int,
    of: int,
    total: float,
    height: float,
    *,
    x_words: str,
    y_words: str,
    lines: int = 1,
) -> Axes:
    """Axes of one panel with the words of both of its axes; words may hold a formula, and no name of the user.

    Parameters
    ----------
    figure : Figure
        Where.
    number, of : int
        Which of how many panels, from the left, counted from 0.
    total : float
        Width of the figure in points.
    height : float
        Height of the panel in points.
    x_words, y_words : str
        What the axes mean; a line feed in `y_words` begins a line.
    lines : int
        How many lines there is room for on the left of each panel.
    """
    left, below = panel_room(lines)
    width = panel_width(total, of, lines)
    start = number * (left + width + BETWEEN) + left
    axes = axes_at(figure, start, below, width, height)
    write(figure, start + width / 2, 2.5, x_words, ha="center", math="$" in x_words)
    for line, words in enumerate(reversed(y_words.split("\n"))):
        x = start - left + typography().text + typography().line * (lines - 1 - line)
        write(figure, x, below + height / 2, words, ha="center", rotation=90, math="$" in words)
    return axes


def panels_height(plot: float, key: Sequence[Sequence[Sign]]) -> float:
    """Height of a figure of panels and a key above them."""
    return panel_room()[1] + plot + _ABOVE + typography().line * len(key)


def named_signs(names: Sequence[str], total: float, *, marker: bool = False) -> list[Sign]:
    """The first curves with their names, shortened so that they stay different."""
    shown = all_shortened([clean(name) for name in names], 0.4 * total, typography().small)
    return [
        Sign(
            meaning=name.replace("$", ""),
            line=style,
            marker=sign if marker else "",
            filled=False,
            colour=colour,
        )
        for name, (colour, style, sign) in zip(shown, LOOKS, strict=False)
    ]


def share_ticks(axes: Axes, axis: str, width: float) -> None:
    """Ticks of shares: 0, .2, ..., 1, without a zero before the point."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    chosen = axes.xaxis if axis == "x" else axes.yaxis
    chosen.set_major_locator(MaxNLocator(max(2, int(width // (26 * typography().scale))), steps=[1, 2, 2.5, 5, 10]))
    chosen.set_major_formatter(FuncFormatter(lambda value, _: share_words(value)))


def share_words(value: float) -> str:
    """A share as the label of a tick.

    Examples
    --------
    >>> share_words(0.0), share_words(0.25), share_words(1.0), share_words(0.9500000001)
    ('0', '.25', '1', '.95')
    """
    text = f"{value:.4g}"
    return text.removeprefix("0") if text.startswith("0.") else text


def rounded(values: Sequence[float], digits: int = 6) -> tuple[float, ...]:
    """Plain numbers with so many significant digits, as a stored figure keeps them.

    Examples
    --------
    >>> rounded([0.123456789, 0.0])
    (0.123457, 0.0)
    """
    return tuple(float(f"{float(value):.{digits}g}") for value in values)


def decade_words(low: float, high: float) -> list[tuple[float, str]]:
    """Powers of ten, or where there are fewer than three of them also 2 and 5 times those, within two ends.

    Examples
    --------
    >>> [text for _, text in decade_words(40, 2100)], [text for _, text in decade_words(0.8, 2e5)]
    (['50', '100', '200', '500', '1,000', '2,000'], ['1', '10', '100', '1,000', '10,000', '100,000'])
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    powers = [10.0**power for power in range(first, last + 1) if low <= 10.0**power <= high * (1 + 1e-9)]
    if len(powers) < 3:
        powers = [m * 10.0**power for power in range(first, last + 1) for m in (1, 2, 5)]
        powers = [value for value in powers if low * (1 - 1e-9) <= value <= high * (1 + 1e-9)]
    if len(powers) < 2:
        powers = [m * 10.0**power for power in range(first - 1, last + 1) for m in (1, 1.5, 2, 3, 4, 5, 6, 8)]
        powers = [value for value in powers if low <= value <= high]
    return [(value, f"{value:,.0f}" if value >= 1 else f"{value:g}".removeprefix("0")) for value in powers]
