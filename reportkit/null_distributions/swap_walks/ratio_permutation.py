"""The permutation test of a ratio of sums, exactly: precision, recall, F-beta, accuracy over tokens."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from reportkit.errors import InputError
from reportkit.null_distributions.swap_walks.ratio_boundary import RatioBoundary
from reportkit.null_distributions.swap_walks.swap_walk import Integers, SwapWalk
from reportkit.null_distributions.swap_walks.walk_counting import counted_tail, counting_work
from reportkit.null_distributions.swap_walks.walk_transform import transformed_tail
from reportkit.null_distributions.tail_probability import TailProbability

LARGEST_RELATIVE_ERROR = 1e-6
"""What a bound on the relative error may be unless the caller says otherwise."""

_CHEAP = 3e6
_AFFORDABLE = 3e8
_FINE = 1e-9
_NODE_COST = 64.0  # additions of the one way that cost as much as a node of the other
_LARGEST_SUM = 2**52


def ratio_permutation_tail(
    a: ArrayLike,
    b: ArrayLike,
    *,
    undefined: float | Fraction = 0,
    max_relative_error: float = LARGEST_RELATIVE_ERROR,
    work: float = 1 << 22,
) -> TailProbability | None:
    """Exact permutation test of the difference of two ratios of sums.

    The null hypothesis is that the systems are exchangeable: on each instance, independently of all others, the rows
    of A and B could as well have been exchanged. The statistic is sum u / sum v of A minus that of B.

    Parameters
    ----------
    a, b : (n, 2) array_like of int
        Numerator u and denominator v of each instance, whole numbers, at least 0.
    undefined : float or Fraction
        Value of a ratio whose denominator is 0.
    max_relative_error : float
        Largest guaranteed relative error that is acceptable.
    work : float
        Largest number of places (differences of the numerators times differences of the denominators) considered.

    Returns
    -------
    TailProbability or None
        P(difference >= observed) and P(difference <= observed) over all 2^n swaps, ties counted in both and told
        without rounding; None if `work` or `max_relative_error` do not allow it.

    Raises
    ------
    InputError
        If the numbers are not whole, are negative, or do not pair up.

    Notes
    -----
    Only instances whose rows differ matter, and only how many of them have each difference. Few of them are counted
    out (dynamic programming over the two sums), many transformed with the tilt of the observed difference.

    Examples
    --------
    F1 is the ratio of 2 tp to 2 tp + fp + fn. Three of four documents on which A finds one more right answer:

    >>> a = [[4, 6], [4, 5], [2, 4], [2, 4]]
    >>> b = [[2, 5], [2, 5], [0, 3], [2, 4]]
    >>> tails = ratio_permutation_tail(a, b)
    >>> round(tails.p_greater, 12), tails.p_less, tails.method
    (0.125, 1.0, 'enumeration')
    """
    rows_a, rows_b = _whole("a", a), _whole("b", b)
    if rows_a.shape != rows_b.shape:
        raise InputError(
            f"a has {rows_a.shape[0]:,} rows and b {rows_b.shape[0]:,}",
            remedy="give both systems' rows of the same instances",
        )
    walk = SwapWalk.of(*(rows_a - rows_b).T)
    (u_a, v_a), (u_b, v_b) = (tuple(int(total) for total in rows.sum(axis=0)) for rows in (rows_a, rows_b))
    if not walk.n_moving or v_a + v_b == 0:
        return TailProbability.certain()
    boundary = RatioBoundary.observed((u_a, v_a), (u_b, v_b), Fraction(undefined))
    turned = boundary.delta < 0
    if turned:
        boundary = RatioBoundary.observed((u_b, v_b), (u_a, v_a), Fraction(undefined))
    counting = counting_work(walk)
    within = work if counting > _AFFORDABLE else min(work, counting / _NODE_COST)
    counted_only = counting <= _CHEAP or _without_bound(rows_a, rows_b)
    upper = None if counted_only else transformed_tail(walk, boundary, work=within)
    if (upper is None or upper.relative_error > _FINE) and counting <= _AFFORDABLE:
        upper = counted_tail(walk, boundary)
    if upper is None:
        return None
    tails = TailProbability.from_upper_tail(upper)
    if not tails.relative_error <= max_relative_error:
        return None
    if boundary.delta == 0:  # both tails are the same
        return replace(tails, p_less=tails.p_greater, log_p_less=tails.log_p_greater)
    return tails.swapped() if turned else tails


def _without_bound(rows_a: Integers, rows_b: Integers) -> bool:
    """Whether a swap leaves a system a numerator and no denominator: such places may lie below the parabola."""
    bare = any(bool(((rows[:, 0] > 0) & (rows[:, 1] == 0)).any()) for rows in (rows_a, rows_b))
    return bare and int(np.minimum(rows_a[:, 1], rows_b[:, 1]).sum()) == 0


def _whole(name: str, rows: ArrayLike) -> Integers:
    array = np.asarray(rows, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 2 or not array.shape[0]:
        raise InputError(f"{name} has the shape {array.shape}", remedy="give one numerator and one denominator per row")
    wrong = ~(np.isfinite(array) & (array >= 0) & (array == np.floor(array)))
    if wrong.any():
        row, column = (int(index) for index in np.argwhere(wrong)[0])
        raise InputError(
            f"the {('numerator', 'denominator')[column]} of {name} in row {row} is {array[row, column]:g}",
            remedy="give whole numbers of at least 0; other ratios are compared by random swaps",
        )
    if float(array.sum()) > _LARGEST_SUM:
        raise InputError(f"the sums of {name} are beyond 2^52", remedy="give smaller units")
    return array.astype(np.int64)


__all__ = ["LARGEST_RELATIVE_ERROR", "ratio_permutation_tail"]
