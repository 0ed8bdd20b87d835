"""A distribution known by the draws of Markov chains, which are not independent."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.draws import Draws
from reportkit.chains import extra


@dataclass(frozen=True, slots=True, eq=False)
class ChainDraws(Draws):
    """Draws of several chains.

    Parameters
    ----------
    values : ndarray of shape (n_chains * n_draws,)
        All of them, sorted.
    chains : ndarray of shape (n_chains, n_draws)
        The same, as they were drawn.
    """

    chains: NDArray[np.float64]

    @classmethod
    def of_chains(cls, chains: NDArray[np.float64]) -> ChainDraws:
        """Sort the draws of shape (n_chains, n_draws)."""
        return cls(np.sort(chains, axis=None) + 0.0, chains + 0.0)

    def swapped(self) -> ChainDraws:
        """Return the draws of B minus A."""
        return ChainDraws.of_chains(0.0 - self.chains)

    def worth(self, event: NDArray[np.bool_]) -> float:
        """Effective sample size of the share of draws in which an event happens, never more than there are draws.

        Parameters
        ----------
        event : ndarray of bool of shape (n_chains, n_draws)
            Whether it happens.

        Notes
        -----
        Where it happens in all draws or in none, that of the draws themselves is returned.
        """
        arviz = extra.arviz()
        varies = bool(event.any()) and not bool(event.all())
        found = (
            _single(arviz.ess(event.astype(np.float64), method="mean"))
            if varies
            else _single(arviz.ess(self.chains, method="bulk"))
        )
        return min(max(found, 1.0), float(self.chains.size)) if math.isfinite(found) else 1.0

    def error_of_share(self, event: NDArray[np.bool_]) -> float:
        """Monte Carlo standard error of the share of draws in which an event happens.

        Half a draw is added on either side, so that the error is not 0 where all draws or none of them have it.
        """
        n = self.chains.size
        share = (float(np.count_nonzero(event)) + 0.5) / (n + 1.0)
        return math.sqrt(share * (1.0 - share) / self.worth(event))

    def error_above(self, x: float) -> float:
        """Monte Carlo standard error of `above(x)`."""
        return self.error_of_share(self.chains > x)

    def error_of_mean(self) -> float:
        """Monte Carlo standard error of the mean."""
        return _single(extra.arviz().mcse(self.chains, method="mean"))

    def error_of_quantile(self, x: float) -> float:
        """Monte Carlo standard error of the quantile that is x."""
        below = min(max(self.below(x), 1.0 / self.n_draws), 1.0 - 1.0 / self.n_draws)
        return _single(extra.arviz().mcse(self.chains, method="quantile", prob=below))

    def standard_error(self, share: float) -> float:
        """Monte Carlo standard error of the share of draws above a point that this share of them is above."""
        return self.error_above(self.quantile(min(max(1.0 - share, 0.0), 1.0)))


def _single(value: Any) -> float:
    """A number that ArviZ returns as such, or as an array of one."""
    return float(np.asarray(value).reshape(-1)[0])


@dataclass(frozen=True, slots=True, eq=False)
class WorthDraws(Draws):
    """Draws that count as fewer: those of Markov chains, by their effective sample size for one hypothesis.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Sorted.
    effective : int
        Number of independent draws that are worth as much.
    """

    effective: int

    @property
    def n_draws(self) -> int:
        """Number of independent draws that are worth as much."""
        return self.effective

    def hits(self, low: float, high: float) -> int:
        """Draws with low <= draw <= high, of the effective ones."""
        return round(self.inside(low, high) * self.effective)

    def below(self, x: float) -> float:
        """Share of draws below x."""
        return int(np.searchsorted(self.values, x, "left")) / self.values.size

    def above(self, x: float) -> float:
        """Share of draws above x."""
        return (self.values.size - int(np.searchsorted(self.values, x, "right"))) / self.values.size

    def inside(self, low: float, high: float) -> float:
        """Share of draws with low <= draw <= high."""
        return max(1.0 - self.below(low) - self.above(high), 0.0)
