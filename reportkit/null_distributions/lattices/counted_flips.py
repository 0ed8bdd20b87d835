"""Sign flips of many pairs of systems on a narrow lattice, such as whole test items that few clusters lose or win.

Of n steps, C(s) sets add up to s, and these numbers follow step by step: C(s) of the first k steps is C(s) plus
C(s - a) of the first k - 1. Only sums up to what has to be made up for are followed, in all rows at once. All numbers
are positive whole ones, exact up to 2^53 and rounded at most once for each step beyond: nothing cancels, however small
the tail is. No number of a row depends on the other rows, not even in its last bit.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.lattices.lattice_rows import lattice_rows
from reportkit.null_distributions.step_sums import Floats, blocks
from reportkit.null_distributions.tail_probability import TailProbability, UpperTail

_MOST_STEPS = 1_000  # of which the number of all sets is below the largest double
_LARGEST_SLACK = 1 << 10
_MOST_ADDITIONS = 1 << 17  # for one row: longer takes a transform
_AT_ONCE = 1 << 14  # numbers of sets, so that they stay in the cache
_EPSILON = float(np.finfo(np.float64).eps)


def counted_flip_tails(rows: Floats, max_relative_error: float = 1e-10) -> dict[int, TailProbability]:
    """Exact sign-flip tails of the rows that lie on a lattice of decimal fractions and need few additions.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n)
        Differences of each pair, finite.
    max_relative_error : float
        Not needed: the error is at most 1e-12.

    Returns
    -------
    dict
        By the number of a row; rows that this does not suit are missing.

    Examples
    --------
    >>> rows = np.array([[3.0, 2.0, 1.0, -1.0], [0.1, -0.3, 0.0, 0.0]])
    >>> {row: (round(16 * tail.p_greater, 9), round(16 * tail.p_less, 9))
    ...  for row, tail in counted_flip_tails(rows).items()}
    {0: (3.0, 15.0), 1: (12.0, 8.0)}
    """
    found: dict[int, TailProbability] = {}
    if rows.shape[1] > _MOST_STEPS:
        return found
    index = np.flatnonzero(_may_suit(rows))
    if not index.size:
        return found
    for group in lattice_rows(rows[index]):
        steps = group.counts.sum(axis=1)
        suits = np.flatnonzero((group.slack <= _LARGEST_SLACK) & (steps * (group.slack + 1.0) <= _MOST_ADDITIONS))
        for some in _alike(group.slack[suits], suits):
            within, tie = _sets(group.counts[some], group.slack[some])
            one_size = np.count_nonzero(group.counts[some], axis=1) == 1
            columns = (index[group.rows[some]], within, tie, steps[some], one_size, group.turned[some])
            for row, *counted, alike, turned in zip(*(column.tolist() for column in columns), strict=True):
                found[row] = TailProbability.from_upper_tail(_tail(*counted, one_size=alike), turned=turned)
    return found


def _may_suit(rows: Floats) -> NDArray[np.bool_]:
    """Rows that may need few additions if the step is as large as it can be: the smallest difference."""
    lost, gained = (np.count_nonzero(side, axis=1) for side in (rows < 0.0, rows > 0.0))
    most = np.minimum(_LARGEST_SLACK, _MOST_ADDITIONS / np.maximum(lost + gained, 1)) + 1.0
    suited = (lost + gained > 0) & (np.minimum(lost, gained) <= most)  # each makes up for a step at least
    left = np.flatnonzero(suited)
    for part in blocks((left.size, rows.shape[1])):
        some = left[part]
        magnitudes = np.abs(rows[some])
        smallest = np.where(magnitudes > 0.0, magnitudes, np.inf).min(axis=1)
        slack = 0.5 * (magnitudes.sum(axis=1) - np.abs(rows[some].sum(axis=1)))
        suited[some] = slack <= most[some] * smallest
    return np.asarray(suited)


def _alike(slack: Floats, which: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """Rows in blocks, those together that have as much to make up for."""
    order = which[np.argsort(slack, kind="stable")]
    lengths = np.sort(slack) + 1.0
    some = []
    last = order.size
    while last:  # from the longest rows down: a block is as long as its last row
        first = max(last - max(int(_AT_ONCE / lengths[last - 1]), 1), 0)
        some.append(order[first:last])
        last = first
    return some


def _sets(counts: Floats, slack: Floats) -> tuple[Floats, Floats]:
    """Numbers of sets of steps that add up to at most the slack of each row, and to just as much."""
    places = slack.astype(np.intp)
    length = int(places.max()) + 1
    sets = np.zeros((slack.size, length))
    sets[:, 0] = 1.0
    order = np.arange(slack.size)
    for step in range(1, min(counts.shape[1], length - 1) + 1):
        times = counts[order, step - 1]
        if not times.any():
            continue
        descending = np.argsort(-times, kind="stable")
        sets, order, times = sets[descending], order[descending], times[descending]
        for taken in range(int(times[0])):
            left = int(np.searchsorted(-times, -taken, side="left"))  # rows with more steps of this size
            sets[:left, step:] += sets[:left, :-step]
    tie = np.empty(slack.size)
    within = np.empty(slack.size)
    tie[order] = sets[np.arange(order.size), places[order]]
    within[order] = np.cumsum(sets, axis=1)[np.arange(order.size), places[order]]
    return within, tie


def _tail(within: float, tie: float, n_steps: float, *, one_size: bool) -> UpperTail:
    log_p = math.log(within) - n_steps * math.log(2.0)
    error = _EPSILON * (2.0 + n_steps + abs(log_p))
    return UpperTail(
        log_p=log_p,
        tie=tie / within,
        method="closed form" if one_size else "enumeration",
        relative_error=error,
        expected_error=error,
        tie_error=error,
    )
