"""Bayesian bootstrap of a mean difference, without draws: exact tails by an integral in the complex plane."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.distribution import Distribution, turned_round
from reportkit.bayes.normal_scores import NormalScores
from reportkit.errors import DesignError
from reportkit.intervals.means.units import sorted_units
from reportkit.scores.shapes.paired_scores import PairedScores

Values = NDArray[np.float64]
Complexes = NDArray[np.complex128]

_STEP = 0.06
_NEGLIGIBLE = -40.0
"""Log of what is left out beyond the last node, relative to the first."""

_MANY = 100
"""Groups from which on the quantiles are found on a polynomial."""

_NOTHING = 1e-14
"""A term below this part of the largest one is nothing."""

_NO_SPREAD = 1e-12
"""Deviations below this part of the largest difference are the noise of floating-point arithmetic."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DirichletMean(Distribution):
    """The mean of units with random weights: sum g S / sum g W, g independent gamma variables.

    Parameters
    ----------
    sums, sizes : ndarray of shape (n_groups,)
        S and W of the units, those that are alike once: summed differences, and numbers of instances (positive).
    counts : ndarray of shape (n_groups,)
        How many units are alike: shape of the gamma variable of the group.
    known : dict
        A polynomial for the quantiles, where there are many groups; not an argument.

    Notes
    -----
    P(mean > t) = P(sum g c > 0) with c = S - t W, and the sum has the moment generating function prod (1 - c z)^(-k).
    Its tail is an integral along a vertical line, summed by the trapezoidal rule after y = a sinh(s); the line goes
    through the saddle point, so that small probabilities have small relative errors too (about 1e-10).

    Examples
    --------
    Two units: the weight of the second is uniform, and the mean with it.

    >>> mean = DirichletMean(sums=np.array([0.0, 1.0]), sizes=np.ones(2), counts=np.ones(2))
    >>> round(mean.above(0.75), 9), round(mean.density(0.4), 9)
    (0.25, 1.0)
    """

    sums: Values
    sizes: Values
    counts: Values
    known: dict[str, NormalScores | None] = field(default_factory=dict, init=False, repr=False)

    @property
    def _equal_sizes(self) -> bool:
        return bool((self.sizes == self.sizes[0]).all())

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

    @property
    def unimodal(self) -> bool:
        """True if all units have the same size: then the density is log-concave (Prekopa, 1973)."""
        return self._equal_sizes

    def above(self, x: float) -> float:
        """P(mean > x)."""
        return self._tail(self.sums - x * self.sizes)

    def below(self, x: float) -> float:
        """P(mean < x)."""
        return self._tail(x * self.sizes - self.sums)

    def _tail(self, c: Values) -> float:
        """P(sum g c > 0)."""
        c = np.where(np.abs(c) <= _NOTHING * np.abs(c).max(), 0.0, c)
        if c.max() <= 0.0 or c.min() >= 0.0:
            return float(c.max() > 0.0)
        c = c / np.abs(c).max()
        saddle = _saddle(c, self.counts)
        if saddle < 0.0:
            return 1.0 - self._tail(-c)
        width = 1.0 / math.sqrt(float(self.counts @ np.square(c / (1.0 - saddle * c))))
        theta = saddle if saddle >= width else saddle + min(width, 0.5 * (1.0 / float(c.max()) - saddle))
        return min(1.0, max(0.0, _along_line(c, self.counts, theta, lambda z, _: 1.0 / z)))

    def quantile(self, p: float) -> float:
        """Value with probability p below it."""
        scores = self._scores()
        if scores is not None and scores.reaches(p):
            return scores.quantile(p)
        return Distribution.quantile(self, p)

    def _scores(self) -> NormalScores | None:
        if self.counts.size < _MANY:
            return None
        if "scores" not in self.known:
            self.known["scores"] = NormalScores.of(self)
        return self.known["scores"]

    def density(self, x: float) -> float:
        """Density of the mean at x."""
        c = self.sums - x * self.sizes
        c = np.where(np.abs(c) <= _NOTHING * np.abs(c).max(), 0.0, c)
        if c.max() <= 0.0 or c.min() >= 0.0:
            return 0.0
        scale = float(np.abs(c).max())
        c = c / scale
        saddle = _saddle(c, self.counts)
        sizes = self.counts * self.sizes / scale / (1.0 - saddle * c)

        def slope(_: Complexes, turns: Values) -> Complexes:
            """Sum k W / (1 - c z)."""
            return ((1.0 + 1j * turns) / (1.0 + np.square(turns))) @ sizes

        return max(0.0, _along_line(c, self.counts, saddle, slope))


def _saddle(c: Values, counts: Values) -> float:
    """Zero of the derivative of the log moment generating function, which increases between its two poles."""
    from scipy.optimize import brentq

    low, high = 1.0 / float(c.min()), 1.0 / float(c.max())
    within = 1e-13 * (high - low)
    weighted = counts * c

    def slope(theta: float) -> float:
        return float((weighted / (1.0 - theta * c)).sum())

    low, high = low + within, high - within
    if slope(low) >= 0.0 or slope(high) <= 0.0:
        return low if slope(low) >= 0.0 else high
    return float(brentq(slope, low, high, xtol=1e-9 * (high - low), rtol=1e-9))


def _along_line(c: Values, counts: Values, theta: float, factor: Callable[[Complexes, Values], Complexes]) -> float:
    """1 / (2 pi i) times the integral of exp(K(z)) factor(z) from theta - i inf to theta + i inf."""
    tilted = 1.0 - theta * c
    steepness = c / tilted
    width = 1.0 / math.sqrt(float(counts @ np.square(steepness)))
    reach = 1.0
    while reach < 60.0 and reach - 0.5 * float(counts @ np.log1p(np.square(width * math.sinh(reach) * steepness))) > (
        _NEGLIGIBLE
    ):
        reach += 0.5
    s = np.arange(math.ceil(reach / _STEP) + 1) * _STEP
    y = width * np.sinh(s)
    turns = y[:, None] * steepness  # 1 - c z = tilted (1 - i turns)
    log_modulus = -float(counts @ np.log(tilted)) - 0.5 * (np.log1p(np.square(turns)) @ counts)
    with np.errstate(under="ignore"):
        powers = np.exp(log_modulus) * np.exp(1j * (np.arctan(turns) @ counts))
        terms = (powers * factor(theta + 1j * y, turns)).real * (width * np.cosh(s))
    terms[0] *= 0.5
    return float(terms.sum()) * _STEP / math.pi


def bayesian_bootstrap(paired: PairedScores) -> Distribution:
    """Posterior of the (weighted) mean difference by the Bayesian bootstrap, clusters as a whole.

    The weights of the independent units (instances, or clusters if there are any) are Dirichlet(1, ..., 1): the
    posterior of the distribution of differences, which is taken to live on the values that were seen, under a prior
    that says nothing. No shape of the differences is assumed.

    Parameters
    ----------
    paired : PairedScores
        A and B on one dataset.

    Returns
    -------
    Distribution
        Of A minus B; exactly turned round if A and B are. Nothing random is in it.

    Raises
    ------
    DesignError
        If there are fewer than two units, or all show the same difference: the posterior would claim certainty.

    Notes
    -----
    Assumes independent units. With n units the posterior is narrower than the t interval by about
    sqrt((n - 1) / (n + 1)), so that with fewer than 20 units the t posterior is more honest. Rubin (1981), "The
    Bayesian bootstrap".

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.9, 0.3]))
    >>> posterior = bayesian_bootstrap(paired)
    >>> round(posterior.mean, 6), round(posterior.above(0.0), 6)
    (0.1, 0.809524)
    """
    units = sorted_units(paired)
    residuals = units.sums - units.sizes * units.mean
    if units.n < 2 or float(np.abs(residuals).max()) <= _NO_SPREAD * float(np.abs(units.sums).max()):
        raise DesignError(
            "all instances (or clusters) show the same difference, or there is one only: the Bayesian bootstrap would "
            "claim\ncertainty",
            where=paired.label,
            remedy="give more, or more finely resolved, scores; right or wrong answers have a posterior in any case "
            "(kind='binary')",
        )
    groups, counts = np.unique(np.column_stack([units.sums, units.sizes]), axis=0, return_counts=True)
    mean = DirichletMean(
        sums=np.ascontiguousarray(groups[:, 0]),
        sizes=np.ascontiguousarray(groups[:, 1]),
        counts=counts.astype(np.float64),
    )
    return turned_round(mean) if units.swapped else mean
