"""A matrix of systems by systems: where its cells and names go, and how they are drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reportkit.errors import InputError
from reportkit.figures.drawing.lettering import all_shortened, text_width, without_common_parts
from reportkit.figures.drawing.marks import CAP_HEIGHT
from reportkit.figures.drawing.style import LIGHT_GREY, write
from reportkit.figures.drawing.typography import LEAST_SIZE, typography

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from reportkit.replicability.comparison import Comparison

MOST_SYSTEMS_WITH_NUMBERS = 20
MOST_SYSTEMS_IN_A_COLUMN = 8

_MOST_CELL_WIDTH, _MOST_CELL_HEIGHT = 30.0, 15.0
_USUAL_CELL_WIDTH = 14.0
_COLUMN_NAMES_HEIGHT = 80.0
_GAP = 3.0
_EDGES = "#c8c8c8"
_MOST_CELLS_ONE_BY_ONE = 20
"""Rows or columns from which on cells that look alike are one area: 1,600 take 0.2 s and 0.3 MB more one by one."""
_ROW_WORDS, _COLUMN_WORDS = "this system is better", "than this one"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixLayout:
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


def pairs_once(comparisons: Sequence[Comparison]) -> dict[tuple[str, str], Comparison]:
    """Comparisons by their ordered pair of systems.

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


def matrix_layout(
    rows: Sequence[str], columns: Sequence[str], total: float, *, number: str, beside: float = 0.0
) -> MatrixLayout:
    """Share the width between names and cells.

    Parameters
    ----------
    rows, columns : sequence of str
        Names.
    total : float
        Width in points.
    number : str
        The widest number that a cell holds. Of many systems, or where it would be too small to read, cells hold none.
    beside : float
        Room to the right of cells without numbers.

    Returns
    -------
    MatrixLayout
        Where the names of columns would be too small to read, rows and columns are numbered; where the rows do not fit
        a page in legible type, some of them have no name.
    """
    if max(len(rows), len(columns)) <= MOST_SYSTEMS_WITH_NUMBERS:
        layout = _layout(rows, columns, total, number=number)
        if layout.numbers_size >= LEAST_SIZE:
            return layout
    return _layout(rows, columns, total, beside=beside)


def _layout(
    rows: Sequence[str], columns: Sequence[str], total: float, *, number: str = "", beside: float = 0.0
) -> MatrixLayout:
    n_rows, n_columns = len(rows), len(columns)
    rows, columns = _alike(rows, columns)
    margin = typography().line + 4
    room = total - margin - beside - _GAP - 2
    widest = min(max(room - n_columns * _USUAL_CELL_WIDTH, 0.3 * total), 0.45 * total)
    size = _names_size(rows, n_columns, room, widest)
    names = all_shortened(rows, widest, size)
    numbered = (room - _widest(names, size)) / n_columns < LEAST_SIZE
    if numbered:
        names = [f"{name} · {place}" for place, name in enumerate(names, start=1)]
    cell_width = min(_MOST_CELL_WIDTH * typography().scale, (room - _widest(names, size)) / n_columns)
    heads, rotated = _column_names(columns, cell_width, size, numbered=numbered)
    above = (_widest(heads, size) if rotated else size) + _GAP + typography().line + 4
    most = _MOST_CELL_HEIGHT * typography().scale
    usual = min(most, max(cell_width, 1.25 * LEAST_SIZE), (typography().page_height - above - 2) / n_rows)
    cell_height = max(usual, (text_width(_ROW_WORDS, typography().text) + 2) / n_rows)
    step = math.ceil(LEAST_SIZE / cell_height - 1e-9)
    width = margin + _widest(names, size) + _GAP + cell_width * n_columns + beside
    start = max(1.0, (total - width) / 2)
    fitting = typography().small * (cell_width - 2) / text_width(number, typography().small) if number else 0.0
    return MatrixLayout(
        height=2 + cell_height * n_rows + above,
        left=start + margin + _widest(names, size) + _GAP,
        bottom=2.0,
        cell_width=cell_width,
        cell_height=cell_height,
        names_size=min(size, max(LEAST_SIZE, 0.95 * cell_height)),
        numbers_size=min(typography().small, fitting, 0.8 * cell_height),
        row_names=[name if place % step == 0 else "" for place, name in enumerate(names)],
        column_names=heads,
        rotated=rotated,
        start=start,
    )


def _alike(rows: Sequence[str], columns: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Names of rows and columns, shortened in one way where the columns have no room for them in full."""
    if _widest(columns, typography().text) <= _COLUMN_NAMES_HEIGHT:
        return rows, columns
    names = list(dict.fromkeys((*rows, *columns)))
    short = dict(zip(names, without_common_parts(names), strict=True))
    return [short[name] for name in rows], [short[name] for name in columns]


def _names_size(rows: Sequence[str], n_columns: int, room: float, widest: float) -> float:
    """As large as the cells allow; smaller names leave more room for cells, which allow larger names."""
    size = typography().text
    for _ in range(3):
        names = all_shortened(rows, widest, size)
        cell = min((room - _widest(names, size)) / n_columns, _MOST_CELL_HEIGHT * typography().scale)
        size = min(typography().text, max(LEAST_SIZE, 0.92 * cell))
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


def draw_cells(axes: Axes, values: NDArray[np.float64], shades: Colormap, layout: MatrixLayout) -> None:
    """Draw values between 0 and 1 as shades; cells that are NaN are crossed out."""
    n_rows, n_columns = values.shape
    line = 0.6 if layout.cell_width > 8 else 0.25 if layout.cell_width > 4 else 0.1
    if max(values.shape) > _MOST_CELLS_ONE_BY_ONE:
        _draw_stretches(axes, values, shades, line)
    else:
        axes.pcolormesh(
            np.arange(n_columns + 1) - 0.5,
            np.arange(n_rows + 1) - 0.5,
            np.ma.masked_invalid(values),
            cmap=shades,
            vmin=0.0,
            vmax=1.0,
            edgecolors=_EDGES,
            linewidth=line,
            label="_cells",
        )
    axes.set_xlim(-0.5, n_columns - 0.5)
    axes.set_ylim(n_rows - 0.5, -0.5)
    rows, columns = np.nonzero(np.isnan(values))
    axes.plot(
        [columns - 0.5, columns + 0.5],
        [rows + 0.5, rows - 0.5],
        color=LIGHT_GREY,
        linewidth=line,
        label="_not_compared",
    )
    axes.set_axis_off()


def _draw_stretches(axes: Axes, values: NDArray[np.float64], shades: Colormap, line: float) -> None:
    """Draw cells that look alike, one beside the other in a row, as one area, and the edges of all as long lines."""
    from matplotlib.collections import LineCollection, PolyCollection

    n_rows, n_columns = values.shape
    new = np.ones((n_rows, n_columns + 1), dtype=np.bool_)
    new[:, 1:-1] = np.diff(values, axis=1) != 0  # NaN is never like another
    rows, ends = np.nonzero(new)
    first = np.flatnonzero(ends < n_columns)
    top, left, right = rows[first] - 0.5, ends[first] - 0.5, ends[first + 1] - 0.5
    shade = values[rows[first], ends[first]]
    corners = np.stack((left, top, right, top, right, top + 1, left, top + 1), axis=1).reshape(-1, 4, 2)
    known = ~np.isnan(shade)
    axes.add_collection(
        PolyCollection(list(corners[known]), facecolors=shades(shade[known]), linewidth=0, label="_cells")
    )
    across = [[(-0.5, y - 0.5), (n_columns - 0.5, y - 0.5)] for y in range(n_rows + 1)]
    down = [[(x - 0.5, -0.5), (x - 0.5, n_rows - 0.5)] for x in range(n_columns + 1)]
    axes.add_collection(LineCollection([*across, *down], colors=_EDGES, linewidths=line, label="_edges"))


def write_names(figure: Figure, layout: MatrixLayout) -> None:
    """Write the names of rows and columns, and what they are in the claim."""
    for index, name in enumerate(layout.row_names):
        baseline = layout.row(index) - CAP_HEIGHT * layout.names_size
        if name:
            write(figure, layout.left - _GAP, baseline, name, size=layout.names_size, ha="right")
    for index, name in enumerate(layout.column_names):
        if layout.rotated:
            x = layout.column(index) + CAP_HEIGHT * layout.names_size
            write(figure, x, layout.top + _GAP, name, size=layout.names_size, rotation=90)
        elif name:
            write(figure, layout.column(index), layout.top + _GAP, name, size=layout.names_size, ha="center")
    write(figure, layout.left + layout.width / 2, layout.height - typography().text, _COLUMN_WORDS, ha="center")
    middle = (layout.bottom + layout.top) / 2
    write(figure, layout.start + typography().text - 1, middle, _ROW_WORDS, ha="center", rotation=90)
