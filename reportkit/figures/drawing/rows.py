"""One row for each dataset: its name, marks on an axis, and figures on the right, in as many panels as they need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reportkit.figures.drawing.axes import height_of, is_own, set_ticks, width_of, write
from reportkit.figures.drawing.entry import Plot
from reportkit.figures.drawing.names import all_shortened, shortened, text_width, widest
from reportkit.figures.drawing.style import FAINT, shade
from reportkit.figures.drawing.typography import LEAST_SIZE, typography

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROWS_IN_A_COLUMN = 70
"""With more, a figure takes the width of the text."""

_ROW, _GAP = 11.5, 7.0
_SIZE_PER_ROW = 0.92
_NAMES_SHARE, _AXIS_SHARE = 0.38, 0.34
_LEAST_PANEL = 150.0


def many_rows(content: Any) -> bool:
    """Return whether the rows of a content do not fit a column."""
    return len(content.rows) > MOST_ROWS_IN_A_COLUMN


def rows_plot(content: Any, total: float, lines: int = 1) -> Plot:
    """Return the room for rows: one panel if the type stays legible, else as many as the width allows.

    Parameters
    ----------
    content : object
        Content of a figure with `rows`.
    total : float
        Width in points.
    lines : int
        Lines of words under the axis.
    """
    type_, n_rows = typography(), len(content.rows)
    around = 2 * type_.line + type_.small + 8.0 + lines * type_.line
    room = type_.page_height - around - 2 * type_.line  # for the key
    most = max(1, int(room * _SIZE_PER_ROW / LEAST_SIZE))
    columns = min(-(-n_rows // most), max(1, int(total / _LEAST_PANEL)))
    each = -(-n_rows // columns)
    return Plot(around + min(_ROW * type_.scale * each, room), columns=columns)


def parts_of(n_rows: int, panels: int) -> list[slice]:
    """Return which rows are in which panel.

    Examples
    --------
    >>> parts_of(5, 2)
    [slice(0, 3, None), slice(3, 5, None)]
    """
    each = -(-n_rows // panels)
    return [slice(start, min(start + each, n_rows)) for start in range(0, n_rows, each)]


def size_of_rows(axes: Axes, n_rows: int) -> tuple[float, float, float]:
    """Return the height of a row, the type size of its name and the size of its markers, in points."""
    inside = height_of(axes) - (50.0 * typography().scale if is_own(axes) else 0.0)
    row = min(_ROW * typography().scale, inside / n_rows)
    size = min(typography().text, _SIZE_PER_ROW * row)
    return row, max(size, 0.7 * LEAST_SIZE), min(4.2, 0.55 * row)


def limits_of(values: Iterable[float]) -> tuple[float, float]:
    """Return the ends of an axis that holds all values and 0.

    Examples
    --------
    >>> limits_of([2.0, 1.0]), limits_of([0.0])
    ((-0.1, 2.1), (-1.0, 1.0))
    """
    ends = [0.0, *values]
    low, high = min(ends), max(ends)
    margin = 0.05 * (high - low) or 1.0
    return low - margin, high + margin


def draw_rows(
    axes: Axes,
    names: Sequence[str],
    columns: Mapping[str, Sequence[str]],
    limits: tuple[float, float],
    *,
    tallest: int = 0,
    heads: Mapping[int, str] | None = None,
) -> None:
    """Write the names of rows on the left and figures on the right, and draw a faint line through each row.

    Parameters
    ----------
    axes : Axes
        Axes of one panel; the first row is at height 0, the next at 1.
    names : sequence of str
        Names of the rows, from the top.
    columns : mapping of str to sequence of str
        Head to one text per row; the first give way where the axis would have less than a third of the width.
    limits : tuple of float
        Ends of the axis.
    tallest : int
        Rows of the tallest panel, where there are several.
    heads : mapping of int to str
        Headings, which are in rows without a line.
    """
    width, n, text, heads = width_of(axes), len(names), typography().text, heads or {}
    beside: Any = {"xycoords": axes.get_yaxis_transform(), "va": "center_baseline"}
    _, size, _ = size_of_rows(axes, max(n, tallest))
    small = min(typography().small, size)
    shown = all_shortened(names, _NAMES_SHARE * width, size)
    left, kept = widest(shown, size) + _GAP, dict(columns)
    while kept and width - left - sum(_width(head, texts) + _GAP for head, texts in kept.items()) < _AXIS_SHARE * width:
        kept.pop(next(iter(kept)))
    axes.set_xlim(*limits)
    axes.set_ylim(max(n, tallest) - 0.5, -0.5)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0, labelsize=size)
    set_ticks(axes.yaxis, list(enumerate(shown)))
    axes.spines["right"].set_visible(False)
    axes.spines["top"].set_visible(False)
    lines = [row for row in range(n) if row not in heads]
    axes.hlines(lines, *limits, color=shade(FAINT), linewidth=0.3, zorder=0.5, label="_leaders")
    for row, head in heads.items():
        place = {"fontsize": text, "offset": (-left, 0.0), **beside}
        write(axes, shortened(head, 0.95 * width, text), (0.0, row), **place)
    right = 0.0
    for head, texts in kept.items():
        after = max((text_width(text, small) - text_width(text.partition(".")[0], small) for text in texts), default=0)
        right += _GAP + _width(head, texts)
        for row, written in enumerate(texts):
            at = right - after - text_width(written.partition(".")[0], small)
            write(axes, written, (1.0, row), offset=(at, 0.0), ha="left", fontsize=small, **beside)
        over: Any = {"va": "baseline", "math": "$" in head, "xycoords": beside["xycoords"]}
        write(axes, head, (1.0, -0.5), offset=(right, 5.0), ha="right", **over)


def _width(head: str, texts: Sequence[str]) -> float:
    """Return the width of a column of texts that are aligned at their decimal points."""
    small = typography().small
    before = [text.partition(".")[0] for text in texts]
    after = [text.removeprefix(start) for text, start in zip(texts, before, strict=True)]
    return max(text_width(head, small, math="$" in head), widest(before, small) + widest(after, small))
