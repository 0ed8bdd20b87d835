"""Text columns of Arrow as categoricals of pandas, without a Python object per row."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

MEMORY = pa.system_memory_pool()
"""Arrow's own pool gives memory back and takes it again: twice the system time when millions of rows are read."""

_SAMPLE = 1_500_000
"""Texts looked at first; where ids recur, they hold nearly all of them."""


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
    unified = column.unify_dictionaries(memory_pool=MEMORY)
    if unified.num_chunks == 0:
        return np.empty(0, dtype=np.int32), pa.array([], type=column.type.value_type)
    return _codes([chunk.indices for chunk in unified.chunks]), unified.chunk(0).dictionary


def _from_texts(column: pa.ChunkedArray) -> tuple[NDArray[np.int32], pa.Array]:
    known = pc.drop_null(pc.unique(column.slice(0, _SAMPLE), memory_pool=MEMORY))
    codes = _look_up(column, known)
    unknown = np.flatnonzero(codes < 0)
    if unknown.size:
        rest = column.take(pa.array(unknown))
        new = pc.drop_null(pc.unique(rest))
        found = _look_up(rest, new)
        codes[unknown] = np.where(found < 0, -1, found + len(known))
        known = pa.concat_arrays([known, new])
    return codes, known


def _look_up(column: pa.ChunkedArray, known: pa.Array) -> NDArray[np.int32]:
    """Position of each text among the known ones, -1 if it is not there; in threads, each with a table of its own."""
    n_parts = max(1, min(4, os.cpu_count() or 1, len(column) // 500_000))
    bounds = np.linspace(0, len(column), n_parts + 1).astype(int)
    parts = [column.slice(start, stop - start) for start, stop in pairwise(bounds)]

    def look_up(part: pa.ChunkedArray) -> pa.ChunkedArray:
        return pc.index_in(part, value_set=known, memory_pool=MEMORY)

    if n_parts == 1:
        return _codes(look_up(parts[0]).chunks)
    with ThreadPoolExecutor(n_parts) as pool:
        return np.concatenate([_codes(found.chunks) for found in pool.map(look_up, parts)])


def _codes(chunks: list[pa.Array]) -> NDArray[np.int32]:
    codes = np.empty(sum(map(len, chunks)), dtype=np.int32)
    start = 0
    for chunk in chunks:
        filled = chunk.fill_null(-1) if chunk.null_count else chunk
        codes[start : start + len(chunk)] = filled.to_numpy()
        start += len(chunk)
    return codes
