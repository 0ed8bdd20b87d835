"""Prior and posterior of two systems and of their difference, with the credible interval and the declared region."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from reportkit.bayes.rope import probability_text
from reportkit.figures.drawing.axes import number_ticks, rounded, without_y_axis, write, write_label
from reportkit.figures.drawing.entry import Drawing, Plot
from reportkit.figures.drawing.key import Sign, colour_of
from reportkit.figures.drawing.names import all_shortened
from reportkit.figures.drawing.style import BAND, BLUE, FAINT, GREY, INK, shade
from reportkit.figures.drawing.typography import clean, typography
from reportkit.language.numerals import fixed, percent_text, signed
from reportkit.language.short_repr import short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from reportkit.bayes.distribution import Distribution
    from reportkit.bayes.posterior import Posterior


_POINTS = 121
_REACH = 4.5  # standard deviations on either side of the mean
_PLOT_SHARE, _BETWEEN = 0.30, 8.0
_BAR = 0.09  # height of the bar of the interval, as a share of the panel


@dataclass(frozen=True, slots=True, kw_only=True)
class Density:
    """One curve, at equally distant values.

    Parameters
    ----------
    low, high : float
        First and last value, in the unit of the axis.
    heights : tuple of float
        Densities.
    """

    low: float
    high: float
    heights: tuple[float, ...]

    @property
    def values(self) -> list[float]:
        """Where the densities stand."""
        return [float(value) for value in np.linspace(self.low, self.high, len(self.heights))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """The declared region of practical equivalence, and where the posterior lies with respect to it.

    Parameters
    ----------
    half_width : float
        In the unit of the axis.
    better, equivalent, worse : float
        The three probabilities.
    outcome : str
        By the interval: "practically better", "undecided", ...
    """

    half_width: float
    better: float
    equivalent: float
    worse: float
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PosteriorContent:
    """Everything that the figure shows.

    Parameters
    ----------
    system_a, system_b, dataset : str
        Names.
    quantity, unit : str
        What the difference is a difference of, and its unit; the unit may be empty.
    posterior, prior : Density or None
        Of the difference; no prior where it is improper.
    posterior_a, posterior_b, prior_of_each : Density or None
        Of each system, where the model has them.
    low, high, level : float
        Ends of the credible interval in the unit of the axis, and its probability.
    p_better : float
        P(difference > 0).
    region : Region or None
        None if none was declared.
    """

    system_a: str
    system_b: str
    dataset: str
    quantity: str
    unit: str
    posterior: Density
    prior: Density | None
    posterior_a: Density | None
    posterior_b: Density | None
    prior_of_each: Density | None
    low: float
    high: float
    level: float
    p_better: float
    region: Region | None

    __repr__ = short_repr


def posterior_content(found: Posterior, prior: Distribution | None, *, in_percent: bool) -> PosteriorContent:
    """Take from a posterior what the figure shows.

    Parameters
    ----------
    found : Posterior
        Of one dataset.
    prior : Distribution or None
        Of the difference, under the same model; None if it is improper.
    in_percent : bool
        Whether proportions are shown in percentage points.
    """
    factor = 100.0 if in_percent else 1.0
    distribution = found.distribution
    centre, reach = distribution.mean, _REACH * distribution.sd
    if not math.isfinite(reach):
        ends = (distribution.quantile(1e-4), distribution.quantile(1 - 1e-4))
    else:
        ends = (centre - reach, centre + reach)
    low, high = min(ends[0], 0.0), max(ends[1], 0.0)
    if found.rope is not None:
        low, high = min(low, -1.2 * found.rope.half_width), max(high, 1.2 * found.rope.half_width)
    grid = np.linspace(low, high, _POINTS)
    each = _of_each(found, factor)
    return PosteriorContent(
        system_a=found.system_a,
        system_b=found.system_b,
        dataset=found.dataset,
        quantity=found.estimand,
        unit="percentage points" if in_percent else "",
        posterior=_curve(distribution, grid, factor),
        prior=None if prior is None else _curve(prior, grid, factor),
        posterior_a=each[0],
        posterior_b=each[1],
        prior_of_each=each[2],
        low=found.interval.low * factor,
        high=found.interval.high * factor,
        level=found.interval.level,
        p_better=found.p_better,
        region=None
        if found.rope is None
        else Region(
            half_width=found.rope.half_width * factor,
            better=found.rope.better,
            equivalent=found.rope.equivalent,
            worse=found.rope.worse,
            outcome=found.rope.decision,
        ),
    )


def _curve(distribution: Distribution, grid: np.ndarray, factor: float) -> Density:
    values = [distribution.density(float(x)) / factor for x in grid]
    finite = [value for value in values if math.isfinite(value)]
    most = max(finite, default=0.0)
    heights = rounded([value if math.isfinite(value) else most for value in values])
    return Density(low=float(grid[0]) * factor, high=float(grid[-1]) * factor, heights=heights)


def _of_each(found: Posterior, factor: float) -> tuple[Density | None, Density | None, Density | None]:
    """Posteriors of the two proportions, and their prior, of the beta-binomial model."""
    if not found.shares:
        return None, None, None
    betas, prior = found.shares[:2], found.shares[2]
    low = max(0.0, min(beta.mean() - _REACH * beta.std() for beta in betas))
    high = min(1.0, max(beta.mean() + _REACH * beta.std() for beta in betas))
    grid = np.linspace(low, high, _POINTS)
    curves = [
        Density(
            low=low * factor,
            high=high * factor,
            heights=rounded([min(float(y) / factor, 1e6) for y in beta.pdf(grid)]),
        )
        for beta in (*betas, prior)
    ]
    return curves[0], curves[1], curves[2]


def _with_each(content: PosteriorContent) -> bool:
    return content.posterior_a is not None and content.posterior_b is not None


def _plot(content: PosteriorContent, total: float) -> Plot:
    rows = 2 if _with_each(content) else 1
    return Plot(rows * (max(_PLOT_SHARE * total, 60.0) + typography().below_axis + 6.0), rows=rows)


def draw_posterior(content: PosteriorContent, axes: Sequence[Axes]) -> None:
    """Draw the posteriors of both systems, where they are known, above the posterior of the difference.

    Priors are dotted. The bar below the posterior is the credible interval, the grey band the region of practical
    equivalence.
    """
    if _with_each(content):
        _draw_systems(axes[0], content)
        write_label(axes[0], "x", "accuracy (%)" if content.unit else "accuracy")
    _draw_difference(axes[-1], content)
    write_label(axes[-1], "x", f"{content.quantity}, {content.unit}" if content.unit else content.quantity)
    for panel in axes:
        without_y_axis(panel)
        number_ticks(panel.xaxis, 6)


def _draw_systems(axes: Axes, content: PosteriorContent) -> None:
    most = 0.0
    curves = ((content.posterior_a, INK, "-"), (content.posterior_b, BLUE, "--"), (content.prior_of_each, GREY, ":"))
    for density, colour, line in curves:
        if density is None:
            continue
        look: Any = {"color": colour_of(colour), "linestyle": line}
        axes.plot(density.values, density.heights, linewidth=0.9, label="_density", **look)
        if density is not content.prior_of_each:
            most = max(most, *density.heights)
            axes.set_xlim(density.low, density.high)
    axes.set_ylim(0.0, 1.08 * most)


def _draw_difference(axes: Axes, content: PosteriorContent) -> None:
    x, y, prior = content.posterior.values, content.posterior.heights, content.prior
    most = max(y)
    floor = -3.2 * _BAR * most
    axes.set_xlim(x[0], x[-1])
    axes.set_ylim(floor, 1.06 * most)
    if content.region is not None:
        r = content.region.half_width
        axes.axvspan(-r, r, facecolor=shade(BAND), edgecolor="none", zorder=0, label="_region")
    axes.axvline(0.0, color=shade(GREY), linewidth=0.5, zorder=1, label="_zero")
    axes.fill_between(x, 0.0, y, color=shade(FAINT), zorder=1.5, linewidth=0, alpha=0.6, label="_mass")
    axes.plot(x, y, color=shade(INK), linewidth=0.9, zorder=3, label="_posterior")
    if prior is not None:
        look: Any = {"color": shade(GREY), "linestyle": ":", "linewidth": 0.9}
        axes.plot(prior.values, prior.heights, zorder=2, label="_prior", **look)
    axes.plot([x[0], x[-1]], [0.0, 0.0], color=shade(INK), linewidth=0.3, zorder=2, label="_base")
    middle, decimals = 0.62 * floor, _decimals(content)
    bar: Any = {"color": shade(INK), "linewidth": 2.2, "solid_capstyle": "butt"}
    axes.plot([content.low, content.high], [middle] * 2, zorder=3, label="_interval", **bar)
    for value, side in ((content.low, -1), (content.high, 1)):
        options: Any = {"ha": "right" if side < 0 else "left", "va": "center_baseline"}
        write(axes, signed(value, decimals), (value, middle), offset=(3.0 * side, 0.0), **options)


def _decimals(content: PosteriorContent) -> int:
    """Return so many that the ends of the interval differ by at least ten units of the last digit."""
    size = content.high - content.low
    return max(0, min(6, 2 - math.floor(math.log10(size)))) if size > 0 else 1


def _signs(content: PosteriorContent) -> list[Sign]:
    signs = [
        Sign(meaning="posterior", line="-"),
        Sign(meaning=f"{percent_text(content.level)} highest-density interval", marker="s"),
    ]
    if _with_each(content):
        names = all_shortened([content.system_a, content.system_b], 90.0, typography().small)
        signs = [
            Sign(meaning=f"{names[0]}; difference", line="-"),
            Sign(meaning=names[1], line="--", colour=BLUE),
            *signs[1:],
        ]
    if content.prior is not None:
        signs.append(Sign(meaning="prior", line=":", colour=GREY))
    if content.region is not None:
        signs.append(Sign(meaning="practically equivalent", marker="s", colour=GREY, face=BAND))
    return signs


def posterior_alt_text(content: PosteriorContent) -> str:
    """Say in words what the figure shows, in a few sentences of plain text."""
    a, b = clean(content.system_a), clean(content.system_b)
    decimals = _decimals(content)
    unit = f" {content.unit}" if content.unit else ""
    text = (
        f"Posterior density of the difference between {a} and {b} on {clean(content.dataset)}: the "
        f"{percent_text(content.level)} highest-density interval is from {signed(content.low, decimals)} to "
        f"{signed(content.high, decimals)}{unit}; {a} is better with probability {probability_text(content.p_better)}."
    )
    if content.region is None:
        return text
    region = content.region
    return (
        f"{text} The probability of a difference of at most {fixed(region.half_width, decimals)}{unit} is "
        f"{probability_text(region.equivalent)}, of a larger one in favour of {a} {probability_text(region.better)}, "
        f"of {b} {probability_text(region.worse)}; by the interval: {region.outcome}."
    )


POSTERIOR = Drawing("posterior", PosteriorContent, _plot, draw_posterior, posterior_alt_text, _signs)
