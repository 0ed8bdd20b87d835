"""Products of a tall matrix and a thin one, in pieces that a BLAS does not hand to several threads.

A BLAS splits even small products among its threads, which then wait for each other: where other work keeps the
processor busy, a product of a million steps takes many times as long as on one thread.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_STEPS = 1 << 18
"""Multiplications up to which OpenBLAS stays on one thread."""

_FEWEST_ROWS = 4
"""With fewer rows at a time the product is wide, and threads are worth while."""


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
