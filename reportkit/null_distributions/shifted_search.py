"""The search for the shift at which a tail passes a level, as a generator: it asks for tails, and is told them.

So the tails that many searches ask for at the same time are computed together, and each search goes its own way, which
no other one changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

Floats = NDArray[np.float64]

Search = Generator[tuple[float, bool], float, float]
"""Asks for the tail at a shift, by the whole contour or by its main lobe alone, and returns the shift it looks for."""

_CLOSE = 1e-3  # to the normal quantile of the level: a thousandth of a standard error
_CLOSER = 1e-6
_CORRECTIONS = 4
_FIRST_STEP = 0.05
_TOLERANCE = 1e-9
_SMALLEST = 1e-300


def search(sums: Floats, sizes: Floats, alpha: float, lowest: float, quick: float = math.nan) -> Search:
    """Look for the shift at which a tail passes alpha: by the main lobe alone, then by the whole contour.

    Parameters
    ----------
    sums, sizes : (n,) array
        What is shifted, and what a shift of 1 adds to each.
    alpha : float
        Level, in (0, 1/2).
    lowest : float
        No shift below it is of interest, and none above the mean.
    quick : float
        What the main lobe says, if that is known; else NaN.
    """
    mean = float(sums.sum() / sizes.sum())
    scale = math.sqrt(float(np.square(sums - sizes * mean).sum())) / float(sizes.sum())
    if math.isnan(quick):
        start = _start(sizes, alpha, mean, scale)
        quick = yield from _corrected(start, alpha, scale, _CLOSER, whole=False)
        if math.isnan(quick):
            quick = yield from _root(start, (lowest, mean), alpha, scale, whole=False)
    found = yield from _corrected(quick, alpha, scale, _CLOSE, whole=True)
    if math.isnan(found):
        found = yield from _root(quick, (lowest, mean), alpha, scale, whole=True)
    return found


def answered(one: Search, tail: Callable[[float, bool], float]) -> float:
    """End of one search, given the tails it asks for."""
    return answered_together([one], lambda which, shifts, whole: np.array([tail(float(shifts[0]), whole)]))[0]


def answered_together(
    searches: Sequence[Search], tails: Callable[[NDArray[np.intp], Floats, bool], Floats]
) -> list[float]:
    """Ends of several searches.

    Parameters
    ----------
    searches : sequence of generator
        From `search`.
    tails : callable
        (which searches ask, at which shifts, whether by the whole contour) -> the tails.

    Examples
    --------
    >>> values = np.array([1.0, 2.0, 3.0])
    >>> both = [search(values, np.ones(3), alpha, -10.0) for alpha in (0.1, 0.025)]
    >>> ends = answered_together(both, lambda which, shifts, whole: 1 / (1 + np.exp(2 - shifts)))
    >>> [round(end, 3) for end in ends]  # where the logistic function of (shift - 2) passes the levels
    [-0.197, -1.664]
    """
    ends = [math.nan] * len(searches)
    asked = {index: next(one) for index, one in enumerate(searches)}
    while asked:
        for whole in (False, True):
            which = [index for index, (_, by_whole) in asked.items() if by_whole == whole]
            if not which:
                continue
            found = tails(np.array(which, dtype=np.intp), np.array([asked[index][0] for index in which]), whole)
            for index, p_value in zip(which, found.tolist(), strict=True):
                try:
                    asked[index] = searches[index].send(p_value)
                except StopIteration as stop:
                    ends[index] = stop.value
                    del asked[index]
    return ends


def _corrected(start: float, alpha: float, scale: float, close: float, *, whole: bool) -> Search:
    """A few secant steps from a shift that is almost right; NaN where they do not end."""
    wanted = float(ndtri(alpha))
    point, before = start, None
    for _ in range(_CORRECTIONS):
        p_value = yield point, whole
        if not _SMALLEST < p_value < 0.5:
            return math.nan
        excess = float(ndtri(p_value)) - wanted
        if abs(excess) <= close:
            return point
        slope = 1.0 / scale if before is None else (excess - before[1]) / (point - before[0])
        if not 0.2 < slope * scale < 5.0:
            return math.nan
        before = (point, excess)
        point -= excess / slope
    return math.nan


def _start(sizes: Floats, alpha: float, mean: float, scale: float) -> float:
    """Where the shifted sum is as many of its own standard deviations above 0 as a normal one has at this level."""
    z = -float(ndtri(alpha))
    part = z * z * float(np.square(sizes).sum()) / float(sizes.sum()) ** 2
    return mean - z * scale / math.sqrt(max(1.0 - part, 0.1))


def _root(start: float, limits: tuple[float, float], alpha: float, scale: float, *, whole: bool) -> Search:
    """Find where the tail passes alpha, on the scale of normal quantiles, where it is almost a straight line."""
    wanted = float(ndtri(alpha))

    def excess(shift: float) -> Search:
        p_value = yield shift, whole
        return float(ndtri(min(max(p_value, _SMALLEST), 1.0 - 1e-16))) - wanted

    low = high = min(max(start, limits[0]), limits[1])
    at_low = at_high = yield from excess(low)
    step = _FIRST_STEP * scale
    while at_low > 0 and low > limits[0]:
        (high, at_high), low, step = (low, at_low), max(low - step, limits[0]), 4.0 * step
        at_low = yield from excess(low)
    while at_high <= 0 and high < limits[1]:
        (low, at_low), high, step = (high, at_high), min(high + step, limits[1]), 4.0 * step
        at_high = yield from excess(high)
    if at_low > 0 or at_high <= 0:  # the tail jumps over the level at a limit
        return low if at_low > 0 else high
    return (yield from _between(excess, (low, at_low), (high, at_high), _TOLERANCE * scale))


def _between(
    excess: Callable[[float], Search], first: tuple[float, float], second: tuple[float, float], tolerance: float
) -> Search:
    """Root between two points: inverse quadratic interpolation where that is safe, else halving.

    Chandrupatla (1997), "A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function
    without using derivatives", Advances in Engineering Software 28.
    """
    (b, fb), (a, fa), part = first, second, 0.5
    while True:
        point = a + part * (b - a)
        value = yield from excess(point)
        if (value > 0) == (fa > 0):
            (c, fc), (a, fa) = (a, fa), (point, value)
        else:
            (c, fc), (b, fb), (a, fa) = (b, fb), (a, fa), (point, value)
        best = a if abs(fa) < abs(fb) else b
        limit = 0.5 * tolerance / max(abs(b - a), 1e-300)
        if limit > 0.5 or min(abs(fa), abs(fb)) == 0.0:
            return best
        x, y = (a - b) / (c - b), (fa - fb) / (fc - fb)
        part = 0.5
        if 1.0 - math.sqrt(max(1.0 - x, 0.0)) < y < math.sqrt(max(x, 0.0)):
            part = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        part = min(max(part, limit), 1.0 - limit)
