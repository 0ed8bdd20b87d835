"""Upper bound on far tails of the bootstrap distribution of Student's t, beyond what random resamples can show."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_COARSE = 24
_MOST_FINE = 64
_NEWTON_STEPS = 40
_CLOSE, _SHORT = 1e-3, 0.1
"""No further Newton step is made where it would lower a bound by less than this part of it, and is a short one."""

_MOST_TILTED = 1e12
_NO_VARIANCE = 1e-200
_NO_SPREAD = 1e-12  # far above rounding: a larger one only raises the bound
_NARROW = 0.1
"""Variance of the values drawn, relative to their squared mean, below which cells of the mean are tighter."""

_ROUNDING = 1e-9

_NEGLIGIBLE = 10.0
"""Cells whose logarithm is so far below the largest one are not refined; twice as far, they are not even followed."""


def studentized_tail_bound(sums: NDArray[np.float64], t: float) -> float:
    """Bound the probability that Student's t of n values drawn with replacement, recentred, reaches t > 0.

    Parameters
    ----------
    sums : ndarray of shape (n,)
        Values that are resampled; they need not have mean 0.
    t : float
        Threshold; of a t at or below 0 nothing is known, and the bound is 1.

    Returns
    -------
    float
        At most 1, never below the probability for infinitely many resamples; above it by a factor of about 100.

    Notes
    -----
    With v = d - mean(d), t* >= t exactly if U >= c sqrt(V) for U = mean(v*), V = mean(v*^2) and
    c = t / sqrt(n - 1 + t^2). As sqrt(V) = min over b of (V / b + b) / 2, the event lies in the union, over cells
    [b_k, b_k+1] that cover all values of sqrt(V), of sum v* - c / 2 (v*^2 / b_k+1 + b_k) >= 0; each is a sum of n
    independent terms, whose tail has Chernoff's bound. The idea is that of large deviations of self-normalised sums:
    Shao (1997), "Self-normalized large deviations", section 2. A very large t needs values that hardly differ, and very
    narrow cells. There they are cells a - d <= U <= a + d instead: t* >= t says that V - U^2 <= U^2 (n - 1) / t^2, so
    that sum (v* - a)^2 <= n (d^2 + (a + d)^2 (n - 1) / t^2).

    Examples
    --------
    >>> values = np.random.default_rng(1).normal(size=200)
    >>> 6e-7 < studentized_tail_bound(values, 5.0) < 6e-4  # of the t-distribution it is 6e-7
    True
    """
    v = sums - sums.mean()
    largest = float(np.abs(v).max())
    if not t > 0 or largest == 0:
        return 1.0
    values, counts = np.unique(v / largest, return_counts=True)
    shares = counts / v.size
    c = t / math.sqrt(v.size - 1 + t * t)
    deviation = math.sqrt(float(shares @ values**2))
    low = min(0.1 * deviation, float(np.abs(values[values != 0]).min()) / math.sqrt(v.size))
    edges = np.append(0.0, max(low, 0.02 * deviation) ** np.linspace(1.0, 0.0, _COARSE))
    spread = max((v.size - 1) / (t * t), _NO_SPREAD)
    of_means = spread < _NARROW
    if of_means:
        edges *= values[-1]
    coarse = chernoff(values, shares, c, *_cells(edges[:-1], edges[1:], c, spread, of_means), v.size)
    logarithms = v.size * coarse.logarithms
    fine = min(_MOST_FINE, 1 + int(0.15 * v.size * c * c))  # narrow cells: tighter each, but more of them to add up
    close = np.flatnonzero(logarithms > logarithms.max() - _NEGLIGIBLE)
    total = float(np.exp(np.delete(logarithms, close)).sum())
    inner = np.linspace(edges[close], edges[close + 1], fine + 1)
    tilts = np.tile(coarse.tilts[close], fine)
    cells = _cells(inner[:-1].ravel(), inner[1:].ravel(), c, spread, of_means)
    finer = chernoff(values, shares, c, *cells, v.size, tilts)
    total += float(np.exp(v.size * finer.logarithms).sum())
    return min(1.0, total, _bound_of_alike(values, shares, v.size, t))


def _cells(
    lower: NDArray[np.float64], upper: NDArray[np.float64], c: float, spread: float, of_means: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What `chernoff` takes as the edges of cells of sqrt(V), or of U; `spread` is (n - 1) / t^2."""
    if not of_means:
        return lower, upper
    a, d = 0.5 * (lower + upper), 0.5 * (upper - lower)
    return (a * a - d * d - spread * upper * upper) / (c * a), c * a


def _bound_of_alike(values: NDArray[np.float64], shares: NDArray[np.float64], n: int, t: float) -> float:
    """Bound for a t so large that nearly all values drawn have to be alike: where all losses are rare, and small gains.

    t* >= t says that the variance of the values drawn is at most r^2 U^2, r^2 = (n - 1) / t^2. All but e of them are
    then within w U of U, w = r sqrt(n / (e + 1)) (Chebyshev), so between the smallest of these and (1 + w) / (1 - w)
    times that. How many are drawn from such a range is binomial; all values are tried as its lower end, and some e.
    """
    radius = math.sqrt(n - 1) / t
    first = int(np.searchsorted(values, 0.0, side="right"))
    cumulated = np.append(0.0, np.cumsum(shares))
    best, outside = 1.0, 0
    while outside <= n // 2 and first < values.size:
        width = radius * math.sqrt(n / (outside + 1)) * (1.0 + _ROUNDING)
        if width < 1.0:
            highest = values[first:] * ((1.0 + width) / (1.0 - width) * (1.0 + _ROUNDING))
            inside = cumulated[np.searchsorted(values, highest, side="right")] - cumulated[first:-1]
            within = (n - outside) / n
            with np.errstate(divide="ignore", invalid="ignore"):
                logarithms = within * np.log(inside / within)
                if outside:
                    logarithms += (1.0 - within) * np.log((1.0 - inside) / (1.0 - within))
            logarithms = np.where(inside < within, logarithms, 0.0)
            best = min(best, float(np.exp(n * logarithms).sum()))
        outside = 2 * outside + 1
    return best


class Chernoff(NamedTuple):
    """Logarithms of bounds, and the tilts h that they are from."""

    logarithms: NDArray[np.float64]
    tilts: NDArray[np.float64]


def chernoff(
    values: NDArray[np.float64],
    shares: NDArray[np.float64],
    c: float,
    lower: NDArray[np.float64],
    upper: NDArray[np.float64],
    n: int,
    tilts: NDArray[np.float64] | None = None,
) -> Chernoff:
    """Per cell, the minimum over h >= 0 of log mean exp(h x), x = v - c / 2 (v^2 / upper edge + lower edge).

    Newton's method in h from the tilts that are given, or those of a normal x, cell by cell; wherever it stops, the
    value is a bound, as every h gives one. Of n draws, a cell whose bound is far below that of another one is not
    followed further.
    """
    x = values - 0.5 * c * (values**2 / upper[:, None] + lower[:, None])
    highest, scale = x.max(axis=1), np.abs(x).max(axis=1)
    if tilts is None:
        second, third, fourth = (float((shares * values**power).sum()) for power in (2, 3, 4))
        a = c / upper
        variances = second - a * third + 0.25 * a * a * (fourth - second * second)
        tilts = 0.5 * (a * second + c * lower) / np.maximum(variances, _NO_VARIANCE)
    h = np.clip(tilts * scale, 0.0, _MOST_TILTED)
    best = np.where(highest < 0, -np.inf, 0.0)  # out of reach, whatever the tilt is
    moving = np.flatnonzero(best == 0.0)
    highest = (highest / scale)[moving]
    below = x[moving] / scale[moving, None] - highest[:, None]
    finished = -np.inf
    for _ in range(_NEWTON_STEPS):
        before = h[moving]
        tilted = np.exp(before[:, None] * below)
        tilted *= shares
        mass = tilted.sum(axis=1)
        found = best[moving] = np.minimum(best[moving], before * highest + np.log(mass))
        tilted *= below
        first = tilted.sum(axis=1) / mass
        mean, variance = highest + first, np.einsum("ij,ij->i", tilted, below) / mass - first * first
        step = np.clip(-mean / np.maximum(variance, _NO_VARIANCE), -1.0 - 0.5 * before, 1.0 + 3.0 * before)
        h[moving] = np.clip(before + step, 0.0, _MOST_TILTED)
        step = np.abs(h[moving] - before)
        going = (0.5 * n * np.abs(mean) * step > _CLOSE) | (step > _SHORT * h[moving])
        finished = found[~going].max(initial=finished)
        going &= found >= finished - 2.0 * _NEGLIGIBLE / n
        if not going.any():
            break
        if not going.all():
            moving, highest, below = moving[going], highest[going], below[going]
    return Chernoff(best, h / scale)
