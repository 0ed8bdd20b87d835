"""Sign flips of many pairs of systems whose differences are whole numbers of one step: one product per tilt.

A pair is how often each multiple of the step occurs. Its characteristic function on all nodes of a period is the
exponential of these counts times the logarithms of the factors of the multiples, which are the same for all pairs with
one tilt. A tilt need not be the best one, only near it: tilts are taken from a grid, and so are periods. The numbers
are those of `tilted_fft`, up to rounding; no number of a row depends on the other rows, not even in its last bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.contour.saddle import CLOSE, IMAGE_TARGET, MAIN_LOBE
from reportkit.null_distributions.enumeration import MOST_FLIPS
from reportkit.null_distributions.lattices.decimal_steps import LARGEST_MULTIPLE, decimal_steps
from reportkit.null_distributions.products import ExactColumns
from reportkit.null_distributions.step_sums import Floats, blocks, log_cosh
from reportkit.null_distributions.tail_probability import TailProbability, UpperTail

FEW = 200
"""Differences up to which all nodes are summed at once: hardly one is negligible."""

LARGEST = 1 << 10
"""Multiple of the step, of a lattice that is worth it."""

_LONGEST = 1 << 14  # period, in steps
_TILTS = 8.0  # tilts for each factor of 2
_NEWTON_STEPS = 30
_DOUBLINGS = 4
_NEAR = 48  # nodes that are summed; all others of the period have to be negligible
_LARGEST_ERROR = 1e-10
_LARGEST_TABLE = 1 << 17
_TABLES = 24  # kept: of some 4 MB each, at most
_SMALL_TABLE = 1 << 13
_SMALL_TABLES = 128  # kept: of 0.4 MB mostly, and 2.3 MB at most
_SLACK = 0.3  # of the root of half the differences, that half a cell of the look may cost
_EPSILON = float(np.finfo(np.float64).eps)


class LatticeRows(NamedTuple):
    """Rows of n differences on a lattice, as wide as each other.

    Parameters
    ----------
    rows : ndarray of int of shape (m,)
        Which ones.
    counts : ndarray of shape (m, width)
        How often each multiple of the step occurs, from 1 on.
    slack : ndarray of shape (m,)
        What has to be made up for, in steps.
    turned : ndarray of bool of shape (m,)
        Where that is the gain.
    n : int
        Differences of each row, zeros among them.
    """

    rows: NDArray[np.intp]
    counts: Floats
    slack: Floats
    turned: NDArray[np.bool_]
    n: int

    def some(self, places: NDArray[np.intp] | NDArray[np.bool_]) -> LatticeRows:
        """Return those at some places."""
        return LatticeRows(self.rows[places], self.counts[places], self.slack[places], self.turned[places], self.n)


def lattice_flip_tails(
    rows: Floats, max_relative_error: float = _LARGEST_ERROR, *, most: float = LARGEST_MULTIPLE
) -> dict[int, TailProbability]:
    """Exact sign-flip tails of the rows that lie on a lattice of decimal fractions, few steps wide.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n)
        Differences of each pair, finite.
    max_relative_error : float
        Not needed: the error is at most 1e-10.
    most : float
        Rows whose largest difference is more than so many multiples of a power of ten are left out.

    Returns
    -------
    dict
        By the number of a row; rows that this does not suit are missing.

    Examples
    --------
    >>> rows = np.array([[0.2] * 28 + [-0.1] * 22, [0.25] * 22 + [-0.5] * 28])
    >>> {row: f"{tail.p_greater:.3g}" for row, tail in lattice_flip_tails(rows).items()}
    {0: '0.00193', 1: '0.999'}
    """
    found: dict[int, TailProbability] = {}
    for lattice in lattice_rows(rows, most):
        sizes = np.count_nonzero(lattice.counts, axis=1)
        largest = lattice.counts.shape[1] - (lattice.counts[:, ::-1] > 0.0).argmax(axis=1)
        fit = (lattice.counts.sum(axis=1) > MOST_FLIPS) & (sizes > 1) & (largest <= lattice.slack)
        if fit.any():
            _add_tails(lattice.some(fit), found)
    return found


def lattice_rows(rows: Floats, most: float = LARGEST_MULTIPLE) -> Iterator[LatticeRows]:
    """Rows whose differences are whole numbers of a decimal step, fewer than 1,024 of them, by width."""
    n = rows.shape[1]
    largest = np.maximum(rows.max(axis=1), -rows.min(axis=1))
    step = decimal_steps(rows, np.arange(largest.size), largest, most)
    index = np.flatnonzero((largest < (LARGEST - 0.5) * step) & (largest > 0.0))
    widths = 1 << np.ceil(np.log2(np.rint(largest[index] / step[index]) + 1.0)).astype(np.intp)
    for width in np.unique(widths):
        chosen = index[widths == width]
        counts, slack = np.empty((chosen.size, width)), np.empty(chosen.size)
        turned = np.empty(chosen.size, dtype=np.bool_)
        for part in blocks((chosen.size, n)):
            multiples = np.rint(rows[chosen[part]] / step[chosen[part], None])
            total = multiples.sum(axis=1)
            np.abs(multiples, out=multiples)
            slack[part], turned[part] = 0.5 * (multiples.sum(axis=1) - np.abs(total)), total < 0.0
            places = multiples.astype(np.intp)
            places += np.arange(0, width * len(places), width)[:, None]
            counts[part] = np.bincount(places.ravel(), minlength=width * len(places)).reshape(-1, width)
        yield LatticeRows(chosen, counts[:, 1:], slack, turned, n)


def _add_tails(lattice: LatticeRows, found: dict[int, TailProbability]) -> None:
    """Tails of rows with as many possible multiples, tilt by tilt and period by period."""
    values = np.arange(1.0, lattice.counts.shape[1] + 1.0)
    tilt = np.exp2(np.rint(_TILTS * np.log2(_saddles(lattice, values))) / _TILTS)
    chance = 1.0 / (1.0 + np.exp(np.minimum(np.multiply.outer(tilt, values), 700.0)))
    moved = lattice.counts * values * chance
    mean = lattice.slack - moved.sum(axis=1)
    variance = (moved * values * (1.0 - chance)).sum(axis=1)
    log_mgf = _log_mgf(lattice, values, tilt)
    deviation = np.sqrt(variance)
    period = np.exp2(np.ceil(np.log2(MAIN_LOBE * deviation + np.abs(mean) + 1.0 / tilt)))
    for _ in range(_DOUBLINGS):
        reach = 0.95 * period / variance
        further = np.logaddexp(_log_mgf(lattice, values, tilt + reach), _log_mgf(lattice, values, tilt - reach))
        wrapped = np.log(-np.expm1(-reach * period)) + np.log(-np.expm1(-tilt * period))
        images = further - reach * period - wrapped - log_mgf
        fit = images < IMAGE_TARGET - np.log1p(tilt * deviation)
        if fit.all():
            break
        period = np.where(fit, period, 2.0 * period)
    fit &= period <= _LONGEST
    left = fit
    for most_near in (_NEAR, _LONGEST) if lattice.n > FEW else (_LONGEST,):
        for one_tilt, one_period in sorted(set(zip(tilt[left].tolist(), period[left].tolist(), strict=True))):
            if values.size * min(most_near, one_period) > _LARGEST_TABLE:
                continue
            rows = np.flatnonzero(left & (tilt == one_tilt) & (period == one_period))
            sums = _sums(lattice, rows, values, one_tilt, int(one_period), most_near)
            image = one_tilt * one_period
            with np.errstate(over="ignore"):
                below = np.exp(-log_mgf[rows] - image) / -math.expm1(-image)
            value = sums.value / one_period - np.where(reach[rows] > one_tilt, below, 0.0)
            shift = one_tilt * np.maximum(deviation[rows], np.abs(mean[rows]))
            error = sums.error / one_period + np.exp(images[rows])
            error += _EPSILON * (8.0 * (np.abs(log_mgf[rows]) + shift) + 64.0) * value
            right = np.flatnonzero((value > 0) & (error <= _LARGEST_ERROR * value))
            left[rows[right]] = False
            for place, row in zip(right, rows[right], strict=True):
                relative = float(error[place] / value[place])
                upper = UpperTail(
                    log_p=float(log_mgf[row] + math.log(value[place])),
                    tie=min(max(float(sums.mass[place] / (one_period * value[place])), 0.0), 1.0),
                    method="tilted FFT",
                    relative_error=relative,
                    expected_error=relative,
                    tie_error=relative,
                )
                found[int(lattice.rows[row])] = TailProbability.from_upper_tail(upper, turned=bool(lattice.turned[row]))


def _saddles(lattice: LatticeRows, values: Floats) -> Floats:
    """Newton's method for K'(theta) = 1 / theta; a tilt that is not found is only less good."""
    theta = np.zeros(lattice.slack.size)
    for step in range(_NEWTON_STEPS):
        chance = 1.0 / (1.0 + np.exp(np.minimum(np.multiply.outer(theta, values), 700.0)))
        moved = lattice.counts * values * chance
        mean, variance = lattice.slack - moved.sum(axis=1), (moved * values * (1.0 - chance)).sum(axis=1)
        if step == 0:
            theta = (-mean + np.sqrt(np.square(mean) + 4.0 * variance)) / (2.0 * variance)
            continue
        error, slope = mean - 1.0 / theta, variance + 1.0 / np.square(theta)
        moving = np.abs(error) > CLOSE * np.sqrt(slope)
        if not moving.any():
            break
        theta = np.where(moving, np.clip(theta - error / slope, 0.5 * theta, 4.0 * theta), theta)
    return theta


def _log_mgf(lattice: LatticeRows, values: Floats, theta: Floats) -> Floats:
    """Log E exp(theta X), row by row."""
    excess = 0.5 * (lattice.counts * values).sum(axis=1) - lattice.slack
    return np.asarray((lattice.counts * log_cosh(0.5 * np.multiply.outer(theta, values))).sum(axis=1) - theta * excess)


class _Sums(NamedTuple):
    """Over all nodes of a period, row by row: phi times the pole, phi, and what bounds the error of the former."""

    value: Floats
    mass: Floats
    error: Floats


def _sums(
    lattice: LatticeRows, rows: NDArray[np.intp], values: Floats, theta: float, period: int, most_near: int
) -> _Sums:
    """Sum the nodes near the saddlepoint, of rows of one tilt, and bound all others by their moduli."""
    counts = lattice.counts[rows]
    near = min(most_near, period // 2 + 1)
    table = _few_factors if values.size * near <= _SMALL_TABLE else _factors
    factors = table(values.size, theta, period, near, lattice.n)
    nodes = np.arange(near)
    exact = factors.near.weighted(counts)
    moduli = np.exp(exact[:, :near])
    shifted = np.multiply.outer(lattice.slack[rows], nodes) % period  # whole turns leave no rounding
    phi = moduli * np.exp(1j * (exact[:, near:] + (2.0 * math.pi / period) * shifted))
    times = np.where((nodes == 0) | (2 * nodes == period), 1.0, 2.0)
    pole = -1.0 / np.expm1(-(theta + (2j * math.pi / period) * nodes))
    error = 4.0 * _EPSILON * counts.sum(axis=1) * (moduli * times * np.abs(pole)).sum(axis=1)
    if factors.beyond is not None:
        error += factors.beyond.bound(counts)
    weighted = times * phi
    return _Sums((weighted * pole).real.sum(axis=1), weighted.real.sum(axis=1), error)


class _Beyond(NamedTuple):
    """All further nodes of a period, cell by cell.

    log |phi(y)| <= -G(y)^2 / 2 with G(y)^2 = sum_j w_j sin^2(y a_j / 2), and G(y + e) >= G(y) - G(e), as in
    `reportkit.null_distributions.contour.returns`.

    Parameters
    ----------
    sines : ExactColumns of shape (width, n_cells)
        What each multiple adds to G^2 in the middle of a cell.
    squares : ndarray of shape (width,)
        Squared multiples with their weights: G(e) is at most half of the root of their sum times e.
    farthest : float
        Half of the distance of a node from the middle of its cell, at most.
    poles : ndarray of shape (n_cells,)
        What the nodes of a cell weigh together, at most.
    """

    sines: ExactColumns
    squares: Floats
    farthest: float
    poles: Floats

    def bound(self, counts: Floats) -> Floats:
        """Bound on the moduli of the nodes, times that of the pole and 1, row by row."""
        norms = np.sqrt(self.sines.weighted(counts))
        norms -= self.farthest * np.sqrt((counts * self.squares).sum(axis=1))[:, None]
        return np.asarray((self.poles * np.exp(-0.5 * np.square(np.maximum(norms, 0.0)))).sum(axis=1))


class _Factors(NamedTuple):
    """What rows have in common that are tilted alike, with nodes as far apart.

    Parameters
    ----------
    near : ExactColumns of shape (width, 2 * n_near)
        Log-moduli and then phases of the factors of each multiple, at the nodes near the saddlepoint.
    beyond : _Beyond or None
        The other nodes; None where there are none.
    """

    near: ExactColumns
    beyond: _Beyond | None


@lru_cache(maxsize=_TABLES)
def _factors(width: int, theta: float, period: int, near: int, n: int) -> _Factors:
    """Factors of the multiples up to `width`, for rows of n differences.

    Datasets of as many instances ask for the same ones: ranks are the same multiples, and tilts are from a grid.
    """
    most = 1 << n.bit_length()
    values = np.arange(1.0, width + 1.0)
    chance = 1.0 / (1.0 + np.exp(theta * values))
    weight = 4.0 * chance * (1.0 - chance)
    spacing = 2.0 * math.pi / period
    angles = np.multiply.outer(values, spacing * np.arange(near))
    cosine, sine = np.cos(angles), np.sin(angles)
    log_modulus = 0.5 * np.log(np.maximum(1.0 - weight[:, None] * (0.5 - 0.5 * cosine), 1e-300))
    phase = np.arctan2(-chance[:, None] * sine, 1.0 - chance[:, None] * (1.0 - cosine))
    columns = ExactColumns(np.hstack((log_modulus, phase)), total=most)
    if near > period // 2:
        return _Factors(columns, None)
    per_cell = max(round(_SLACK * math.sqrt(0.5 * n) * MAIN_LOBE / math.pi), 1)
    starts = np.arange(near, period // 2 + 1, per_cell)
    middles = spacing * (starts + 0.5 * (per_cell - 1))
    squares = np.minimum(np.square(np.tan(0.5 * np.multiply.outer(values, middles))), 1e300)
    sines = ExactColumns(weight[:, None] * (squares / (1.0 + squares)), total=most)
    poles = 2.0 * per_cell * (1.0 / np.abs(np.expm1(-(theta + 1j * spacing * starts))) + 1.0)
    return _Factors(columns, _Beyond(sines, weight * np.square(values), 0.25 * spacing * per_cell, poles))


_few_factors = lru_cache(maxsize=_SMALL_TABLES)(_factors.__wrapped__)
