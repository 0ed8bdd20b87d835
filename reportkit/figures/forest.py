"""Forest plot: the difference on each dataset, with its interval, and whether it is identified."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import UnknownNameError
from reportkit.figures.difference_scale import DifferenceScale, difference_scale
from reportkit.figures.fonts import clean
from reportkit.figures.forest_layout import DIFFERENCE_HEAD, P_HEAD, TICK_LABELS, ForestLayout, forest_layout
from reportkit.figures.key import LINE_HEIGHT, draw_key
from reportkit.figures.lettering import shortened, text_width
from reportkit.figures.style import (
    FAINT,
    GREY,
    INK,
    SMALL_SIZE,
    TEXT_SIZE,
    axes_at,
    new_figure,
    style,
    width_in_points,
    write,
)
from reportkit.numerals import fixed, level_text, p_value_text, percent_text
from reportkit.phrases import counted, listed
from reportkit.replicability.comparison import Comparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Order = Literal["given", "difference", "p_value"]

_CAP_HEIGHT = 0.31  # half the height of a digit, in font sizes: puts a baseline so that digits are centred on a row
_MOST_NAMED = 12


def forest(comparison: Comparison, *, alpha: float, width: float | str = "column", order: Order = "given") -> Figure:
    """Draw the difference between A and B on each dataset.

    One row per dataset: the observed difference, its confidence interval if there is one (an arrow where it is
    unbounded), the difference in figures and its adjusted p-value. The marker is filled where Holm's procedure
    identifies the dataset and the difference has the claimed sign, a cross where the p-value is small enough but the
    difference has the other sign (possible with printed p-values only), and hollow otherwise.

    Parameters
    ----------
    comparison : Comparison
        A against B on one or more datasets.
    alpha : float
        Level of Holm's procedure.
    width : float or str
        TeX points, or the name of a preset in `style.WIDTHS`.
    order : {"given", "difference", "p_value"}
        Rows from top to bottom: as in the comparison, by falling difference, by rising adjusted p-value.

    Returns
    -------
    matplotlib.figure.Figure
        Outside pyplot; not higher than 8.5 inches. Beyond about 60 datasets rows are set so small to fit a page that
        groups of datasets are better drawn one by one.

    Raises
    ------
    UnknownNameError
        If there is no such order or preset.
    """
    scale = difference_scale(comparison)
    rows = _in_order(comparison, scale, order)
    total = width_in_points(width)
    with style():
        layout = forest_layout(comparison, scale, rows, alpha, total)
        figure = new_figure(total, layout.height)
        axes = axes_at(figure, layout.axis_left, layout.axis_bottom, layout.axis_width, layout.row * len(rows))
        _draw_points(axes, comparison, scale, rows, alpha, layout)
        _draw_axis(axes, layout)
        _write_rows(figure, layout)
        _write_below(figure, comparison, scale, layout)
        draw_key(figure, layout.key, 1.0, layout.height)
    return figure


def forest_alt_text(comparison: Comparison, *, alpha: float) -> str:
    """Say in words what `forest` shows.

    Parameters
    ----------
    comparison : Comparison
        A against B on one or more datasets.
    alpha : float
        Level of Holm's procedure.

    Returns
    -------
    str
        A few sentences of plain text.
    """
    scale = difference_scale(comparison)
    a, b, n = clean(comparison.system_a), clean(comparison.system_b), comparison.n_datasets
    marked = comparison.marked(alpha)
    procedure = "Holm's procedure" if comparison.correction == "Holm" else "the graphical procedure"
    unit = f" in {scale.unit}" if scale.unit else ""
    bars = "" if np.isnan(scale.low).all() else ", with confidence intervals"
    if bars and scale.level is not None:
        bars = f", with {percent_text(scale.level)} confidence intervals"
    sentences = [
        f"Forest plot of the {scale.quantity}{unit} between {a} and {b} on {counted(n, 'dataset')}{bars}.",
        f"Values above zero favour {a}.",
        f"{a} is ahead on {int((scale.differences > 0).sum())} of {n}.",
    ]
    if scale.differences.max() > scale.differences.min():
        first, last = int(np.argmax(scale.differences)), int(np.argmin(scale.differences))
        sentences.append(
            f"The difference is largest on {_described(comparison, scale, first)} and smallest on "
            f"{_described(comparison, scale, last)}."
        )
    chosen = np.flatnonzero(marked)
    if chosen.size:
        names = [_described(comparison, scale, int(row), with_p=True) for row in chosen[:_MOST_NAMED]]
        more = [f"{chosen.size - _MOST_NAMED} more"] if chosen.size > _MOST_NAMED else []
        sentences.append(
            f"Filled markers: {procedure} at level {level_text(alpha)} identifies "
            f"{counted(int(chosen.size), 'dataset')}, {listed([*names, *more])}."
        )
    else:
        sentences.append(f"No marker is filled: {procedure} at level {level_text(alpha)} identifies no dataset.")
    crossed = np.flatnonzero(comparison.identified(alpha) & ~marked)
    if crossed.size:
        names = [clean(comparison.datasets[row]) for row in crossed[:_MOST_NAMED]]
        more = [f"{crossed.size - _MOST_NAMED} more"] if crossed.size > _MOST_NAMED else []
        sentences.append(
            f"Crosses: on {listed([*names, *more])} the adjusted p-value is at most {level_text(alpha)}, "
            f"but {a} is not ahead."
        )
    return " ".join(sentences)


def _in_order(comparison: Comparison, scale: DifferenceScale, order: Order) -> list[int]:
    if order == "given":
        return list(range(comparison.n_datasets))
    if order == "difference":
        return [int(index) for index in np.argsort(-scale.differences, kind="stable")]
    if order == "p_value":
        return [int(index) for index in np.lexsort((comparison.p_values, comparison.adjusted_p_values))]
    raise UnknownNameError("order of rows", order, ("given", "difference", "p_value"))


def _draw_points(
    axes: Axes, comparison: Comparison, scale: DifferenceScale, rows: list[int], alpha: float, layout: ForestLayout
) -> None:
    places = np.arange(len(rows))
    marked = comparison.marked(alpha)[rows]
    crossed = comparison.identified(alpha)[rows] & ~marked
    values, low, high = scale.differences[rows], scale.low[rows], scale.high[rows]
    left, right = layout.limits
    axes.set_xlim(left, right)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.hlines(places, left, right, color=FAINT, linewidth=0.3, zorder=0.5, label="_leaders")
    axes.axvline(0.0, color=INK, linewidth=0.5, zorder=1, label="_zero")
    size = min(4.2, 0.55 * layout.row)
    stroke = 0.9 if layout.row > 8 else 0.7
    known = ~np.isnan(low)
    for group, colour in ((known & marked, INK), (known & ~marked, GREY)):
        axes.hlines(
            places[group],
            np.maximum(low[group], left),
            np.minimum(high[group], right),
            color=colour,
            linewidth=stroke,
            zorder=2,
            label="_intervals",
        )
        _draw_arrows(axes, places[group & (low == -np.inf)], left, "<", colour, size)
        _draw_arrows(axes, places[group & (high == np.inf)], right, ">", colour, size)
    for group, marker, face, name in (
        (marked, "o", INK, "_identified"),
        (~marked & ~crossed, "o", "white", "_not_identified"),
        (crossed, "x", INK, "_other_sign"),
    ):
        _draw_markers(axes, values[group], places[group], marker, face, name, size)


def _draw_markers(
    axes: Axes, x: NDArray[np.float64], y: NDArray[np.int_], marker: str, face: str, name: str, size: float
) -> None:
    axes.plot(
        x,
        y,
        linestyle="none",
        marker=marker,
        markersize=size,
        markerfacecolor=face,
        markeredgecolor=INK,
        markeredgewidth=0.7,
        zorder=3,
        clip_on=False,
        label=name,
    )


def _draw_arrows(axes: Axes, y: NDArray[np.int_], x: float, marker: str, colour: str, size: float) -> None:
    axes.plot(
        np.full(y.shape, x),
        y,
        linestyle="none",
        marker=marker,
        markersize=0.8 * size,
        color=colour,
        markeredgewidth=0,
        clip_on=False,
        label="_unbounded",
    )


def _draw_axis(axes: Axes, layout: ForestLayout) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

    left, right = layout.limits
    bins = max(2, min(9, int(layout.axis_width // 28)))
    wanted = MaxNLocator(bins, steps=[1, 2, 2.5, 5, 10]).tick_values(left, right)
    ticks = [tick for tick in wanted if left <= tick <= right]
    step = min(np.diff(ticks)) if len(ticks) > 1 else 1.0
    decimals = max(0, -int(np.floor(np.log10(step) + 1e-9)))
    if abs(round(step, decimals) - step) > 1e-9 * step:
        decimals += 1  # steps of 2.5
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: fixed(value, decimals)))
    axes.yaxis.set_visible(False)
    axes.spines["left"].set_visible(False)


def _write_rows(figure: Figure, layout: ForestLayout) -> None:
    small = min(SMALL_SIZE, layout.size)
    heads = layout.rows_top + 5.5
    if layout.differences:
        write(figure, layout.difference_right, heads, DIFFERENCE_HEAD, size=SMALL_SIZE, ha="right")
    if layout.p_values:
        write(figure, layout.total - 1, heads, P_HEAD, size=SMALL_SIZE, ha="right", math=True)
    for number, lines in enumerate(layout.names):
        middle = layout.rows_top - (number + 0.5) * layout.row
        first = middle - _CAP_HEIGHT * layout.size + 0.5 * layout.size * (len(lines) - 1)
        for line_number, line in enumerate(lines):
            write(figure, 1.0, first - line_number * layout.size, line, size=layout.size)
        baseline = middle - _CAP_HEIGHT * small
        if layout.differences:
            write(figure, layout.difference_right, baseline, layout.differences[number], size=small, ha="right")
        if layout.p_values:
            text = layout.p_values[number]
            point = layout.p_value_point - text_width(text.partition(".")[0], small)
            write(figure, point, baseline, text, size=small)


def _write_below(figure: Figure, comparison: Comparison, scale: DifferenceScale, layout: ForestLayout) -> None:
    left, right = layout.limits
    zero = layout.axis_left + layout.axis_width * (0 - left) / (right - left)
    y = layout.axis_bottom - TICK_LABELS - LINE_HEIGHT + 3
    room = layout.total / 2 - 6
    against = shortened(f"← favours {comparison.system_b}", room, SMALL_SIZE)
    in_favour = shortened(f"favours {comparison.system_a} →", room, SMALL_SIZE)
    least = text_width(against, SMALL_SIZE) + 6
    most = layout.total - text_width(in_favour, SMALL_SIZE) - 6
    middle = min(max(zero, least), most)
    write(figure, middle - 5, y, against, size=SMALL_SIZE, ha="right")
    write(figure, middle + 5, y, in_favour, size=SMALL_SIZE)
    centre = layout.axis_left + layout.axis_width / 2
    for number, line in enumerate(layout.label):
        half = text_width(line, TEXT_SIZE) / 2
        x = min(max(centre, half + 1), layout.total - half - 1)
        write(figure, x, y - (number + 1) * LINE_HEIGHT, line, ha="center")


def _described(comparison: Comparison, scale: DifferenceScale, row: int, *, with_p: bool = False) -> str:
    p = f", adjusted p = {p_value_text(float(comparison.adjusted_p_values[row]))}" if with_p else ""
    return f"{clean(comparison.datasets[row])} ({scale.texts[row]}{p.replace('= <', '< ').replace('= >', '> ')})"
