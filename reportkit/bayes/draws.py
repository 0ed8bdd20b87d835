"""A distribution known by random draws from it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.distribution import Distribution


@dataclass(frozen=True, slots=True, eq=False)
class Draws(Distribution):
    """Independent draws of the difference, in increasing order.

    Parameters
    ----------
    values : ndarray of shape (n_draws,)
        Sorted.

    Examples
    --------
    >>> draws = Draws(np.array([-1.0, 0.0, 1.0, 2.0]))
    >>> draws.above(0.0), draws.below(0.0), draws.inside(0.0, 1.0), draws.hits(0.0, 1.0)
    (0.5, 0.25, 0.5, 2)
    """

    values: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.values.size < 2 or not np.isfinite(self.values).all() or (np.diff(self.values) < 0).any():
            raise ValueError("draws have to be finite, sorted, and at least two")

    @property
    def n_draws(self) -> int:
        """Number of draws."""
        return int(self.values.size)

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

    def hits(self, low: float, high: float) -> int:
        """Draws with low <= draw <= high."""
        first = int(np.searchsorted(self.values, low, "left"))
        return max(int(np.searchsorted(self.values, high, "right")) - first, 0)

    def below(self, x: float) -> float:
        """Share of draws below x."""
        return int(np.searchsorted(self.values, x, "left")) / self.n_draws

    def above(self, x: float) -> float:
        """Share of draws above x."""
        return (self.n_draws - int(np.searchsorted(self.values, x, "right"))) / self.n_draws

    def inside(self, low: float, high: float) -> float:
        """Share of draws with low <= draw <= high."""
        return self.hits(low, high) / self.n_draws

    def density(self, x: float) -> float:
        """Density of the draws in a window of the width that a normal distribution asks for."""
        half = 1.06 * self.sd * self.n_draws**-0.2
        return self.inside(x - half, x + half) / (2.0 * half) if half else math.inf

    def quantile(self, p: float) -> float:
        """Quantile of the draws, linear between neighbours."""
        return float(np.quantile(self.values, p))

    def standard_error(self, share: float) -> float:
        """Monte Carlo standard error of a share of the draws."""
        return math.sqrt(share * (1.0 - share) / self.n_draws)
