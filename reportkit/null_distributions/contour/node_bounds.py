"""Upper bounds of |phi| at the nodes of the contour themselves, for sign flips of not too many steps.

|phi(y)|^2 = prod_j (1 - w_j sin^2(y a_j / 2)). Half the logarithm of a factor lies below a cosine polynomial in y a_j
that touches it at equidistant angles; for w = 1 it is the smallest one on average of its degree M, M / (M + 1) of the
logarithm itself (Carneiro and Vaaler 2010, "Some extremal functions in Fourier analysis II", Transactions of the
American Mathematical Society 362). So the sum over steps is a Fourier transform of weights at a_j, 2 a_j, ..., M a_j,
and one transform bounds |phi| at all nodes up to a horizon: as if nearly every node had been computed, at a small part
of the cost. Nothing is assumed about the data.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from reportkit.null_distributions.contour.returns import FLOAT32_NOISE, kernel_correction, spread_places
from reportkit.null_distributions.step_sums import Floats

_DEGREE = 6  # even: the polynomials touch at 0, where no step is lost
_LEVELS = 128  # of w, which is rounded down to one of them: the bound only grows
_AT_ONCE = 1 << 17  # bins of several rows, so that they stay in the cache


def node_bounds(positions: Floats, weights: Floats, counts: Floats | None, spacing: Floats, n_nodes: int) -> Floats:
    """Bound log |phi| at the nodes 0, ..., n_nodes - 1 times the spacing.

    Parameters
    ----------
    positions, weights : (n_rows, n) array
        Steps a_j of each row, and the w_j of one step each, in [0, 1].
    counts : (n_rows, n) array or None
        How often each step occurs; None for once each.
    spacing : (n_rows,) array
        Distance of nodes of each row.
    n_nodes : int
        A power of two.

    Examples
    --------
    >>> steps = np.array([[1.0, 2.0, 3.5]])
    >>> bounds = node_bounds(steps, np.ones((1, 3)), None, np.array([0.1]), 64)[0]
    >>> exact = np.log(np.abs(np.cos(0.05 * np.arange(64)[:, None] * steps))).sum(axis=1)
    >>> bool((bounds >= exact).all()), round(float(exact.mean()), 1), round(float(bounds.mean()), 1)
    (True, -2.1, -1.8)
    """
    import scipy.fft

    n_bins = 4 * n_nodes
    result = np.empty((positions.shape[0], n_nodes))
    orders = np.arange(1.0, _DEGREE + 1.0)
    correction = kernel_correction(n_bins)[:n_nodes]
    rows_at_once = max(_AT_ONCE // n_bins, 1)
    for first in range(0, positions.shape[0], rows_at_once):
        part = slice(first, first + rows_at_once)
        coefficients = _table()[(weights[part] * _LEVELS).astype(np.intp)]
        if counts is not None:
            coefficients *= counts[part, :, None]
        rows = coefficients.shape[0]
        scaled = np.multiply.outer(positions[part] * (spacing[part, None] * (n_bins / (2.0 * math.pi))), orders)
        places, kernel = spread_places(scaled)
        kernel *= coefficients[:, :, 1:, None]
        bins = places.astype(np.intp) & (n_bins - 1)
        bins += np.arange(0, rows * n_bins, n_bins)[:, None, None, None]
        binned = np.bincount(bins.ravel(), weights=kernel.ravel(), minlength=rows * n_bins)
        transform = scipy.fft.rfft(binned.astype(np.float32).reshape(rows, n_bins), axis=1).real[:, :n_nodes]
        noise = FLOAT32_NOISE * np.abs(coefficients).sum(axis=(1, 2))
        result[part] = transform * correction + (coefficients[:, :, 0].sum(axis=1) + noise)[:, None]
    return np.minimum(result, 0.0, out=result)


@lru_cache(maxsize=1)
def _table() -> Floats:
    """Coefficients of cos(m x), m = 0, ..., degree, of a bound on log(1 - w sin^2(x / 2)) / 2, for all levels of w.

    The polynomial that has the values and the slopes of the function at degree + 1 equidistant angles: each of its
    coefficients shares its place in their discrete transforms with one other.
    """
    w = np.arange(_LEVELS + 1.0)[:, None, None] / _LEVELS
    angles = np.arange(_DEGREE + 1.0) * (2.0 * math.pi / (_DEGREE + 1.0))
    orders = np.arange(_DEGREE + 1.0)[:, None]
    left = 1.0 - w * np.square(np.sin(0.5 * angles))
    values = (0.5 * np.log(left) * np.cos(orders * angles)).mean(axis=2)
    slopes = (0.25 * w * np.sin(angles) / left * np.sin(orders * angles)).mean(axis=2)
    coefficients: Floats = 2.0 * ((_DEGREE + 1.0 - orders[:, 0]) * values + slopes) / (_DEGREE + 1.0)
    coefficients[:, 0] = values[:, 0]
    coefficients.flags.writeable = False
    return coefficients
