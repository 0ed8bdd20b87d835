"""Pairs of names as one column: a run of a system, a fold of a repetition."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.scores.table.coding import Coded
from reportkit.scores.table.natural_order import natural_order


@dataclass(frozen=True, slots=True, eq=False)
class Crossed:
    """The pairs of two columns that occur.

    Parameters
    ----------
    pairs : Coded
        The pair of each row; the pairs are in the order of the first column, then of the second.
    first, second : ndarray of int of shape (n_pairs,)
        Codes of both columns, by code of the pair.
    """

    pairs: Coded
    first: NDArray[np.int64]
    second: NDArray[np.int64]


def crossed(first: Coded, second: Coded, joint: str) -> Crossed:
    """Take two columns together.

    Parameters
    ----------
    first, second : Coded
        Of the same rows.
    joint : str
        What stands between the two names in that of the pair.

    Examples
    --------
    >>> system = Coded(np.array([0, 0, 1]), np.array(["b", "a"], dtype=object))
    >>> seed = Coded(np.array([1, 0, 0]), np.array(["2", "10"], dtype=object))
    >>> both = crossed(system, seed, ", seed ")
    >>> both.pairs.names.tolist(), both.pairs.codes.tolist()
    (['a, seed 2', 'b, seed 2', 'b, seed 10'], [2, 1, 0])
    """
    rank_first, rank_second = ranks(first), ranks(second)
    keys = rank_first[first.codes] * len(second.names) + rank_second[second.codes]
    present, codes = np.unique(keys, return_inverse=True)
    of_first, of_second = np.divmod(present, len(second.names))
    code_first, code_second = np.argsort(rank_first)[of_first], np.argsort(rank_second)[of_second]
    names = [f"{first.names[a]}{joint}{second.names[b]}" for a, b in zip(code_first, code_second, strict=True)]
    pairs = Coded(codes.astype(np.int64), np.array(names, dtype=object), ordered=True)
    return Crossed(pairs, code_first, code_second)


def ranks(coded: Coded) -> NDArray[np.int64]:
    """Place of each name, by code: in natural order, or in the order that was declared."""
    if coded.ordered:
        return np.arange(len(coded.names))
    place = {name: rank for rank, name in enumerate(natural_order(coded.names))}
    return np.array([place[name] for name in coded.names], dtype=np.int64)
