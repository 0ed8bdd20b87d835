"""Exact tails of the walk of two sums by adding up the probabilities of all places: positive numbers only."""

from __future__ import annotations

import math

import numpy as np

from reportkit.null_distributions.step_sums import Floats
from reportkit.null_distributions.swap_walks.ratio_boundary import RatioBoundary
from reportkit.null_distributions.swap_walks.swap_walk import SwapWalk
from reportkit.null_distributions.tail_probability import TailMethod, UpperTail

_METHOD: TailMethod = "enumeration"
_MOST_MOVING = 900  # 2^-900 is still a float with all its digits


def counting_work(walk: SwapWalk) -> float:
    """Number of additions that `counted_tail` needs; infinite where probabilities would underflow."""
    if walk.n_moving > _MOST_MOVING:
        return math.inf
    height, width, work = 1, 1, 0.0
    for m, j, l in _by_size(walk):  # noqa: E741
        height, width = height + m * j, width + m * abs(l)
        work += (m + 1.0) * height * width
    return work


def counted_tail(walk: SwapWalk, boundary: RatioBoundary) -> UpperTail:
    """P(difference of ratios >= delta), over all places that the walk can reach.

    Parameters
    ----------
    walk : SwapWalk
        With at most 900 instances that differ.
    boundary : RatioBoundary
        The set whose probability is asked for; not empty.

    Examples
    --------
    Three differences in the numerator, the denominator fixed: all signs have to stay.

    >>> walk = SwapWalk.of(np.array([1, 1, 1]), np.array([0, 0, 0]))
    >>> boundary = RatioBoundary.observed((4, 10), (1, 10), 0)
    >>> round(math.exp(counted_tail(walk, boundary).log_p), 12)
    0.125
    """
    masses: Floats = np.ones((1, 1))
    for m, j, l in _by_size(walk):  # noqa: E741
        masses = _with_kind(masses, m, j, l)
    (lowest_j, _), (lowest_l, highest_l) = walk.extents()
    most, ties = boundary.most_turned(walk, np.arange(lowest_l, highest_l + 1))
    last = most - lowest_j
    within = masses[np.arange(masses.shape[0])[:, None] <= last]
    p = float(within.sum())
    tied = ties & (last >= 0) & (last < masses.shape[0])
    tie = float(masses[last[tied], np.flatnonzero(tied)].sum())
    roundings = float((walk.multiplicities + 3).sum()) + 40.0
    error = 2.0**-53 * roundings
    return UpperTail(
        log_p=math.log(min(p, 1.0)),
        tie=min(tie / p, 1.0),
        method=_METHOD,
        relative_error=error,
        expected_error=error,
        tie_error=2.0 * error,
    )


def _by_size(walk: SwapWalk) -> list[tuple[int, int, int]]:
    """Kinds of differences, those that reach least far first, so that the table grows late."""
    kinds = zip(walk.multiplicities.tolist(), walk.j.tolist(), walk.l.tolist(), strict=True)
    return sorted(kinds, key=lambda kind: (kind[0] * (abs(kind[1]) + abs(kind[2])), kind))


def _with_kind(masses: Floats, m: int, j: int, l: int) -> Floats:  # noqa: E741
    """Add m instances with the difference (j, l), j >= 0; row and column 0 stay the smallest J and L."""
    height, width = masses.shape
    grown = np.zeros((height + m * j, width + m * abs(l)))
    total = 1 << m
    for turned in range(m + 1):
        right = turned * l if l >= 0 else (turned - m) * l
        grown[turned * j : turned * j + height, right : right + width] += masses * (math.comb(m, turned) / total)
    return grown
