"""Draws from few values on a narrow lattice, such as right and wrong: many rows at once, each kind of them once.

All nodes of one period are summed, as by `tilted_fft`, whose numbers these are, up to rounding. With few values the
characteristic function of one draw is a sum of a few terms, and a period of a few hundred steps is enough for a
thousand draws. A tilt need not be the best one, only near it. No number of a row depends on the other rows, not even in
its last bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.contour.saddle import IMAGE_TARGET, MAIN_LOBE, solve_saddles
from reportkit.null_distributions.lattices.decimal_steps import decimal_steps
from reportkit.null_distributions.lattices.lattice_rows import LARGEST
from reportkit.null_distributions.step_sums import Floats, unit_circle, whole_powers
from reportkit.null_distributions.tail_probability import TailProbability, UpperTail

_NEWTON_STEPS = 30
_DOUBLINGS = 4
_FRACTIONS = (0.95, 0.6, 0.35, 0.2, 0.1)  # of the tilt that a normal distribution would take to the next period
_LONGEST = 1 << 12  # period, in steps
_NODES = 1 << 16  # worked on at once, so that they stay in the cache
_LARGEST_ERROR = 1e-10
_EPSILON = float(np.finfo(np.float64).eps)


class _Draws(NamedTuple):
    """Rows of n draws: which ones, values in steps from the lowest, their probabilities, how much the sum has to reach.

    `turned` are those in which the loss is larger than the gain, turned around.
    """

    rows: NDArray[np.intp]
    values: Floats
    chances: Floats
    threshold: Floats
    turned: NDArray[np.bool_]
    n: int

    def some(self, places: NDArray[np.intp] | NDArray[np.bool_]) -> _Draws:
        """Return those at some places."""
        return _Draws(
            self.rows[places],
            self.values[places],
            self.chances[places],
            self.threshold[places],
            self.turned[places],
            self.n,
        )

    def log_mgf(self, theta: Floats) -> Floats:
        """Log E exp(theta X), row by row."""
        mean = (self.chances * self.values).sum(axis=1)
        exponents = theta[:, None] * (self.values - mean[:, None])
        top = np.maximum(exponents.max(axis=1), 0.0)
        one = np.where(
            top < 1.0,
            np.log1p((self.chances * np.expm1(np.minimum(exponents, 1.0))).sum(axis=1)),
            top + np.log((self.chances * np.exp(exponents - top[:, None])).sum(axis=1)),
        )
        return np.asarray(self.n * one - theta * (self.threshold - self.n * mean))

    def tilted(self, theta: Floats) -> Floats:
        """Probabilities of the values under a tilt of each row."""
        exponents = theta[:, None] * self.values
        weights = self.chances * np.exp(exponents - exponents.max(axis=1, keepdims=True))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def moments(self, theta: Floats) -> tuple[Floats, Floats]:
        """Mean and variance of X under a tilt of each row."""
        weights = self.tilted(theta)
        mean = (weights * self.values).sum(axis=1)
        variance = (weights * np.square(self.values - mean[:, None])).sum(axis=1)
        return self.n * mean - self.threshold, self.n * variance


def few_valued_draw_tails(values: Floats, counts: NDArray[np.int64]) -> dict[int, TailProbability]:
    """Exact paired bootstrap tests of the mean of differences that are few values, each so many times.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_values)
        Distinct values of each row, ascending; finite.
    counts : ndarray of int of shape (n_rows, n_values)
        How often each occurs, as many differences in each row; 0 for values that fill up a row.

    Returns
    -------
    dict
        By the number of a row; rows that this does not suit are missing.

    Examples
    --------
    >>> found = few_valued_draw_tails(np.array([[-1.0, 0.0, 1.0]]), np.array([[20, 150, 30]]))
    >>> f"{found[0].p_greater:.5f}"
    '0.08840'
    """
    found: dict[int, TailProbability] = {}
    draws = _suited(values, counts)
    if not draws.rows.size:
        return found
    theta, mean, variance = solve_saddles(draws.moments, draws.rows.size, _NEWTON_STEPS)
    log_mgf, deviation = draws.log_mgf(theta), np.sqrt(variance)
    period = np.exp2(np.ceil(np.log2(MAIN_LOBE * deviation + np.abs(mean) + 1.0 / theta)))
    target = IMAGE_TARGET - np.log1p(theta * deviation)
    fit, all_below = np.zeros((2, theta.size), dtype=np.bool_)
    images = np.empty(theta.size)
    for _ in range(_DOUBLINGS):
        left = np.flatnonzero(~fit)
        images[left], all_below[left] = _images(draws.some(left), theta[left], period[left], variance[left])
        fit = images - log_mgf < target
        if fit.all():
            break
        period = np.where(fit, period, 2.0 * period)
    images -= log_mgf
    with np.errstate(over="ignore"):
        below = np.exp(-log_mgf - theta * period) / -np.expm1(-theta * period)
    fit &= period <= _LONGEST
    for some, length in _alike(draws, period, fit):
        value, mass, absolute = _summed(draws.some(some), theta[some], length)
        value -= np.where(all_below[some], below[some], 0.0)
        shift = theta[some] * np.maximum(deviation[some], np.abs(mean[some]))
        error = 4.0 * _EPSILON * draws.n * absolute + np.exp(images[some])
        error += _EPSILON * (8.0 * (np.abs(log_mgf[some]) + shift) + 64.0) * value
        right = np.flatnonzero((value > 0.0) & (error <= _LARGEST_ERROR * value))
        for place, row in zip(right, some[right], strict=True):
            relative = float(error[place] / value[place])
            upper = UpperTail(
                log_p=float(log_mgf[row] + math.log(value[place])),
                tie=min(max(float(mass[place] / value[place]), 0.0), 1.0),
                method="tilted FFT",
                relative_error=relative,
                expected_error=relative,
                tie_error=relative,
            )
            found[int(draws.rows[row])] = TailProbability.from_upper_tail(upper, turned=bool(draws.turned[row]))
    return found


def _suited(values: Floats, counts: NDArray[np.int64]) -> _Draws:
    """Rows of three values or more, neighbours among them, whose sum can reach twice the observed one in many ways."""
    present = np.where(counts > 0, values, 0.0)  # zero is on every lattice
    largest = np.abs(present).max(axis=1, initial=0.0)
    step = decimal_steps(present, np.arange(largest.size), largest)
    rows = np.flatnonzero(largest < LARGEST * step)
    multiples = np.rint(present[rows] / step[rows, None]).astype(np.int64)
    counts = counts[rows]
    absent = counts == 0
    n = int(counts[:1].sum())
    totals = (counts * multiples).sum(axis=1)
    multiples = np.where((totals < 0)[:, None], -multiples, multiples)
    steps = multiples - np.ma.array(multiples, mask=absent).min(axis=1).filled(0)[:, None]
    steps[absent] = 0
    top = steps.max(axis=1, initial=0)
    second = np.where(steps < top[:, None], steps, 0).max(axis=1, initial=0)
    threshold = np.abs(totals) + (counts * steps).sum(axis=1)
    suited = (np.count_nonzero(~absent, axis=1) > 2) & (np.gcd.reduce(steps, axis=1) == 1)
    suited &= n * top - threshold >= top - second  # else one draw of anything but the top one is too much
    draws = _Draws(rows, steps.astype(np.float64), counts / max(n, 1), threshold.astype(np.float64), totals < 0, n)
    return draws.some(suited)


def _images(draws: _Draws, theta: Floats, period: Floats, variance: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Log of a bound on the images of a period, best of a few tilts; and whether that below is all of P(X < 0)."""
    wrap = np.log(-np.expm1(-theta * period))
    sides = []
    for side in (1.0, -1.0):
        best, furthest = np.full(theta.size, np.inf), np.zeros(theta.size)
        for fraction in _FRACTIONS:
            reach = fraction * period / variance
            bound = draws.log_mgf(theta + side * reach) - reach * period - np.log(-np.expm1(-reach * period))
            best, furthest = np.where(bound < best, (bound, reach), (best, furthest))
        sides.append(best)
    highest = draws.n * draws.values.max(axis=1) - draws.threshold
    return np.logaddexp(np.where(period > highest, -np.inf, sides[0]), sides[1]) - wrap, furthest > theta


def _alike(draws: _Draws, period: Floats, fit: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.intp], int]]:
    """Rows of the same values and the same period, so many at a time as stay in the cache."""
    kinds, kind = np.unique(np.column_stack((period, draws.values)), axis=0, return_inverse=True)
    for number, length in enumerate(kinds[:, 0].astype(int).tolist()):
        rows = np.flatnonzero(fit & (kind.ravel() == number))
        at_once = max(_NODES // length, 1)
        yield from ((rows[first : first + at_once], length) for first in range(0, rows.size, at_once))


def _summed(draws: _Draws, theta: Floats, period: int) -> tuple[Floats, Floats, Floats]:
    """Sums over all nodes of a period, divided by it: phi times the pole, phi, and the moduli of the former."""
    weights = draws.tilted(theta)
    nodes = np.arange(period // 2 + 1)
    circle = unit_circle((2.0 * math.pi / period) * np.arange(period))
    one = np.zeros((theta.size, nodes.size), dtype=np.complex128)
    for column, value in enumerate(draws.values[0].astype(int).tolist()):
        one += weights[:, column, None] * circle[value * nodes % period]
    phi = whole_powers(one, draws.n)
    phi *= np.conj(circle)[np.multiply.outer(draws.threshold.astype(int), nodes) % period]
    phi *= np.where((nodes == 0) | (2 * nodes == period), 1.0, 2.0) / period
    terms = phi / -np.expm1(-(theta[:, None] + (2j * math.pi / period) * nodes))
    return terms.real.sum(axis=1), phi.real.sum(axis=1), np.abs(terms).sum(axis=1)
