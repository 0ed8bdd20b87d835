"""Names and ids of a column as whole numbers: which name each row has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import InputError
from reportkit.results.row_numbers import counted, names_text, rows_text, share

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

    def counts(self) -> NDArray[np.int64]:
        """Number of rows of each name."""
        return np.bincount(self.codes, minlength=len(self.names))


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
        If a row has no name, or if the number 1 and the text "1" occur in one column.
    """
    codes, uniques, ordered = _codes(series, role)
    names = _names(uniques, series, role)
    absent = codes < 0
    if "" in names or any(map(str.isspace, names)):
        absent |= np.array([not name.strip() for name in names])[codes]
    if absent.any():
        rows = np.flatnonzero(absent)
        raise InputError(
            share(rows.size, len(series), f"rows has no {role}", f"rows have no {role}")
            + f": column {series.name!r} is empty there",
            where=rows_text(rows, source),
            remedy=f"write the {role} in every row, or remove these rows",
        )
    return Coded(codes, names, ordered)


def _codes(series: pd.Series[Any], role: str) -> tuple[IntegerArray, Sequence[Any] | NDArray[Any], bool]:
    if isinstance(series.dtype, pd.CategoricalDtype):
        categories = series.cat.categories
        return series.cat.codes.to_numpy(), categories.to_numpy(dtype=object), bool(series.cat.ordered)
    if pd.api.types.is_integer_dtype(series.dtype) and not series.hasnans:
        return (*_integer_codes(series.to_numpy()), False)
    inferred = pd.api.types.infer_dtype(series, skipna=True)
    if inferred in ("string", "empty") or series.dtype.kind in "iufMm":
        codes, uniques = pd.factorize(series, use_na_sentinel=True)
        return np.asarray(codes, dtype=np.int64), np.asarray(uniques, dtype=object), False
    return (*_mixed_codes(series, role), False)


def _integer_codes(values: NDArray[Any]) -> tuple[IntegerArray, NDArray[Any]]:
    low, high = int(values.min()), int(values.max())
    if high - low <= 4 * values.size + 1000:  # dense: no hashing needed
        return (values.astype(np.int64, copy=False) - low), np.arange(low, high + 1)
    codes, uniques = pd.factorize(values)
    return codes, uniques


def _mixed_codes(series: pd.Series[Any], role: str) -> tuple[IntegerArray, NDArray[Any]]:
    """Codes of a column of several types; hashing the values would take 1, 1.0 and True for the same."""
    values = series.to_numpy(dtype=object)
    absent = pd.isna(values)
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
        _refuse_two_spellings(uniques, series.name, role)
        names[:] = [_text(value) for value in uniques]
    else:
        names[:] = uniques
    return names


def _text(value: object) -> str:
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


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
