"""Correlations of predictions with gold scores, also without each instance or cluster in turn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

_KEPT_BITS = 40
"""Leading bits of a float's 53 that decide on ties: values that agree in them, to 12 significant digits, are tied."""


def midranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the ranks of finite values, from 1; ties share the mean of theirs.

    Values that agree to 12 significant digits are tied: without that, 0.1 + 0.2 would rank above 0.3.

    Examples
    --------
    >>> midranks(np.array([0.3, 0.2, 0.1 + 0.2, 0.9]))
    array([2.5, 1. , 2.5, 4. ])
    """
    mantissas, exponents = np.frexp(values)
    with np.errstate(over="ignore"):  # a mantissa that was rounded up to 1 at the top of the range of a float
        rounded = np.ldexp(np.rint(np.ldexp(mantissas, _KEPT_BITS)), exponents - _KEPT_BITS)
    rounded = np.where(np.isfinite(rounded), rounded, values) + 0.0
    _, codes, counts = np.unique(rounded, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[codes.reshape(-1)])


Coefficient = Literal["pearson", "spearman", "kendall"]
COEFFICIENTS: tuple[Coefficient, ...] = get_args(Coefficient)

TITLES: Mapping[str, str] = {
    "pearson": "Pearson correlation",
    "spearman": "Spearman rank correlation",
    "kendall": "Kendall rank correlation (tau-b)",
}
"""Names in prose."""

CONSTANT = 1e-14
"""Deviations from the mean below this part of the largest value are the noise of floating-point arithmetic."""


def named_coefficient(name: object) -> Coefficient | None:
    """Return the coefficient of a name, ignoring case; None if the name is that of no coefficient.

    Examples
    --------
    >>> named_coefficient("Spearman"), named_coefficient("bleu")
    ('spearman', None)
    """
    folded = name.strip().casefold() if isinstance(name, str) else None  # several metrics are a tuple of names
    return next((known for known in COEFFICIENTS if known == folded), None)


def correlation(predictions: NDArray[np.float64], gold: NDArray[np.float64], coefficient: Coefficient) -> float:
    """Return the correlation of predictions with gold scores.

    Parameters
    ----------
    predictions, gold : ndarray of shape (n,)
        Finite.
    coefficient : {"pearson", "spearman", "kendall"}
        Pearson's r; Spearman's rho, which is Pearson's r of midranks; Kendall's tau-b, which corrects for ties.

    Returns
    -------
    float
        In [-1, 1]; NaN if one of the two is constant. To the last digit the same in any order of the instances.

    Examples
    --------
    >>> x, y = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([2.0, 1.0, 4.0, 3.0, 10.0])
    >>> [round(correlation(x, y, name), 4) for name in COEFFICIENTS]
    [0.805, 0.8, 0.6]
    """
    if coefficient == "pearson":
        unit_x, unit_y = standardised(predictions), standardised(gold)
        if unit_x is None or unit_y is None:
            return math.nan
        products, squares = math.fsum(unit_x * unit_y), 1.0
    else:
        x, y = midranks(predictions), midranks(gold)
        if coefficient == "kendall":
            products = float(_signs(x, y).sum())
            left_x, left_y = (x.size**2 - float(_ties(ranks).sum()) for ranks in (x, y))
        else:
            x, y = x - (x.size + 1) / 2, y - (y.size + 1) / 2
            products, left_x, left_y = float(x @ y), float(x @ x), float(y @ y)
        squares = math.sqrt(left_x * left_y)
    return min(1.0, max(-1.0, products / squares)) + 0.0 if squares > 0 else math.nan


def _signs(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each instance j of two rankings, the sum over all i of sign(x_i - x_j) sign(y_i - y_j)."""
    return _less(x, y) + _less(-x, -y) - _less(-x, y) - _less(x, -y)


def _less(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Count, for each instance, those with a smaller x and a smaller y, by merging halves of the order of x.

    Knight (1966), "A computer method for calculating Kendall's tau with ungrouped data".
    """
    n = x.size
    order = np.lexsort((-y, x))  # among equal x the larger y first, so that none of them is counted
    doubled, position = np.rint(2.0 * (y[order] - y.min(initial=0.0))).astype(np.int64), np.arange(n)
    counts, width, span = np.zeros(n), 1, 2 * int(doubled.max(initial=0)) + 2
    while width < n:
        block, left = position // (2 * width), (position // width) % 2 == 0
        merged = np.argsort(block * span + 2 * doubled + left, kind="stable")  # the right half first, if equal
        before = np.cumsum(left[merged]) - width * block[merged]
        counts[merged] += np.where(left[merged], 0, before)
        width *= 2
    found = np.empty(n)
    found[order] = counts
    return found


def _ties(ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Count the instances with the rank of each, itself included."""
    _, codes, counts = np.unique(ranks, return_inverse=True, return_counts=True)
    return counts[codes.reshape(-1)].astype(np.float64)


def is_constant(values: NDArray[np.float64], coefficient: Coefficient) -> bool:
    """Return whether a coefficient treats all values as equal, so that no correlation with them exists.

    Examples
    --------
    >>> is_constant(np.array([0.3, 0.1 + 0.2]), "spearman"), is_constant(np.array([0.3, 0.4]), "spearman")
    (True, False)
    """
    return standardised(values) is None if coefficient == "pearson" else bool(np.ptp(midranks(values)) == 0)


def standardised(values: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return the values minus their mean, divided by the root of the sum of squares; None if they are constant.

    The sum of products of two such arrays is their correlation. Values are first brought near 1, so that no square
    leaves the range of a float, and sums are exactly rounded: they depend on no order.
    """
    largest = float(np.abs(values).max(initial=0.0))
    if largest == 0:
        return None
    exponent = math.frexp(largest)[1]
    near_one = np.ldexp(values, -exponent)
    centred = near_one - math.fsum(near_one) / values.size
    centred = centred - math.fsum(centred) / values.size
    if float(np.abs(centred).max()) <= CONSTANT:
        return None
    return np.asarray(centred / math.sqrt(math.fsum(centred * centred)))


CANCELLED = 1e-4
"""Where less than this part of a sum of squares is left, the rest is summed again: its leading digits are gone."""


def leave_out(
    predictions: NDArray[np.float64],
    gold: NDArray[np.float64],
    coefficient: Coefficient,
    clusters: NDArray[np.int64] | None = None,
) -> NDArray[np.float64]:
    """Return the correlation without each instance, or without each cluster.

    Parameters
    ----------
    predictions, gold : ndarray of shape (n,)
        Finite.
    coefficient : {"pearson", "spearman", "kendall"}
        Which.
    clusters : ndarray of int of shape (n,), optional
        Which cluster an instance belongs to.

    Returns
    -------
    ndarray of shape (n_units,)
        The coefficient of what is left, ranks anew; in the order of the instances, or of the codes of the clusters. NaN
        where what is left is constant, or a single instance.

    Notes
    -----
    Pearson: sums of the centred values are downdated, O(n). Spearman and Kendall: O(n log^2 n) without
    clusters, in whole multiples of 1/4.

    Examples
    --------
    >>> x, y = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([2.0, 1.0, 4.0, 3.0, 10.0])
    >>> leave_out(x, y, "spearman")
    array([0.8, 0.8, 0.8, 0.8, 0.6])
    >>> leave_out(x, y, "kendall", np.array([0, 0, 1, 1, 1]))
    array([ 0.33333333, -1.        ])
    """
    units = np.arange(predictions.size) if clusters is None else clusters
    order = np.lexsort((gold, predictions, units))  # sums within a cluster depend on no order of the rows
    starts = np.flatnonzero(np.diff(units[order], prepend=units[order[:1]] - 1))
    if coefficient == "pearson":
        return _pearson_without(predictions, gold, order, starts)
    x, y = midranks(predictions), midranks(gold)
    members = np.split(order, starts[1:]) if clusters is not None else []
    if coefficient == "kendall":
        return _quotients(*_kendall_without(x, y, members))
    return _quotients(*(_spearman_without(x, y, members) if members else _spearman_without_one(x, y)))


def _quotients(
    products: NDArray[np.float64], left_x: NDArray[np.float64], left_y: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Divide sums of products by the root of sums of squares; NaN where nothing is left that varies."""
    known = (left_x > 0) & (left_y > 0)
    values = np.full(products.size, np.nan)
    values[known] = products[known] / np.sqrt(left_x[known] * left_y[known])
    return np.asarray(np.clip(values, -1.0, 1.0))


def _pearson_without(
    predictions: NDArray[np.float64], gold: NDArray[np.float64], order: NDArray[np.int64], starts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Subtract the sums of a cluster from those of the centred values, and allow for the shift of the mean."""
    x, y = standardised(predictions), standardised(gold)
    n_left = (predictions.size - np.diff(starts, append=predictions.size)).astype(np.float64)
    if x is None or y is None or starts.size < 2:
        return np.full(starts.size, np.nan)

    def left(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
        sums, of_one, of_other = (np.add.reduceat(terms[order], starts) for terms in (one * other, one, other))
        return np.asarray(math.fsum(one * other) - sums - of_one * of_other / n_left)

    left_x, left_y = left(x, x), left(y, y)
    values = _quotients(left(x, y), left_x, left_y)
    for cluster in np.flatnonzero((left_x < CANCELLED) | (left_y < CANCELLED)):
        kept = np.delete(order, np.arange(starts[cluster], [*starts, order.size][cluster + 1]))
        values[cluster] = correlation(predictions[kept], gold[kept], "pearson")
    return values


def _spearman_without_one(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return sums of products and of squares of the midranks without each instance.

    Without instance j, the midrank of i falls by h(x_i - x_j), which is 1, 1/2 or 0.
    """
    n = x.size
    a, b = x - n / 2, y - n / 2  # from the mean of the ranks 1 to n - 1
    both = (n + 2 * (n + 1 - x - y) + _signs(x, y) - 1) / 4  # sum of h(x_i - x_j) h(y_i - y_j)
    products = a @ b - a * b - _sum_above(b, x) - _sum_above(a, y) + both
    squares = []
    for ranks in (x, y):
        ties = _ties(ranks)
        total = float(np.square(ranks - (n + 1) / 2).sum())
        squares.append(total - (n * (n - 1) - ties * (ties - 1)) / 4)
    return np.array([products, *squares])


def _sum_above(values: NDArray[np.float64], ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each instance, the sum of the values of those above it, and half of those tied with it."""
    _, codes = np.unique(ranks, return_inverse=True)
    codes = codes.reshape(-1)
    by_code = np.bincount(codes, weights=values)
    return np.asarray((by_code.sum() - np.cumsum(by_code))[codes] + 0.5 * (by_code[codes] - values))


def _spearman_without(
    x: NDArray[np.float64], y: NDArray[np.float64], members: list[NDArray[np.int64]]
) -> NDArray[np.float64]:
    """Return sums of products and of squares of the midranks without each cluster."""
    found = np.empty((3, len(members)))
    for index, out in enumerate(members):
        kept = np.setdiff1d(np.arange(x.size), out)
        a, b = (
            ranks[kept] - 0.5 * (np.sign(ranks[kept, None] - ranks[out]) + 1.0).sum(axis=1) - (kept.size + 1) / 2
            for ranks in (x, y)
        )
        found[:, index] = a @ b, a @ a, b @ b
    return found


def _kendall_without(
    x: NDArray[np.float64], y: NDArray[np.float64], members: list[NDArray[np.int64]]
) -> NDArray[np.float64]:
    """Return, without each unit, concordant minus discordant pairs, and the pairs that are not tied.

    Pairs with a member in a cluster are taken from all; pairs within it would be subtracted twice.
    """

    def pairs(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.array([_signs(x, y), x.size - _ties(x), x.size - _ties(y)])

    each = pairs(x, y)
    if not members:
        return np.asarray(each.sum(axis=1, keepdims=True) - 2.0 * each)
    within = np.array([pairs(x[out], y[out]).sum(axis=1) for out in members]).T
    touched = np.array([each[:, out].sum(axis=1) for out in members]).T
    return np.asarray(each.sum(axis=1, keepdims=True) - 2.0 * touched + within)
