"""For each instance, how many others lie on the same side of it in two orders: what rank correlations are made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.metrics.correlation.midranks import Ranked


@dataclass(frozen=True, slots=True, eq=False)
class Concordance:
    """Counts of pairs, by one member of the pair.

    Parameters
    ----------
    signs : ndarray of int of shape (n,)
        For each instance j, the sum over all i of sign(x_i - x_j) sign(y_i - y_j): pairs in the same order in x and
        in y, less pairs in opposite order.
    above : ndarray of float of shape (n,)
        For each instance j, the sum over all others i of h(x_i - x_j) h(y_i - y_j), where h is 1 above 0, 1/2 at 0 and
        0 below: how many lie above it in both orders, ties counting half in each.
    """

    signs: NDArray[np.int64]
    above: NDArray[np.float64]


def concordance(x: Ranked, y: Ranked) -> Concordance:
    """Count, for each instance, how the others lie to it in both orders, in O(n log^2 n) without loops over instances.

    Notes
    -----
    The others fall into nine cells: x less, equal or greater, times y less, equal or greater. The margins are ranks;
    of the cells, "less in both" is counted by merging halves of the x-order, as in Knight (1966), "A computer method
    for calculating Kendall's tau with ungrouped data", and the ties by sorting; the rest follows.

    Examples
    --------
    >>> from reportkit.metrics.correlation.midranks import ranked
    >>> counts = concordance(ranked(np.array([1.0, 2.0, 3.0, 3.0])), ranked(np.array([1.0, 3.0, 2.0, 4.0])))
    >>> counts.signs, counts.above
    (array([3, 1, 0, 2]), array([3. , 1. , 0.5, 0. ]))
    """
    x_less, y_less = x.below[x.codes], y.below[y.codes]
    x_equal, y_equal = x.counts[x.codes], y.counts[y.codes]
    x_greater = x.n - x_less - x_equal
    both_equal, equal_less = _within_ties(x, y)
    _, less_equal = _within_ties(y, x)
    less_less = _less_in_both(x.codes, y.codes)
    less_greater = x_less - less_less - less_equal
    greater_less = y_less - less_less - equal_less
    greater_equal = y_equal - both_equal - less_equal
    greater_greater = x_greater - greater_less - greater_equal
    equal_greater = x_equal - both_equal - equal_less
    return Concordance(
        signs=less_less + greater_greater - less_greater - greater_less,
        above=greater_greater + 0.5 * (equal_greater + greater_equal) + 0.25 * (both_equal - 1),
    )


def _within_ties(x: Ranked, y: Ranked) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each instance, how many have the same x and the same y (itself too), and the same x and a smaller y."""
    cells, place, counts = np.unique(x.codes * y.counts.size + y.codes, return_inverse=True, return_counts=True)
    place = place.reshape(-1)
    smaller = np.cumsum(counts) - counts - x.below[cells // y.counts.size]
    return counts[place], smaller[place]


def _less_in_both(x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each instance, how many have a smaller x and a smaller y."""
    order = np.lexsort((-y, x))  # among equal x the larger y first, so that none of them is counted
    counts = np.empty(x.size, dtype=np.int64)
    counts[order] = _smaller_before(y[order])
    return counts


def _smaller_before(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each position, how many earlier ones hold a smaller value."""
    n = values.size
    position = np.arange(n)
    counts = np.zeros(n, dtype=np.int64)
    span = 2 * (int(values.max(initial=0)) + 1)
    width = 1
    while width < n:
        block = position // (2 * width)
        left = (position // width) % 2 == 0
        order = np.argsort(block * span + 2 * values + left, kind="stable")  # of equal values the right one first
        lefts = np.cumsum(left[order]) - width * block[order]
        from_right = ~left[order]
        counts[order[from_right]] += lefts[from_right]
        width *= 2
    return counts
