"""Credible intervals: the interval of highest density, and the equal-tailed one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.distribution import Distribution, Mirrored
from reportkit.bayes.draws import Draws
from reportkit.finding import Finding

_CELLS = 96
"""Cells of the central 99.8% in which the density is looked at for a second mode."""

_DEPTH = 0.1
"""A valley counts if it is lower than the lower of its two peaks by this part of that peak."""

_LOWEST_PEAK = 0.1
"""A peak counts if it has this part of the height of the highest."""


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
        """Probability and kind, as a text says them."""
        return f"{100 * self.level:g}% {self.kind} interval"

    def swapped(self) -> CredibleInterval:
        """Return the interval for B against A."""
        return CredibleInterval(low=0.0 - self.high, high=0.0 - self.low, level=self.level, kind=self.kind)


def several_modes(where: str) -> Finding:
    """Say that there is no single interval of highest density."""
    return Finding(
        "several-modes",
        "warning",
        "The posterior has more than one mode, so no single interval holds the highest density; the equal-tailed "
        "interval is given.",
        where=where,
        remedy="show the whole posterior",
    )


def equal_tailed_interval(distribution: Distribution, credible_mass: float = 0.95) -> CredibleInterval:
    """Interval with the same probability below and above it; the right one whatever the shape.

    Examples
    --------
    >>> from reportkit.bayes.paired_binary import paired_binary
    >>> interval = equal_tailed_interval(paired_binary(30, 15, 500))
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0036, 0.0568)
    """
    if isinstance(distribution, Mirrored):
        return equal_tailed_interval(distribution.of, credible_mass).swapped()
    tail = 0.5 * (1.0 - credible_mass)
    low, high = distribution.quantile(tail), distribution.quantile(1.0 - tail)
    return CredibleInterval(low=low, high=high, level=credible_mass, kind="equal-tailed")


def highest_density_interval(distribution: Distribution, credible_mass: float = 0.95) -> CredibleInterval | None:
    """Shortest interval that holds a given probability.

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
    ends, or, if it falls from one end of the support to the other, at that end; u is found by search. Kruschke (2015),
    "Doing Bayesian data analysis", section 25.2.

    Examples
    --------
    >>> from reportkit.bayes.beta_binomial import beta_binomial
    >>> from reportkit.scores.shapes.sample import RightOf
    >>> interval = highest_density_interval(beta_binomial(RightOf(1721, 2376, 1637, 2376)))
    >>> round(interval.low, 6), round(interval.high, 6)
    (0.009463, 0.06118)
    """
    if isinstance(distribution, Mirrored):
        other = highest_density_interval(distribution.of, credible_mass)
        return None if other is None else other.swapped()
    if isinstance(distribution, Draws):
        return highest_density_of_draws(distribution.values, credible_mass)
    if not distribution.unimodal and has_several_modes(distribution):
        return None
    from scipy.optimize import brentq

    def ends(u: float) -> tuple[float, float]:
        return distribution.quantile(u), distribution.quantile(min(1.0, u + credible_mass))

    def rise(u: float) -> float:
        """Log density at the left end minus that at the right: positive once the left end is too far right."""
        low, high = (_log_density(distribution, x) for x in ends(u))
        return low - high

    least, most = 0.0, 1.0 - credible_mass
    middle = 0.5 * most
    at_middle = rise(middle)
    if at_middle == 0.0:
        u = middle
    else:
        bound = most if at_middle < 0 else least
        at_bound = rise(bound)
        u = bound if at_bound * at_middle >= 0 else float(brentq(rise, middle, bound, xtol=1e-11))
    low, high = ends(u)
    return CredibleInterval(low=low, high=high, level=credible_mass, kind="highest-density")


def _log_density(distribution: Distribution, x: float) -> float:
    if math.isinf(x):
        return -700.0
    value = distribution.density(x)
    return min(math.log(value), 700.0) if value > 1e-300 else -700.0


def has_several_modes(distribution: Distribution) -> bool:
    """Whether the central 99.8% of a distribution show two peaks with a valley between that is a tenth deep or more.

    Examples
    --------
    >>> from reportkit.bayes.hierarchical_normal import NormalMixture
    >>> weights, sds = np.array([0.5, 0.5]), np.array([1.0, 1.0])
    >>> [has_several_modes(NormalMixture(weights, np.array([-d, d]), sds)) for d in (1.0, 2.0)]
    [False, True]
    """
    edges = np.linspace(distribution.quantile(0.001), distribution.quantile(0.999), _CELLS + 1)
    if not edges[0] < edges[-1]:
        return False
    return _several_peaks(np.diff([distribution.below(float(edge)) for edge in edges]))


def _several_peaks(heights: NDArray[np.float64]) -> bool:
    """Whether a second peak stands behind a valley, seen from the highest one to either side."""
    top = int(np.argmax(heights))
    for side in (heights[top:], heights[: top + 1][::-1]):
        lowest = np.minimum.accumulate(side)
        later = (side >= _LOWEST_PEAK * heights[top]) & (lowest < (1.0 - _DEPTH) * side)
        if later.any():
            return True
    return False


def highest_density_of_draws(draws: NDArray[np.float64], credible_mass: float = 0.95) -> CredibleInterval | None:
    """Shortest interval that holds a share of random draws.

    Parameters
    ----------
    draws : ndarray of shape (n_draws,)
        From the distribution; its ends are two of them, so they carry Monte Carlo error.
    credible_mass : float
        Share of the draws, in (0, 1).

    Returns
    -------
    CredibleInterval or None
        None if the draws show more than one mode.

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
    if ordered.size == 0 or not np.isfinite(ordered).all():
        raise ValueError("draws have to be finite, and at least one")
    if ordered.size >= 100 and _several_peaks(_smoothed(ordered)):
        return None
    inside = min(ordered.size, math.ceil(credible_mass * ordered.size - 1e-9))
    widths = ordered[inside - 1 :] - ordered[: ordered.size - inside + 1]
    start = int(np.argmin(widths))
    low, high = float(ordered[start]), float(ordered[start + inside - 1])
    return CredibleInterval(low=low, high=high, level=credible_mass, kind="highest-density")


def _smoothed(ordered: NDArray[np.float64]) -> NDArray[np.float64]:
    quartiles = np.quantile(ordered, [0.25, 0.75])
    widths = [value for value in (float(ordered.std()), float(np.diff(quartiles)[0]) / 1.34) if value > 0]
    low, high = np.quantile(ordered, [0.001, 0.999])
    if not widths or not low < high:
        return np.ones(1)
    cells = 512
    counts, edges = np.histogram(ordered, bins=cells, range=(float(low), float(high)))
    bandwidth = 0.9 * min(widths) * ordered.size**-0.2 / (edges[1] - edges[0])
    reach = np.arange(-cells, cells + 1)
    kernel = np.exp(-0.5 * np.square(reach / max(float(bandwidth), 0.5)))
    smoothed: NDArray[np.float64] = np.convolve(counts, kernel)[cells : 2 * cells]
    return smoothed
