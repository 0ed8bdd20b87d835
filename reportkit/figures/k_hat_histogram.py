"""k-hat of simulated families without any effect, by method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from reportkit.figures.drawing.axes import rounded, set_ticks, share_ticks, write, write_label
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.key import Sign
from reportkit.figures.drawing.style import GREY, INK, shade
from reportkit.figures.drawing.typography import clean, typography
from reportkit.language import level_text, short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reportkit.calibration.joint import JointNull

_TITLES = {"count": "Count", "bonferroni": "Bonferroni", "fisher": "Fisher"}
_LEAST_BARS = 4
_NOBODY = 0.784


@dataclass(frozen=True, slots=True, kw_only=True)
class KHatBars:
    """k-hat of one method.

    Parameters
    ----------
    method : str
        "count", "bonferroni", "fisher".
    shares : tuple of float
        Share of families with k-hat 0, 1, ..., up to the largest that any method reached.
    error : float
        Share of families with k-hat above 0.
    """

    method: str
    shares: tuple[float, ...]
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KHatHistogramContent:
    """Everything that the figure shows.

    Parameters
    ----------
    system_a, system_b : str
        Whose claim "A is better" is counted.
    n_datasets, n_families : int
        Datasets of a family, and families.
    alpha : float
        Level of k-hat.
    methods : tuple of KHatBars
        One per way of counting.
    """

    system_a: str
    system_b: str
    n_datasets: int
    n_families: int
    alpha: float
    methods: tuple[KHatBars, ...]

    __repr__ = short_repr


def k_hat_histogram_content(found: JointNull) -> KHatHistogramContent:
    """Take from simulated families what the figure shows."""
    n = len(found.datasets)
    largest = min(max(int(item.max()) for item in found.k_hats.values()), n)
    bars, methods = max(largest, min(_LEAST_BARS, n)) + 1, []
    for method in found.k_hats:
        shares = rounded((found.histogram(method)[:bars] / found.n_replicates).tolist())
        methods.append(KHatBars(method=method, shares=shares, error=found.error(method).value))
    return KHatHistogramContent(
        system_a=found.system_a,
        system_b=found.system_b,
        n_datasets=n,
        n_families=found.n_replicates,
        alpha=found.alpha,
        methods=tuple(methods),
    )


def _plot(content: KHatHistogramContent, total: float) -> Plot:
    return Plot(90.0 + typography().below_axis + typography().line, columns=len(content.methods))


def draw_k_hat_histogram(content: KHatHistogramContent, axes: Sequence[Axes]) -> None:
    """Draw one panel per method: bars of the share of families by k-hat; every bar right of 0 is wrong.

    The dashed line is at 1 - alpha, which the bar at 0 must reach for the method to keep its level.
    """
    for panel, bars in zip(axes, content.methods, strict=True):
        places = np.arange(len(bars.shares))
        faces = [shade(_NOBODY), *[shade(INK)] * (len(places) - 1)]
        panel.bar(places, bars.shares, width=0.75, color=faces, edgecolor=shade(INK), linewidth=0.4, zorder=2)
        panel.axhline(1 - content.alpha, color=shade(GREY), linestyle="--", linewidth=0.7, zorder=3, label="_alpha")
        panel.set_xlim(-0.7, len(places) - 0.3)
        panel.set_ylim(0, 1.04)
        step = -(-len(places) // 9)
        set_ticks(panel.xaxis, [(float(place), str(place)) for place in places[::step]])
        share_ticks(panel.yaxis, 5)
        write_label(panel, "x", r"$\hat{k}$", math=True)
        title = f"{_TITLES.get(bars.method, bars.method)}"
        at: Any = {"xycoords": "axes fraction", "ha": "center"}
        write(panel, title, (0.5, 1.0), offset=(0.0, 2.5), fontsize=typography().text, **at)
        share = rf"$\hat{{k}} > 0$: {bars.error:.3f}".replace(" 0.", " .")
        write(panel, share, (1.0, 0.62), xycoords="axes fraction", ha="right", math=True)
    write_label(axes[0], "y", "share of families")


def _signs(content: KHatHistogramContent) -> list[Sign]:
    least = level_text(1 - content.alpha)
    return [
        Sign(meaning="no dataset counted: right", marker="s", face=_NOBODY),
        Sign(meaning="datasets counted: wrong", marker="s"),
        Sign(meaning=f"{least}, which the bar at 0 must reach", line="--", colour=GREY),
    ]


def k_hat_histogram_alt_text(content: KHatHistogramContent) -> str:
    """Say in words what the figure shows."""
    said = ", ".join(f"{_TITLES.get(item.method, item.method)} {item.error:.3f}" for item in content.methods)
    return (
        f"Histograms of k-hat for {clean(content.system_a)} better than {clean(content.system_b)} in "
        f"{content.n_families:,} simulated families of {content.n_datasets} datasets without any effect. Share of "
        f"families with k-hat above 0, which is to be at most {level_text(content.alpha)}: {said}."
    )


DRAWING = Drawing(
    "k-hat-histogram", KHatHistogramContent, _plot, draw_k_hat_histogram, k_hat_histogram_alt_text, _signs, wide=True
)
