"""The correlation of predictions with gold scores without each instance in turn, all instances at once."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from reportkit.metrics.correlation.coefficients import Coefficient, correlation, square_sum, standardised, untied_pairs
from reportkit.metrics.correlation.concordance import concordance
from reportkit.metrics.correlation.midranks import Ranked, ranked

CANCELLED = 1e-4
"""Where less than this part of a sum of squares is left, the rest is summed anew: its leading digits are gone."""


def leave_one_out(
    predictions: NDArray[np.float64], gold: NDArray[np.float64], coefficient: Coefficient
) -> NDArray[np.float64]:
    """Correlation without each instance.

    Parameters
    ----------
    predictions, gold : ndarray of shape (n,)
        Finite.
    coefficient : {"pearson", "spearman", "kendall"}
        Which.

    Returns
    -------
    ndarray of shape (n,)
        Exactly what the coefficient of the other n - 1 instances is, ranks anew; NaN where these are constant.

    Notes
    -----
    Pearson: sums of the centred values are downdated, O(n). Spearman: without instance j, the midrank of i falls by
    h(x_i - x_j), which is 1, 1/2 or 0, so that all sums follow from sums by rank and from the counts of
    `concordance`; Kendall: from the same counts. Both O(n log^2 n), in whole multiples of 1/4.

    Examples
    --------
    >>> x, y = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([2.0, 1.0, 4.0, 3.0, 10.0])
    >>> leave_one_out(x, y, "spearman")
    array([0.8, 0.8, 0.8, 0.8, 0.6])
    """
    if coefficient == "pearson":
        return _pearson(predictions, gold)
    x, y = ranked(predictions), ranked(gold)
    return _spearman(x, y) if coefficient == "spearman" else _kendall(x, y)


def _pearson(predictions: NDArray[np.float64], gold: NDArray[np.float64]) -> NDArray[np.float64]:
    x, y = standardised(predictions), standardised(gold)
    n = predictions.size
    if x is None or y is None or n < 2:
        return np.full(n, np.nan)
    out = n / (n - 1)
    left_x, left_y = 1 - out * x * x, 1 - out * y * y
    products = math.fsum(x * y) - out * x * y
    cancelled = np.flatnonzero((left_x < CANCELLED) | (left_y < CANCELLED))
    values = quotients(products, left_x, left_y)
    for instance in cancelled:
        kept = np.arange(n) != instance
        values[instance] = correlation(predictions[kept], gold[kept], "pearson")
    return values


def _spearman(x: Ranked, y: Ranked) -> NDArray[np.float64]:
    mean = x.n / 2  # of the ranks 1 to n - 1
    from_x, from_y = x.midranks - mean, y.midranks - mean
    products = (
        float(np.dot(from_x, from_y))
        - from_x * from_y
        - _sum_above(from_x, y)
        - _sum_above(from_y, x)
        + concordance(x, y).above
    )
    return quotients(products, _squares_without(x), _squares_without(y))


def _kendall(x: Ranked, y: Ranked) -> NDArray[np.float64]:
    signs = concordance(x, y).signs
    return quotients(signs.sum() / 2 - signs, _pairs_without(x), _pairs_without(y))


def _sum_above(values: NDArray[np.float64], order: Ranked) -> NDArray[np.float64]:
    """For each instance, the sum of the values of those above it in an order, and half of those tied with it."""
    by_code = np.bincount(order.codes, weights=values, minlength=order.counts.size)
    above = by_code.sum() - np.cumsum(by_code)
    return np.asarray(above[order.codes] + 0.5 * (by_code[order.codes] - values))


def _squares_without(x: Ranked) -> NDArray[np.float64]:
    """Sum of squared deviations of midranks, without each instance."""
    t = x.counts[x.codes].astype(np.float64)
    # t^3 - t of its ties falls by 3 t (t - 1), and n^3 - n by 3 n (n - 1)
    return np.asarray(square_sum(x) - (float(x.n) * (x.n - 1) - t * (t - 1)) / 4)


def _pairs_without(x: Ranked) -> NDArray[np.float64]:
    """Number of pairs that are not tied, without each instance."""
    return np.asarray(untied_pairs(x) - (x.n - x.counts[x.codes]))


def quotients(
    products: NDArray[np.float64], left_x: NDArray[np.float64], left_y: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Correlations from sums of products and of squares; NaN where nothing is left that varies."""
    known = (left_x > 0) & (left_y > 0)
    values = np.full(products.size, np.nan)
    values[known] = products[known] / np.sqrt(left_x[known] * left_y[known])
    return np.asarray(np.clip(values, -1.0, 1.0))
