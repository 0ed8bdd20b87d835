"""A table that is read part by part, in threads: of texts that are met again, only codes are kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import chain, islice
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from reportkit.readers.categorical import CodedTexts, KnownTexts, categorical, codes_of, of_parts, small_type
from reportkit.scores.table.cell_index import n_threads

Part = Callable[[], pa.Table]
"""Reads some of the rows."""

Finish = Callable[[str, pa.ChunkedArray], Any]
"""What becomes of a column, by its name."""

_NUMBER = pa.float64()

_A = TypeVar("_A")
_B = TypeVar("_B")


def frame_in_parts(
    parts: Iterator[Part],
    n_first: int,
    n_parts: int,
    texts: Collection[str],
    finish: Finish,
) -> pd.DataFrame:
    """Numbers of eight bytes as they are, texts as categoricals, other columns as they are wanted.

    Parameters
    ----------
    parts : iterator of callable
        Each returns the next rows, with the same columns.
    n_first : int
        Parts from which is learnt which texts are met again.
    n_parts : int
        How many there are, about.
    texts : collection of str
        Columns of texts, plain or as a dictionary, that become categoricals. They need not have been validated.
    finish : callable
        What becomes of any other column, by its name.

    Raises
    ------
    ArrowInvalid
        If texts are not UTF-8, or a part cannot be read.
    """
    first = list(_in_threads(lambda part: part(), islice(parts, n_first)))
    n_rows = int(1.1 * n_parts * sum(table.num_rows for table in first) / len(first))
    known: dict[str, KnownTexts] = {}
    columns: dict[str, Any] = {}
    for name, kind in zip(first[0].column_names, first[0].schema.types, strict=True):
        columns[name] = _Numbers(n_rows) if kind == _NUMBER else []
        if name in texts and pa.types.is_string(kind):
            chunks = [chunk for table in first for chunk in table.column(name).chunks]
            found = KnownTexts(pc.drop_null(pc.unique(pa.chunked_array(chunks))), n_rows)
            if found.recur(sum(map(len, chunks))):
                known[name] = found

    def coded(part: Part) -> dict[str, list[Any]]:
        table = part()
        return {
            name: [_coded(chunk, known.get(name), name in texts) for chunk in table.column(name).chunks]
            for name in table.column_names
        }

    again: Iterator[Part] = (partial(first.pop, 0) for _ in range(len(first)))  # none is kept
    for part in _in_threads(coded, chain(again, parts)):
        for name, pieces in part.items():
            columns[name].extend(pieces)
    series: dict[str, Any] = {}
    for name in [*columns]:
        pieces = columns.pop(name)
        if isinstance(pieces, _Numbers):
            series[name] = pieces.all()
        elif isinstance(pieces[0], CodedTexts):
            series[name] = of_parts(known[name].texts if name in known else pieces[0].texts.slice(0, 0), pieces)
        else:
            column = pa.chunked_array(pieces)
            column.validate(full=True)
            series[name] = categorical(column) if name in texts else finish(name, column)
    return pd.DataFrame(series, copy=False)


class _Numbers:
    """Numbers that are added part by part, so that no part is kept."""

    def __init__(self, size: int) -> None:
        self._values = np.empty(size)  # what is not filled takes no memory
        self._n = 0

    def extend(self, pieces: Iterable[NDArray[np.float64]]) -> None:
        for values in pieces:
            end = self._n + values.size
            if end > self._values.size:
                self._values = np.concatenate([self._values, np.empty(end)])
            self._values[self._n : end] = values
            self._n = end

    def all(self) -> NDArray[np.float64]:
        return self._values[: self._n]


def _coded(values: pa.Array, known: KnownTexts | None, is_text: bool) -> Any:
    if values.type == _NUMBER:
        return values.to_numpy(zero_copy_only=False)
    if is_text and pa.types.is_dictionary(values.type):
        found = CodedTexts(codes_of(values.indices), values.dictionary)
    elif known is not None:
        found = known.code(values)
    else:
        return values
    n_texts = len(found.texts) + (0 if known is None else len(known.texts))
    return CodedTexts(found.codes.astype(small_type(n_texts), copy=False), found.texts)


def _in_threads(work: Callable[[_A], _B], items: Iterable[_A]) -> Iterator[_B]:
    """`work` of each item, in order, while a few more are worked on."""
    waiting: deque[Future[_B]] = deque()
    with ThreadPoolExecutor(n_threads()) as pool:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > n_threads() + 1:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
