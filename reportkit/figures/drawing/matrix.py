"""A matrix of systems by systems: cells as shades, with a number where it is legible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from reportkit.errors import InputError
from reportkit.figures.drawing.axes import height_of, set_ticks, width_of, write, write_label
from reportkit.figures.drawing.entry import Plot
from reportkit.figures.drawing.names import all_shortened, text_width, widest
from reportkit.figures.drawing.style import LIGHT, shade
from reportkit.figures.drawing.typography import LEAST_SIZE, typography

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from numpy.typing import NDArray

    from reportkit.replicability.comparison import Comparison

MOST_SYSTEMS_IN_A_COLUMN = 8
_MOST_WITH_NUMBERS = 20
_CELL_WIDTH, _CELL_HEIGHT = 30.0, 15.0
_NAMES_SHARE, _COLUMN_NAMES = 0.34, 80.0
_MOST_CELLS_ONE_BY_ONE = 40


def pairs_once(comparisons: Sequence[Comparison]) -> dict[tuple[str, str], Comparison]:
    """Return comparisons by their ordered pair of systems.

    Raises
    ------
    InputError
        If there is none, or one pair occurs twice.
    """
    if not comparisons:
        raise InputError("there is no comparison to draw", remedy="compare at least two systems")
    pairs: dict[tuple[str, str], Comparison] = {}
    for item in comparisons:
        if (item.system_a, item.system_b) in pairs:
            raise InputError(f"the comparison of {item.system_a!r} with {item.system_b!r} is given twice")
        pairs[item.system_a, item.system_b] = item
    return pairs


def _cell_width(rows: Sequence[str], n_columns: int, total: float) -> float:
    names = min(widest(rows, typography().text), _NAMES_SHARE * total)
    return min(_CELL_WIDTH * typography().scale, (total - names - 2 * typography().line) / n_columns)


def _above(columns: Sequence[str], cell: float) -> float:
    """Return the room for the names or numbers of columns, and the line of words over them."""
    size = typography().text
    names = min(widest(columns, size), _COLUMN_NAMES)
    return (size if names <= cell - 3 or cell < LEAST_SIZE else names) + 2 * typography().line


def matrix_plot(rows: Sequence[str], columns: Sequence[str], total: float) -> Plot:
    """Return the room for cells, the names above them, and a line of words."""
    cell, size = _cell_width(rows, len(columns), total), typography().text
    height = min(_CELL_HEIGHT * typography().scale, max(cell, 1.25 * LEAST_SIZE))
    least = text_width("this system is better", size) + 6.0
    return Plot(
        min(max(height * len(rows), least) + _above(columns, cell), typography().page_height - 4 * typography().line)
    )


def draw_matrix(
    axes: Axes,
    rows: Sequence[str],
    columns: Sequence[str],
    values: NDArray[np.float64],
    shades: Colormap,
    texts: Sequence[Sequence[str]],
    colours: Sequence[Sequence[str]],
) -> bool:
    """Draw values between 0 and 1 as shades, cells that are NaN crossed out, and texts in them where they are legible.

    Where the names of columns would be too small to read, rows and columns are numbered.

    Returns
    -------
    bool
        Whether the texts are drawn.
    """
    total, (n_rows, n_columns) = width_of(axes), values.shape
    cell = _cell_width(rows, n_columns, total)
    inside = height_of(axes) - _above(columns, cell)
    size = max(LEAST_SIZE, min(typography().text, 0.92 * min(inside / n_rows, _CELL_HEIGHT * typography().scale)))
    names = all_shortened(rows, _NAMES_SHARE * total, size)
    step = max(1, -(-int(10 * LEAST_SIZE) // max(1, int(10 * inside / n_rows))))
    numbered = cell < LEAST_SIZE
    if numbered:
        names = [f"{name} · {place}" for place, name in enumerate(names, start=1)]
    set_ticks(axes.yaxis, [(place, name) for place, name in enumerate(names) if place % step == 0])
    if numbered:
        each = next(nice for nice in (1, 2, 5, 10, 20, 50, 100, 1000) if nice * cell >= text_width("000", size))
        heads = [(place - 1, str(place)) for place in range(1, n_columns + 1) if place == 1 or place % each == 0]
        upright = False
    else:
        upright = widest(columns, size) > cell - 3
        shown = all_shortened(columns, _COLUMN_NAMES if upright else total, size)
        heads = list(enumerate(shown))
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    set_ticks(axes.xaxis, heads)
    axes.tick_params(length=0, labelsize=size)
    axes.tick_params(axis="x", labelrotation=90 if upright else 0)
    write_label(axes, "x", "than this one", pad=3.0)
    write_label(axes, "y", "this system is better", pad=3.0)
    axes.spines[:].set_visible(False)
    _draw_cells(axes, values, shades, cell)
    longest = max((text for row in texts for text in row), key=len, default="")
    fitting = typography().small * (cell - 2) / max(1.0, text_width(longest, typography().small))
    number_size = min(typography().small, fitting, 0.8 * inside / n_rows)
    if max(n_rows, n_columns) > _MOST_WITH_NUMBERS or number_size < LEAST_SIZE:
        return False
    for row, (line, inks) in enumerate(zip(texts, colours, strict=True)):
        for column, (text, ink) in enumerate(zip(line, inks, strict=True)):
            if text:
                place: Any = {"ha": "center", "va": "center", "fontsize": number_size}
                write(axes, text, (column, row), color=ink, **place)
    return True


def _draw_cells(axes: Axes, values: NDArray[np.float64], shades: Colormap, cell: float) -> None:
    n_rows, n_columns = values.shape
    line = 0.6 if cell > 8 else 0.25
    edges = np.arange(n_columns + 1) - 0.5, np.arange(n_rows + 1) - 0.5
    few = max(values.shape) <= _MOST_CELLS_ONE_BY_ONE
    axes.pcolormesh(
        *edges,
        np.ma.masked_invalid(values),
        cmap=shades,
        vmin=0.0,
        vmax=1.0,
        edgecolors=shade(0.78) if few else "none",
        linewidth=line if few else 0.0,
        rasterized=not few,
        label="_cells",
    )
    rows, columns = np.nonzero(np.isnan(values))
    axes.plot(
        [columns - 0.5, columns + 0.5],
        [rows + 0.5, rows - 0.5],
        color=shade(LIGHT),
        linewidth=line,
        label="_not_compared",
    )
    axes.set_xlim(-0.5, n_columns - 0.5)
    axes.set_ylim(n_rows - 0.5, -0.5)
