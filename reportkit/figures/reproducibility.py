"""Reproducibility against the signal-to-noise ratio, between Cantelli's bounds and beside the normal curve."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

from reportkit.figures.drawing.entry import Drawing
from reportkit.figures.drawing.fonts import clean
from reportkit.figures.drawing.key import Sign, draw_key, key_lines
from reportkit.figures.drawing.lettering import text_width
from reportkit.figures.drawing.marks import draw_markers, number_ticks, set_ticks
from reportkit.figures.drawing.new_figure import new_figure
from reportkit.figures.drawing.style import BLUE, GREY, INK, axes_at, write
from reportkit.figures.drawing.typography import typography
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import fixed, percent_text
from reportkit.language.short_repr import short_repr
from reportkit.reproducibility_analysis.study import method_rank

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from reportkit.reproducibility_analysis.study import ResplitStudy

_LOOKS: tuple[tuple[str, str, bool], ...] = (
    ("o", INK, False),
    ("s", INK, False),
    ("o", INK, True),
    ("D", BLUE, True),
    ("^", INK, True),
    ("v", INK, False),
    ("P", INK, False),
)
"""Marker, colour and filling of the estimators, in their order."""

_LEAST_END, _MOST_END = 1.0, 6.0
_ABOVE = 5.0


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
        By dataset and estimator.
    level : float
        Confidence level of the intervals.
    n_repartitions : int
        Smallest number of re-partitions.
    n_without_spread : int
        Estimators whose estimates are all the same, so that the SNR is infinite: not drawn.
    """

    system_a: str
    system_b: str
    points: tuple[ReproducibilityPoint, ...]
    level: float
    n_repartitions: int
    n_without_spread: int

    __repr__ = short_repr


def reproducibility_content(study: ResplitStudy) -> ReproducibilityContent:
    """Take from a study what the figure shows.

    Parameters
    ----------
    study : ResplitStudy
        With reproducibility, not of one re-partition alone.
    """
    points = [
        ReproducibilityPoint(
            dataset=item.dataset,
            method=name,
            snr=result.snr,
            reproducibility=result.proportion,
            low=result.low,
            high=result.high,
        )
        for item in study.resplits
        for name, result in item.results.items()
    ]
    finite = tuple(point for point in points if math.isfinite(point.snr))
    return ReproducibilityContent(
        system_a=study.system_a,
        system_b=study.system_b,
        points=finite,
        level=study.level,
        n_repartitions=min(item.n_repartitions for item in study.resplits),
        n_without_spread=len(points) - len(finite),
    )


def draw_reproducibility(content: ReproducibilityContent, total: float) -> Figure:
    """Draw one point per estimator and dataset, with its Wilson interval.

    The grey regions are those that Cantelli's inequality excludes, whatever the distribution: below
    SNR^2 / (1 + SNR^2) to the right of 0, above 1 / (1 + SNR^2) to the left. The dashed curve is that of normally
    distributed estimates, Phi(SNR).

    Parameters
    ----------
    content : ReproducibilityContent
        One estimator or more.
    total : float
        Width in points.
    """
    small, line = typography().small, typography().line
    looks = _looks(content)
    key = key_lines(_signs(looks), total - 2)
    plot = min(max(0.55 * total, 90.0), 210.0)
    below = typography().below_axis
    left = line + 4 + text_width("0.0", small) + 6
    width = total - left - 4
    height = below + plot + _ABOVE + line * len(key)
    figure = new_figure(total, height)
    axes = axes_at(figure, left, below, width, plot)
    low, high = _ends(content)
    _draw_curves(axes, low, high)
    for point in content.points:
        marker, colour, filled = looks[point.method]
        axes.plot([point.snr] * 2, [point.low, point.high], color=GREY, linewidth=0.6, zorder=2, label="_interval")
        x, y = [point.snr], [point.reproducibility]
        draw_markers(axes, x, y, marker, 4.0, colour, filled=filled, label=f"_{point.method}")
    _frame(axes, low, high, width)
    write(figure, left + width / 2, 2.5, "signal-to-noise ratio", ha="center")
    write(figure, typography().text, below + plot / 2, "reproducibility", ha="center", rotation=90)
    draw_key(figure, key, 1.0, height)
    return figure


def _looks(content: ReproducibilityContent) -> dict[str, tuple[str, str, bool]]:
    names = sorted({point.method for point in content.points}, key=method_rank)
    places = {"ST": 0, "Avg": 2, "Vote": 3, "Mixture (A over B)": 4, "Mixture (B over A)": 5}
    others = iter([1, 6] * len(names))
    return {name: _LOOKS[places[name] if name in places else next(others)] for name in names}


def _ends(content: ReproducibilityContent) -> tuple[float, float]:
    """Ends of the axis: all points, and what lies around 0."""
    values = [point.snr for point in content.points]
    low, high = min([-0.5, *values]), max([_LEAST_END, *values])
    margin = 0.04 * (high - low)
    return low - margin, high + margin


def _draw_curves(axes: Axes, low: float, high: float) -> None:
    grid = np.linspace(low, high, 601)
    right, left = grid[grid >= 0], grid[grid <= 0]
    square = np.square(right)
    for x, y, edge in ((right, square / (1 + square), 0.0), (left, 1 / (1 + np.square(left)), 1.0)):
        axes.fill_between(x, y, edge, facecolor="#ececec", edgecolor="none", zorder=0, label="_excluded")
        axes.plot(x, y, color=GREY, linewidth=0.8, zorder=1, label="_cantelli")
    axes.plot(grid, ndtr(grid), color=BLUE, linewidth=0.8, linestyle="--", zorder=1, label="_normal")


def _frame(axes: Axes, low: float, high: float, width: float) -> None:
    axes.set_xlim(low, high)
    axes.set_ylim(0, 1)
    set_ticks(axes.yaxis, [(share, f"{share:.1f}") for share in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)])
    number_ticks(axes.xaxis, max(3, int(width // 30)))


def _signs(looks: dict[str, tuple[str, str, bool]]) -> list[Sign]:
    signs = [
        Sign(meaning=name, marker=marker, colour=colour, filled=filled)
        for name, (marker, colour, filled) in looks.items()
    ]
    return [
        *signs,
        Sign(meaning=r"$\Phi$(SNR)", line="--", colour=BLUE),
        Sign(meaning="Cantelli's bound; grey: impossible", line="-", colour=GREY),
    ]


def reproducibility_alt_text(content: ReproducibilityContent) -> str:
    """Say in words what the figure shows, in a few sentences of plain text."""
    a, b = clean(content.system_a), clean(content.system_b)
    datasets = list(dict.fromkeys(point.dataset for point in content.points))
    methods = sorted({point.method for point in content.points}, key=method_rank)
    first = (
        f"Reproducibility of the conclusion that {a} is better than {b}, with {percent_text(content.level)} Wilson "
        f"intervals, against the signal-to-noise ratio, for {listed(methods)} on {counted(len(datasets), 'dataset')}, "
        f"from at least {counted(content.n_repartitions, 're-partition')}."
    )
    sentences = [first]
    if content.points:
        lowest, highest = (choose(content.points, key=lambda point: point.reproducibility) for choose in (min, max))
        gap = max(content.points, key=lambda point: abs(point.reproducibility - float(ndtr(point.snr))))
        away = abs(gap.reproducibility - float(ndtr(gap.snr)))
        sentences.append(
            f"It goes from {_place(lowest)} to {_place(highest)}. Every point lies outside the region that Cantelli's "
            f"bounds exclude, and within {fixed(math.ceil(away * 1000) / 1000, 3)} of the curve for normally "
            "distributed estimates."
        )
    if content.n_without_spread:
        what = counted(content.n_without_spread, "estimator whose estimates are", "estimators whose estimates are")
        sentences.append(f"Not drawn: {what} all the same.")
    return " ".join(sentences)


def _place(point: ReproducibilityPoint) -> str:
    return f"{fixed(point.reproducibility, 3)} ({point.method} on {clean(point.dataset)}, SNR {fixed(point.snr, 2)})"


REPRODUCIBILITY = Drawing("reproducibility", ReproducibilityContent, draw_reproducibility, reproducibility_alt_text)
