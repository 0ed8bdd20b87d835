"""k-hat for all pairs: the least number of datasets on which the system of the row beats that of the column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from reportkit.figures.drawing.axes import height_of, set_ticks, width_of, write, write_label
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.names import all_shortened, text_width, widest
from reportkit.figures.drawing.style import GREY, INK, LIGHT, PAPER, shade
from reportkit.figures.drawing.typography import LEAST_SIZE, clean, typography
from reportkit.language import counted, level_text, listed, short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

MOST_SYSTEMS_IN_A_COLUMN = 8
_MOST_WITH_NUMBERS, _MOST_CELLS_ONE_BY_ONE, _MOST_LISTED = 20, 40, 12
_CELL_WIDTH, _CELL_HEIGHT = 30.0, 15.0
_NAMES_SHARE, _COLUMN_NAMES = 0.34, 80.0
_DARK = 0.746  # share of datasets above which white has more contrast than black


@dataclass(frozen=True, slots=True, kw_only=True)
class KHatMatrixContent:
    """Everything that the figure shows.

    Parameters
    ----------
    rows : tuple of str
        Systems that are claimed to be better, from top to bottom.
    columns : tuple of str
        Systems that they are compared with.
    k_hat : tuple of tuple of int or None
        By row and column; None where a pair was not compared.
    n_datasets : tuple of tuple of int or None
        On how many datasets the pair was compared.
    alpha : float
        Level.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    k_hat: tuple[tuple[int | None, ...], ...]
    n_datasets: tuple[tuple[int | None, ...], ...]
    alpha: float

    __repr__ = short_repr


def _cell_width(content: KHatMatrixContent, total: float) -> float:
    names = min(widest(content.rows, typography().text), _NAMES_SHARE * total)
    return min(_CELL_WIDTH * typography().scale, (total - names - 2 * typography().line) / len(content.columns))


def _above(columns: Sequence[str], cell: float) -> float:
    """Return the room for the names or numbers of columns, and the line of words over them."""
    size = typography().text
    names = min(widest(columns, size), _COLUMN_NAMES)
    return (size if names <= cell - 3 or cell < LEAST_SIZE else names) + 2 * typography().line


def _plot(content: KHatMatrixContent, total: float) -> Plot:
    """Return the room for cells, the names above them, and a line of words."""
    cell, type_ = _cell_width(content, total), typography()
    height = min(_CELL_HEIGHT * type_.scale, max(cell, 1.25 * LEAST_SIZE))
    inside = max(height * len(content.rows), text_width("this system is better", type_.text) + 6.0)
    return Plot(min(inside + _above(content.columns, cell), type_.page_height - 4 * type_.line))


def draw_k_hat_matrix(content: KHatMatrixContent, axes: Sequence[Axes]) -> None:
    """Draw k-hat of every comparison as a cell: the darker, the more datasets.

    Rows are the systems that are claimed to be better, columns those they are compared with. Cells carry their number
    with up to 20 systems; with more there is a bar of shades instead. Cells without a comparison, a system with itself
    among them, are crossed out; a k-hat of 0 is a blank. Where the names of columns would be too small to read, rows
    and columns are numbered.
    """
    (panel,) = axes
    k_hat, sizes = (np.array(table, dtype=np.float64) for table in (content.k_hat, content.n_datasets))  # NaN for None
    n, same_size = int(np.nanmax(sizes)), bool(np.nanmin(sizes) == np.nanmax(sizes))
    cell = _cell_width(content, width_of(panel))
    row = (height_of(panel) - _above(content.columns, cell)) / len(content.rows)
    _write_names(panel, content, cell, row)
    _draw_cells(panel, k_hat / sizes, cell)
    texts = [
        [_number(*both, same_size) for both in zip(*line, strict=True)]
        for line in zip(content.k_hat, content.n_datasets, strict=True)
    ]
    longest = max((text for line in texts for text in line), key=len, default="")
    fitting = typography().small * (cell - 2) / max(1.0, text_width(longest, typography().small))
    size = min(typography().small, fitting, 0.8 * row)
    if max(k_hat.shape) > _MOST_WITH_NUMBERS or size < LEAST_SIZE:
        return _draw_bar(panel, n, same_size)
    for place, line in enumerate(texts):
        for column, text in enumerate(line):
            if text:
                share = k_hat[place, column] / sizes[place, column]
                ink = PAPER if share > _DARK else INK if share else GREY
                at: Any = {"ha": "center", "va": "center", "fontsize": size}
                write(panel, text, (column, place), color=shade(ink), **at)
    return None


def _number(k_hat: int | None, size: int | None, same_size: bool) -> str:
    """Write a k-hat; nothing for 0, so that the triangle is seen, and where a pair was not compared."""
    if k_hat is None or (k_hat == 0 and same_size):
        return ""
    return f"{k_hat}" if same_size else f"{k_hat}/{size}"


def _write_names(axes: Axes, content: KHatMatrixContent, cell: float, row: float) -> None:
    """Write the names of rows and columns, or their numbers where names would be too small to read."""
    rows, columns, total, type_ = content.rows, content.columns, width_of(axes), typography()
    size = max(LEAST_SIZE, min(type_.text, 0.92 * min(row, _CELL_HEIGHT * type_.scale)))
    names = all_shortened(rows, _NAMES_SHARE * total, size)
    step, upright = max(1, -(-int(10 * LEAST_SIZE) // max(1, int(10 * row)))), False
    if cell < LEAST_SIZE:
        names = [f"{name} · {place}" for place, name in enumerate(names, start=1)]
        each = next(nice for nice in (1, 2, 5, 10, 20, 50, 100, 1000) if nice * cell >= text_width("000", size))
        every = range(1, len(columns) + 1)
        heads = [(place - 1, str(place)) for place in every if place == 1 or place % each == 0]
    else:
        upright = widest(columns, size) > cell - 3
        heads = list(enumerate(all_shortened(columns, _COLUMN_NAMES if upright else total, size)))
    set_ticks(axes.yaxis, [(place, name) for place, name in enumerate(names) if place % step == 0])
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    set_ticks(axes.xaxis, heads)
    axes.tick_params(length=0, labelsize=size)
    axes.tick_params(axis="x", labelrotation=90 if upright else 0)
    write_label(axes, "x", "than this one", pad=3.0)
    write_label(axes, "y", "this system is better", pad=3.0)
    axes.spines[:].set_visible(False)


def _draw_cells(axes: Axes, shares: NDArray[np.float64], cell: float) -> None:
    """Draw shares as shades, and cross out the cells that are NaN."""
    from matplotlib.colors import LinearSegmentedColormap

    n_rows, n_columns = shares.shape
    few, line = max(shares.shape) <= _MOST_CELLS_ONE_BY_ONE, 0.6 if cell > 8 else 0.25
    axes.pcolormesh(
        np.arange(n_columns + 1) - 0.5,
        np.arange(n_rows + 1) - 0.5,
        np.ma.masked_invalid(shares),
        cmap=LinearSegmentedColormap.from_list("k_hat", [shade(share) for share in (1.0, 0.816, 0.549, 0.184)]),
        vmin=0.0,
        vmax=1.0,
        edgecolors=shade(0.78) if few else "none",
        linewidth=line if few else 0.0,
        rasterized=not few,
        label="_cells",
    )
    y, x = np.nonzero(np.isnan(shares))
    cross: Any = {"color": shade(LIGHT), "linewidth": line, "label": "_not_compared"}
    axes.plot([x - 0.5, x + 0.5], [y + 0.5, y - 0.5], **cross)
    axes.set_xlim(-0.5, n_columns - 0.5)
    axes.set_ylim(n_rows - 0.5, -0.5)


def _draw_bar(axes: Axes, n: int, same_size: bool) -> None:
    """Draw the bar of shades next to the matrix, up to n datasets."""
    figure, mesh = axes.get_figure(), axes.collections[0]
    assert figure is not None  # noqa: S101 - drawn on
    bar = figure.colorbar(mesh, ax=axes, shrink=0.6, aspect=18, pad=0.02, anchor=(0.0, 1.0))
    bar.outline.set_linewidth(0.5)
    step = next(nice for nice in (1, 2, 5, 10, 20, 50, 100, 10**9) if n / nice <= 10)
    set_ticks(bar.ax.yaxis, [(v / n, str(v) if same_size else f"{100 * v / n:.0f}%") for v in range(0, n + 1, step)])
    write(bar.ax, r"$\hat{k}$", (0.5, 1.0), xycoords="axes fraction", offset=(0.0, 3.0), ha="center", math=True)


def k_hat_matrix_alt_text(content: KHatMatrixContent) -> str:
    """Say in words what the matrix shows; the pairs with the largest k-hat are named."""
    found = [
        (clean(a), clean(b), k_hat, size)
        for a, line, sizes in zip(content.rows, content.k_hat, content.n_datasets, strict=True)
        for b, k_hat, size in zip(content.columns, line, sizes, strict=True)
        if k_hat is not None and size is not None
    ]
    n, datasets = len({*content.rows, *content.columns}), max(size for *_, size in found)
    positive = sorted((item for item in found if item[2]), key=lambda item: -item[2])
    named = listed([f"{a} over {b} ({k_hat} of {size})" for a, b, k_hat, size in positive], most=_MOST_LISTED)
    return (
        f"Matrix of k-hat at level {level_text(content.alpha)} for {counted(n, 'system')} on "
        f"{counted(datasets, 'dataset')}: on how many, at least, the system in the row is better than the one in the "
        f"column. Of {counted(len(found), 'ordered pair')}, {len(found) - len(positive):,} have a k-hat of 0."
        + (f" Largest first: {named}." if named else "")
    )


DRAWING = Drawing(
    "k-hat-matrix",
    KHatMatrixContent,
    _plot,
    draw_k_hat_matrix,
    k_hat_matrix_alt_text,
    wide=lambda content: len(content.columns) > MOST_SYSTEMS_IN_A_COLUMN,
)
