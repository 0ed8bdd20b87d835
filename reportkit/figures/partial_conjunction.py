"""Partial-conjunction p-values against u: how the evidence fades as more datasets are claimed, and where it ends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reportkit.errors import SettingsError
from reportkit.figures.drawing.entry import Drawing
from reportkit.figures.drawing.fonts import clean
from reportkit.figures.drawing.key import LineStyle, Sign, draw_key, key_lines
from reportkit.figures.drawing.lettering import text_width
from reportkit.figures.drawing.marks import FLOOR, draw_markers, set_ticks
from reportkit.figures.drawing.new_figure import new_figure
from reportkit.figures.drawing.p_axis import power_words
from reportkit.figures.drawing.style import BLUE, GREY, INK, axes_at, write
from reportkit.figures.drawing.typography import typography
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.numerals import level_text, p_value_text
from reportkit.language.short_repr import short_repr
from reportkit.replicability.multiple_testing.combination import COMBINATIONS
from reportkit.replicability.multiple_testing.joint_closed_test import METHOD
from reportkit.replicability.multiple_testing.p_values import rejection_level

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from reportkit.replicability.comparison import Comparison

TITLES = {METHOD: "Closed test"}
_DECADES_BELOW_ALPHA = 4
_LANE = 0.8  # decades of paper for the values of one method that are below the floor
_ABOVE = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """How the curve of a method is told from others, in grey too."""

    marker: str
    line: LineStyle
    colour: str


_LOOKS = {
    "bonferroni": _Look(marker="o", line="-", colour=INK),
    "fisher": _Look(marker="D", line="--", colour=BLUE),
    "fisher-bonferroni": _Look(marker="s", line="-.", colour=GREY),
}
_OTHER_LOOKS = (
    _Look(marker="s", line="-.", colour=GREY),
    _Look(marker="^", line=":", colour=INK),
    _Look(marker="v", line="-.", colour=BLUE),
)


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


def partial_conjunction_content(comparison: Comparison, *, alpha: float | Sequence[float]) -> PartialConjunctionContent:
    """Take from a comparison what the figure shows.

    Parameters
    ----------
    comparison : Comparison
        A against B on N datasets.
    alpha : float or sequence of float
        Levels.

    Raises
    ------
    SettingsError
        If no level is given.
    """
    levels = _levels(alpha)
    return PartialConjunctionContent(
        system_a=comparison.system_a,
        system_b=comparison.system_b,
        n_datasets=comparison.n_datasets,
        alpha=tuple(levels),
        curves=tuple(
            PartialConjunctionCurve(
                method=method,
                p_values=tuple(map(float, p_values)),
                k_hat=tuple(_k_hat(comparison, method, level) for level in levels),
            )
            for method, p_values in comparison.partial_conjunction.items()
        ),
    )


def draw_partial_conjunction(content: PartialConjunctionContent, total: float) -> Figure:
    """Draw the p-values of "A is better on at least u of N datasets" for u = 1..N.

    One curve per method that the comparison holds; a marker is filled where its p-value is at most the largest level.
    Horizontal lines are the levels; where a curve last stays at or below the largest, a vertical line drops to k-hat,
    which is named there, and is at 0 if even u = 1 is above. p-values more than four decades below the smallest level
    are not told apart: they lie in a grey band at the bottom that says so.

    Parameters
    ----------
    content : PartialConjunctionContent
        A against B on N datasets.
    total : float
        Width in points.

    Returns
    -------
    matplotlib.figure.Figure
        Outside pyplot.
    """
    curves, n = _curves(content), content.n_datasets
    span = _Span.of(curves, content.alpha)
    small, line = typography().small, typography().line
    key = key_lines([_sign(curve) for curve in curves], total - 2)
    plot_height = min(max(0.47 * total, 90.0), 150.0)
    below = typography().below_axis
    left = line + 4 + max(text_width(text, small, math=True) for _, text in span.ticks) + 5
    right = 5 + max(text_width(_level_words(level), small, math=True) for level in content.alpha)
    width = total - left - right
    height = below + plot_height + _ABOVE + line * len(key)
    figure = new_figure(total, height)
    axes = axes_at(figure, left, below, width, plot_height)
    _draw_frame(axes, n, span, width)
    _draw_levels(figure, axes, content.alpha, plot_height, total - right)
    for curve in curves:
        _draw_curve(axes, curve, span, content.alpha[0], min(4.0, max(1.6, 0.75 * width / n)))
    _write_k_hat(figure, axes, curves, content.alpha[0], (left, below, width))
    write(figure, left + width / 2, 2.5, _u_words(n), ha="center", math=True)
    write(figure, typography().text, below + plot_height / 2, _P_WORDS, ha="center", rotation=90, math=True)
    draw_key(figure, key, 1.0, height)
    return figure


def partial_conjunction_alt_text(content: PartialConjunctionContent) -> str:
    """Say in words what the figure shows, in a few sentences of plain text."""
    a, b, n = clean(content.system_a), clean(content.system_b), content.n_datasets
    claim = f"the claim that {a} is better than {b} on"
    what, where = "Partial-conjunction p-values, on a logarithmic axis, of", f"at least u of {n} datasets"
    sentences = [f"{what} {claim} {where}." if n > 1 else f"The p-value of {claim} the one dataset."]
    for curve in _curves(content):
        first, last = (p_value_text(float(p), precise=True) for p in (curve.p_values[0], curve.p_values[-1]))
        course = f"p rises from {first} at u = 1 to {last} at u = {n}" if n > 1 else f"p is {first}"
        bounds = listed(f"k-hat is {k_hat} at level {level_text(level)}" for level, k_hat in curve.k_hat.items())
        sentences.append(f"{curve.title}: {course}; {bounds}.")
    return " ".join(sentences)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Curve:
    title: str
    p_values: NDArray[np.float64]
    k_hat: dict[float, int]
    look: _Look


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    """The vertical axis: where the readable p-values end, and where those below are put.

    Parameters
    ----------
    floor : float
        Smallest p-value that is drawn at its place.
    lowest : float
        Lower end of the axis.
    lanes : dict of str to float
        Where the p-values below the floor are drawn, by method.
    ticks : list of (float, str)
        Places and labels.
    """

    floor: float
    lowest: float
    lanes: dict[str, float]
    ticks: list[tuple[float, str]]

    @classmethod
    def of(cls, curves: Sequence[_Curve], levels: Sequence[float]) -> _Span:
        exponent = math.floor(math.log10(min(levels))) - _DECADES_BELOW_ALPHA
        smallest = min(float(curve.p_values.min()) for curve in curves)
        clipped = [curve.title for curve in curves if curve.p_values.min() < 10.0**exponent]
        if not clipped:
            exponent = math.floor(math.log10(min(smallest, min(levels))) - 0.15)
        lanes = {title: 10.0 ** (exponent - _LANE * (number + 0.75)) for number, title in enumerate(clipped)}
        lowest = 10.0 ** (exponent - _LANE * (len(clipped) + 0.5)) if clipped else 10.0**exponent
        step = 2 if exponent < -6 else 1
        ticks = [(10.0**power, power_words(power)) for power in range(0, exponent - 1, -step)]
        if clipped:
            middle = 10.0 ** (exponent - _LANE * (len(clipped) + 0.5) / 2)
            ticks = [tick for tick in ticks if tick[0] > 10.0**exponent * 5] + [(middle, rf"$<10^{{{exponent}}}$")]
        return cls(floor=10.0**exponent if clipped else 0.0, lowest=lowest, lanes=lanes, ticks=ticks)

    def placed(self, curve: _Curve) -> NDArray[np.float64]:
        """Heights at which the p-values of a curve are drawn."""
        return np.where(curve.p_values < self.floor, self.lanes.get(curve.title, 1.0), curve.p_values)


_P_WORDS = "partial-conjunction $p$-value"


def _u_words(n: int) -> str:
    return rf"$u$ (better on at least $u$ of {counted(n, 'dataset')})"


def _level_words(level: float) -> str:
    return rf"$\alpha$ = {level_text(level)}"


def _levels(alpha: float | Sequence[float]) -> list[float]:
    given: Iterable[float] = alpha if isinstance(alpha, Sequence) else (alpha,)
    levels = sorted({float(level) for level in given}, reverse=True)
    if not levels:
        raise SettingsError("alpha is empty", remedy="give at least one level, such as 0.05")
    return levels


def _curves(content: PartialConjunctionContent) -> list[_Curve]:
    others = iter(_OTHER_LOOKS * (1 + len(content.curves)))
    return [
        _Curve(
            title=TITLES.get(curve.method) or COMBINATIONS[curve.method].title,
            p_values=np.array(curve.p_values),
            k_hat=dict(zip(content.alpha, curve.k_hat, strict=True)),
            look=_LOOKS.get(curve.method) or next(others),
        )
        for curve in content.curves
    ]


def _k_hat(comparison: Comparison, method: str, level: float) -> int:
    """As the comparison states it; counted where it does not."""
    stated = getattr(comparison.k_hat.get(level), "joint" if method == METHOD else method, None)
    if stated is not None:
        return int(stated)
    return int((comparison.partial_conjunction[method] <= rejection_level(level)).sum())


def _sign(curve: _Curve) -> Sign:
    return Sign(meaning=curve.title, marker=curve.look.marker, line=curve.look.line, colour=curve.look.colour)


def _write_k_hat(figure: Figure, axes: Axes, curves: Sequence[_Curve], level: float, place: tuple[float, ...]) -> None:
    """Name k-hat where the curves drop to the axis, each value once."""
    left, bottom, width = place
    low, high = axes.get_xlim()
    small = typography().small
    for number, k_hat in enumerate(sorted({curve.k_hat[level] for curve in curves})):
        words = rf"$\hat{{k}}$ = {k_hat}"
        x = left + width * (k_hat - low) / (high - low) + 3
        if x + text_width(words, small, math=True) > left + width:
            x -= 6 + text_width(words, small, math=True)
        write(figure, x, bottom + 3 + 1.2 * small * number, words, size=small, math=True)


def _draw_frame(axes: Axes, n: int, span: _Span, width: float) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set_yscale("log")
    axes.set_ylim(span.lowest, 1.6)
    set_ticks(axes.yaxis, span.ticks)
    axes.set_xlim(-0.025 * n - 0.1, n + 0.025 * n + 0.1)
    bins = max(2, int(width // 16))
    wanted = MaxNLocator(bins, integer=True, steps=[1, 2, 5, 10]).tick_values(0, n)
    ticks = [int(tick) for tick in wanted if 0 <= tick <= n]
    step = ticks[1] - ticks[0]
    if n - ticks[-1] >= 0.6 * step:
        ticks.append(n)
    set_ticks(axes.xaxis, [(tick, str(tick)) for tick in ticks])
    if span.floor:
        axes.axhspan(span.lowest, span.floor, facecolor=FLOOR, edgecolor="none", zorder=0, label="_below_floor")


def _draw_levels(figure: Figure, axes: Axes, levels: Sequence[float], plot_height: float, x: float) -> None:
    low, high = (math.log10(end) for end in axes.get_ylim())
    baseline = math.inf
    for level in levels:
        axes.axhline(level, color=GREY, linewidth=0.6, zorder=1, label="_alpha")
        wanted = (
            typography().below_axis + plot_height * (math.log10(level) - low) / (high - low) - 0.3 * typography().small
        )
        baseline = min(wanted, baseline - typography().small)
        write(figure, x + 4, baseline, _level_words(level), size=typography().small, math=True)


def _draw_curve(axes: Axes, curve: _Curve, span: _Span, level: float, size: float) -> None:
    look, name = curve.look, curve.title.lower()
    u = np.arange(1, curve.p_values.size + 1)
    heights = span.placed(curve)
    axes.plot(u, heights, color=look.colour, linestyle=look.line, linewidth=0.8, zorder=2, label=f"_{name}")
    axes.vlines(
        curve.k_hat[level],
        span.lowest,
        level,
        color=look.colour,
        linestyle=look.line,
        linewidth=0.5,
        zorder=1.5,
        label=f"_{name} k_hat",
    )
    small = curve.p_values <= rejection_level(level)
    for chosen, filled in ((small, True), (~small, False)):
        draw_markers(
            axes,
            u[chosen],
            heights[chosen],
            look.marker,
            size if look.marker != "D" else 0.85 * size,
            look.colour,
            filled=filled,
            label=f"_{name} {'filled' if filled else 'hollow'}",
        )


PARTIAL_CONJUNCTION = Drawing(
    "partial-conjunction", PartialConjunctionContent, draw_partial_conjunction, partial_conjunction_alt_text
)
