"""Bootstrap over systems: pairs of systems are not independent of each other, systems may be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

FEWEST_SYSTEMS = 6
"""With fewer systems, resamples of them say too little for an interval."""

_WEIGHTS = 1 << 21  # held at once


def pair_multiplicities(
    n_systems: int,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    *,
    n_resamples: int,
    rng: np.random.Generator,
) -> Iterator[NDArray[np.int64]]:
    """Draw systems with replacement; each pair then occurs as often as its two systems do together.

    A pair of a system with itself, drawn twice, is no pair.

    Parameters
    ----------
    n_systems : int
        Number of systems.
    first, second : ndarray of int of shape (n_pairs,)
        Systems of each pair.
    n_resamples : int
        Number of resamples.
    rng : Generator
        Random stream.

    Yields
    ------
    ndarray of int of shape (block, n_pairs)
        Multiplicities, `n_resamples` rows in all.

    Examples
    --------
    >>> rows = next(pair_multiplicities(3, np.array([0, 0, 1]), np.array([1, 2, 2]), n_resamples=4,
    ...                                 rng=np.random.default_rng(0)))
    >>> rows.shape, bool((rows.sum(axis=1) <= 3).all())
    ((4, 3), True)
    """
    step = max(1, _WEIGHTS // max(first.size, 1))
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        counts = rng.multinomial(n_systems, np.full(n_systems, 1 / n_systems), size=size)
        yield counts[:, first] * counts[:, second]
