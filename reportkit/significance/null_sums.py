"""Sums of random signs or draws: their characteristic functions, and the ends of intervals that invert their tails."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.fft import rfft
from scipy.special import ndtri

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]

FAR = 1e-7
"""Nodes with a smaller characteristic function are bounded, not computed."""

NODES = 868
"""Smallest number of nodes."""

_BLOCK = 64  # neighbouring nodes at a time
_CHUNK = 1 << 17  # numbers in an array at a time: it stays in the cache
_FIRST_FACTORS = 32
_MANY = 300  # factors whose moduli are small enough for a coarse bound
_STRIDE = 8


@dataclass(frozen=True)
class Flips:
    """Sums T of steps with fair random signs, and thresholds t; steps has the shape (n_rows, n), `at` (n_rows,)."""

    steps: Floats
    at: Floats

    def some(self, rows: NDArray[np.intp]) -> Flips:
        """Return some of the rows."""
        return Flips(self.steps[rows], self.at[rows])

    def tilted(self, theta: Floats) -> tuple[Floats, Floats, Floats]:
        """Return K(theta), and the mean and the standard deviation of the tilted sum."""
        x = theta[:, None] * self.steps
        turned = np.exp(-2.0 * x)  # chance of the sign against t, by that towards it
        log_mgf = x.sum(axis=1) + np.log1p(turned).sum(axis=1) - math.log(2.0) * x.shape[1]
        away = self.steps / (1.0 + turned)
        mean = 2.0 * away.sum(axis=1) - self.steps.sum(axis=1)
        return log_mgf, mean, 2.0 * np.sqrt((away * away * turned).sum(axis=1))

    def nodes(
        self, theta: Floats, spacing: Floats, count: int, far: float, half: float = 0.0
    ) -> tuple[Complex, Floats]:
        """Return the characteristic function of the tilted T - t at j (or j + 1/2) times the spacing, j < count.

        Where its modulus is certainly below `far`, 0 and a bound of the modulus; elsewhere the bound is 0.
        """
        n_rows, n = self.steps.shape
        terms_of = np.column_stack((self.steps, -self.at))  # exp(-iut) is one more factor
        towards = np.column_stack((np.tanh(theta[:, None] * self.steps), np.ones(n_rows)))
        phi, bound = np.zeros((n_rows, count), dtype=np.complex128), np.zeros((n_rows, count))
        block = _BLOCK if n < _MANY else 16  # of many factors a few nodes are left
        at_once = max(_CHUNK // max(8 * count, block * n), 1)
        for first in range(0, n_rows, at_once):
            rows = slice(first, first + at_once)
            angles, lean = spacing[rows, None] * terms_of[rows], towards[rows]
            moduli = _bounded_moduli(angles, 1.0 - np.square(lean), count, half)
            live = moduli > far
            bound[rows] = np.where(live, 0.0, moduli)
            lobe = int(np.argmin(np.append(np.any(live, axis=0), np.zeros(block, dtype=np.bool_))))
            powers = _powers(angles, block)
            for start in range(0, lobe, block)[::-1]:
                nodes = slice(start, min(start + block, lobe))
                terms = powers[:, : nodes.stop - start]
                if start + half:  # the powers themselves come last
                    terms = terms * np.exp(1j * (start + half) * angles)[:, None, :]
                terms.imag *= lean[:, None, :]
                phi[rows, nodes] = np.where(live[:, nodes], _product(terms), 0.0)
            row, node = np.nonzero(live[:, lobe:])
            far_phi, far_bound = _far_nodes(angles, lean, row, (node + (lobe + half)).astype(np.float64), far)
            phi[first + row, lobe + node], bound[first + row, lobe + node] = far_phi, far_bound
        return phi, bound


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


def _bounded_moduli(angles: Floats, weight: Floats, count: int, half: float) -> Floats:
    """Bound |phi| at equally spaced nodes, where each factor has |f|^2 = 1 - weight sin(node angle)^2.

    |phi|^2 <= exp(-S) for S, the sum of weight sin^2. Of many factors S is computed at every eighth node; between two
    of them it is nowhere lower than on the line through both by more than an eighth of its largest second derivative.
    """
    if half:
        return _bounded_moduli(half * angles, weight, 2 * count, 0.0)[:, 1::2]
    stride, thin = (_STRIDE, angles.shape[1] // _MANY) if angles.shape[1] >= _MANY else (1, 1)
    angles, weight = angles[:, ::thin], weight[:, ::thin]  # a product of some factors is a bound, too
    sines = _sums_of_sines(stride * angles, weight, -(-count // stride) + 1)
    if stride > 1:
        bend = 0.25 * (weight * np.square(stride * angles)).sum(axis=1, keepdims=True)
        sines = np.minimum(sines[:, :-1], sines[:, 1:]) - bend
    return np.repeat(np.exp(-0.5 * np.maximum(sines, 0.0)), stride, axis=1)[:, :count]


def _sums_of_sines(angles: Floats, weight: Floats, count: int) -> Floats:
    """Bound the sum of weight sin(node angle)^2 from below at nodes 0 to count - 1.

    It follows from one Fourier transform of the weights, which are divided between the two nearest points of a grid:
    an interpolation whose error has a bound.
    """
    length = 8 * (1 << math.ceil(math.log2(count)))
    place = angles * (length / math.pi)
    left = np.floor(place)
    share = (place - left) * weight
    cell = (left.astype(np.int64) % length) + (np.arange(len(angles)) * length)[:, None]
    following = np.where((cell + 1) % length == 0, cell + 1 - length, cell + 1)
    size = len(angles) * length
    grid = np.bincount(cell.ravel(), (weight - share).ravel(), size) + np.bincount(
        following.ravel(), share.ravel(), size
    )
    cosines = rfft(grid.reshape(len(angles), length).astype(np.float32), axis=1)[:, :count].real
    total = weight.sum(axis=1, keepdims=True)
    rounding = 1e-5 + 0.125 * np.square(2.0 * math.pi / length * np.arange(count))  # single precision, interpolation
    return np.asarray(0.5 * (total * (1.0 - rounding) - cosines))


def _far_nodes(angles: Floats, lean: Floats, row: NDArray[np.intp], node: Floats, far: float) -> tuple[Complex, Floats]:
    """Return products at single nodes, or 0 and a bound where the modulus falls below `far`."""
    phi, bound = np.ones(row.size, dtype=np.complex128), np.zeros(row.size)
    alive, start, width, n = np.arange(row.size), 0, _FIRST_FACTORS, angles.shape[1]
    while start < n and alive.size:
        at_once = max(_CHUNK // width, 1)
        for part in (alive[i : i + at_once] for i in range(0, alive.size, at_once)):
            x = node[part, None] * angles[row[part], start : start + width]
            terms = np.cos(x) + 1j * (lean[row[part], start : start + width] * np.sin(x))
            phi[part] *= _product(terms)
        moduli = np.abs(phi[alive])
        bound[alive] = np.where(moduli <= far, moduli, 0.0)
        phi[alive[moduli <= far]] = 0.0
        alive = alive[moduli > far]
        start, width = start + width, 4 * width
    return phi, bound


def _product(terms: Complex) -> Complex:
    """Multiply along the last axis, by halves: faster than `prod`, and the same for every number of rows."""
    while terms.shape[-1] > 1:
        half = terms.shape[-1] // 2
        odd = terms[..., 2 * half :]
        terms = terms[..., :half] * terms[..., half : 2 * half]
        if odd.shape[-1]:
            terms[..., 0] *= odd[..., 0]
    return terms[..., 0]


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

    def some(self, rows: NDArray[np.intp]) -> Draws:
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

    def nodes(
        self, theta: Floats, spacing: Floats, count: int, far: float, half: float = 0.0
    ) -> tuple[Complex, Floats]:
        """Return the characteristic function, and bounds where it is negligible; see `Flips`."""
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
        return (np.power(phi, self.n) * np.exp(1j * shift))[None, :], np.zeros((1, count))


Sums = Flips | Draws
"""Sums T of independent terms, one a row, with the thresholds t that they are compared with."""

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
