"""Right or wrong on the same instances: a Dirichlet posterior of the cells of the two-by-two table."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import betainc, betaincc

from reportkit.bayes.beta_binomial import Beta
from reportkit.bayes.distribution import Distribution
from reportkit.bayes.panels import Nodes, Values, integrate_over_panels, spread
from reportkit.errors import SettingsError

_AROUND = (-7.0, -4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0, 7.0)


@dataclass(frozen=True, slots=True)
class DirichletDifference(Distribution):
    """The difference of two of the three shares of a Dirichlet distribution.

    The shares are: only A is right, only B is right, and the rest; the difference of the first two is that of the two
    accuracies.

    Parameters
    ----------
    only_a, only_b, rest : float
        Parameters of the distribution, positive.

    Notes
    -----
    The share of discordant instances u ~ Beta(only_a + only_b, rest) and A's part of it v ~ Beta(only_a, only_b) are
    independent, and the difference is u (2 v - 1). So P(difference > 0) = P(v > 1/2) in closed form, and
    P(difference > t) is one integral over u, by quadrature with an error near 1e-12.

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
    def discordant(self) -> Beta:
        """Distribution of the share of instances on which only one system is right."""
        return Beta(self.only_a + self.only_b, self.rest)

    @property
    def part(self) -> Beta:
        """Distribution of the part of these on which it is A."""
        return Beta(self.only_a, self.only_b)

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

    @property
    def unimodal(self) -> bool:
        """True where the density of the cells is log-concave, as then is that of the difference (Prekopa, 1973)."""
        return min(self.only_a, self.only_b, self.rest) >= 1.0

    def above(self, x: float) -> float:
        """P(difference > x)."""
        return _above(self, x)

    def below(self, x: float) -> float:
        """P(difference < x)."""
        return DirichletDifference(self.only_b, self.only_a, self.rest).above(-x)

    def density(self, x: float) -> float:
        """Density of the difference at x."""
        if not -1.0 < x < 1.0:
            return 0.0
        if x == 0.0 and self.discordant.a <= 1.0:
            return math.inf

        def of_part(at: Nodes) -> Values:
            less, more = at.from_low / (2.0 * at.x), (at.x + abs(x)) / (2.0 * at.x)
            a, b = (less, more) if x < 0.0 else (more, less)
            return np.asarray(self.part.density(a, b) / (2.0 * at.x), dtype=np.float64)

        return self.over(x, of_part)

    def over(self, x: float, of_part: Callable[[Nodes], Values]) -> float:
        """Integrate over the share of discordant instances."""
        discordant, part = self.discordant, self.part
        slopes = [2.0 * (part.mean + k * part.sd) - 1.0 for k in _AROUND]
        breaks = spread(discordant.mean, discordant.sd) + [x / slope for slope in slopes if slope]
        return integrate_over_panels(lambda at: discordant.density(at.x, at.rest) * of_part(at), abs(x), 1.0, breaks)


@lru_cache(maxsize=4096)  # a report has Bayes factors under dozens of priors, and asks again for every layout
def _above(difference: DirichletDifference, x: float) -> float:
    if x >= 1.0 or x <= -1.0:
        return float(x <= -1.0)
    discordant, part = difference.discordant, difference.part
    if x == 0.0:
        return float(betaincc(part.a, part.b, 0.5))
    value = difference.over(x, lambda at: betaincc(part.a, part.b, np.clip(0.5 + x / (2.0 * at.x), 0.0, 1.0)))
    if x < 0.0:  # with fewer discordant instances than -x, the difference is above x for certain
        value += float(betainc(discordant.a, discordant.b, -x))
    return min(value, 1.0)


def paired_binary(n_only_a: int, n_only_b: int, n: int, prior: float = 1.0) -> DirichletDifference:
    """Posterior of the difference of two accuracies on the same instances.

    Parameters
    ----------
    n_only_a, n_only_b : int
        Instances on which only A is right, and only B (McNemar's b and c).
    n : int
        All instances.
    prior : float
        a of the prior Dirichlet(a, a, 2 a) of (only A right, only B right, both or neither): a cell of the two-by-two
        table counts as `a` instances seen before. 1 is the uniform distribution of the four cells.

    Returns
    -------
    DirichletDifference
        Of A minus B, in proportions.

    Raises
    ------
    SettingsError
        If `prior` is not positive.

    Notes
    -----
    Assumes that the instances are independent. Under any such prior the posterior is conjugate (Gelman et al. (2013),
    "Bayesian data analysis", section 3.4).

    Examples
    --------
    >>> posterior = paired_binary(30, 15, 500)
    >>> round(posterior.above(0.0), 6)
    0.987052
    """
    if not (math.isfinite(prior) and prior > 0):
        raise SettingsError(
            f"{prior!r} is no prior of a cell",
            remedy="give one positive number: how many instances a cell counts as, before the data",
        )
    if n_only_a < 0 or n_only_b < 0 or n < n_only_a + n_only_b:
        raise ValueError(f"{n_only_a} and {n_only_b} of {n} instances are no discordant cells")
    return DirichletDifference(prior + n_only_a, prior + n_only_b, 2.0 * prior + (n - n_only_a - n_only_b))
