"""Beta-binomial model: two independent proportions, known by counts alone or on different instances."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc, betaincc, betaln, xlogy

from reportkit.bayes.distribution import Distribution
from reportkit.bayes.panels import Nodes, Values, integrate_over_panels, spread
from reportkit.errors import SettingsError
from reportkit.scores.shapes.sample import RightOf


@dataclass(frozen=True, slots=True)
class Beta:
    """A beta distribution of one proportion.

    Parameters
    ----------
    a, b : float
        Positive; as prior, one more than the right and the wrong answers that it stands for beside a uniform one.
    """

    a: float
    b: float

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
    def variance(self) -> float:
        """Variance of the proportion."""
        return self.mean * (self.b / (self.a + self.b)) / (self.a + self.b + 1.0)

    @property
    def sd(self) -> float:
        """Standard deviation of the proportion."""
        return math.sqrt(self.variance)

    def updated(self, right: int, n: int) -> Beta:
        """Return the posterior after `right` of `n`."""
        return Beta(self.a + right, self.b + (n - right))

    def density(self, x: Values, y: Values) -> Values:
        """Density at x, with y = 1 - x."""
        with np.errstate(divide="ignore", under="ignore"):
            logs = xlogy(self.a - 1.0, x) + xlogy(self.b - 1.0, y) - betaln(self.a, self.b)
            return np.asarray(np.exp(logs), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class BetaDifference(Distribution):
    """The difference of two independent proportions with beta distributions.

    Parameters
    ----------
    first, second : Beta
        Distributions of the proportions; the difference is the first minus the second.

    Notes
    -----
    With densities f and distribution functions F, P(first - second > t) = integral of f_2(x) (1 - F_1(x + t)) dx, by
    quadrature with an error near 1e-12.

    Examples
    --------
    >>> difference = BetaDifference(Beta(1722, 656), Beta(1638, 740))  # ARC-easy, uniform priors
    >>> round(difference.above(0.0), 6), round(difference.above(0.01), 6)
    (0.996276, 0.972497)
    """

    first: Beta
    second: Beta

    @property
    def mean(self) -> float:
        """Expected difference."""
        return self.first.mean - self.second.mean

    @property
    def sd(self) -> float:
        """Standard deviation of the difference."""
        return math.sqrt(self.first.variance + self.second.variance)

    @property
    def support(self) -> tuple[float, float]:
        """-1 and 1."""
        return -1.0, 1.0

    @property
    def unimodal(self) -> bool:
        """True where both densities are log-concave, as then is that of the difference (Prekopa, 1973)."""
        return min(self.first.a, self.first.b, self.second.a, self.second.b) >= 1.0

    def above(self, x: float) -> float:
        """P(first - second > x)."""
        if x >= 1.0 or x <= -1.0:
            return float(x <= -1.0)
        low, high = max(0.0, -x), min(1.0, 1.0 - x)
        value = self._over(low, high, x, lambda at: betaincc(self.first.a, self.first.b, np.clip(at.x + x, 0.0, 1.0)))
        if x < 0.0:  # where the second is below -x, the difference is above x for certain
            value += float(betainc(self.second.a, self.second.b, -x))
        return min(value, 1.0)

    def below(self, x: float) -> float:
        """P(first - second < x)."""
        return BetaDifference(self.second, self.first).above(-x)

    def density(self, x: float) -> float:
        """Density of the difference at x."""
        if not -1.0 < x < 1.0:
            return 0.0
        if x == 0.0 and min(self.first.a + self.second.a, self.first.b + self.second.b) <= 1.0:
            return math.inf
        low, high = max(0.0, -x), min(1.0, 1.0 - x)

        def first(at: Nodes) -> Values:
            share = at.from_low if x < 0.0 else at.x + x
            return self.first.density(share, at.to_high if x > 0.0 else at.rest - x)

        return self._over(low, high, x, first)

    def _over(self, low: float, high: float, shift: float, of_first: Callable[[Nodes], Values]) -> float:
        """Integrate the density of the second times a function of the first, over the values of the second."""
        breaks = spread(self.second.mean, self.second.sd) + spread(self.first.mean - shift, self.first.sd)
        return integrate_over_panels(lambda at: self.second.density(at.x, at.rest) * of_first(at), low, high, breaks)


def beta_binomial(right: RightOf, prior: Beta | None = None) -> BetaDifference:
    """Posterior of the difference of two proportions, each with the same independent beta prior.

    Parameters
    ----------
    right : RightOf
        a of n_a and b of n_b.
    prior : Beta, optional
        Of either proportion; Beta(1, 1), the uniform distribution, if it is not given.

    Returns
    -------
    BetaDifference
        Of A minus B, in proportions.

    Notes
    -----
    Assumes that the instances are independent, and the two samples too: where both systems were scored on the same
    instances, the paired model (`reportkit.bayes.paired_binary`) is the right one. Sadat Azer et al. (2020),
    section 4.3, where the model is approximated by Markov chains; this is exact.

    Examples
    --------
    >>> posterior = beta_binomial(RightOf(566, 1172, 496, 1172))  # ARC-challenge
    >>> round(posterior.above(0.0), 6)
    0.998158
    """
    prior = Beta(1.0, 1.0) if prior is None else prior
    return BetaDifference(prior.updated(right.a, right.n_a), prior.updated(right.b, right.n_b))
