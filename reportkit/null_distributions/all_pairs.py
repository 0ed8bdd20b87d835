"""Exact tails of many pairs of systems on the same instances, vectorised over pairs.

Sign flips of most rows are found by `compressed`, rows of few values or on narrow lattices by counting. Every row for
which that is not enough takes the way of a single pair.

No number of a row depends on the other rows, not even in its last bit: a pair is the same alone and among thousands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from reportkit.errors import InputError
from reportkit.null_distributions.compressed.flip_tails import compressed_flip_tails
from reportkit.null_distributions.enumeration import few_sized_flip_tails
from reportkit.null_distributions.lattices.counted_flips import counted_flip_tails
from reportkit.null_distributions.lattices.few_valued_draws import few_valued_draw_tails
from reportkit.null_distributions.lattices.lattice_rows import FEW, lattice_flip_tails
from reportkit.null_distributions.null_distribution import LARGEST_RELATIVE_ERROR, bootstrap_tail, flip_tail_by_itself
from reportkit.null_distributions.step_sums import Floats, blocks
from reportkit.null_distributions.tail_probability import TailProbability

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
    return _all_rows(differences, max_relative_error, flip_tail_by_itself, together)


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
    return _all_rows(differences, max_relative_error, bootstrap_tail, [_few_valued_draws])


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
    return [
        single(row, max_relative_error=max_relative_error) if tails is None else tails
        for row, tails in zip(array, result, strict=True)
    ]
