"""Distributions of a difference between two systems, before or after the data; all answers are computed from them.

Digits beyond 1e-6 of a probability are not sought: averages over one law are sums over nodes in its probability.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import betainc, betaincc, betaincinv, ndtr, ndtri

Floats = NDArray[np.float64]

_TAIL = 1e-5
"""The ends of an interval of highest density are sought among quantiles with at least this probability beyond."""

_KNOTS = 97

_S = np.linspace(-2.6, 2.6, 105)
_NODES = ndtr(2.0 * np.sinh(_S))
_SLOPES = np.exp(-2.0 * np.square(np.sinh(_S))) * np.cosh(_S)
_WEIGHTS = _SLOPES / _SLOPES.sum()
"""Nodes and weights of an average over probabilities from 0 to 1: the trapezoidal rule after a change of variable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CredibleInterval:
    """The shortest interval that holds the difference with a given posterior probability: that of highest density.

    Parameters
    ----------
    low, high : float
        Ends, in the unit of the difference; above 0 means that A is better.
    level : float
        Posterior probability of the interval.
    """

    low: float
    high: float
    level: float


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Distribution:
    """A probability distribution of the difference A minus B.

    Parameters
    ----------
    below, above : callable
        P(difference < x) and P(difference > x) of a number x.
    mean, sd : float
        Expected value and standard deviation; the centre, and inf, where they do not exist.
    support : tuple of float
        Ends between which all of the probability lies.
    values : ndarray of shape (n_draws,) or None
        Sorted draws, where there is nothing else.
    effective : float
        Number of independent draws that they are worth.
    of : Distribution or None
        The distribution of B minus A, if this one was made by turning that one round.
    """

    below: Callable[[float], float]
    above: Callable[[float], float]
    mean: float
    sd: float
    support: tuple[float, float] = (-math.inf, math.inf)
    values: Floats | None = None
    effective: float = math.inf
    of: Distribution | None = None

    def turned_round(self) -> Distribution:
        """Return the distribution of B minus A; turned round again it is the same object."""
        if self.of is not None:
            return self.of
        return Distribution(
            below=lambda x: self.above(-x),
            above=lambda x: self.below(-x),
            mean=0.0 - self.mean,
            sd=self.sd,
            support=(-self.support[1], -self.support[0]),
            values=None if self.values is None else 0.0 - self.values[::-1],
            effective=self.effective,
            of=self,
        )

    def inside(self, low: float, high: float) -> float:
        """Return P(low <= difference <= high)."""
        return max(0.0, 1.0 - (self.below(low) + self.above(high)))

    def quantile(self, p: float) -> float:
        """Return the value with probability p below it, by search; of draws, linear between neighbours."""
        from scipy.optimize import brentq

        if self.of is not None:
            return 0.0 - self.of.quantile(1.0 - p)
        if self.values is not None:
            return float(np.quantile(self.values, p))
        least, most = self.support
        step = self.sd if 0 < self.sd < math.inf else 1.0
        low, high = max(least, self.mean - step), min(most, self.mean + step)
        while low > least and self.below(low) > p:
            low, step = max(least, low - 2 * step), 2 * step
        while high < most and self.below(high) < p:
            high, step = min(most, high + 2 * step), 2 * step
        if self.below(low) >= p or self.below(high) <= p:
            return low if self.below(low) >= p else high
        return float(brentq(lambda x: self.below(x) - p, low, high, xtol=1e-12 * (high - low)))

    def interval(self, credible_mass: float = 0.95) -> CredibleInterval:
        """Return the shortest interval that holds a given probability.

        Notes
        -----
        Of sorted draws, the shortest stretch with the required number of draws is taken. Otherwise u is chosen so that
        the interval between the quantiles at u and u + credible_mass is shortest; the quantiles are interpolated by a
        spline of their normal scores. Kruschke (2015), "Doing Bayesian data analysis", section 25.2.
        """
        if self.of is not None:
            back = self.of.interval(credible_mass)
            return CredibleInterval(low=0.0 - back.high, high=0.0 - back.low, level=credible_mass)
        if self.values is not None:
            inside = min(self.values.size, math.ceil(credible_mass * self.values.size - 1e-9))
            widths = self.values[inside - 1 :] - self.values[: self.values.size - inside + 1]
            start = int(np.argmin(widths))
            low, high = float(self.values[start]), float(self.values[start + inside - 1])
        else:
            low, high = self._shortest(credible_mass)
        return CredibleInterval(low=low, high=high, level=credible_mass)

    def _shortest(self, credible_mass: float) -> tuple[float, float]:
        from scipy.interpolate import CubicSpline
        from scipy.optimize import minimize_scalar

        low, first, middle, third, high = map(self.quantile, (_TAIL, 0.25, 0.5, 0.75, 1.0 - _TAIL))
        unit = third - first
        x = middle + unit * np.sinh(
            np.linspace(math.asinh((low - middle) / unit), math.asinh((high - middle) / unit), _KNOTS)
        )
        scores, kept = np.unique(ndtri([self.below(float(value)) for value in x]), return_index=True)
        known = np.isfinite(scores)
        quantile = CubicSpline(scores[known], x[kept][known])

        def width(u: float) -> float:
            return float(np.diff(quantile(ndtri([u, u + credible_mass])))[0])

        ends = _TAIL, 1.0 - credible_mass - _TAIL
        # the width is flat at its minimum: later digits of the place depend on the processor
        inner = round(float(minimize_scalar(width, bounds=ends, method="bounded", options={"xatol": 1e-9}).x), 6)
        u = min((*ends, min(max(inner, ends[0]), ends[1])), key=width)
        return self.quantile(u), self.quantile(u + credible_mass)


def continuous(law: Any) -> Distribution:
    """Turn a frozen distribution of SciPy into one of the difference.

    Examples
    --------
    >>> round(continuous(stats.t(3, 0.2, 0.1)).above(0.0), 6)  # P(T < 2), 3 degrees of freedom
    0.930337
    """
    mean, sd = float(law.mean()), float(law.std())
    return Distribution(
        below=lambda x: float(law.cdf(x)),
        above=lambda x: float(law.sf(x)),
        mean=mean if math.isfinite(mean) else float(law.median()),
        sd=sd if math.isfinite(sd) else math.inf,
        support=(float(law.support()[0]), float(law.support()[1])),
    )


def students_t(location: float, scale: float, degrees_of_freedom: float) -> Any:
    """Return Student's t distribution of SciPy, the normal one with infinitely many degrees of freedom."""
    if math.isinf(degrees_of_freedom):
        return stats.norm(location, scale)
    return stats.t(degrees_of_freedom, location, scale)


def drawn(values: Floats, effective: float | None = None) -> Distribution:
    """Take draws of the difference for its distribution.

    Examples
    --------
    >>> draws = drawn(np.array([2.0, -1.0, 0.0, 1.0]))
    >>> draws.above(0.0), draws.below(0.0), draws.inside(0.0, 1.0)
    (0.5, 0.25, 0.5)
    """
    ordered = np.sort(values, axis=None) + 0.0
    n = ordered.size
    return Distribution(
        below=lambda x: int(np.searchsorted(ordered, x, "left")) / n,
        above=lambda x: (n - int(np.searchsorted(ordered, x, "right"))) / n,
        mean=float(ordered.mean()),
        sd=float(ordered.std(ddof=1)),
        support=(float(ordered[0]), float(ordered[-1])),
        values=ordered,
        effective=n if effective is None else effective,
    )


def difference(first: Any, second: Any) -> Distribution:
    """Return the distribution of first - second of two independent quantities: two proportions, or two means.

    Parameters
    ----------
    first, second : frozen distribution of SciPy
        Of each.

    Notes
    -----
    P(first - second > x) is the average of P(first > x + y) over y = second, or the other way round: over the narrower
    of the two, so that the function that is averaged is smooth.

    Examples
    --------
    >>> found = difference(stats.beta(1722, 656), stats.beta(1638, 740))  # ARC-easy, uniform priors
    >>> round(found.above(0.0), 6), round(found.above(0.01), 6)
    (0.996276, 0.972497)
    >>> interval = found.interval()
    >>> round(interval.low, 6), round(interval.high, 6)
    (0.009463, 0.06118)
    """
    spread = [float(np.diff(law.ppf([0.25, 0.75]))[0]) for law in (first, second)]
    (least, most), (lowest, highest) = first.support(), second.support()
    one, other = continuous(first), continuous(second)

    def below(x: float) -> float:
        if spread[1] <= spread[0]:
            return _average(first, second, x)
        return 1.0 - _average(second, first, -x)

    return Distribution(
        below=below,
        above=lambda x: 1.0 - below(x),
        mean=one.mean - other.mean,
        sd=math.hypot(one.sd, other.sd),
        support=(float(least - highest), float(most - lowest)),
    )


def _average(wide: Any, narrow: Any, x: float) -> float:
    """Return P(wide - narrow < x), averaged over the values of `narrow` at which it is neither 0 nor 1."""
    least, most = wide.support()
    ends = narrow.cdf([least - x, most - x])
    p = ends[0] + (ends[1] - ends[0]) * _NODES
    return float(1.0 - ends[1] + (ends[1] - ends[0]) * (_WEIGHTS @ wide.cdf(x + narrow.ppf(p))))


def dirichlet_difference(only_a: float, only_b: float, rest: float) -> Distribution:
    """Return the distribution of the difference of two of the three shares of a Dirichlet distribution.

    The shares are: only A is right, only B is right, and the rest; the difference of the first two is that of the two
    accuracies.

    Notes
    -----
    The share of discordant instances u ~ Beta(only_a + only_b, rest) and A's part of it v ~ Beta(only_a, only_b) are
    independent, and the difference is u (2 v - 1): P(difference > x) is an average over u.

    Examples
    --------
    >>> found = dirichlet_difference(31.0, 16.0, 457.0)
    >>> round(found.above(0.0), 6), round(found.mean, 6)
    (0.987052, 0.029762)
    """
    either = only_a + only_b
    total = either + rest
    mean = (only_a - only_b) / total

    def above(x: float, a: float = only_a, b: float = only_b) -> float:
        fewer = float(betainc(either, rest, min(abs(x), 1.0)))  # discordant than |x|
        u = betaincinv(either, rest, fewer + (1.0 - fewer) * _NODES)
        v = np.clip(0.5 + x / (2.0 * np.maximum(u, 1e-300)), 0.0, 1.0)
        value = (1.0 - fewer) * float(_WEIGHTS @ betaincc(a, b, v))
        return min(1.0, value + (fewer if x < 0 else 0.0))

    return Distribution(
        below=lambda x: above(-x, only_b, only_a),
        above=above,
        mean=mean,
        sd=math.sqrt((either / total - mean**2) / (total + 1.0)),
        support=(-1.0, 1.0),
    )


def normal_mixture(weights: Floats, means: Floats, sds: Floats) -> Distribution:
    """Return a mixture of normal distributions; the weights have the sum 1.

    Examples
    --------
    >>> mixture = normal_mixture(np.array([0.5, 0.5]), np.array([0.0, 1.0]), np.array([1.0, 2.0]))
    >>> round(mixture.above(0.0), 6), mixture.mean
    (0.595731, 0.5)
    """
    mean = float(weights @ means)
    return Distribution(
        below=lambda x: float(weights @ ndtr((x - means) / sds)),
        above=lambda x: float(weights @ ndtr((means - x) / sds)),
        mean=mean,
        sd=math.sqrt(float(weights @ (np.square(sds) + np.square(means - mean)))),
    )


def dirichlet_mean(sums: Floats, sizes: Floats, counts: Floats) -> Distribution:
    """Return the distribution of a mean of units with random weights, the Bayesian bootstrap.

    Parameters
    ----------
    sums, sizes : ndarray of shape (n_groups,)
        S and W of the units, those that are alike once: summed differences, and numbers of instances (positive).
    counts : ndarray of shape (n_groups,)
        How many units are alike.

    Notes
    -----
    The mean is sum g S / sum g W, where g is a gamma variable with the shape `counts`. P(mean < x) = P(sum g c < 0)
    with c = S - x W; its characteristic function is prod (1 - i c t)^(-k), which the formula of Gil-Pelaez (1951)
    inverts, summed over log t. Mean and standard deviation are those of the linear approximation where units differ in
    size.

    Examples
    --------
    Two units: the weight of the second is uniform, and the mean with it.

    >>> mean = dirichlet_mean(np.array([0.0, 1.0]), np.ones(2), np.ones(2))
    >>> round(mean.above(0.75), 6)
    0.25
    """
    n, mean = float(counts.sum()), float((counts @ sums) / (counts @ sizes))
    ends = sums / sizes
    least, most = float(ends.min()), float(ends.max())

    def below(x: float) -> float:
        if not least < x < most:
            return float(x >= most)
        c = sums - x * sizes
        c = c / math.sqrt(float(counts @ np.square(c)))
        last = 1.0
        while counts @ np.log1p(np.square(c * math.exp(last))) < 40.0 and last < 30.0:
            last += 0.5
        step = 0.1
        turns = np.exp(np.arange(-6.0, last, step))[:, None] * c
        terms = np.exp(-0.5 * (np.log1p(np.square(turns)) @ counts)) * np.sin(np.arctan(turns) @ counts)
        terms[0] += terms[0] / math.expm1(step)  # below the first node the terms are proportional to t
        return float(np.clip(0.5 - terms.sum() * step / np.pi, 0.0, 1.0))

    squares = float(counts @ np.square(sums - sizes * mean)) / (n * (n + 1.0))
    return Distribution(
        below=below,
        above=lambda x: 1.0 - below(x),
        mean=mean,
        sd=math.sqrt(squares) / (float(counts @ sizes) / n),
        support=(least, most),
    )


def informed(location: float, scale: float, degrees_of_freedom: float, prior_scale: float) -> Distribution:
    """Combine a t likelihood with a Cauchy prior about 0.

    Parameters
    ----------
    location, scale, degrees_of_freedom : float
        Estimate, standard error and degrees of freedom.
    prior_scale : float
        Of the prior, in the unit of the difference: half of the prior probability lies within it.

    Examples
    --------
    A prior that is wide compared with the standard error changes little, a narrow one pulls the difference towards 0.

    >>> [round(informed(0.02, 0.01, 500, wide).above(0.0), 4) for wide in (1.0, 0.02, 0.001)]
    [0.977, 0.9593, 0.6895]
    """
    from scipy.integrate import cumulative_simpson

    steps = np.sinh(np.linspace(-16.0, 16.0, 6401))
    grid = np.unique(np.concatenate([location + scale * steps, prior_scale * steps]))
    z, freedom = (grid - location) / scale, degrees_of_freedom
    log = -0.5 * z * z if math.isinf(freedom) else -0.5 * (freedom + 1.0) * np.log1p(z * z / freedom)
    density = np.exp(log) / (1.0 + np.square(grid / prior_scale))
    cumulative = np.maximum.accumulate(cumulative_simpson(density, x=grid, initial=0.0))
    cumulative /= cumulative[-1]
    masses, middles = np.diff(cumulative), 0.5 * (grid[1:] + grid[:-1])
    mean = float(masses @ middles)

    def below(x: float) -> float:
        return float(np.interp(x, grid, cumulative))

    return Distribution(
        below=below,
        above=lambda x: 1.0 - below(x),
        mean=mean,
        sd=math.sqrt(float(masses @ np.square(middles - mean))),
    )
