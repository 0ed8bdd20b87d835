"""Distributions of a difference between two systems, before or after the data: what every question is asked of."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

Floats = NDArray[np.float64]


class Distribution(ABC):
    """A probability distribution of the difference A minus B."""

    __slots__ = ()

    @property
    @abstractmethod
    def mean(self) -> float:
        """Expected value."""

    @property
    @abstractmethod
    def sd(self) -> float:
        """Standard deviation; inf where it does not exist."""

    @property
    def support(self) -> tuple[float, float]:
        """Ends between which all of the probability lies."""
        return -math.inf, math.inf

    @abstractmethod
    def below(self, x: float) -> float:
        """Return P(difference < x)."""

    def above(self, x: float) -> float:
        """Return P(difference > x)."""
        return 1.0 - self.below(x)

    def inside(self, low: float, high: float) -> float:
        """Return P(low <= difference <= high)."""
        return max(0.0, self.below(high) - self.below(low))

    def density(self, x: float) -> float:
        """Return the density near x."""
        step = 1e-3 * (self.sd if math.isfinite(self.sd) else self.quantile(0.75) - self.quantile(0.25))
        return max(0.0, self.below(x + step) - self.below(x - step)) / (2.0 * step)

    def quantile(self, p: float) -> float:
        """Return the value with probability p below it, by search."""
        from scipy.optimize import brentq

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


@dataclass(frozen=True, slots=True)
class Mirrored(Distribution):
    """The distribution of B minus A, where that of A minus B is known."""

    of: Distribution

    @property
    def mean(self) -> float:
        """Expected value."""
        return 0.0 - self.of.mean

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return self.of.sd

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        low, high = self.of.support
        return -high, -low

    def below(self, x: float) -> float:
        """Return P(difference < x)."""
        return self.of.above(-x)

    def above(self, x: float) -> float:
        """Return P(difference > x)."""
        return self.of.below(-x)

    def inside(self, low: float, high: float) -> float:
        """Return P(low <= difference <= high)."""
        return self.of.inside(-high, -low)

    def density(self, x: float) -> float:
        """Return the density near x."""
        return self.of.density(-x)

    def quantile(self, p: float) -> float:
        """Return the value with probability p below it."""
        return 0.0 - self.of.quantile(1.0 - p)


def turned_round(distribution: Distribution) -> Distribution:
    """Return the distribution of B minus A; twice turned round it is the same object.

    Examples
    --------
    >>> posterior = StudentT(1.0, 0.5, 9)
    >>> turned_round(posterior).mean, turned_round(turned_round(posterior)) is posterior
    (-1.0, True)
    """
    return distribution.of if isinstance(distribution, Mirrored) else Mirrored(distribution)


@dataclass(frozen=True, slots=True)
class StudentT(Distribution):
    """Student's t distribution with a location and a scale; normal with infinitely many degrees of freedom.

    Examples
    --------
    >>> round(StudentT(0.2, 0.1, 3).above(0.0), 6)  # P(T < 2), 3 degrees of freedom
    0.930337
    """

    location: float
    scale: float
    degrees_of_freedom: float

    @property
    def mean(self) -> float:
        """The location, although with one degree of freedom no expected value exists."""
        return self.location

    @property
    def sd(self) -> float:
        """Standard deviation; inf with two degrees of freedom or fewer."""
        freedom = self.degrees_of_freedom
        if math.isinf(freedom):
            return self.scale
        return self.scale * math.sqrt(freedom / (freedom - 2)) if freedom > 2 else math.inf

    def below(self, x: float) -> float:
        """Return P(difference < x)."""
        return float(self.cdf(np.asarray(x)))

    def above(self, x: float) -> float:
        """Return P(difference > x)."""
        return float(stdtr(self.degrees_of_freedom, (self.location - x) / self.scale))

    def quantile(self, p: float) -> float:
        """Return the value with probability p below it."""
        tail = float(stdtrit(self.degrees_of_freedom, min(p, 1.0 - p)))  # exactly symmetric
        return self.location + self.scale * (tail if p <= 0.5 else -tail)

    def cdf(self, x: Floats) -> Floats:
        """Return the probabilities below values."""
        return np.asarray(stdtr(self.degrees_of_freedom, (x - self.location) / self.scale))

    def ppf(self, p: Floats) -> Floats:
        """Return the quantiles."""
        return np.asarray(self.location + self.scale * stdtrit(self.degrees_of_freedom, p))


@dataclass(frozen=True, slots=True, eq=False)
class Draws(Distribution):
    """Draws of the difference, in increasing order.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Sorted.
    effective : float
        Number of independent draws that they are worth: all of them, if they are independent.

    Examples
    --------
    >>> draws = Draws(np.array([-1.0, 0.0, 1.0, 2.0]), 4)
    >>> draws.above(0.0), draws.below(0.0), draws.inside(0.0, 1.0)
    (0.5, 0.25, 0.5)
    """

    values: Floats
    effective: float

    @property
    def mean(self) -> float:
        """Mean of the draws."""
        return float(self.values.mean())

    @property
    def sd(self) -> float:
        """Standard deviation of the draws."""
        return float(self.values.std(ddof=1))

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest draw."""
        return float(self.values[0]), float(self.values[-1])

    def below(self, x: float) -> float:
        """Return the share of draws below x."""
        return int(np.searchsorted(self.values, x, "left")) / self.values.size

    def above(self, x: float) -> float:
        """Return the share of draws above x."""
        return (self.values.size - int(np.searchsorted(self.values, x, "right"))) / self.values.size

    def inside(self, low: float, high: float) -> float:
        """Return the share of draws with low <= draw <= high."""
        return max(0.0, 1.0 - self.below(low) - self.above(high))

    def density(self, x: float) -> float:
        """Return the density of the draws in a window of the width that a normal distribution asks for."""
        half = 1.06 * self.sd * self.values.size**-0.2
        return self.inside(x - half, x + half) / (2.0 * half) if half else math.inf

    def quantile(self, p: float) -> float:
        """Return the quantile of the draws, linear between neighbours."""
        return float(np.quantile(self.values, p))

    def standard_error(self, share: float) -> float:
        """Return the Monte Carlo standard error of a share of the draws."""
        return math.sqrt(share * (1.0 - share) / self.effective)
