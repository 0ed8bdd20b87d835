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


def costly_rows(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Of which rows the exact tail of a sign flip takes long.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_units)
        Differences of instances, or their sums over clusters.

    Examples
    --------
    >>> costly_rows(np.array([np.arange(1.0, 41.0), np.ones(40)])), costly_rows(np.arange(1.0, 101.0)[None, :])
    (array([ True, False]), array([False]))
    """
    differing = np.count_nonzero(rows, axis=1)
    costly = (differing >= _FEWEST) & (differing <= _MOST)
    sizes = np.sort(np.abs(rows[costly]), axis=1)
    changes = np.count_nonzero(sizes[:, 1:] != sizes[:, :-1], axis=1)  # zero is a size, if it occurs
    costly[costly] = changes + (sizes[:, :1] > 0.0).any(axis=1) > _FEW_VALUES
    return np.asarray(costly)


def drawn_p_values(sums: NDArray[np.float64], n_resamples: int, rng: np.random.Generator) -> tuple[float, float]:
    """One-sided p-values of a sign flip from random patterns, (s + 1) / (b + 1), for a positive and a negative sum."""
    drawn = sign_flip_monte_carlo(sums[sums != 0], n_resamples=n_resamples, rng=rng)
    return drawn.p_greater, drawn.p_less
