"""The correlation of predictions with gold scores without each cluster of instances in turn."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from reportkit.metrics.correlation.coefficients import Coefficient, correlation, ratio, standardised, untied_pairs
from reportkit.metrics.correlation.concordance import concordance
from reportkit.metrics.correlation.leave_one_out import CANCELLED, quotients
from reportkit.metrics.correlation.midranks import Ranked, ranked


def leave_cluster_out(
    predictions: NDArray[np.float64],
    gold: NDArray[np.float64],
    clusters: NDArray[np.int64],
    coefficient: Coefficient,
) -> NDArray[np.float64]:
    """Correlation without each cluster.

    Parameters
    ----------
    predictions, gold : ndarray of shape (n,)
        Finite.
    clusters : ndarray of int of shape (n,)
        Which cluster an instance belongs to.
    coefficient : {"pearson", "spearman", "kendall"}
        Which.

    Returns
    -------
    ndarray of shape (n_clusters,)
        In the order of the codes of the clusters; NaN where what is left is constant, or a single instance.

    Examples
    --------
    >>> x, y = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([2.0, 1.0, 4.0, 3.0, 10.0])
    >>> leave_cluster_out(x, y, np.array([0, 0, 1, 1, 1]), "kendall")
    array([ 0.33333333, -1.        ])
    """
    order = np.lexsort((gold, predictions, clusters))  # sums within a cluster depend on no order of the rows
    starts = np.flatnonzero(np.diff(clusters[order], prepend=clusters[order[:1]] - 1))
    if coefficient == "pearson":
        return _pearson(predictions, gold, order, starts)
    members = np.split(order, starts[1:])
    x, y = ranked(predictions), ranked(gold)
    return _spearman(x, y, members) if coefficient == "spearman" else _kendall(x, y, members)


def _pearson(
    predictions: NDArray[np.float64], gold: NDArray[np.float64], order: NDArray[np.int64], starts: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Sums of the centred values without those of the cluster, and without what the mean then moves by."""
    x, y = standardised(predictions), standardised(gold)
    n_left = (predictions.size - np.diff(starts, append=predictions.size)).astype(np.float64)
    if x is None or y is None or starts.size < 2:
        return np.full(starts.size, np.nan)

    def left(values: NDArray[np.float64], one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
        sums, of_one, of_other = (np.add.reduceat(terms[order], starts) for terms in (values, one, other))
        return np.asarray(math.fsum(values) - sums - of_one * of_other / n_left)

    left_x, left_y = left(x * x, x, x), left(y * y, y, y)
    values = quotients(left(x * y, x, y), left_x, left_y)
    for cluster in np.flatnonzero((left_x < CANCELLED) | (left_y < CANCELLED)):
        kept = np.delete(order, np.arange(starts[cluster], [*starts, order.size][cluster + 1]))
        values[cluster] = correlation(predictions[kept], gold[kept], "pearson")
    return values


def _spearman(x: Ranked, y: Ranked, members: list[NDArray[np.int64]]) -> NDArray[np.float64]:
    """Midranks of what is left follow from how often each value is left."""
    values = np.empty(len(members))
    for index, out in enumerate(members):
        from_x, squares_x = _ranks_left(x, out)
        from_y, squares_y = _ranks_left(y, out)
        products = float(np.dot(from_x, from_y)) - float(np.dot(from_x[out], from_y[out]))
        values[index] = ratio(products, math.sqrt(squares_x * squares_y))
    return values


def _ranks_left(x: Ranked, out: NDArray[np.int64]) -> tuple[NDArray[np.float64], float]:
    """Midranks among what is left, from their mean, by instance; and the sum of their squares."""
    counts = (x.counts - np.bincount(x.codes[out], minlength=x.counts.size)).astype(np.float64)
    n_left = x.n - out.size
    from_mean = np.cumsum(counts) - (counts - 1) / 2 - (n_left + 1) / 2
    squares = (float(n_left) ** 3 - n_left - float((counts**3 - counts).sum())) / 12
    return from_mean[x.codes], squares


def _kendall(x: Ranked, y: Ranked, members: list[NDArray[np.int64]]) -> NDArray[np.float64]:
    """All pairs less those with a member in the cluster; pairs within it would be subtracted twice."""
    signs = concordance(x, y).signs
    total = float(signs.sum()) / 2
    values = np.empty(len(members))
    for index, out in enumerate(members):
        inside_x, inside_y = _part(x, out), _part(y, out)
        within = float(concordance(inside_x, inside_y).signs.sum()) / 2
        left_x, left_y = _pairs_left(x, inside_x, out), _pairs_left(y, inside_y, out)
        values[index] = ratio(total - float(signs[out].sum()) + within, float(np.sqrt(left_x * left_y)))
    return values


def _part(x: Ranked, chosen: NDArray[np.int64]) -> Ranked:
    _, codes, counts = np.unique(x.codes[chosen], return_inverse=True, return_counts=True)
    return Ranked(codes=codes.reshape(-1).astype(np.int64), counts=counts.astype(np.int64))


def _pairs_left(x: Ranked, inside: Ranked, out: NDArray[np.int64]) -> float:
    """Pairs that are not tied and have no member in a cluster."""
    touched = float((x.n - x.counts[x.codes[out]]).sum())  # pairs within the cluster twice
    return untied_pairs(x) - touched + untied_pairs(inside)
