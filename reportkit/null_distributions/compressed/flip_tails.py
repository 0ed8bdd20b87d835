"""Sign flips of many pairs of systems at once: tails from weighted points in the place of all differences.

Everything else is that of `contour`: saddlepoint, period, main lobe, the gap behind it, and one look along the contour,
or bounds at its nodes. Where that is not enough the row is left to `contour_tail`. No number of a row depends on other
rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.compressed.look import look_along
from reportkit.null_distributions.compressed.main_lobe import Contour, LobeSums, main_lobe
from reportkit.null_distributions.compressed.nodes import look_at_nodes
from reportkit.null_distributions.compressed.points import (
    MANY,
    OF_IMAGES,
    TINY,
    Doubt,
    Lobe,
    Precision,
    compressed,
    doubt,
    gap,
    periods,
    rough,
    solve,
)
from reportkit.null_distributions.contour.contour import FEW_FLIPS
from reportkit.null_distributions.contour.saddle import IMAGE_TARGET, MAIN_LOBE
from reportkit.null_distributions.enumeration import QUICK_FLIPS
from reportkit.null_distributions.lattices.decimal_steps import decimal_steps, may_be_lattice
from reportkit.null_distributions.lattices.lattice import RELATIVE_TOLERANCE
from reportkit.null_distributions.step_sums import Floats, blocks
from reportkit.null_distributions.tail_probability import TailProbability, UpperTail

_FEWEST = 80  # differences that are worth it to let points stand for them
_TRIALS = ((128, 10), (128, 16), (128, 24), (128, 36), (64, 48))
_OF_MANY = ((16, 48), (4, 48))
"""One in so many differences, at either end, is a point of its own, and so many points stand for the others."""

_ALL = (1, 0)  # each is a point of its own
_DOUBTED = 0.1  # of the error that interpolation may have, by what a few differences tell

_MOST_NODES = 40
_ACCEPTED = 1e-3  # error for which the look goes no further than is usual
_FAR = math.log(1e-12)  # where no threshold is
_LOST_FAR = 4.0  # so many times as much may be lost there
_ENOUGH_BINS = 1 << 15  # of a look, where a larger error is acceptable
_SHORT = 1 << 14  # steps of a period that a transform would sum as well, and a single pair leaves to it
_EPSILON = float(np.finfo(np.float64).eps)


def compressed_flip_tails(rows: Floats, max_relative_error: float) -> dict[int, TailProbability]:
    """Exact sign-flip tails of the rows for which the main lobe and one look, or bounds at nodes, suffice.

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
    if rows.shape[1] <= QUICK_FLIPS:
        return found
    scale, slack, excess, turned, nonzero = _made_up_for(rows)
    largest = np.maximum(-rows[:, 0], rows[:, -1])
    never = np.zeros(largest.size)
    far = np.flatnonzero(largest * scale > slack)
    if far.size:  # gains larger than all losses are never flipped, or the other way round
        rows, before = rows.copy(), turned[far]
        rows[far], never[far] = _shortened(rows[far], scale[far], slack[far])
        scale[far], slack[far], excess[far], turned[far], nonzero[far] = _made_up_for(rows[far])
        largest = np.maximum(-rows[:, 0], rows[:, -1])
        other = far[turned[far] != before]  # what is left is a tail of the other side
        nonzero[other] = 0
        for place, kept in compressed_flip_tails(rows[other], max_relative_error).items():
            row = int(other[place])
            found[row] = kept.with_never_flipped(float(never[row]), less=not turned[row])
    suited = (nonzero > QUICK_FLIPS) & (largest * scale <= slack)
    index = np.flatnonzero(suited)
    step = decimal_steps(rows, index, largest[index])
    several = np.where(step > 0.0, largest[index] > 1.5 * step, ~may_be_lattice(rows, index))  # of one size: binomial
    known = (index, scale[index], slack[index], excess[index], step * scale[index], turned[index], never[index])
    some = _Some(*(each[several] for each in known))
    every = (*_TRIALS, *(_OF_MANY if rows.shape[1] >= MANY else (_ALL,))) if rows.shape[1] >= _FEWEST else (_ALL,)
    trials = _first_trials(rows, some, every)
    for trial, (share, n_points) in enumerate(every):
        here = np.flatnonzero(trials == trial)
        if here.size:
            tails, inexact = _tails(rows, some.of(here), _cut(rows.shape[1], share), n_points, max_relative_error)
            found.update(tails)
            trials[here[inexact]] += 1
    return found


class _Some(NamedTuple):
    """Rows: which, and what they are multiplied by; scaled, the slack and excess of `Points`, and the decimal step.

    Then whether they are turned, and how many of their differences are never flipped.
    """

    which: NDArray[Any]
    scale: NDArray[Any]
    slack: NDArray[Any]
    excess: NDArray[Any]
    step: NDArray[Any]
    turned: NDArray[Any]
    never: NDArray[Any]

    def of(self, places: NDArray[np.intp]) -> _Some:
        """Those at some places."""
        return _Some(*(each[places] for each in self))


def _first_trials(rows: Floats, some: _Some, every: Sequence[tuple[int, int]]) -> NDArray[np.intp]:
    """The first number of points that should be enough, by the tilt of a few differences."""
    trials = np.full(some.which.size, len(every) - 1)
    if not trials.size or len(every) == 1:
        return trials
    n = rows.shape[1]
    precision = Precision.of(n)
    points = rough(rows, some.which, some.scale, some.slack, _cut(n, every[0][0]))
    theta, _, variance = solve(points)
    lobe = gap(points, theta)
    period = MAIN_LOBE * np.sqrt(variance) + 1.0 / theta
    usual = np.sqrt(2.0 * math.pi * (np.square(theta) * variance + 1.0)) / period  # 1 / value, by the saddlepoint

    def enough(places: NDArray[np.intp], share: int, n_points: int) -> NDArray[np.bool_]:
        between = points._replace(radius=_radius(rows, some.of(places), _cut(n, share)), degree=n_points - 1)
        near = Lobe(*(each[places] for each in lobe))
        lost = doubt(between, theta[places], period[places], some.step[places], near)
        return np.asarray(lost.value * usual[places] + lost.scale < _DOUBTED * precision.interpolation)

    left = np.arange(theta.size)
    if every[-1] == _ALL:  # often none of the others is enough
        left = left[enough(left, *every[-2])]
    for trial, tried in enumerate(every[:-1]):
        if not left.size:  # the last is left where none of them is enough
            break
        right = enough(left, *tried)
        trials[left[right]] = trial
        left = left[~right]
    return trials


def _tails(
    rows: Floats, some: _Some, cut: int, n_points: int, max_relative_error: float
) -> tuple[dict[int, TailProbability], NDArray[np.intp]]:
    """Those with so many points of their own at either end, and so many between; and where these are not enough."""
    n = rows.shape[1]
    precision = Precision.of(n)
    points = compressed(rows, some.which, some.scale, some.excess, cut, n_points)
    theta, mean, variance = solve(points)
    deviation = np.sqrt(variance)
    log_mgf = points.log_mgf(theta)
    # K(theta + h) <= K(theta) + h K'(theta) + h^2 / 2 times this: Kearns and Saul (1998), "Large deviation methods for
    # approximate probabilistic inference"
    spread = (mean + some.excess) / theta
    period, images, above, reach = periods(points, theta, variance, log_mgf, some.step, some.slack, spread)
    spacing = 2.0 * math.pi / period
    fit = images < IMAGE_TARGET - np.log1p(theta * deviation)
    lobe = gap(points, theta)
    ends = np.ceil(lobe.near / spacing)
    fit &= ends < _MOST_NODES
    on_lattice = some.step > 0.0
    fit &= ~on_lattice | (2.0 * (ends + 1.0) * spacing < 2.0 * math.pi / np.where(on_lattice, some.step, 1.0))
    lost = doubt(points, theta, period, some.step, lobe)
    right = lost.scale < precision.interpolation
    right &= points.error(theta + np.maximum(above, reach), np.zeros((theta.size, 1)))[:, 0] < OF_IMAGES
    keep = np.flatnonzero(fit & right)
    if not keep.size:
        return {}, np.flatnonzero(~right)
    contour = Contour(
        *(each[keep] for each in (theta, spacing, period, some.step, ends, lobe.far, lobe.total, lobe.second))
    )
    sums = main_lobe(points.some(keep), contour, lost.last[keep])
    with np.errstate(over="ignore"):
        below = np.exp(-log_mgf[keep] - contour.theta * contour.period) / -np.expm1(-contour.theta * contour.period)
    below = np.where(reach[keep] > contour.theta, below, 0.0)
    wrong = Doubt(*(each[keep] for each in lost))
    with np.errstate(divide="ignore", invalid="ignore"):
        in_value = 1.0 / (sums.value - contour.period * below)
        right[keep] = wrong.scale + wrong.value * np.abs(in_value) < precision.interpolation
        tail = 1.0 / np.maximum((sums.modulus + wrong.mass) * in_value, TINY)
        far = log_mgf[keep] - np.log(contour.period * in_value) < _FAR
    allowed = precision.lost * min(max_relative_error / _ACCEPTED, 1.0) * np.where(far, _LOST_FAR, 1.0) * tail
    allowed = np.where(right[keep], allowed, np.inf)
    enough_bins = _ENOUGH_BINS if max_relative_error > 2.0 * _ACCEPTED else math.inf
    look = look_along(rows, some.which[keep], some.scale[keep], contour, allowed, sums.value, enough_bins)
    droppable = precision.droppable * min(max_relative_error / _ACCEPTED, 1.0)
    certain = right[keep] & (look.dropped <= droppable * sums.value)
    narrow = look.complete & (contour.period <= _SHORT * contour.step)
    others = np.flatnonzero(right[keep] & ~certain) if n <= FEW_FLIPS else ()
    if len(others):
        left = some.of(keep[others])
        own = Contour(*(each[others] for each in contour))
        lobes = LobeSums(*(each[others] for each in sums))
        most = max_relative_error * tail[others]
        more = look_at_nodes(rows, left.which, left.scale, left.slack, own, lobes, most)
        for whole, part in zip((*sums, *look), chain.from_iterable(more), strict=True):
            whole[others] = part
        certain[others], narrow[others] = True, False
    value = sums.value / contour.period - below
    with np.errstate(divide="ignore", invalid="ignore"):
        in_value = 1.0 / (contour.period * value)
        modulus = (sums.modulus + wrong.mass) * in_value
        shift = contour.theta * np.maximum(deviation[keep], mean[keep])
        rounding = _EPSILON * (4.0 * n * sums.absolute * in_value + 8.0 * (np.abs(log_mgf[keep]) + shift) + 64.0)
        inexact = wrong.scale + wrong.value * np.abs(in_value)
        seen = look.dropped * in_value + np.exp(images[keep]) / value + rounding + inexact
        unseen = look.smoothing * modulus
        expected = seen + np.minimum(unseen, look.level / value)
        tie = np.where(contour.step > 0.0, np.clip(contour.step * sums.mass * in_value, TINY, 1.0), 0.0)
        of_tie = np.where(look.complete, seen + contour.step * wrong.mass * in_value, np.maximum(tie, unseen))
        of_tie /= np.maximum(tie, TINY)
    found: dict[int, TailProbability] = {}
    good = np.flatnonzero(certain & (value > 0.0))
    log_p = log_mgf[keep[good]] - math.log(2.0) * some.never[keep[good]]
    numbers = np.array((log_p, value[good], tie[good], (seen + unseen)[good], expected[good], of_tie[good])).T.tolist()
    which, turned = some.which[keep[good]].tolist(), some.turned[keep[good]].tolist()
    for row, swapped, short, own in zip(which, turned, narrow[good].tolist(), numbers, strict=True):
        upper = UpperTail(
            log_p=own[0] + math.log(own[1]),
            tie=own[2],
            method="tilted FFT" if short else "contour quadrature",
            relative_error=own[3],
            expected_error=own[4],
            tie_error=own[5],
        )
        tails = TailProbability.from_upper_tail(upper, turned=swapped)
        if tails.relative_error <= max_relative_error:
            found[row] = tails
    return found, np.flatnonzero(~right)


def _cut(n: int, share: int) -> int:
    """So many points of their own at either end."""
    return max(n // share, 1)


def _radius(rows: Floats, some: _Some, cut: int) -> Floats:
    """Half of the largest step that is no point of its own."""
    n = rows.shape[1]
    return np.asarray(0.5 * some.scale * np.maximum(-rows[some.which, cut], rows[some.which, n - cut - 1]))


def _made_up_for(rows: Floats) -> tuple[Floats, Floats, Floats, NDArray[np.bool_], NDArray[np.intp]]:
    """What rows are multiplied by; scaled, slack and excess; where slack is gained; and how many are not 0."""
    scale = np.ldexp(1.0, -np.frexp(np.maximum(-rows[:, 0], rows[:, -1]))[1])
    gained, lost, nonzero = np.empty(scale.size), np.empty(scale.size), np.empty(scale.size, dtype=np.intp)
    for part in blocks(rows.shape):
        scaled = rows[part] * scale[part, None]
        gained[part] = np.maximum(scaled, 0.0).sum(axis=1)
        lost[part] = np.maximum(-scaled, 0.0).sum(axis=1)
        nonzero[part] = np.count_nonzero(scaled, axis=1)
    slack = np.minimum(gained, lost)
    return scale, slack, 0.5 * (gained + lost) - slack, lost > gained, nonzero


def _shortened(rows: Floats, scale: Floats, slack: Floats) -> tuple[Floats, Floats]:
    """Rows without the differences that are larger than all that has to be made up for, and how many these are."""
    magnitudes = np.abs(rows * scale[:, None])
    out_of_reach = magnitudes > (slack + RELATIVE_TOLERANCE * magnitudes.sum(axis=1))[:, None]
    return np.sort(np.where(out_of_reach, 0.0, rows), axis=1), np.count_nonzero(out_of_reach, axis=1)
