"""Products of a tall matrix and a thin one, in pieces that a BLAS does not hand to several threads.

A BLAS splits even small products among its threads, which then wait for each other: where other work keeps the
processor busy, a product of a million steps takes many times as long as on one thread.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

_STEPS = 1 << 18
"""Multiplications up to which OpenBLAS stays on one thread."""

_FEWEST_ROWS = 4
"""With fewer rows at a time the product is wide, and threads are worth while."""

_ROWS = 32
"""Rows at a time where the sums may be split, too."""

_WIDE = 512
"""With more columns pieces are slivers, and threads are worth while."""


def thin_product(weights: NDArray[Any], columns: NDArray[Any]) -> NDArray[Any]:
    """Multiply weights of shape (b, n) with columns of shape (n, k).

    Examples
    --------
    >>> weights, columns = np.arange(6.0).reshape(3, 2), np.array([[1.0], [10.0]])
    >>> thin_product(weights, columns)
    array([[10.],
           [32.],
           [54.]])
    """
    rows = _STEPS // max(columns.size, 1)
    if rows < _FEWEST_ROWS or rows >= len(weights):
        return np.asarray(weights @ columns)
    product = np.empty((len(weights), columns.shape[1]), dtype=columns.dtype)
    for first in range(0, len(weights), rows):
        np.matmul(weights[first : first + rows], columns, out=product[first : first + rows])
    return product


def exact_product(weights: NDArray[Any], columns: NDArray[Any]) -> NDArray[Any]:
    """Multiply as `thin_product` does where every sum is exact in any order, such as that of whole numbers.

    Pieces can then have any shape, and none are needed where the BLAS has one thread: the bits are the same.

    Examples
    --------
    >>> exact_product(np.arange(6.0).reshape(3, 2), np.array([[1.0], [10.0]]))
    array([[10.],
           [32.],
           [54.]])
    """
    n_threads = os.environ.get("OPENBLAS_NUM_THREADS") or os.environ.get("OMP_NUM_THREADS")
    if n_threads == "1" or columns.shape[1] > _WIDE:
        return np.asarray(weights @ columns)
    product = np.zeros((len(weights), columns.shape[1]), dtype=columns.dtype)
    summed = _STEPS // (_ROWS * max(columns.shape[1], 1))
    for first in range(0, len(weights), _ROWS):
        rows = slice(first, first + _ROWS)
        for start in range(0, len(columns), summed):
            part = slice(start, start + summed)
            product[rows] += weights[rows, part] @ columns[part]
    return product


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
        parts = exact_product(weights.astype(np.float64), self._parts)
        k = parts.shape[1] // 2
        return np.asarray(parts[:, :k] + parts[:, k:])


def _on_grid(columns: NDArray[np.float64], total: int) -> NDArray[np.float64]:
    """Each column to a power of two so large that `total` times its largest value is below 2^53 steps."""
    largest = np.abs(columns).max(axis=0, initial=0.0)
    exponents = np.frexp(largest)[1] + int(np.frexp(float(total))[1]) - 53
    return np.asarray(np.ldexp(np.rint(np.ldexp(columns, -exponents)), exponents))
