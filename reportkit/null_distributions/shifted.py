"""Ends of intervals: the mean difference at which a sign flip, or a bootstrap, of shifted differences has a given tail.

The tail of a shifted test only grows with the shift, so that the differences it does not reject are an interval. Up to
14 units it is read off the means of all subsets. Of more units the tail comes from the characteristic function of the
sum (Gil-Pelaez, with the midpoints of Davies 1973, "Numerical inversion of a characteristic function"), smoothed by a
normal variable with a hundredth of its standard deviation, so that lattices need no case of their own; the shift is
then right to about a hundredth of a standard error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from reportkit.null_distributions.shifted_rows import IMAGES, NEGLIGIBLE, REACH, SMOOTHING, cosine, main_lobe_ends
from reportkit.null_distributions.shifted_search import answered, answered_together, search

Floats = NDArray[np.float64]

MOST_ENUMERATED = 16
"""Units up to which the means of all subsets are looked at."""

_MAIN_LOBE = 10.0  # how far the main lobe of a characteristic function reaches, in 1 / standard deviation of the sum
_FIRST_FACTORS = 16  # of a characteristic function, after which negligible nodes are left out; doubled each time
_MOST_TOGETHER = 1000  # units up to which rows are taken together
_ROWS_TOGETHER = 256
_ROUNDING = 1e-12
_LARGEST_TABLE = 1 << 20
_CACHED_TABLE = 1 << 15
_FURTHER = 1.5  # standard deviations from 0, beyond the normal quantile, that the mean of a sum of draws is looked at
_RUN = 16  # nodes at a time


def sign_flip_ends(rows: Floats, alpha: float) -> Floats:
    """Both ends of the interval that inverts the sign-flip test of a mean, for rows of units of the same size.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_units)
        Differences, each row sorted.
    alpha : float
        Level of each one-sided test, in (0, 1/2).

    Returns
    -------
    ndarray of shape (n_rows, 2)
        What `sign_flip_end` gives for each row, and minus what it gives for the row negated: to the last bit the same
        whatever the other rows are.

    Examples
    --------
    >>> sign_flip_ends(np.array([[0.1, 0.2, 0.4, 0.5, 0.7, 0.9]]), 0.025)
    array([[0.1, 0.9]])
    """
    n = rows.shape[1]
    ones, turned = np.ones(n), -rows[:, ::-1]
    if n <= MOST_ENUMERATED:
        return np.array(
            [
                [sign_flip_end(low, ones, alpha), -sign_flip_end(high, ones, alpha)]
                for low, high in zip(rows, turned, strict=True)
            ]
        )
    quick = main_lobe_ends(rows, alpha)
    found = quick.ends.copy()
    others = np.flatnonzero(~quick.certain | np.isnan(found).any(axis=1))
    if n > _MOST_TOGETHER:  # equal values are worth finding
        for row in others:
            found[row, 0] = _flip_end(rows[row], ones, alpha, float(found[row, 0]))
            found[row, 1] = -_flip_end(turned[row], ones, alpha, -float(found[row, 1]))
        return found
    for first in range(0, others.size, _ROWS_TOGETHER):
        here = others[first : first + _ROWS_TOGETHER]
        found[here, 0] = _ends_together(rows[here], alpha, found[here, 0])
        found[here, 1] = -_ends_together(turned[here], alpha, -found[here, 1])
    return found


def sign_flip_end(sums: Floats, sizes: Floats, alpha: float) -> float:
    """Lower end of the interval that inverts the sign-flip test of a mean: inf {m : P(T*(m) >= T(m)) > alpha}.

    T*(m) is the sum of the shifted values `sums - m sizes` with fair random signs, T(m) the observed one: the share of
    sign patterns is that of the subsets whose mean, sum over size, is at most m, the empty subset counting always.

    Parameters
    ----------
    sums : ndarray of shape (n_units,)
        Differences of each unit, summed; sorted, so that no order of rows can change the result.
    sizes : ndarray of shape (n_units,)
        What a shift of 1 adds to each unit, positive.
    alpha : float
        Level of the one-sided test, in (0, 1/2).

    Returns
    -------
    float
        Minus infinity where n units cannot reach the level, 2^-n > alpha. The upper end is minus the lower one of the
        negated sums.

    Notes
    -----
    Assumes units that are symmetric about the mean (times their size); Hartigan (1969), "Using subsample values as
    typical values".

    Examples
    --------
    >>> sign_flip_end(np.array([0.1, 0.2, 0.4, 0.5, 0.7, 0.9]), np.ones(6), 0.025)  # the smallest of 63 means
    0.1
    >>> sign_flip_end(np.array([0.1, 0.2, 0.4, 0.5, 0.7]), np.ones(5), 0.025)
    -inf
    """
    n = sums.size
    if math.ldexp(1.0, -n) > alpha * (1 + _ROUNDING):
        return -math.inf
    if n <= MOST_ENUMERATED:
        sums, sizes, unit = _scaled(sums, sizes)
        return unit * _of_subsets(sums, sizes, alpha)
    if (sizes == sizes[0]).all():
        return float(sign_flip_ends(sums[None, :], alpha)[0, 0] / sizes[0])
    return _flip_end(sums, sizes, alpha, math.nan)


def _flip_end(sums: Floats, sizes: Floats, alpha: float, quick: float) -> float:
    """Lower end by the whole contour, from what the main lobe alone says, or NaN."""
    sums, sizes, unit = _scaled(sums, sizes)
    values, counts = _distinct(sums, sizes)
    one = search(sums, sizes, alpha, float((sums / sizes).min()), quick / unit)
    return unit * answered(one, lambda m, whole: _flip_tail(values[0] - m * values[1], counts, alpha, whole))


def _ends_together(rows: Floats, alpha: float, quick: Floats) -> Floats:
    """The same for rows of a few units of the same size."""
    ones = np.ones(rows.shape[1])
    units = np.ldexp(1.0, np.frexp(np.abs(rows).max(axis=1))[1])
    scaled = rows / units[:, None]
    each = zip(scaled, quick / units, strict=True)
    ends = answered_together(
        [search(row, ones, alpha, float(row.min()), float(of_lobe)) for row, of_lobe in each],
        lambda which, shifts, whole: flip_tails(scaled[which] - shifts[:, None], alpha, whole=whole),
    )
    return np.asarray(units * np.array(ends))


def bootstrap_end(sums: Floats, sizes: Floats, alpha: float) -> float:
    """Lower end of the interval that inverts the recentred bootstrap of a mean: 2 d - sup {x : P(d* >= x) > alpha}.

    d* is the mean, sum over size, of n units drawn with replacement; the test rejects a difference m where
    P(d* >= 2 d - m) <= alpha.

    Parameters
    ----------
    sums, sizes, alpha
        As for `sign_flip_end`.

    Returns
    -------
    float
        The upper end is minus the lower one of the negated sums.

    Examples
    --------
    >>> values = np.sort(np.random.default_rng(0).normal(0.3, 1.0, 200))
    >>> normal = values.mean() - 1.96 * values.std() / 200**0.5
    >>> bool(abs(bootstrap_end(values, np.ones(200), 0.025) - normal) < 0.01)
    True
    """
    sums, sizes, unit = _scaled(sums, sizes)
    mean = float(sums.sum() / sizes.sum())
    values, counts = _distinct(-sums, sizes)
    highest = float((sums / sizes).max())
    draws = _Draws.of(values[0], counts) if (sizes == sizes[0]).all() else None  # the same, whatever the shift is

    def tail(m: float, whole: bool) -> float:
        shifted = values[0] - m * values[1]
        if draws is None:
            return _draw_tail(shifted, counts, alpha, whole)
        return draws.tail(float((counts * shifted).sum()), alpha, whole)

    # of the negated sums, -x is the shift at which P(sum of draws of (-s - (-x) w) <= 0) passes alpha
    found = answered(search(-sums, sizes, alpha, -highest), tail)
    return unit * (2.0 * mean + found)


def _scaled(sums: Floats, sizes: Floats) -> tuple[Floats, Floats, float]:
    """Sums and sizes in powers of two of about the largest, and the unit of their ratio: squares stay in range."""
    of_sums = math.frexp(float(np.abs(sums).max()))[1]
    of_sizes = math.frexp(float(sizes.max()))[1]
    return np.ldexp(sums, -of_sums), np.ldexp(sizes, -of_sizes), math.ldexp(1.0, of_sums - of_sizes)


def _of_subsets(sums: Floats, sizes: Floats, alpha: float) -> float:
    """The k-th smallest mean of a subset, k being the number of patterns, beside the empty one, that pass the level."""
    total, size = np.zeros(1), np.zeros(1)
    for value, weight in zip(sums, sizes, strict=True):
        total, size = np.concatenate((total, total + value)), np.concatenate((size, size + weight))
    total[np.abs(total) <= _ROUNDING * float(np.abs(sums).sum())] = 0.0
    means = total[1:] / size[1:]
    k = math.floor(math.ldexp(alpha * (1 + _ROUNDING), sums.size))
    return float(np.partition(means, k - 1)[k - 1])


def _distinct(sums: Floats, sizes: Floats) -> tuple[Floats, Floats]:
    """Distinct pairs of sum and size, shape (2, n_distinct), and how often each occurs."""
    if (sizes == sizes[0]).all():
        values, counts = np.unique(sums, return_counts=True)
        return np.stack((values, np.full(values.size, sizes[0]))), counts.astype(np.float64)
    pairs, counts = np.unique(np.stack((sums, sizes)), axis=1, return_counts=True)
    return pairs, counts.astype(np.float64)


def _nodes(total: float, deviation: float, alpha: float, reach: float) -> Floats:
    """Midpoints k + 1/2 of the spacing at which images of the sum are negligible beside alpha, up to `reach`."""
    spacing = _spacing(total, deviation, alpha)
    return np.asarray(np.arange(math.ceil(reach / (deviation * spacing))) + 0.5, dtype=np.float64)


def _spacing(total: float, deviation: float, alpha: float) -> float:
    return 2.0 * math.pi / (abs(total) + deviation * math.sqrt(2.0 * math.log(IMAGES / alpha)))


def _flip_tail(values: Floats, counts: Floats, alpha: float, whole: bool) -> float:
    """P(sum of the flipped values <= 0) = P(sum of +-values >= their sum)."""
    total = float((counts * values).sum())
    deviation = math.sqrt(float((counts * np.square(values)).sum()))
    halves = _nodes(total, deviation, alpha, REACH if whole else _MAIN_LOBE)
    frequencies = halves * _spacing(total, deviation, alpha)
    smooth = np.exp(-0.5 * np.square(SMOOTHING * deviation * frequencies))
    products = _cosines(frequencies, values, counts, smooth, NEGLIGIBLE * alpha)
    return 0.5 - float((np.sin(frequencies * total) * products / (math.pi * halves)).sum())


def _cosines(frequencies: Floats, values: Floats, counts: Floats, products: Floats, negligible: float) -> Floats:
    """Multiply by the cosines of all values at each frequency; 0 as soon as a product is negligible.

    Values are taken in strides, few at first, so that near ones do not come together.
    """
    stride = -(-values.size // _FIRST_FACTORS)
    order = np.argsort(np.arange(values.size) % stride, kind="stable")
    products = products.copy()
    alive = np.arange(frequencies.size)
    first, width = 0, _FIRST_FACTORS
    while first < values.size and alive.size:
        width = min(width, max(_LARGEST_TABLE // alive.size, 1))
        some = order[first : first + width]
        factors = cosine(np.multiply.outer(frequencies[alive], values[some]))
        several = counts[some] > 1
        if several.any():
            factors[:, several] = np.power(factors[:, several], counts[some][several])
        products[alive] *= np.prod(factors, axis=1)
        large = np.abs(products[alive]) > negligible
        products[alive[~large]] = 0.0
        alive = alive[large]
        first, width = first + width, 2 * width
    return products


def flip_tails(rows: Floats, alpha: float, *, whole: bool) -> Floats:
    """P(sum of the flipped values <= 0) for rows of values, as `_flip_tail`; no tail depends on other rows."""
    total, deviation = rows.sum(axis=1), np.sqrt(np.square(rows).sum(axis=1))
    spacing = 2.0 * math.pi / (np.abs(total) + deviation * math.sqrt(2.0 * math.log(IMAGES / alpha)))
    n_nodes = np.ceil((REACH if whole else _MAIN_LOBE) / (deviation * spacing)).astype(np.intp)
    stops = np.cumsum(n_nodes)
    owner = np.repeat(np.arange(rows.shape[0]), n_nodes)
    halves = np.arange(owner.size) - np.repeat(stops - n_nodes, n_nodes) + 0.5
    frequencies = halves * spacing[owner]
    smooth = np.exp(-0.5 * np.square(SMOOTHING * deviation[owner] * frequencies))
    products = _cosines_together(frequencies, owner, rows, smooth, NEGLIGIBLE * alpha)
    terms = np.sin(frequencies * total[owner]) * products / (math.pi * halves)
    return np.array([0.5 - float(part.sum()) for part in np.split(terms, stops[:-1])])


def _cosines_together(
    frequencies: Floats, owner: NDArray[np.intp], rows: Floats, products: Floats, negligible: float
) -> Floats:
    """As `_cosines`, at frequencies of several rows; numbers of cosines are multiples of 16, so that all are alike."""
    n = rows.shape[1]
    stride = -(-n // _FIRST_FACTORS)
    values = np.zeros((rows.shape[0], -(-n // _FIRST_FACTORS) * _FIRST_FACTORS))
    values[:, :n] = rows[:, np.argsort(np.arange(n) % stride, kind="stable")]
    alive = np.arange(frequencies.size)
    first, width = 0, _FIRST_FACTORS
    while first < n and alive.size:
        columns = slice(first, first + width)
        at_once = max(_CACHED_TABLE // width, 1)
        for part in (alive[left : left + at_once] for left in range(0, alive.size, at_once)):
            factors = cosine(frequencies[part, None] * values[owner[part], columns])
            products[part] *= np.prod(factors, axis=1)
        large = np.abs(products[alive]) > negligible
        products[alive[~large]] = 0.0
        alive = alive[large]
        first, width = first + width, 2 * width
    return products


def _draw_tail(values: Floats, counts: Floats, alpha: float, whole: bool) -> float:
    """P(sum of n draws of the values <= 0), n being the sum of the counts."""
    return _Draws.of(values, counts).tail(float((counts * values).sum()), alpha, whole)


@dataclass(frozen=True, slots=True, eq=False)
class _Draws:
    """The sum of n draws from values about their mean, whatever is added to each of them.

    Parameters
    ----------
    values, chances : (n_distinct,) array
        About their mean, and of one draw.
    n : float
        Draws.
    deviation : float
        Of the sum.
    known : dict
        Characteristic functions, by spacing and number of nodes.
    """

    values: Floats
    chances: Floats
    n: float
    deviation: float
    known: dict[tuple[float, int], NDArray[np.complex128]]

    @classmethod
    def of(cls, values: Floats, counts: Floats) -> Self:
        """Draws from values with their counts."""
        n = float(counts.sum())
        chances = counts / n
        centred = values - float((chances * values).sum())
        return cls(centred, chances, n, math.sqrt(n * float((chances * np.square(centred)).sum())), {})

    def tail(self, total: float, alpha: float, whole: bool) -> float:
        """P(sum <= 0) where the mean of the sum is `total`."""
        # one spacing for all means that an end is looked for at, so that one characteristic function does
        widest = max(abs(total), (_FURTHER - float(ndtri(alpha))) * self.deviation)
        halves = _nodes(widest, self.deviation, alpha, REACH if whole else _MAIN_LOBE)
        if halves.size * self.values.size > _LARGEST_TABLE:
            halves = _nodes(widest, self.deviation, alpha, _MAIN_LOBE)
        spacing = _spacing(widest, self.deviation, alpha)
        frequencies = halves * spacing
        smooth = np.exp(-0.5 * np.square(SMOOTHING * self.deviation * frequencies))
        characteristic = self._characteristic(spacing, halves.size) * np.exp(1j * frequencies * total)
        return 0.5 - float((characteristic.imag * smooth / (math.pi * halves)).sum())

    def _characteristic(self, spacing: float, n_nodes: int) -> NDArray[np.complex128]:
        """At (k + 1/2) times the spacing, k = 0, 1, ...: runs of nodes are turned from one to the next."""
        known = self.known.get((spacing, n_nodes))
        if known is None:
            one = np.empty(-(-n_nodes // _RUN) * _RUN, dtype=np.complex128)
            turned = np.exp(1j * np.multiply.outer((np.arange(_RUN) + 0.5) * spacing, self.values))
            turn = np.exp(1j * (_RUN * spacing) * self.values)
            for first in range(0, one.size, _RUN):
                one[first : first + _RUN] = (turned * self.chances).sum(axis=1)
                turned *= turn
            known = self.known[spacing, n_nodes] = np.power(one[:n_nodes], self.n)
        return known
