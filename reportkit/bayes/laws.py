"""Posterior and prior laws of a difference: of shares, of means, of weights that are drawn.

Digits beyond 1e-6 of a probability are not sought: averages over one law are sums over nodes in its probability.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc, betaincc, betaincinv, ndtr
from scipy.stats import beta as beta_law

from reportkit.bayes.distribution import Distribution, Floats, StudentT
from reportkit.errors import SettingsError
from reportkit.language.short_repr import short_repr

_S = np.linspace(-2.6, 2.6, 105)
_NODES = ndtr(2.0 * np.sinh(_S))
_SLOPES = np.exp(-2.0 * np.square(np.sinh(_S))) * np.cosh(_S)
_WEIGHTS = _SLOPES / _SLOPES.sum()
"""Nodes and weights of an average over probabilities from 0 to 1: the trapezoidal rule after a change of variable."""


@dataclass(frozen=True, slots=True)
class Beta:
    """A beta distribution of one proportion; as prior, of a right and b wrong answers seen before."""

    a: float
    b: float

    support = (0.0, 1.0)

    def __post_init__(self) -> None:
        if not all(math.isfinite(value) and value > 0 for value in (self.a, self.b)):
            raise SettingsError(
                f"Beta({self.a!r}, {self.b!r}) is no prior", remedy="give two positive numbers, such as (1, 1)"
            )

    @property
    def mean(self) -> float:
        """Expected proportion."""
        return self.a / (self.a + self.b)

    @property
    def sd(self) -> float:
        """Standard deviation of the proportion."""
        return math.sqrt(self.mean * (1.0 - self.mean) / (self.a + self.b + 1.0))

    def updated(self, right: int, n: int) -> Beta:
        """Return the posterior after `right` of `n`."""
        return Beta(self.a + right, self.b + (n - right))

    def cdf(self, x: Floats) -> Floats:
        """Return the probabilities below proportions."""
        return np.asarray(betainc(self.a, self.b, np.clip(x, 0.0, 1.0)))

    def ppf(self, p: Floats) -> Floats:
        """Return the quantiles."""
        return np.asarray(betaincinv(self.a, self.b, p))

    def density(self, x: Floats) -> Floats:
        """Return the density."""
        return np.asarray(beta_law.pdf(x, self.a, self.b))


@dataclass(frozen=True, slots=True)
class Difference(Distribution):
    """The difference of two independent quantities: two proportions, or two means (Behrens-Fisher).

    Notes
    -----
    P(first - second > x) is the average of P(first > x + y) over y = second, or the other way round: over the narrower
    of the two, so that the function that is averaged is smooth.

    Examples
    --------
    >>> difference = Difference(Beta(1722, 656), Beta(1638, 740))  # ARC-easy, uniform priors
    >>> round(difference.above(0.0), 6), round(difference.above(0.01), 6)
    (0.996276, 0.972497)
    """

    first: Beta | StudentT
    second: Beta | StudentT

    @property
    def mean(self) -> float:
        """Expected difference."""
        return self.first.mean - self.second.mean

    @property
    def sd(self) -> float:
        """Standard deviation of the difference."""
        return math.hypot(self.first.sd, self.second.sd)

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible difference."""
        return self.first.support[0] - self.second.support[1], self.first.support[1] - self.second.support[0]

    def below(self, x: float) -> float:
        """Return P(first - second < x)."""
        return self._average(self.first, self.second, x) if self._second_is_narrower else self._other(x)

    def _other(self, x: float) -> float:
        return 1.0 - self._average(self.second, self.first, -x)

    @property
    def _second_is_narrower(self) -> bool:
        one, other = (law.scale if isinstance(law, StudentT) else law.sd for law in (self.first, self.second))
        return other <= one

    @staticmethod
    def _average(wide: Beta | StudentT, narrow: Beta | StudentT, x: float) -> float:
        """Return P(wide - narrow < x): certain above one value of the narrow one, impossible below another."""
        least, most = wide.support
        ends = narrow.cdf(np.array([least - x, most - x]))
        p = ends[0] + (ends[1] - ends[0]) * _NODES
        return float(1.0 - ends[1] + (ends[1] - ends[0]) * (_WEIGHTS @ wide.cdf(x + narrow.ppf(p))))


@dataclass(frozen=True, slots=True)
class DirichletDifference(Distribution):
    """The difference of two of the three shares of a Dirichlet distribution.

    The shares are: only A is right, only B is right, and the rest; the difference of the first two is that of the two
    accuracies.

    Notes
    -----
    The share of discordant instances u ~ Beta(only_a + only_b, rest) and A's part of it v ~ Beta(only_a, only_b) are
    independent, and the difference is u (2 v - 1): P(difference < x) is an average over u.

    Examples
    --------
    >>> difference = DirichletDifference(31.0, 16.0, 457.0)
    >>> round(difference.above(0.0), 6), round(difference.mean, 6)
    (0.987052, 0.029762)
    """

    only_a: float
    only_b: float
    rest: float

    @property
    def mean(self) -> float:
        """Expected difference."""
        return (self.only_a - self.only_b) / (self.only_a + self.only_b + self.rest)

    @property
    def sd(self) -> float:
        """Standard deviation of the difference."""
        total = self.only_a + self.only_b + self.rest
        square = (self.only_a + self.only_b) / total - self.mean**2
        return math.sqrt(square / (total + 1.0))

    @property
    def support(self) -> tuple[float, float]:
        """-1 and 1."""
        return -1.0, 1.0

    def above(self, x: float) -> float:
        """Return P(difference > x)."""
        a, b = self.only_a, self.only_b
        fewer = float(betainc(a + b, self.rest, min(abs(x), 1.0)))  # discordant than |x|
        u = betaincinv(a + b, self.rest, fewer + (1.0 - fewer) * _NODES)
        v = np.clip(0.5 + x / (2.0 * np.maximum(u, 1e-300)), 0.0, 1.0)
        value = (1.0 - fewer) * float(_WEIGHTS @ betaincc(a, b, v))
        return min(1.0, value + (fewer if x < 0 else 0.0))

    def below(self, x: float) -> float:
        """Return P(difference < x)."""
        return DirichletDifference(self.only_b, self.only_a, self.rest).above(-x)


@dataclass(frozen=True, slots=True, eq=False)
class NormalMixture(Distribution):
    """A mixture of normal distributions; weights have the sum 1.

    Examples
    --------
    >>> mixture = NormalMixture(np.array([0.5, 0.5]), np.array([0.0, 1.0]), np.array([1.0, 2.0]))
    >>> round(mixture.above(0.0), 6), mixture.mean
    (0.595731, 0.5)
    """

    weights: Floats
    means: Floats
    sds: Floats

    __repr__ = short_repr

    @property
    def mean(self) -> float:
        """Expected value."""
        return float(self.weights @ self.means)

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return math.sqrt(float(self.weights @ (np.square(self.sds) + np.square(self.means - self.mean))))

    def below(self, x: float) -> float:
        """Return P(value < x)."""
        return float(self.weights @ ndtr((x - self.means) / self.sds))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DirichletMean(Distribution):
    """The mean of units with random weights, the Bayesian bootstrap: sum g S / sum g W, g gamma variables.

    Parameters
    ----------
    sums, sizes : ndarray of shape (n_groups,)
        S and W of the units, those that are alike once: summed differences, and numbers of instances (positive).
    counts : ndarray of shape (n_groups,)
        How many units are alike: shape of the gamma variable of the group.

    Notes
    -----
    P(mean < x) = P(sum g c < 0) with c = S - x W; its characteristic function is prod (1 - i c t)^(-k), which the
    formula of Gil-Pelaez (1951) inverts, summed over log t.

    Examples
    --------
    Two units: the weight of the second is uniform, and the mean with it.

    >>> mean = DirichletMean(sums=np.array([0.0, 1.0]), sizes=np.ones(2), counts=np.ones(2))
    >>> round(mean.above(0.75), 6), round(mean.density(0.4), 4)
    (0.25, 1.0)
    """

    sums: Floats
    sizes: Floats
    counts: Floats

    @property
    def mean(self) -> float:
        """Observed mean; the expected value if all units have the same size, and near it otherwise."""
        return float((self.counts @ self.sums) / (self.counts @ self.sizes))

    @property
    def sd(self) -> float:
        """Standard deviation; if units have different sizes, of the linear approximation."""
        residuals = self.sums - self.sizes * self.mean
        n = float(self.counts.sum())
        typical = float(self.counts @ self.sizes) / n
        return math.sqrt(float(self.counts @ np.square(residuals)) / (n * (n + 1.0))) / typical

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest mean of a unit."""
        means = self.sums / self.sizes
        return float(means.min()), float(means.max())

    def below(self, x: float) -> float:
        """Return P(mean < x)."""
        least, most = self.support
        if not least < x < most:
            return float(x >= most)
        c = self.sums - x * self.sizes
        c = c / math.sqrt(float(self.counts @ np.square(c)))
        last = 1.0
        while self.counts @ np.log1p(np.square(c * math.exp(last))) < 40.0 and last < 30.0:
            last += 0.5
        step = 0.1
        turns = np.exp(np.arange(-6.0, last, step))[:, None] * c
        terms = np.exp(-0.5 * (np.log1p(np.square(turns)) @ self.counts)) * np.sin(np.arctan(turns) @ self.counts)
        terms[0] += terms[0] / math.expm1(step)  # below the first node the terms are proportional to t
        return float(np.clip(0.5 - terms.sum() * step / np.pi, 0.0, 1.0))


@dataclass(frozen=True, slots=True, eq=False)
class InformedT(Distribution):
    """The posterior of a difference: what the data say is a t density, the prior a Cauchy density about 0.

    Parameters
    ----------
    likelihood : StudentT
        Estimate, standard error and degrees of freedom.
    prior_scale : float
        Scale of the Cauchy prior, in the unit of the difference: half of the prior probability lies within it.
    grid, cumulative : ndarray
        Values, and the probabilities below them; see `informed`.
    """

    likelihood: StudentT
    prior_scale: float
    grid: Floats
    cumulative: Floats

    @property
    def mean(self) -> float:
        """Expected value."""
        return float(np.sum(np.diff(self.cumulative) * 0.5 * (self.grid[1:] + self.grid[:-1])))

    @property
    def sd(self) -> float:
        """Standard deviation."""
        middles = 0.5 * (self.grid[1:] + self.grid[:-1])
        return math.sqrt(float(np.diff(self.cumulative) @ np.square(middles - self.mean)))

    def below(self, x: float) -> float:
        """Return P(difference < x)."""
        from scipy.interpolate import PchipInterpolator

        at = int(np.clip(np.searchsorted(self.grid, x), 3, self.grid.size - 3))
        near = slice(at - 3, at + 3)
        found = PchipInterpolator(self.grid[near], self.cumulative[near])(np.clip(x, self.grid[0], self.grid[-1]))
        return float(np.clip(found, 0.0, 1.0))


def informed(likelihood: StudentT, prior_scale: float) -> InformedT:
    """Combine a t likelihood with a Cauchy prior about 0.

    Examples
    --------
    A prior that is wide beside the standard error changes little, a narrow one draws the difference to 0.

    >>> data = StudentT(0.02, 0.01, 500)
    >>> [round(informed(data, scale).above(0.0), 4) for scale in (1.0, 0.02, 0.001)]
    [0.977, 0.9593, 0.6895]
    """
    from scipy.integrate import cumulative_simpson

    steps = np.sinh(np.linspace(-16.0, 16.0, 6401))
    grid = np.unique(np.concatenate([likelihood.location + likelihood.scale * steps, prior_scale * steps]))
    z, freedom = (grid - likelihood.location) / likelihood.scale, likelihood.degrees_of_freedom
    log = -0.5 * z * z if math.isinf(freedom) else -0.5 * (freedom + 1.0) * np.log1p(z * z / freedom)
    density = np.exp(log) / (1.0 + np.square(grid / prior_scale))
    cumulative = np.maximum.accumulate(cumulative_simpson(density, x=grid, initial=0.0))
    return InformedT(likelihood, prior_scale, grid, cumulative / cumulative[-1])


def cauchy_prior(scale: float) -> StudentT:
    """Return the prior of a difference: Cauchy about 0, so that neither system is favoured.

    Raises
    ------
    SettingsError
        If the scale is not positive and finite.
    """
    if not (math.isfinite(scale) and scale > 0):
        raise SettingsError(
            f"prior={scale!r} is no scale of a difference",
            remedy="give a positive number in the unit of the score: half of the prior probability lies within it",
        )
    return StudentT(0.0, float(scale), 1.0)
