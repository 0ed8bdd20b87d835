"""How the Bayes factor of a hypothesis depends on the prior."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reportkit.bayes.bayes_factor import Hypothesis, bayes_factors
from reportkit.bayes.models import T_MODELS, model_of
from reportkit.figures.drawing.entry import Drawing
from reportkit.figures.drawing.fonts import clean
from reportkit.figures.drawing.key import draw_key, key_lines
from reportkit.figures.drawing.lettering import text_width
from reportkit.figures.drawing.marks import draw_markers, set_ticks
from reportkit.figures.drawing.new_figure import new_figure
from reportkit.figures.drawing.panels import LOOKS, MOST_CURVES, named_signs
from reportkit.figures.drawing.style import GREY, axes_at, write
from reportkit.figures.drawing.typography import typography
from reportkit.language.short_repr import short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from reportkit.scores.shapes.sample import Sample


MOST_DATASETS = MOST_CURVES
_SPAN = 8.0
"""Priors from an eighth to eight times the one that was asked for."""
_STEPS = 25
_DECIMALS = 6  # of a stored logarithm
_MOST_DECADES = 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitivityCurve:
    """One dataset.

    Parameters
    ----------
    dataset : str
        Its name.
    priors, log_factors : tuple of float
        Parameter of the prior, and the decimal logarithm of the Bayes factor under it.
    shown : tuple of int
        Positions of the priors that the report names.
    """

    dataset: str
    priors: tuple[float, ...]
    log_factors: tuple[float, ...]
    shown: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorSensitivityContent:
    """Everything that the figure shows.

    Parameters
    ----------
    system_a, system_b : str
        Names.
    hypothesis : str
        In symbols: "|A − B| ≤ 0.01".
    parameter : str
        What is varied: "a of the prior Beta(a, a)".
    curves : tuple of SensitivityCurve
        One per dataset.
    """

    system_a: str
    system_b: str
    hypothesis: str
    parameter: str
    curves: tuple[SensitivityCurve, ...]

    __repr__ = short_repr


def prior_sensitivity_content(
    samples: Sequence[Sample], hypothesis: Hypothesis, prior: float = 1.0
) -> PriorSensitivityContent:
    """Compute the Bayes factor under priors from an eighth to eight times one that was asked for.

    Parameters
    ----------
    samples : sequence of Sample
        A and B on one to four datasets.
    hypothesis : Hypothesis
        Against its negation.
    prior : float
        See `reportkit.bayes.bayes_factors`.

    Raises
    ------
    DesignError
        If no Bayes factor exists for a sample.
    """
    first = samples[0]
    name = model_of(first, prior).name
    priors = [float(value) for value in prior * np.geomspace(1 / _SPAN, _SPAN, _STEPS)]
    middle = _STEPS // 2
    shown = tuple(middle + step for step in (-_STEPS // 6 + 1, 0, _STEPS // 6))
    curves = []
    for sample in samples[:MOST_DATASETS]:
        found = bayes_factors(sample, hypothesis, prior=priors[0], others=priors[1:])
        logs = tuple(round(factor.log_value / math.log(10), _DECIMALS) for factor in found.factors)
        curves.append(SensitivityCurve(dataset=sample.dataset, priors=tuple(priors), log_factors=logs, shown=shown))
    parameter = {
        "beta-binomial": "a of the prior Beta(a, a)",
        "dirichlet": "a of the prior Dirichlet(a, a, 2a)",
    }.get(name, "scale of the Cauchy prior")
    assert name in (*T_MODELS, "beta-binomial", "dirichlet")  # noqa: S101 (of all that have Bayes factors)
    text = hypothesis.text.replace("<=", "≤").replace(" - ", " − ")
    return PriorSensitivityContent(
        system_a=first.system_a, system_b=first.system_b, hypothesis=text, parameter=parameter, curves=tuple(curves)
    )


def draw_prior_sensitivity(content: PriorSensitivityContent, total: float) -> Figure:
    """Draw one curve per dataset, on logarithmic axes; the line at 1 is where the data speak for neither side.

    Parameters
    ----------
    content : PriorSensitivityContent
        One to four datasets.
    total : float
        Width in points.
    """
    small, line = typography().small, typography().line
    key = key_lines(named_signs([curve.dataset for curve in content.curves], total, marker=True), total - 2)
    plot = max(0.42 * total, 70.0)
    below, left = typography().below_axis, line + 4 + 3.6 * small
    height = below + plot + 5 + line * len(key)
    figure = new_figure(total, height)
    axes = axes_at(figure, left, below, total - left - 4, plot)
    for curve, (colour, style, marker) in zip(content.curves, LOOKS, strict=False):
        logs = [min(max(value, -_MOST_DECADES), _MOST_DECADES) for value in curve.log_factors]
        axes.plot(curve.priors, [10.0**value for value in logs], color=colour, linestyle=style, label="_curve")
        places = [curve.priors[index] for index in curve.shown]
        values = [10.0 ** logs[index] for index in curve.shown]
        draw_markers(axes, places, values, marker, 3.6, colour, filled=False, clipped=True, label="_shown")
    _frame(axes)
    write(figure, left + (total - left - 4) / 2, 2.5, content.parameter, ha="center")
    write(figure, typography().text, below + plot / 2, _factor_words(content, plot), ha="center", rotation=90)
    write(figure, left + 3, below + plot - 1.1 * small, f"↑ for {content.hypothesis}", size=small, colour=GREY)
    write(figure, left + 3, below + 3, "↓ against", size=small, colour=GREY)
    draw_key(figure, key, 1.0, height)
    return figure


def _factor_words(content: PriorSensitivityContent, room: float) -> str:
    """Of what it is the factor, where there is room."""
    words = f"Bayes factor of {content.hypothesis}"
    return words if text_width(words, typography().text) <= room else "Bayes factor"


def _frame(axes: Axes) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.axhline(1.0, color=GREY, linewidth=0.6, zorder=1, label="_one")
    low, high = axes.get_ylim()
    low, high = min(low, 0.5), max(high, 2.0)
    axes.set_ylim(low, high)
    decades = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
    step = max(1, math.ceil(len(decades) / 6))
    ticks = [10.0**power for power in decades if power % step == 0]
    if len(ticks) < 4:
        ticks = _nice(low, high)
    set_ticks(axes.yaxis, [(tick, _plain(tick)) for tick in ticks])
    left, right = axes.get_xlim()
    set_ticks(axes.xaxis, [(mark, f"{mark:g}") for mark in _nice(left, right)])


def _nice(left: float, right: float) -> list[float]:
    first, last = math.floor(math.log10(left)), math.ceil(math.log10(right))
    candidates = [mantissa * 10.0**power for power in range(first, last + 1) for mantissa in (1, 2, 5)]
    return [value for value in candidates if left <= value <= right]


def _plain(value: float) -> str:
    power = round(math.log10(value))
    return f"{value:g}" if 0.01 <= value <= 1000 else rf"$10^{{{power}}}$"


def prior_sensitivity_alt_text(content: PriorSensitivityContent) -> str:
    """Say in words what the figure shows, in a few sentences of plain text."""
    a, b = clean(content.system_a), clean(content.system_b)
    ranges = []
    for curve in content.curves:
        low, high = min(curve.log_factors), max(curve.log_factors)
        crosses = ", on both sides of 1" if low < 0 < high else ""
        ranges.append(f"on {clean(curve.dataset)} from {10.0**low:.3g} to {10.0**high:.3g}{crosses}")
    least, most = content.curves[0].priors[0], content.curves[0].priors[-1]
    return (
        f"Bayes factor of {content.hypothesis} against its negation (A is {a}, B is {b}), for {content.parameter} from "
        f"{least:g} to {most:g}: {'; '.join(ranges)}."
    )


PRIOR_SENSITIVITY = Drawing(
    "prior-sensitivity", PriorSensitivityContent, draw_prior_sensitivity, prior_sensitivity_alt_text
)
