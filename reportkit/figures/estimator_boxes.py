"""Box plots of the estimates of a difference over the re-partitions of a corpus, one per estimator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reportkit.figures.drawing.entry import Drawing
from reportkit.figures.drawing.fonts import clean
from reportkit.figures.drawing.key import Sign, draw_key, key_lines
from reportkit.figures.drawing.lettering import shortened, text_width
from reportkit.figures.drawing.marks import CAP_HEIGHT, draw_markers, number_ticks, without_y_axis
from reportkit.figures.drawing.new_figure import new_figure
from reportkit.figures.drawing.rows import BETWEEN_PANELS
from reportkit.figures.drawing.style import BLUE, FAINT, GREY, INK, axes_at, write
from reportkit.figures.drawing.typography import LEAST_SIZE, typography
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import fixed
from reportkit.language.short_repr import short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from reportkit.reproducibility_analysis.study import ResplitStudy

_REACH = 1.5
"""Whiskers end at the last estimate within so many box lengths of the box."""
_ROW = 10.5
_BETWEEN_GROUPS = 6.0
_GAP = 6.0
_LEAST_PANEL = 150.0
_MOST_GROUPS_IN_A_COLUMN = 4
_SHADE = "#dcdcdc"


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatorBox:
    """One estimator on one dataset, in the unit of the axis.

    Parameters
    ----------
    method : str
        Name of the estimator.
    low, first, median, third, high : float
        Ends of the whiskers, quartiles and median of the estimates.
    mean : float
        Their mean.
    outside : tuple of float
        Estimates beyond the whiskers.
    """

    method: str
    low: float
    first: float
    median: float
    third: float
    high: float
    mean: float
    outside: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatorGroup:
    """The estimators on one dataset."""

    dataset: str
    boxes: tuple[EstimatorBox, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatorBoxesContent:
    """Everything that the figure shows.

    Parameters
    ----------
    system_a, system_b : str
        Differences are A minus B, but for the mixture of B over A.
    groups : tuple of EstimatorGroup
        One per dataset, from top to bottom.
    unit : str
        Of the axis; may be empty.
    n_repartitions : int
        Smallest number of re-partitions.
    """

    system_a: str
    system_b: str
    groups: tuple[EstimatorGroup, ...]
    unit: str
    n_repartitions: int

    __repr__ = short_repr


def estimator_boxes_content(study: ResplitStudy, *, in_percent: bool) -> EstimatorBoxesContent:
    """Take from a study what the figure shows.

    Parameters
    ----------
    study : ResplitStudy
        Of two re-partitions or more.
    in_percent : bool
        Whether proportions are shown in percentage points.
    """
    factor = 100.0 if in_percent else 1.0
    return EstimatorBoxesContent(
        system_a=study.system_a,
        system_b=study.system_b,
        groups=tuple(
            EstimatorGroup(
                dataset=item.dataset,
                boxes=tuple(_box(name, factor * values) for name, values in item.estimates.items()),
            )
            for item in study.resplits
        ),
        unit="percentage points" if in_percent else "",
        n_repartitions=min(item.n_repartitions for item in study.resplits),
    )


def _box(method: str, values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> EstimatorBox:
    first, median, third = (float(value) for value in np.quantile(values, (0.25, 0.5, 0.75)))
    reach = _REACH * (third - first)
    near = values[(values >= first - reach) & (values <= third + reach)]
    outside = np.sort(values[(values < first - reach) | (values > third + reach)])
    return EstimatorBox(
        method=method,
        low=float(near.min()),
        first=first,
        median=median,
        third=third,
        high=float(near.max()),
        mean=float(values.mean()),
        outside=tuple(outside.tolist()),
    )


def draw_estimator_boxes(content: EstimatorBoxesContent, total: float) -> Figure:
    """Draw one box per estimator, the datasets one below the other or in two panels, on one axis with 0.

    A box reaches from the first to the third quartile, its line is the median, the diamond the mean; whiskers end at
    the last estimate within 1.5 box lengths, and estimates beyond them are dots.

    Parameters
    ----------
    content : EstimatorBoxesContent
        One dataset or more.
    total : float
        Width in points.
    """
    panels = _panels(content.groups, total)
    width = (total - BETWEEN_PANELS * (len(panels) - 1)) / len(panels)
    key = key_lines(_signs(), total - 2)
    line = typography().line
    below = typography().below_axis
    heights = [
        sum(_height(group, scale) for group in panel) for panel, scale in zip(panels, _scales(panels), strict=True)
    ]
    above = line * len(key) + 3
    height = below + max(heights) + above
    figure = new_figure(total, height)
    ends = _ends(content)
    for number, (panel, scale) in enumerate(zip(panels, _scales(panels), strict=True)):
        left, top = number * (width + BETWEEN_PANELS), height - above
        _draw_panel(figure, panel, (left, top, width, scale), ends)
        words = "A − B" + (f", {content.unit}" if content.unit else "")
        write(figure, left + 0.64 * width, top - heights[number] - (below - 2.5), words, ha="center")
    draw_key(figure, key, 1.0, height)
    return figure


def _height(group: EstimatorGroup, scale: float) -> float:
    """Of one dataset with its name."""
    return scale * (_ROW * (len(group.boxes) + 1) + _BETWEEN_GROUPS)


def _panels(groups: Sequence[EstimatorGroup], total: float) -> list[Sequence[EstimatorGroup]]:
    number = 2 if len(groups) > _MOST_GROUPS_IN_A_COLUMN and total >= 2 * _LEAST_PANEL else 1
    each = -(-len(groups) // number)
    return [groups[start : start + each] for start in range(0, len(groups), each)]


def _scales(panels: Sequence[Sequence[EstimatorGroup]]) -> list[float]:
    """How much rows are drawn together so that the tallest panel fits a page."""
    room = typography().page_height - 5 * typography().line - typography().ticks
    tallest = max(sum(_height(group, typography().scale) for group in panel) for panel in panels)
    return [typography().scale * min(1.0, room / tallest)] * len(panels)


def _draw_panel(
    figure: Figure,
    groups: Sequence[EstimatorGroup],
    place: tuple[float, float, float, float],
    ends: tuple[float, float],
) -> None:
    left, top, width, scale = place
    row = _ROW * scale
    size = max(LEAST_SIZE, min(typography().small, 0.9 * row))
    names = max(text_width(box.method, size) for group in groups for box in group.boxes)
    start = left + min(names, 0.45 * width) + 7 + _GAP
    length = sum(_height(group, scale) for group in groups)
    axes = axes_at(figure, start, top - length, left + width - 4 - start, length)
    _frame(axes, ends, length, left + width - 4 - start)
    down = 0.0
    for group in groups:
        baseline = top - down - 0.5 * row - CAP_HEIGHT * typography().text - 1
        write(
            figure, left + 1, baseline, shortened(group.dataset, width - 4, typography().text), size=typography().text
        )
        down += row
        for box in group.boxes:
            middle = down + 0.5 * row
            name = shortened(box.method, 0.45 * width, size)
            write(figure, left + 7, top - middle - CAP_HEIGHT * size, name, size=size)
            _draw_box(axes, box, middle, 0.33 * row)
            down += row
        down += _BETWEEN_GROUPS * scale
        if group is not groups[-1]:
            axes.axhline(down - 0.5 * _BETWEEN_GROUPS * scale, color=FAINT, linewidth=0.4, zorder=0, label="_group")


def _draw_box(axes: Axes, box: EstimatorBox, middle: float, half: float) -> None:
    from matplotlib.patches import Rectangle

    for one, other in ((box.low, box.first), (box.third, box.high)):
        axes.plot([one, other], [middle] * 2, color=INK, linewidth=0.7, zorder=2, label="_whisker")
    rectangle = Rectangle(
        (box.first, middle - half),
        box.third - box.first,
        2 * half,
        facecolor=_SHADE,
        edgecolor=INK,
        linewidth=0.6,
        zorder=2,
        label="_box",
    )
    axes.add_patch(rectangle)
    axes.plot([box.median] * 2, [middle - half, middle + half], color=INK, linewidth=1.1, zorder=3, label="_median")
    draw_markers(axes, [box.mean], [middle], "D", 2.8, BLUE, filled=False, zorder=4, clipped=True, label="_mean")
    y = [middle] * len(box.outside)
    draw_markers(axes, box.outside, y, "o", 1.6, GREY, edge=0.3, zorder=2, clipped=True, label="_outside")


def _ends(content: EstimatorBoxesContent) -> tuple[float, float]:
    values = [0.0]
    for group in content.groups:
        for box in group.boxes:
            values += [box.low, box.high, *box.outside]
    low, high = min(values), max(values)
    margin = 0.03 * (high - low) or 1.0
    return low - margin, high + margin


def _frame(axes: Axes, ends: tuple[float, float], length: float, width: float) -> None:
    axes.set_xlim(*ends)
    axes.set_ylim(length, 0)
    axes.axvline(0.0, color=GREY, linewidth=0.6, zorder=1, label="_zero")
    without_y_axis(axes)
    number_ticks(axes.xaxis, max(3, int(width // 28)))


def _signs() -> list[Sign]:
    return [
        Sign(meaning="quartiles", marker="s", colour=INK, face=_SHADE),
        Sign(meaning="mean", marker="D", colour=BLUE, filled=False),
        Sign(meaning="beyond 1.5 box lengths", marker=".", colour=GREY),
    ]


def estimator_boxes_alt_text(content: EstimatorBoxesContent) -> str:
    """Say in words what the figure shows, in a few sentences of plain text."""
    a, b = clean(content.system_a), clean(content.system_b)
    what = "differences" + (f" in {content.unit}" if content.unit else "")
    first = (
        f"Box plots of estimated {what} between A, {a}, and B, {b}, over at least "
        f"{counted(content.n_repartitions, 're-partition')} of {counted(len(content.groups), 'dataset')}."
    )
    sentences = [first]
    for group in content.groups:
        spread = {box.method: box.third - box.first for box in group.boxes}
        widest, narrowest = max(spread, key=spread.__getitem__), min(spread, key=spread.__getitem__)
        across = [box.method for box in group.boxes if box.first < 0 < box.third]
        text = (
            f"{clean(group.dataset)}: the box of {widest} is the widest ({fixed(spread[widest], 3)}), that of "
            f"{narrowest} the narrowest ({fixed(spread[narrowest], 3)})"
        )
        sentences.append(
            text + (f"; 0 lies within the boxes of {listed(across)}." if across else "; 0 lies in no box.")
        )
    return " ".join(sentences)


ESTIMATOR_BOXES = Drawing(
    "estimator-boxes",
    EstimatorBoxesContent,
    draw_estimator_boxes,
    estimator_boxes_alt_text,
    wide=lambda content: len(content.groups) > _MOST_GROUPS_IN_A_COLUMN,
)
