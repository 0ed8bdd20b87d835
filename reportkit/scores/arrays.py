"""Means, differences and codes of arrays of scores."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SIGNIFICANT_DIGITS = 12
"""Differences are rounded to so many significant digits of the largest score: 0.3 - 0.1 is then equal to 0.2."""

_SPREAD = 8
"""Range of codes, for each of them, up to which counting them is quicker than sorting."""


def weighted_mean(values: Floats, weights: Floats | None) -> float:
    """Return the (weighted) mean."""
    return float(values.mean() if weights is None else np.average(values, weights=weights))


def same_runs(a: Floats, b: Floats) -> bool:
    """Whether two sets of runs are the same, in whatever order, or all runs of both are alike.

    Parameters
    ----------
    a, b : ndarray of shape (n_runs, n) or (n_runs,)
        Runs of A and of B.
    """
    one, other = (np.ascontiguousarray(rows.reshape(len(rows), -1)) + 0.0 for rows in (a, b))
    if len(one) != len(other):
        return bool((one == one[0]).all() and (other == one[0]).all())
    if (np.sort(one.sum(axis=1)) != np.sort(other.sum(axis=1))).any():
        return False
    return sorted(row.tobytes() for row in one) == sorted(row.tobytes() for row in other)


def paired_differences(a: Floats, b: Floats) -> Floats:
    """Differences a - b, rounded to 12 significant digits of the largest score.

    Without it, 0.3 - 0.1 and 0.2 are different, and ties and zeros are miscounted.

    Examples
    --------
    >>> paired_differences(np.array([0.3, 1.0]), np.array([0.1, 0.8]))
    array([0.2, 0.2])
    """
    return _rounded(a - b, max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0))))


def _rounded(values: Floats, scale: float) -> Floats:
    if scale == 0 or not math.isfinite(scale) or values.size == 0:
        return values
    exponent = math.floor(math.log10(scale))
    decimals = SIGNIFICANT_DIGITS - 1 - exponent
    if abs(decimals) > 290:  # 10**decimals would overflow: bring the values near 1 first
        shift = -exponent
        half = shift // 2
        scaled = values * 10.0**half * 10.0 ** (shift - half)
        return np.asarray(
            np.round(scaled, SIGNIFICANT_DIGITS - 1) / 10.0**half / 10.0 ** (shift - half), dtype=np.float64
        )
    return np.asarray(np.round(values, decimals), dtype=np.float64)


def close_together(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return codes from 0 that are alike where the given ones are; not all occur, but they can be counted.

    Examples
    --------
    >>> close_together(np.array([7, 3, 7])), close_together(np.array([-(10**9), 10**9]))
    (array([4, 0, 4]), array([0, 1]))
    """
    low, high = (int(codes.min()), int(codes.max())) if codes.size else (0, 0)
    if high - low > _SPREAD * codes.size:
        return np.unique(codes, return_inverse=True)[1].ravel()
    return codes - low


def n_different(codes: NDArray[np.int64]) -> int:
    """Return the number of different codes."""
    return int(np.count_nonzero(np.bincount(close_together(codes))))
