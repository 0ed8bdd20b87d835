"""How the Bayes factor of a hypothesis depends on the prior."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from reportkit.bayes.bayes_factor import Hypothesis, bayes_factors
from reportkit.bayes.models import T_MODELS, model_of
from reportkit.figures.drawing.axes import (
    LOOKS,
    MOST_CURVES,
    decade_ticks,
    draw_markers,
    named_signs,
    set_ticks,
    write,
    write_label,
)
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.key import Sign, colour_of
from reportkit.figures.drawing.style import GREY, shade
from reportkit.figures.drawing.typography import clean, typography
from reportkit.language.short_repr import short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reportkit.scores.sample import Sample


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


def _plot(content: PriorSensitivityContent, total: float) -> Plot:
    return Plot(max(0.42 * total, 70.0) + typography().below_axis)


def draw_prior_sensitivity(content: PriorSensitivityContent, axes: Sequence[Axes]) -> None:
    """Draw one curve per dataset, on logarithmic axes; the line at 1 is where the data speak for neither side."""
    (panel,) = axes
    panel.set_xscale("log")
    panel.set_yscale("log")
    for curve, (colour, line, marker) in zip(content.curves, LOOKS, strict=False):
        heights = [10.0 ** min(max(value, -_MOST_DECADES), _MOST_DECADES) for value in curve.log_factors]
        panel.plot(curve.priors, heights, color=colour_of(colour), linestyle=line, label="_curve")
        x, y = [curve.priors[index] for index in curve.shown], [heights[index] for index in curve.shown]
        draw_markers(panel, x, y, marker, 3.6, colour, filled=False, clipped=True, label="_shown")
    panel.axhline(1.0, color=shade(GREY), linewidth=0.6, zorder=1, label="_one")
    low, high = panel.get_ylim()
    low, high = min(low, 0.5), max(high, 2.0)
    panel.set_ylim(low, high)
    ticks = [value for value, _ in decade_ticks(low, high, 6)]
    set_ticks(panel.yaxis, [(value, _plain(value)) for value in ticks], math=True)
    set_ticks(panel.xaxis, [(value, f"{value:g}") for value, _ in decade_ticks(*panel.get_xlim(), 7)])
    write_label(panel, "x", content.parameter)
    write_label(panel, "y", "Bayes factor")
    at: Any = {"xycoords": "axes fraction", "color": shade(GREY)}
    write(panel, f"↑ for {content.hypothesis}", (0.0, 1.0), offset=(3.0, -1.0), va="top", **at)
    write(panel, "↓ against", (0.0, 0.0), offset=(3.0, 3.0), **at)


def _signs(content: PriorSensitivityContent) -> list[Sign]:
    return named_signs([curve.dataset for curve in content.curves], marker=True)


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
    "prior-sensitivity", PriorSensitivityContent, _plot, draw_prior_sensitivity, prior_sensitivity_alt_text, _signs
)
