"""Far tails of the bootstrap-t: resamples that are drawn where the tail is, and an upper bound beyond all resamples."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.resamples import clopper_pearson, error_range, hash64, leaves_open

Floats = NDArray[np.float64]

BLOCK = 1 << 21
"""Counts of one byte drawn at a time."""

MOST_COUNTS = 96 * BLOCK
"""Largest product of the numbers of resamples and of units."""

NO_VARIANCE = 1e-12
"""Resamples whose variance is below this part of the mean square hold none."""

_FEWEST_TILTED, MOST_TILTED_DRAWN = 2_048, 16_384
_PLAIN = 1 / 8  # share of resamples drawn with equal chances, so that none weighs too much
_WELL_KNOWN, _UNKNOWN = 0.1, 0.25  # relative errors


class TiltedTail(NamedTuple):
    """A tail, its relative standard error, and the number of resamples it is from."""

    p_value: float
    relative_error: float
    n_resamples: int


def tilted_tail(sums: Floats, t: float, key: tuple[int, ...], plan: ResamplingPlan) -> TiltedTail | None:
    """Estimate P(t* >= t), t > 0, from resamples with unequal chances of the units, under which t is usual.

    Every resample counts with the ratio of its probability under equal chances to that under the mixture it is drawn
    from. None where too few reach t. Importance resampling: Johns (1988), "Importance sampling for bootstrap confidence
    intervals"; the mixture is that of Hesterberg (1995), "Weighted average importance sampling and defensive mixture
    distributions".
    """
    n = sums.size
    if _FEWEST_TILTED * n > MOST_COUNTS:
        return None
    v = sums - sums.mean()
    v = v / float(np.abs(v).max())
    c = t / math.sqrt(n - 1 + t * t) * (1.0 - 1e-9)
    widths = (0.05 * math.sqrt(float(np.square(v).mean()))) ** np.linspace(1.0, 0.0, _COARSE)
    logarithms, tilts = _chernoff(v, np.full(n, 1.0 / n), c, widths, widths, None)
    best = int(np.argmax(logarithms))
    if not math.isfinite(float(logarithms[best])):
        return None
    exponents = float(tilts[best]) * (v - 0.5 * c * (v * v / widths[best] + widths[best]))
    chances = np.exp(exponents - exponents.max()) + 1e-12
    chances /= chances.sum()
    rng = np.random.default_rng(np.random.SeedSequence((*key, n, hash64("tilted"))))
    weights: list[Floats] = []
    stage, drawn, found = _FEWEST_TILTED, 0, None
    at_once = max(8, min(_FEWEST_TILTED, BLOCK // n) // 8 * 8)
    while drawn < MOST_TILTED_DRAWN and (drawn + at_once) * n <= MOST_COUNTS:
        places = np.concatenate((rng.integers(0, n, (at_once // 8, n)), _drawn(rng, chances, at_once - at_once // 8)))
        total, squares = v[places].sum(axis=1), n * np.square(v)[places].sum(axis=1)
        reached = (total > 0) & (total**2 >= c * c * squares) & (total**2 < (1.0 - NO_VARIANCE) * squares)
        log_ratios = np.log(n * chances)[places].sum(axis=1)
        weights.append(reached / (_PLAIN + (1.0 - _PLAIN) * np.exp(np.minimum(log_ratios, 600.0))))
        drawn += at_once
        if drawn >= stage:
            found, stage = _weighed(np.concatenate(weights)), 2 * stage
            known = found is not None and found.relative_error <= _WELL_KNOWN
            if found is not None and known and not leaves_open(found.p_value, found.relative_error, plan.thresholds):
                break
    return found


def _drawn(rng: np.random.Generator, chances: Floats, n_rows: int) -> NDArray[np.int64]:
    """Draw rows of n units with unequal chances, the same as `rng.choice` does, which searches each of them."""
    size = 16 << chances.size.bit_length()  # a power of 2, so that the place in the table is exact
    edges = chances.cumsum() / chances.cumsum()[-1]
    uniform = rng.random(n_rows * chances.size)
    units = edges.searchsorted(np.arange(size) / size, side="right")[(uniform * size).astype(np.int64)]
    behind = np.flatnonzero(edges[units] <= uniform)
    while behind.size:
        units[behind] += 1
        behind = behind[edges[units[behind]] <= uniform[behind]]
    return np.asarray(units.reshape(n_rows, chances.size))


def _weighed(weights: Floats) -> TiltedTail | None:
    mean, hits = float(weights.mean()), int(np.count_nonzero(weights))
    error = float(weights.std()) / math.sqrt(weights.size) / mean if mean else math.inf
    if hits < 64 or error > _UNKNOWN:
        return None
    return TiltedTail(min(mean * (1.0 + 1.0 / hits), 1.0), error, weights.size)


def agree(tilted: TiltedTail, count: int, n_valid: int) -> bool:
    """Return whether plain resamples agree with the tilted ones."""
    low, high = error_range(tilted.p_value, tilted.relative_error)
    least, most = clopper_pearson(count, n_valid)
    return high >= least and low <= most


_COARSE, _MOST_FINE = 24, 64  # cells of the standard deviation
_NEGLIGIBLE = 10.0  # cells whose logarithm is so far below the largest one are not refined
_MOST_TILTED = 1e12


def tail_bound(sums: Floats, t: float) -> float:
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
    Shao (1997), "Self-normalized large deviations", section 2.

    Examples
    --------
    >>> values = np.random.default_rng(1).normal(size=200)
    >>> 6e-7 < tail_bound(values, 5.0) < 6e-4  # of the t-distribution it is 6e-7
    True
    """
    v = sums - sums.mean()
    largest = float(np.abs(v).max())
    if not t > 0 or largest == 0:
        return 1.0
    values, counts = np.unique(v / largest, return_counts=True)
    n, shares = v.size, counts / v.size
    c = t / math.sqrt(n - 1 + t * t)
    deviation = math.sqrt(float(shares @ values**2))
    low = min(0.1 * deviation, float(np.abs(values[values != 0]).min()) / math.sqrt(n))
    edges = np.append(0.0, max(low, 0.02 * deviation) ** np.linspace(1.0, 0.0, _COARSE))
    coarse, tilts = _chernoff(values, shares, c, edges[:-1], edges[1:], None)
    close = np.flatnonzero(n * coarse > n * coarse.max() - _NEGLIGIBLE)
    fine = min(_MOST_FINE, 1 + int(0.15 * n * c * c))  # narrow cells: tighter each, but more of them to add up
    inner = np.linspace(edges[close], edges[close + 1], fine + 1)
    finer, _ = _chernoff(values, shares, c, inner[:-1].ravel(), inner[1:].ravel(), np.tile(tilts[close], fine))
    return min(1.0, float(np.exp(np.delete(n * coarse, close)).sum() + np.exp(n * finer).sum()))


def _chernoff(
    values: Floats, shares: Floats, c: float, lower: Floats, upper: Floats, tilts: Floats | None
) -> tuple[Floats, Floats]:
    """Return, for each cell, the minimum over h >= 0 of log mean exp(h x), x = v - c / 2 (v^2 / upper + lower), and h.

    Every h gives a bound, so that Newton's steps need not have converged.
    """
    x = values - 0.5 * c * (values**2 / upper[:, None] + lower[:, None])
    scale = np.abs(x).max(axis=1)
    x = x / scale[:, None]
    highest = x.max(axis=1)
    if tilts is None:
        tilts = c * lower / np.maximum(shares @ values**2, 1e-200)
    h = np.clip(tilts * scale, 1e-3, _MOST_TILTED)
    below = x - highest[:, None]
    best = np.where(highest < 0, -np.inf, 0.0)  # out of reach, whatever h is
    for _ in range(40):
        tilted = np.exp(h[:, None] * below) * shares
        mass = tilted.sum(axis=1)
        best = np.minimum(best, h * highest + np.log(mass))
        moments = tilted * x
        mean = moments.sum(axis=1) / mass
        variance = (moments * x).sum(axis=1) / mass - mean * mean
        step = np.clip(-mean / np.maximum(variance, 1e-200), -1.0 - 0.5 * h, 1.0 + 3.0 * h)
        h, before = np.clip(h + step, 0.0, _MOST_TILTED), h
        if (np.abs(h - before) <= 1e-12 * before).all():
            break
    return best, h / scale
