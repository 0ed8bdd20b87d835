"""Degrees of freedom of a sum of variances that are known from few observations each."""

from __future__ import annotations

from collections.abc import Sequence


def satterthwaite(parts: Sequence[tuple[float, float]]) -> float:
    """Satterthwaite's approximation: (sum v)^2 / sum (v^2 / f) for independent variances v with f degrees of freedom.

    Parameters
    ----------
    parts : sequence of (variance, degrees of freedom)
        Not all variances 0.

    Notes
    -----
    Satterthwaite (1946), "An approximate distribution of estimates of variance components".

    Examples
    --------
    >>> satterthwaite([(1.0, 4), (1.0, 4)]), satterthwaite([(1.0, 4), (0.0, 9)])
    (8.0, 4.0)
    """
    largest = max(variance for variance, _ in parts)  # so that squares do not underflow
    shares = [(variance / largest, freedom) for variance, freedom in parts if variance > 0]
    return float(sum(share for share, _ in shares) ** 2 / sum(share**2 / freedom for share, freedom in shares))
