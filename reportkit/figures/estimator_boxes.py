"""Box plots of the estimates of a difference over the re-partitions of a corpus, one per estimator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from reportkit.figures.drawing.axes import number_ticks, write, write_label
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.key import Sign
from reportkit.figures.drawing.names import shortened
from reportkit.figures.drawing.rows import draw_rows, parts_of, rows_plot
from reportkit.figures.drawing.style import BLUE, FAINT, GREY, INK, PAPER, shade
from reportkit.figures.drawing.typography import clean, typography
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import fixed
from reportkit.language.short_repr import short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reportkit.reproducibility_analysis.study import ResplitStudy

_REACH = 1.5
"""Whiskers end at the last estimate within so many box lengths of the box."""
_MOST_GROUPS_IN_A_COLUMN = 4


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


def _rows(content: EstimatorBoxesContent) -> list[EstimatorBox | str]:
    """Return boxes from top to bottom, each group after the name of its dataset."""
    found: list[EstimatorBox | str] = []
    for group in content.groups:
        found += [group.dataset, *group.boxes]
    return found


def _plot(content: EstimatorBoxesContent, total: float) -> Plot:
    return rows_plot(len(_rows(content)), total)


def draw_estimator_boxes(content: EstimatorBoxesContent, axes: Sequence[Axes]) -> None:
    """Draw one box per estimator, the datasets one below the other, on one axis with 0.

    A box reaches from the first to the third quartile, its line is the median, the diamond the mean; whiskers end at
    the last estimate within 1.5 box lengths, and estimates beyond them are dots.
    """
    rows, limits = _rows(content), _ends(content)
    parts = parts_of(len(rows), len(axes))
    for panel, part in zip(axes, parts, strict=True):
        names = ["" if isinstance(row, str) else f"  {row.method}" for row in rows[part]]
        heads = [place for place, row in enumerate(rows[part]) if isinstance(row, str)]
        left = draw_rows(panel, names, {}, limits, tallest=parts[0].stop, heads=heads)
        panel.axvline(0.0, color=shade(GREY), linewidth=0.6, zorder=1, label="_zero")
        for place, row in enumerate(rows[part]):
            if isinstance(row, str):
                text = typography().text
                at: Any = {"xycoords": panel.get_yaxis_transform(), "va": "center_baseline", "fontsize": text}
                write(panel, shortened(row, left + 60.0, text), (0.0, place), offset=(-left, 0.0), **at)
            else:
                _draw_box(panel, row, place)
        number_ticks(panel.xaxis, 6)
        write_label(panel, "x", "A − B" + (f", {content.unit}" if content.unit else ""))


def _draw_box(axes: Axes, box: EstimatorBox, place: int) -> None:
    quartiles = {"q1": box.first, "med": box.median, "q3": box.third, "whislo": box.low, "whishi": box.high}
    ink: Any = {"color": shade(INK), "linewidth": 0.7}
    axes.bxp(
        [{**quartiles, "mean": box.mean, "fliers": list(box.outside)}],
        positions=[place],
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


def _ends(content: EstimatorBoxesContent) -> tuple[float, float]:
    boxes = [box for group in content.groups for box in group.boxes]
    values = [0.0, *(value for box in boxes for value in (box.low, box.high, *box.outside))]
    low, high = min(values), max(values)
    margin = 0.03 * (high - low) or 1.0
    return low - margin, high + margin


def _signs(content: EstimatorBoxesContent) -> list[Sign]:
    signs = [
        Sign(meaning="quartiles", marker="s", face=FAINT),
        Sign(meaning="mean", marker="D", colour=BLUE, filled=False),
    ]
    if any(box.outside for group in content.groups for box in group.boxes):
        signs.append(Sign(meaning="beyond 1.5 box lengths", marker=".", colour=GREY))
    return signs


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
    _plot,
    draw_estimator_boxes,
    estimator_boxes_alt_text,
    _signs,
    wide=lambda content: len(content.groups) > _MOST_GROUPS_IN_A_COLUMN,
)
