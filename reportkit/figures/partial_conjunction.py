"""Partial-conjunction p-values against u: how the evidence fades as more datasets are claimed, and where it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from reportkit.figures.drawing.axes import (
    HIGHEST,
    LOOKS,
    Look,
    PAxis,
    draw_markers,
    p_axis,
    set_ticks,
    write,
    write_label,
)
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.key import Sign, colour_of
from reportkit.figures.drawing.style import FLOOR, GREY, shade
from reportkit.figures.drawing.typography import clean, typography
from reportkit.language import counted, level_text, listed, p_value_text, short_repr
from reportkit.replicability.multiple_testing.combination import COMBINATIONS
from reportkit.replicability.multiple_testing.correction import METHOD
from reportkit.significance.outcome import rejection_level

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLES = {METHOD: "Closed test"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialConjunctionCurve:
    """The partial-conjunction p-values of one method.

    Parameters
    ----------
    method : str
        "bonferroni", "fisher", "fisher-bonferroni".
    p_values : tuple of float
        For u = 1..N.
    k_hat : tuple of int
        One per level, in their order.
    """

    method: str
    p_values: tuple[float, ...]
    k_hat: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialConjunctionContent:
    """Everything that the figure shows.

    Parameters
    ----------
    system_a, system_b : str
        A is claimed to be better than B.
    n_datasets : int
        N.
    alpha : tuple of float
        Levels, largest first.
    curves : tuple of PartialConjunctionCurve
        One per method.
    """

    system_a: str
    system_b: str
    n_datasets: int
    alpha: tuple[float, ...]
    curves: tuple[PartialConjunctionCurve, ...]

    __repr__ = short_repr


def _plot(content: PartialConjunctionContent, total: float) -> Plot:
    return Plot(min(max(0.47 * total, 90.0), 150.0) + typography().below_axis)


def draw_partial_conjunction(content: PartialConjunctionContent, axes: Sequence[Axes]) -> None:
    """Draw the p-values of "A is better on at least u of N datasets" for u = 1..N.

    One curve per method that the comparison holds; a marker is filled where its p-value is at most the largest level.
    Horizontal lines are the levels; where a curve last stays at or below the largest, a vertical line drops to k-hat,
    which is named there; k-hat is 0 if the curve is above the level even at u = 1. p-values more than four decades
    below the smallest level are not told apart: they lie in a grey band at the bottom that says so.
    """
    (panel,), n = axes, content.n_datasets
    axis = p_axis([p for curve in content.curves for p in curve.p_values], content.alpha)
    panel.set_yscale("log")
    panel.set_ylim(axis.lowest, HIGHEST)
    panel.set_xlim(-0.025 * n - 0.1, 1.025 * n + 0.1)
    set_ticks(panel.yaxis, axis.ticks(6), math=True)
    _count_ticks(panel, n)
    if axis.floor:
        panel.axhspan(axis.lowest, axis.floor, facecolor=shade(FLOOR), edgecolor="none", zorder=0, label="_below_floor")
    for place, level in enumerate(content.alpha):
        panel.axhline(level, color=shade(GREY), linewidth=0.6, zorder=1, label="_alpha")
        words, options = rf"$\alpha$ = {level_text(level)}", {"xycoords": panel.get_yaxis_transform(), "ha": "left"}
        write(panel, words, (1.0, level), offset=(3.0, 0.0), va="top" if place else "bottom", math=True, **options)
    for curve, look in zip(content.curves, cycle(LOOKS), strict=False):
        _draw_curve(panel, curve, look, axis, content.alpha[0])
    for number, k_hat in enumerate(sorted({curve.k_hat[0] for curve in content.curves})):
        right, rise = k_hat > 0.75 * n, 3.0 + 1.2 * typography().small * number
        there = max(axis.placed(curve.p_values[k_hat - 1]) for curve in content.curves) if right else HIGHEST
        on_top = there**2 < axis.lowest * content.alpha[-1]  # the lower half is taken by points
        at, rise = (content.alpha[-1], -rise) if on_top else (axis.lowest, rise)
        options = {"ha": "right" if right else "left", "va": "top" if on_top else "bottom"}
        write(
            panel, rf"$\hat{{k}}$ = {k_hat}", (k_hat, at), offset=(-3.0 if right else 3.0, rise), math=True, **options
        )
    write_label(panel, "x", rf"$u$ (better on at least $u$ of {counted(n, 'dataset')})", math=True)
    write_label(panel, "y", "partial-conjunction $p$-value", math=True)


def _count_ticks(axes: Axes, n: int) -> None:
    """Set ticks at round numbers of datasets, and at the last one."""
    step = next(nice for nice in (1, 2, 5, 10, 20, 50, 100, 10**9) if n / nice <= 12)
    ticks = list(range(0, n + 1, step))
    set_ticks(axes.xaxis, [(tick, str(tick)) for tick in (*ticks, *([n] if n - ticks[-1] >= 0.6 * step else []))])


def _title(curve: PartialConjunctionCurve) -> str:
    return TITLES.get(curve.method) or COMBINATIONS[curve.method].title


def _signs(content: PartialConjunctionContent) -> list[Sign]:
    return [
        Sign(meaning=_title(curve), marker=marker, line=line, colour=colour)
        for curve, (colour, line, marker) in zip(content.curves, cycle(LOOKS), strict=False)
    ]


def _draw_curve(axes: Axes, curve: PartialConjunctionCurve, look: Look, axis: PAxis, level: float) -> None:
    name, u, (colour, dashes, marker) = _title(curve).lower(), np.arange(1, len(curve.p_values) + 1), look
    heights = np.array([axis.placed(p) for p in curve.p_values])
    line: Any = {"color": colour_of(colour), "linestyle": dashes}
    axes.plot(u, heights, linewidth=0.8, zorder=2, label=f"_{name}", **line)
    axes.vlines(curve.k_hat[0], axis.lowest, level, linewidth=0.5, zorder=1.5, label=f"_{name} k_hat", **line)
    small = np.array(curve.p_values) <= rejection_level(level)
    size = min(4.0, max(1.6, 100.0 / u.size))
    for chosen, filled in ((small, True), (~small, False)):
        label = f"_{name} {'filled' if filled else 'hollow'}"
        draw_markers(axes, u[chosen], heights[chosen], marker, size, colour, filled=filled, label=label)


def partial_conjunction_alt_text(content: PartialConjunctionContent) -> str:
    """Say in words what the figure shows."""
    a, b, n = clean(content.system_a), clean(content.system_b), content.n_datasets
    said = []
    for curve in content.curves:
        first, last = (p_value_text(p, precise=True) for p in (curve.p_values[0], curve.p_values[-1]))
        levels = zip(content.alpha, curve.k_hat, strict=True)
        bounds = listed(f"k-hat is {k_hat} at level {level_text(level)}" for level, k_hat in levels)
        said.append(f"{_title(curve)}: p rises from {first} at u = 1 to {last} at u = {n}; {bounds}.")
    return (
        f"Partial-conjunction p-values of the claim that {a} is better than {b} on at least u of {n} datasets, on a "
        f"logarithmic axis. {' '.join(said)}"
    )


DRAWING = Drawing(
    "partial-conjunction",
    PartialConjunctionContent,
    _plot,
    draw_partial_conjunction,
    partial_conjunction_alt_text,
    _signs,
)
