"""The order of names and ids, which no order of rows can change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_DIGITS = re.compile(r"([0-9]+)")
_WHOLE = r"^(0|-?[1-9][0-9]{0,17})$"


def natural_order(names: Iterable[str]) -> list[str]:
    """Sort names as people do: numbers inside them by value, letters without case.

    Examples
    --------
    >>> natural_order(["bleu10", "bleu2", "BLEU1", "chrF"])
    ['BLEU1', 'bleu2', 'bleu10', 'chrF']
    """
    return sorted(names, key=natural_key)


def natural_key(name: str) -> tuple[tuple[object, ...], str]:
    """Key of `natural_order`: text and numbers in turn, then the name itself so that no two names are equal."""
    parts: list[object] = []
    for position, part in enumerate(_DIGITS.split(name.casefold())):
        if position % 2:
            digits = part.lstrip("0")
            parts.append((len(digits), digits))  # compares as the number does, of any length
        else:
            parts.append(part)
    return tuple(parts), name


def sorted_positions(ids: Sequence[str] | NDArray[np.object_]) -> NDArray[np.int64]:
    """Positions that sort ids: whole numbers first, by value; then all others by code point.

    The order of two ids does not depend on which others there are, so that a selection of datasets or systems keeps it.

    Parameters
    ----------
    ids : sequence of str
        Each once.

    Returns
    -------
    ndarray of int64

    Examples
    --------
    >>> sorted_positions(["10", "q1", "9", "007"]).tolist()
    [2, 0, 3, 1]
    """
    try:
        texts = pa.array(ids, type=pa.string())
    except UnicodeEncodeError:  # lone surrogates, which Arrow cannot hold
        return _sorted_positions_slowly(ids)
    whole = pc.match_substring_regex(texts, _WHOLE)
    n_whole = pc.sum(whole).as_py() or 0
    if n_whole == 0:
        return _positions(texts)
    is_whole = whole.to_numpy(zero_copy_only=False)
    numbers, others = np.flatnonzero(is_whole), np.flatnonzero(~is_whole)
    values = texts.take(pa.array(numbers)).cast(pa.int64())
    numbers = numbers[_positions(values)]
    others = others[_positions(texts.take(pa.array(others)))]
    return np.concatenate([numbers, others])


def _positions(values: pa.Array) -> NDArray[np.int64]:
    return np.asarray(pc.sort_indices(values).to_numpy(), dtype=np.int64)


def _sorted_positions_slowly(ids: Sequence[str] | NDArray[np.object_]) -> NDArray[np.int64]:
    def key(position: int) -> tuple[int, int, str]:
        text = str(ids[position])
        return (0, int(text), "") if re.fullmatch(_WHOLE, text) else (1, 0, text)

    return np.asarray(sorted(range(len(ids)), key=key), dtype=np.int64)
