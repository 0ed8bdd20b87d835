"""Exact tails of many pairs of systems on the same instances, vectorised over pairs.

Rows whose differences are neither few nor on a lattice have their tilts and the main lobe of their contour computed
together; what one look along the contour decides is decided row by row with the functions of `contour`, so that numbers
and bounds are those of a single pair. Sign flips of most rows are found by `compressed` before. Every row for which all
that is not enough takes the way of a single pair.

No number of a row depends on the other rows, not even in its last bit: a pair is the same alone and among thousands.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from reportkit.errors import InputError
from reportkit.null_distributions.compressed.flip_tails import compressed_flip_tails
from reportkit.null_distributions.compressed.points import periods
from reportkit.null_distributions.contour.contour import (
    MainLobe,
    bounded_by_nodes,
    enough_for_a_look,
    gaps,
    looked,
)
from reportkit.null_distributions.contour.quadrature import Quadrature
from reportkit.null_distributions.contour.returns import SMALLEST_LOOK, look_for_returns
from reportkit.null_distributions.contour.saddle import IMAGE_TARGET, Saddle, find_saddle, solve_saddles
from reportkit.null_distributions.enumeration import few_sized_flip_tails
from reportkit.null_distributions.lattices.counted_flips import counted_flip_tails
from reportkit.null_distributions.lattices.few_valued_draws import few_valued_draw_tails
from reportkit.null_distributions.lattices.lattice_rows import FEW, lattice_flip_tails
from reportkit.null_distributions.null_distribution import LARGEST_RELATIVE_ERROR, bootstrap_tail, flip_tail_by_itself
from reportkit.null_distributions.row_sums import DrawRows, FlipRows, RowSums
from reportkit.null_distributions.step_sums import Floats, Steps, blocks
from reportkit.null_distributions.tail_probability import TailProbability

_BLOCK = 1 << 13  # differences worked on at once, so that they stay in the cache
_NEWTON_STEPS = 12
_MOST_NODES = 64
_NARROW = 1 << 7  # steps that the largest difference has at most, for counts of steps to be less work than points
_FEW_VALUES = 4  # of so many, rows of many test sets are often alike
_KEPT = 1 << 15  # tails of such rows: some hundred bytes each

Batch = Callable[[Floats, float], dict[int, TailProbability]]
"""What finds tails of many sorted rows at once, of those that it suits."""

_KNOWN: dict[tuple[float, bytes, bytes], TailProbability] = {}


def sign_flip_tails(
    differences: ArrayLike, *, max_relative_error: float = LARGEST_RELATIVE_ERROR
) -> list[TailProbability | None]:
    """Exact sign-flip permutation tests of the mean for many pairs of systems.

    Parameters
    ----------
    differences : (n_pairs, n) array_like
        One row of paired differences for each pair, finite.
    max_relative_error : float
        Largest guaranteed relative error that is acceptable.

    Returns
    -------
    list of (TailProbability or None)
        For each row what `sign_flip_tail` gives, within the errors that both state; to the last bit the same whatever
        the other rows are.

    Raises
    ------
    InputError
        If the array is not two-dimensional, is empty, or holds a number that is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> tails = sign_flip_tails(np.array([[1, 1, 1, 0], [1, -1, 1, 0]]))
    >>> [round(tail.p_greater, 12) for tail in tails]
    [0.125, 0.5]
    """
    counts: list[Batch] = [counted_flip_tails, few_sized_flip_tails]
    many = np.ndim(differences) == 2 and np.shape(differences)[1] > FEW
    together = [_narrow_lattices, *counts] if many else [*counts, _narrow_lattices]
    together += [compressed_flip_tails, lattice_flip_tails]
    return _all_rows(differences, max_relative_error, flip_tail_by_itself, FlipRows.of, together)


def _narrow_lattices(rows: Floats, max_relative_error: float) -> dict[int, TailProbability]:
    """Those so few steps wide that counts of the steps are less work than anything else."""
    return lattice_flip_tails(rows, max_relative_error, most=_NARROW)


def bootstrap_tails(
    differences: ArrayLike, *, max_relative_error: float = LARGEST_RELATIVE_ERROR
) -> list[TailProbability | None]:
    """Exact paired bootstrap tests of the mean for many pairs of systems.

    Parameters
    ----------
    differences : (n_pairs, n) array_like
        One row of paired differences for each pair, finite.
    max_relative_error : float
        Largest guaranteed relative error that is acceptable.

    Returns
    -------
    list of (TailProbability or None)
        For each row what `bootstrap_tail` gives, up to rounding; to the last bit the same whatever the other rows are.

    Raises
    ------
    InputError
        If the array is not two-dimensional, is empty, or holds a number that is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> tails = bootstrap_tails(np.array([[1, 1, 1, 0], [1, -1, 1, 0]]))
    >>> [round(tail.p_greater * 4**4) for tail in tails]
    [0, 104]
    """
    return _all_rows(differences, max_relative_error, bootstrap_tail, DrawRows.of, [_few_valued_draws])


def _few_valued_draws(rows: Floats, max_relative_error: float) -> dict[int, TailProbability]:
    """Those of sorted rows of few different values, such as right and wrong: a tail is computed once for all alike."""
    n = rows.shape[1]
    changes = rows[:, 1:] != rows[:, :-1]
    few = np.flatnonzero(np.count_nonzero(changes, axis=1) < _FEW_VALUES)
    row, place = np.nonzero(changes[few])
    starts = np.full((few.size, _FEW_VALUES + 1), n)
    starts[:, 0] = 0
    starts[row, np.arange(1, row.size + 1) - np.searchsorted(row, np.arange(few.size))[row]] = place + 1
    counts = np.diff(starts, axis=1)
    values = rows[few[:, None], np.minimum(starts[:, :-1], n - 1)]
    keys = [
        (max_relative_error, own_values.tobytes(), own_counts.tobytes())
        for own_values, own_counts in zip(values, counts, strict=True)
    ]
    known = {key: _KNOWN.get(key) for key in keys}
    new = np.array([number for number, key in enumerate(keys) if known[key] is None], dtype=np.intp)
    new = new[np.unique(np.column_stack((values, counts))[new], axis=0, return_index=True)[1]]
    together = few_valued_draw_tails(values[new], counts[new])
    for place_of_new, number in enumerate(new.tolist()):
        found = together.get(place_of_new) or bootstrap_tail(
            np.repeat(values[number], counts[number]), max_relative_error=max_relative_error
        )
        known[keys[number]] = found
    if len(_KNOWN) > _KEPT:
        _KNOWN.clear()
    _KNOWN.update({key: tails for key, tails in known.items() if tails is not None})
    tails_of = ((index, known[key]) for index, key in zip(few.tolist(), keys, strict=True))
    return {index: tails for index, tails in tails_of if tails is not None}


def _all_rows(
    differences: ArrayLike,
    max_relative_error: float,
    single: Callable[..., TailProbability | None],
    together: Callable[[Floats], RowSums | None],
    many: Sequence[Batch],
) -> list[TailProbability | None]:
    array = np.asarray(differences, dtype=np.float64)
    if (
        array.ndim != 2
        or not array.size
        or not all((array[part, 1:] >= array[part, :-1]).all() for part in blocks(array.shape))
    ):
        array = np.sort(array, axis=-1)
    if array.ndim != 2 or not array.size:
        raise InputError(
            f"differences have the shape {array.shape}", remedy="pass one row of differences for each pair"
        )
    if not np.isfinite(array[:, [0, -1]]).all():  # what is not finite is at the end of a sorted row
        pair, instance = (int(place[0]) for place in np.nonzero(~np.isfinite(array)))
        raise InputError(
            f"the difference of pair {pair} at position {instance} is {array[pair, instance]}",
            remedy="leave out instances without a finite score in both systems",
        )
    result: list[TailProbability | None] = [None] * array.shape[0]
    for quick in many:
        left = [row for row, tails in enumerate(result) if tails is None]
        rows = array[left] if len(left) < len(array) else array
        for place, tails in quick(rows, max_relative_error).items() if left else ():
            result[left[place]] = tails
    others = np.array([row for row, tails in enumerate(result) if tails is None], dtype=np.intp)
    rows_at_once = max(_BLOCK // array.shape[1], 1)
    for first in range(0, others.size, rows_at_once):
        here = others[first : first + rows_at_once]
        summed = together(array[here])
        found = {} if summed is None else _quick_tails(summed, max_relative_error)
        for place, row in enumerate(here):
            result[row] = found.get(place) or single(array[row], max_relative_error=max_relative_error)
    return result


def _quick_tails(rows: RowSums, max_relative_error: float) -> dict[int, TailProbability]:
    """Tails of those rows for which the main lobe and one look suffice."""
    theta, mean, variance = solve_saddles(rows.tilted_moments, len(rows.problems), _NEWTON_STEPS)
    saddles = _place(rows, theta, mean, variance)
    theta = np.array([saddle.theta for saddle in saddles])
    weights = rows.weights(theta)
    quadratures = [
        Quadrature(problem, saddle, Steps(values, weight), None)
        for problem, saddle, values, weight in zip(rows.problems, saddles, rows.values, weights, strict=True)
    ]
    empty = gaps(quadratures)
    ends = [math.ceil(near / saddle.spacing) for (near, _), saddle in zip(empty, saddles, strict=True)]
    count = min(max(ends) + 1, _MOST_NODES)
    phi = rows.characteristic(theta, np.array([saddle.spacing for saddle in saddles]), count)
    suited = [
        row
        for row, (quadrature, end) in enumerate(zip(quadratures, ends, strict=True))
        if end < count and enough_for_a_look(quadrature) and not bounded_by_nodes(quadrature)
    ]
    found: dict[int, TailProbability] = {}
    for row in suited:
        quadrature, end = quadratures[row], ends[row]
        # only its own nodes, so that sums are rounded the same way whatever the other rows need
        nodes = slice(0, end + 1)
        sums = quadrature.weighted(phi[row : row + 1, nodes], np.arange(end + 1)[None, :], np.full((1, end + 1), 2.0))
        returns = look_for_returns(quadrature.problem, quadrature.steps, SMALLEST_LOOK, None)
        upper = looked(quadrature, returns, main=MainLobe(sums, *empty[row]))
        upper = replace(upper, log_p=upper.log_p - float(rows.never[row]) * math.log(2.0))
        if upper.worst_error <= max_relative_error:
            tails = TailProbability.from_upper_tail(upper)
            found[int(rows.index[row])] = tails.swapped() if rows.turned[row] else tails
    return found


def _place(rows: RowSums, theta: Floats, mean: Floats, variance: Floats) -> list[Saddle]:
    """Periods with negligible images; a row for which they are not found is placed by itself."""
    log_mgf = rows.log_mgf(theta)
    highest = np.array([problem.highest for problem in rows.problems])
    period, images, _, reach = periods(rows, theta, variance, log_mgf, np.zeros(theta.size), highest, variance)
    placed = images < IMAGE_TARGET - np.log1p(theta * np.sqrt(variance))
    return [
        Saddle(
            theta=float(theta[row]),
            mean=float(mean[row]),
            variance=float(variance[row]),
            log_mgf=float(log_mgf[row]),
            period=float(period[row]),
            image_error=math.exp(images[row]),
            subtract_image=bool(reach[row] > theta[row]),
        )
        if placed[row]
        else find_saddle(problem, None)
        for row, problem in enumerate(rows.problems)
    ]
