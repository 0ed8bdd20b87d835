"""Correlations of predictions with gold scores, also without each instance or cluster in turn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

_KEPT_BITS = 40
"""Of the 53 bits of a float; values that agree in these, which is to 12 significant digits, are tied."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """The order of some values.

    Parameters
    ----------
    codes : ndarray of int of shape (n,)
        0 for the smallest value, 1 for the next larger one, ...; tied values have one code.
    counts : ndarray of int of shape (n_codes,)
        How often each code occurs.
    """

    codes: NDArray[np.int64]
    counts: NDArray[np.int64]

    @property
    def n(self) -> int:
        """Return the number of values."""
        return int(self.codes.size)

    @property
    def below(self) -> NDArray[np.int64]:
        """How many values are smaller than those of each code, shape (n_codes,)."""
        return np.asarray(np.cumsum(self.counts) - self.counts)

    @property
    def midranks(self) -> NDArray[np.float64]:
        """Rank of each value, from 1, ties sharing the mean of theirs; shape (n,)."""
        by_code = self.below + (self.counts + 1) / 2
        return np.asarray(by_code[self.codes])


def ranked(values: NDArray[np.float64]) -> Ranked:
    """Put finite values in order; those that agree to 12 significant digits are tied.

    Without that, 0.1 + 0.2 would rank above 0.3.

    Examples
    --------
    >>> ranked(np.array([0.3, 0.2, 0.1 + 0.2, 0.9])).midranks
    array([2.5, 1. , 2.5, 4. ])
    """
    _, codes, counts = np.unique(_rounded(values), return_inverse=True, return_counts=True)
    return Ranked(codes=codes.reshape(-1).astype(np.int64), counts=counts.astype(np.int64))


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    mantissas, exponents = np.frexp(values)
    rounded = np.ldexp(np.rint(np.ldexp(mantissas, _KEPT_BITS)), -_KEPT_BITS)
    # a mantissa that was rounded up to 1 at the top of the range of a float would overflow
    return np.asarray(np.where(np.isfinite(scaled := _scaled(rounded, exponents)), scaled, values) + 0.0)


def _scaled(mantissas: NDArray[np.float64], exponents: NDArray[np.int32]) -> NDArray[np.float64]:
    with np.errstate(over="ignore"):
        return np.asarray(np.ldexp(mantissas, exponents))


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
    >>> from reportkit.metrics.correlation import ranked
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
    """The coefficient of a name, in any case; None if the name is that of no coefficient.

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
        return _pearson(predictions, gold)
    x, y = ranked(predictions), ranked(gold)
    return spearman_of(x, y) if coefficient == "spearman" else kendall_of(x, y)


def is_constant(values: NDArray[np.float64], coefficient: Coefficient) -> bool:
    """Return whether a coefficient takes all values for the same, so that no correlation with them exists.

    Examples
    --------
    >>> is_constant(np.array([0.3, 0.1 + 0.2]), "spearman"), is_constant(np.array([0.3, 0.4]), "spearman")
    (True, False)
    """
    return standardised(values) is None if coefficient == "pearson" else ranked(values).counts.size < 2


def standardised(values: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return the values minus their mean, divided by the root of their sum of squares; None if they are constant.

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


def _pearson(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    unit_x, unit_y = standardised(x), standardised(y)
    if unit_x is None or unit_y is None:
        return math.nan
    return bounded(math.fsum(unit_x * unit_y))


def spearman_of(x: Ranked, y: Ranked) -> float:
    """Spearman's rho of two orders; NaN if one of them is a single tie."""
    mean = (x.n + 1) / 2
    products = float(np.dot(x.midranks - mean, y.midranks - mean))
    return ratio(products, math.sqrt(square_sum(x) * square_sum(y)))


def kendall_of(x: Ranked, y: Ranked) -> float:
    """Kendall's tau-b of two orders; NaN if one of them is a single tie."""
    signs = float(concordance(x, y).signs.sum()) / 2
    return ratio(signs, math.sqrt(untied_pairs(x) * untied_pairs(y)))


def square_sum(x: Ranked) -> float:
    """Return the sum of the squared deviations of midranks from their mean."""
    counts = x.counts.astype(np.float64)
    return (float(x.n) ** 3 - float(x.n) - float((counts**3 - counts).sum())) / 12


def untied_pairs(x: Ranked) -> float:
    """Return the number of pairs of instances that are not tied."""
    counts = x.counts.astype(np.float64)
    return (float(x.n) * (x.n - 1) - float((counts * (counts - 1)).sum())) / 2


def ratio(numerator: float, denominator: float) -> float:
    """A coefficient as a quotient; NaN where nothing varies."""
    return bounded(numerator / denominator) if denominator > 0 else math.nan


def bounded(value: float) -> float:
    """Into [-1, 1], which rounding may leave by a digit; no -0.0."""
    return min(1.0, max(-1.0, value)) + 0.0


CANCELLED = 1e-4
"""Where less than this part of a sum of squares is left, the rest is summed anew: its leading digits are gone."""


def leave_one_out(
    predictions: NDArray[np.float64], gold: NDArray[np.float64], coefficient: Coefficient
) -> NDArray[np.float64]:
    """Return the correlation without each instance.

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
        return leave_cluster_out(predictions, gold, np.arange(predictions.size), coefficient)
    x, y = ranked(predictions), ranked(gold)
    return _spearman_without_one(x, y) if coefficient == "spearman" else _kendall_without_one(x, y)


def _spearman_without_one(x: Ranked, y: Ranked) -> NDArray[np.float64]:
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


def _kendall_without_one(x: Ranked, y: Ranked) -> NDArray[np.float64]:
    signs = concordance(x, y).signs
    return quotients(signs.sum() / 2 - signs, _pairs_without(x), _pairs_without(y))


def _sum_above(values: NDArray[np.float64], order: Ranked) -> NDArray[np.float64]:
    """For each instance, the sum of the values of those above it in an order, and half of those tied with it."""
    by_code = np.bincount(order.codes, weights=values, minlength=order.counts.size)
    above = by_code.sum() - np.cumsum(by_code)
    return np.asarray(above[order.codes] + 0.5 * (by_code[order.codes] - values))


def _squares_without(x: Ranked) -> NDArray[np.float64]:
    """Return the sum of squared deviations of midranks, without each instance."""
    t = x.counts[x.codes].astype(np.float64)
    # t^3 - t of its ties falls by 3 t (t - 1), and n^3 - n by 3 n (n - 1)
    return np.asarray(square_sum(x) - (float(x.n) * (x.n - 1) - t * (t - 1)) / 4)


def _pairs_without(x: Ranked) -> NDArray[np.float64]:
    """Return the number of pairs that are not tied, without each instance."""
    return np.asarray(untied_pairs(x) - (x.n - x.counts[x.codes]))


def quotients(
    products: NDArray[np.float64], left_x: NDArray[np.float64], left_y: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Correlations from sums of products and of squares; NaN where nothing is left that varies."""
    known = (left_x > 0) & (left_y > 0)
    values = np.full(products.size, np.nan)
    values[known] = products[known] / np.sqrt(left_x[known] * left_y[known])
    return np.asarray(np.clip(values, -1.0, 1.0))


def leave_cluster_out(
    predictions: NDArray[np.float64],
    gold: NDArray[np.float64],
    clusters: NDArray[np.int64],
    coefficient: Coefficient,
) -> NDArray[np.float64]:
    """Return the correlation without each cluster.

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
        return _pearson_without(predictions, gold, order, starts)
    members = np.split(order, starts[1:])
    x, y = ranked(predictions), ranked(gold)
    return _spearman_without(x, y, members) if coefficient == "spearman" else _kendall_without(x, y, members)


def _pearson_without(
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


def _spearman_without(x: Ranked, y: Ranked, members: list[NDArray[np.int64]]) -> NDArray[np.float64]:
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


def _kendall_without(x: Ranked, y: Ranked, members: list[NDArray[np.int64]]) -> NDArray[np.float64]:
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
