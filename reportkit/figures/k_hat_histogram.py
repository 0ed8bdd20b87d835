"""How many datasets are counted where none has an effect: k-hat of simulated families, by method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reportkit.figures.drawing.entry import Drawing
from reportkit.figures.drawing.fonts import clean
from reportkit.figures.drawing.key import Sign, draw_key, key_lines
from reportkit.figures.drawing.new_figure import new_figure
from reportkit.figures.drawing.panels import draw_panel, panel_width, panels_height, rounded, share_ticks
from reportkit.figures.drawing.style import GREY, INK, write
from reportkit.figures.drawing.typography import typography
from reportkit.language.numerals import level_text, percent_text
from reportkit.language.short_repr import short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from reportkit.calibration.joint import JointNull

_TITLES = {"count": "Count", "bonferroni": "Bonferroni", "fisher": "Fisher"}
_PLOT = 90.0
_LEAST_BARS = 4
_NOBODY = "#c8c8c8"


@dataclass(frozen=True, slots=True, kw_only=True)
class KHatBars:
    """k-hat of one method.

    Parameters
    ----------
    method : str
        "count", "bonferroni", "fisher".
    shares : tuple of float
        Share of families with k-hat 0, 1, ..., up to the largest that any method reached.
    error, low, high : float
        Share of families with k-hat above 0, and its interval.
    """

    method: str
    shares: tuple[float, ...]
    error: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KHatHistogramContent:
    """Everything that the figure shows.

    Parameters
    ----------
    system_a, system_b : str
        Whose claim "A is better" is counted.
    n_datasets, n_families : int
        Datasets of a family, and families.
    alpha, level : float
        Level of k-hat, and of the intervals.
    methods : tuple of KHatBars
        One per way of counting.
    """

    system_a: str
    system_b: str
    n_datasets: int
    n_families: int
    alpha: float
    level: float
    methods: tuple[KHatBars, ...]

    __repr__ = short_repr


def k_hat_histogram_content(found: JointNull) -> KHatHistogramContent:
    """Take from simulated families what the figure shows."""
    largest = min(max(int(item.max()) for item in found.k_hats.values()), len(found.datasets))
    bars = max(largest, min(_LEAST_BARS, len(found.datasets))) + 1
    methods = []
    for method in found.k_hats:
        error = found.error(method)
        methods.append(
            KHatBars(
                method=method,
                shares=rounded((found.histogram(method)[:bars] / found.n_replicates).tolist()),
                error=error.value,
                low=error.low,
                high=error.high,
            )
        )
    return KHatHistogramContent(
        system_a=found.system_a,
        system_b=found.system_b,
        n_datasets=len(found.datasets),
        n_families=found.n_replicates,
        alpha=found.alpha,
        level=found.level,
        methods=tuple(methods),
    )


def draw_k_hat_histogram(content: KHatHistogramContent, total: float) -> Figure:
    """Draw one panel per method: bars of the share of families by k-hat; every bar right of 0 is wrong.

    The dashed line stands at 1 - alpha, which the bar at 0 must reach for the method to keep its level.

    Parameters
    ----------
    content : KHatHistogramContent
        One method or more.
    total : float
        Width in points.
    """
    key = key_lines(_signs(content), total - 2)
    of = len(content.methods)
    heading = typography().line
    height = panels_height(_PLOT, key) + heading
    figure = new_figure(total, height)
    width = panel_width(total, of)
    for number, bars in enumerate(content.methods):
        words = "share of families" if number == 0 else ""
        axes = draw_panel(figure, number, of, total, _PLOT, x_words=r"$\hat{k}$", y_words=words)
        _draw_bars(axes, content, bars, width)
        box = axes.get_position()
        x, top = box.x0 * total, box.y1 * height
        write(figure, x + width / 2, top + 2.5, f"{_TITLES.get(bars.method, bars.method)}", ha="center")
        share = f"{bars.error:.3f}".removeprefix("0")
        write(
            figure,
            x + width - 1,
            top - 0.36 * _PLOT,
            rf"$\hat{{k}} > 0$: {share}",
            size=typography().small,
            ha="right",
            math=True,
        )
    draw_key(figure, key, 1.0, height)
    return figure


def _draw_bars(axes: Axes, content: KHatHistogramContent, bars: KHatBars, width: float) -> None:
    from matplotlib.ticker import FixedLocator

    places = np.arange(len(bars.shares))
    faces = [_NOBODY, *[INK] * (len(places) - 1)]
    axes.bar(places, bars.shares, width=0.75, color=faces, edgecolor=INK, linewidth=0.4, zorder=2)
    axes.axhline(1 - content.alpha, color=GREY, linestyle="--", linewidth=0.7, zorder=3, label="_alpha")
    axes.set_xlim(-0.7, len(places) - 0.3)
    axes.set_ylim(0, 1.04)
    step = max(1, int(np.ceil(len(places) / max(2.0, width // (11 * typography().scale)))))
    axes.xaxis.set_major_locator(FixedLocator(places[::step].tolist()))
    share_ticks(axes, "y", _PLOT)


def _signs(content: KHatHistogramContent) -> list[Sign]:
    least = level_text(1 - content.alpha)
    return [
        Sign(meaning="no dataset counted: right", marker="s", face=_NOBODY),
        Sign(meaning="datasets counted: wrong", marker="s"),
        Sign(meaning=f"{least}, which the bar at 0 must reach", line="--", colour=GREY),
    ]


def k_hat_histogram_alt_text(content: KHatHistogramContent) -> str:
    """Say in words what the figure shows, in a few sentences of plain text."""
    said = "; ".join(
        f"{_TITLES.get(item.method, item.method)} {item.error:.3f} ({percent_text(content.level)} interval "
        f"{item.low:.3f} to {item.high:.3f})"
        for item in content.methods
    )
    return (
        f"Histograms of k-hat, the number of datasets on which {clean(content.system_a)} is counted as better than "
        f"{clean(content.system_b)}, in {content.n_families:,} simulated families of {content.n_datasets} datasets "
        f"without any effect. Share of families with k-hat above 0, which is to be at most "
        f"{level_text(content.alpha)}: "
        f"{said}."
    )


K_HAT_HISTOGRAM = Drawing(
    "k-hat-histogram", KHatHistogramContent, draw_k_hat_histogram, k_hat_histogram_alt_text, wide=True
)
