"""Bootstrap distribution of Student's t, from resamples that all pairs of systems on a dataset share."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.products import ExactColumns

_BLOCK = 1 << 21
"""Counts drawn at a time, of one byte each."""

_MOST_ROWS = 1 << 16
_DRAWN = 1 << 16
"""Units drawn before they are counted: in the processor's cache, which halves the time."""

_PRODUCT = 1 << 17
"""Counts multiplied at a time: a megabyte of floating-point numbers, which fits into the cache."""

_ROWS = 64
"""Pairs whose columns are multiplied at once."""

_KEPT = 96
"""Blocks kept for the next pair of systems: 192 MB at most, as many as somebody asks for."""

MOST_COUNTS = _KEPT * _BLOCK
"""Resamples times units up to which all pairs share what was drawn: a million resamples of 200 units."""

_NO_VARIANCE = 1e-12
"""A variance below this part of the mean square is 0."""

_DRAWING = Lock()


def studentized_means(
    sums: NDArray[np.float64],
    sizes: NDArray[np.float64] | None,
    *,
    key: tuple[int, ...],
    start: int,
    stop: int,
) -> NDArray[np.float64]:
    """Student's t of resampled units, recentred: (r* - r) / se*.

    With G units drawn with replacement, of sums S and sizes W, r = sum S / sum W is the mean and

        se* = sqrt(G / (G - 1) * sum (S* - W* r*)^2) / sum W*,

    which is s* / sqrt(n) where all sizes are equal.

    Parameters
    ----------
    sums : ndarray of shape (n_units,)
        Differences, or sums of the differences of clusters.
    sizes : ndarray of shape (n_units,), optional
        Positive; None if all are equal.
    key : tuple of int
        Entropy of the stream. Resample number i is the same for all data of n_units units with the same key, so the
        draws are made once for all pairs of systems (Berg-Kirkpatrick et al. 2012, footnote 5).
    start, stop : int
        Which resamples, counted from 0.

    Returns
    -------
    ndarray of shape (at most stop - start,)
        One value per resample, without those that hold no information on the variance: all units drawn are alike.

    Notes
    -----
    All sums of a resample are those of the units times how often each was drawn: two products of matrices, or five
    where sizes differ. Efron (1982), "The Jackknife, the Bootstrap and Other Resampling Plans", section 10.10; Hall
    (1992), "The Bootstrap and Edgeworth Expansion", section 3.10.

    Examples
    --------
    >>> values = np.random.default_rng(1).exponential(size=30)
    >>> t = studentized_means(values, None, key=(0,), start=0, stop=999)
    >>> t.size, bool(np.quantile(t, 0.025) < -np.quantile(t, 0.975))  # t is skewed the other way
    (999, True)
    """
    if sizes is None:
        return studentized_rows(sums[None, :], key=key, start=start, stop=stop)[0]
    v = _residuals(sums, float(sums.sum()) / float(sizes.sum()) * sizes)
    w = sizes / float(sizes.mean())
    columns = ExactColumns(np.column_stack((v, v * v, w, v * w, w * w)), total=sums.size)
    found = []
    for counts in _parts(key, sums.size, start, stop):
        first, second, size, mixed, square = columns.weighted(counts).T
        ratio = first / size
        found.append(_t(first, second, second - 2.0 * ratio * mixed + ratio * ratio * square, sums.size))
    t = np.concatenate(found) if found else np.empty(0)
    return t[~np.isnan(t)]


def studentized_rows(
    rows: NDArray[np.float64], *, key: tuple[int, ...], start: int, stop: int
) -> list[NDArray[np.float64]]:
    """Student's t of resampled units, as `studentized_means`, for many pairs of systems whose units all count alike.

    Parameters
    ----------
    rows : ndarray of shape (n_pairs, n_units)
        Differences of each pair.
    key, start, stop
        As for `studentized_means`.

    Returns
    -------
    list of ndarray
        For each row what `studentized_means` gives: to the last bit the same whatever the other rows are.

    Examples
    --------
    >>> rows = np.random.default_rng(1).exponential(size=(3, 30))
    >>> alone = studentized_means(rows[1], None, key=(0,), start=0, stop=99)
    >>> bool(np.array_equal(studentized_rows(rows, key=(0,), start=0, stop=99)[1], alone))
    True
    """
    n = rows.shape[1]
    result: list[NDArray[np.float64]] = []
    for left in range(0, rows.shape[0], _ROWS):
        v = np.column_stack([_residuals(row, float(row.sum()) / n) for row in rows[left : left + _ROWS]])
        columns = ExactColumns(np.hstack((v, v * v)), total=n)
        t = np.empty((v.shape[1], max(stop - start, 0)))
        done = 0
        for counts in _parts(key, n, start, stop):
            drawn = columns.weighted(counts)
            first, second = drawn[:, : v.shape[1]], drawn[:, v.shape[1] :]
            t[:, done : done + counts.shape[0]] = _t(first, second, second - first * first / n, n).T
            done += counts.shape[0]
        missing = np.isnan(t)
        result += [one[~gone] if gone.any() else one for one, gone in zip(t, missing, strict=True)]
    return result


def _residuals(sums: NDArray[np.float64], expected: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """Residuals, with 1 as the largest."""
    residuals = sums - expected
    largest = float(np.abs(residuals).max())
    return np.asarray(residuals / largest if largest > 0 else residuals)


def _t(
    first: NDArray[np.float64], second: NDArray[np.float64], squares: NDArray[np.float64], n: int
) -> NDArray[np.float64]:
    """Student's t from the sums of residuals, of their squares, and of those about the mean; NaN without a variance."""
    factor = np.sqrt(n / (n - 1)) if n > 1 else 1.0
    kept = squares > _NO_VARIANCE * second
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(kept, first / (factor * np.sqrt(squares)), np.nan))


def _parts(key: tuple[int, ...], n: int, start: int, stop: int) -> Iterator[NDArray[np.uint8]]:
    """Resamples start to stop, so many at a time as are multiplied."""
    step = max(1, _PRODUCT // n)
    for counts in _resamples(key, n, start, stop):
        yield from (counts[row : row + step] for row in range(0, counts.shape[0], step))


def _resamples(key: tuple[int, ...], n: int, start: int, stop: int) -> Iterator[NDArray[np.uint8]]:
    """How often each unit is drawn, for resamples start to stop, in blocks."""
    rows = max(1, min(_BLOCK // n, _MOST_ROWS))
    while start < stop:
        block, first = divmod(start, rows)
        last = min(rows, first + stop - start)
        yield _block(key, n, block, rows).until(last)[first:]
        start += last - first


class _Block:
    """How often each of n units is drawn, in up to `rows` resamples, of which as many are drawn as were asked for.

    A count above 255 has a probability below 1e-500.
    """

    def __init__(self, entropy: tuple[int, ...], n: int, rows: int) -> None:
        self._rng = np.random.default_rng(np.random.SeedSequence(entropy))
        self._counts = np.empty((rows, n), dtype=np.uint8)
        self._n_drawn = 0

    def until(self, stop: int) -> NDArray[np.uint8]:
        """Counts of the first resamples."""
        with _DRAWING:  # by one of several threads, and then they are there for the others
            n = self._counts.shape[1]
            at_once = max(1, _DRAWN // n)
            while self._n_drawn < stop:
                part = self._counts[self._n_drawn : self._n_drawn + at_once]
                drawn = self._rng.integers(0, n, size=part.shape, dtype=np.int64)
                drawn += n * np.arange(len(part))[:, None]
                part[:] = np.bincount(drawn.ravel(), minlength=part.size).reshape(part.shape)
                self._n_drawn += len(part)
        counts = self._counts[:stop]
        counts.flags.writeable = False
        return counts


@lru_cache(maxsize=_KEPT)
def _block(key: tuple[int, ...], n: int, block: int, rows: int) -> _Block:
    return _Block((*key, n, block), n, rows)
