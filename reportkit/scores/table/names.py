"""Names and ids of a column as whole numbers, in the order in which the names are shown."""

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
from reportkit.scores.table.row_numbers import names_text, rows_text, share

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
        Each once, in order; some may occur in no row.
    ordered : bool
        Whether the order of the names was declared, by an ordered categorical.
    """

    codes: IntegerArray
    names: NDArray[np.object_]
    ordered: bool = False

    def __getitem__(self, rows: Any) -> Coded:
        return Coded(self.codes[rows], self.names, self.ordered)

    def counts(self, rows: NDArray[np.bool_] | slice = slice(None)) -> NDArray[np.int64]:
        """Count the rows of each name, or of some rows."""
        return np.bincount(self.codes[rows], minlength=len(self.names))

    def present(self) -> list[str]:
        """Return the names that occur in a row."""
        return [str(name) for name in self.names[self.counts() > 0]]

    def of(self, entry: int) -> str:
        """Return the name in a row."""
        return str(self.names[self.codes[entry]])


def one_name(name: str, n_rows: int) -> Coded:
    """Give all rows the same name."""
    return Coded(np.zeros(n_rows, dtype=np.int8), np.array([name], dtype=object))


def code_column(series: pd.Series[Any], role: str, *, source: str, said: str | None = None) -> Coded:
    """Turn the names of systems, datasets, instances, ... into codes.

    All names are texts: 1 and 1.0 are read as "1", and "007" stays as it is. Names stand in natural order ("bleu2"
    before "bleu10") or that of an ordered categorical, instances with whole numbers first, clusters by code point.

    Parameters
    ----------
    series : Series
        Of any type: text, whole numbers, categorical, or a mixture.
    role : str
        For messages.
    source : str
        Name of the file or "DataFrame", for messages.
    said : str, optional
        Name of the column in the input, for messages.

    Raises
    ------
    InputError
        If a row has no name, if the number 1 and the text "1" occur in one column, if names are floating-point
        numbers so large that different whole numbers have become the same, or if a name holds half a character.
    """
    series = series.rename(said or role)
    codes, uniques, ordered = _codes(series, role)
    names = _names(uniques, series, role)
    refuse_half_characters(names, f"{role}s", f"column {series.name!r}")
    blank = np.array([not name or name.isspace() for name in names.tolist()], dtype=bool)
    if (blank.any() and blank[codes].any()) or codes.min(initial=0) < 0:
        rows = np.flatnonzero((codes < 0) | (blank[codes] if blank.size else True))
        raise InputError(
            share(rows.size, len(series), f"rows has no {role}", f"rows have no {role}")
            + f": column {series.name!r} is empty there",
            where=rows_text(rows, source),
            remedy=f"write the {role} in every row, or remove these rows",
        )
    if ordered:
        return Coded(codes, names, ordered)
    if role == "instance":
        order = sorted_positions(names)
    else:
        key = (lambda place: str(names[place])) if role == "cluster" else (lambda place: natural_key(str(names[place])))
        order = np.array(sorted(range(names.size), key=key), dtype=np.int64)
    if (order == np.arange(order.size)).all():
        return Coded(codes, names)
    ranks = np.empty_like(order)
    ranks[order] = np.arange(order.size)
    return Coded(ranks.astype(codes.dtype)[codes], names[order])


def _codes(series: pd.Series[Any], role: str) -> tuple[IntegerArray, Sequence[Any] | NDArray[Any], bool]:
    if isinstance(series.dtype, pd.CategoricalDtype):
        held: pd.Categorical = series.array  # the accessor series.cat would copy the codes
        return held.codes, held.categories.to_numpy(dtype=object), bool(held.ordered)
    inferred = pd.api.types.infer_dtype(series, skipna=True)
    if inferred in ("string", "empty") or series.dtype.kind in "iufMm":
        codes, uniques = pd.factorize(series.array, use_na_sentinel=True)  # no index of all names is made
        return np.asarray(codes, dtype=np.int64), np.asarray(uniques, dtype=object), False
    return (*_mixed_codes(series, role), False)


def _mixed_codes(series: pd.Series[Any], role: str) -> tuple[IntegerArray, NDArray[Any]]:
    """Codes of a column of several types; hashing the values would take 1, 1.0 and True for the same."""
    values = series.to_numpy(dtype=object)
    absent = pd.isna(values)
    texts = np.array([None if gone else _text(value) for value, gone in zip(values, absent, strict=True)], dtype=object)
    codes, uniques = pd.factorize(texts, use_na_sentinel=True)
    return codes, uniques


def _names(uniques: Sequence[Any] | NDArray[Any], series: pd.Series[Any], role: str) -> NDArray[np.object_]:
    names = np.empty(len(uniques), dtype=object)
    if not set(map(type, uniques)) <= {str}:
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
    texts = pa.array(ids, type=pa.string())
    first = pc.min(texts).as_py()
    whole = pc.match_substring_regex(texts, _WHOLE)
    if first is None or first > "9~" or not pc.any(whole).as_py():  # whole numbers begin with a sign or a digit
        return np.asarray(pc.sort_indices(texts).to_numpy(), dtype=np.int64)
    values = pc.if_else(whole, texts, "0").cast(pa.int64())
    keys = pa.table({"other": pc.invert(whole), "value": values, "text": texts})
    order = pc.sort_indices(keys, sort_keys=[(name, "ascending") for name in keys.column_names])
    return np.asarray(order.to_numpy(), dtype=np.int64)


def crossed(first: Coded, second: Coded, joint: str) -> tuple[Coded, NDArray[np.int64], NDArray[np.int64]]:
    """Take two columns together.

    Parameters
    ----------
    first, second : Coded
        Of the same rows.
    joint : str
        What stands between the two names in that of the pair.

    Returns
    -------
    pairs : Coded
        The pair of each row; the pairs that occur, in the order of the first column, then of the second.
    of_first, of_second : ndarray of int of shape (n_pairs,)
        Codes of both columns, by code of the pair.

    Examples
    --------
    >>> system = Coded(np.array([1, 1, 0]), np.array(["a", "b"], dtype=object))
    >>> seed = Coded(np.array([1, 0, 0]), np.array(["2", "10"], dtype=object))
    >>> pairs, _, _ = crossed(system, seed, ", seed ")
    >>> pairs.names.tolist(), pairs.codes.tolist()
    (['a, seed 2', 'b, seed 2', 'b, seed 10'], [2, 1, 0])
    """
    keys = first.codes.astype(np.int64) * len(second.names) + second.codes
    present, codes = np.unique(keys, return_inverse=True)
    of_first, of_second = np.divmod(present, len(second.names))
    names = first.names[of_first] + joint + second.names[of_second]
    return Coded(codes, names, ordered=True), of_first, of_second
