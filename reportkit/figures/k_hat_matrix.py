"""k-hat for all pairs: on how many datasets, at least, is the system of the row better than that of the column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import InputError, SettingsError, UnknownNameError
from reportkit.figures.fonts import clean
from reportkit.figures.key import LINE_HEIGHT
from reportkit.figures.lettering import all_shortened, text_width
from reportkit.figures.style import (
    GREY,
    INK,
    PAGE_HEIGHT,
    SMALL_SIZE,
    TEXT_SIZE,
    axes_at,
    new_figure,
    style,
    width_in_points,
    write,
)
from reportkit.numerals import level_text
from reportkit.phrases import counted, listed
from reportkit.replicability.comparison import Comparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

Order = Literal["given", "wins"]

MOST_SYSTEMS_WITH_NUMBERS = 20

_MOST_CELL_WIDTH, _MOST_CELL_HEIGHT = 30.0, 15.0
_LEAST_LETTERING = 4.6  # smallest size that can be read in print
_USUAL_CELL_WIDTH = 14.0
_COLUMN_NAMES_HEIGHT = 80.0
_GAP = 3.0
_BAR, _BAR_GAP = 7.0, 8.0
_MOST_LISTED = 12
_DARK = 0.746  # share of datasets from which white on the shade has more contrast than black


def k_hat_matrix(
    comparisons: Sequence[Comparison], *, alpha: float, width: float | str = "text", order: Order = "given"
) -> Figure:
    """Draw k-hat of every comparison as a cell: the darker, the more datasets.

    Rows are the systems that are claimed to be better, columns those they are compared with. Cells carry their number
    with up to 20 systems; with more there is a bar of shades instead. Cells without a comparison, a system with itself
    among them, are crossed out. Where the names of columns would be too small to read, rows and columns are numbered.

    Parameters
    ----------
    comparisons : sequence of Comparison
        Each ordered pair at most once.
    alpha : float
        One of the levels of the comparisons.
    width : float or str
        TeX points, or the name of a preset in `style.WIDTHS`.
    order : {"given", "wins"}
        Systems as they first occur, or by the sum of their row less that of their column, which shows who beats whom.

    Returns
    -------
    matplotlib.figure.Figure
        Outside pyplot; not higher than 8.5 inches.

    Raises
    ------
    InputError
        If there is no comparison, or a pair occurs twice.
    SettingsError
        If the comparisons have no k-hat at this level.
    UnknownNameError
        If there is no such order or preset.
    """
    matrix = _matrix(comparisons, alpha, order)
    total = width_in_points(width)
    with style():
        layout = _layout(matrix, total)
        figure = new_figure(total, layout.height)
        axes = axes_at(figure, layout.left, layout.bottom, layout.width, layout.top - layout.bottom)
        _draw_cells(axes, matrix, layout)
        _write_names(figure, layout)
        if layout.numbers_size:
            _write_numbers(figure, matrix, layout)
        else:
            _draw_bar(figure, matrix, layout)
    return figure


def k_hat_matrix_alt_text(comparisons: Sequence[Comparison], *, alpha: float) -> str:
    """Say in words what `k_hat_matrix` shows.

    Parameters
    ----------
    comparisons : sequence of Comparison
        Each ordered pair at most once.
    alpha : float
        One of the levels of the comparisons.

    Returns
    -------
    str
        A few sentences of plain text; the pairs with the largest k-hat are named.
    """
    matrix = _matrix(comparisons, alpha, "given")
    n = len({*matrix.rows, *matrix.columns})
    known = ~np.isnan(matrix.k_hat)
    zero = int((matrix.k_hat[known] == 0).sum())
    size = f"{counted(n, 'system')} on {counted(matrix.n_datasets, 'dataset')}"
    sentences = [
        f"Matrix of k-hat at level {level_text(alpha)} for {size}.",
        "It says on how many datasets, at least, the system of the row is better than that of the column.",
        f"Of {counted(int(known.sum()), 'ordered pair')}, {zero:,} have a k-hat of 0.",
    ]
    ranked = sorted(comparisons, key=lambda item: -item.k_hat[alpha].recommended)
    positive = [item for item in ranked if item.k_hat[alpha].recommended > 0]
    if positive:
        named = [
            f"{clean(item.system_a)} over {clean(item.system_b)} ({item.k_hat[alpha].recommended} of {item.n_datasets})"
            for item in positive[:_MOST_LISTED]
        ]
        more = [f"{len(positive) - _MOST_LISTED:,} more"] if len(positive) > _MOST_LISTED else []
        sentences.append(f"Largest first: {listed([*named, *more])}.")
    return " ".join(sentences)


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


def _matrix(comparisons: Sequence[Comparison], alpha: float, order: Order) -> _Matrix:
    if not comparisons:
        raise InputError("there is no comparison to draw", remedy="compare at least two systems")
    if order not in ("given", "wins"):
        raise UnknownNameError("order of systems", order, ("given", "wins"))
    cells: dict[tuple[str, str], tuple[int, int]] = {}
    for item in comparisons:
        if alpha not in item.k_hat:
            raise SettingsError(
                f"there is no k-hat at level {alpha!r}",
                where=f"{item.system_a} and {item.system_b}",
                remedy=f"give one of {', '.join(map(level_text, item.k_hat))}",
            )
        pair = item.system_a, item.system_b
        if pair in cells:
            raise InputError(f"the comparison of {item.system_a!r} with {item.system_b!r} is given twice")
        cells[pair] = item.k_hat[alpha].recommended, item.n_datasets
    systems = list(dict.fromkeys(name for pair in cells for name in pair))
    if order == "wins":
        net = dict.fromkeys(systems, 0)
        for (a, b), (k_hat, _) in cells.items():
            net[a] += k_hat
            net[b] -= k_hat
        systems.sort(key=lambda name: -net[name])
    rows = tuple(name for name in systems if any(name == a for a, _ in cells))
    columns = tuple(name for name in systems if any(name == b for _, b in cells))
    unknown = (np.nan, np.nan)
    table = np.array([[cells.get((a, b), unknown) for b in columns] for a in rows], dtype=float)
    return _Matrix(rows=rows, columns=columns, k_hat=table[..., 0], sizes=table[..., 1])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """Where everything goes, in points from the lower left corner; sizes are font sizes."""

    height: float
    left: float
    bottom: float
    cell_width: float
    cell_height: float
    names_size: float
    numbers_size: float
    row_names: list[str]
    column_names: list[str]
    rotated: bool
    start: float

    @property
    def width(self) -> float:
        """Of all cells."""
        return self.cell_width * len(self.column_names)

    @property
    def top(self) -> float:
        """Upper end of the cells."""
        return self.bottom + self.cell_height * len(self.row_names)

    def column(self, index: int) -> float:
        """Middle of a column."""
        return self.left + (index + 0.5) * self.cell_width

    def row(self, index: int) -> float:
        """Middle of a row."""
        return self.top - (index + 0.5) * self.cell_height


def _layout(matrix: _Matrix, total: float) -> _Layout:
    n_rows, n_columns = len(matrix.rows), len(matrix.columns)
    with_numbers = max(n_rows, n_columns) <= MOST_SYSTEMS_WITH_NUMBERS
    margin = LINE_HEIGHT + 2
    bar = 0.0 if with_numbers else _BAR_GAP + _BAR + 16
    room = total - margin - bar - _GAP - 2
    widest = min(max(room - n_columns * _USUAL_CELL_WIDTH, 0.3 * total), 0.45 * total)
    size = _names_size(matrix, room, widest)
    names = all_shortened(matrix.rows, widest, size)
    numbered = (room - _widest(names, size)) / n_columns < _LEAST_LETTERING
    if numbered:
        names = [f"{name} · {number}" for number, name in enumerate(names, start=1)]
    cell_width = min(_MOST_CELL_WIDTH, (room - _widest(names, size)) / n_columns)
    columns, rotated = _column_names(matrix.columns, cell_width, size, numbered=numbered)
    above = (_widest(columns, size) if rotated else size) + _GAP + LINE_HEIGHT + 4
    usual = min(_MOST_CELL_HEIGHT, max(cell_width, 1.25 * _LEAST_LETTERING), (PAGE_HEIGHT - above - 2) / n_rows)
    cell_height = max(usual, (text_width(_ROW_WORDS, TEXT_SIZE) + 2) / n_rows)
    width = margin + _widest(names, size) + _GAP + cell_width * n_columns + bar
    start = max(1.0, (total - width) / 2)
    text = str(matrix.n_datasets) if matrix.same_size else f"{matrix.n_datasets}/{matrix.n_datasets}"
    fitting = SMALL_SIZE * (cell_width - 2) / text_width(text, SMALL_SIZE)
    return _Layout(
        height=2 + cell_height * n_rows + above,
        left=start + margin + _widest(names, size) + _GAP,
        bottom=2.0,
        cell_width=cell_width,
        cell_height=cell_height,
        names_size=min(size, 0.95 * cell_height),
        numbers_size=min(SMALL_SIZE, fitting, 0.8 * cell_height) if with_numbers else 0.0,
        row_names=names,
        column_names=columns,
        rotated=rotated,
        start=start,
    )


def _names_size(matrix: _Matrix, room: float, widest: float) -> float:
    """As large as the cells allow; smaller names leave more room for cells, which allow larger names."""
    size = TEXT_SIZE
    for _ in range(3):
        names = all_shortened(matrix.rows, widest, size)
        cell = min((room - _widest(names, size)) / len(matrix.columns), _MOST_CELL_HEIGHT)
        size = min(TEXT_SIZE, max(_LEAST_LETTERING, 0.92 * cell))
    return size


def _column_names(systems: Sequence[str], cell_width: float, size: float, *, numbered: bool) -> tuple[list[str], bool]:
    """Names or numbers of the columns, and whether they stand upright."""
    if numbered:
        least = text_width("000", size)
        step = next((step for step in (1, 2, 5, 10, 20, 50, 100) if step * cell_width >= least), 1000)
        shown = [number == 1 or number % step == 0 for number in range(1, len(systems) + 1)]
        return [str(number) if show else "" for number, show in enumerate(shown, start=1)], False
    if _widest(systems, size) <= cell_width - 3:
        return list(systems), False
    return all_shortened(systems, _COLUMN_NAMES_HEIGHT, size), True


def _widest(names: Sequence[str], size: float) -> float:
    return max(text_width(name, size) for name in names)


def _shades() -> LinearSegmentedColormap:
    """White to dark grey: the lightness alone says how many."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("k_hat", ["#ffffff", "#d0d0d0", "#8c8c8c", "#2f2f2f"])


def _draw_cells(axes: Axes, matrix: _Matrix, layout: _Layout) -> None:
    n_rows, n_columns = matrix.k_hat.shape
    line = 0.6 if layout.cell_width > 8 else 0.25 if layout.cell_width > 4 else 0.1
    axes.pcolormesh(
        np.arange(n_columns + 1) - 0.5,
        np.arange(n_rows + 1) - 0.5,
        np.ma.masked_invalid(matrix.k_hat / matrix.sizes),
        cmap=_shades(),
        vmin=0.0,
        vmax=1.0,
        edgecolors="#c8c8c8",
        linewidth=line,
        label="_cells",
    )
    axes.set_xlim(-0.5, n_columns - 0.5)
    axes.set_ylim(n_rows - 0.5, -0.5)
    rows, columns = np.nonzero(np.isnan(matrix.k_hat))
    axes.plot(
        [columns - 0.5, columns + 0.5],
        [rows + 0.5, rows - 0.5],
        color="#b0b0b0",
        linewidth=line,
        label="_not_compared",
    )
    axes.set_axis_off()


_ROW_WORDS, _COLUMN_WORDS = "this system is better", "than this one"


def _write_names(figure: Figure, layout: _Layout) -> None:
    for index, name in enumerate(layout.row_names):
        baseline = layout.row(index) - 0.31 * layout.names_size
        write(figure, layout.left - _GAP, baseline, name, size=layout.names_size, ha="right")
    for index, name in enumerate(layout.column_names):
        if layout.rotated:
            x = layout.column(index) + 0.31 * layout.names_size
            write(figure, x, layout.top + _GAP, name, size=layout.names_size, rotation=90)
        elif name:
            write(figure, layout.column(index), layout.top + _GAP, name, size=layout.names_size, ha="center")
    write(figure, layout.left + layout.width / 2, layout.height - TEXT_SIZE, _COLUMN_WORDS, ha="center")
    middle = (layout.bottom + layout.top) / 2
    write(figure, layout.start + TEXT_SIZE - 1, middle, _ROW_WORDS, ha="center", rotation=90)


def _write_numbers(figure: Figure, matrix: _Matrix, layout: _Layout) -> None:
    for (row, column), value in np.ndenumerate(matrix.k_hat):
        if np.isnan(value):
            continue
        size = int(matrix.sizes[row, column])
        text = f"{int(value)}" if matrix.same_size else f"{int(value)}/{size}"
        colour = "#ffffff" if value / size > _DARK else INK if value else GREY
        baseline = layout.row(row) - 0.31 * layout.numbers_size
        write(figure, layout.column(column), baseline, text, size=layout.numbers_size, ha="center", colour=colour)


def _draw_bar(figure: Figure, matrix: _Matrix, layout: _Layout) -> None:
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
        y = bottom + height * (value + 0.5) / steps - 0.31 * SMALL_SIZE
        text = str(value) if matrix.same_size else f"{100 * value / matrix.n_datasets:.0f}%"
        write(figure, left + _BAR + 3, y, text, size=SMALL_SIZE)
    write(figure, left + _BAR / 2, bottom + height + 4, r"$\hat{k}$", ha="center", math=True)
