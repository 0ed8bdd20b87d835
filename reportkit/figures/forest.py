"""Forest plot: the difference on each dataset, with its interval, and whether it is identified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from reportkit.figures.drawing.entry import Drawing
from reportkit.figures.drawing.fonts import clean
from reportkit.figures.drawing.identified import draw_marked
from reportkit.figures.drawing.key import draw_key
from reportkit.figures.drawing.lettering import shortened, text_width
from reportkit.figures.drawing.marks import CAP_HEIGHT, draw_markers, without_y_axis
from reportkit.figures.drawing.rows import BETWEEN_PANELS, many_rows, set_rows, size_of_markers, write_row_name
from reportkit.figures.drawing.style import GREY, INK, axes_at, new_figure, write
from reportkit.figures.drawing.typography import typography
from reportkit.figures.forest_content import ForestContent, ForestRow
from reportkit.figures.forest_layout import DIFFERENCE_HEAD, P_HEAD, ForestLayout, forest_layout, panels
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import fixed, level_text, p_value_text, percent_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_NAMED = 12


def draw_forest(content: ForestContent, total: float) -> Figure:
    """Draw the difference between A and B on each dataset.

    One row per dataset: the observed difference, its confidence interval if there is one (an arrow where it is
    unbounded), the difference in figures and its adjusted p-value. All intervals are the same thin line, since none
    belongs to the decision that fills a marker. The marker is filled where the correction identifies the dataset and
    the difference has the claimed sign, a cross where the p-value is small enough but the difference has the other sign
    (possible with printed p-values only), and hollow otherwise. Where the rows do not fit a page they stand in panels
    side by side, as many as the width allows; only beyond that are they set smaller.

    Parameters
    ----------
    content : ForestContent
        A against B on one or more datasets.
    total : float
        Width in points.

    Returns
    -------
    matplotlib.figure.Figure
        Outside pyplot; not higher than the page.
    """
    parts = panels(content, total)
    width = (total - BETWEEN_PANELS * (len(parts) - 1)) / len(parts)
    layouts = [forest_layout(part, width, content) for part in parts]
    height = max(layout.height for layout in layouts)
    figure = new_figure(total, height)
    for number, (part, layout) in enumerate(zip(parts, layouts, strict=True)):
        left = number * (width + BETWEEN_PANELS)
        up = height - layout.height  # a shorter panel ends above the others
        bottom = layout.axis_bottom + up
        axes = axes_at(figure, left + layout.axis_left, bottom, layout.axis_width, layout.row * len(part.rows))
        _draw_points(axes, part.rows, layout)
        _draw_axis(axes, layout)
        _write_rows(figure, layout, left, up)
        _write_below(figure, content, layout, left, up)
    draw_key(figure, layouts[0].key, 1.0, height)
    return figure


def forest_alt_text(content: ForestContent) -> str:
    """Say in words what the forest plot shows, in a few sentences of plain text."""
    rows, n = content.rows, len(content.rows)
    a, b = clean(content.system_a), clean(content.system_b)
    procedure = {"Holm": "Holm's procedure", "graph": "the graphical procedure"}.get(
        content.correction, "closed testing"
    )
    unit = f" in {content.unit}" if content.unit else ""
    bars = ", with confidence intervals" if any(row.has_interval for row in rows) else ""
    if bars and content.level is not None:
        adjusted = " and not adjusted for the number of datasets" if n > 1 else ""
        bars = f", with {percent_text(content.level)} confidence intervals, two-sided{adjusted}"
    sentences = [
        f"Forest plot of the {content.quantity}{unit} between {a} and {b} on {counted(n, 'dataset')}{bars}.",
        f"Values above zero favour {a}.",
        f"{a} is ahead on {sum(row.difference > 0 for row in rows)} of {n}.",
    ]
    first, last = max(rows, key=_difference), min(rows, key=_difference)
    if first.difference > last.difference:
        sentences.append(f"The difference is largest on {_described(first)} and smallest on {_described(last)}.")
    chosen = [_described(row, with_p=True) for row in rows if row.mark == "identified"]
    if chosen:
        sentences.append(
            f"Filled markers: {procedure} at level {level_text(content.alpha)} identifies "
            f"{counted(len(chosen), 'dataset')}, {_first(chosen)}."
        )
    else:
        sentences.append(
            f"No marker is filled: {procedure} at level {level_text(content.alpha)} identifies no dataset."
        )
    if crossed := [clean(row.dataset) for row in rows if row.mark == "other sign"]:
        sentences.append(
            f"Crosses: on {_first(crossed)} the adjusted p-value is at most {level_text(content.alpha)}, "
            f"but {a} is not ahead."
        )
    return " ".join(sentences)


def _difference(row: ForestRow) -> float:
    return row.difference


def _first(names: Sequence[str]) -> str:
    more = [f"{len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
    return listed([*names[:_MOST_NAMED], *more])


def _draw_points(axes: Axes, rows: Sequence[ForestRow], layout: ForestLayout) -> None:
    left, right = layout.limits
    set_rows(axes, len(rows), left, right)
    axes.axvline(0.0, color=INK, linewidth=0.5, zorder=1, label="_zero")
    size = size_of_markers(layout.row)
    # all alike: an interval is for one dataset and two-sided, and says nothing of what is identified
    bounded = [(place, row) for place, row in enumerate(rows) if row.has_interval]
    axes.hlines(
        [place for place, _ in bounded],
        [left if row.low is None else row.low for _, row in bounded],
        [right if row.high is None else row.high for _, row in bounded],
        color=GREY,
        linewidth=0.7,
        zorder=2,
        label="_intervals",
    )
    for end, marker, endless in (
        (left, "<", [place for place, row in bounded if row.low is None]),
        (right, ">", [place for place, row in bounded if row.high is None]),
    ):
        x = [end] * len(endless)
        draw_markers(axes, x, endless, marker, 0.8 * size, GREY, edge=0, zorder=2, label="_unbounded")
    draw_marked(axes, [row.difference for row in rows], [row.mark for row in rows], size)


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
    without_y_axis(axes)


def _write_rows(figure: Figure, layout: ForestLayout, left: float, up: float) -> None:
    small = min(typography().small, layout.size)
    top = layout.rows_top + up
    heads = top + 5.5
    if layout.differences:
        write(figure, left + layout.difference_right, heads, DIFFERENCE_HEAD, size=typography().small, ha="right")
    if layout.p_values:
        write(figure, left + layout.total - 1, heads, P_HEAD, size=typography().small, ha="right", math=True)
    for number, lines in enumerate(layout.names):
        middle = top - (number + 0.5) * layout.row
        write_row_name(figure, left, middle, lines, layout.size)
        baseline = middle - CAP_HEIGHT * small
        if layout.differences:
            write(figure, left + layout.difference_right, baseline, layout.differences[number], size=small, ha="right")
        if layout.p_values:
            text = layout.p_values[number]
            point = left + layout.p_value_point - text_width(text.partition(".")[0], small)
            write(figure, point, baseline, text, size=small)


def _write_below(figure: Figure, content: ForestContent, layout: ForestLayout, left: float, up: float) -> None:
    low, high = layout.limits
    small = typography().small
    zero = layout.axis_left + layout.axis_width * (0 - low) / (high - low)
    y = layout.axis_bottom + up - typography().ticks - typography().line + 3
    room = layout.total / 2 - 6
    against = shortened(f"← favours {content.system_b}", room, small)
    in_favour = shortened(f"favours {content.system_a} →", room, small)
    least = text_width(against, small) + 6
    most = layout.total - text_width(in_favour, small) - 6
    middle = left + min(max(zero, least), most)
    write(figure, middle - 5, y, against, size=small, ha="right")
    write(figure, middle + 5, y, in_favour, size=small)
    centre = layout.axis_left + layout.axis_width / 2
    for number, line in enumerate(layout.label):
        half = text_width(line, typography().text) / 2
        x = left + min(max(centre, half + 1), layout.total - half - 1)
        write(figure, x, y - (number + 1) * typography().line, line, ha="center")


def _described(row: ForestRow, *, with_p: bool = False) -> str:
    p = f", adjusted p = {p_value_text(row.adjusted_p_value)}" if with_p else ""
    return f"{clean(row.dataset)} ({row.text}{p.replace('= <', '< ').replace('= >', '> ')})"


FOREST = Drawing("forest", ForestContent, draw_forest, forest_alt_text, wide=many_rows)
