"""A smooth distribution by a polynomial for its normal score, where each of its probabilities is slow to compute."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.polynomial import Chebyshev
from numpy.typing import NDArray

from reportkit.bayes.distribution import Distribution, normal_score

_DEGREE = 32
_REACH = 6.0
_ACCURACY = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class NormalScores:
    """The normal score z(x), with P(difference < x) = Phi(z(x)), as a polynomial: a straight line if it is normal.

    Parameters
    ----------
    score : Chebyshev
        z, over an interval about the mean.
    slope : Chebyshev
        Its derivative.
    """

    score: Chebyshev
    slope: Chebyshev

    @classmethod
    def of(cls, distribution: Distribution) -> Self | None:
        """Interpolate; None if at points between the nodes the polynomial is wrong by more than 1e-8.

        Examples
        --------
        >>> from reportkit.bayes.student_t import LocationScaleT
        >>> t = LocationScaleT(location=0.5, scale=2.0, degrees_of_freedom=500)
        >>> scores = NormalScores.of(t)
        >>> round(scores.quantile(0.975) - t.quantile(0.975), 8), round(scores.density(1.0) - t.density(1.0), 8)
        (0.0, 0.0)
        """

        def score(x: float) -> float:
            below = distribution.below(x)
            return normal_score(below) if below < 0.5 else -normal_score(distribution.above(x))

        reach = _REACH * distribution.sd
        low, high = distribution.support
        domain = [max(low, distribution.mean - reach), min(high, distribution.mean + reach)]
        polynomial = Chebyshev.interpolate(np.vectorize(score, otypes=[np.float64]), _DEGREE, domain=domain)
        between = distribution.mean + distribution.sd * np.array([-4.1, -1.3, 0.7, 3.9])
        for x in between:
            if not domain[0] < x < domain[1] or abs(float(polynomial(x)) - score(float(x))) > _ACCURACY:
                return None
        slope = polynomial.deriv()
        if float(slope(np.linspace(domain[0], domain[1], 4 * _DEGREE)).min()) <= 0.0:
            return None
        return cls(polynomial, slope)

    @property
    def ends(self) -> NDArray[np.float64]:
        """Ends of the interval over which the polynomial holds."""
        return np.asarray(self.score.domain, dtype=np.float64)

    def reaches(self, p: float) -> bool:
        """Whether the quantile at p is inside."""
        low, high = self.score(self.ends)
        return bool(low < normal_score(p) if p <= 0.5 else -normal_score(1.0 - p) < high)

    def quantile(self, p: float) -> float:
        """Value with probability p below it."""
        from scipy.optimize import brentq

        target = normal_score(p) if p <= 0.5 else -normal_score(1.0 - p)
        low, high = (float(end) for end in self.ends)
        return float(brentq(lambda x: float(self.score(x)) - target, low, high, xtol=1e-13 * (high - low)))

    def density(self, x: float) -> float:
        """Density at x."""
        return math.exp(-0.5 * float(self.score(x)) ** 2) / math.sqrt(2.0 * math.pi) * float(self.slope(x))
