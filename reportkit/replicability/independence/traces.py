"""What a dataset leaves behind for the audit of independence: hashes of its ids, clusters and scores.

They are the same in every process, so datasets can be looked at in different places. Those of different things may
coincide by accident: where hashes are equal, the things themselves are looked at.
"""

from __future__ import annotations

import hashlib
import re
import weakref
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from reportkit.scores.shapes.block import Block
from reportkit.significance.resamples import hash64

T = TypeVar("T")

Hashes = NDArray[np.uint64]

_RUNNING_NUMBER = re.compile(r"[+-]?\d{1,7}")
_NUMBERED = re.compile(r"(\d{1,7})\s*[:|#]\s*(\S.*)")
_FEWEST_DISTINCT = 0.9  # a text behind a running number names an instance if so many are distinct
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd: products with it can be undone
_INVERSE = np.uint64(pow(int(_FACTOR), -1, 1 << 64))
_TEXTS_AT_ONCE = 1 << 16
_KEPT = 1 << 16


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Traces:
    """What one dataset leaves behind.

    Parameters
    ----------
    known : bool
        Whether instances are known at all.
    ids : ndarray of uint64
        Hashes of the instances whose names would not recur by chance; empty if they are running numbers.
    clusters : ndarray of uint64
        Likewise of the clusters.
    scores : tuple of (str, str)
        Of each system, a hash of its scores; empty if nothing is known instance by instance.
    runs : tuple of (str, tuple of str)
        Names of the runs of each system.
    """

    known: bool
    ids: Hashes
    clusters: Hashes
    scores: tuple[tuple[str, str], ...]
    runs: tuple[tuple[str, tuple[str, ...]], ...] = ()


class OfLast(Generic[T]):
    """A function of arrays that nobody changes, with its last result.

    The pairs of systems on a large dataset come some at a time, and ask for the same.

    Parameters
    ----------
    make : callable
        From an array to the result.

    Examples
    --------
    >>> import numpy as np
    >>> asked = []
    >>> total = OfLast(lambda array: asked.append(array) or array.sum())
    >>> ones = np.ones(3)
    >>> float(total(ones)), float(total(ones)), len(asked)
    (3.0, 3.0, 1)
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self._last: tuple[weakref.ref[Any], T] | None = None

    def __call__(self, array: Any) -> T:
        """The result, worked out anew if another array was asked for last."""
        last = self._last
        if last is not None and last[0]() is array:
            return last[1]
        found = self._make(array)
        self._last = weakref.ref(array), found
        return found


def traces_of(block: Block) -> Traces:
    """What a dataset leaves behind."""
    return Traces(
        known=block.n_instances > 0,
        ids=_HASHED(block.instance_names),
        clusters=hashes_of(telling(block.cluster_names)),
        scores=_fingerprints(block),
        runs=tuple(block.runs_by_system()),
    )


def suspects(found: Sequence[Traces]) -> list[tuple[int, int]]:
    """Pairs of datasets that share a hash, in order; no other pair has anything in common.

    Examples
    --------
    >>> none = np.empty(0, dtype=np.uint64)
    >>> one, other = (Traces(known=True, ids=hashes_of(ids), clusters=none, scores=()) for ids in ("ab", "bc"))
    >>> suspects([one, other])
    [(0, 1)]
    """
    together = _holders([item.ids for item in found]) | _holders([item.clusters for item in found])
    alike: dict[tuple[tuple[str, str], ...], list[int]] = {}
    for place, item in enumerate(found):
        if item.scores:
            alike.setdefault(item.scores, []).append(place)
    together |= {tuple(places) for places in alike.values()}
    return sorted({(a, b) for places in together for n, a in enumerate(places) for b in places[n + 1 :]})


def telling_ids(names: Iterable[Any]) -> Sequence[str]:
    """Ids of a dataset that would not recur by chance, without running numbers before a text; none if there are none.

    "12:tiger-cat" is "7:tiger-cat" of another selection of the same pairs.
    """
    return telling(_without_numbers([*map(str, names)]))


def telling(names: Sequence[str]) -> Sequence[str]:
    """The names, unless all of them are mere running numbers."""
    return () if all(_RUNNING_NUMBER.fullmatch(name) for name in names) else names


def hashes_of(names: Iterable[str]) -> Hashes:
    """Hashes of texts, sorted, each once; the same in every process and on every machine.

    Notes
    -----
    Of the bytes c_0, c_1, ... of a text in UTF-8: the sum of (c_i + 1) f^i modulo 2^64. All texts are hashed by one
    running sum, of which the part of each is taken out and brought back to the power 0.

    Examples
    --------
    >>> hashes_of(["a", "b", "a"]).size, hashes_of([]).size
    (2, 0)
    """
    listed = list(names)
    return _each_once(
        [_hashes(listed[start : start + _TEXTS_AT_ONCE]) for start in range(0, len(listed), _TEXTS_AT_ONCE)]
    )


def _each_once(hashes: Sequence[Hashes]) -> Hashes:
    """Sorted, which is ten times as fast as the table by which NumPy finds what is unique."""
    if not hashes:
        return np.empty(0, dtype=np.uint64)
    found = np.sort(np.concatenate(hashes))
    differs = np.ones(found.size, dtype=np.bool_)
    np.not_equal(found[1:], found[:-1], out=differs[1:])
    return found[differs]


def _hashes(names: list[str]) -> Hashes:
    try:
        texts = pa.array(names, type=pa.large_string())
    except UnicodeEncodeError:  # lone surrogates, which Arrow cannot hold
        return np.array([hash64(name) for name in names], dtype=np.uint64)
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, dtype=np.int64)[: len(names) + 1]
    letters = np.frombuffer(data, dtype=np.uint8)[: ends[-1]] if data is not None else np.empty(0, dtype=np.uint8)
    powers, undone = _powers(_FACTOR, letters.size + 1), _powers(_INVERSE, letters.size + 1)
    sums = np.zeros(letters.size + 1, dtype=np.uint64)
    np.cumsum((letters.astype(np.uint64) + np.uint64(1)) * powers[:-1], out=sums[1:])
    return np.asarray((sums[ends[1:]] - sums[ends[:-1]]) * undone[ends[:-1]], dtype=np.uint64)


def _powers(base: np.uint64, size: int) -> Hashes:
    """The first powers; those of the texts of a small dataset are kept."""
    if size <= _KEPT:
        return _kept_powers(base)[:size]
    powers = np.full(size, base)
    powers[0] = 1
    return np.multiply.accumulate(powers, out=powers)


@cache
def _kept_powers(base: np.uint64) -> Hashes:
    return np.multiply.accumulate(np.array([1] + [base] * (_KEPT - 1), dtype=np.uint64))


def _holders(hashes: Sequence[Hashes]) -> set[tuple[int, ...]]:
    """Places that hold the same hash, for each hash that several hold, each set of places once."""
    together = np.sort(np.concatenate([*hashes, np.empty(0, dtype=np.uint64)]))
    repeated = np.unique(together[1:][together[1:] == together[:-1]])
    if repeated.size == 0:
        return set()
    hashes = [item[np.isin(item, repeated)] for item in hashes]
    owners = np.repeat(np.arange(len(hashes)), [item.size for item in hashes])
    order = np.argsort(values := np.concatenate(hashes), kind="stable")
    values, owners = values[order], owners[order]
    starts = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1]]))
    sizes = np.diff(np.append(starts, values.size))
    found: set[tuple[int, ...]] = set()
    for size in np.unique(sizes[sizes > 1]):
        rows = owners[starts[sizes == size][:, None] + np.arange(size)]
        found.update(tuple(map(int, row)) for row in np.unique(rows, axis=0))
    return found


def _fingerprints(block: Block) -> tuple[tuple[str, str], ...]:
    """The same for scores that are equal, 0 and -0 being the same; those that are missing play no part."""
    measured = block.measured()
    if measured is None:
        return ()
    return tuple(zip(block.systems, _FINGERPRINTS(measured), strict=True))


def _fingerprint(row: NDArray[np.float64]) -> str:
    return hashlib.blake2b((row[~np.isnan(row)] + 0.0).tobytes(), digest_size=16).hexdigest()


def _without_numbers(names: Sequence[str]) -> Sequence[str]:
    """What stands behind running numbers, if each name is such a number and a text."""
    found = []
    for name in names:
        if (match := _NUMBERED.fullmatch(name)) is None:
            return names
        found.append(match)
    if not names or len({match[1] for match in found}) < len(names):
        return names
    texts = [match[2] for match in found]
    return texts if len(set(texts)) >= _FEWEST_DISTINCT * len(texts) else names


_HASHED = OfLast(lambda names: hashes_of(telling_ids(names)))
"""Hashes of the ids of a dataset."""

_FINGERPRINTS = OfLast(lambda scores: tuple(map(_fingerprint, scores.reshape(len(scores), -1))))
"""Those of the scores of each system."""
