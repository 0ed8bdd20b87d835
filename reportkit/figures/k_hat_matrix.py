"""k-hat for all pairs: on how many datasets, at least, is the system of the row better than that of the column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.figures.drawing.entry import Drawing
from reportkit.figures.drawing.fonts import clean
from reportkit.figures.drawing.marks import CAP_HEIGHT
from reportkit.figures.drawing.matrix_layout import (
    MOST_SYSTEMS_IN_A_COLUMN,
    MatrixLayout,
    draw_cells,
    matrix_layout,
    pairs_once,
    write_names,
)
from reportkit.figures.drawing.new_figure import new_figure
from reportkit.figures.drawing.style import GREY, INK, axes_at, write
from reportkit.figures.drawing.typography import typography
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import level_text
from reportkit.language.short_repr import short_repr

if TYPE_CHECKING:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from reportkit.replicability.comparison import Comparison

Order = Literal["given", "wins"]
"""As they first occur; by the sum of their row less that of their column."""


_BAR, _BAR_GAP = 7.0, 8.0
_MOST_LISTED = 12
_DARK = 0.746  # share of datasets from which white on the shade has more contrast than black


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


def k_hat_matrix_content(
    comparisons: Sequence[Comparison], *, alpha: float, order: Order | Sequence[str] = "given"
) -> KHatMatrixContent:
    """Take from comparisons what the matrix shows.

    Parameters
    ----------
    comparisons : sequence of Comparison
        Each ordered pair at most once.
    alpha : float
        One of the levels of the comparisons.
    order : {"given", "wins"} or sequence of str
        Systems as they first occur, by the sum of their row less that of their column, which shows who beats whom, or
        in this order.

    Raises
    ------
    InputError
        If there is no comparison, or a pair occurs twice.
    SettingsError
        If the comparisons have no k-hat at this level.
    UnknownNameError
        If there is no such order.
    """
    cells = _cells(comparisons, alpha, order)
    systems = list(dict.fromkeys(name for pair in cells for name in pair))
    if order == "wins":
        net = dict.fromkeys(systems, 0)
        for (a, b), (k_hat, _) in cells.items():
            net[a] += k_hat
            net[b] -= k_hat
        systems.sort(key=lambda name: -net[name])
    elif not isinstance(order, str):
        systems.sort(key=list(order).index)
    rows = tuple(name for name in systems if any(name == a for a, _ in cells))
    columns = tuple(name for name in systems if any(name == b for _, b in cells))
    table = [[cells.get((a, b), (None, None)) for b in columns] for a in rows]
    return KHatMatrixContent(
        rows=rows,
        columns=columns,
        k_hat=tuple(tuple(k_hat for k_hat, _ in line) for line in table),
        n_datasets=tuple(tuple(size for _, size in line) for line in table),
        alpha=alpha,
    )


def draw_k_hat_matrix(content: KHatMatrixContent, total: float) -> Figure:
    """Draw k-hat of every comparison as a cell: the darker, the more datasets.

    Rows are the systems that are claimed to be better, columns those they are compared with. Cells carry their number
    with up to 20 systems; with more there is a bar of shades instead. Cells without a comparison, a system with itself
    among them, are crossed out. Where the names of columns would be too small to read, rows and columns are numbered.

    Parameters
    ----------
    content : KHatMatrixContent
        Of any number of systems.
    total : float
        Width in points.

    Returns
    -------
    matplotlib.figure.Figure
        Outside pyplot; not higher than the page.
    """
    matrix = _matrix(content)
    layout = _layout(matrix, total)
    figure = new_figure(total, layout.height)
    axes = axes_at(figure, layout.left, layout.bottom, layout.width, layout.top - layout.bottom)
    draw_cells(axes, matrix.k_hat / matrix.sizes, _shades(), layout)
    write_names(figure, layout)
    if layout.numbers_size:
        _write_numbers(figure, matrix, layout)
    else:
        _draw_bar(figure, matrix, layout)
    return figure


def k_hat_matrix_alt_text(content: KHatMatrixContent) -> str:
    """Say in words what the matrix shows, in a few sentences; the pairs with the largest k-hat are named."""
    matrix = _matrix(content)
    n = len({*matrix.rows, *matrix.columns})
    known = [(a, b, k_hat, size) for a, b, k_hat, size in _pairs(content) if k_hat is not None]
    zero = sum(k_hat == 0 for _, _, k_hat, _ in known)
    size = f"{counted(n, 'system')} on {counted(matrix.n_datasets, 'dataset')}"
    sentences = [
        f"Matrix of k-hat at level {level_text(content.alpha)} for {size}.",
        "It says on how many datasets, at least, the system in the row is better than the one in the column.",
        f"Of {counted(len(known), 'ordered pair')}, {zero:,} have a k-hat of 0.",
    ]
    positive = [item for item in sorted(known, key=lambda item: -item[2]) if item[2] > 0]
    if positive:
        named = [f"{clean(a)} over {clean(b)} ({k_hat} of {size})" for a, b, k_hat, size in positive]
        sentences.append(f"Largest first: {listed(named, most=_MOST_LISTED)}.")
    return " ".join(sentences)


def _pairs(content: KHatMatrixContent) -> list[tuple[str, str, int | None, int | None]]:
    """Row, column, k-hat and datasets of every cell; the two directions of a pair one after the other."""
    places = {name: place for place, name in enumerate(dict.fromkeys((*content.rows, *content.columns)))}
    cells = [
        (a, b, content.k_hat[row][column], content.n_datasets[row][column])
        for row, a in enumerate(content.rows)
        for column, b in enumerate(content.columns)
    ]
    return sorted(cells, key=lambda cell: (*sorted((places[cell[0]], places[cell[1]])), places[cell[0]]))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Matrix:
    """k-hat and number of datasets by row and column; NaN where a pair was not compared."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    k_hat: NDArray[np.float64]
    sizes: NDArray[np.float64]

    @property
    def n_datasets(self) -> int:
        """Largest number of datasets of any pair."""
        return int(np.nanmax(self.sizes))

    @property
    def same_size(self) -> bool:
        """Whether all pairs were compared on the same number of datasets."""
        return bool(np.nanmin(self.sizes) == np.nanmax(self.sizes))


def _matrix(content: KHatMatrixContent) -> _Matrix:
    return _Matrix(
        rows=content.rows,
        columns=content.columns,
        k_hat=np.array(content.k_hat, dtype=np.float64),  # None becomes NaN
        sizes=np.array(content.n_datasets, dtype=np.float64),
    )


def _cells(
    comparisons: Sequence[Comparison], alpha: float, order: Order | Sequence[str]
) -> dict[tuple[str, str], tuple[int, int]]:
    """k-hat and number of datasets by pair."""
    if isinstance(order, str) and order not in ("given", "wins"):
        raise UnknownNameError("order of systems", order, ("given", "wins"))
    cells: dict[tuple[str, str], tuple[int, int]] = {}
    for pair, item in pairs_once(comparisons).items():
        if alpha not in item.k_hat:
            raise SettingsError(
                f"there is no k-hat at level {alpha!r}",
                where=f"{item.system_a} and {item.system_b}",
                remedy=f"give one of {', '.join(map(level_text, item.k_hat))}",
            )
        cells[pair] = item.k_hat[alpha].recommended, item.n_datasets
    return cells


def _layout(matrix: _Matrix, total: float) -> MatrixLayout:
    """With numbers in the cells where they are legible, else with a bar of shades."""
    widest = str(matrix.n_datasets) if matrix.same_size else f"{matrix.n_datasets}/{matrix.n_datasets}"
    return matrix_layout(matrix.rows, matrix.columns, total, number=widest, beside=_BAR_GAP + _BAR + 16)


def _shades() -> LinearSegmentedColormap:
    """White to dark grey: the lightness alone says how many."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("k_hat", ["#ffffff", "#d0d0d0", "#8c8c8c", "#2f2f2f"])


def _write_numbers(figure: Figure, matrix: _Matrix, layout: MatrixLayout) -> None:
    for (row, column), value in np.ndenumerate(matrix.k_hat):
        if np.isnan(value) or (value == 0 and matrix.same_size):
            continue  # a blank, so that the triangle is seen
        size = int(matrix.sizes[row, column])
        text = f"{int(value)}" if matrix.same_size else f"{int(value)}/{size}"
        colour = "#ffffff" if value / size > _DARK else INK if value else GREY
        baseline = layout.row(row) - CAP_HEIGHT * layout.numbers_size
        write(figure, layout.column(column), baseline, text, size=layout.numbers_size, ha="center", colour=colour)


def _draw_bar(figure: Figure, matrix: _Matrix, layout: MatrixLayout) -> None:
    left = layout.left + layout.width + _BAR_GAP
    height = min(layout.top - layout.bottom, 130.0)
    bottom = layout.top - height
    axes = axes_at(figure, left, bottom, _BAR, height)
    steps = matrix.n_datasets + 1
    shares = np.arange(steps) / matrix.n_datasets
    edges = np.linspace(0, 1, steps + 1)
    axes.pcolormesh(
        [0, 1], edges, shares[:, np.newaxis], cmap=_shades(), vmin=0, vmax=1, edgecolors="face", linewidth=0.1
    )
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    for name in ("top", "right"):
        axes.spines[name].set_visible(True)
    axes.set_xticks([])
    axes.set_yticks([])
    step = next(nice for nice in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if matrix.n_datasets / nice <= 12)
    for value in range(0, steps, step):
        y = bottom + height * (value + 0.5) / steps - CAP_HEIGHT * typography().small
        text = str(value) if matrix.same_size else f"{100 * value / matrix.n_datasets:.0f}%"
        write(figure, left + _BAR + 3, y, text, size=typography().small)
    write(figure, left + _BAR / 2, bottom + height + 4, r"$\hat{k}$", ha="center", math=True)


K_HAT_MATRIX = Drawing(
    "k-hat-matrix",
    KHatMatrixContent,
    draw_k_hat_matrix,
    k_hat_matrix_alt_text,
    wide=lambda content: len(content.columns) > MOST_SYSTEMS_IN_A_COLUMN,
)
