"""k-hat for all pairs: on how many datasets, at least, is the system of the row better than that of the column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.figures.drawing.axes import set_ticks, write
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.matrix import MOST_SYSTEMS_IN_A_COLUMN, draw_matrix, matrix_plot, pairs_once
from reportkit.figures.drawing.style import GREY, INK, PAPER, shade
from reportkit.figures.drawing.typography import clean
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import level_text
from reportkit.language.short_repr import short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from reportkit.replicability.comparison import Comparison

Order = Literal["given", "wins"]
"""As they first occur; by the sum of their row less that of their column."""
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


def _plot(content: KHatMatrixContent, total: float) -> Plot:
    return matrix_plot(content.rows, content.columns, total)


def draw_k_hat_matrix(content: KHatMatrixContent, axes: Sequence[Axes]) -> None:
    """Draw k-hat of every comparison as a cell: the darker, the more datasets.

    Rows are the systems that are claimed to be better, columns those they are compared with. Cells carry their number
    with up to 20 systems; with more there is a bar of shades instead. Cells without a comparison, a system with itself
    among them, are crossed out; a k-hat of 0 is a blank. Where the names of columns would be too small to read, rows
    and columns are numbered.
    """
    from matplotlib.colors import LinearSegmentedColormap

    matrix = _matrix(content)
    shades = LinearSegmentedColormap.from_list("k_hat", [shade(share) for share in (1.0, 0.816, 0.549, 0.184)])
    shares = matrix.k_hat / matrix.sizes
    texts = [
        [_number(k_hat, size, same_size=matrix.same_size) for k_hat, size in zip(*both, strict=True)]
        for both in zip(matrix.k_hat, matrix.sizes, strict=True)
    ]
    inks = [[shade(PAPER) if share > _DARK else shade(INK if share else GREY) for share in row] for row in shares]
    if not draw_matrix(axes[0], content.rows, content.columns, shares, shades, texts, inks):
        _draw_bar(axes[0], matrix)


def _number(k_hat: float, size: float, *, same_size: bool) -> str:
    """Write a k-hat; nothing for 0, so that the triangle is seen, and where a pair was not compared."""
    if np.isnan(k_hat) or (k_hat == 0 and same_size):
        return ""
    return f"{int(k_hat)}" if same_size else f"{int(k_hat)}/{int(size)}"


def _draw_bar(axes: Axes, matrix: _Matrix) -> None:
    figure, mesh = axes.get_figure(), axes.collections[0]
    assert figure is not None  # noqa: S101 - drawn on
    bar = figure.colorbar(mesh, ax=axes, shrink=0.6, aspect=18, pad=0.02, anchor=(0.0, 1.0))
    bar.outline.set_linewidth(0.5)
    n = matrix.n_datasets
    step = next(nice for nice in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if n / nice <= 10)
    values = range(0, n + 1, step)
    set_ticks(bar.ax.yaxis, [(v / n, str(v) if matrix.same_size else f"{100 * v / n:.0f}%") for v in values])
    write(bar.ax, r"$\hat{k}$", (0.5, 1.0), xycoords="axes fraction", offset=(0.0, 3.0), ha="center", math=True)


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


K_HAT_MATRIX = Drawing(
    "k-hat-matrix",
    KHatMatrixContent,
    _plot,
    draw_k_hat_matrix,
    k_hat_matrix_alt_text,
    wide=lambda content: len(content.columns) > MOST_SYSTEMS_IN_A_COLUMN,
)
