"""Forest plot: the difference on each dataset, with its interval, and whether it is identified."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from reportkit.figures.drawing.entry import Drawing
from reportkit.figures.drawing.fonts import clean
from reportkit.figures.drawing.identified import draw_marked
from reportkit.figures.drawing.key import Sign, draw_key, key_lines
from reportkit.figures.drawing.lettering import all_shortened, filled, shortened, text_width
from reportkit.figures.drawing.marks import draw_markers, without_y_axis
from reportkit.figures.drawing.new_figure import new_figure
from reportkit.figures.drawing.row_layout import RowLayout, row_layout
from reportkit.figures.drawing.rows import (
    BETWEEN_PANELS,
    many_rows,
    parts_of,
    set_rows,
    size_of_markers,
)
from reportkit.figures.drawing.style import GREY, INK, write
from reportkit.figures.drawing.typography import typography
from reportkit.figures.forest_content import ForestContent, ForestRow, ForestsContent
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import fixed, level_text, p_value_beside_levels, p_value_text, percent_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_NAMED = 12
_MOST_WITH_DIFFERENCES = 12


def draw_forest(content: ForestContent, total: float) -> Figure:
    """Draw the difference between A and B on each dataset.

    One row per dataset: the observed difference, its interval if there is one (an arrow where it is unbounded), the
    difference in figures and its adjusted p-value. The interval belongs to the decision that the marker shows: it lies
    above 0 exactly where the marker is filled because A is identified as better, and below 0 exactly where a square
    says that B is. A cross stands where the p-value is small enough but the difference has the other sign (possible
    with printed p-values only); other markers are hollow. A thinner line, if asked for, is the interval that is
    adjusted for nothing. Where the rows do not fit a page they stand in panels side by side, as many as the width
    allows; only beyond that are they set smaller.

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
    parts = parts_of(len(content.rows), total)
    width = (total - BETWEEN_PANELS * (len(parts) - 1)) / len(parts)
    key, label, limits = key_lines(signs_of(content), width - 2), axis_label(content, width), limits_of(content)
    below = typography().ticks + typography().line * (1 + len(label)) + 3
    layouts = [layout_of(content.rows[part], width, key, below, content.alpha) for part in parts]
    height = max(layout.height for layout in layouts)
    figure = new_figure(total, height)
    for number, (part, layout) in enumerate(zip(parts, layouts, strict=True)):
        left = number * (width + BETWEEN_PANELS)
        up = height - layout.height  # a shorter panel ends above the others
        axes = layout.axes(figure, left, up)
        draw_points(axes, content.rows[part], layout, limits)
        draw_axis(axes, layout, limits)
        layout.write_rows(figure, left, up)
        write_below(figure, content, layout, limits, label, left, up)
    draw_key(figure, key, 1.0, height)
    return figure


def layout_of(
    rows: Sequence[ForestRow | None], width: float, key: Sequence[Sequence[Sign]], below: float, alpha: float
) -> RowLayout:
    """Where names, axis and figures of the rows go; None is an empty row."""
    p_values = ["" if row is None else p_value_beside_levels(row.adjusted_p_value, [alpha]) for row in rows]
    indent = "  " if None in rows else ""
    names = ["" if row is None else f"{indent}{row.dataset}" for row in rows]
    differences = ["" if row is None else row.text for row in rows]
    if len(rows) > _MOST_WITH_DIFFERENCES:
        differences = []  # which the axis shows, too
    return row_layout(names, p_values, "adj. $p$", width, key, below, differences)


def forest_alt_text(content: ForestContent) -> str:
    """Say in words what the forest plot shows, in a few sentences of plain text."""
    rows, n = content.rows, len(content.rows)
    a, b = clean(content.system_a), clean(content.system_b)
    procedure = {"Holm": "Holm's procedure", "graph": "the graphical procedure"}.get(
        content.correction, "closed testing"
    )
    unit = f" in {content.unit}" if content.unit else ""
    bars = ", with intervals at the adjusted level of each test" if any(row.has_interval for row in rows) else ""
    if bars and content.level is not None:
        adjusted = " that are not adjusted for the number of datasets" if n > 1 else ""
        bars += f", and {percent_text(content.level)} intervals{adjusted}"
    sentences = [
        f"Forest plot of the {content.quantity}{unit} between {a} and {b} on {counted(n, 'dataset')}{bars}.",
        f"Values above zero favour {a}.",
        f"{a} is ahead on {sum(row.difference > 0 for row in rows)} of {n}.",
    ]
    first, last = (choose(rows, key=lambda row: row.difference) for choose in (max, min))
    if first.difference > last.difference:
        sentences.append(f"The difference is largest on {_described(first)} and smallest on {_described(last)}.")
    chosen = [_described(row, with_p=True) for row in rows if row.mark == "identified"]
    if chosen:
        sentences.append(
            f"Filled markers: {a} is shown to be better on {counted(len(chosen), 'dataset')} ({procedure}, level "
            f"{level_text(content.alpha)}), {listed(chosen, most=_MOST_NAMED)}."
        )
    else:
        sentences.append(
            f"No marker is filled: {a} is not shown to be better on any dataset ({procedure}, level "
            f"{level_text(content.alpha)})."
        )
    if lost := [_described(row) for row in rows if row.mark == "opposite"]:
        sentences.append(f"Filled squares: {b} is shown to be better on {listed(lost, most=_MOST_NAMED)}.")
    if crossed := [clean(row.dataset) for row in rows if row.mark == "other sign"]:
        sentences.append(
            f"Crosses: on {listed(crossed, most=_MOST_NAMED)} the adjusted p-value is at most "
            f"{level_text(content.alpha)}, but {a} is not ahead."
        )
    return " ".join(sentences)


_BESIDE = 0.22
"""How far below its row, in rows, a thinner interval is drawn."""


def draw_points(axes: Axes, rows: Sequence[ForestRow | None], layout: RowLayout, limits: tuple[float, float]) -> None:
    """Draw the markers and intervals of the rows; None is an empty row."""
    left, right = limits
    set_rows(axes, len(rows), left, right, [place for place, row in enumerate(rows) if row is None])
    empty = [-1, *(place for place, row in enumerate(rows) if row is None), len(rows)]
    for above, under in pairwise(empty):  # not through the names of claims
        axes.plot([0.0, 0.0], [above + 0.5, under - 0.5], color=INK, linewidth=0.5, zorder=1, label="_zero")
    size, places = size_of_markers(layout.row), [place for place, row in enumerate(rows) if row is not None]
    known = [(place, row) for place, row in enumerate(rows) if row is not None]
    plain = [(place, row.plain) for place, row in known if row.plain is not None]
    axes.hlines(
        [place + _BESIDE for place, _ in plain],
        [ends[0] for _, ends in plain],
        [ends[1] for _, ends in plain],
        color=GREY,
        linewidth=0.35,
        zorder=2,
        label="_plain_intervals",
    )
    bounded = [(place, row) for place, row in known if row.has_interval]
    axes.hlines(
        [place for place, _ in bounded],
        [left if row.low is None else row.low for _, row in bounded],
        [right if row.high is None else row.high for _, row in bounded],
        color=INK,
        linewidth=0.8,
        zorder=2,
        label="_intervals",
    )
    for end, marker, endless in (
        (left, "<", [place for place, row in bounded if row.low is None]),
        (right, ">", [place for place, row in bounded if row.high is None]),
    ):
        x = [end] * len(endless)
        draw_markers(axes, x, endless, marker, 0.8 * size, INK, edge=0, zorder=2, label="_unbounded")
    draw_marked(axes, [row.difference for _, row in known], [row.mark for _, row in known], size, places)


def draw_axis(axes: Axes, layout: RowLayout, limits: tuple[float, float]) -> None:
    """Draw the axis of the differences, with round ticks."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

    left, right = limits
    bins = max(2, min(9, int(layout.width // 24)))
    wanted = MaxNLocator(bins, steps=[1, 2, 5, 10], min_n_ticks=3).tick_values(left, right)
    ticks = [tick for tick in wanted if left <= tick <= right]
    step = min(np.diff(ticks)) if len(ticks) > 1 else 1.0
    decimals = max(0, -int(np.floor(np.log10(step) + 1e-9)))
    if abs(round(step, decimals) - step) > 1e-9 * step:
        decimals += 1  # steps of 2.5
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: fixed(value, decimals)))
    without_y_axis(axes)


def write_below(
    figure: Figure,
    content: ForestContent | ForestsContent,
    layout: RowLayout,
    limits: tuple[float, float],
    label: Sequence[str],
    left: float,
    up: float,
) -> None:
    """Write below the axis which side favours whom, and what is on it."""
    low, high = limits
    small = typography().small
    y = layout.bottom + up - typography().ticks - typography().line + 3
    end, centre = layout.left + layout.width, layout.left + layout.width / 2
    room = min(centre, layout.total - centre) - 5
    (b, under), (a, over) = content.sides
    a, b = all_shortened([a, b], room - text_width("←  better", small), small)
    against, in_favour = f"← {b} {under}", f"{a} {over} →"
    if low < 0:
        start = min(layout.left, centre - 4 - text_width(against, small))
        write(figure, left + start, y, against, size=small)
    if high > 0:
        stop = max(end, centre + 4 + text_width(in_favour, small))
        write(figure, left + stop, y, in_favour, size=small, ha="right")
    for number, line in enumerate(label):
        half = text_width(line, typography().text) / 2
        x = left + min(max(centre, half + 1), layout.total - half - 1)
        write(figure, x, y - (number + 1) * typography().line, line, ha="center")


def signs_of(content: ForestContent) -> list[Sign]:
    """Signs of the key that the rows need."""
    marks = {row.mark for row in content.rows}
    signs = [
        Sign(meaning=f"better ({content.correction}, {level_text(content.alpha)})", marker="o"),
        Sign(meaning="not shown", marker="o", filled=False),
    ]
    if "opposite" in marks:
        signs.append(Sign(meaning="the other is better", marker="s"))
    if "other sign" in marks:
        signs.append(Sign(meaning=rf"adj. $p \leq$ {level_text(content.alpha)}, other sign", marker="x"))
    if any(row.has_interval for row in content.rows):
        signs.append(Sign(meaning="adjusted interval", line="-"))
    if content.level is not None:
        unadjusted = ", unadjusted" if len(content.rows) > 1 else ""
        signs.append(Sign(meaning=f"{percent_text(content.level)} interval{unadjusted}", line="-", colour=GREY))
    return signs


def axis_label(content: ForestContent, total: float) -> list[str]:
    """What is on the axis, in lines that fit."""

    def measure(text: str) -> float:
        return text_width(text, typography().text)

    unit = {"": "", "standard errors": "(in standard errors)", "units of each dataset": "(units of each dataset)"}
    parts = [shortened(content.quantity, total - 8, typography().text), unit.get(content.unit, f"({content.unit})")]
    return filled(parts, total - 4, measure)


def limits_of(content: ForestContent) -> tuple[float, float]:
    """Ends of the axis, with 0 on it."""
    ends = [
        end
        for row in content.rows
        for end in (row.difference, row.low, row.high, *(row.plain or ()))
        if end is not None
    ]
    low, high = min(0.0, *ends), max(0.0, *ends)
    if low == high:
        return -1.0, 1.0
    pad = 0.06 * (high - low)
    return low - pad, high + pad


def _described(row: ForestRow, *, with_p: bool = False) -> str:
    p = f", adjusted p = {p_value_text(row.adjusted_p_value)}" if with_p else ""
    return f"{clean(row.dataset)} ({row.text}{p.replace('= <', '< ').replace('= >', '> ')})"


FOREST = Drawing("forest", ForestContent, draw_forest, forest_alt_text, wide=many_rows)
