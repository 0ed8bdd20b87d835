"""Approximate randomization of a function of sums: the rows of two systems are swapped at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.products import ExactColumns, exact_product

Floats = NDArray[np.float64]

_CELLS = 1 << 20


def swapped_differences(
    a: Floats, b: Floats, metric: Callable[[Floats], Floats], *, rng: np.random.Generator, n_resamples: int
) -> Iterator[Floats]:
    """Differences metric(A') - metric(B') after swapping the rows of A and B by fair coins, in blocks.

    Parameters
    ----------
    a, b : ndarray of shape (n, k)
        Counts per unit.
    metric : callable
        From sums of shape (..., k) to values of shape (...).
    rng : numpy.random.Generator
        One bit is drawn per unit on which A and B differ and resample.
    n_resamples : int
        Number of random swaps.

    Yields
    ------
    ndarray of shape (number of resamples,)
        NaN where the metric is undefined for one of the two.

    Examples
    --------
    >>> a, b = np.array([[1.0], [1.0]]), np.array([[0.0], [0.0]])
    >>> drawn = np.concatenate(list(swapped_differences(a, b, lambda sums: sums[..., 0], n_resamples=1000,
    ...                                                  rng=np.random.default_rng(1))))
    >>> np.unique(drawn), bool(abs((drawn == 2).mean() - 0.25) < 0.05)
    (array([-2.,  0.,  2.]), True)
    """
    differs = (a != b).any(axis=1)
    moved = (b - a)[differs]
    sum_a, sum_b = a.sum(axis=0), b.sum(axis=0)
    n = len(moved)
    n_bytes = -(-n // 8)
    whole = bool((moved == np.round(moved)).all()) and n * float(np.abs(moved).max(initial=0.0)) < 2**24
    single, columns = moved.astype(np.float32), ExactColumns(moved, total=n)
    rows = max(1, _CELLS // max(8 * n_bytes, 1))
    while n_resamples > 0:
        bits = rng.integers(0, 256, size=(rows, n_bytes), dtype=np.uint8)  # always whole blocks: the stream goes on
        chosen = np.unpackbits(bits, axis=1, count=n)
        change = exact_product(chosen.astype(np.float32), single).astype(float) if whole else columns.weighted(chosen)
        yield (metric(sum_a + change) - metric(sum_b - change))[:n_resamples]
        n_resamples -= rows
