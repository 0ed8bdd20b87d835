"""Ordinal scores on different instances: the Bayesian bootstrap of the probability of a higher rating."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.draws import Draws

N_DRAWS = 100_000


def ordinal_levels(a: NDArray[np.float64], b: NDArray[np.float64], *, n_draws: int = N_DRAWS, seed: int = 0) -> Draws:
    """Draw from the posterior of P(a > b) - P(a < b) for two independent samples of ordinal scores.

    The share of each level that was seen in a sample is Dirichlet distributed with its count as parameter: the Bayesian
    bootstrap of either sample.

    Parameters
    ----------
    a, b : ndarray of shape (n_a,), (n_b,)
        Levels; their distances play no role.
    n_draws : int
        Draws.
    seed : int
        Of the draws.

    Notes
    -----
    Assumes independent instances and independent samples. Rubin (1981), "The Bayesian bootstrap".

    Examples
    --------
    >>> draws = ordinal_levels(np.array([3.0, 4.0, 5.0, 5.0]), np.array([1.0, 2.0, 3.0, 4.0]))
    >>> draws.above(0.0) > 0.9
    True
    """
    levels_a, counts_a = np.unique(a, return_counts=True)
    levels_b, counts_b = np.unique(b, return_counts=True)
    order = np.sign(levels_a[:, None] - levels_b)
    rng = np.random.default_rng(seed)
    shares_a = rng.dirichlet(counts_a, n_draws)
    shares_b = rng.dirichlet(counts_b, n_draws)
    return Draws(np.sort(((shares_a @ order) * shares_b).sum(axis=1)))
