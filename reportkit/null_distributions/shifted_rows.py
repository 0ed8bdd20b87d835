"""Ends of sign-flip intervals of many pairs at once: the tails of `shifted` from power sums of the differences.

For v_i = x_i + shift, the characteristic function of the sum with random signs is the product of cos(y v_i). Where no
y v_i of the main lobe reaches pi / 2, the series of log cos needs nothing of the differences but their power sums,
which follow for every shift from those about the mean: a tail costs the same for a hundred differences and for a
million. The few differences that are too large for that have their cosines multiplied. That nothing comes back behind
the main lobe is read off one short Fourier transform of the binned differences, whose modulus no shift changes: less
would come back than moves an end by a thousandth of a standard error, and the whole contour would leave it where it is.

No number of a row depends on the other rows, not even in its last bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import binom, ndtri, zeta

from reportkit.null_distributions.contour.returns import FLOAT32_NOISE

Floats = NDArray[np.float64]

SMOOTHING = 0.01
"""Standard deviation of what is added to the sum, in standard deviations of the sum."""

NEGLIGIBLE = 1e-7
"""A factor of a characteristic function that small, times the level, changes no tail that an interval asks for."""

IMAGES = 2e4
"""Images of the period of a quadrature are below the level divided by this."""

REACH = math.sqrt(-2.0 * math.log(NEGLIGIBLE)) / SMOOTHING
"""In 1 / standard deviation of the sum: beyond, the smoothing leaves nothing of a characteristic function."""

_TERMS = (3, 5, 8, 12)  # of the series: as many as the largest difference asks for
_QUARTER = 1.5  # a little less than pi / 2
_FURTHER = 1.35  # main lobes are summed so much further than a normal sum needs
_REMAINDER = 1e-8  # of the series, in the characteristic function
_STEPS = 8
_ROUNDING = 1e-10
_SETTLED = 1e-9  # what two steps lack to the normal quantile, multiplied: of the next one more than is left
_COMES_BACK = 8e-4  # standard errors: `shifted_search` leaves an end where it is for less than a thousandth
_MANY = 256
_PER_CELL = (0.12, 0.2)  # what half a cell of the transform, and the width of a bin, may add to it, per difference:
# of fewer than many differences, which have little to give, and of others
_FINE = 0.03  # the same where that does not do
_MOST_MULTIPLIED = 1000  # differences whose cosines are multiplied where power sums do not do
_FIRST_TRIED = 1 << 10  # differences that are looked at first
_BLOCK = 1 << 16
_CACHED = 1 << 14  # cosines at a time
_HALF_SINES = (  # of sqrt 2 sin(pi t) / t in t^2, from Chebyshev's nodes of t^2 in [0, 1/4]; highest power first
    -2.988746242341231e-05,
    0.0006590051576402603,
    -0.010423269190210157,
    0.11617181591508294,
    -0.8474880241137543,
    3.606476571448815,
    -7.308249499995179,
    4.442882938158366,
)
_AT_ONCE = 16  # rows that are transformed at a time


class Ends(NamedTuple):
    """Ends of intervals of several rows.

    Parameters
    ----------
    ends : ndarray of shape (n_rows, 2)
        Lower and upper ends by the main lobe alone; NaN where it does not pass the level once.
    certain : ndarray of bool of shape (n_rows,)
        Whether what comes back behind it is too little to be told from nothing, whatever the shift is.
    """

    ends: Floats
    certain: NDArray[np.bool_]


class _Rows(NamedTuple):
    """Rows with mean 0 and sum of squares 1: power sums of most differences, and the others themselves, or NaN.

    Row `place` of those asked for is scale (mean + deviation x). Scale, mean, deviation and the sums of the third and
    fourth powers of all x are rows of `moments`.
    """

    sums: Floats
    large: Floats
    n: int
    place: NDArray[np.intp]
    moments: Floats

    def turned(self, sign: float) -> _Rows:
        """The same for the differences, or for minus the differences."""
        signs = np.power(sign, np.arange(self.sums.shape[0]))[:, None]
        return self._replace(sums=self.sums * signs, large=sign * self.large)

    def some(self, chosen: NDArray[np.intp]) -> _Rows:
        """Some of the rows."""
        sums, moments = self.sums[:, chosen], self.moments[:, chosen]
        return _Rows(sums, self.large[chosen], self.n, self.place[chosen], moments)


def main_lobe_ends(rows: Floats, alpha: float) -> Ends:
    """Both ends of the interval that inverts the sign-flip test of a mean, for rows of differences.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n_units)
        Differences of units of the same size, each row sorted.
    alpha : float
        Level of each one-sided test, in (0, 1/2).

    Examples
    --------
    >>> rows = np.sort(np.random.default_rng(0).normal(0.1, 1.0, (2, 400)))
    >>> normal = rows.mean(axis=1) - 1.96 * rows.std(axis=1) / 20
    >>> found = main_lobe_ends(rows, 0.025)
    >>> found.certain, bool((abs(found.ends[:, 0] - normal) < 0.002).all())
    (array([ True,  True]), True)
    """
    n_rows, n = rows.shape
    found = Ends(np.full((n_rows, 2), np.nan), np.zeros(n_rows, dtype=np.bool_))
    start = _shift_of(-float(ndtri(alpha)), n)
    at_once = max(_BLOCK // n, 1)
    alike: dict[int, list[_Rows]] = {}
    for first in range(0, n_rows, at_once):
        for terms, some in _summed(rows[first : first + at_once], first, alpha, start, found.certain):
            alike.setdefault(terms, []).append(some)
    for parts in alike.values():
        together = _joined(parts)
        scale, mean, deviation, third, fourth = together.moments
        for side, sign in ((0, 1.0), (1, -1.0)):
            shift = _solved(together.turned(sign), alpha, *_almost(sign * third, fourth, n, start), 1.2 * start)
            found.ends[together.place, side] = scale * (mean - sign * deviation * shift)
    return found


def _summed(
    rows: Floats, first: int, alpha: float, start: float, certain: NDArray[np.bool_]
) -> Iterator[tuple[int, _Rows]]:
    """What the tails of some rows, the first of which is number `first`, follow from, by the terms that they need."""
    n = rows.shape[1]
    scale = np.ldexp(1.0, np.frexp(np.abs(rows).max(axis=1))[1])
    x = rows / scale[:, None]
    mean = x.mean(axis=1)
    x -= mean[:, None]
    deviation = np.sqrt(np.square(x).sum(axis=1))
    usable = np.flatnonzero(deviation > _ROUNDING * np.abs(mean))
    x = x[usable] / deviation[usable, None]
    squares = np.square(x)
    moments = scale[usable], mean[usable], deviation[usable], (squares * x).sum(axis=1), np.square(squares).sum(axis=1)
    limit = max(_QUARTER / (_FURTHER * _reach(alpha)) - 1.2 * start, 0.0)
    whole, far = x, np.abs(x) > limit
    n_far = far.sum(axis=1)
    large = np.full((usable.size, int(n_far.max(initial=0))), np.nan)
    if large.shape[1]:
        row, column = np.nonzero(far)
        at = np.concatenate(([0], np.cumsum(n_far)))
        large[row, np.arange(row.size) - at[row]] = x[row, column]
        x = np.where(far, 0.0, x)
        squares = np.square(x)
    second, fourth = squares.sum(axis=1), np.square(squares).sum(axis=1)
    largest = np.sqrt(squares.max(axis=1))
    terms = _terms_needed(fourth, largest + 1.2 * start)
    terms[second * _FURTHER**2 < 1.0] = 0  # large differences are most of the sum
    certain[first + usable] = _is_quiet(x, far, second, fourth, largest, alpha)
    for count in (0, *_TERMS) if n <= _MOST_MULTIPLIED else _TERMS:
        chosen = np.flatnonzero(terms == count)
        if chosen.size:
            sums = _power_sums(x[chosen], count)
            sums[0] -= n_far[chosen]
            multiplied = large[chosen] if count else whole[chosen]
            yield count, _Rows(sums, multiplied, n, first + usable[chosen], np.stack(moments)[:, chosen])


def _joined(parts: Sequence[_Rows]) -> _Rows:
    """Rows with the same number of power sums, those with most large differences first, others filled with NaN."""
    widest = max(part.large.shape[1] for part in parts)
    large = [np.pad(part.large, ((0, 0), (0, widest - part.large.shape[1])), constant_values=np.nan) for part in parts]
    sums = np.concatenate([part.sums for part in parts], axis=1)
    moments = np.concatenate([part.moments for part in parts], axis=1)
    place = np.concatenate([part.place for part in parts])
    together = _Rows(sums, np.concatenate(large), parts[0].n, place, moments)
    return together.some(np.argsort(np.isnan(together.large).sum(axis=1), kind="stable"))


def cosine(angles: Floats) -> Floats:
    """Cosine to 2e-15 and the rounding of the angle, by additions and multiplications: the same bits on any processor.

    NumPy takes four times as long where it has no vector instructions for cosines or tangents.

    Examples
    --------
    >>> cosine(np.array([0.0, np.pi])).round(12)
    array([ 1., -1.])
    """
    turns = np.asarray(angles) * (0.5 / math.pi)
    turns -= np.rint(turns)
    squares = np.square(turns)
    sines = squares * _HALF_SINES[0]
    for coefficient in _HALF_SINES[1:-1]:
        sines += coefficient
        sines *= squares
    sines += _HALF_SINES[-1]
    sines *= turns
    np.square(sines, out=sines)
    return np.subtract(1.0, sines, out=sines)


def _reach(alpha: float) -> float:
    """How far the main lobe of a normal sum reaches, in 1 / standard deviation."""
    return math.sqrt(-2.0 * math.log(NEGLIGIBLE * alpha))


def _shift_of(z: float, n: int) -> float:
    """The shift of differences with mean 0 and sum of squares 1 whose sum is z of its standard deviations above 0."""
    return z / math.sqrt(n * max(n - z * z, 1.0))


def _almost(third: Floats, fourth: Floats, n: int, start: float) -> tuple[Floats, Floats]:
    """Almost the shift, which of a normal sum is `start`, and how the quantile grows there: Cornish and Fisher."""
    square = 1.0 + n * start * start
    z, growth = n * start / math.sqrt(square), n / square**1.5
    fourths = (fourth + start * (4.0 * third + start * (6.0 + n * start * start))) / square**2
    thirds = 4.0 * (third + start * (3.0 + n * start * start)) / square**2
    bend = (z**3 - 3.0 * z) / 12.0
    slope = growth * (1.0 + (z * z - 1.0) / 4.0 * fourths) + bend * (thirds - 4.0 * n * start / square * fourths)
    slope = np.clip(slope, 0.5 * growth, 2.0 * growth)
    return np.clip(start - bend * fourths / slope, 0.8 * start, 1.2 * start), slope


def _terms_needed(fourth: Floats, largest: Floats) -> NDArray[np.intp]:
    """Terms of the series of log cos that leave nothing of notice."""
    needed = np.zeros(largest.size, dtype=np.intp)
    for count in reversed(_TERMS):
        peak = ((2.0 * count + 2.0) / math.e) ** (count + 1.0)  # of y^(2 count + 2) exp(-y^2 / 2)
        remainder = _coefficients(count + 1)[-1] * peak * fourth * largest ** (2.0 * count - 2.0)
        needed[remainder <= _REMAINDER] = count
    return needed


def _coefficients(count: int) -> Floats:
    """Of -log cos x = sum_k c_k x^(2 k), k = 1, ..., count."""
    k = np.arange(1.0, count + 1.0)
    return np.asarray((2.0 / math.pi) ** (2.0 * k) * (1.0 - 4.0**-k) * zeta(2.0 * k) / k)


def _power_sums(x: Floats, half: int) -> Floats:
    """Sums of the powers 0, ..., 2 `half` of each row, shape (2 half + 1, n_rows), each from the two halves of it."""
    sums = np.empty((2 * half + 1, x.shape[0]))
    sums[0] = x.shape[1]
    power = np.ones_like(x)
    for order in range(half):
        following = power * x
        sums[2 * order + 1] = np.einsum("ij,ij->i", power, following)
        sums[2 * order + 2] = np.einsum("ij,ij->i", following, following)
        power = following
    return sums


def _is_quiet(
    x: Floats, far: NDArray[np.bool_], second: Floats, fourth: Floats, largest: Floats, alpha: float
) -> NDArray[np.bool_]:
    """Whether the characteristic function stays small behind the main lobe, whatever the shift is.

    Up to y = 1.5 / max |x| it is below exp(-y^2 sum x^2 / 2), and log |phi| <= -(y^2 sum x^2 - y^4 sum x^4 / 3) / 2
    further on, from sin^2 u >= u^2 - u^4 / 3. Everywhere |phi(y)| <= ((1 + |mean_i exp(2 i y x_i)|) / 2)^(n / 2), as a
    geometric mean of the squared cosines, (1 + cos 2 y v_i) / 2, is at most the arithmetic one; over any n of the
    differences, as each cosine is at most 1: some of them are tried first, then all. The differences that are too
    `far`, 0 in `x`, are left out. The last of these is asked where the main lobe ends, or the first two do.
    """
    rows, n = x.shape
    allowed = _COMES_BACK * math.exp(-0.5 * float(ndtri(alpha)) ** 2) / math.sqrt(2.0 * math.pi)
    # between the main lobe and the transform, nodes share a quarter: sum 1 / (pi (k + 1/2)) is below 2 there
    needed = -2.0 * math.log(0.125 * allowed)
    if not rows or n * math.log(2.0) <= needed:
        return np.zeros(rows, dtype=np.bool_)
    first, middle = (
        _QUARTER**2 / np.maximum(np.square(largest), 1e-300),
        1.5 * second / np.maximum(1.01 * fourth, 1e-300),
    )
    quiet = first * np.where(first < middle, second - first * fourth / 3.0, second) >= needed
    between_nodes = 2.0 * math.pi / math.sqrt(2.0 * math.log(IMAGES / alpha))  # at most, in w / 2
    lobe = _FURTHER * _reach(alpha) / math.sqrt(1.0 + n * (1.2 * _shift_of(-float(ndtri(alpha)), n)) ** 2)
    behind = 2.0 * np.where(quiet, np.sqrt(np.maximum(first, middle)), lobe)
    found = np.zeros(rows, dtype=np.bool_)
    usual = _PER_CELL[n >= _MANY]
    for every, per_cell in (*((every, usual) for every in {max(n // _FIRST_TRIED, 1): 1, 1: 1}), (1, _FINE)):
        open_ = np.flatnonzero(~found)
        for part in (open_[left : left + _AT_ONCE] for left in range(0, open_.size, _AT_ONCE)):
            some, left_out = x[part, ::every], far[part, ::every].sum(axis=1)
            found[part] = _comes_back(some, left_out, behind[part], between_nodes, per_cell) <= 0.5 * allowed
    return found


def _comes_back(x: Floats, left_out: NDArray[np.intp], behind: Floats, between_nodes: float, per_cell: float) -> Floats:
    """Bound on the sum of |phi(w / 2)| / (pi (k + 1/2)) over nodes k + 1/2 with w from `behind` to twice the reach.

    S(w) = sum_i exp(i w x_i) is known on a grid from differences that are shared between two bins, which interpolates
    the exponential, and changes by at most sum |x| between its points. So many x are 0 because they are left out.
    """
    import scipy.fft

    rows, n = x.shape
    width = math.sqrt(3.0 * per_cell) / REACH
    bins = scipy.fft.next_fast_len(max(math.ceil(math.pi / (per_cell * math.sqrt(n) * width)), 16), real=True)
    places = x * (1.0 / width)
    below = np.floor(places)
    above = places - below  # this part of each goes to the bin above, the rest to the bin below
    bent = 0.5 * width**2 * (above * (1.0 - above)).sum(axis=1)
    starts = np.arange(0, rows * bins, bins)[:, None]
    both = [(np.mod(each, bins) + starts).astype(np.intp).ravel() for each in (below, below + 1.0)]
    shares = np.concatenate((1.0 - above, above), axis=None)
    counts = np.bincount(np.concatenate(both), shares, minlength=rows * bins).reshape(rows, bins)
    counts[:, 0] -= left_out
    step = 2.0 * math.pi / (bins * width)
    cells = min(math.ceil(2.0 * REACH / step) + 1, bins // 2 + 1)
    frequencies = (step * np.arange(cells)).astype(np.float32)
    means = np.abs(scipy.fft.rfft(counts.astype(np.float32), axis=1)[:, :cells])
    added = (0.5 * step * np.abs(x).sum(axis=1) + 2.0 * FLOAT32_NOISE * n).astype(np.float32)
    means += np.multiply.outer(bent.astype(np.float32), np.square(frequencies)) + added[:, None]
    kept, behind = ((n - left_out)[:, None].astype(np.float32), behind[:, None].astype(np.float32))
    means = np.minimum(means / np.maximum(kept, np.float32(1.0)), np.float32(1.0))
    half = np.float32(0.5 * step)
    terms = np.exp(np.log((1.0 + means) / 2.0) * (kept / 2.0)) / np.maximum(frequencies - half, behind)
    terms[frequencies + half < behind] = 0.0
    return np.asarray(terms.sum(axis=1, dtype=np.float64) * ((step + 2.0 * between_nodes) / math.pi))


def _solved(rows: _Rows, alpha: float, first: Floats, slope: Floats, highest: float) -> Floats:
    """Shifts at which the tails pass alpha, by secants from the first ones; NaN where they are not found."""
    wanted = float(ndtri(alpha))
    found = np.full(first.size, np.nan)
    open_, here, before, excess_before = np.arange(first.size), first, first, np.ones(first.size)
    for _ in range(_STEPS):
        excess = wanted - ndtri(np.clip(_tails(rows, here, alpha), 1e-300, 0.5))
        by_secant = np.divide(excess - excess_before, here - before, out=slope.copy(), where=here != before)
        slope = np.where(np.abs(by_secant / slope - 1.0) < 0.5, by_secant, slope)
        moved = np.clip(here - excess / slope, 0.0, highest)
        settled = np.abs(excess * excess_before) <= _SETTLED
        found[open_[settled]] = moved[settled]
        others = np.flatnonzero(~settled)
        if not others.size:
            break
        rows, open_, slope = rows.some(others), open_[others], slope[others]
        here, before, excess_before = moved[others], here[others], excess[others]
    return np.where(found > 0, found, np.nan)


def _tails(rows: _Rows, shift: Floats, alpha: float) -> Floats:
    """P(sum of flipped v >= sum of v) for v = x + shift, by the midpoints of Davies over the main lobe."""
    count = (rows.sums.shape[0] - 1) // 2
    deviation = np.sqrt(1.0 + rows.n * np.square(shift))
    z = rows.n * shift / deviation
    spacing = 2.0 * math.pi / (-1.25 * float(ndtri(alpha)) + 0.5 + math.sqrt(2.0 * math.log(IMAGES / alpha)))
    halves = np.arange(math.ceil(_FURTHER * _reach(alpha) / spacing)) + 0.5
    squares = np.square(spacing * halves)
    powers = [np.ones_like(shift)]
    for _ in range(2 * count):
        powers.append(powers[-1] * shift)
    log_phi = np.zeros((shift.size, halves.size))
    for k, coefficient in zip(range(count, 0, -1), _coefficients(count)[::-1], strict=True):
        moment = sum(binom(2 * k, j) * rows.sums[j] * powers[2 * k - j] for j in range(2 * k + 1))
        log_phi += (coefficient * moment / deviation ** (2 * k))[:, None]
        log_phi *= squares
    phi = np.exp(-log_phi - 0.5 * SMOOTHING**2 * squares)
    n_large = np.isfinite(rows.large).sum(axis=1)
    at_once = max(_CACHED // max(rows.large.shape[1], 1), 1)
    for part in (slice(first, first + at_once) for first in range(0, shift.size, at_once)):
        large = rows.large[part, : n_large[part].max()].T
        # cos((2 k + 1) u) = 2 cos(2 u) cos((2 k - 1) u) - cos((2 k - 3) u)
        current = cosine(np.nan_to_num((large + shift[part]) * (0.5 * spacing / deviation[part])))
        before, twice = current.copy(), 4.0 * np.square(current) - 2.0
        for k in range(halves.size):
            phi[part, k] *= np.prod(current, axis=0)
            np.subtract(twice * current, before, out=before)
            current, before = before, current
    terms = np.sin(np.multiply.outer(z, spacing * halves)) * phi / (math.pi * halves)
    return np.asarray(0.5 - terms.sum(axis=1))
