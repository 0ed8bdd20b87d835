"""A function of sums on bootstrap resamples: drawn once for all systems of a dataset, kept, and continued on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.products import ExactColumns, thin_product

Floats = NDArray[np.float64]

_CELLS = 1 << 20
"""Counts drawn at a time."""

_MOST_ROWS = 1 << 12

_CACHED = 1 << 16
"""Draws counted at a time, which stay in the cache: half the time of a whole block at once."""

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
        self._kept: dict[int, Floats] = {}

    def values(self, systems: Sequence[int], start: int, stop: int) -> Floats:
        """Values of some systems on resamples start to stop, shape (n_systems, stop - start)."""
        return np.concatenate(list(self.blocks(systems, start, stop)), axis=1)

    def blocks(self, systems: Sequence[int], start: int, stop: int) -> Iterator[Floats]:
        """The same in blocks, shape (n_systems, number of resamples) each."""
        chosen = list(systems)
        while start < stop:
            block, first = divmod(start, self._rows)
            last = min(self._rows, first + stop - start)
            if block < self._most_kept:
                if block not in self._kept:
                    self._kept[block] = self._block(block, range(self.n_systems))
                yield self._kept[block][chosen, first:last]
            else:
                yield self._block(block, chosen)[:, first:last]
            start += last - first

    def _block(self, block: int, systems: Sequence[int]) -> Floats:
        weights = drawn_counts(self._key, self.n, block, self._rows)
        values = np.empty((len(systems), self._rows))
        step = max(1, _COLUMNS // self._k)
        for first in range(0, len(systems), step):
            some = list(systems[first : first + step])
            columns: NDArray[Any] = self._columns if len(some) == self.n_systems else self._columns[:, some]
            flat = columns.reshape(self.n, -1)
            sums = thin_product(weights, flat) if self._whole else ExactColumns(flat, total=self.n).weighted(weights)
            values[first : first + step] = self._metric(
                sums.reshape(self._rows, len(some), self._k).astype(np.float64)
            ).T
        return values


def drawn_counts(key: tuple[int, ...], n: int, block: int, rows: int) -> NDArray[np.float32]:
    """How often each of n units is drawn in `rows` resamples of size n, for one block of resamples.

    Examples
    --------
    >>> drawn_counts((7,), 5, 0, 3).sum(axis=1)
    array([5., 5., 5.], dtype=float32)
    """
    rng = np.random.default_rng(np.random.SeedSequence([*key, n, block]))
    counts = np.empty((rows, n), dtype=np.float32)
    step = max(1, _CACHED // n)
    starts = n * np.arange(step)[:, None]
    for first in range(0, rows, step):
        some = counts[first : first + step]
        drawn = rng.integers(0, n, size=some.shape, dtype=np.int64)
        drawn += starts[: len(some)]
        some[:] = np.bincount(drawn.ravel(), minlength=some.size).reshape(some.shape)
    return counts
