"""A function of sums on bootstrap resamples: drawn once for all systems of a dataset, kept, and continued on demand."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.products import ExactColumns, exact_product

Floats = NDArray[np.float64]

_CELLS = 1 << 20
"""Counts drawn at a time."""

_MOST_ROWS = 1 << 12

_LACKING = 2.5
"""Standard deviations between the mean of the sum of Poisson counts and n."""

_MOST = 26
"""Beyond this Poisson number of mean 1 there is less than 1e-26."""

_COLUMNS = 512
"""Sums computed at a time, per resample."""

KEPT_VALUES = 32_000_000
"""Values kept, of all systems together: 256 MB; further ones are computed for the systems that need them."""


class MetricResamples:
    """Values of a metric on resamples of n units, for several systems.

    How often each unit is drawn is one matrix, W of shape (b, n), and the sums over a resample are a row of the product
    W X, where X of shape (n, S k) holds the k counts of all S systems: one product of matrices per block of resamples.
    Resample number i is the same for all data with the same key and number of units (Berg-Kirkpatrick et al. 2012,
    footnote 5), in whatever order it is asked for.

    Parameters
    ----------
    statistics : ndarray of shape (n_systems, n, k)
        Counts per unit (instance, or cluster).
    metric : callable
        From sums of shape (..., k) to values of shape (...).
    key : tuple of int
        Entropy of the stream: seed, and what tells datasets and metrics apart.

    Notes
    -----
    Sums of whole numbers that stay below 2^24 are exact in single precision, in which products of matrices are twice as
    fast; others are summed as `ExactColumns`, so that no sum depends on the processor.

    Examples
    --------
    >>> resamples = MetricResamples(np.array([[[1.0], [2.0], [3.0]]]), lambda sums: sums[..., 0], key=(7,))
    >>> values = resamples.values([0], 0, 1000)
    >>> values.shape, bool(abs(values.mean() - 6) < 0.2)
    ((1, 1000), True)
    >>> bool((resamples.values([0], 990, 1000) == values[:, 990:]).all())
    True
    """

    def __init__(self, statistics: Floats, metric: Callable[[Floats], Floats], key: tuple[int, ...]) -> None:
        n_systems, n, k = statistics.shape
        self.n_systems, self.n, self._k = n_systems, n, k
        self._metric, self._key = metric, key
        self._whole = bool((statistics == np.round(statistics)).all()) and n * float(np.abs(statistics).max()) < 2**24
        columns = np.ascontiguousarray(statistics.transpose(1, 0, 2))
        self._columns: NDArray[Any] = columns.astype(np.float32) if self._whole else columns
        self._rows = max(1, min(_CELLS // n, _MOST_ROWS))
        self._most_kept = KEPT_VALUES // (n_systems * self._rows)
        self._kept: dict[int, tuple[Sequence[int], Floats]] = {}

    def values(self, systems: Sequence[int], start: int, stop: int) -> Floats:
        """Values of some systems on resamples start to stop, shape (n_systems, stop - start)."""
        return np.concatenate(list(self.blocks(systems, start, stop)), axis=1)

    def blocks(self, systems: Sequence[int], start: int, stop: int) -> Iterator[Floats]:
        """The same in blocks, shape (n_systems, number of resamples) each."""
        while start < stop:
            block, first = divmod(start, self._rows)
            last = min(self._rows, first + stop - start)
            if block < self._most_kept:
                held, values = self._held(block, systems)
                yield values[[held.index(system) for system in systems], first:last]
            else:
                yield self._block(block, systems)[:, first:last]
            start += last - first

    def need(self, systems: Sequence[int], start: int, stop: int) -> None:
        """Say that resamples start to stop are asked for of these systems alone, so that others are left out."""
        for block in range(start // self._rows, min(-(-stop // self._rows), self._most_kept)):
            if block not in self._kept:
                self._kept[block] = (systems, self._block(block, systems))

    def _held(self, block: int, systems: Sequence[int]) -> tuple[Sequence[int], Floats]:
        """The values of a block that are kept, and of which systems: some that are needed, or all."""
        if block not in self._kept or not set(systems) <= set(self._kept[block][0]):
            everyone = range(self.n_systems)
            self._kept[block] = (everyone, self._block(block, everyone))
        return self._kept[block]

    def _block(self, block: int, systems: Sequence[int]) -> Floats:
        weights = drawn_counts(self._key, self.n, block, self._rows)
        values = np.empty((len(systems), self._rows))
        step = max(1, _COLUMNS // self._k)
        for first in range(0, len(systems), step):
            some = list(systems[first : first + step])
            columns: NDArray[Any] = self._columns if len(some) == self.n_systems else self._columns[:, some]
            flat = columns.reshape(self.n, -1)
            sums = exact_product(weights, flat) if self._whole else ExactColumns(flat, total=self.n).weighted(weights)
            values[first : first + step] = self._metric(
                sums.reshape(self._rows, len(some), self._k).astype(np.float64)
            ).T
        return values


def drawn_counts(key: tuple[int, ...], n: int, block: int, rows: int) -> NDArray[np.float32]:
    """How often each of n units is drawn in `rows` resamples of size n, for one block of resamples.

    Independent Poisson counts, given their sum, are those of as many draws with replacement. Their mean is a little
    below 1, and what is lacking of n draws is drawn one by one; where there are too many, all are.

    Examples
    --------
    >>> drawn_counts((7,), 5, 0, 3).sum(axis=1)
    array([5., 5., 5.], dtype=float32)
    """
    rng = np.random.default_rng(np.random.SeedSequence([*key, n, block]))
    counts = poisson_law(max(0.0, 1.0 - _LACKING / math.sqrt(n))).draw(rng, rows * n).reshape(rows, n)
    lacking = n - counts.sum(axis=1, dtype=np.uint32).astype(np.int64)
    too_many = lacking < 0
    counts[too_many] = 0
    lacking[too_many] = n
    places = np.repeat(np.arange(0, rows * n, n), lacking)
    places += rng.integers(0, n, size=places.size, dtype=np.uint32)
    np.add.at(counts.reshape(-1), places, np.uint8(1))
    return counts.astype(np.float32)


@cache
def poisson_law(mean: float) -> LawInBytes:
    """Poisson numbers of a mean up to 1."""
    return LawInBytes([math.exp(-mean) * mean**k / math.factorial(k) for k in range(_MOST)])


class LawInBytes:
    """Numbers 0, 1, ... of given probabilities from random bytes: each value of a byte stands for a number.

    A number of probability p has at most 256 p / (1 - e) values of a byte, with the least e for which these are 256.
    With probability e, a number is drawn anew, by what is still lacking of p.

    Parameters
    ----------
    probabilities : sequence of float
        Their sum is 1.

    Examples
    --------
    >>> drawn = LawInBytes([0.3, 0.7]).draw(np.random.default_rng(0), 100_000)
    >>> round(float(drawn.mean()), 2)
    0.7
    """

    def __init__(self, probabilities: Sequence[float]) -> None:
        wanted = 256.0 * np.array(probabilities)
        steps = np.arange(1, 257)[:, None] / np.maximum(wanted, 1e-300)  # 1 / (1 - e) from which there are so many
        given = np.argsort(steps, axis=None, kind="stable")[:256]
        values = np.bincount(given % wanted.size, minlength=wanted.size)
        most = max(float(steps.flat[given[-1]]), 1.0)
        self._bounds = [bound for bound in np.cumsum(values).tolist() if bound < 256]
        self._again = math.log(most)  # hits of each place, so that it has none with probability 1 - e
        self._rest = np.cumsum((wanted - values / most).clip(0.0))

    def draw(self, rng: np.random.Generator, size: int) -> NDArray[np.uint8]:
        """Independent numbers."""
        words: NDArray[np.uint64] = rng.bit_generator.random_raw(-(-size // 8))
        drawn = words.astype("<u8", copy=False).view(np.uint8)[:size]
        numbers = np.zeros(size, dtype=np.uint8)
        for bound in self._bounds:
            numbers += (drawn >= bound).view(np.uint8)
        n_again = int(rng.poisson(self._again * size))
        again = self._rest[-1] * rng.random(n_again)
        numbers[rng.integers(0, size, size=n_again)] = np.searchsorted(self._rest, again, side="right")
        return numbers
