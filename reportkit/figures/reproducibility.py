"""Reproducibility against the signal-to-noise ratio, between Cantelli's bounds and with the normal curve."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from scipy.special import ndtr

from reportkit.figures.drawing.axes import draw_markers, number_ticks, set_ticks, write_label
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.key import Sign
from reportkit.figures.drawing.style import BLUE, GREY, INK, shade
from reportkit.figures.drawing.typography import clean, typography
from reportkit.language import counted, fixed, short_repr
from reportkit.reproducibility_analysis.estimator_names import method_rank

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reportkit.reproducibility_analysis.study import ResplitStudy

_LEAST_END = 1.0
_Look: TypeAlias = tuple[str, str | float, bool]
_LOOKS: Mapping[str, _Look] = {
    "ST": ("o", INK, False),
    "Avg": ("o", INK, True),
    "Vote": ("D", BLUE, True),
    "Mixture (A over B)": ("^", INK, True),
    "Mixture (B over A)": ("v", INK, False),
}
_OTHER_LOOKS: tuple[_Look, ...] = (("s", INK, False), ("P", INK, False))
"""Marker, colour and filling of the estimators."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproducibilityPoint:
    """One estimator on one dataset.

    Parameters
    ----------
    dataset, method : str
        Names.
    snr : float
        Mean of the estimates divided by their standard deviation; finite.
    reproducibility, low, high : float
        Share of re-partitions in which A came out better, and its Wilson interval.
    """

    dataset: str
    method: str
    snr: float
    reproducibility: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproducibilityContent:
    """Everything that the figure shows.

    Parameters
    ----------
    system_a, system_b : str
        The conclusion is that A is better.
    points : tuple of ReproducibilityPoint
        By dataset and estimator; those whose estimates are all the same, with an infinite SNR, are not drawn.
    level : float
        Confidence level of the intervals.
    n_repartitions : int
        Smallest number of re-partitions.
    """

    system_a: str
    system_b: str
    points: tuple[ReproducibilityPoint, ...]
    level: float
    n_repartitions: int

    __repr__ = short_repr


def reproducibility_content(study: ResplitStudy) -> ReproducibilityContent:
    """Take from a study of two re-partitions or more what the figure shows."""
    points = []
    for item in study.resplits:
        for name, result in item.results.items():
            if math.isfinite(result.snr):
                place = {"snr": result.snr, "reproducibility": result.proportion, "low": result.low}
                points.append(ReproducibilityPoint(dataset=item.dataset, method=name, high=result.high, **place))
    return ReproducibilityContent(
        system_a=study.system_a,
        system_b=study.system_b,
        points=tuple(points),
        level=study.level,
        n_repartitions=min(item.n_repartitions for item in study.resplits),
    )


def _plot(content: ReproducibilityContent, total: float) -> Plot:
    return Plot(min(max(0.55 * total, 90.0), 210.0) + typography().below_axis)


def draw_reproducibility(content: ReproducibilityContent, axes: Sequence[Axes]) -> None:
    """Draw one point per estimator and dataset, with its Wilson interval.

    The grey regions are those that Cantelli's inequality excludes, whatever the distribution: below
    SNR^2 / (1 + SNR^2) to the right of 0, above 1 / (1 + SNR^2) to the left. The dashed curve is that of normally
    distributed estimates, Phi(SNR).
    """
    (panel,), looks = axes, _looks(content)
    values = [-0.5, _LEAST_END, *(point.snr for point in content.points)]
    margin = 0.04 * (max(values) - min(values))
    grid = np.linspace(min(values) - margin, max(values) + margin, 601)
    for x, y, edge in (
        (grid[grid >= 0], 1 - 1 / (1 + np.square(grid[grid >= 0])), 0.0),
        (grid[grid <= 0], 1 / (1 + np.square(grid[grid <= 0])), 1.0),
    ):
        panel.fill_between(x, y, edge, facecolor=shade(0.925), edgecolor="none", zorder=0, label="_excluded")
        panel.plot(x, y, color=shade(GREY), linewidth=0.8, zorder=1, label="_cantelli")
    panel.plot(grid, ndtr(grid), color=BLUE, linewidth=0.8, linestyle="--", zorder=1, label="_normal")
    for point in content.points:
        marker, colour, filled = looks[point.method]
        bar: Any = {"color": shade(GREY), "linewidth": 0.6}
        panel.plot([point.snr] * 2, [point.low, point.high], zorder=2, label="_interval", **bar)
        draw_markers(
            panel, [point.snr], [point.reproducibility], marker, 4.0, colour, filled=filled, label=f"_{point.method}"
        )
    panel.set_xlim(grid[0], grid[-1])
    panel.set_ylim(0, 1)
    set_ticks(panel.yaxis, [(share, f"{share:.1f}") for share in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)])
    number_ticks(panel.xaxis, 7)
    write_label(panel, "x", "signal-to-noise ratio")
    write_label(panel, "y", "reproducibility")


def _looks(content: ReproducibilityContent) -> dict[str, _Look]:
    names = sorted({point.method for point in content.points}, key=method_rank)
    others = cycle(_OTHER_LOOKS)
    return {name: _LOOKS.get(name) or next(others) for name in names}


def _signs(content: ReproducibilityContent) -> list[Sign]:
    signs = [
        Sign(meaning=name, marker=marker, colour=colour, filled=filled)
        for name, (marker, colour, filled) in _looks(content).items()
    ]
    return [
        *signs,
        Sign(meaning=r"$\Phi$(SNR)", line="--", colour=BLUE, math=True),
        Sign(meaning="Cantelli's bound; grey: impossible", line="-", colour=GREY),
    ]


def reproducibility_alt_text(content: ReproducibilityContent) -> str:
    """Say in words what the figure shows."""
    a, b = clean(content.system_a), clean(content.system_b)
    first = f"Reproducibility of the conclusion that {a} is better than {b} against the signal-to-noise ratio"
    if not content.points:
        return f"{first}; no estimator varies."
    ends = [choose(content.points, key=lambda point: point.reproducibility) for choose in (min, max)]
    lowest, highest = (
        f"{fixed(one.reproducibility, 3)} ({one.method} on {clean(one.dataset)}, SNR {fixed(one.snr, 2)})"
        for one in ends
    )
    away = max(abs(point.reproducibility - float(ndtr(point.snr))) for point in content.points)
    return (
        f"{first}, from at least {counted(content.n_repartitions, 're-partition')}: from {lowest} to {highest}. Every "
        f"point lies within {fixed(math.ceil(away * 1000) / 1000, 3)} of the curve for normally distributed estimates."
    )


DRAWING = Drawing(
    "reproducibility", ReproducibilityContent, _plot, draw_reproducibility, reproducibility_alt_text, _signs
)
