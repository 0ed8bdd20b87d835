"""Sign flips of so many units that going through all patterns takes long, and so few that no other exact way is open.

Once per pair of systems that is no matter; in thousands of simulated samples random patterns are drawn instead, which
give a valid p-value too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions import sign_flip_monte_carlo

_FEWEST, _MOST = 31, 44
"""Numbers of differing units for which the exact tail takes 3 to 300 milliseconds; elsewhere about one."""

_FEW_VALUES = 8
"""So few distinct absolute values make the exact tail quick at any number of units."""


def is_costly(sums: NDArray[np.float64]) -> bool:
    """Whether the exact tail of a sign flip takes long.

    Parameters
    ----------
    sums : ndarray of shape (n_units,)
        Differences of instances, or their sums over clusters.

    Examples
    --------
    >>> is_costly(np.arange(1.0, 41.0)), is_costly(np.ones(40)), is_costly(np.arange(1.0, 101.0))
    (True, False, False)
    """
    differing = np.abs(sums[sums != 0])
    return _FEWEST <= differing.size <= _MOST and np.unique(differing).size > _FEW_VALUES


def drawn_p_values(sums: NDArray[np.float64], n_resamples: int, rng: np.random.Generator) -> tuple[float, float]:
    """One-sided p-values of a sign flip from random patterns, (s + 1) / (b + 1), for a positive and a negative sum."""
    drawn = sign_flip_monte_carlo(sums[sums != 0], n_resamples=n_resamples, rng=rng)
    return drawn.p_greater, drawn.p_less
