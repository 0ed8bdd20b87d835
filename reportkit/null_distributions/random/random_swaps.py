"""Swaps of the rows of two systems, and a function of the sums: all swaps where they are few, or random ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.special import binom, gammaln

from reportkit.null_distributions.products import ExactColumns, exact_product

Floats = NDArray[np.float64]

_CELLS = 1 << 20

_MOST_SWAPS = 1 << 20
"""So many essentially different swaps are enumerated: of 20 rows that differ, each in its own way."""

_BLOCK = 1 << 15


def all_swaps(a: Floats, b: Floats, metric: Callable[[Floats], Floats]) -> Iterator[tuple[Floats, Floats]] | None:
    """Enumerate metric(A') - metric(B') over all swaps of the rows of A and B by fair coins.

    Of rows whose swap changes the sums alike, only the number of swapped ones matters, which is binomial: 200 instances
    with right or wrong labels have a few thousand swaps.

    Parameters
    ----------
    a, b : ndarray of shape (n, k)
        Counts per unit.
    metric : callable
        From sums of shape (..., k) to values of shape (...).

    Returns
    -------
    iterator of (ndarray, ndarray) or None
        Probabilities and differences, in blocks; a difference is NaN where the metric is undefined for one of the two.
        None if there are too many different swaps.

    Examples
    --------
    >>> a, b = np.array([[1.0], [1.0], [2.0]]), np.array([[0.0], [0.0], [2.0]])
    >>> [(probabilities, differences)] = all_swaps(a, b, lambda sums: sums[..., 0])
    >>> differences, probabilities.round(12)
    (array([-2.,  0.,  2.]), array([0.25, 0.5 , 0.25]))
    """
    moved = (a - b)[(a != b).any(axis=1)]
    first = moved[np.arange(len(moved)), (moved != 0).argmax(axis=1)]
    kinds, times = np.unique(moved * np.sign(first)[:, None] + 0.0, axis=0, return_counts=True)
    shape = tuple((times + 1).tolist())
    if math.prod(shape) > _MOST_SWAPS:
        return None
    total = a.sum(axis=0) + b.sum(axis=0)
    lowest = (total - times @ kinds) / 2.0
    chances = [_fair(int(number)) for number in times]

    def blocks() -> Iterator[tuple[Floats, Floats]]:
        for start in range(0, math.prod(shape), _BLOCK):
            counts = np.unravel_index(np.arange(start, min(start + _BLOCK, math.prod(shape))), shape)
            probabilities = np.prod([chance[count] for chance, count in zip(chances, counts, strict=True)], axis=0)
            sums = lowest + np.stack(counts, axis=1) @ kinds
            yield probabilities, metric(sums) - metric(total - sums)

    return blocks()


def _fair(n: int) -> Floats:
    """Probabilities of 0, ..., n heads of n fair coins."""
    heads = np.arange(n + 1.0)
    if n <= 1000:  # to the last bit
        return np.ldexp(binom(n, heads), -n)
    return np.asarray(np.exp(gammaln(n + 1.0) - gammaln(heads + 1.0) - gammaln(n - heads + 1.0) - n * math.log(2.0)))


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
