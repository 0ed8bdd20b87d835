"""P-values where the null hypothesis is true: their distribution function against the diagonal, and a QQ plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from reportkit.calibration.verdict import dkw_band, largest_excess
from reportkit.figures.drawing.axes import (
    LOOKS,
    MOST_CURVES,
    named_signs,
    power_words,
    rounded,
    set_ticks,
    share_ticks,
    write_label,
)
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.key import Sign, colour_of
from reportkit.figures.drawing.style import BAND, GREY, LIGHT, shade
from reportkit.figures.drawing.typography import clean, typography
from reportkit.language import capitalised, counted, level_text, percent_text, short_repr, some

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reportkit.calibration.p_values import Calibration

_STEPS = 100
_QUANTILES = 60
_BAD = ("too liberal", "undecided")


@dataclass(frozen=True, slots=True, kw_only=True)
class NullCurve:
    """P-values of one test on one dataset.

    Parameters
    ----------
    name : str
        Dataset, with the systems where there are several pairs.
    status : str
        Verdict: "calibrated", "conservative", "too liberal", "undecided".
    shares : tuple of float
        Share of p-values at most 0, .01, ..., 1.
    quantiles : tuple of float
        Quantiles of the p-values at `levels` of the content.
    """

    name: str
    status: str
    shares: tuple[float, ...]
    quantiles: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NullPValueContent:
    """Everything that the figure shows.

    Parameters
    ----------
    null : str
        How the null hypothesis was made true, in words.
    alpha, level : float
        Level of the tests, and of the bands.
    n : int
        Independent replicates, for the bands.
    levels : tuple of float
        Expected quantiles, ascending.
    curves : tuple of NullCurve
        Those that break their promise first.
    """

    null: str
    alpha: float
    level: float
    n: int
    levels: tuple[float, ...]
    curves: tuple[NullCurve, ...]

    __repr__ = short_repr


def null_p_value_content(found: Sequence[Calibration], names: Sequence[str], how: str) -> NullPValueContent:
    """Take from simulated p-values what the figure shows, in the direction with more small p-values.

    Parameters
    ----------
    found : sequence of Calibration
        All with the null hypothesis made true in the same way.
    names : sequence of str
        Name of each curve.
    how : str
        How the null hypothesis was made true, in words.
    """
    first = found[0]
    levels = np.geomspace(1 / max(item.n_replicates for item in found), 1.0, _QUANTILES)
    curves = []
    for item, name in zip(found, names, strict=True):
        p_values = _shown(item)
        shares = np.searchsorted(np.sort(p_values), np.arange(_STEPS + 1) / _STEPS * (1 + 1e-12), "right")
        curves.append(
            NullCurve(
                name=name,
                status=item.verdict.status,
                shares=rounded((shares / p_values.size).tolist()),
                quantiles=rounded(np.quantile(p_values, levels, method="inverted_cdf").tolist()),
            )
        )
    return NullPValueContent(
        null=how,
        alpha=first.alpha,
        level=first.level,
        n=min(item.n_replicates for item in found),
        levels=rounded(levels.tolist()),
        curves=tuple(sorted(curves, key=lambda curve: (curve.status not in _BAD, _BAD[0] != curve.status))),
    )


def _shown(item: Calibration) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    if item.symmetric:
        return item.p_values("both")
    return max((item.p_greater, item.p_less), key=largest_excess)


def _plot(content: NullPValueContent, total: float) -> Plot:
    return Plot(min(0.36 * total, 150.0) + typography().below_axis, columns=2)


def draw_null_p_values(content: NullPValueContent, axes: Sequence[Axes]) -> None:
    """Draw the distribution functions in one panel, quantiles against expected ones in another, on logarithmic axes.

    The grey band around the diagonal is that of Dvoretzky, Kiefer, Wolfowitz and Massart, for the whole curve; in the
    panel of quantiles it is pointwise, from the beta distribution of order statistics. What lies above the first band,
    and below the second, rejects too often.
    """
    left, right = axes
    _draw_shares(left, content)
    _draw_quantiles(right, content)
    for panel, x, y in ((left, "", "share at most as large"), (right, "expected ", "observed $p$-value")):
        write_label(panel, "x", f"{x}$p$-value", math=True)
        write_label(panel, "y", y, math=True)


def _draw_shares(axes: Axes, content: NullPValueContent) -> None:
    grid = np.arange(_STEPS + 1) / _STEPS
    half = dkw_band(content.n, content.level)
    low, high = np.clip(grid - half, 0, 1), np.clip(grid + half, 0, 1)
    axes.fill_between(grid, low, high, color=shade(BAND), linewidth=0, label="_band")
    axes.plot([0, 1], [0, 1], color=shade(GREY), linewidth=0.5, label="_diagonal")
    for look, curve in _ordered(content):
        axes.plot(grid, curve.shares, label="_shares", **look)
    axes.set_xlim(-0.01, 1.01)
    axes.set_ylim(-0.01, 1.01)
    share_ticks(axes.xaxis, 5)
    share_ticks(axes.yaxis, 5)


def _draw_quantiles(axes: Axes, content: NullPValueContent) -> None:
    from scipy.stats import beta

    levels = np.array(content.levels)
    lowest = float(levels[0])
    rank = np.clip(levels * content.n, 1, content.n)
    tail = (1 - content.level) / 2
    low, high = (beta.ppf(end, rank, content.n - rank + 1) for end in (tail, 1 - tail))
    floor = max(10.0 ** np.floor(np.log10(lowest) - 0.7), 1e-12)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.fill_between(levels, np.maximum(low, floor), high, color=shade(BAND), linewidth=0, label="_band")
    axes.plot([lowest, 1], [lowest, 1], color=shade(GREY), linewidth=0.5, label="_diagonal")
    for look, curve in _ordered(content):
        axes.plot(levels, np.maximum(curve.quantiles, floor), label="_quantiles", **look)
    axes.set_xlim(lowest * 0.8, 1.25)
    axes.set_ylim(floor, 1.4)
    for axis, end in ((axes.xaxis, lowest), (axes.yaxis, floor)):
        powers = range(int(np.ceil(np.log10(end) - 1e-9)), 1)
        step = max(1, -(-len(powers) // 6))
        set_ticks(axis, [(10.0**power, power_words(power)) for power in powers if power % step == 0], math=True)


def _ordered(content: NullPValueContent) -> list[tuple[dict[str, Any], NullCurve]]:
    """Return curves with their looks, the named ones last and so on top."""
    named, plain = _named(content), {"color": shade(GREY), "linestyle": "-", "linewidth": 0.4}
    looks = [{"color": colour_of(colour), "linestyle": line, "linewidth": 0.9} for colour, line, _ in LOOKS]
    others: list[tuple[dict[str, Any], NullCurve]] = [(plain, one) for one in content.curves if one not in named]
    return [*others, *zip(looks, named, strict=False)]


def _named(content: NullPValueContent) -> tuple[NullCurve, ...]:
    """Return all curves if they are few; else those that break their promise."""
    if len(content.curves) <= MOST_CURVES:
        return content.curves
    return tuple(curve for curve in content.curves if curve.status in _BAD)[:MOST_CURVES]


def _signs(content: NullPValueContent) -> list[Sign]:
    named = _named(content)
    signs = named_signs([f"{curve.name}: {curve.status}" for curve in named])
    if len(named) < len(content.curves):
        rest = len(content.curves) - len(named)
        signs.append(Sign(meaning=f"{rest} others" if named else f"{rest} datasets", line="-", colour=GREY))
    return [*signs, Sign(meaning=f"chance, {percent_text(content.level)}", marker="s", colour=LIGHT, face=BAND)]


def null_p_value_alt_text(content: NullPValueContent) -> str:
    """Say in words what the figure shows."""
    by_status: dict[str, list[str]] = {}
    for curve in content.curves:
        by_status.setdefault(curve.status, []).append(clean(curve.name))
    said = "; ".join(f"{status}: {some(names)}" for status, names in by_status.items())
    shares = [curve.shares[round(content.alpha * _STEPS)] for curve in content.curves]
    return (
        f"Distribution of p-values where the null hypothesis is true ({content.null}), "
        f"{counted(len(content.curves), 'curve')}, against the diagonal. {capitalised(said)}. At "
        f"{level_text(content.alpha)} the share is from {min(shares):.3f} to {max(shares):.3f}."
    )


DRAWING = Drawing(
    "null-p-values", NullPValueContent, _plot, draw_null_p_values, null_p_value_alt_text, _signs, wide=True
)
