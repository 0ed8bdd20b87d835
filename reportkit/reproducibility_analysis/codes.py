"""Labels and groups of any type as whole numbers from 0, in the order of their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import InputError
from reportkit.language import counted


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """Names and, for each row, which of them it has.

    Parameters
    ----------
    codes : ndarray of shape (n,)
        Index into `names`.
    names : ndarray
        Distinct values, sorted.
    """

    codes: NDArray[np.intp]
    names: NDArray[Any]


def coded(values: ArrayLike, n: int, what: str) -> Coded:
    """Code n values, none of them missing.

    Parameters
    ----------
    values : array_like of shape (n,)
        Strings, numbers or anything else that can be sorted.
    n : int
        How many there have to be.
    what : str
        Noun for messages, such as "label".

    Raises
    ------
    InputError
        If the number is not n, a value is missing (None or NaN), or values of different types cannot be sorted.

    Examples
    --------
    >>> result = coded(["pos", "neg", "pos"], 3, "label")
    >>> result.codes.tolist(), result.names.tolist()
    ([1, 0, 1], ['neg', 'pos'])
    """
    array = label_array(values)
    if array.ndim != 1 or array.size != n:
        raise InputError(
            f"{what}s have the shape {array.shape}, and there are {counted(n, 'row')}",
            remedy=f"give one {what} for each row",
        )
    missing = _missing(array)
    if missing.any():
        raise InputError(
            f"{counted(int(missing.sum()), f'{what} is', f'{what}s are')} missing",
            where=f"first in row {int(np.flatnonzero(missing)[0]) + 1}",
            remedy=f"give every row a {what}",
        )
    try:
        names, codes = np.unique(array, return_inverse=True)
    except TypeError:
        types = sorted({type(value).__name__ for value in array.tolist()})
        raise InputError(
            f"{what}s are of different types, {' and '.join(types)}, so some may be equal by mistake",
            remedy=f"give all {what}s as strings",
        ) from None
    return Coded(codes.astype(np.intp), names)


def label_array(values: ArrayLike) -> NDArray[Any]:
    """Make an array without turning values of one type into another: [1, "a", nan] stays what it is."""
    return np.asarray(values) if hasattr(values, "dtype") else np.asarray(values, dtype=object)


def coded_together(gold: NDArray[Any], predicted: NDArray[Any]) -> Coded:
    """Code gold labels and predictions, one after the other, with the same codes for the same labels.

    Raises
    ------
    InputError
        As in `coded`; also if some are numbers and others strings.

    Examples
    --------
    >>> coded_together(np.array(["y", "x"]), np.array([["y", "y"], ["z", "x"]])).codes.tolist()
    [1, 0, 1, 1, 2, 0]
    """
    parts = [gold.ravel(), predicted.ravel()]
    if gold.dtype.kind != predicted.dtype.kind:
        parts = [part.astype(object) for part in parts]
    return coded(np.concatenate(parts), gold.size + predicted.size, "label")


def _missing(array: NDArray[Any]) -> NDArray[np.bool_]:
    """Find None, and whatever is not equal to itself (NaN, NaT) or cannot tell (pandas' NA)."""

    def missing(value: object) -> bool:
        try:
            return value is None or bool(value != value)
        except TypeError:
            return True

    return np.array([missing(value) for value in array.tolist()] if array.dtype.kind in "fO" else [], dtype=np.bool_)
