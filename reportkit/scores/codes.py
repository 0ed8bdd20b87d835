"""Names and ids of a column as whole numbers, in the order in which the names are shown; names and rows in messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from reportkit.errors import InputError
from reportkit.language.counts_and_lists import counted, listed

LISTED = 5
"""How many rows, names or values a message lists."""

_PLACES = {
    **dict.fromkeys((".csv", ".tsv", ".txt", ".tab"), ("line", 2, "")),
    **dict.fromkeys((".jsonl", ".ndjson"), ("line", 1, "")),
    "": ("row", 0, " (as iloc counts)"),
}
"""By the ending of a file: noun, number of the first row of data, and how rows are counted."""

_HALF = re.compile("[\ud800-\udfff]")
_DIGITS = re.compile(r"([0-9]+)")
_WHOLE = r"^(0|-?[1-9][0-9]{0,17})$"

IntegerArray = NDArray[np.integer[Any]]


# --- messages --------------------------------------------------------------------------------------------------------


def rows_text(rows: Sequence[int] | IntegerArray, source: str) -> str:
    """Name a few rows.

    Parameters
    ----------
    rows : sequence of int
        Positions, the first row of data being 0.
    source : str
        Name of the file, or "DataFrame"; "" where cells were laid out as rows, which then have no place of their own.
        The header of a file is line 1 (blank lines are not counted); in a frame, rows are positions for `iloc`.

    Examples
    --------
    >>> rows_text([0, 5], "results.csv.gz")
    'lines 2 and 7'
    >>> rows_text(range(9), "DataFrame")
    'rows 0, 1, 2, 3, 4 and 4 more (as iloc counts)'
    """
    if not source:
        return counted(len(rows), "cell")
    ending = PurePath(source.lower().removesuffix(".gz")).suffix
    word, first, note = _PLACES.get(ending, ("row", 1, " (counted from 1)"))
    numbers = [f"{int(row) + first}" for row in rows[:LISTED]]
    return word + ("s " if len(rows) > 1 else " ") + listed(numbers, total=len(rows)) + note


def names_text(names: Sequence[str]) -> str:
    """Quote a few names: `'a', 'b' and 3 more`."""
    return listed([quoted(name) for name in names[:LISTED]], total=len(names))


def quoted(name: object) -> str:
    """Quote a name, or a cell, as far as it is short enough for a message."""
    text = repr(name)
    return text if len(text) <= 70 else f"{text[:45]}...{text[-20:]}"


def counts_text(counts: Sequence[tuple[str, int]]) -> str:
    """Name a few counts: `'a' (12), 'b' (3) and 2 more`."""
    return listed([f"{quoted(name)} ({count:,})" for name, count in counts[:LISTED]], total=len(counts))


def share(number: int, total: int, one: str, many: str) -> str:
    """Say how many of how many: `1 of 4 scores is empty`, `2 of 4 scores are empty`.

    Examples
    --------
    >>> share(1, 4, "scores is", "scores are"), share(2, 4000, "scores is", "scores are")
    ('1 of 4 scores is', '2 of 4,000 scores are')
    """
    return f"{number:,} of {total:,} {one if number == 1 else many}"


# --- codes -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column of names.

    Parameters
    ----------
    codes : ndarray of int of shape (n_rows,)
        Position in `names`.
    names : ndarray of str of shape (n_names,)
        Each once, in order; some may occur in no row.
    """

    codes: IntegerArray
    names: NDArray[np.object_]

    def counts(self, rows: Any) -> NDArray[np.int64]:
        """Count some rows by name."""
        return np.bincount(self.codes[rows], minlength=len(self.names))

    def present(self, rows: Any) -> list[str]:
        """Return the names that occur in some rows."""
        return [*map(str, self.names[self.counts(rows) > 0])]

    def of(self, row: int) -> str:
        """Return the name in a row."""
        return str(self.names[self.codes[row]])


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
        If a row has no name, or a name holds half a character.
    """
    ordered = False
    if isinstance(series.dtype, pd.CategoricalDtype):
        held: pd.Categorical = series.array  # the accessor series.cat would copy the codes
        codes, uniques, ordered = held.codes, held.categories.to_numpy(dtype=object), bool(held.ordered)
    elif series.dtype.kind in "iufMm" or pd.api.types.infer_dtype(series, skipna=True) in ("string", "empty"):
        held_apart = pd.api.types.is_extension_array_dtype(series.dtype)  # no index of all names is made of an array
        codes, uniques = pd.factorize(series.array if held_apart else series.to_numpy())
    else:  # several types; hashing the values would take 1, 1.0 and True for the same
        codes, uniques = pd.factorize(np.array([None if pd.isna(one) else _text(one) for one in series], dtype=object))
    names = np.array([*map(_text, uniques)], dtype=object)
    refuse_half_characters(names, f"{role}s", f"column {said or role!r}")
    blank = np.array([not name or name.isspace() for name in names] + [True])  # an empty cell has the code -1
    if blank.sum() > 1 or codes.min(initial=0) < 0:
        rows = np.flatnonzero(blank[codes])
        if rows.size:
            raise InputError(
                share(rows.size, len(series), f"rows has no {role}", f"rows have no {role}")
                + f": column {said or role!r} is empty there",
                where=rows_text(rows, source),
                remedy=f"write the {role} in every row, or remove these rows",
            )
    if ordered:
        return Coded(codes, names)
    if role == "instance":
        order = sorted_positions(names)
    else:
        key = (lambda place: str(names[place])) if role == "cluster" else (lambda place: natural_key(str(names[place])))
        order = np.array(sorted(range(names.size), key=key), dtype=np.int64)
    return Coded(np.argsort(order).astype(codes.dtype)[codes], names[order])


def _text(value: object) -> str:
    whole = isinstance(value, float | np.floating) and float(value).is_integer()
    return str(int(value)) if whole else str(value)  # type: ignore[call-overload]


def refuse_half_characters(names: Iterable[str], what: str, where: str) -> None:
    """Refuse names with one half of a character that UTF-16 writes in two, which no file in UTF-8 can hold.

    Raises
    ------
    InputError
        With the first few.
    """
    wrong = [name for name in names if not name.isascii() and _HALF.search(name)]
    if wrong:
        raise InputError(
            f"names of {what} hold half a character (a lone surrogate), which cannot be written",
            where=f"{where}: {names_text(wrong)}",
            remedy="write the names anew; in JSON, a character beyond \\uffff has two codes, as in \\ud83d\\ude00",
        )


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
    parts: list[Any] = _DIGITS.split(name.casefold())
    for place in range(1, len(parts), 2):
        digits = parts[place].lstrip("0")
        parts[place] = len(digits), digits  # compares as the number does, of any length
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
    whole = pc.match_substring_regex(texts, _WHOLE)
    keys = {"text": texts}
    if pc.any(whole).as_py():
        keys = {"other": pc.invert(whole), "value": pc.if_else(whole, texts, "0").cast(pa.int64()), "text": texts}
    order = pc.sort_indices(pa.table(keys), sort_keys=[(name, "ascending") for name in keys])
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
    return Coded(codes, first.names[of_first] + joint + second.names[of_second]), of_first, of_second
