"""Far tails of the bootstrap distribution of Student's t, from resamples that are drawn where the tail is.

Plain resamples show a tail of 1e-6 once in a million. Here units are drawn with unequal chances, under which the
resampled t is about the observed one, and each resample counts with the ratio of its probabilities: the relative error
hardly depends on how small the tail is. With v = d - mean(d) and c = t / sqrt(n - 1 + t^2), t* >= t exactly if
mean(v*) >= c sqrt(mean(v*^2)); at sqrt(mean(v*^2)) = b the boundary is that of the mean of x = v - c / 2 (v^2 / b + b),
and chances proportional to exp(h x) with mean 0 of x are those of the most probable way to it. Johns (1988),
"Importance sampling for bootstrap confidence intervals"; Davison and Hinkley (1997), "Bootstrap Methods and their
Application", section 9.4.

Each quarter of a resample is joined with its own other quarters and with those of other resamples: all of these are
resamples, and their sums are known from the quarters. Whether t is reached depends little on one quarter alone, so the
mean over them is known nearly as well as from as many independent resamples. Blom (1976), "Some properties of
incomplete U-statistics", Biometrika 63.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from reportkit.null_distributions.random.self_normalised import chernoff

Floats = NDArray[np.float64]

FEWEST_DRAWN = 1_024
"""Resamples drawn first; four times as many each time, while the tail is not known well enough."""

MOST_DRAWN = 16_384
"""Resamples drawn at most."""

MOST_UNITS = 200_000_000
"""Units drawn at most, of all resamples together."""

_BLOCK = 1 << 20  # units drawn at a time
_KEPT = 32  # blocks kept for the next pair of systems
_PARTS = 4  # quarters of a resample
_JOINED = 32  # resamples that each quarter is part of
_AT_ONCE = 1 << 15  # units worked on at once, so that they stay in the cache
_PLAIN = 8  # every so manieth resample is drawn with equal chances, so that no resample weighs too much
_FEWEST_CELLS, _CELLS_OF_A_UNIT = 12, 5  # powers of two
_WIDTHS = 24  # values of b of which the most probable is taken, and more where t is so large that each tells less
_LARGEST_TABLE = 1 << 20  # of as many values of b and units
_UNKNOWN = 0.25  # relative error of so few resamples that count that it says nothing itself
_BITS = 52  # of sums that are exact in any order
_NO_VARIANCE = 1e-12
_DRAWING = Lock()


class TiltedTail(NamedTuple):
    """A tail, its relative standard error, and the number of resamples it is from."""

    p_value: float
    relative_error: float
    n_resamples: int


class Tilt(NamedTuple):
    """Unequal chances of units, under which t is about the observed one.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Units about their mean, rounded so that sums of squares are exact.
    c : float
        See the top of this module.
    chances : ndarray of shape (n,)
        Of each unit.
    exponent : float
        Logarithm of the probability of the most probable way to t, up to a factor: the tail is about a tenth of the
        probability, and `studentized_tail_bound` is above it.
    """

    values: Floats
    c: float
    chances: Floats
    exponent: float


def tilt_towards(sums: Floats, t: float) -> Tilt | None:
    """Chances of units that lead to t; see `tilted_tail`. None if there are none, and for fewer than four values."""
    n = sums.size
    v = sums - sums.mean()
    largest = float(np.abs(v).max())
    if not t > 0 or largest == 0 or n < _PARTS:
        return None
    bits = _bits(n)
    v = np.ldexp(np.rint(np.ldexp(v / largest, bits)), -bits)
    rounding = math.ldexp(8.0, -bits)  # what it could tie is at least as extreme
    c = max(t / math.sqrt(n - 1 + t * t) - rounding, 0.0)
    deviation = math.sqrt(float(np.square(v).mean()))
    narrowest = 0.05 * deviation
    radius = math.sqrt(n - 1) / t  # of the values that may be drawn, relative to b
    n_widths = min(1 + math.ceil(-math.log(narrowest) / radius), _LARGEST_TABLE // n)
    widths = narrowest ** np.linspace(1.0, 0.0, max(n_widths, _WIDTHS))
    found = chernoff(v, np.full(n, 1.0 / n), c, widths, widths, n)
    best = int(np.argmax(found.logarithms))
    if not math.isfinite(float(found.logarithms[best])):
        return None
    b = float(widths[best])
    exponents = float(found.tilts[best]) * (v - 0.5 * c * (v * v / b + b))
    chances = np.exp(exponents - exponents.max()) + 1e-12
    return Tilt(v, c, np.asarray(chances / chances.sum()), n * float(found.logarithms[best]))


def tilted_tail(tilt: Tilt, *, key: tuple[int, ...], settled: Callable[[TiltedTail], bool]) -> TiltedTail | None:
    """Estimate the probability that Student's t of n values drawn with replacement, recentred, reaches t.

    Parameters
    ----------
    tilt : Tilt
        From `tilt_towards`, of sorted values, so that no order of rows can change the result.
    key : tuple of int
        Entropy of the stream. Resamples of all data of n units with the same key come from the same uniform numbers,
        which are drawn once.
    settled : callable
        Whether a tail is known well enough; if not, more resamples are drawn, within `MOST_DRAWN` and `MOST_UNITS`.

    Returns
    -------
    TiltedTail or None
        The p-value counts one resample more than were drawn, with the mean weight of those that reach t: it is never 0.
        None where hardly a resample reaches it, or a few that do weigh as much as all others.

    Examples
    --------
    >>> tilt = tilt_towards(np.sort(np.random.default_rng(1).normal(size=100)), 4.0)
    >>> found = tilted_tail(tilt, key=(0,), settled=lambda tail: tail.n_resamples > 10_000)
    >>> 3e-5 < found.p_value < 3e-4, found.relative_error < 0.03, found.n_resamples  # of Student's t it is 6e-5
    (True, True, 16384)
    """
    n, bits = tilt.values.size, _bits(tilt.values.size)
    shares = _shares(tilt.chances)
    ratios = np.ldexp(np.rint(np.ldexp(np.log(n / shares.sum() * shares), bits)), -bits)
    both = (tilt.values + 1j * ratios)[np.concatenate((np.repeat(np.arange(n), shares), np.arange(n)))]
    blocks: list[Floats] = []
    found: TiltedTail | None = None
    drawn, stage = 0, FEWEST_DRAWN
    for block in range(MOST_DRAWN):
        blocks.append(_sums_of_parts(both, _uniform(key, n, block)))
        drawn += blocks[-1].shape[-1]
        if drawn >= stage:
            found = _estimate(np.concatenate(blocks, axis=-1), tilt.c, n)
            stage *= 4
            if stage > MOST_DRAWN or stage * n > MOST_UNITS or (found is not None and settled(found)):
                break
    return found


def _bits(n: int) -> int:
    """Binary digits of values so coarse that the sum of n squares is exact."""
    return (_BITS - int(np.frexp(float(n))[1])) // 2


def _sums_of_parts(both: NDArray[np.complex128], cells: NDArray[np.int32]) -> Floats:
    """Sums of values, squares and logarithms of ratios, of each quarter of each resample; all exact, in any order.

    Values are real parts, logarithms imaginary ones. Resamples are columns, so that each unit is added to all at once.
    """
    n, drawn = cells.shape
    edges = [-(-n * part // _PARTS) for part in range(_PARTS + 1)]
    sums = np.empty((3, _PARTS, drawn))
    for part in range(_PARTS):
        resampled = both.take(cells[edges[part] : edges[part + 1]])
        total = resampled.sum(axis=0)
        sums[0, part], sums[2, part] = total.real, total.imag
        np.square(resampled.real).sum(axis=0, out=sums[1, part])
    return sums


def _estimate(parts: Floats, c: float, n: int) -> TiltedTail | None:
    """Mean weight of all resamples joined from quarters, given their sums; those that do not reach t have none.

    The first quarter of a resample is joined with the second, third and fourth ones of those that come k, 2 k and 3 k
    later, for several k: no two quarters are joined twice. All were drawn with chances as its own, so that of the
    resamples joined as many are plain as of those drawn. The other quarters, which are no larger than the first, are
    taken to vary as it does.
    """
    drawn = parts.shape[-1]
    by_first = np.zeros(drawn)
    hits, squared = 0, 0.0
    at_once = max(_AT_ONCE // drawn, 1)
    for start in range(0, _JOINED, at_once):
        joined = np.repeat(parts[:, :1], min(at_once, _JOINED - start), axis=1)
        for part in range(1, _PARTS):
            apart = _PLAIN * part
            stop = apart * (start + joined.shape[1])
            wrapped = np.concatenate((parts[:, part], parts[:, part, :stop]), axis=1)
            joined += sliding_window_view(wrapped, drawn, axis=1)[:, apart * start : stop : apart]
        sums, squares, log_ratios = joined
        above = sums > 0.0
        sums *= sums
        squares *= n
        above &= sums >= c * c * squares
        above &= sums < (1.0 - _NO_VARIANCE) * squares
        weights = _PLAIN / (1.0 + (_PLAIN - 1.0) * np.exp(np.minimum(log_ratios, 600.0)))
        weights *= above
        hits += int(np.count_nonzero(above))
        squared += float(np.square(weights).sum())
        by_first += weights.sum(axis=0)
    if hits < 2 * _JOINED:
        return None
    by_first /= _JOINED
    mean = float(by_first.mean())
    kinds = by_first.reshape(-1, _PLAIN)  # how many are drawn of each is fixed
    between = (float(kinds[:, 0].mean()) ** 2 + (_PLAIN - 1) * float(kinds[:, 1:].mean()) ** 2) / _PLAIN
    independent = (squared / (drawn * _JOINED) - between) / _JOINED
    of_a_part = float(np.square(by_first).mean()) - between - independent  # what one quarter alone adds
    variance = max(independent + max(_PARTS * of_a_part, 0.0), 0.0) / drawn
    if math.sqrt(variance) > _UNKNOWN * mean:
        return None
    return TiltedTail(min(mean * (1.0 + _JOINED / hits), 1.0), math.sqrt(variance) / mean, drawn)


def _n_cells(n: int) -> int:
    """Of a table from which a unit is drawn: enough for the chances of n units to be whole numbers of cells."""
    return 1 << max(_FEWEST_CELLS, math.ceil(math.log2(n)) + _CELLS_OF_A_UNIT)


def _shares(chances: Floats) -> NDArray[np.int64]:
    """Numbers of cells that are as the chances, at least one each: the largest remainders are rounded up."""
    free = (_n_cells(chances.size) - chances.size) * chances
    shares = np.floor(free).astype(np.int64)
    left = _n_cells(chances.size) - chances.size - int(shares.sum())
    shares[np.argsort(shares - free, kind="stable")[:left]] += 1
    return shares + 1


def _uniform(key: tuple[int, ...], n: int, block: int) -> NDArray[np.int32]:
    """Cells drawn with equal chances, a column per resample; in every `_PLAIN`th units, which follow the cells."""
    with _DRAWING:  # by one of several threads, and then it is there for the others
        return _drawn(key, n, block)


@lru_cache(maxsize=_KEPT)
def _drawn(key: tuple[int, ...], n: int, block: int) -> NDArray[np.int32]:
    rng = np.random.default_rng(np.random.SeedSequence([*key, n, block]))
    n_cells = _n_cells(n)
    rows = max(min(FEWEST_DRAWN, _BLOCK // n) // _PLAIN, 1) * _PLAIN  # so that the plain ones are regular across blocks
    cells = rng.integers(0, n_cells, size=(rows, n), dtype=np.int32)
    cells[::_PLAIN] = n_cells + rng.integers(0, n, size=cells[::_PLAIN].shape, dtype=np.int32)
    cells = np.ascontiguousarray(cells.T)
    cells.flags.writeable = False
    return cells
