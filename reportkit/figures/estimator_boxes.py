"""Box plots of the estimates of a difference over the re-partitions of a corpus, one per estimator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from reportkit.figures.drawing.axes import number_ticks, write_label
from reportkit.figures.drawing.entry import Drawing
from reportkit.figures.drawing.key import Sign
from reportkit.figures.drawing.rows import draw_rows, limits_of, parts_of, rows_plot
from reportkit.figures.drawing.style import BLUE, FAINT, GREY, INK, PAPER, shade
from reportkit.figures.drawing.typography import clean
from reportkit.language import fixed, listed, short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from reportkit.reproducibility_analysis.study import ResplitStudy

_REACH = 1.5
"""Whiskers end at the last estimate within this many box lengths of the box."""
_MOST_GROUPS_IN_A_COLUMN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatorBox:
    """One estimator on one dataset, in the unit of the axis.

    Parameters
    ----------
    method : str
        Name of the estimator.
    whislo, q1, med, q3, whishi : float
        Ends of the whiskers, quartiles and median of the estimates, by matplotlib's names.
    mean : float
        Their mean.
    fliers : tuple of float
        Estimates beyond the whiskers.
    """

    method: str
    whislo: float
    q1: float
    med: float
    q3: float
    whishi: float
    mean: float
    fliers: tuple[float, ...]


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
        Unit of the axis; may be empty.
    """

    system_a: str
    system_b: str
    groups: tuple[EstimatorGroup, ...]
    unit: str

    __repr__ = short_repr

    @property
    def rows(self) -> tuple[EstimatorBox | str, ...]:
        """Boxes from top to bottom, each group after the name of its dataset."""
        parts: list[tuple[EstimatorBox | str, ...]] = [(group.dataset, *group.boxes) for group in self.groups]
        return tuple(row for part in parts for row in part)


def estimator_boxes_content(study: ResplitStudy, *, in_percent: bool) -> EstimatorBoxesContent:
    """Take from a study of two re-partitions or more what the figure shows, in percentage points or as it is."""
    factor = 100.0 if in_percent else 1.0
    groups = []
    for item in study.resplits:
        boxes = tuple(_box(name, factor * values) for name, values in item.estimates.items())
        groups.append(EstimatorGroup(dataset=item.dataset, boxes=boxes))
    return EstimatorBoxesContent(
        system_a=study.system_a,
        system_b=study.system_b,
        groups=tuple(groups),
        unit="percentage points" if in_percent else "",
    )


def _box(method: str, values: NDArray[np.float64]) -> EstimatorBox:
    from matplotlib.cbook import boxplot_stats

    (found,) = boxplot_stats(values, whis=_REACH)
    numbers = {name: float(found[name]) for name in ("whislo", "q1", "med", "q3", "whishi", "mean")}
    return EstimatorBox(method=method, fliers=tuple(np.sort(found["fliers"]).tolist()), **numbers)


def draw_estimator_boxes(content: EstimatorBoxesContent, axes: Sequence[Axes]) -> None:
    """Draw one box per estimator, the datasets one below the other, on one axis with 0.

    A box reaches from the first to the third quartile, its line is the median, the diamond the mean; whiskers end at
    the last estimate within 1.5 box lengths, and estimates beyond them are dots.
    """
    rows = content.rows
    boxes = [row for row in rows if isinstance(row, EstimatorBox)]
    limits = limits_of(value for box in boxes for value in (box.whislo, box.whishi, *box.fliers))
    parts = parts_of(len(rows), len(axes))
    for panel, part in zip(axes, parts, strict=True):
        names = ["" if isinstance(row, str) else f"  {row.method}" for row in rows[part]]
        heads = {place: row for place, row in enumerate(rows[part]) if isinstance(row, str)}
        draw_rows(panel, names, {}, limits, tallest=parts[0].stop, heads=heads)
        panel.axvline(0.0, color=shade(GREY), linewidth=0.6, zorder=1, label="_zero")
        _draw_boxes(panel, {place: row for place, row in enumerate(rows[part]) if isinstance(row, EstimatorBox)})
        number_ticks(panel.xaxis, 6)
        write_label(panel, "x", "A − B" + (f", {content.unit}" if content.unit else ""))


def _draw_boxes(axes: Axes, boxes: Mapping[int, EstimatorBox]) -> None:
    ink: Any = {"color": shade(INK), "linewidth": 0.7}
    axes.bxp(
        [asdict(box) for box in boxes.values()],
        positions=list(boxes),
        widths=0.6,
        orientation="horizontal",
        manage_ticks=False,
        patch_artist=True,
        showmeans=True,
        showcaps=False,
        boxprops={"facecolor": shade(FAINT), "edgecolor": shade(INK), "linewidth": 0.6},
        medianprops={**ink, "linewidth": 1.1},
        whiskerprops=ink,
        meanprops={"marker": "D", "markersize": 2.8, "markerfacecolor": shade(PAPER), "markeredgecolor": BLUE},
        flierprops={"marker": "o", "markersize": 1.6, "markerfacecolor": shade(GREY), "markeredgecolor": "none"},
    )


def _signs(content: EstimatorBoxesContent) -> list[Sign]:
    signs = [
        Sign(meaning="quartiles", marker="s", face=FAINT),
        Sign(meaning="mean", marker="D", colour=BLUE, filled=False),
    ]
    if any(box.fliers for group in content.groups for box in group.boxes):
        signs.append(Sign(meaning="beyond 1.5 box lengths", marker=".", colour=GREY))
    return signs


def estimator_boxes_alt_text(content: EstimatorBoxesContent) -> str:
    """Say in words what the figure shows."""
    a, b = clean(content.system_a), clean(content.system_b)
    sentences = [f"Box plots of estimated differences between A, {a}, and B, {b}."]
    for group in content.groups:
        spread = {box.method: box.q3 - box.q1 for box in group.boxes}
        ends = [choose(spread, key=spread.__getitem__) for choose in (max, min)]
        widest, narrowest = (f"{name} ({fixed(spread[name], 3)})" for name in ends)
        across = listed(box.method for box in group.boxes if box.q1 < 0 < box.q3) or "none"
        sentences.append(f"{clean(group.dataset)}: widest {widest}, narrowest {narrowest}; 0 lies within: {across}.")
    return " ".join(sentences)


DRAWING = Drawing(
    "estimator-boxes",
    EstimatorBoxesContent,
    rows_plot,
    draw_estimator_boxes,
    estimator_boxes_alt_text,
    _signs,
    wide=lambda content: len(content.groups) > _MOST_GROUPS_IN_A_COLUMN,
)
