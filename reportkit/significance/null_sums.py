"""Sums of random signs or draws: their characteristic functions, and the ends of intervals that invert their tails."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.fft import rfft
from scipy.special import ndtri

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]
Rows = NDArray[np.intp] | NDArray[np.bool_] | slice

FAR = 1e-7
"""A smaller characteristic function is bounded, not computed."""

NODES = 868
"""Smallest number of nodes."""

_CHUNK = 1 << 17  # numbers in an array at a time: it stays in the cache
_EVEN = 64  # nodes are returned in whole runs of this length, so that sums over them do not depend on other rows
_FIRST_FACTORS = 32
_MANY = 128  # steps that a few points stand for, and whose moduli are small enough for a coarse bound
_NEAR_FACTORS, _FAR_FACTORS = 400, 200  # factors that bound a product
_STRIDE = 8
_SPARSE = 0.15  # a share of nodes that are computed one by one
_POINTS = 40  # Chebyshev points, for sums of smooth functions
_RUN = 8  # polynomials that are computed one by one
_PLACES = math.pi * (np.arange(_POINTS) + 0.5) / _POINTS
_AT = 0.5 + 0.5 * np.cos(_PLACES)
_TO_WEIGHTS = np.where(np.arange(_POINTS) == 0, 1.0, 2.0)[:, None] / _POINTS * np.cos(np.outer(range(_POINTS), _PLACES))


@dataclass(frozen=True)
class Flips:
    """Sums T of steps with fair random signs, and thresholds t; steps has the shape (n_rows, n), `at` (n_rows,).

    Sums of smooth functions over the steps are computed at a few points with weights; few steps are their own points.
    """

    steps: Floats
    at: Floats
    points: Floats
    weights: Floats

    @classmethod
    def of(cls, steps: Floats, at: Floats) -> Flips:
        """Return sums of steps."""
        if steps.shape[1] < _MANY:
            return cls(steps, at, steps, np.ones_like(steps))
        low = np.minimum(steps.min(axis=1, keepdims=True), 0.0)
        span = steps.max(axis=1, keepdims=True) - low
        at_once = max(_CHUNK // (_RUN * steps.shape[1]), 1)
        chunks = [slice(first, first + at_once) for first in range(0, len(steps), at_once)]
        weights = [_gathered(2.0 / span[rows] * (steps[rows] - low[rows]) - 1.0) for rows in chunks]
        return cls(steps, at, span * _AT + low, np.concatenate(weights))

    def some(self, rows: Rows) -> Flips:
        """Return some of the rows."""
        return Flips(self.steps[rows], self.at[rows], self.points[rows], self.weights[rows])

    def tilted(self, theta: Floats) -> tuple[Floats, Floats, Floats]:
        """Return K(theta), and the mean and the standard deviation of the tilted sum."""
        found = _tilted(theta, self.points, self.weights)
        if self.steps.shape[1] >= _MANY and not (smooth := self.smooth(theta)).all():
            steps = self.steps[~smooth]
            for values, exact in zip(found, _tilted(theta[~smooth], steps, np.ones_like(steps)), strict=True):
                values[~smooth] = exact
        return found

    def smooth(self, ends: NDArray[Any]) -> NDArray[np.bool_]:
        """Return whether the points stand for the steps in log cosh(w s), for w between real ones and `ends`.

        Its singularities then lie outside the ellipse whose foci are 0 and the largest step and whose semiaxes add up
        to that step, so that the interpolation errs by about 2^-40.
        """
        w, many = ends * self.steps.max(axis=1), self.steps.shape[1] >= _MANY
        return np.asarray(many & (math.pi + np.abs(2.0 * w - 1j * math.pi) >= 2.5 * np.abs(w)))

    def nodes(self, theta: Floats, spacing: Floats, count: int, far: float, half: float = 0.0) -> Complex:
        """Return the characteristic function of the tilted T - t at j (or j + 1/2) times the spacing, j < count.

        Where its modulus is certainly at most `far`, 0; so are all nodes after the last one that is returned.
        """
        at_once = max(_CHUNK // max(count, 4 * self.steps.shape[1]), 1)
        chunks = [slice(first, first + at_once) for first in range(0, len(theta), at_once)]
        pieces = [self._nodes(rows, theta[rows], spacing[rows], count, far, half) for rows in chunks]
        last = min(-(-max(phi.shape[1] for phi in pieces) // _EVEN) * _EVEN, count)
        found = np.zeros((len(theta), last), dtype=np.complex128)
        for rows, phi in zip(chunks, pieces, strict=True):
            found[rows, : phi.shape[1]] = phi
        return np.asarray(found * np.exp(-1j * np.multiply.outer(spacing * self.at, np.arange(last) + half)))

    def _nodes(self, rows: slice, theta: Floats, spacing: Floats, count: int, far: float, half: float) -> Complex:
        flips, n = self.some(rows), self.steps.shape[1]
        live = flips._live_nodes(theta, spacing, count, half, far)
        some = live.any(axis=0)
        live = live[:, : np.flatnonzero(some).max(initial=0) + 1]
        phi = np.zeros(live.shape, dtype=np.complex128)
        lobe = int(np.argmin(np.append(some, False)))  # the first node that is negligible for all
        lobe = live.shape[1] if n < _MANY and live.mean() > _SPARSE else lobe
        ends = lobe - np.argmax(live[:, :lobe][:, ::-1], axis=1)  # of each row
        smooth = flips.smooth(theta + 1j * (ends + half) * spacing)
        places = np.multiply.outer(spacing[smooth], np.arange(lobe) + half)
        phi[smooth, :lobe] = _smooth_nodes(theta[smooth], places, flips.points[smooth], flips.weights[smooth])
        if not smooth.all():
            steps = flips.steps[~smooth]
            angles, lean = spacing[~smooth, None] * steps, np.tanh(theta[~smooth, None] * steps)
            phi[~smooth, : ends[~smooth].max()] = _neighbouring_nodes(angles, lean, ends[~smooth], half)
        phi[~live] = 0.0
        row, node = np.nonzero(live[:, lobe:])
        phi[row, lobe + node] = flips._single_nodes(theta, spacing, row, node + (lobe + half), far)
        return phi

    def _live_nodes(self, theta: Floats, spacing: Floats, count: int, half: float, far: float) -> NDArray[np.bool_]:
        """Return where |phi| may be above `far`, each factor having |f|^2 = 1 - y for y = weight sin(node angle)^2.

        |phi|^2 <= exp(-S) for S, the sum of y + y^2 / 2. Of many factors S is computed at the first nodes and then at
        every eighth; between two of these it is lower than at both by no more than an eighth of its largest second
        derivative.
        """
        enough, n = -2.0 * math.log(far), self.steps.shape[1]
        near = min(_EVEN, count) if n >= _MANY else count
        some = self.steps[:, :: max(n // _NEAR_FACTORS, 1)]  # a product of some factors is a bound, too
        angles, weight = spacing[:, None] * some, 1.0 - np.square(np.tanh(theta[:, None] * some))
        sums = _least_sums(half * angles, weight, 2 * near)[:, 1::2] if half else _least_sums(angles, weight, near)
        if near == count:
            return np.asarray(sums < enough)
        thin = max(angles.shape[1] // _FAR_FACTORS, 1)
        angles, weight = _STRIDE * angles[:, ::thin], weight[:, ::thin]
        bend = (np.square(angles) * weight * (0.25 + 0.15 * weight)).sum(axis=1, keepdims=True)
        between = _least_sums(angles, weight, -(-count // _STRIDE) + 1) < enough + bend
        between = np.repeat(between[:, :-1] | between[:, 1:], _STRIDE, axis=1)
        live = np.hstack((sums < enough, between[:, near:count]))
        points, weights = (self.points, self.weights) if self.smooth(theta).all() else (self.steps, 1.0)
        every, share = spacing[:, None] * points, weights * (1.0 - np.square(np.tanh(theta[:, None] * points)))
        quarter = 0.5 * math.pi / (spacing * self.steps.max(axis=1))[:, None]  # up to here S grows
        squares, nodes = np.square(every), np.arange(min(int(quarter.max()) + 1, count)) + half
        second, fourth = ((share * power).sum(axis=1, keepdims=True) for power in (squares, np.square(squares)))
        square = np.minimum(np.square(nodes), 1.5 * second / fourth)  # sin(x)^2 >= x^2 - x^4 / 3
        live[:, : nodes.size] &= (nodes > quarter) | (square * (second - square * fourth / 3.0) < enough)
        return live

    def _single_nodes(self, theta: Floats, spacing: Floats, row: Any, node: Floats, far: float) -> Complex:
        """Return products at single nodes, or 0 where the modulus falls below `far`."""
        phi = np.ones(row.size, dtype=np.complex128)
        alive, start, width, n = np.arange(row.size), 0, _FIRST_FACTORS, self.steps.shape[1]
        while start < n and alive.size:
            at_once = max(_CHUNK // width, 1)
            for part in (alive[i : i + at_once] for i in range(0, alive.size, at_once)):
                steps = self.steps[row[part], start : start + width]
                x = node[part, None] * (spacing[row[part], None] * steps)
                terms = np.cos(x) + 1j * (np.tanh(theta[row[part], None] * steps) * np.sin(x))
                phi[part] *= terms.prod(axis=1)
            negligible = np.abs(phi[alive]) <= far
            phi[alive[negligible]] = 0.0
            alive = alive[~negligible]
            start, width = start + width, 4 * width
        return phi


def _smooth_nodes(theta: Floats, places: Floats, points: Floats, weights: Floats) -> Complex:
    angles = places[:, :, None] * points[:, None, :]
    real, imaginary = np.cos(angles), np.tanh(theta[:, None] * points)[:, None, :] * np.sin(angles)
    logs = np.einsum("ijk,ik->ij", np.log(np.square(real) + np.square(imaginary)), 0.5 * weights)
    turns = np.einsum("ijk,ik->ij", np.arctan2(imaginary, real), weights)
    return np.asarray(np.exp(np.minimum(logs, 0.0) + 1j * turns))


def _tilted(theta: Floats, steps: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    x = theta[:, None] * steps
    turned = np.exp(-2.0 * x)  # odds of the sign against t
    log_mgf = np.einsum("ij,ij->i", x + np.log1p(turned) - math.log(2.0), weights)
    away = steps / (1.0 + turned)
    mean = np.einsum("ij,ij->i", 2.0 * away - steps, weights)
    variance = np.einsum("ij,ij->i", 4.0 * away * away * turned, weights)
    return log_mgf, mean, np.sqrt(np.maximum(variance, 0.0))


def _gathered(places: Floats) -> Floats:
    """Return weights at Chebyshev points for places in -1 to 1, from sums of Chebyshev polynomials."""
    size, counts = _CHUNK // _RUN, np.ones(places.shape[1])
    if places.shape[1] > size:  # one row, in which equal places are mostly neighbours
        first = np.flatnonzero(np.append(True, places[0, 1:] != places[0, :-1]))
        places, counts = places[:, first], np.diff(first, append=places.size)
    moments = sum(_moments(places[:, at : at + size], counts[at : at + size]) for at in range(0, places.shape[1], size))
    return np.asarray(np.einsum("ij,jk->ik", moments, _TO_WEIGHTS))


def _moments(places: Floats, counts: Floats) -> Floats:
    """Return the sums of Chebyshev polynomials over the places, in -1 to 1, of each row, weighted by `counts`."""
    polynomials = np.empty((_RUN + 1, *places.shape))
    polynomials[0], polynomials[1] = 1.0, places
    twice = 2.0 * places
    for degree in range(2, _RUN + 1):
        np.multiply(twice, polynomials[degree - 1], out=polynomials[degree])
        polynomials[degree] -= polynomials[degree - 2]
    run, turn = polynomials[:_RUN], polynomials[_RUN]
    moments = np.empty((len(places), _POINTS))
    before, leap = np.ones_like(turn), turn
    run *= counts
    moments[:, :_RUN] = np.einsum("jik->ij", run)
    for degree in range(_RUN, _POINTS, _RUN):  # 2 T_i T_j = T_(i + j) + T_|i - j|
        both = 2.0 * np.einsum("jik,ik->ij", run, leap)
        moments[:, degree] = 0.5 * both[:, 0]
        moments[:, degree + 1 : degree + _RUN] = both[:, 1:] - moments[:, degree - 1 : degree - _RUN : -1]
        before, leap = leap, 2.0 * turn * leap - before
    return moments


def _neighbouring_nodes(angles: Floats, lean: Floats, ends: NDArray[np.intp], half: float) -> Complex:
    """Return the products of all factors at j (or j + 1/2), j < ends, some rows and a whole run of nodes at a time."""
    phi = np.zeros((len(angles), -(-ends.max() // _EVEN) * _EVEN), dtype=np.complex128)
    at_once, order = max((_CHUNK >> 2) // (_EVEN * angles.shape[1]), 1), np.argsort(ends)
    for rows in (order[first : first + at_once] for first in range(0, len(order), at_once)):
        powers = np.ascontiguousarray(_powers(angles[rows], _EVEN).swapaxes(1, 2))  # the product is fast along nodes
        terms = np.empty_like(powers)
        for start in range(0, ends[rows[-1]], _EVEN):
            np.multiply(powers, np.exp(1j * (start + half) * angles[rows])[:, :, None], out=terms)
            terms.imag *= lean[rows, :, None]
            phi[rows, start : start + _EVEN] = terms.prod(axis=1)
    return phi[:, : ends.max()]


def _powers(angles: Floats, count: int) -> Complex:
    """Return exp(i j angle) for j < count along a new axis 1, by doubling."""
    powers = np.empty((len(angles), count, angles.shape[1]), dtype=np.complex128)
    powers[:, 0] = 1.0
    done, turn = 1, np.exp(1j * angles)
    while done < count:
        size = min(done, count - done)
        np.multiply(powers[:, :size], turn[:, None, :], out=powers[:, done : done + size])
        done += size
        turn = turn * turn if done < 8 else np.exp(1j * done * angles)
    return powers


def _least_sums(angles: Floats, weight: Floats, count: int) -> Floats:
    """Bound the sum of y + y^2 / 2, y = weight sin(node angle)^2, from below at nodes 0 to count - 1.

    Its cosines follow from one Fourier transform of their coefficients, which are divided between the two nearest
    points of a grid: an interpolation whose error has a bound.
    """
    length = 8 * (1 << math.ceil(math.log2(count)))
    squares = np.square(weight)
    coefficients = np.hstack((0.5 * weight + 0.25 * squares, squares / -16.0))  # of cosines of twice and 4 times x
    place = np.hstack((angles, 2.0 * angles)) * (length / math.pi)
    left = np.floor(place)
    share = (place - left) * coefficients
    cell = (left.astype(np.int64) & (length - 1)) + (np.arange(len(angles)) * (length + 1))[:, None]
    size = len(angles) * (length + 1)
    grid = np.bincount(cell.ravel(), (coefficients - share).ravel(), size)
    grid = (grid + np.bincount(cell.ravel() + 1, share.ravel(), size)).reshape(len(angles), length + 1)
    grid[:, 0] += grid[:, length]  # the last cell is the first one
    cosines = rfft(grid[:, :length].astype(np.float32), axis=1)[:, :count].real
    constant = (0.5 * weight + 0.1875 * squares).sum(axis=1, keepdims=True)
    rounding = 1e-5 + 0.125 * np.square(2.0 * math.pi / length * np.arange(count))  # single precision, interpolation
    return np.asarray(constant - cosines - rounding * np.abs(coefficients).sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class Draws:
    """The sum of n draws from values with chances, one row; the threshold is a sum, too."""

    values: Floats
    chances: Floats
    n: int
    at: Floats

    @classmethod
    def of(cls, differences: Floats) -> Draws:
        """Return as many draws as there are differences, with twice their sum as the threshold."""
        _, first, counts = np.unique(np.round(differences, 13), return_index=True, return_counts=True)
        values, n = differences[first], differences.size
        return cls(values, counts / n, n, np.array([2.0 * float((values * counts).sum())]))

    def some(self, rows: Rows) -> Draws:
        """Return some of the rows: there is one row."""
        return self

    def _law(self, theta: float) -> tuple[Floats, float]:
        top = theta * (self.values[-1] if theta >= 0.0 else self.values[0])
        weights = self.chances * np.exp(theta * self.values - top)
        return weights / weights.sum(), top + math.log(float(weights.sum()))

    def tilted(self, theta: Floats) -> tuple[Floats, Floats, Floats]:
        """Return K(theta), and the mean and the standard deviation of the tilted sum."""
        law, log_mgf = self._law(float(theta[0]))
        mean = float((law * self.values).sum())
        variance = float((law * np.square(self.values - mean)).sum())
        return np.array([self.n * log_mgf]), np.array([self.n * mean]), np.array([math.sqrt(self.n * variance)])

    def nodes(self, theta: Floats, spacing: Floats, count: int, far: float, half: float = 0.0) -> Complex:
        """Return the characteristic function; see `Flips`."""
        law, _ = self._law(float(theta[0]))
        mean = float((law * self.values).sum())
        centred = self.values - mean
        phi = np.empty(count, dtype=np.complex128)
        run = min(max((_CHUNK >> 3) // self.values.size, 8), count)
        turn = _powers(spacing[0] * centred[None, :], run)[0]
        for first in range(0, count, run):
            size = min(run, count - first)
            begin = np.exp(1j * (first + half) * spacing[0] * centred) * law
            phi[first : first + size] = (turn[:size] * begin).sum(axis=1)
        shift = (self.n * mean - float(self.at[0])) * spacing[0] * (np.arange(count) + half)
        return np.asarray((np.power(phi, self.n) * np.exp(1j * shift))[None, :])


Sums = Flips | Draws
"""Sums T of independent terms, one a row, with the thresholds t that they are compared with."""

_SMOOTHING = 0.01  # standard deviations of the sum, so that a lattice has an end, too
_REACH = 568.0  # 1 / standard deviation: beyond, the smoothing leaves 1e-7
_MOST_SUBSETS = 16
_ROUNDING = 1e-12


def flip_ends(sums: Floats, sizes: Floats, alpha: float) -> tuple[Floats, Floats]:
    """Return both ends of the interval that inverts the sign-flip test, for each row.

    The lower one is inf {m : P(T*(m) >= T(m)) > alpha}, where T(m) is the sum of `sums - m sizes` and T*(m) the same
    with fair random signs. The upper one is minus that of the negated sums.

    Parameters
    ----------
    sums, sizes : ndarray of shape (n_rows, n_units)
        Sums of differences of each unit, and what a shift of 1 adds to them, positive.
    alpha : float
        Level of the one-sided test, in (0, 1/2).

    Returns
    -------
    tuple of ndarray of shape (n_rows,)
        Exact for at most 16 units (a mean of a subset of them; minus infinity where 2^-n > alpha); right to 1e-3
        standard errors for more, or to a few hundredths on a coarse lattice.

    Notes
    -----
    Hartigan (1969), "Using subsample values as typical values". The tail is Gil-Pelaez' integral at midpoints (Davies
    1973, "Numerical inversion of a characteristic function").

    Examples
    --------
    >>> flip_ends(np.array([[0.1, 0.2, 0.4, 0.5, 0.7, 0.9]]), np.ones((1, 6)), 0.025)  # of 63 means
    (array([0.1]), array([0.9]))
    """
    if sums.shape[1] <= _MOST_SUBSETS:
        pairs = zip((*sums, *-sums), (*sizes, *sizes), strict=True)
        low, high = np.reshape([_end_of_subsets(row, size, alpha) for row, size in pairs], (2, -1))
        return low, -high
    means = sums.sum(axis=1) / sizes.sum(axis=1)
    errors = np.sqrt(np.square(sums - means[:, None] * sizes).sum(axis=1)) / sizes.sum(axis=1)
    many = sums.shape[1] >= _CHUNK // _RUN and (sizes == 1.0).all()  # finding points takes longer than all else
    whole = Flips.of(sums, means) if many else None  # a shift moves its points as it does the sums

    def tails(shifts: Floats, rows: NDArray[np.intp], side: int) -> Floats:
        by = side * shifts[:, None]
        shifted = sums[rows] - by * sizes[rows]
        steps, at = np.abs(shifted), side * shifted.sum(axis=1)
        if whole is None:
            return _smooth_tails(Flips.of(steps, at), alpha)
        return _smooth_tails(Flips(steps, at, whole.points[rows] - by, whole.weights[rows]), alpha)

    wider = errors / math.sqrt(1.0 - min(float(ndtri(alpha)) ** 2 / sums.shape[1], 0.5))  # a shift adds to the variance
    low, high = (_solved(partial(tails, side=side), side * means, wider, alpha) for side in (1, -1))
    return low, -high


def draw_end(sums: Floats, sizes: Floats, alpha: float) -> float:
    """Return the lower end of the basic bootstrap interval of a mean: 2 d - sup {x : P(d* >= x) > alpha}.

    d* is the mean, sum over size, of n units drawn with replacement, as for infinitely many resamples; the upper end is
    minus the lower one of the negated sums. Parameters as for `flip_ends`, of one row.
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
        phi = sums.some(rows).nodes(zero[rows], spacing, int(count), FAR * alpha, 0.5)
        middle = np.arange(phi.shape[1]) + 0.5
        smooth = np.exp(-0.5 * np.square(_SMOOTHING * np.multiply.outer(spacing * deviation[rows], middle)))
        tails[rows] = 0.5 + np.einsum("ij,ij->i", phi.imag, smooth / (math.pi * middle))
    return tails


def _solved(tails: Callable[[Floats, NDArray[np.intp]], Floats], means: Floats, errors: Floats, alpha: float) -> Floats:
    """Return the shift of each row with the tail alpha, by secants on the scale of normal quantiles.

    The tail grows with the shift. Where it has steps, secants do not settle: every fourth shift halves what is left.
    """
    target = float(ndtri(alpha))
    ends = means + target * errors * math.sqrt(1.0 + _SMOOTHING**2)
    low, high = np.full_like(means, -np.inf), means.copy()
    slopes, before, ends_before = 1.0 / errors, np.full_like(means, np.nan), ends
    rows = np.arange(means.size)
    for turn in range(1, 100):
        quantiles = ndtri(np.clip(tails(ends[rows], rows), 1e-15, 1.0 - 1e-15))
        with np.errstate(invalid="ignore", divide="ignore"):
            secants = (quantiles - before[rows]) / (ends[rows] - ends_before[rows])
        usable = np.isfinite(secants) & (secants * errors[rows] > 0.2) & (secants * errors[rows] < 5.0)
        slopes[rows] = np.where(usable, secants, slopes[rows])
        before[rows], ends_before = quantiles, ends.copy()
        low[rows] = np.where(quantiles <= target, ends[rows], low[rows])
        high[rows] = np.where(quantiles <= target, high[rows], ends[rows])
        step = np.clip((target - quantiles) / slopes[rows], -errors[rows], errors[rows])
        further, halved = ends[rows] + step, 0.5 * (low[rows] + high[rows])
        within = (further > low[rows]) & (further < high[rows]) & (turn % 4 > 0) | ~np.isfinite(halved)
        settled = np.abs(step) <= 1e-4 * errors[rows]
        ends[rows] = np.where(within | settled, further, halved)
        rows = rows[~settled & (high[rows] - low[rows] > 1e-4 * errors[rows])]
        if not rows.size:
            break
    return ends
