"""The distribution of a difference between two systems: what every question to a posterior is asked of."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from scipy.special import ndtri

_LARGEST_SCORE = 38.0
"""Probabilities below ndtr(-38), about 3e-316, cannot be told from 0."""

_FIRST_STEP = 0.2
"""A quantile is looked for from that of a normal distribution, first by this part of the standard deviation."""


class Distribution(ABC):
    """A probability distribution of the difference A minus B, before (prior) or after the data (posterior).

    Notes
    -----
    All probabilities are of open or closed sets as named, which matters only where a value has a positive probability.
    """

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
        """Ends between which all of the probability lies; the whole line unless a distribution says otherwise."""
        return -math.inf, math.inf

    @property
    def unimodal(self) -> bool:
        """Whether the density is known to rise to one top and to fall from it; if not, its tops are looked for."""
        return False

    @abstractmethod
    def below(self, x: float) -> float:
        """P(difference < x)."""

    @abstractmethod
    def above(self, x: float) -> float:
        """P(difference > x)."""

    @abstractmethod
    def density(self, x: float) -> float:
        """Density at x; inf where it has a pole."""

    def inside(self, low: float, high: float) -> float:
        """P(low <= difference <= high) of a continuous distribution, small values with small relative error."""
        if low > high:
            raise ValueError(f"the ends {low!r} and {high!r} are no interval")
        below, above = self.below(low), self.above(high)
        if above > 0.5:
            return max(0.0, self.below(high) - below)
        if below > 0.5:
            return max(0.0, self.above(low) - above)
        return max(0.0, 1.0 - below - above)

    def quantile(self, p: float) -> float:
        """Smallest x with P(difference <= x) >= p, by search.

        The search is for a zero of the difference of normal scores, which is nearly a straight line wherever the
        distribution is nearly normal.

        Raises
        ------
        ValueError
            If `p` is not between 0 and 1.
        """
        from scipy.optimize import brentq

        if not 0.0 <= p <= 1.0:
            raise ValueError(f"{p!r} is no probability")
        low, high = self.support
        if p in (0.0, 1.0):
            return low if p == 0.0 else high
        target = normal_score(min(p, 1.0 - p))

        @cache
        def score(x: float) -> float:
            if p <= 0.5:  # the smaller tail, whose rounding error is small
                return normal_score(self.below(x)) - target
            return target - normal_score(self.above(x))

        low, high = self._bracket(score, target if p <= 0.5 else -target)
        if score(low) >= 0:
            return low
        if score(high) <= 0:
            return high
        width = high - low
        return float(brentq(score, low, high, xtol=1e-13 * width, rtol=1e-14))

    def _bracket(self, score: Callable[[float], float], guess: float) -> tuple[float, float]:
        """Two points on both sides of the zero of an increasing function, found by going out from a first guess."""
        least, most = self.support
        usual = self.sd if math.isfinite(self.sd) and self.sd > 0 else 1.0
        low = high = min(max(self.mean + guess * usual, least), most)
        step = _FIRST_STEP * usual
        if score(low) > 0:
            while score(low) > 0 and low > least:
                low, high, step = max(least, low - step), low, 2 * step
        else:
            while score(high) < 0 and high < most:
                low, high, step = high, min(most, high + step), 2 * step
        return low, high


def normal_score(p: float) -> float:
    """Return the point of the standard normal that has probability p below it, within a float's reach.

    Examples
    --------
    >>> round(normal_score(0.025), 6), normal_score(0.0)
    (-1.959964, -38.0)
    """
    return min(max(float(ndtri(p)), -_LARGEST_SCORE), _LARGEST_SCORE)


@dataclass(frozen=True, slots=True)
class Mirrored(Distribution):
    """The distribution of B minus A, where that of A minus B is known.

    Parameters
    ----------
    of : Distribution
        The other one.
    """

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

    @property
    def unimodal(self) -> bool:
        """Whether the density is known to have a single mode."""
        return self.of.unimodal

    def below(self, x: float) -> float:
        """P(difference < x)."""
        return self.of.above(-x)

    def above(self, x: float) -> float:
        """P(difference > x)."""
        return self.of.below(-x)

    def density(self, x: float) -> float:
        """Density at x."""
        return self.of.density(-x)

    def inside(self, low: float, high: float) -> float:
        """P(low <= difference <= high)."""
        return self.of.inside(-high, -low)

    def quantile(self, p: float) -> float:
        """Value with probability p below it."""
        return 0.0 - self.of.quantile(1.0 - p)


def turned_round(distribution: Distribution) -> Distribution:
    """Return the distribution of B minus A; twice turned round it is the same object.

    Examples
    --------
    >>> from reportkit.bayes.student_t import LocationScaleT
    >>> posterior = LocationScaleT(location=1.0, scale=0.5, degrees_of_freedom=9)
    >>> turned_round(posterior).mean, turned_round(turned_round(posterior)) is posterior
    (-1.0, True)
    """
    return distribution.of if isinstance(distribution, Mirrored) else Mirrored(distribution)
