"""How p-values and the smallest detectable difference change with the size of the test set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportkit.figures.drawing.axes import (
    HIGHEST,
    LOOKS,
    MOST_CURVES,
    Look,
    decade_ticks,
    draw_markers,
    named_signs,
    p_axis,
    rounded,
    set_ticks,
    write_label,
)
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.key import Sign, colour_of
from reportkit.figures.drawing.style import FLOOR, GREY, shade
from reportkit.figures.drawing.typography import clean, typography
from reportkit.language import level_text, p_value_text, percent_text, short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reportkit.calibration.size_curve import SizeCurve


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeSeries:
    """One dataset.

    Parameters
    ----------
    dataset : str
        Its name, with the systems where there are several pairs.
    sizes : tuple of int
        Sizes of the parts, ascending.
    median : tuple of float
        Median of the p-values.
    detectable : tuple of float
        Smallest difference that each size detects; empty if the data hold no variance.
    """

    dataset: str
    sizes: tuple[int, ...]
    median: tuple[float, ...]
    detectable: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeCurveContent:
    """Everything that the figure shows.

    Parameters
    ----------
    alpha, power : float
        Of the smallest detectable difference.
    unit, counted_in : str
        Unit of differences, may be empty; what sizes count: "instances", "clusters".
    series : tuple of SizeSeries
        At most four.
    """

    alpha: float
    power: float
    unit: str
    counted_in: str
    series: tuple[SizeSeries, ...]

    __repr__ = short_repr


def size_curve_content(found: Sequence[SizeCurve], names: Sequence[str], *, in_percent: bool) -> SizeCurveContent:
    """Take from at most four curves what the figure shows.

    Parameters
    ----------
    found : sequence of SizeCurve
        With the same level, power and number of parts.
    names : sequence of str
        Name of each curve.
    in_percent : bool
        Whether differences are shown in percentage points.
    """
    factor = 100.0 if in_percent else 1.0
    first = found[0]
    series = tuple(
        SizeSeries(
            dataset=name,
            sizes=tuple(map(int, curve.sizes)),
            median=rounded(curve.median.tolist()),
            detectable=rounded((curve.detectable * factor).tolist()) if curve.detectable[0] > 0 else (),
        )
        for curve, name in zip(found[:MOST_CURVES], names, strict=False)
    )
    return SizeCurveContent(
        alpha=first.alpha,
        power=first.power,
        unit="percentage points" if in_percent else "",
        counted_in=" or ".join(dict.fromkeys(f"{curve.unit}s" for curve in found[:MOST_CURVES])),
        series=series,
    )


def _plot(content: SizeCurveContent, total: float) -> Plot:
    return Plot(min(0.3 * total, 135.0) + typography().below_axis, columns=2)


def draw_size_curve(content: SizeCurveContent, axes: Sequence[Axes]) -> None:
    """Draw medians of p-values in one panel, smallest detectable differences in another.

    Both on logarithmic axes; a smallest detectable difference is then a straight line.
    """
    sizes = [size for item in content.series for size in item.sizes]
    _draw_p_values(axes[0], content)
    _draw_detectable(axes[1], content)
    write_label(axes[0], "y", "median $p$-value", math=True)
    write_label(axes[1], "y", f"detectable ({content.unit})" if content.unit else "detectable difference")
    for panel in axes:
        panel.set_xscale("log")
        panel.set_xlim(0.9 * min(sizes), 1.1 * max(sizes))
        set_ticks(panel.xaxis, decade_ticks(*panel.get_xlim(), 5))
        write_label(panel, "x", content.counted_in)


def _draw_p_values(axes: Axes, content: SizeCurveContent) -> None:
    axis = p_axis([p for item in content.series for p in item.median], [content.alpha])
    axes.set_yscale("log")
    axes.axhline(content.alpha, color=shade(GREY), linewidth=0.6, linestyle=":", zorder=1, label="_alpha")
    for item, look in zip(content.series, LOOKS, strict=False):
        _line(axes, item.sizes, [axis.placed(value) for value in item.median], look)
    axes.set_ylim(axis.lowest, HIGHEST)
    if axis.floor:
        axes.axhspan(axis.lowest, axis.floor, facecolor=shade(FLOOR), edgecolor="none", zorder=0, label="_below_floor")
    set_ticks(axes.yaxis, axis.ticks(6), math=True)


def _draw_detectable(axes: Axes, content: SizeCurveContent) -> None:
    axes.set_yscale("log")
    for item, look in zip(content.series, LOOKS, strict=False):
        _line(axes, item.sizes[: len(item.detectable)], item.detectable, look)
    values = [value for item in content.series for value in item.detectable]
    low, high = (0.85 * min(values), 1.15 * max(values)) if values else (0.1, 1.0)
    axes.set_ylim(low, high)
    set_ticks(axes.yaxis, [(value, f"{value:g}") for value, _ in decade_ticks(low, high, 7)])


def _line(axes: Axes, x: Sequence[float], y: Sequence[float], look: Look) -> None:
    colour, line, marker = look
    axes.plot(x, y, color=colour_of(colour), linestyle=line, zorder=2, label="_curve")
    draw_markers(axes, x, y, marker, 3.2, colour, filled=False, label="_points")


def _signs(content: SizeCurveContent) -> list[Sign]:
    signs = named_signs([item.dataset for item in content.series], marker=True)
    return [*signs, Sign(meaning=f"level {level_text(content.alpha)}", line=":", colour=GREY)]


def size_curve_alt_text(content: SizeCurveContent) -> str:
    """Say in words what the figure shows."""
    said = []
    for item in content.series:
        p = [p_value_text(value, precise=True) for value in (item.median[0], item.median[-1])]
        text = f"on {clean(item.dataset)} from {p[0]} for {item.sizes[0]:,} to {p[1]} for {item.sizes[-1]:,}"
        if item.detectable:
            text += f", detectable {item.detectable[0]:.3g} and {item.detectable[-1]:.3g} {content.unit}".rstrip()
        said.append(text)
    return (
        f"Median p-values of random parts of the test sets by the number of {content.counted_in}, and the smallest "
        f"difference that each size detects at {level_text(content.alpha)} with power {percent_text(content.power)}: "
        f"{'; '.join(said)}."
    )


DRAWING = Drawing("size-curve", SizeCurveContent, _plot, draw_size_curve, size_curve_alt_text, _signs, wide=True)
