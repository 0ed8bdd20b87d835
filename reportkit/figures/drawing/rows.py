"""One row for each dataset: how high, in which type, in how many panels, and how its name is broken."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from reportkit.figures.drawing.key import Sign, draw_key, key_lines
from reportkit.figures.drawing.lettering import all_shortened, text_width, wrapped
from reportkit.figures.drawing.marks import CAP_HEIGHT, without_y_axis
from reportkit.figures.drawing.new_figure import new_figure
from reportkit.figures.drawing.style import FAINT, axes_at, write
from reportkit.figures.drawing.typography import LEAST_SIZE, typography

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GAP = 7.0
"""Between names, axis and numbers."""

BETWEEN_PANELS = 12.0
LEAST_AXIS_SHARE = 0.34
"""Share of the width that the axis keeps."""
HEAD_GAP = 6.0
"""Between the heads of the columns of figures and the first row."""
MOST_ROWS_IN_A_COLUMN = 70
"""With more, a figure takes the width of the text."""

_ROW, _TWO_LINE_ROW = 11.5, 18.5
_SIZE_PER_ROW = 0.92  # largest type size for the height of a row
_NAMES_SHARE = 0.38
_LEAST_PANEL = 150.0


def many_rows(content: Any) -> bool:
    """Whether the rows of a content do not fit a column."""
    return len(content.rows) > MOST_ROWS_IN_A_COLUMN


def parts_of(n_rows: int, total: float) -> list[slice]:
    """Which rows stand in which panel: one panel if the type stays legible, else as many as the width allows.

    Examples
    --------
    >>> parts_of(20, 218.0)
    [slice(0, 20, None)]
    >>> len(parts_of(100, 453.0)), len(parts_of(100, 218.0))
    (2, 1)
    """
    above_and_below = 6 * typography().line + typography().ticks + typography().small
    most = int((typography().page_height - above_and_below) * _SIZE_PER_ROW / LEAST_SIZE)
    number = min(-(-n_rows // most), max(1, int(total / _LEAST_PANEL)))
    each = -(-n_rows // number)
    return [slice(start, min(start + each, n_rows)) for start in range(0, n_rows, each)]


def row_names(given: Sequence[str], total: float, room: float) -> tuple[float, float, list[list[str]]]:
    """Height of a row, type size, and the lines of each name: at most 38% of the width, and two lines.

    Parameters
    ----------
    given : sequence of str
        Names from top to bottom.
    total : float
        Width of the panel in points.
    room : float
        Height that all rows may have together.
    """
    row = min(_ROW * typography().scale, room / len(given))
    two_lines = _TWO_LINE_ROW * typography().scale
    size = min(typography().text, _SIZE_PER_ROW * row)
    widest = _NAMES_SHARE * total
    if max(text_width(name, size) for name in given) > widest and len(given) * two_lines <= 0.5 * room:
        return two_lines, size, [wrapped(name, widest, size, lines=2) for name in given]
    return row, size, [[name] for name in all_shortened(given, widest, size)]


def around_point(texts: Sequence[str], size: float) -> tuple[float, float]:
    """Room before and behind the decimal points of a column."""
    heads = [text.partition(".")[0] for text in texts]
    tails = [text.removeprefix(head) for text, head in zip(texts, heads, strict=True)]
    return max(text_width(head, size) for head in heads), max(text_width(tail, size) for tail in tails)


def write_row_name(figure: Figure, left: float, middle: float, lines: Sequence[str], size: float) -> None:
    """Write the name of a row, on one line or two, around the middle of the row."""
    first = middle - CAP_HEIGHT * size + 0.5 * size * (len(lines) - 1)
    for number, text in enumerate(lines):
        write(figure, left + 1.0, first - number * size, text, size=size)


def set_rows(axes: Axes, n_rows: int, low: float, high: float, empty: Collection[int] = ()) -> None:
    """Set the limits of an axis with rows from the top, and draw a faint line through each that is not empty."""
    axes.set_xlim(low, high)
    axes.set_ylim(n_rows - 0.5, -0.5)
    filled = [row for row in range(n_rows) if row not in empty]
    axes.hlines(filled, low, high, color=FAINT, linewidth=0.3, zorder=0.5, label="_leaders")


def size_of_markers(row: float) -> float:
    """Size of the markers in rows of a height."""
    return min(4.2, 0.55 * row)


def draw_row_panels(
    names: Sequence[str],
    numbers: Sequence[str],
    head: str,
    words: str,
    signs: Sequence[Sign],
    total: float,
    draw: Callable[[Axes, slice, float, float], None],
) -> Figure:
    """Draw rows with a name, a point on an axis and a number, in as many panels as they need.

    Parameters
    ----------
    names, numbers : sequence of str
        Of each row, left and right of the axis.
    head : str
        Above the numbers.
    words : str
        Below the axis.
    signs : sequence of Sign
        What the marks mean.
    total : float
        Width in points.
    draw : callable
        (axes, which rows, height of a row, width of the axis) -> None.
    """
    parts = parts_of(len(names), total)
    width = (total - BETWEEN_PANELS * (len(parts) - 1)) / len(parts)
    key = key_lines(signs, total - 2)
    type_ = typography()
    below, above = type_.below_axis, type_.line * len(key) + type_.small + HEAD_GAP
    row, size, lines = row_names(names, width, type_.page_height - below - above)
    tallest = max(part.stop - part.start for part in parts)
    figure = new_figure(total, below + above + row * tallest)
    small = min(type_.small, size)
    for number, part in enumerate(parts):
        left, n_rows = number * (width + BETWEEN_PANELS), part.stop - part.start
        bottom = below + row * (tallest - n_rows)
        column = max(text_width(head, type_.small), *(text_width(text, small) for text in numbers[part]))
        start = left + 1 + max(text_width(text, size) for name in lines[part] for text in name) + GAP
        stop = left + width - 1 - column - GAP
        axes = axes_at(figure, start, bottom, stop - start, row * n_rows)
        draw(axes, part, row, stop - start)
        without_y_axis(axes)
        top = bottom + row * n_rows
        write(figure, left + width - 1, top + 5.5, head, size=type_.small, ha="right")
        for place, (name, text) in enumerate(zip(lines[part], numbers[part], strict=True)):
            middle = top - (place + 0.5) * row
            write_row_name(figure, left, middle, name, size)
            write(figure, left + width - 1, middle - CAP_HEIGHT * small, text, size=small, ha="right")
        half = text_width(words, type_.text) / 2
        centre = min(max((start + stop) / 2, left + half), left + width - half)
        write(figure, centre, 2.5 + bottom - below, words, ha="center")
    draw_key(figure, key, 1.0, below + above + row * tallest)
    return figure
