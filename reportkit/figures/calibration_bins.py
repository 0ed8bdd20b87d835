"""Reliability diagram: the share of winners with a p-value in a bin that are the better system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from reportkit.calibration.bins import EDGES, BinCalibration
from reportkit.figures.drawing.axes import (
    LOOKS,
    MOST_CURVES,
    draw_markers,
    named_signs,
    set_ticks,
    share_ticks,
    write_label,
)
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.key import Sign, colour_of
from reportkit.figures.drawing.style import GREY, shade
from reportkit.figures.drawing.typography import clean, typography
from reportkit.language import counted, level_text, short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reportkit.calibration.bins import DomainShift

_APART = 0.14


@dataclass(frozen=True, slots=True, kw_only=True)
class BinPoint:
    """One bin.

    Parameters
    ----------
    number : int
        Which bin, from 0.
    share : float
        Share of winners that are better, or win again.
    low, high : float or None
        Interval, where one is known.
    """

    number: int
    share: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BinSeries:
    """One dataset, or all pairs of datasets.

    Parameters
    ----------
    name : str
        Its name.
    points : tuple of BinPoint
        Bins that are shown.
    """

    name: str
    points: tuple[BinPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationBinsContent:
    """Everything that the figure shows.

    Parameters
    ----------
    edges : tuple of float
        Ends of the bins, ascending.
    words : str
        What is counted: "winners that are better".
    level : float
        Level of the intervals.
    series : tuple of BinSeries
        At most four.
    """

    edges: tuple[float, ...]
    words: str
    level: float
    series: tuple[BinSeries, ...]

    __repr__ = short_repr


def calibration_bins_content(found: Sequence[BinCalibration], level: float = 0.95) -> CalibrationBinsContent:
    """Take from the simulations within at most four datasets what the figure shows."""
    series = []
    for item in found[:MOST_CURVES]:
        points = []
        for one in item.bins:
            low, high = one.interval or (None, None)
            points.append(BinPoint(number=EDGES.index(one.low), share=one.share.value, low=low, high=high))
        series.append(BinSeries(name=item.dataset, points=tuple(points)))
    return CalibrationBinsContent(edges=EDGES, words="winners that are better", level=level, series=tuple(series))


def transfer_bins_content(found: DomainShift) -> CalibrationBinsContent:
    """Take from all ordered pairs of datasets together what the figure shows."""
    points = [
        BinPoint(number=number, share=share.value, low=share.low, high=share.high)
        for number, (_, _, share, _) in enumerate(found.bins())
        if share is not None
    ]
    name = counted(len(found.transfers), "ordered pair of datasets", "ordered pairs of datasets")
    series, level = BinSeries(name=name, points=tuple(points)), found.transfers[0].level
    return CalibrationBinsContent(edges=EDGES, words="winners that win again", level=level, series=(series,))


def _plot(content: CalibrationBinsContent, total: float) -> Plot:
    return Plot(min(0.5 * total, 150.0) + typography().below_axis)


def draw_calibration_bins(content: CalibrationBinsContent, axes: Sequence[Axes]) -> None:
    """Draw the share of each bin with its interval; the steps are 1 - p, which these shares need not follow."""
    (panel,), n_bins = axes, len(content.edges) - 1
    middles = [1 - (low + high) / 2 for low, high in pairwise(content.edges)]
    look: Any = {"color": shade(GREY), "linewidth": 0.6, "linestyle": ":"}
    panel.step(
        [number - 0.5 for number in range(n_bins + 1)],
        [*middles, middles[-1]],
        where="post",
        label="_confidence",
        **look,
    )
    for place, item in enumerate(content.series):
        colour, _, marker = LOOKS[place]
        shift = (place - (len(content.series) - 1) / 2) * _APART
        for one in item.points:
            if one.low is not None and one.high is not None:
                bar: Any = {"color": colour_of(colour), "linewidth": 0.8}
                panel.plot([one.number + shift] * 2, [one.low, one.high], label="_interval", **bar)
        x, y = [one.number + shift for one in item.points], [one.share for one in item.points]
        draw_markers(panel, x, y, marker, 3.6, colour, filled=place % 2 == 0, label="_share")
    lows = [value for item in content.series for one in item.points for value in (one.share, one.low or one.share)]
    panel.set_ylim(max(0.0, min([0.85, *lows]) - 0.03), 1.008)
    panel.set_xlim(-0.5, n_bins - 0.5)
    set_ticks(panel.xaxis, [(number, level_text(content.edges[number + 1])) for number in range(n_bins)])
    share_ticks(panel.yaxis, 6)
    write_label(panel, "x", "$p$-value, up to", math=True)
    write_label(panel, "y", f"share of {content.words}")


def _signs(content: CalibrationBinsContent) -> list[Sign]:
    named = named_signs([item.name for item in content.series], marker=True)
    signs = [replace(sign, line="", filled=place % 2 == 0) for place, sign in enumerate(named)]
    return [*signs, Sign(meaning="1 − p, for comparison", line=":", colour=GREY)]


def calibration_bins_alt_text(content: CalibrationBinsContent) -> str:
    """Say in words what the figure shows."""
    said = []
    for item in content.series:
        points = ", ".join(f"{one.share:.2f} up to {level_text(content.edges[one.number + 1])}" for one in item.points)
        said.append(f"{clean(item.name)}: {points or 'no bin has enough p-values'}")
    return f"Share of {content.words}, by the p-value with which they win. {'. '.join(said)}."


DRAWING = Drawing(
    "calibration-bins", CalibrationBinsContent, _plot, draw_calibration_bins, calibration_bins_alt_text, _signs
)
