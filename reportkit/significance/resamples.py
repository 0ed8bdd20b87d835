"""Random resamples and swaps: how many a test draws, from which streams, and exact sums over them."""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import neg
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import binom, gammaln, ndtri

from reportkit.significance.outcome import Outcome
from reportkit.significance.proportions import clopper_pearson_interval

CONFIDENCE = 0.999
"""Confidence of the Clopper-Pearson interval that decides whether more resamples are drawn."""


def is_unstable(count: int, n_resamples: int, thresholds: tuple[float, ...], *, below: float = 1.0) -> bool:
    """Return whether a Monte Carlo p-value could as well lie on the other side of a threshold.

    Parameters
    ----------
    count : int
        Resamples at least as extreme as the observed value.
    n_resamples : int
        Resamples drawn.
    thresholds : tuple of float
        Levels the p-value is compared with, in falling order.
    below : float
        Only smaller ones matter.

    Returns
    -------
    bool
        Whether the 99.9% Clopper-Pearson interval of the p-value holds a threshold.

    Examples
    --------
    >>> is_unstable(480, 9_999, (0.05,)), is_unstable(480, 9_999, (0.05 / 12,))
    (True, False)
    """
    low, high = clopper_pearson(count, n_resamples)
    return _any_within(thresholds, low, min(high, math.nextafter(below, 0.0)))


def _any_within(thresholds: tuple[float, ...], low: float, high: float) -> bool:
    """Return whether one of many thresholds, in falling order, lies between two numbers or is one of them."""
    place = bisect_left(thresholds, -high, key=neg)
    return place < len(thresholds) and thresholds[place] >= low


UNSTABLE = "unstable-p-value"
"""Code of the finding about such an outcome."""


def straddles(outcome: Outcome, thresholds: tuple[float, ...]) -> bool:
    """Return whether the Monte Carlo error of an outcome leaves open on which side of a threshold its p-value lies.

    Parameters
    ----------
    outcome : Outcome
        Result of a test; exact and asymptotic p-values leave nothing open.
    thresholds : tuple of float
        Levels its p-value is compared with, in falling order.
    """
    if outcome.n_resamples is None:
        return False
    p_value, factor = outcome.p_value, 2.0 if outcome.alternative == "two-sided" else 1.0
    if outcome.relative_error > 0:
        return leaves_open(p_value, outcome.relative_error, thresholds)
    count = round(p_value / factor * (outcome.n_resamples + 1)) - 1
    if count < 0:  # below what the resamples can show: a bound that holds without them
        return False
    low, high = clopper_pearson(count, outcome.n_resamples)
    return _any_within(thresholds, factor * low, factor * high)


def error_range(p_value: float, relative_error: float) -> tuple[float, float]:
    """Return the range of a p-value with a relative standard error, at the confidence of `clopper_pearson`.

    Examples
    --------
    >>> low, high = error_range(1e-6, 0.03)
    >>> round(low * 1e6, 2), round(high * 1e6, 2)
    (0.91, 1.1)
    """
    factor = math.exp(-float(ndtri(0.5 - CONFIDENCE / 2)) * relative_error)
    return p_value / factor, p_value * factor


def leaves_open(p_value: float, relative_error: float, thresholds: tuple[float, ...]) -> bool:
    """Return whether a p-value with such a relative standard error could as well lie on the other side of a threshold.

    Thresholds are in falling order.

    Examples
    --------
    >>> leaves_open(1e-6, 0.03, (2e-6,)), leaves_open(1e-6, 0.03, (1.05e-6,))
    (False, True)
    """
    return _any_within(thresholds, *error_range(p_value, relative_error))


def clopper_pearson(count: int, n: int, level: float = CONFIDENCE) -> tuple[float, float]:
    """Return the exact interval for a probability after `count` hits in `n` draws (Clopper and Pearson, 1934).

    Examples
    --------
    >>> low, high = clopper_pearson(0, 9_999)
    >>> low, round(high, 6)
    (0.0, 0.00076)
    """
    interval = clopper_pearson_interval(count, n, level)
    return interval.low, interval.high


Floats = NDArray[np.float64]

CELLS = 1 << 20
"""Counts drawn at a time."""
KEPT = 160
"""Blocks of counts kept for the next pair of systems: 48,000 resamples of a test set of 3,000 sentences."""
_MOST_SWAPS = 1 << 20  # most distinct swaps to enumerate: those of 20 rows that all differ in their own way
_BLOCK = 1 << 15
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
    The rounding error of a sum is below total^2 2^-106 of the largest value of the column for each value summed.
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
        """Return the sums weighted by whole numbers of shape (b, n), none negative; shape (b, k)."""
        parts = (weights.astype(self._parts.dtype) @ self._parts).astype(np.float64)
        if self._single:
            return np.asarray(parts)
        k = parts.shape[1] // 2
        return np.asarray(parts[:, :k] + parts[:, k:])


def _on_grid(columns: NDArray[np.float64], total: int) -> NDArray[np.float64]:
    """Return for each column a power of two so large that `total` times its largest value is below 2^53 steps."""
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
    """Yield how often each of n units is drawn in resamples start to stop, in blocks of limited size.

    Resample number i is the same for all data of n units with the same key; its counts are kept for the next pair of
    systems.
    """
    rows = max(1, min(cells // n, most_rows))
    while start < stop:
        block, first = divmod(start, rows)
        last = min(rows, first + stop - start)
        yield drawn_counts(key, n, block, rows)[first:last]
        start += last - first


def all_swaps(a: Floats, b: Floats, metric: Callable[[Floats], Floats]) -> Iterator[tuple[Floats, Floats]] | None:
    """Enumerate metric(A') - metric(B') over all swaps of the rows of A and B by fair coins.

    Among rows that change the sums alike only the number of swapped ones matters, which is binomial: 200 instances with
    right or wrong labels have a few thousand different swaps.

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
        One bit is drawn for each resample and each unit on which A and B differ.
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
    n_bytes, columns = -(-n // 8), ExactColumns(moved, total=n)
    rows = max(1, CELLS // max(8 * n_bytes, 1))
    while n_resamples > 0:
        bits = rng.integers(0, 256, size=(rows, n_bytes), dtype=np.uint8)  # always whole blocks: the stream goes on
        change = columns.weighted(np.unpackbits(bits, axis=1, count=n))
        yield (metric(sum_a + change) - metric(sum_b - change))[:n_resamples]
        n_resamples -= rows
