"""Random resamples of units, from streams that names and seed determine, and exact sums over them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CELLS = 1 << 20
"""Counts drawn at a time."""
KEPT = 160
"""Blocks of counts kept for the next pair of systems: 48,000 resamples of a test set of 3,000 sentences."""
_DRAWN = 1 << 16  # units drawn before they are counted, so that they stay in the cache


@lru_cache(maxsize=1024)
def hash64(*names: str) -> int:
    """Hash of names that is the same in every process: 64 bits of BLAKE2b, each name with its length.

    Examples
    --------
    >>> hash64("news", "bleu") == hash64("newsb", "leu")
    False
    """
    digest = hashlib.blake2b(digest_size=8)
    for name in names:
        encoded = name.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return int.from_bytes(digest.digest(), "big")


class ExactColumns:
    """Columns whose sums over resamples are the same bits on every processor.

    Kernels of linear algebra add in different orders, so that sums of floating-point numbers differ in their last
    bits, and with them a comparison of two statistics that are equal. Each column is therefore written as two parts on
    grids of powers of two, so coarse that every sum of at most `total` values is exact in double precision, in any
    order; the parts are added at the end, with one rounding. Small whole numbers are exact in single precision.

    Parameters
    ----------
    columns : ndarray of shape (n, k)
        What is summed; finite.
    total : int
        Largest sum of the weights of a row, such as the number of draws of a resample.

    Notes
    -----
    What the two grids cannot hold is below total^2 2^-106 of the largest value of a column for each value summed.
    Demmel and Nguyen (2015), "Parallel reproducible summation", IEEE Transactions on Computers 64, section 3, split
    summands in the same way.

    Examples
    --------
    >>> thirds = ExactColumns(np.array([[1.0], [2.0], [4.0]]) / 3, total=3)
    >>> thirds.weighted(np.array([[1, 1, 0], [0, 0, 3], [3, 0, 0]]))
    array([[1.],
           [4.],
           [1.]])
    """

    def __init__(self, columns: NDArray[np.float64], total: int) -> None:
        whole = bool((columns == np.round(columns)).all())
        self._single = whole and total * float(np.abs(columns).max(initial=0.0)) < 2**24
        high = _on_grid(columns, total)
        parts = columns.astype(np.float32) if self._single else np.hstack((high, _on_grid(columns - high, total)))
        self._parts: NDArray[Any] = parts

    def weighted(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """Sums weighted by whole numbers of shape (b, n), none negative; shape (b, k)."""
        parts = (weights.astype(self._parts.dtype) @ self._parts).astype(np.float64)
        if self._single:
            return np.asarray(parts)
        k = parts.shape[1] // 2
        return np.asarray(parts[:, :k] + parts[:, k:])


def _on_grid(columns: NDArray[np.float64], total: int) -> NDArray[np.float64]:
    """Each column to a power of two so large that `total` times its largest value is below 2^53 steps."""
    largest = np.abs(columns).max(axis=0, initial=0.0)
    exponents = np.frexp(largest)[1] + int(np.frexp(float(total))[1]) - 53
    return np.asarray(np.ldexp(np.rint(np.ldexp(columns, -exponents)), exponents))


@lru_cache(maxsize=KEPT)
def drawn_counts(key: tuple[int, ...], n: int, block: int, rows: int) -> NDArray[np.uint8]:
    """Return how often each of n units is drawn in `rows` resamples of size n, for one block of resamples.

    Examples
    --------
    >>> drawn_counts((7,), 5, 0, 3).sum(axis=1).tolist()
    [5, 5, 5]
    """
    rng = np.random.default_rng(np.random.SeedSequence((*key, n, block)))
    counts = np.empty((rows, n), dtype=np.uint8)
    at_once = max(1, _DRAWN // n)
    for first in range(0, rows, at_once):
        part = counts[first : first + at_once]
        drawn = rng.integers(0, n, size=part.shape, dtype=np.int64) + n * np.arange(len(part))[:, None]
        part[:] = np.bincount(drawn.ravel(), minlength=part.size).reshape(part.shape)
    return counts


def resample_counts(
    key: tuple[int, ...], n: int, start: int, stop: int, *, cells: int = CELLS, most_rows: int = 1 << 12
) -> Iterator[NDArray[np.uint8]]:
    """Yield how often each of n units is drawn in resamples start to stop, in blocks of at most so many counts.

    Resample number i is the same for all data of n units with the same key; its counts are kept for the next pair of
    systems.
    """
    rows = max(1, min(cells // n, most_rows))
    while start < stop:
        block, first = divmod(start, rows)
        last = min(rows, first + stop - start)
        yield drawn_counts(key, n, block, rows)[first:last]
        start += last - first
