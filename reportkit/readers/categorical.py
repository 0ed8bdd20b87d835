"""Text columns of Arrow as categoricals of pandas, without a Python object per row."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from reportkit.readers.short_texts import ShortTexts, worth_while
from reportkit.scores.table.cell_index import n_threads

_SAMPLE = 1_500_000
"""Texts looked at first; where ids recur, they hold nearly all of them."""

_MANY = 500_000
"""Texts of which one thread has enough to do."""


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
        codes, texts = _from_dictionaries(column)
        ordered = bool(column.type.ordered)
    else:
        codes, texts = _from_texts(column)
        ordered = False
    return pd.Categorical.from_codes(codes, categories=pd.Index(texts.to_pandas()), ordered=ordered, validate=False)


def is_text(kind: pa.DataType) -> bool:
    """Whether a column of Arrow holds texts, plain or as a dictionary."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _from_dictionaries(column: pa.ChunkedArray) -> tuple[NDArray[np.int32], pa.Array]:
    unified = column.unify_dictionaries()
    if unified.num_chunks == 0:
        return np.empty(0, dtype=np.int32), pa.array([], type=column.type.value_type)
    return _codes([chunk.indices for chunk in unified.chunks]), unified.chunk(0).dictionary


def _from_texts(column: pa.ChunkedArray) -> tuple[NDArray[np.int32], pa.Array]:
    known = pc.drop_null(pc.unique(column.slice(0, _SAMPLE)))
    codes = _look_up(column, known)
    absent = codes < 0
    if absent.any():
        rest = column.filter(pa.array(absent))  # take would copy the whole column into one piece first
        new = pc.drop_null(pc.unique(rest))
        found = _look_up(rest, new)
        codes[absent] = np.where(found < 0, -1, found + len(known))
        known = pa.concat_arrays([known, new])
    return codes, known


def _look_up(column: pa.ChunkedArray, known: pa.Array) -> NDArray[np.int32]:
    """Position of each text among the known ones, -1 if it is not there; in threads where there is much to do."""
    if len(column) < _MANY or not worth_while(known):
        return _index_in(column, known)
    with ThreadPoolExecutor(n_threads()) as pool:
        codes = np.concatenate(list(pool.map(ShortTexts(known).find, column.chunks)))
    absent = codes < 0
    if absent.any():
        codes[absent] = _index_in(column.filter(pa.array(absent)), known)
    return codes


def _index_in(column: pa.ChunkedArray, known: pa.Array) -> NDArray[np.int32]:
    n_parts = max(1, min(n_threads(), len(column) // _MANY))
    if n_parts == 1:
        return _codes(pc.index_in(column, value_set=known).chunks)
    bounds = np.linspace(0, len(column), n_parts + 1).astype(int)
    parts = [column.slice(start, stop - start) for start, stop in pairwise(bounds)]
    with ThreadPoolExecutor(n_parts) as pool:  # each part with a table of its own
        found = pool.map(lambda part: pc.index_in(part, value_set=known), parts)
        return np.concatenate([_codes(part.chunks) for part in found])


def _codes(chunks: list[pa.Array]) -> NDArray[np.int32]:
    codes = np.empty(sum(map(len, chunks)), dtype=np.int32)
    start = 0
    for chunk in chunks:
        filled = chunk.fill_null(-1) if chunk.null_count else chunk
        codes[start : start + len(chunk)] = filled.to_numpy()
        start += len(chunk)
    return codes
