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
from numpy.typing import NDArray

from reportkit.null_distributions.contour.returns import (
    FLOAT32_NOISE,
    NARROW,
    NARROW_NOISE,
    kernel_correction,
    spread_places,
)
from reportkit.null_distributions.step_sums import Floats

_DEGREE = 6  # even: the polynomials touch at 0, where no step is lost
_LEVELS = 128  # of w, which is rounded down to one of them: the bound only grows
NODES_IN_A_RUN = 16
"""Next to each other, of which all are summed or none."""

_DROPPED = 1e-11  # relative to the tail, nodes that are not summed may add
_OF_WHAT_IS_LOST = 0.2  # beyond the horizon, they may add as well
_ROUNDING = 1.0001  # of float32
_AT_ONCE = 1 << 16  # nodes of several rows, so that they stay in the cache


def rows_at_once(n_nodes: int) -> int:
    """So many rows are bounded at a time, for all of the work with them to stay in the cache."""
    return max(_AT_ONCE // n_nodes, 1)


def node_bounds(
    positions: Floats, weights: Floats, counts: Floats | None, spacing: Floats, n_nodes: int
) -> NDArray[np.float32]:
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

    half = 2 * n_nodes  # bins between angles 0 and pi, in the middle of which the weights are
    rows = positions.shape[0]
    table, constants = _table()
    levels = (weights * _LEVELS).astype(np.intp)
    coefficients, constant = table[levels], constants[levels]
    if counts is not None:
        coefficients *= counts[..., None]
        constant *= counts
    scaled = np.multiply.outer(positions * (spacing[:, None] * (half / math.pi)), np.arange(1.0, _DEGREE + 1.0))
    scaled -= 0.5
    places, kernel = spread_places(scaled, NARROW)
    kernel *= coefficients[..., None]
    bins = places.astype(np.intp)
    bins &= 2 * half - 1
    np.minimum(bins, 2 * half - 1 - bins, out=bins)
    bins += np.arange(0, rows * half, half)[:, None, None, None]
    binned = np.bincount(bins.ravel(), weights=kernel.ravel(), minlength=rows * half)
    transform = scipy.fft.dct(binned.astype(np.float32).reshape(rows, half), type=2, axis=1, overwrite_x=True)
    bounds: NDArray[np.float32] = transform[:, :n_nodes]
    bounds *= 0.5 * kernel_correction(2 * half, NARROW)[:n_nodes]
    bounds += constant.sum(axis=1).astype(np.float32)[:, None]
    np.minimum(bounds, 0.0, out=bounds)
    return bounds


def terms_of_nodes(
    moduli: NDArray[np.float32], spacing: Floats, smoothing: Floats, first: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Bound the terms of nodes and their mirror images, from bounds on |phi|.

    Parameters
    ----------
    moduli : (n_rows, n_nodes) array
        Bounds on |phi| at the nodes 0, 1, ... of each row.
    spacing, smoothing : (n_rows,) array
        Distance of nodes, and what is lost beyond all of them, see `Quadrature.smoothing`.
    first : (n_rows,) array of int
        The first node that was not summed, at least 1; terms of those before are 0.
    """
    node = np.arange(moduli.shape[1], dtype=np.float32)
    node[0] = 1.0
    terms: NDArray[np.float32] = np.multiply.outer((2.0 * _ROUNDING / spacing).astype(np.float32), 1.0 / node)
    terms += (2.0 * _ROUNDING * smoothing).astype(np.float32)[:, None]
    terms *= moduli
    start = terms[:, : int(first.max(initial=0))]
    start[np.arange(start.shape[1]) < first[:, None]] = 0.0
    return terms


def negligible_sum(value: Floats, lost: Floats) -> Floats:
    """What terms that are not summed may add up to, where the sum has this value and so much is lost beyond."""
    return np.asarray(np.maximum(_DROPPED * value, _OF_WHAT_IS_LOST * lost))


def nodes_to_sum(terms: NDArray[np.float32], negligible: float, most_nodes: int) -> tuple[NDArray[np.intp], float]:
    """Where the runs of nodes begin of which all others are negligible, and what these add at most.

    Parameters
    ----------
    terms : (n_nodes,) array
        See `terms_of_nodes`.
    negligible : float
        What the others may add.
    most_nodes : int
        How many may be summed.
    """
    runs = terms.reshape(-1, NODES_IN_A_RUN).sum(axis=1, dtype=np.float64)
    order = np.argsort(-runs, kind="stable")
    left = np.append(np.cumsum(runs[order][::-1])[::-1], 0.0)  # what these and all smaller ones may add
    needed = int(np.count_nonzero(left > negligible))
    chosen = order[: min(needed, most_nodes // NODES_IN_A_RUN)]
    return NODES_IN_A_RUN * np.sort(chosen), float(left[chosen.size])


@lru_cache(maxsize=1)
def _table() -> tuple[Floats, Floats]:
    """Coefficients of cos(m x), m = 1, ..., degree, of a bound on log(1 - w sin^2(x / 2)) / 2, for all levels of w.

    The polynomial that has the values and the slopes of the function at degree + 1 equidistant angles: each of its
    coefficients shares its place in their discrete transforms with one other. The constants make up for what the
    transform of weights in bins is wrong by.
    """
    w = np.arange(_LEVELS + 1.0)[:, None, None] / _LEVELS
    angles = np.arange(_DEGREE + 1.0) * (2.0 * math.pi / (_DEGREE + 1.0))
    orders = np.arange(_DEGREE + 1.0)[:, None]
    left = 1.0 - w * np.square(np.sin(0.5 * angles))
    values = (0.5 * np.log(left) * np.cos(orders * angles)).mean(axis=2)
    slopes = (0.25 * w * np.sin(angles) / left * np.sin(orders * angles)).mean(axis=2)
    coefficients: Floats = 2.0 * ((_DEGREE + 1.0 - orders[:, 0]) * values + slopes) / (_DEGREE + 1.0)
    coefficients[:, 0] = values[:, 0]
    noise = FLOAT32_NOISE * np.abs(coefficients).sum(axis=1) + NARROW_NOISE * np.abs(coefficients[:, 1:]).sum(axis=1)
    table, constants = coefficients[:, 1:], coefficients[:, 0] + noise
    table.flags.writeable = constants.flags.writeable = False
    return table, constants
