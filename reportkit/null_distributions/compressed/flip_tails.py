"""Sign flips of many pairs of systems at once: tails from weighted points in the place of all differences.

Everything else is that of `contour`: saddlepoint, period, main lobe, the gap behind it, and one look along the contour.
Where one look is not enough the row is left to `contour_tail`. No number of a row depends on other rows.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.compressed.look import look_along
from reportkit.null_distributions.compressed.main_lobe import Contour, main_lobe
from reportkit.null_distributions.compressed.points import OF_IMAGES, TINY, compressed, gap, periods, solve
from reportkit.null_distributions.contour.contour import NEGLIGIBLE
from reportkit.null_distributions.contour.saddle import IMAGE_TARGET
from reportkit.null_distributions.enumeration import MOST_FLIPS
from reportkit.null_distributions.lattices.decimal_steps import decimal_steps, may_be_lattice
from reportkit.null_distributions.step_sums import Floats, blocks
from reportkit.null_distributions.tail_probability import TailProbability, UpperTail

_FEWEST = 256  # differences; of fewer, hardly one look is enough
_TRIALS = ((128, 20), (32, 32), (16, 48))
"""One in so many differences, at either end, is a point of its own, and so many points stand for the others."""

_MOST_NODES = 40
_DROPPED = 5e-12  # relative to the tail, of a lattice
_SEEN = 1e-7  # the same where more is lost beyond the horizon
_LOST = 5e-4  # relative to the tail, beyond the horizon: the look goes on until it is so small
_INTERPOLATION = 4e-12  # largest error of K by interpolation
_SHORT = 1 << 14  # steps of a period that a transform would sum as well, and a single pair leaves to it
_EPSILON = float(np.finfo(np.float64).eps)


def compressed_flip_tails(rows: Floats, max_relative_error: float) -> dict[int, TailProbability]:
    """Exact sign-flip tails of the rows for which the main lobe and one look suffice.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n)
        Differences of each pair, finite, sorted.
    max_relative_error : float
        Largest guaranteed relative error that is acceptable.

    Returns
    -------
    dict
        By the number of a row; rows that this does not suit are missing.

    Examples
    --------
    >>> rows = np.sort(np.random.default_rng(0).normal(0.05, 1.0, (1, 1000)))
    >>> {row: f"{tail.p_greater:.4f}" for row, tail in compressed_flip_tails(rows, 1e-3).items()}
    {0: '0.4746'}
    """
    found: dict[int, TailProbability] = {}
    if rows.shape[1] < _FEWEST:
        return found
    for share, n_points in _TRIALS:
        left = np.array([row for row in range(rows.shape[0]) if row not in found], dtype=np.intp)
        if left.size:
            some = _tails(rows[left], rows.shape[1] // share, n_points, max_relative_error)
            found.update((int(left[place]), tails) for place, tails in some.items())
    return found


def _tails(rows: Floats, cut: int, n_points: int, max_relative_error: float) -> dict[int, TailProbability]:
    """Those with so many points of their own at either end, and so many for the differences between."""
    n = rows.shape[1]
    scale = np.ldexp(1.0, -np.frexp(np.maximum(-rows[:, 0], rows[:, -1]))[1])
    slack, turned, suited = _slack(rows, scale)
    index = np.flatnonzero(suited)
    if not index.size:
        return {}
    scale, slack = scale[index], slack[index]
    points = compressed(rows, index, scale, slack, cut, n_points)
    step = decimal_steps(rows, index) * scale
    theta, mean, variance = solve(points)
    deviation = np.sqrt(variance)
    log_mgf = points.log_mgf(theta)
    period, images, above, reach = periods(points, theta, variance, log_mgf, step)
    spacing = 2.0 * math.pi / period
    fit = images < IMAGE_TARGET - np.log1p(theta * deviation)
    near, far, total, second = gap(points, theta)
    ends = np.ceil(near / spacing)
    fit &= ends < _MOST_NODES
    largest = np.maximum(-rows[index, 0], rows[index, -1]) * scale
    on_lattice = step > 0.0
    fit &= np.where(
        on_lattice, largest > 1.5 * step, ~may_be_lattice(rows[index], largest / scale)
    )  # one size: binomial
    if step.any():
        fit &= ~on_lattice | (2.0 * (ends + 1.0) * spacing < 2.0 * math.pi / np.where(on_lattice, step, 1.0))
    inexact = points.error(theta, ends * spacing)
    fit &= (inexact < _INTERPOLATION) & (points.error(theta + np.maximum(above, reach)) < OF_IMAGES)
    keep = np.flatnonzero(fit)
    if not keep.size:
        return {}
    contour = Contour(*(each[keep] for each in (theta, spacing, period, step, ends, far, total, second)))
    sums = main_lobe(points.some(keep), contour)
    with np.errstate(over="ignore"):
        below = np.exp(-log_mgf[keep] - contour.theta * contour.period) / -np.expm1(-contour.theta * contour.period)
    value = sums.value / contour.period - np.where(reach[keep] > contour.theta, below, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        in_value = 1.0 / (contour.period * value)
        allowed = min(_LOST, 0.5 * max_relative_error) / np.maximum(sums.modulus * in_value, TINY)
    look = look_along(rows[index[keep]], scale[keep], contour, allowed)
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = contour.theta * np.maximum(deviation[keep], mean[keep])
        rounding = _EPSILON * (4.0 * n * sums.absolute * in_value + 8.0 * (np.abs(log_mgf[keep]) + shift) + 64.0)
        seen = look.dropped * in_value + np.exp(images[keep]) / value + rounding
        seen += inexact[keep] * (1.0 + 2.0 * sums.absolute * in_value)
        unseen = look.smoothing * sums.modulus * in_value
        tie = np.where(look.complete, np.clip(contour.step * sums.mass * in_value, 0.0, 1.0), 0.0)
    found: dict[int, TailProbability] = {}
    narrow = look.complete & (contour.period <= _SHORT * contour.step)
    right = (value > 0.0) & (look.dropped <= np.where(look.complete, _DROPPED, _SEEN) * sums.value)
    for place in np.flatnonzero(right):
        row = int(index[keep[place]])
        upper = UpperTail(
            log_p=float(log_mgf[keep[place]]) + math.log(value[place]),
            tie=float(tie[place]),
            method="tilted FFT" if narrow[place] else "contour quadrature",
            relative_error=float(seen[place] + unseen[place]),
            expected_error=float(seen[place] + min(unseen[place], math.exp(-NEGLIGIBLE))),
            tie_error=float(seen[place]) if look.complete[place] else 0.0,
        )
        if upper.worst_error <= max_relative_error:
            tails = TailProbability.from_upper_tail(upper)
            found[row] = tails.swapped() if turned[row] else tails
    return found


def _slack(rows: Floats, scale: Floats) -> tuple[Floats, NDArray[np.bool_], NDArray[np.bool_]]:
    """What has to be made up for, scaled, in which rows it is the gain, and which rows suit a contour."""
    gained, lost, nonzero = np.empty(scale.size), np.empty(scale.size), np.empty(scale.size, dtype=np.intp)
    for part in blocks(rows.shape):
        scaled = rows[part] * scale[part, None]
        gained[part] = np.maximum(scaled, 0.0).sum(axis=1)
        lost[part] = np.maximum(-scaled, 0.0).sum(axis=1)
        nonzero[part] = np.count_nonzero(scaled, axis=1)
    slack = np.minimum(gained, lost)
    largest = np.maximum(-rows[:, 0], rows[:, -1]) * scale
    return slack, lost > gained, (nonzero > MOST_FLIPS) & (largest <= slack)
