"""Columns as arrays: names and ids as whole numbers, in the order in which they are shown, and cells as numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from reportkit.language import counted, listed
from reportkit.scores.refusals import refusal, words_of

LISTED = 5
"""Most rows, names or values that a message lists."""

_PLACES = {
    **dict.fromkeys((".csv", ".tsv", ".txt", ".tab"), ("line", 2, "")),
    **dict.fromkeys((".jsonl", ".ndjson"), ("line", 1, "")),
    "": ("row", 0, " (as iloc counts)"),
}
"""By the ending of a file: noun, number of the first row of data, and how rows are counted."""

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


def dense(codes: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return codes from 0 without gaps, in the same order, and the different values; small numbers are not sorted.

    Examples
    --------
    >>> dense(np.array([7, 3, 7])), dense(np.array([-(10**9), 10**9]))
    ((array([1, 0, 1]), array([3, 7])), (array([0, 1]), array([-1000000000,  1000000000])))
    """
    if codes.size and codes.dtype.kind == "i" and codes.min() >= 0 and codes.max() < 4 * codes.size:
        found = np.zeros(int(codes.max()) + 1, dtype=np.bool_)
        found[codes] = True
        return codes if found.all() else (np.cumsum(found) - 1)[codes], np.flatnonzero(found)
    different, places = np.unique(codes, return_inverse=True)
    return places.ravel(), different


def n_different(codes: NDArray[Any]) -> int:
    """Count the different numbers among whole ones from 0."""
    few = codes.max(initial=0) < 4 * codes.size + 100
    return int(np.count_nonzero(np.bincount(codes))) if few else len(pd.unique(codes))


def code_column(series: pd.Series[Any], role: str, *, source: str, said: str | None = None) -> Coded:
    """Turn the names of systems, datasets, instances, ... into codes.

    All names are texts: 1 and 1.0 are read as "1", and "007" stays as it is. Names are in natural order ("bleu2"
    before "bleu10") or that of an ordered categorical, instances with whole numbers first, clusters by code point.

    Parameters
    ----------
    series : Series
        Series of any type: text, whole numbers, categorical, or a mixture.
    role : str
        For messages.
    source : str
        Name of the file or "DataFrame", for messages.
    said : str, optional
        Name of the column in the input, for messages.

    Raises
    ------
    InputError
        If a row has no name.
    """
    ordered, numbers = False, isinstance(series.dtype, np.dtype) and series.dtype.kind == "i" and role != "cluster"
    if numbers and series.min() >= 0 and series.max() < 4 * len(series):
        codes, found = dense(series.to_numpy())
        return Coded(codes, np.array([*map(str, found.tolist())], dtype=object))
    if isinstance(series.dtype, pd.CategoricalDtype):
        held: pd.Categorical = series.array  # the accessor series.cat would copy the codes
        codes, uniques, ordered = held.codes, held.categories.to_numpy(dtype=object), bool(held.ordered)
    elif series.dtype.kind in "iufMm" or pd.api.types.infer_dtype(series, skipna=True) in ("string", "empty"):
        held_apart = pd.api.types.is_extension_array_dtype(series.dtype)  # an array: no index of all names is made
        codes, uniques = pd.factorize(series.array if held_apart else series.to_numpy())
    else:  # several types; hashing the values would take 1, 1.0 and True for the same
        codes, uniques = pd.factorize(
            np.array([None if pd.isna(one) else text_of(one) for one in series], dtype=object)
        )
    names = np.array([*map(text_of, np.asarray(uniques, dtype=object))], dtype=object)
    blank = np.array([not name or name.isspace() for name in names] + [True])  # an empty cell has the code -1
    if blank.sum() > 1 or codes.min(initial=0) < 0:
        rows = np.flatnonzero(blank[codes])
        if rows.size:
            of = rows.size, len(series)
            raise refusal("empty-name", rows_text(rows, source), of=of, role=role, column=said or role)
    if ordered:
        return Coded(codes, names)
    if role == "instance":
        order = sorted_positions(names)
    else:
        key = (lambda place: str(names[place])) if role == "cluster" else (lambda place: natural_key(str(names[place])))
        order = np.array(sorted(range(names.size), key=key), dtype=np.int64)
    return Coded(np.argsort(order).astype(codes.dtype)[codes], names[order])


def text_of(value: object) -> str:
    """Return a name or a label as a text; 1.0 is "1"."""
    whole = isinstance(value, float | np.floating) and float(value).is_integer()
    return str(int(value)) if whole else str(value)  # type: ignore[call-overload]


def natural_key(name: str) -> tuple[tuple[object, ...], str]:
    """Return a key that sorts names as people do: numbers inside them by value, letters without case.

    The name itself comes last, so that no two keys are equal.

    Examples
    --------
    >>> sorted(["bleu10", "bleu2", "BLEU1", "chrF"], key=natural_key)
    ['BLEU1', 'bleu2', 'bleu10', 'chrF']
    """
    parts: list[Any] = _DIGITS.split(name.casefold())
    for place in range(1, len(parts), 2):
        digits = parts[place].lstrip("0")
        parts[place] = len(digits), digits  # compares like the number, however long
    return tuple(parts), name


def sorted_positions(ids: Sequence[str] | NDArray[np.object_]) -> NDArray[np.int64]:
    """Return the positions that sort ids: whole numbers first, by value; then all others by code point.

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


def crossed(first: Coded, second: Coded, joint: str) -> Coded:
    """Combine two columns of names of the same rows, in the order of the first, then of the second.

    Examples
    --------
    >>> system = Coded(np.array([1, 1, 0]), np.array(["a", "b"], dtype=object))
    >>> seed = Coded(np.array([1, 0, 0]), np.array(["2", "10"], dtype=object))
    >>> pairs = crossed(system, seed, ", seed ")
    >>> pairs.names.tolist(), pairs.codes.tolist()
    (['a, seed 2', 'b, seed 2', 'b, seed 10'], [2, 1, 0])
    """
    keys = first.codes.astype(np.int64) * len(second.names) + second.codes
    present, codes = np.unique(keys, return_inverse=True)
    of_first, of_second = np.divmod(present, len(second.names))
    return Coded(codes, first.names[of_first] + joint + second.names[of_second])


# --- numbers ---------------------------------------------------------------------------------------------------------

MISSING_SPELLINGS = frozenset({"", "na", "n/a", "nan", "null", "none", "<na>", "#n/a"})
"""Texts that stand for a missing score, in upper or lower case; everything else that is not a number is an error."""

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WORDS = {"true": 1.0, "false": 0.0} | dict.fromkeys(("inf", "+inf", "infinity"), np.inf)
_WORDS |= dict.fromkeys(("-inf", "-infinity"), -np.inf) | dict.fromkeys(MISSING_SPELLINGS, np.nan)

_DIGITS_SHOWN = r"[.,٫]?\d+(?:[.,'’٫٬ \u00a0\u2009\u202f]\d+)*[.,]?(?:e[+-]?\d+)?\s*[%‰]?"
_SHOWN = re.compile(
    rf"[^\w\[]*{_DIGITS_SHOWN}(?:\s*(?:±|\+/-|\(±?)\s*{_DIGITS_SHOWN}\)?)?[^\w]*|yes|no|right|wrong|(in)?correct|pass|fail"
)
"""A number in the digits of any script, with another decimal sign, thousands, a percent sign, an error or a mark."""

_NO_SCORE = re.compile(r"n/v|n\.v\.|nv|n\.a\.|n\.d\.|nd|k\.a\.|-{1,3}|–|—|\?|tbd|error|failed|timeout|oom")
_SHORT_FLOATS = {"float32": 7, "float": 7, "float16": 3, "halffloat": 3}
"""Significant decimal digits of short floating-point numbers, by the name of the column's type."""


def number_of(value: object) -> float | None:
    """Return a cell as a number: NaN if it is empty, None if it is not a number.

    Examples
    --------
    >>> [number_of(cell) for cell in (".5", " 93.1 ", "1e-3", True, "NA", "93,1", "93.1%", "1_000", 10**400)]
    [0.5, 93.1, 0.001, 1.0, nan, None, None, None, None]
    """
    if isinstance(value, str):
        text = value.strip()
        return float(text) if _DECIMAL.fullmatch(text) else _WORDS.get(text.casefold())
    if isinstance(value, Real | Decimal | np.bool_):
        try:
            return float(value)
        except (OverflowError, ValueError):  # beyond all floating-point numbers; Decimal("sNaN")
            return None
    return math.nan if value is None or value is pd.NA or value is pd.NaT else None


def holds_scores(series: pd.Series[Any]) -> bool:
    """Return whether a column is meant as scores, even if its cells are not numbers; the same in any row order.

    In such a column most cells are numbers as papers, other languages and spreadsheets write them, stand for no score,
    or say right or wrong. It is a system, which must not be left out in silence.

    Examples
    --------
    >>> [holds_scores(pd.Series(cells)) for cells in (["51.3%", "40%"], ["51,3", "n/v"], ["1-2", "see 2"], ["[6, 2]"])]
    [True, True, False, False]
    """
    cells = [cell.strip().casefold() if isinstance(cell, str) else cell for cell in series]
    cells = [cell for cell in cells if not isinstance(number := number_of(cell), float) or not math.isnan(number)]
    texts = [cell for cell in cells if isinstance(cell, str)]
    no_scores = sum(_NO_SCORE.fullmatch(text) is not None for text in texts)
    like_scores = sum(_SHOWN.fullmatch(text) is not None for text in texts)
    like_scores += sum(number_of(cell) is not None for cell in cells if not isinstance(cell, str))
    return like_scores > 0 and 2 * (like_scores + no_scores) > len(cells)


def scores_of(series: pd.Series[Any], *, source: str, what: str = "score") -> NDArray[np.float64]:
    """Return the scores as float64, NaN where there is none.

    Numbers of four bytes (float32) are rounded to the 7 significant digits that they hold, so that 0.1 is read as 0.1
    and not as 0.10000000149: ties, and scores with few decimals, are then seen as such. Numbers of two bytes hold 3.

    Parameters
    ----------
    series : Series
        Numbers, truth values, or texts that are plain decimal numbers.
    source : str
        Name of the file or "DataFrame", for messages.
    what : str
        For messages: "score", "weight" or "gold score".

    Returns
    -------
    ndarray of float64
        Not a copy where none is needed: not to be changed.

    Raises
    ------
    ScoreValueError
        If something is not a number, or infinite.
    """
    dtype = series.dtype
    if pd.api.types.is_any_real_numeric_dtype(dtype) or pd.api.types.is_bool_dtype(dtype):
        values = np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan), dtype=np.float64)
        digits = _SHORT_FLOATS.get(str(dtype).partition("[")[0].casefold())
        if digits is not None:
            uniques, codes = np.unique(values, return_inverse=True)
            values = np.array([float(f"{value:.{digits}g}") if value % 1 else value for value in uniques])[codes]
    else:
        values = _parsed(series, source, what)
    if np.isinf(values).any():
        rows = np.flatnonzero(np.isinf(values))
        values_of = {"what": what, "column": series.name, "remedy": _remedy_for([], what)}
        raise refusal("infinite", rows_text(rows, source), of=(rows.size, values.size), **values_of)
    return values


def _parsed(series: pd.Series[Any], source: str, what: str) -> NDArray[np.float64]:
    """Read the numbers of a column of texts or objects, or raise ScoreValueError with the way out."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        codes, cells = series.cat.codes.to_numpy(), series.cat.categories.to_numpy(dtype=object)
    else:
        codes, cells = np.arange(len(series)), series.to_numpy(dtype=object)
    numbers = [number_of(cell) for cell in cells]
    wrong = np.array([*(number is None for number in numbers), False])[codes]  # a missing category has the code -1
    if wrong.any():
        bad = np.flatnonzero(wrong)
        examples = list(dict.fromkeys(quoted(cells[code]) for code in codes[bad]))
        values_of = {"what": what, "column": series.name, "examples": listed(examples, LISTED)}
        values_of["remedy"] = _remedy_for([str(cells[code]) for code in codes[bad]], what)
        raise refusal("no-number", rows_text(bad, source), of=(bad.size, codes.size), **values_of)
    return np.array([*numbers, np.nan], dtype=np.float64)[codes]


def _remedy_for(cells: list[str], what: str) -> str:
    """Say what to do about cells that are not numbers, depending on how they are written."""
    found = words_of("remedies")
    if what in found:
        return str(found[what])
    for pattern, remedy in found["written"]:
        if cells and all(re.fullmatch(pattern, cell.strip().casefold()) for cell in cells):
            return str(remedy)
    return str(found["other"])
