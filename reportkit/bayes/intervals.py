"""Credible intervals: the interval of highest density, and the equal-tailed one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import ndtr, ndtri

from reportkit.bayes.distribution import Distribution, Draws, Floats, Mirrored

_DEPTH = 0.1
"""A valley counts if it is lower than the lower of its two peaks by this part of that peak."""

_LOWEST_PEAK = 0.1
"""A peak counts if it has this part of the height of the highest."""

_WIDEST_GAP = 0.5
"""Normal scores of neighbouring knots are at most so far apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CredibleInterval:
    """An interval that holds the difference with a given posterior probability.

    Parameters
    ----------
    low, high : float
        Ends, in the unit of the difference; above 0 means that A is better.
    level : float
        Posterior probability of the interval.
    kind : {"highest-density", "equal-tailed"}
        Which of the intervals with this probability: the shortest, or the one with equal tails.
    """

    low: float
    high: float
    level: float
    kind: Literal["highest-density", "equal-tailed"]

    def __post_init__(self) -> None:
        if not self.low <= self.high:  # also catches NaN
            raise ValueError(f"the ends {self.low!r} and {self.high!r} are no interval")
        if not 0 < self.level < 1:
            raise ValueError(f"the level {self.level!r} is not between 0 and 1")

    @property
    def words(self) -> str:
        """Probability and kind in words."""
        return f"{100 * self.level:g}% {self.kind} interval"


def equal_tailed_interval(distribution: Distribution, credible_mass: float = 0.95) -> CredibleInterval:
    """Return the interval with the same probability below and above it; the right one whatever the shape.

    Examples
    --------
    >>> from reportkit.bayes.laws import DirichletDifference
    >>> interval = equal_tailed_interval(DirichletDifference(31.0, 16.0, 457.0))
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0036, 0.0568)
    """
    tail = 0.5 * (1.0 - credible_mass)
    low, high = distribution.quantile(tail), distribution.quantile(1.0 - tail)
    return CredibleInterval(low=low, high=high, level=credible_mass, kind="equal-tailed")


def highest_density_interval(distribution: Distribution, credible_mass: float = 0.95) -> CredibleInterval | None:
    """Return the shortest interval that holds a given probability.

    Parameters
    ----------
    distribution : Distribution
        Of the difference.
    credible_mass : float
        Probability, in (0, 1).

    Returns
    -------
    CredibleInterval or None
        None if the density has more than one mode: the region of highest density is then no interval, and the
        shortest one would hide that. The equal-tailed interval stands in such a case.

    Notes
    -----
    The interval from the quantile at u to that at u + credible_mass is shortest where the density is the same at both
    ends, or, if it falls from one end of the support to the other, at that end. The quantiles are a spline of their
    normal scores; beyond its ends the search is for the width itself. Kruschke (2015), "Doing Bayesian data analysis",
    section 25.2.

    Examples
    --------
    >>> from reportkit.bayes.laws import Beta, Difference
    >>> interval = highest_density_interval(Difference(Beta(1722, 656), Beta(1638, 740)))
    >>> round(interval.low, 6), round(interval.high, 6)
    (0.009463, 0.06118)
    """
    from scipy.interpolate import CubicSpline
    from scipy.optimize import brentq

    if isinstance(distribution, Mirrored):
        found = highest_density_interval(distribution.of, credible_mass)
        if found is None:
            return None
        return CredibleInterval(low=0.0 - found.high, high=0.0 - found.low, level=credible_mass, kind=found.kind)
    if isinstance(distribution, Draws):
        return highest_density_of_draws(distribution.values, credible_mass)
    tail = min(0.001, 0.02 * (1.0 - credible_mass))
    low, first, middle, third, high = map(distribution.quantile, (tail, 0.25, 0.5, 0.75, 1.0 - tail))
    steps = np.linspace(math.asinh((low - middle) / (third - first)), math.asinh((high - middle) / (third - first)), 97)
    x = middle + (third - first) * np.sinh(steps)
    scores = ndtri([distribution.below(float(value)) for value in x])
    for _ in range(20):  # a density that does not vanish at an end of the support leaves wide gaps there
        wide = np.flatnonzero(np.diff(scores) > _WIDEST_GAP)
        if not wide.size:
            break
        middles = 0.5 * (x[wide] + x[wide + 1])
        x = np.insert(x, wide + 1, middles)
        scores = np.insert(scores, wide + 1, ndtri([distribution.below(float(value)) for value in middles]))
    scores, kept = np.unique(scores, return_index=True)
    quantile = CubicSpline(scores[np.isfinite(scores)], x[kept][np.isfinite(scores)])
    if _several_peaks(np.diff(_shares_of_cells(quantile))):
        return None
    ends = ndtr(quantile.x[0]), ndtr(quantile.x[-1]) - credible_mass

    def rise(u: float) -> float:
        """Log density at the left end minus that at the right."""
        left, right = (float(value) for value in ndtri([u, u + credible_mass]))
        slopes = np.maximum(quantile([left, right], 1), 1e-300)  # near an end of the support a spline may turn back
        return math.log(slopes[1] / slopes[0]) - 0.5 * (left * left - right * right)

    if rise(ends[0]) >= 0:
        low, high = _near_the_lower_end(distribution, tail, credible_mass)
    elif rise(ends[1]) <= 0:
        high, low = (0.0 - end for end in _near_the_lower_end(Mirrored(distribution), tail, credible_mass))
    else:
        u = float(brentq(rise, *ends, xtol=1e-13))
        low, high = (float(value) for value in quantile(ndtri([u, u + credible_mass])))
    return CredibleInterval(low=low, high=high, level=credible_mass, kind="highest-density")


def _near_the_lower_end(distribution: Distribution, tail: float, credible_mass: float) -> tuple[float, float]:
    """Return the shortest interval among those with at most a probability of `tail` below them."""
    from scipy.optimize import minimize_scalar

    def upper(low: float) -> float:
        return distribution.quantile(min(distribution.below(low) + credible_mass, 1.0))

    most = distribution.quantile(tail)
    least = max(distribution.support[0], distribution.quantile(1e-6 * tail))
    ends = [distribution.support[0]] if math.isfinite(distribution.support[0]) else []
    found = minimize_scalar(
        lambda low: upper(low) - low, bounds=(least, most), method="bounded", options={"xatol": 1e-6 * (most - least)}
    )
    return min(((low, upper(low)) for low in [*ends, float(found.x)]), key=lambda pair: pair[1] - pair[0])


def _shares_of_cells(quantile: Any) -> Floats:
    """Return the probabilities below equally distant values."""
    fine = np.linspace(quantile.x[0], quantile.x[-1], 2001)
    values = np.maximum.accumulate(quantile(fine))
    return np.asarray(ndtr(np.interp(np.linspace(values[0], values[-1], 97), values, fine)))


def _several_peaks(heights: Floats) -> bool:
    """Return whether a second peak stands behind a valley, seen from the highest one to either side."""
    top = int(np.argmax(heights))
    for side in (heights[top:], heights[: top + 1][::-1]):
        lowest = np.minimum.accumulate(side)
        later = (side >= _LOWEST_PEAK * heights[top]) & (lowest < (1.0 - _DEPTH) * side)
        if later.any():
            return True
    return False


def highest_density_of_draws(draws: Floats, credible_mass: float = 0.95) -> CredibleInterval | None:
    """Return the shortest interval that holds a share of random draws; None if they show more than one mode.

    Parameters
    ----------
    draws : ndarray of shape (n_draws,)
        From the distribution; the ends are two of them, so they carry Monte Carlo error.
    credible_mass : float
        Share of the draws, in (0, 1).

    Notes
    -----
    Of k = ceil(credible_mass S) successive sorted draws those are taken that lie closest together. Modes are looked for
    in a histogram smoothed by a normal kernel, its width by Silverman's rule from the narrower of standard deviation
    and interquartile range.

    Examples
    --------
    >>> highest_density_of_draws(np.array([0.0, 4.0, 5.0, 6.0, 9.0]), credible_mass=0.6)
    CredibleInterval(low=4.0, high=6.0, level=0.6, kind='highest-density')
    """
    ordered = np.sort(np.asarray(draws, dtype=np.float64))
    if ordered.size >= 100 and _several_peaks(_smoothed(ordered)):
        return None
    inside = min(ordered.size, math.ceil(credible_mass * ordered.size - 1e-9))
    start = int(np.argmin(ordered[inside - 1 :] - ordered[: ordered.size - inside + 1]))
    low, high = float(ordered[start]), float(ordered[start + inside - 1])
    return CredibleInterval(low=low, high=high, level=credible_mass, kind="highest-density")


def _smoothed(ordered: Floats) -> Floats:
    from scipy.ndimage import gaussian_filter1d

    low, first, third, high = np.quantile(ordered, [0.001, 0.25, 0.75, 0.999])
    widths = [value for value in (float(ordered.std()), float(third - first) / 1.34) if value > 0]
    if not widths or not low < high:
        return np.ones(1)
    counts, edges = np.histogram(ordered, bins=512, range=(float(low), float(high)))
    bandwidth = 0.9 * min(widths) * ordered.size**-0.2 / (edges[1] - edges[0])
    return np.asarray(gaussian_filter1d(counts.astype(np.float64), max(float(bandwidth), 0.5), mode="constant"))
