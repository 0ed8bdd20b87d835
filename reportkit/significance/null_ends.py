"""Ends of intervals that invert sign-flip tests and bootstrap tests of a mean."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from reportkit.significance.null_sums import FAR, NODES, Draws, Flips, Floats, Sums

_SMOOTHING = 0.01  # standard deviations of the sum, so that a lattice has an end, too
_REACH = 568.0  # 1 / standard deviation: beyond, the smoothing leaves 1e-7
_MOST_SUBSETS = 16
_ROUNDING = 1e-12


def flip_ends(sums: Floats, sizes: Floats, alpha: float) -> Floats:
    """Return the lower end of the interval that inverts the sign-flip test, for each row.

    The end is inf {m : P(T*(m) >= T(m)) > alpha}, where T(m) is the sum of `sums - m sizes` and T*(m) the same with
    fair random signs. The upper end is minus the lower one of the negated sums.

    Parameters
    ----------
    sums, sizes : ndarray of shape (n_rows, n_units)
        Sums of differences of each unit, and what a shift of 1 adds to them, positive.
    alpha : float
        Level of the one-sided test, in (0, 1/2).

    Returns
    -------
    ndarray of shape (n_rows,)
        Exact for at most 16 units (a mean of a subset of them; minus infinity where 2^-n > alpha); right to 1e-3
        standard errors for more, or to a few hundredths on a coarse lattice.

    Notes
    -----
    Hartigan (1969), "Using subsample values as typical values". The tail is Gil-Pelaez' integral at midpoints (Davies
    1973, "Numerical inversion of a characteristic function").

    Examples
    --------
    >>> flip_ends(np.array([[0.1, 0.2, 0.4, 0.5, 0.7, 0.9]]), np.ones((1, 6)), 0.025)  # the smallest of 63 means
    array([0.1])
    """
    if sums.shape[1] <= _MOST_SUBSETS:
        return np.array([_end_of_subsets(row, size, alpha) for row, size in zip(sums, sizes, strict=True)])

    def tails(shifts: Floats, rows: NDArray[np.intp]) -> Floats:
        shifted = sums[rows] - shifts[:, None] * sizes[rows]
        return _smooth_tails(Flips(np.abs(shifted), shifted.sum(axis=1)), alpha)

    means = sums.sum(axis=1) / sizes.sum(axis=1)
    errors = np.sqrt(np.square(sums - means[:, None] * sizes).sum(axis=1)) / sizes.sum(axis=1)
    return _solved(tails, means, errors, alpha)


def draw_end(sums: Floats, sizes: Floats, alpha: float) -> float:
    """Return the lower end of the basic bootstrap interval of a mean: 2 d - sup {x : P(d* >= x) > alpha}.

    d* is the mean, sum over size, of n units drawn with replacement, as for infinitely many resamples; the upper end is
    minus the lower one of the negated sums. Parameters as for `flip_ends`, of one row.

    Examples
    --------
    >>> values = np.random.default_rng(0).normal(0.3, 1.0, 200)
    >>> normal = values.mean() - 1.96 * values.std() / 200**0.5
    >>> bool(abs(draw_end(values, np.ones(200), 0.025) - normal) < 0.01)
    True
    """
    mean = float(sums.sum() / sizes.sum())
    error = math.sqrt(float(np.square(sums - mean * sizes).sum())) / float(sizes.sum())
    pairs, counts = np.unique(np.stack((sums, sizes)), axis=1, return_counts=True)

    def tails(shifts: Floats, rows: NDArray[np.intp]) -> Floats:
        values = (2.0 * mean - float(shifts[0])) * pairs[1] - pairs[0]  # P(d* >= 2 d - m) grows with m
        draws = Draws(-values, counts / sums.size, sums.size, np.zeros(1))
        return _smooth_tails(draws, alpha)

    return float(_solved(tails, np.array([mean]), np.array([error]), alpha)[0])


def _end_of_subsets(sums: Floats, sizes: Floats, alpha: float) -> float:
    """Return the k-th smallest mean of a subset, where k patterns besides the empty one pass the level."""
    k = math.floor(math.ldexp(alpha * (1.0 + _ROUNDING), sums.size))
    if k < 1:
        return -math.inf
    total, size = np.zeros(1), np.zeros(1)
    for value, weight in zip(sums, sizes, strict=True):
        total, size = np.concatenate((total, total + value)), np.concatenate((size, size + weight))
    total[np.abs(total) <= _ROUNDING * float(np.abs(sums).sum())] = 0.0
    return float(np.partition(total[1:] / size[1:], k - 1)[k - 1])


def _smooth_tails(sums: Sums, alpha: float) -> Floats:
    """Return P(T + a little normal noise >= t) for each row."""
    zero = np.zeros_like(sums.at)
    _, mean, deviation = sums.tilted(zero)
    period = 1.25 * (np.abs(sums.at - mean) + deviation * math.sqrt(2.0 * math.log(2e4 / alpha)))
    counts = np.ceil(_REACH / (2.0 * math.pi) * period / deviation)
    counts = np.ceil(NODES * np.exp2(np.ceil(2.0 * np.log2(np.maximum(counts / NODES, 1.0))) / 2.0)).astype(np.intp)
    tails = np.empty_like(sums.at)
    for count in np.unique(counts):
        rows = np.flatnonzero(counts == count)
        spacing = 2.0 * math.pi / period[rows]
        phi, _ = sums.some(rows).nodes(zero[rows], spacing, int(count), FAR * alpha, 0.5)
        middle = np.arange(count) + 0.5
        smooth = np.exp(-0.5 * np.square(_SMOOTHING * np.multiply.outer(spacing * deviation[rows], middle)))
        tails[rows] = 0.5 + (phi.imag * smooth / (math.pi * middle)).sum(axis=1)
    return tails


def _solved(tails: Callable[[Floats, NDArray[np.intp]], Floats], means: Floats, errors: Floats, alpha: float) -> Floats:
    """Return the shift of each row with the tail alpha, by secants on the scale of normal quantiles."""
    target = float(ndtri(alpha))
    ends = means + target * errors
    slopes, before, ends_before = 1.0 / errors, np.full_like(means, np.nan), ends
    rows = np.arange(means.size)
    for _ in range(12):
        quantiles = ndtri(np.clip(tails(ends[rows], rows), 1e-15, 1.0 - 1e-15))
        with np.errstate(invalid="ignore", divide="ignore"):
            secants = (quantiles - before[rows]) / (ends[rows] - ends_before[rows])
        usable = np.isfinite(secants) & (secants * errors[rows] > 0.2) & (secants * errors[rows] < 5.0)
        slopes[rows] = np.where(usable, secants, slopes[rows])
        before[rows], ends_before = quantiles, ends.copy()
        step = (target - quantiles) / slopes[rows]
        ends[rows] += np.clip(step, -errors[rows], errors[rows])
        rows = rows[np.abs(step) > 1e-4 * errors[rows]]
        if not rows.size:
            break
    return ends
