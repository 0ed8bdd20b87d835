"""Posterior of a difference under a Cauchy prior of declared scale, where a t distribution tells what the data say."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.distribution import Distribution
from reportkit.bayes.panels import Nodes, integrate_over_panels
from reportkit.bayes.student_t import LocationScaleT
from reportkit.errors import SettingsError

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class InformedT(Distribution):
    """Density proportional to a t density about the estimate times a Cauchy density about 0.

    Parameters
    ----------
    likelihood : LocationScaleT
        Estimate, standard error and degrees of freedom.
    prior_scale : float
        Scale of the Cauchy prior, in the unit of the difference: half of the prior probability lies within it.

    Notes
    -----
    Integrals run over v, the prior probability beyond a value, from 0 (infinity) to 1/2 (zero) on either side, in
    panels about the estimate; error near 1e-10.

    Examples
    --------
    A prior that is wide beside the standard error changes little, a narrow one draws the difference to 0.

    >>> data = LocationScaleT(location=0.02, scale=0.01, degrees_of_freedom=500)
    >>> [round(InformedT(data, scale).above(0.0), 4) for scale in (1.0, 0.02, 0.001)]
    [0.977, 0.9593, 0.6895]
    """

    likelihood: LocationScaleT
    prior_scale: float

    @cached_property
    def _total(self) -> float:
        return self._mass(-math.inf, math.inf)

    def _mass(self, low: float, high: float, power: int = 0) -> float:
        """Integral of y^power times likelihood and prior from low to high, up to a constant."""
        positive = self._side(1.0, max(low, 0.0), high, power) if high > 0 else 0.0
        negative = self._side(-1.0, max(-high, 0.0), -low, power) if low < 0 else 0.0
        return positive + negative

    def _side(self, sign: float, near: float, far: float, power: int) -> float:
        if not near < far:
            return 0.0
        centre, scale = sign * self.likelihood.location, self.likelihood.scale
        steps = (-1e4, -1e3, -100.0, -30.0, -12.0, -7.0, -4.0, -2.0, 0.0, 2.0, 4.0, 7.0, 12.0, 30.0, 100.0, 1e3, 1e4)
        breaks = [self._beyond(centre + k * scale) for k in steps if centre + k * scale > 0]
        return integrate_over_panels(
            lambda nodes: self._weights(nodes, sign, power), self._beyond(far), self._beyond(near), breaks
        )

    def _beyond(self, size: float) -> float:
        """Prior probability of a value above `size`."""
        return math.atan2(self.prior_scale, size) / math.pi

    def _weights(self, nodes: Nodes, sign: float, power: int) -> Values:
        tail = math.pi * nodes.x
        size = self.prior_scale * np.cos(tail) / np.sin(tail)
        z = (sign * size - self.likelihood.location) / self.likelihood.scale
        freedom = self.likelihood.degrees_of_freedom
        log = -0.5 * z * z if math.isinf(freedom) else -0.5 * (freedom + 1.0) * np.log1p(z * z / freedom)
        weights: Values = np.exp(log) * (sign * size) ** power
        return weights

    @cached_property
    def _moments(self) -> tuple[float, float]:
        first = self._mass(-math.inf, math.inf, 1) / self._total
        second = self._mass(-math.inf, math.inf, 2) / self._total
        return first, math.sqrt(max(second - first * first, 0.0))

    @property
    def mean(self) -> float:
        """Expected value."""
        return self._moments[0]

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return self._moments[1]

    def below(self, x: float) -> float:
        """P(difference < x)."""
        return min(1.0, self._mass(-math.inf, x) / self._total)

    def above(self, x: float) -> float:
        """P(difference > x)."""
        return min(1.0, self._mass(x, math.inf) / self._total)

    def inside(self, low: float, high: float) -> float:
        """P(low <= difference <= high)."""
        return min(1.0, self._mass(low, high) / self._total)

    def density(self, x: float) -> float:
        """Density at x."""
        data = self.likelihood
        # the integrals are of the t density without its constant, under the prior
        constant = data.density(data.location) * self._total
        return data.density(x) * cauchy_prior(self.prior_scale).density(x) / constant


def cauchy_prior(scale: float) -> LocationScaleT:
    """Prior of a difference: Cauchy about 0, so that neither system is favoured.

    Raises
    ------
    SettingsError
        If the scale is not positive and finite.

    Examples
    --------
    >>> prior = cauchy_prior(0.02)
    >>> round(prior.below(0.02) - prior.below(-0.02), 12)
    0.5
    """
    if not (math.isfinite(scale) and scale > 0):
        raise SettingsError(
            f"prior={scale!r} is no scale of a difference",
            remedy="give a positive number in the unit of the score: half of the prior probability lies within it",
        )
    return LocationScaleT(location=0.0, scale=float(scale), degrees_of_freedom=1.0)
