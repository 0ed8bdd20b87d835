"""Random resamples of corpus metrics, bootstrap draws and swaps, from streams that names and seed determine."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import binom, gammaln

Floats = NDArray[np.float64]

_CELLS = 1 << 20  # counts drawn at a time
_MOST_ROWS = 1 << 12
_DRAWN = 1 << 16  # units drawn before they are counted, so that they stay in the cache
_SHARED = 10_000  # resamples computed for all systems of a dataset at once; further ones for those that need them
_MOST_SWAPS = 1 << 20  # essentially different swaps that are enumerated: of 20 rows that differ, each in its own way
_BLOCK = 1 << 15


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
    order; the parts are added at the end, with one rounding.

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
        high = _on_grid(columns, total)
        self._parts = np.hstack((high, _on_grid(columns - high, total)))

    def weighted(self, weights: NDArray[Any]) -> NDArray[np.float64]:
        """Sums weighted by whole numbers of shape (b, n), none negative; shape (b, k)."""
        parts = weights.astype(np.float64) @ self._parts
        k = parts.shape[1] // 2
        return np.asarray(parts[:, :k] + parts[:, k:])


def _on_grid(columns: NDArray[np.float64], total: int) -> NDArray[np.float64]:
    """Each column to a power of two so large that `total` times its largest value is below 2^53 steps."""
    largest = np.abs(columns).max(axis=0, initial=0.0)
    exponents = np.frexp(largest)[1] + int(np.frexp(float(total))[1]) - 53
    return np.asarray(np.ldexp(np.rint(np.ldexp(columns, -exponents)), exponents))


class MetricResamples:
    """Values of a metric on bootstrap resamples of n units, for several systems.

    Parameters
    ----------
    statistics : ndarray of shape (n_systems, n, k)
        Counts of each system, unit by unit.
    metric : callable
        Sums of shape (..., k) -> values of shape (...).
    key : tuple of int
        Of the random stream: resample number i is the same for all data of n units with the same key.
    """

    def __init__(self, statistics: Floats, metric: Callable[[Floats], Floats], key: tuple[int, ...]) -> None:
        self._metric, self._key = metric, key
        n = statistics.shape[1]
        self._whole = bool((statistics == np.round(statistics)).all()) and n * float(np.abs(statistics).max()) < 2**24
        self._columns = np.ascontiguousarray(statistics.transpose(1, 0, 2))
        self._rows = max(1, min(_CELLS // n, _MOST_ROWS))
        self._kept: dict[int, Floats] = {}

    def values(self, systems: Sequence[int], start: int, stop: int) -> Floats:
        """Return the values of some systems on resamples start to stop, shape (n_systems, stop - start)."""
        found = []
        while start < stop:
            block, first = divmod(start, self._rows)
            last = min(self._rows, first + stop - start)
            if block * self._rows < _SHARED:
                if block not in self._kept:
                    self._kept[block] = self._block(block, range(self._columns.shape[1]))
                found.append(self._kept[block][list(systems), first:last])
            else:
                found.append(self._block(block, systems)[:, first:last])
            start += last - first
        return np.concatenate(found, axis=1)

    def _block(self, block: int, systems: Sequence[int]) -> Floats:
        weights = drawn_counts(self._key, len(self._columns), block, self._rows)
        values = np.empty((len(systems), self._rows))
        for place, system in enumerate(systems):
            columns: NDArray[Any] = self._columns[:, system]
            if self._whole:
                sums = (weights.astype(np.float32) @ columns.astype(np.float32)).astype(np.float64)
            else:
                sums = ExactColumns(columns, total=len(columns)).weighted(weights)
            values[place] = self._metric(sums)
        return values


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
    """Return the probabilities of 0, ..., n heads of n fair coins."""
    heads = np.arange(n + 1.0)
    if n <= 1000:  # to the last bit
        return np.ldexp(binom(n, heads), -n)
    return np.asarray(np.exp(gammaln(n + 1.0) - gammaln(heads + 1.0) - gammaln(n - heads + 1.0) - n * math.log(2.0)))


def swapped_differences(
    a: Floats, b: Floats, metric: Callable[[Floats], Floats], *, rng: np.random.Generator, n_resamples: int
) -> Iterator[Floats]:
    """Return the differences metric(A') - metric(B') after swapping the rows of A and B by fair coins, in blocks.

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
        change = (chosen.astype(np.float32) @ single).astype(float) if whole else columns.weighted(chosen)
        yield (metric(sum_a + change) - metric(sum_b - change))[:n_resamples]
        n_resamples -= rows
