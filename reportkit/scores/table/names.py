"""Names and ids of a column: which of them each row has, as whole numbers, and the order that they stand in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from reportkit.errors import InputError
from reportkit.language.counts_and_lists import counted
from reportkit.scores.table.row_numbers import names_text, rows_text, share

_EXACT = {"float32": 2**24, "float": 2**24, "float16": 2**11, "halffloat": 2**11}
"""From where different whole numbers are the same short float, by the name of the column's type; 2^53 for others."""

_ROWS_AT_ONCE = 1 << 18

_HALF = re.compile("[\ud800-\udfff]")

IntegerArray = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column of names.

    Parameters
    ----------
    codes : ndarray of int of shape (n_rows,)
        Position in `names`.
    names : ndarray of str of shape (n_names,)
        Each once; some may occur in no row.
    ordered : bool
        Whether the order of the names was declared, by an ordered categorical.
    """

    codes: IntegerArray
    names: NDArray[np.object_]
    ordered: bool = False

    def __getitem__(self, rows: Any) -> Coded:
        return Coded(self.codes[rows], self.names, self.ordered)

    def counts(self, rows: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """Number of rows of each name, or of some rows."""
        found = np.zeros(len(self.names), dtype=np.int64)
        for start in range(0, len(self.codes), _ROWS_AT_ONCE):  # each as wide integers in between
            codes = self.codes[start : start + _ROWS_AT_ONCE]
            some = codes if rows is None else codes[rows[start : start + _ROWS_AT_ONCE]]
            found += np.bincount(some, minlength=found.size)
        return found

    def present(self) -> IntegerArray:
        """Codes of the names that occur in a row."""
        seen = np.zeros(len(self.names), dtype=bool)
        for start in range(0, len(self.codes), _ROWS_AT_ONCE):
            seen[self.codes[start : start + _ROWS_AT_ONCE]] = True
            if seen.all():
                break
        return np.flatnonzero(seen)


def code_column(series: pd.Series[Any], role: str, *, source: str) -> Coded:
    """Turn the names of systems, datasets, instances, ... into codes.

    All names are texts: 1 and 1.0 are read as "1", and "007" stays as it is.

    Parameters
    ----------
    series : Series
        Of any type: text, whole numbers, categorical, or a mixture.
    role : str
        For messages.
    source : str
        Name of the file or "DataFrame", for messages.

    Raises
    ------
    InputError
        If a row has no name, if the number 1 and the text "1" occur in one column, if names are floating-point
        numbers so large that different whole numbers have become the same, or if a name holds half a character.
    """
    codes, uniques, ordered = _codes(series, role)
    names = _names(uniques, series, role)
    refuse_half_characters(names, f"{role}s", f"column {series.name!r}")
    blank = np.array([not name or name.isspace() for name in names.tolist()], dtype=bool)
    if blank.any() or codes.min(initial=0) < 0:  # mostly, no array of all rows is made
        rows = np.flatnonzero((codes < 0) | (blank[codes] if blank.size else True))
    else:
        rows = np.empty(0, dtype=np.int64)
    if rows.size:
        raise InputError(
            share(rows.size, len(series), f"rows has no {role}", f"rows have no {role}")
            + f": column {series.name!r} is empty there",
            where=rows_text(rows, source),
            remedy=f"write the {role} in every row, or remove these rows",
        )
    return Coded(codes, names, ordered)


def _codes(series: pd.Series[Any], role: str) -> tuple[IntegerArray, Sequence[Any] | NDArray[Any], bool]:
    if isinstance(series.dtype, pd.CategoricalDtype):
        held: pd.Categorical = series.array  # the accessor series.cat would copy the codes
        return held.codes, held.categories.to_numpy(dtype=object), bool(held.ordered)
    if pd.api.types.is_integer_dtype(series.dtype) and not series.hasnans:
        return (*_integer_codes(series.to_numpy()), False)
    inferred = pd.api.types.infer_dtype(series, skipna=True)
    if inferred in ("string", "empty") or series.dtype.kind in "iufMm":
        codes, uniques = pd.factorize(series.array, use_na_sentinel=True)  # no index of all names is made
        return np.asarray(codes, dtype=np.int64), np.asarray(uniques, dtype=object), False
    return (*_mixed_codes(series, role), False)


def _integer_codes(values: NDArray[Any]) -> tuple[IntegerArray, NDArray[Any]]:
    low, high = int(values.min()), int(values.max())
    if high - low <= 4 * values.size + 1000:  # dense: no hashing needed
        wide = values.astype(np.uint64 if values.dtype.kind == "u" else np.int64, copy=False)
        least = wide.min()  # of the same type, which reaches where the other one does not
        return (wide - least).astype(np.int64, copy=False), np.arange(high - low + 1).astype(wide.dtype) + least
    codes, uniques = pd.factorize(values)
    return codes, uniques


def _mixed_codes(series: pd.Series[Any], role: str) -> tuple[IntegerArray, NDArray[Any]]:
    """Codes of a column of several types; hashing the values would take 1, 1.0 and True for the same."""
    values = series.to_numpy(dtype=object)
    absent = pd.isna(values)
    _refuse_rounded(values[~absent], series, role)
    _refuse_two_spellings(values[~absent], series.name, role)
    texts = np.array([None if gone else _text(value) for value, gone in zip(values, absent, strict=True)], dtype=object)
    codes, uniques = pd.factorize(texts, use_na_sentinel=True)
    return codes, uniques


def _names(uniques: Sequence[Any] | NDArray[Any], series: pd.Series[Any], role: str) -> NDArray[np.object_]:
    names = np.empty(len(uniques), dtype=object)
    if isinstance(uniques, np.ndarray) and uniques.dtype.kind in "iu":
        names[:] = [str(value) for value in uniques.tolist()]
        return names
    if not set(map(type, uniques)) <= {str}:
        _refuse_rounded(uniques, series, role)
        _refuse_two_spellings(uniques, series.name, role)
        names[:] = [_text(value) for value in uniques]
    else:
        names[:] = uniques
    return names


def _text(value: object) -> str:
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def refuse_half_characters(names: Iterable[str], what: str, where: str) -> None:
    """Refuse names with one half of a character that UTF-16 writes in two, which no file in UTF-8 can hold.

    Raises
    ------
    InputError
        With the first few.
    """
    names = [*names]
    if "".join(names).isascii():
        return
    wrong = [name for name in names if not name.isascii() and _HALF.search(name)]
    if wrong:
        raise InputError(
            f"names of {what} hold half a character (a lone surrogate), which cannot be written",
            where=f"{where}: {names_text(wrong)}",
            remedy="write the names anew; in JSON, a character beyond \\uffff has two codes, as in \\ud83d\\ude00",
        )


def _refuse_rounded(values: Iterable[Any], series: pd.Series[Any], role: str) -> None:
    """Refuse floating-point numbers so large that not every whole number is one of them."""
    limit = _EXACT.get(str(series.dtype).partition("[")[0].casefold(), 2**53)
    floats = (float(value) for value in values if isinstance(value, float | np.floating))
    rounded = [value for value in floats if abs(value) >= limit]
    if rounded:
        raise InputError(
            counted(len(rounded), f"{role} is a floating-point number", f"{role}s are floating-point numbers")
            + f" so large that different whole numbers are the same: column {series.name!r}",
            where=names_text([repr(value) for value in rounded]),
            remedy=f"read the column as text: pandas.read_csv(path, dtype={{{str(series.name)!r}: str}});\n"
            "in a file, write whole numbers without point and exponent, or as text",
        )


def _refuse_two_spellings(values: Iterable[Any], column: object, role: str) -> None:
    """Refuse the number 1 beside the text "1": whether they are the same cannot be known."""
    numbers: set[str] = set()
    texts: set[str] = set()
    for value in values:
        (texts if isinstance(value, str) else numbers).add(_text(value))
    both = sorted(numbers & texts)
    if both:
        raise InputError(
            f"column {column!r} holds " + counted(len(both), f"{role}", f"{role}s") + " both as a number and as text",
            where=names_text(both),
            remedy=f'make them one type: df["{column}"] = df["{column}"].astype(str), if they are the same {role}s',
        )


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
    first = pc.min(texts).as_py()
    if first is None or first > "9~":  # whole numbers begin with a sign or a digit
        return _sorted(texts)
    whole = pc.match_substring_regex(texts, _WHOLE)
    n_whole = pc.sum(whole).as_py() or 0
    if n_whole == 0:
        return _sorted(texts)
    is_whole = whole.to_numpy(zero_copy_only=False)
    numbers, others = np.flatnonzero(is_whole), np.flatnonzero(~is_whole)
    values = texts.take(pa.array(numbers)).cast(pa.int64())
    numbers = numbers[_sorted(values)]
    others = others[_sorted(texts.take(pa.array(others)))]
    return np.concatenate([numbers, others])


def _sorted(values: pa.Array) -> NDArray[np.int64]:
    return np.asarray(pc.sort_indices(values).to_numpy(), dtype=np.int64)


def _sorted_positions_slowly(ids: Sequence[str] | NDArray[np.object_]) -> NDArray[np.int64]:
    def key(position: int) -> tuple[int, int, str]:
        text = str(ids[position])
        return (0, int(text), "") if re.fullmatch(_WHOLE, text) else (1, 0, text)

    return np.asarray(sorted(range(len(ids)), key=key), dtype=np.int64)


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
