"""Null distributions of sums, sign flips and bootstrap draws, for rows of many pairs and without random numbers.

Four ways, in this order: a binomial tail (one size of difference), enumeration (at most 26 differences, or few
patterns that are as extreme), one period of a lattice, and the band-limited majorant of Graham and Vaaler (1981), "A
class of extremal functions for the Fourier transform", Transactions of the AMS 265, Theorem 6. With theta > 0,

    P(T >= t) = exp(K(theta) - theta t) E_theta f(T - t),  f(x) = exp(-theta x) for x >= 0, else 0,

where K is the cumulant generating function and E_theta the exponentially tilted law. The majorant M >= f has a Fourier
transform that vanishes outside [-2 pi delta, 2 pi delta]. With M in place of f, the characteristic function on
that band alone gives an upper bound, whatever the data: ties and values that lie almost on a lattice need no case of
their own. It exceeds the tail by a factor of about 1 + theta / (2 delta). M(x) - sinc(delta x)^2 is a minorant, which
says how much of the bound may be excess; where that is too much, the band is widened.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

from reportkit.significance.null_sums import FAR, NODES, Draws, Flips, Floats, Sums

SMALLEST_P_VALUE = sys.float_info.min
"""Floor of every p-value, 2.2e-308: an impossible event is not given as 0."""

TIES = 1e-12
"""Sums that differ by less than this share of the sum of |d| are tied."""

_WIDTH = 62.0  # delta in units of theta: a bound is about 0.9% too large
_LARGEST_GAP = 0.019  # between majorant and minorant, relative; about twice the excess
_GAP_OF_TIES = 0.03  # the same where ties with t, at which the majorant is exact, leave it open in any band
_PERIOD = 14.0  # over a period of the quadrature, terms fall by exp(-14)
_EXACT_PERIOD = 32.0
_EXACT = 1e-14  # the same on a lattice
_MOSTNODES = 1 << 21
_MOST_LATTICENODES = 1 << 12
_MOST_ENUMERATED = 26
_MOST_IN_DOUBT = 40  # differences enumerated where the band would have to be wide
_MOST_PATTERNS = 2_000
_MOST_DRAWS = 12
_MOST_SUMS = 1 << 18
_STEPS = 1 << 14  # bounds are rounded to this many steps of a power of two
_EXACT_STEPS = 1 << 40


class RowTail(NamedTuple):
    """P(T >= t) and P(T <= t), never below 2.2e-308 and never too small.

    `error` bounds how much larger than the truth they may be, relative; 0 where they are exact to 1e-9.
    """

    greater: float
    less: float
    error: float


class Tails(NamedTuple):
    """Both tails of each row, shape (n_rows,)."""

    greater: Floats
    less: Floats
    error: Floats

    def each(self) -> list[RowTail]:
        """Return the tails row by row."""
        return [RowTail(*row) for row in zip(*(column.tolist() for column in self), strict=True)]


def flip_tails(rows: Floats) -> Tails:
    """Return both tails of the sum of each row when fair coins flip the signs of its differences.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n)
        Paired differences, finite. Zeros change nothing.

    Notes
    -----
    Null hypothesis: the differences are symmetric about 0. All 2^n patterns count, the observed one among them. A tail
    is never too small; it is exact, or about 1% too large.

    Examples
    --------
    >>> tails = flip_tails(np.array([[1.0] * 14 + [-1.0] * 6 + [0.0]]))
    >>> round(float(tails.greater[0]), 12)
    0.05765914917
    """
    rows = _scaled(rows)
    against = rows.sum(axis=1) < 0.0
    rows *= np.where(against, -1.0, 1.0)[:, None]
    slack = 0.0 - np.minimum(rows, 0.0).sum(axis=1)
    steps = np.abs(rows, out=rows)
    tail, above, error = np.ones(len(rows)), np.zeros(len(rows)), np.zeros(len(rows))
    transformed = []
    for row in range(len(rows)):
        found = _counted_flips(steps[row], float(slack[row]), _MOST_ENUMERATED)
        if found is None:
            transformed.append(row)
        else:
            tail[row], above[row] = found
    if transformed:
        index = np.array(transformed)
        flips = Flips.of(steps[index], steps[index].sum(axis=1) - 2.0 * slack[index])
        few = np.count_nonzero(flips.steps, axis=1) <= _MOST_IN_DOUBT
        tail[index], above[index], error[index] = _bounded(flips, _flip_lattices(flips), few)
        for row in index[few & (error[index] > 1.05 * _GAP_OF_TIES)]:  # almost on a lattice
            tail[row], above[row] = _counted_flips(steps[row], float(slack[row]), _MOST_IN_DOUBT) or (1.0, 0.0)
            error[row] = 0.0
    return _both(tail, above, error, against)


def draw_tails(rows: Floats) -> Tails:
    """Return both tails of the recentred bootstrap of the mean of each row, as for infinitely many resamples.

    P(T* >= 2 t) and P(T* <= 2 t), where T* is the sum of n draws with replacement from the n differences and t their
    sum.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n)
        Paired differences, finite.

    Notes
    -----
    Null hypothesis: the mean difference is 0. Berg-Kirkpatrick et al. (2012), Figure 1, with ties counted. Where no
    resample reaches 2 t, the tail is 2.2e-308, and the test decides what p-value to give.

    Examples
    --------
    Three wins, no loss, 97 ties:

    >>> round(float(draw_tails(np.array([[1.0] * 3 + [0.0] * 97])).greater[0]), 4)
    0.0808
    """
    rows = _scaled(rows)
    against = rows.sum(axis=1) < 0.0
    tail, above, error = np.ones(len(rows)), np.zeros(len(rows)), np.zeros(len(rows))
    for row, values in enumerate(np.where(against[:, None], -rows, rows)):
        if not values.any():
            continue
        draws, no = Draws.of(values), np.zeros(1, dtype=np.bool_)
        found = _counted_draws(draws)
        if found is not None:
            tail[row], above[row] = found
        else:
            tail[row : row + 1], above[row : row + 1], error[row : row + 1] = _bounded(draws, _draw_lattice(draws), no)
    return _both(tail, above, error, against)


def _scaled(rows: Floats) -> Floats:
    """Multiply each row by a power of two, so that squares stay in range and nothing is rounded."""
    exponents = np.frexp(np.abs(rows).max(axis=1, initial=0.0))[1]
    return np.asarray(np.ldexp(rows, -exponents[:, None]) + 0.0)


def _both(tail: Floats, above: Floats, error: Floats, against: NDArray[np.bool_]) -> Tails:
    """Complete P(T >= t) and P(T > t), t being at least the median, by P(T <= t) = 1 - P(T > t)."""
    tail = np.clip(tail, SMALLEST_P_VALUE, 1.0)
    other = np.clip(1.0 - above, SMALLEST_P_VALUE, 1.0)
    return Tails(np.where(against, other, tail), np.where(against, tail, other), error)


# ---------------------------------------------------------------------------------------------------------------------
# closed forms and enumeration


def _counted_flips(steps: Floats, slack: float, most: int) -> tuple[float, float] | None:
    """Return P(T >= t) and P(T > t) by a closed form or by counting, None where both are too much work.

    A pattern reaches the observed sum if the steps that it turns against the observed direction sum to at most `slack`.
    """
    total = float(steps.sum())
    reach, tie = slack + TIES * total, slack - TIES * total
    kept = steps[(steps > 0.0) & (steps <= reach)]
    if kept.size > most and abs(kept[0] - kept[-1]) > TIES * total and 11.0 * kept.sum() <= reach * kept.size:
        return None  # any subset of the eleven smallest ones will do
    never = math.ldexp(1.0, -int(np.count_nonzero(steps > reach)))  # no such pattern flips a larger step
    if not kept.size:
        return never, 0.0
    if float(np.ptp(kept)) <= TIES * float(kept[0]):
        turned = round(slack / float(kept[0]))
        above = float(bdtr(turned - 1, kept.size, 0.5)) if turned else 0.0
        return never * float(bdtr(turned, kept.size, 0.5)), never * above
    if kept.size > most:
        if 2.0 * slack > float(kept.sum()) or (sums := _few_sums(kept, reach)) is None:
            return None
        patterns, strict = sums.size, int(np.count_nonzero(sums < tie))
    else:
        patterns, strict = _patterns(kept, reach), _patterns(kept, tie)
    return never * math.ldexp(float(patterns), -kept.size), never * math.ldexp(float(strict), -kept.size)


def _few_sums(steps: Floats, reach: float) -> Floats | None:
    """Return the sums of all subsets of the steps that are at most `reach`, None if there are too many."""
    steps = np.sort(steps)
    if float(steps[: _MOST_PATTERNS.bit_length()].sum()) <= reach:
        return None  # any subset of these will do
    sums = np.zeros(1)
    for step in steps:
        further = sums[sums <= reach - step] + step
        if sums.size + further.size > _MOST_PATTERNS:
            return None
        sums = np.concatenate((sums, further))
    return sums


def _patterns(steps: Floats, reach: float) -> int:
    """Count the subsets whose sum is at most `reach`, meeting in the middle."""
    halves = []
    for part in (steps[::2], steps[1::2]):
        sums = np.zeros(1)
        for step in part:
            sums = np.concatenate((sums, sums + step))
        halves.append(np.sort(sums))
    return int(np.searchsorted(halves[0], reach - halves[1], side="right").sum())


def _counted_draws(draws: Draws) -> tuple[float, float] | None:
    """Return P(T >= t) and P(T > t) where they need no transform: two values, few draws, or out of reach."""
    n, low, high, at = draws.n, float(draws.values[0]), float(draws.values[-1]), float(draws.at[0])
    tolerance = TIES * n * float((draws.chances * np.abs(draws.values)).sum())
    if n * high < at - tolerance:
        return 0.0, 0.0
    if draws.values.size == 1:
        return (1.0, 1.0) if n * high > at + tolerance else (1.0, 0.0)
    if draws.values.size == 2:
        least = math.ceil((at - tolerance - n * low) / (high - low))
        strict = math.floor((at + tolerance - n * low) / (high - low)) + 1
        chance = float(draws.chances[0])  # P(at least k high draws) = P(at most n - k low ones)
        return tuple(float(bdtr(n - k, n, chance)) if k <= n else 0.0 for k in (least, strict))  # type: ignore[return-value]
    if n > _MOST_DRAWS:
        return None
    sums: Floats = np.zeros(1)
    chances: Floats = np.ones(1)
    for _ in range(n):
        further = np.add.outer(sums, draws.values).ravel()
        if further.size > _MOST_SUMS:
            return None
        _, first, place = np.unique(np.round(further, 13), return_index=True, return_inverse=True)
        sums = further[first]
        chances = np.bincount(place.ravel(), np.multiply.outer(chances, draws.chances).ravel()).astype(np.float64)
    return float(chances[sums >= at - tolerance].sum()), float(chances[sums > at + tolerance].sum())


# ---------------------------------------------------------------------------------------------------------------------
# lattices


class _Lattice(NamedTuple):
    """Sums in units of a lattice: their values are `gap` apart, the first at or above t is `at`, above t `after`."""

    rows: NDArray[np.intp]
    sums: Sums
    gap: float
    after: Floats


def _multiples(values: Floats, deviation: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the rows, none negative, as multiples of their largest common step, and for which a period is short."""
    multiples, found = np.zeros_like(values), np.zeros(len(values), dtype=np.bool_)
    for some in (values[:, :: values.shape[1] // 500 + 1], values):  # gaps of all are no larger than those of 500
        between = np.sort(some, axis=1)
        between[:, 1:] = np.diff(between, axis=1)
        smallest = np.where(between > 1e-11, between, np.inf).min(axis=1)
        possible = 4.0 * smallest * _MOST_LATTICENODES > deviation
        if not possible.any():
            return multiples, found
    for parts in range(1, 7):
        rest = np.flatnonzero(possible & ~found)
        if not rest.size:
            break
        whole = np.rint(values[rest] * (parts / smallest[rest, None]))
        unit = values[rest].max(axis=1) / np.maximum(whole.max(axis=1), 1.0)
        fits = (np.abs(values[rest] - whole * unit[:, None]) < 2e-12).all(axis=1)
        multiples[rest[fits]], found[rest[fits]] = whole[fits], True
    divisors = np.gcd.reduce(multiples.astype(np.int64), axis=1)
    return multiples / np.maximum(divisors, 1)[:, None], found


def _flip_lattices(flips: Flips) -> _Lattice | None:
    multiples, found = _multiples(flips.steps, np.sqrt(np.square(flips.steps).sum(axis=1)))
    rows = np.flatnonzero(found)
    if not rows.size:
        return None
    steps = multiples[rows]
    unit = flips.steps[rows].max(axis=1) / steps.max(axis=1)
    total = steps.sum(axis=1)
    at = total - 2.0 * np.rint(0.5 * (total - flips.at[rows] / unit))
    return _Lattice(rows, Flips.of(steps, at), 2.0, at + 2.0)


def _draw_lattice(draws: Draws) -> _Lattice | None:
    low = float(draws.values[0])
    _, _, deviation = draws.tilted(np.zeros(1))
    multiples, found = _multiples((draws.values - low)[None, :], deviation)
    if not found[0]:
        return None
    unit = float(draws.values[-1] - low) / float(multiples[0, -1])
    at = (float(draws.at[0]) - draws.n * low) / unit
    rounding = TIES * draws.n * float((draws.chances * np.abs(draws.values)).sum()) / unit + 1e-9
    sums = Draws(multiples[0], draws.chances, draws.n, np.array([math.ceil(at - rounding)], dtype=np.float64))
    return _Lattice(np.zeros(1, dtype=np.intp), sums, 1.0, np.array([math.floor(at + rounding) + 1.0]))


def _of_lattice(lattice: _Lattice) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Return P(T >= t) and P(T > t) of those rows whose period is short enough, and which these are."""
    theta, log_mgf, period = _tilt(lattice.sums, _EXACT_PERIOD, 9.0)
    halves = np.ceil(0.5 * np.exp2(np.ceil(2.0 * np.log2(period / lattice.gap)) / 2.0)).astype(np.intp)  # few sizes
    halves = np.maximum(halves, 16)
    tail, above = np.zeros(halves.size), np.zeros(halves.size)
    for half in np.unique(halves[halves <= _MOST_LATTICENODES]):
        rows = np.flatnonzero(halves == half)
        sums, tilt = lattice.sums.some(rows), theta[rows]
        spacing = np.full(rows.size, math.pi / (half * lattice.gap))
        phi = sums.nodes(tilt, spacing, int(half) + 1, _EXACT)
        node = np.arange(phi.shape[1])
        exponent = tilt[:, None] + 1j * spacing[:, None] * node
        terms = phi * np.where((node == 0) | (node == half), 1.0, 2.0) / -np.expm1(-lattice.gap * exponent)
        scale = log_mgf[rows] - tilt * sums.at
        beyond = np.exp(-exponent * (lattice.after[rows] - sums.at)[:, None])
        tail[rows] = np.exp(scale) * np.einsum("ij->i", terms.real) / (2.0 * half)
        above[rows] = np.exp(scale) * np.einsum("ij->i", (terms * beyond).real) / (2.0 * half)
    short = np.flatnonzero(halves <= _MOST_LATTICENODES)
    return short, tail[short], above[short]


# ---------------------------------------------------------------------------------------------------------------------
# the majorant


def _tilt(sums: Sums, moved: float, deviations: float) -> tuple[Floats, Floats, Floats]:
    """Return theta with a tilted mean near t, K(theta), and a period that hardly anything leaves.

    Any theta > 0 gives a valid bound, so that a rough root is enough. Beyond the period the tilted sum is at least
    `deviations` away, and exp(-theta x) falls by exp(-moved) over it.
    """
    zero = np.zeros_like(sums.at)
    _, mean, deviation = sums.tilted(zero)
    least = 1.0 / deviation
    theta = np.maximum((sums.at - mean) / np.square(deviation), least)
    for _ in range(60):
        log_mgf, mean, deviation = sums.tilted(theta)
        missing = (sums.at - mean) / deviation
        further = np.clip(theta + missing / deviation, 0.5 * theta, 2.0 * theta)
        step = np.where(
            (np.abs(missing) > 0.2) & ((missing > 0.0) | (theta > least)), np.maximum(further, least), theta
        )
        if (step == theta).all():
            break
        theta = np.where(step < 1e8 * least, step, theta)
    else:
        log_mgf, mean, deviation = sums.tilted(theta)
    beyond = theta + deviations / deviation
    further_mgf, _, _ = sums.tilted(beyond)
    above = (further_mgf - log_mgf + 0.5 * deviations**2) / (beyond - theta) - sums.at  # by Chernoff's inequality
    below = deviations * deviation + np.abs(mean - sums.at)
    return theta, log_mgf, np.maximum(np.maximum(above, below), moved / theta)


def _bounded(sums: Sums, lattice: _Lattice | None, few: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
    """Return an upper bound of P(T >= t), a lower one of P(T > t), and the largest relative excess, for each row."""
    tail, above, error = np.zeros_like(sums.at), np.zeros_like(sums.at), np.zeros_like(sums.at)
    open_rows = np.arange(sums.at.size)
    if lattice is not None:
        short, exact, strict = _of_lattice(lattice)
        done = lattice.rows[short]
        tail[done], above[done] = (_stepped(each, _EXACT_STEPS, np.rint) for each in (exact, strict))
        open_rows = np.delete(open_rows, done)
    if not open_rows.size:
        return tail, above, error
    sums = sums.some(open_rows)
    theta, log_mgf, period = _tilt(sums, _PERIOD, 6.0)
    width, most = np.full(open_rows.size, _WIDTH), np.where(few[open_rows], 1 << 13, _MOSTNODES)
    upper, lower, gaps = np.zeros(open_rows.size), np.zeros(open_rows.size), np.ones(open_rows.size)
    rest = np.arange(open_rows.size)
    while rest.size:
        wanted = width[rest] * theta[rest] * period[rest]
        counts = np.ceil(NODES * np.exp2(np.ceil(2.0 * np.log2(np.maximum(wanted / NODES, 1.0))) / 2.0)).astype(np.intp)
        wider = []
        for count in np.unique(counts):
            rows = rest[counts == count]
            upper[rows], lower[rows] = _quadrature(sums.some(rows), theta[rows], width[rows], int(count))
            gap = np.where(upper[rows] > 0.0, 1.0 - lower[rows] / np.maximum(upper[rows], SMALLEST_P_VALUE), 0.0)
            ties = (gap <= _GAP_OF_TIES) & (gap > 0.9 * gaps[rows])
            settled = (gap <= _LARGEST_GAP) | ties | (2 * count > most[rows])
            gaps[rows] = gap
            width[rows] *= np.clip(1.2 * gap / (0.5 * _LARGEST_GAP), 2.0, 8.0)
            wider.append(rows[~settled])
        rest = np.sort(np.concatenate(wider))
    scale = np.exp(np.minimum(log_mgf - theta * sums.at, 700.0))
    images = np.exp(-theta * period) + 4e-8 * scale
    tail[open_rows] = np.minimum(_stepped(scale * upper, _STEPS, np.ceil), 1.0)
    above[open_rows] = np.maximum(_stepped(scale * lower - images, _STEPS, np.floor), 0.0)
    error[open_rows] = np.ceil(1e4 * gaps / np.maximum(1.0 - gaps, 1e-4) + 1.0) / 1e4
    return tail, above, error


def _quadrature(sums: Sums, theta: Floats, width: Floats, count: int) -> tuple[Floats, Floats]:
    """Return E_theta M(T - t) and the same of the minorant, by the trapezoidal rule on the band of M."""
    phi = sums.nodes(theta, 2.0 * math.pi * width * theta / count, count, FAR)
    x = np.arange(count) / count
    widths, same = np.unique(width, return_inverse=True)
    share, angle = 1.0 / widths[:, None], 2.0 * math.pi * x  # share is theta / delta
    first = np.exp(-share) * np.sin(angle) * 1j  # expm1 of a complex number is much slower
    first.real = 2.0 * np.square(np.sin(0.5 * angle)) - np.expm1(-share) * np.cos(angle)
    first = 1.0 / first
    second = share / np.expm1(share) - share * (first - 1.0)
    transform = (1.0 - x) * first + second / (2j * math.pi)
    transform[:, 0] = first[:, 0].real
    weight = (2.0 - (np.arange(count) == 0)) / count
    left_out = FAR * (np.abs(transform) @ weight)[same]
    transform *= weight
    kept = phi.shape[1]
    transform, squares = transform[same, :kept], ((1.0 - x) * weight)[:kept]
    upper = np.einsum("ij,ij->i", phi, transform).real + left_out
    return upper, upper - np.einsum("ij,j->i", phi.real, squares) - 2.0 * left_out - 2.0 * FAR


def _stepped(values: Floats, steps: int, rounding: Callable[[Floats], Floats]) -> Floats:
    """Round to `_STEPS` steps of a power of two, so that the last bits, which depend on the processor, do not show."""
    mantissas, exponents = np.frexp(values)
    return np.asarray(np.ldexp(rounding(mantissas * steps) / steps, exponents))
