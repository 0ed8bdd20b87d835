"""Text columns of Arrow as categoricals of pandas, without a Python object per row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from reportkit.readers.short_texts import ShortTexts, worth_while
from reportkit.scores.table.cell_index import n_threads
from reportkit.scores.table.names import IntegerArray

_A = TypeVar("_A")
_B = TypeVar("_B")

_SAMPLE = 1_500_000
"""Texts looked at first; where ids recur, they hold nearly all of them."""

_MANY = 500_000
"""Texts of which one thread has enough to do."""

_AT_ONCE = 1 << 17
"""Short texts that are looked up at a time."""

_FEW = 30_000
"""Known texts of which a table may be made again and again."""

_RECURRING = 4
"""Texts looked at for each that is known, from which on others are probably known, too."""


def categorical(column: pa.ChunkedArray) -> pd.Categorical:
    """Turn texts into codes and categories; the categories are in no particular order.

    Parameters
    ----------
    column : ChunkedArray of string or of dictionary of string

    Returns
    -------
    Categorical
        Unordered (unless Arrow's dictionary is); a null has no category.
    """
    if pa.types.is_dictionary(column.type):
        unified = column.unify_dictionaries()
        texts = unified.chunk(0).dictionary if unified.num_chunks else pa.array([], type=column.type.value_type)
        codes = _codes([chunk.indices for chunk in unified.chunks], small_type(len(texts)))
        return of_codes(codes, texts, ordered=bool(column.type.ordered))
    known = KnownTexts(pc.drop_null(pc.unique(column.slice(0, _SAMPLE))), len(column))
    return of_parts(known.texts, _in_threads(known.code, list(_parts(column, known))))


def is_text(kind: pa.DataType) -> bool:
    """Whether a column of Arrow holds texts, plain or as a dictionary."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def of_codes(codes: IntegerArray, texts: pa.Array, *, ordered: bool = False) -> pd.Categorical:
    """A categorical of these texts; codes of the type that pandas would choose are not copied."""
    return pd.Categorical.from_codes(codes, categories=pd.Index(texts.to_pandas()), ordered=ordered, validate=False)


def small_type(n_texts: int) -> np.dtype[np.signedinteger]:
    """The smallest type of codes of so many texts, of which one may be -1."""
    return np.min_scalar_type(-n_texts - 2)


@dataclass(frozen=True, slots=True, eq=False)
class CodedTexts:
    """Some texts of a column.

    Parameters
    ----------
    codes : ndarray of int
        Position of each among the known texts followed by `texts`; -1 for a null.
    texts : Array
        Those that were not known, each once.
    """

    codes: IntegerArray
    texts: pa.Array


class KnownTexts:
    """Texts that are probably met again.

    Parameters
    ----------
    texts : Array
        Each once, none null.
    n_rows : int
        How many texts are going to be coded, about.
    """

    def __init__(self, texts: pa.Array, n_rows: int) -> None:
        self.texts = texts
        self.short = ShortTexts(texts) if n_rows >= _MANY and worth_while(texts) else None
        if self.short is not None:
            self._lost = np.flatnonzero(self.short.find(texts) < 0).astype(np.int32)
            self._lost_texts = texts.take(pa.array(self._lost))

    def recur(self, n_looked_at: int) -> bool:
        """Whether it is worth while to look for them in parts: they recur, and no large table is made for each part."""
        few = self.short is not None or len(self.texts) <= _FEW
        return few and len(self.texts) * _RECURRING <= n_looked_at

    def code(self, texts: pa.Array | pa.ChunkedArray) -> CodedTexts:
        """Code texts, known or not."""
        codes = self._find(texts)
        absent = codes < 0
        if np.count_nonzero(absent) == texts.null_count:
            return CodedTexts(codes, self.texts.slice(0, 0))
        rest = texts.filter(pa.array(absent))
        new = pc.drop_null(pc.unique(rest))
        found = _index_in(rest, new)
        codes[absent] = np.where(found < 0, -1, found + len(self.texts))
        return CodedTexts(codes, new)

    def _find(self, texts: pa.Array | pa.ChunkedArray) -> IntegerArray:
        if self.short is None:
            return _index_in(texts, self.texts)
        codes = self.short.find(texts)
        absent = codes < 0
        if self._lost.size and absent.any():
            found = _index_in(texts.filter(pa.array(absent)), self._lost_texts)
            codes[absent] = np.where(found < 0, -1, self._lost[found])
        return codes


def of_parts(known: pa.Array, parts: Sequence[CodedTexts]) -> pd.Categorical:
    """The categorical of all parts of a column, one after the other."""
    found = pa.chunked_array([part.texts for part in parts], type=known.type)
    new = pc.unique(found)
    moved = np.split(_index_in(found, new), np.cumsum([len(part.texts) for part in parts])[:-1])
    texts = pa.concat_arrays([known, new])
    texts.validate(full=True)
    codes = np.empty(sum(part.codes.size for part in parts), dtype=small_type(len(texts)))

    starts = np.cumsum([0, *(part.codes.size for part in parts)])

    def place(number: int) -> None:
        part = parts[number]
        there = codes[starts[number] : starts[number + 1]]
        if np.array_equal(moved[number], np.arange(moved[number].size)):
            there[:] = part.codes
        else:
            places = np.concatenate([np.arange(len(known)), moved[number] + len(known), [-1]]).astype(codes.dtype)
            np.take(places, part.codes, out=there, mode="wrap")

    _in_threads(place, range(len(parts)))
    return of_codes(codes, texts)


def _in_threads(work: Callable[[_A], _B], items: Sequence[_A]) -> list[_B]:
    if len(items) <= 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(n_threads()) as pool:
        return list(pool.map(work, items))


def _parts(column: pa.ChunkedArray, known: KnownTexts) -> Iterator[pa.Array | pa.ChunkedArray]:
    if known.short is not None:
        for chunk in column.chunks:
            yield from (chunk.slice(start, _AT_ONCE) for start in range(0, len(chunk), _AT_ONCE))
    else:  # each part makes a table of the known texts
        size = max(_MANY, -(-len(column) // n_threads()))
        yield from (column.slice(start, size) for start in range(0, len(column), size))


def _index_in(texts: pa.Array | pa.ChunkedArray, known: pa.Array) -> IntegerArray:
    found = pc.index_in(texts, value_set=known)
    return _codes(found.chunks if isinstance(found, pa.ChunkedArray) else [found], np.dtype(np.int32))


def codes_of(indices: pa.Array) -> IntegerArray:
    """Positions in a dictionary; -1 for a null."""
    return np.asarray((indices.fill_null(-1) if indices.null_count else indices).to_numpy())


def _codes(chunks: list[pa.Array], kind: np.dtype[np.signedinteger]) -> IntegerArray:
    codes = np.empty(sum(map(len, chunks)), dtype=kind)
    start = 0
    for chunk in chunks:
        codes[start : start + len(chunk)] = codes_of(chunk)
        start += len(chunk)
    return codes
