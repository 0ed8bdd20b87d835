"""One look along the contours of many rows: where |phi| could come back to 1, and how much is lost beyond.

log |phi(y)| <= -g(y)^2 / 2 with g(y)^2 = sum_j w_j sin^2(y a_j / 2), and g(y + e) >= g(y) - g(e), as in
`contour.returns`. Here each of many steps is shared between the two bins around it: linear interpolation of
cos(y a_j) in a_j is right to y^2 / 2 times the product of the distances to both, which takes little from g nearly to
the end of the transform. Few steps, which have little to give, are spread over several bins each. The look goes as far
as the bound of the tail asks for; where its cells are too wide, it is taken again with narrower ones.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.compressed.main_lobe import Contour
from reportkit.null_distributions.compressed.points import MANY, TINY, Precision
from reportkit.null_distributions.contour.returns import NARROW, NARROW_NOISE, kernel_correction, spread_places
from reportkit.null_distributions.step_sums import Floats

_ENOUGH_STEPS = 2_000  # that show nearly as much as all
_BLOCK = 1 << 18  # differences, or bins, worked on at once, so that they stay in the cache
_LONGEST_PERIOD = 1 << 17
_USUAL = 0.3  # of the root of the weights, that g can do without
_FEWEST_BINS = 1 << 9
_MOST_BINS = (1 << 13, 1 << 14, 1 << 15, 1 << 16, 1 << 17)
_BINS_OF_A_PERIOD = 1 << 16
_REACH = 1.6  # radians of a bin's width up to which interpolation is right enough
_OF_A_PERIOD = 34.0  # -log |phi| that is small enough over a whole period
_WANTED = (46.0, 40.0, 34.0, 28.0, 25.0, 23.0, 21.0, 19.0, 17.5, 16.0, 14.5, 13.0, 12.0, 11.0, 10.5, 10.0, 9.5, 9.0)
"""The same up to a horizon, of fewer and fewer steps."""

_OF_WIDEST = 0.8  # of the widest cells, where there are not as many as are asked for
_NODES = 4.0  # logarithm of the nodes that may come as near to that, at least
_AMPLE = 28.0  # the same, where a whole period is not looked at
_OF_LOBE = 0.5  # of the way to the first cell that is judged: wider ones would reach back into the main lobe
_OF_GAP, _FAR = 0.8, 2.0  # the same where that is so many times as far as the main lobe, with nothing between
_ZONE = 64  # cells that are judged one by one; of all others the worst speaks for all, if that is enough
_FLOAT32_NOISE = 2e-5  # relative to the sum of the weights; rounding of a float32 transform stays far below


class Look(NamedTuple):
    """Of each row, what is not summed.

    Parameters
    ----------
    dropped : (n_rows,) array
        Bound on all terms below the horizon that were not summed; infinite where no look is of use.
    smoothing : (n_rows,) array
        What is lost beyond it, see `Quadrature.smoothing`.
    complete : (n_rows,) bool array
        Whether nothing is lost, because the horizon is the end of the period of a lattice.
    level : (n_rows,) array
        Average of |phi| far out: what remains of it beyond the horizon is expected to be at most that.
    """

    dropped: Floats
    smoothing: Floats
    complete: NDArray[np.bool_]
    level: Floats


def look_along(
    rows: Floats,
    index: NDArray[np.intp],
    scale: Floats,
    contour: Contour,
    allowed: Floats,
    value: Floats,
    enough_bins: float,
) -> Look:
    """Bound |phi| from the end of the main lobe to a horizon.

    Parameters
    ----------
    rows : (n_all_rows, n) array
        Differences.
    index : (n_rows,) array
        Which rows are looked at.
    scale : (n_rows,) array
        What they are multiplied by.
    contour : Contour
        Of the same rows.
    allowed : (n_rows,) array
        How much may be lost beyond the horizon, as `Look.smoothing`.
    value : (n_rows,) array
        The main lobe, of which what is dropped has to be a small fraction.
    enough_bins : float
        Where more would be needed for what is allowed, the look ends with so many.
    """
    apart = rows.shape[1] // _ENOUGH_STEPS
    if apart < 2:
        return _look(rows, index, scale, contour, allowed, value, enough_bins)
    some = rows[:, apart // 2 :: apart]  # g of some steps is at most that of all
    steps = np.abs(some[index]) * scale[:, None]
    weights = 1.0 - np.square(np.tanh(0.5 * contour.theta[:, None] * steps))
    thin = contour._replace(total=weights.sum(axis=1), second=(weights * np.square(steps)).sum(axis=1))
    look = _look(some, index, scale, thin, allowed, value, enough_bins)
    precision = Precision.of(rows.shape[1])
    left = np.flatnonzero(look.dropped > np.where(look.complete, precision.of_a_period, precision.dropped) * value)
    if left.size:
        own = Contour(*(each[left] for each in contour))
        further = _look(rows, index[left], scale[left], own, allowed[left], value[left], enough_bins)
        for whole, part in zip(look, further, strict=True):
            whole[left] = part
    return look


def _look(
    rows: Floats,
    index: NDArray[np.intp],
    scale: Floats,
    contour: Contour,
    allowed: Floats,
    value: Floats,
    enough_bins: float,
) -> Look:
    """The same with all steps."""
    total, root = contour.total, np.sqrt(contour.second)
    on_lattice = contour.step > 0.0
    period = 2.0 * math.pi / np.where(on_lattice, contour.step, 1.0)
    horizon = _horizon(contour.theta, allowed - contour.step)
    complete = on_lattice & (_bins(period, root, _slack(total, 0.0, _OF_A_PERIOD)) <= _BINS_OF_A_PERIOD)
    if rows.shape[1] < MANY:
        reach, lost, suited = 0.5 * math.pi, 0.0, value > 0.0
        complete |= on_lattice & (horizon >= 0.5 * period)
    else:  # a single pair looks at a whole period
        longest = period * np.sqrt(contour.second / total) / (4.0 * _USUAL)
        reach, lost, suited = _REACH, _REACH**2 / 24.0, ~on_lattice | complete | (longest > _LONGEST_PERIOD)
    precision = Precision.of(rows.shape[1])
    enough = np.where(suited, np.where(complete, precision.of_a_period, precision.dropped) * value, np.inf)
    extent = np.where(complete, period, horizon * (2.0 * math.pi / reach))
    level = np.full(total.size, math.exp(-precision.negligible)) * value / contour.period
    look = Look(np.full(total.size, np.inf), np.full(total.size, np.inf), complete, level)
    at_least = np.zeros(total.size)
    number, columns = np.arange(len(_WANTED))[:, None], np.arange(total.size)
    needed = np.array(_WANTED)[:, None]
    slacks = _slack(total, np.where(complete, 0.0, lost), needed)
    of_use = (precision.hopeless < needed) & (needed <= _AMPLE)
    of_a_period = (_NODES - math.log(precision.of_a_period) < needed) | (rows.shape[1] < MANY)
    of_use = np.where(complete, of_a_period, of_use)
    slacks = np.where(of_use, slacks, 0.0)
    lobe = (contour.ends + 1.0) * contour.spacing
    reaching_back = np.where(contour.far > _FAR * lobe, _OF_GAP * contour.far, _OF_LOBE * np.maximum(contour.far, lobe))
    slacks = np.minimum(slacks, 0.25 * reaching_back * root)
    all_bins = _bins(extent, root, slacks)
    wide = slacks > _OF_WIDEST * slacks.max(axis=0)  # narrower cells would end too soon
    all_bins = np.where(wide & ~complete, np.minimum(all_bins, enough_bins), all_bins)
    tried = np.full(total.size, len(_WANTED))
    for most in _MOST_BINS:
        possible = (look.dropped > enough) & (at_least <= enough) & (all_bins <= most) & (number < tried)
        best, found = possible.argmax(axis=0), possible.any(axis=0)
        n_bins = np.where(found, all_bins[best, columns], 0.0)
        tried = np.where(found, best, tried)
        with np.errstate(divide="ignore"):
            width = np.where(complete, period / n_bins, 4.0 * slacks[best, columns] / root)
        for bins_here in np.unique(n_bins[n_bins > 0.0]).astype(np.intp).tolist():
            for whole in (True, False):
                chosen = np.flatnonzero((complete == whole) & (n_bins == bins_here))
                at_once = max(_BLOCK // max(rows.shape[1], bins_here // 2), 1)
                for first in range(0, chosen.size, at_once):
                    part = chosen[first : first + at_once]
                    some = Contour(*(each[part] for each in contour))
                    steps = rows[index[part]]
                    look.dropped[part], look.smoothing[part], at_least[part] = _looked(
                        np.abs(steps, out=steps), scale[part], some, width[part], bins_here, enough[part], whole=whole
                    )
    return look


def _bins(extent: Floats, root: Floats, slack: Floats) -> Floats:
    """Powers of two, or three quarters of these, with which cells are fine enough; infinitely many without slack."""
    least = np.where(slack > 0.0, extent * root / (4.0 * np.where(slack > 0.0, slack, 1.0)), np.inf)
    bins = np.exp2(np.ceil(np.log2(np.maximum(least, _FEWEST_BINS))))
    return np.where((least <= 0.75 * bins) & (bins > _FEWEST_BINS), 0.75 * bins, bins)


def _slack(total: Floats, lost: Floats | float, needed: Floats | float) -> Floats:
    """What g can do without: it is about the root of half the weights, and `needed` of its square have to be left."""
    typical = 0.5 * (total - np.sqrt(total * math.log(_MOST_BINS[-1]))) - lost * total
    slack = 0.95 * np.sqrt(np.maximum(typical, 0.0)) - np.sqrt(2.0 * needed)
    return np.where(slack > 0.03 * np.sqrt(total), slack, 0.0)


def _horizon(theta: Floats, allowed: Floats) -> Floats:
    """About where no more is lost than is allowed: `smoothing` the other way round."""
    x = 3.0 * (np.sqrt(1.0 + 4.0 / 3.0 * theta * np.maximum(allowed, TINY)) - 1.0)
    return np.asarray(1.05 * 2.0 * math.pi * theta / np.maximum(x, TINY))


def _looked(
    steps: Floats, scale: Floats, contour: Contour, width: Floats, bins: int, enough: Floats, *, whole: bool
) -> tuple[Floats, Floats, Floats]:
    """What is dropped and what is lost, of steps that are to be scaled, in as many bins, of a whole period or not.

    Then what is dropped at least, with however narrow cells, as far as that is known of few steps.
    """
    theta, spacing, spread = contour.theta, contour.spacing, steps.shape[1] < MANY
    weights = np.multiply(steps, (-theta * scale)[:, None])
    room = 0.5 * np.exp(weights, out=weights)
    room += 0.5
    weights /= np.square(room, out=room)
    total = weights.sum(axis=1)
    steps *= (scale * (width * (bins / (2.0 * math.pi))))[:, None]  # in bins
    n_cells = bins // 2 if whole else bins // 4 if spread else int(_REACH * bins / (2.0 * math.pi))
    k = np.arange(n_cells, dtype=np.float32)
    if whole:
        squares = _twice_cosines(_binned(np.rint(steps).astype(np.intp), weights, bins), n_cells)
        squares *= np.float32(-0.25)
    elif spread:
        around, kernel = spread_places(steps, NARROW)
        kernel *= weights[..., None]
        shape = (theta.size, -1)
        places = np.abs(around).astype(np.intp).reshape(shape)
        squares = _twice_cosines(_binned(places, kernel.reshape(shape), bins), n_cells)
        squares *= np.float32(-0.25) * kernel_correction(bins, NARROW, 0.5)
    else:
        lower = np.floor(steps, out=room)
        places = lower.astype(np.intp)
        steps -= lower
        upper_share = np.multiply(weights, steps, out=room)
        inexact = (upper_share.sum(axis=1) - np.einsum("ij,ij->i", upper_share, steps)).astype(np.float32)
        weights -= upper_share
        squares = _twice_cosines(_binned(places, weights, bins, upper_share), n_cells)
        squares *= np.float32(-0.25)
        squares -= inexact[:, None] * (0.25 * np.square((k + np.float32(0.5)) * np.float32(2.0 * math.pi / bins)))
    noise = _FLOAT32_NOISE + (0.5 * NARROW_NOISE if spread and not whole else 0.0)
    squares += ((0.5 - noise) * total).astype(np.float32)[:, None]
    horizon = n_cells * width
    last = np.floor(horizon / spacing)
    smoothing = np.zeros(theta.size) if whole else smoothing_beyond(theta, (last + 1.0) * spacing) + contour.step
    # |pole| <= nearness / y + besides
    nearness, besides = (0.5 * math.pi, contour.step) if whole else (1.0, smoothing)
    end = (contour.ends + 1.0) * spacing
    between = np.maximum(np.floor(contour.far / spacing) - contour.ends, 0.0)
    dropped = between * math.exp(-Precision.of(steps.shape[1]).negligible) * (nearness / end + besides)
    start = np.maximum(contour.far, end)
    first = np.floor(start / width).astype(np.intp)
    cell = 0.25 * width * np.sqrt(contour.second)
    # the first cells one by one
    zone = first[:, None] + np.arange(_ZONE)
    own = np.take_along_axis(squares, np.minimum(zone, n_cells - 1), axis=1)
    modulus = _modulus(own, cell)
    lowest = np.maximum(zone * width[:, None], start[:, None])
    per_cell = (np.ceil(width / spacing) + 1.0)[:, None]
    dropped += np.where(zone < n_cells, per_cell * modulus * (nearness / lowest + besides[:, None]), 0.0).sum(axis=1)
    at_least = np.zeros(theta.size)
    if spread:  # |phi| itself in the middle of a cell: with narrower ones it is there as well, and counts for two nodes
        middle = (zone + 0.5) * width[:, None]
        least = _modulus(own + (2.0 * noise * total)[:, None], at_least) / middle
        at_least = 4.0 * np.where((zone < n_cells) & (middle >= start[:, None]), least, 0.0).max(axis=1)
    # all others by the worst, or one by one after all
    after = np.minimum((first + _ZONE) * width, horizon)
    some, all_of = (min(int(each) + _ZONE, n_cells) for each in (first.min(), first.max()))
    worst = np.where(k[some:all_of] >= (first + _ZONE)[:, None], squares[:, some:all_of], np.inf)
    worst = np.minimum(worst.min(axis=1, initial=np.inf), squares[:, all_of:].min(axis=1, initial=np.inf))
    modulus = np.where(np.isfinite(worst), _modulus(worst[:, None], cell)[:, 0], 0.0)
    count = np.floor((horizon - after) / spacing) + 1.0
    others = modulus * (nearness * (np.log(horizon / after) / spacing + 1.0 / after) + besides * count)
    many = np.flatnonzero((2.0 * (dropped + others) > enough) & (2.0 * dropped < enough))
    if many.size:
        each = _modulus(squares[many], cell[many].astype(np.float32))
        each[:, :all_of][k[:all_of] < (first[many] + _ZONE)[:, None]] = 0.0
        poles = nearness / width[many] * np.einsum("ij,j->i", each, 1.0 / np.maximum(k, 1.0))
        others[many] = per_cell[many, 0] * 1.001 * (poles + besides[many] * each.sum(axis=1))
    dropped += others
    return 2.0 * dropped, smoothing, at_least


def _binned(places: NDArray[np.intp], weights: Floats, bins: int, following: Floats | None = None) -> Floats:
    """Sums of the weights of each place, and of those that follow a place at the next, row by row, in half the bins.

    Cosines are even, odd about half the bins, and have a period of twice as many.
    """
    n_rows, half = places.shape[0], bins // 2
    columns = int(places.max()) + 2
    if columns > 4 * half:
        places = np.bitwise_and(places, 4 * half - 1) if half & (half - 1) == 0 else np.mod(places, 4 * half)
        columns = 4 * half + 1
    columns = max(columns, half)
    places += np.arange(0, columns * n_rows, columns)[:, None]
    where = places.ravel()
    binned = np.bincount(where, weights.ravel(), columns * n_rows).astype(np.float64, copy=False)
    if following is not None:
        binned[1:] += np.bincount(where, following.ravel(), columns * n_rows)[:-1]
    binned = binned.reshape(n_rows, columns)
    folded = binned[:, :half]
    for quarter in (1, 2, 3, 4):
        part = binned[:, quarter * half : (quarter + 1) * half]
        if quarter % 2:  # turned round; what is at half the bins has cosines of 0
            turned = folded[:, half - part.shape[1] + 1 :]
            (np.subtract if quarter == 1 else np.add)(turned, part[:, :0:-1], out=turned)
        else:
            same = folded[:, : part.shape[1]]
            (np.subtract if quarter == 2 else np.add)(same, part, out=same)
    return folded


def _twice_cosines(binned: Floats, n_cells: int) -> NDArray[np.float32]:
    """Twice the sums of w cos(2 pi (k + 1/2) place / bins) of each row, k = 0, 1, ..., by one transform of all rows."""
    import scipy.fft

    short = binned.astype(np.float32)
    short[:, 0] *= 2.0  # which the transform takes once
    return np.asarray(scipy.fft.dct(short, type=3, axis=1, overwrite_x=True)[:, :n_cells])


def _modulus(squares: Floats, cell: Floats) -> Floats:
    """Bound on |phi| within cells, from lower bounds on g^2 in the middle of each."""
    g = np.sqrt(np.maximum(squares, 0.0))
    g -= cell[:, None]
    np.square(np.maximum(g, 0.0, out=g), out=g)
    g *= -0.5
    return np.asarray(np.exp(g, out=g))


def smoothing_beyond(theta: Floats, horizon: Floats) -> Floats:
    """As `Quadrature.smoothing`."""
    x = 2.0 * math.pi * theta / horizon
    width = 2.0 * math.pi / horizon
    return np.where(x < 1e-3, width * (0.5 + x / 12.0), width / -np.expm1(-np.maximum(x, 1e-3)) - 1.0 / theta)
