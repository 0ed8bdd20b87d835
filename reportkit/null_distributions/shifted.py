"""Ends of intervals: the mean difference at which a sign flip, or a bootstrap, of shifted differences has a given tail.

The tail of a shifted test only grows with the shift, so that the differences it does not reject are an interval. Up to
14 units it is read off the means of all subsets. Of more units the tail comes from the characteristic function of the
sum (Gil-Pelaez, with the midpoints of Davies 1973, "Numerical inversion of a characteristic function"), smoothed by a
normal variable with a hundredth of its standard deviation, so that lattices need no case of their own; the shift is
then right to about a hundredth of a standard error.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from reportkit.null_distributions.shifted_rows import IMAGES, NEGLIGIBLE, REACH, SMOOTHING, cosine, main_lobe_ends

Floats = NDArray[np.float64]

MOST_ENUMERATED = 16
"""Units up to which the means of all subsets are looked at."""

_MAIN_LOBE = 10.0  # how far the main lobe of a characteristic function reaches, in 1 / standard deviation of the sum
_FIRST_FACTORS = 16  # of a characteristic function, after which negligible nodes are left out; doubled each time
_CLOSE = 1e-3  # to the normal quantile of the level: a thousandth of a standard error
_CLOSER = 1e-6
_CORRECTIONS = 4
_FIRST_STEP = 0.05
_TOLERANCE = 1e-9
_ROUNDING = 1e-12
_SMALLEST = 1e-300
_LARGEST_TABLE = 1 << 20


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
    for row in np.flatnonzero(~quick.certain | np.isnan(found).any(axis=1)):
        found[row, 0] = _flip_end(rows[row], ones, alpha, float(found[row, 0]))
        found[row, 1] = -_flip_end(turned[row], ones, alpha, -float(found[row, 1]))
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
    lowest = float((sums / sizes).min())
    return unit * _solve(
        lambda m, whole: _flip_tail(values[0] - m * values[1], counts, alpha, whole),
        sums,
        sizes,
        alpha,
        lowest,
        quick / unit,
    )


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
    # of the negated sums, -x is the shift at which P(sum of draws of (-s - (-x) w) <= 0) passes alpha
    found = _solve(
        lambda m, whole: _draw_tail(values[0] - m * values[1], counts, alpha, whole), -sums, sizes, alpha, -highest
    )
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


def _solve(
    tail: Callable[[float, bool], float],
    sums: Floats,
    sizes: Floats,
    alpha: float,
    lowest: float,
    quick: float = math.nan,
) -> float:
    """The shift at which a tail passes alpha: told by the main lobe alone, and by the whole contour where that errs."""
    mean = float(sums.sum() / sizes.sum())
    scale = math.sqrt(float(np.square(sums - sizes * mean).sum())) / float(sizes.sum())
    if math.isnan(quick):
        start = _start(sizes, alpha, mean, scale)
        quick = _corrected(lambda m: tail(m, False), start, alpha, scale, _CLOSER)
    if math.isnan(quick):
        quick = _root(lambda m: tail(m, False), start, (lowest, mean), alpha, scale)
    found = _corrected(lambda m: tail(m, True), quick, alpha, scale, _CLOSE)
    return _root(lambda m: tail(m, True), quick, (lowest, mean), alpha, scale) if math.isnan(found) else found


def _corrected(tail: Callable[[float], float], start: float, alpha: float, scale: float, close: float) -> float:
    """A few secant steps from a shift that is almost right; NaN where they do not end."""
    wanted = float(ndtri(alpha))
    point, before = start, None
    for _ in range(_CORRECTIONS):
        p_value = tail(point)
        if not _SMALLEST < p_value < 0.5:
            return math.nan
        excess = float(ndtri(p_value)) - wanted
        if abs(excess) <= close:
            return point
        slope = 1.0 / scale if before is None else (excess - before[1]) / (point - before[0])
        if not 0.2 < slope * scale < 5.0:
            return math.nan
        before = (point, excess)
        point -= excess / slope
    return math.nan


def _start(sizes: Floats, alpha: float, mean: float, scale: float) -> float:
    """Where the shifted sum is as many of its own standard deviations above 0 as a normal one has at this level."""
    z = -float(ndtri(alpha))
    part = z * z * float(np.square(sizes).sum()) / float(sizes.sum()) ** 2
    return mean - z * scale / math.sqrt(max(1.0 - part, 0.1))


def _root(
    tail: Callable[[float], float], start: float, limits: tuple[float, float], alpha: float, scale: float
) -> float:
    """Find where the tail passes alpha, on the scale of normal quantiles, where it is almost a straight line."""
    wanted = float(ndtri(alpha))
    known: dict[float, float] = {}

    def excess(shift: float) -> float:
        if shift not in known:
            known[shift] = float(ndtri(min(max(tail(shift), _SMALLEST), 1.0 - 1e-16))) - wanted
        return known[shift]

    low = high = min(max(start, limits[0]), limits[1])
    step = _FIRST_STEP * scale
    while excess(low) > 0 and low > limits[0]:
        high, low, step = low, max(low - step, limits[0]), 4.0 * step
    while excess(high) <= 0 and high < limits[1]:
        low, high, step = high, min(high + step, limits[1]), 4.0 * step
    if excess(low) > 0 or excess(high) <= 0:  # the tail jumps over the level at a limit
        return low if excess(low) > 0 else high
    from scipy.optimize import brentq  # imported here: it is slow to import, and seldom needed

    return float(brentq(excess, low, high, xtol=_TOLERANCE * scale, rtol=1e-15))


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


def _draw_tail(values: Floats, counts: Floats, alpha: float, whole: bool) -> float:
    """P(sum of n draws of the values <= 0), n being the sum of the counts."""
    n = float(counts.sum())
    chances = counts / n
    mean = float((chances * values).sum())
    total, deviation = n * mean, math.sqrt(n * float((chances * np.square(values - mean)).sum()))
    halves = _nodes(total, deviation, alpha, REACH if whole else _MAIN_LOBE)
    if halves.size * values.size > _LARGEST_TABLE:
        halves = _nodes(total, deviation, alpha, _MAIN_LOBE)
    frequencies = halves * _spacing(total, deviation, alpha)
    smooth = np.exp(-0.5 * np.square(SMOOTHING * deviation * frequencies))
    one = (np.exp(1j * np.multiply.outer(frequencies, values - mean)) * chances).sum(axis=1)
    characteristic = np.power(one, n) * np.exp(1j * frequencies * total)
    return 0.5 - float((characteristic.imag * smooth / (math.pi * halves)).sum())
