"""Scores that are written as texts: numbers, or an error that names the rows."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import ScoreValueError
from reportkit.language.counts_and_lists import listed
from reportkit.scores.table.row_numbers import LISTED, quoted, rows_text, share

MISSING_SPELLINGS = frozenset({"", "na", "n/a", "nan", "null", "none", "<na>", "#n/a"})
"""Texts that stand for no score, in any case; everything else that is not a number is an error."""

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_INFINITE = {"inf": np.inf, "+inf": np.inf, "-inf": -np.inf, "infinity": np.inf, "-infinity": -np.inf}
_TRUTH = {"true": 1.0, "false": 0.0}


_CORE = r"(?:\d{1,3}(?:[.,'’٬ \u00a0\u2009\u202f]\d{3})+(?:[.,٫]\d+)?|\d+(?:[.,٫]\d*)?|[.,٫]\d+)(?:e[+-]?\d+)?"
_AS_WRITTEN_ELSEWHERE = re.compile(
    rf"[*_~≈<>=( ]*[+\-−–]?{_CORE}\s*[%‰]?(?:\s*(?:±|\+/-|\(±?)\s*{_CORE}\s*[%‰]?\)?)?[ *_†‡)%]*", re.IGNORECASE
)
"""A number in the digits of any script, with another decimal sign, thousands, a percent sign, an error or a mark."""

_YES_OR_NO = re.compile("yes|no|y|n|t|f|ja|nein|oui|non|right|wrong|correct|incorrect|pass|fail")
_RIGHT_OR_WRONG = re.compile(f"{_YES_OR_NO.pattern}|passed|failed|c|i")
_NO_SCORE = re.compile(r"n/v|n\.v\.|nv|n\.a\.|n\.d\.|nd|k\.a\.|-{1,3}|–|—|\?|tbd|error|failed|timeout|oom")
_REMEDIES = (
    (re.compile(r"[+-]?[0-9.,]+\s*%"), "write 93.1% as 93.1 (or as 0.931), the same way in all rows"),
    (
        re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]+"),
        "write numbers without a sign between thousands: 1251.3, not 1,251.3",
    ),
    (
        re.compile(r"[+-]?[0-9]*,[0-9]+"),
        "write decimals with a point: 93.1, not 93,1 (pandas.read_csv reads commas with decimal=',')",
    ),
    (_YES_OR_NO, "write 1 for right and 0 for wrong"),
    (re.compile(r"[−–][0-9]*\.?[0-9]+"), "write a minus as - (U+002D), as keyboards have it, not as − or –"),
    (re.compile(r"[+\-−–]?[\d.,٫٬]*[^\x00-\x7f−–][\d.,٫٬]*"), "write numbers in the digits 0 to 9, with a point"),
)
"""What to do if all cells that are no numbers are written in one way."""


_SHORT_FLOATS = {"float32": 7, "float": 7, "float16": 3, "halffloat": 3}
"""Significant decimal digits of short floating-point numbers, by the name of the column's type."""


def number_of(value: object) -> float | None:
    """A cell as a number: NaN if it is empty, None if it is no number.

    Examples
    --------
    >>> [number_of(cell) for cell in (".5", " 93.1 ", "1e-3", True, "NA", "93,1", "93.1%", "1_000", 10**400)]
    [0.5, 93.1, 0.001, 1.0, nan, None, None, None, inf]
    """
    if isinstance(value, str):
        text = value.strip()
        if _DECIMAL.fullmatch(text):
            return float(text)
        folded = text.casefold()
        if folded in MISSING_SPELLINGS:
            return float("nan")
        return _TRUTH.get(folded, _INFINITE.get(folded))
    if isinstance(value, Real | Decimal | np.bool_):
        try:
            return float(value)
        except OverflowError:  # a whole number, or a fraction, beyond all floating-point numbers
            return -math.inf if isinstance(value, int | Fraction) and value < 0 else math.inf
        except ValueError:  # Decimal("sNaN")
            return math.nan
    return float("nan") if value is None or value is pd.NA or value is pd.NaT else None


def score_columns(frame: pd.DataFrame) -> list[str]:
    """Columns of numbers, and those that were meant as scores, though they cannot be read as numbers.

    A column in which most cells are numbers as papers, other languages and spreadsheets write them, stand for no score,
    or say right or wrong, is a system written otherwise, and nothing that could be left out without a word.

    Examples
    --------
    >>> frame = pd.DataFrame({"a": [51.3, 40.0], "b": ["51.3%", "40%"], "c": ["51,3", "n/v"], "d": ["1-2", "see note"]})
    >>> score_columns(frame)
    ['a', 'b', 'c']
    """
    return [str(name) for name, series in frame.items() if _is_numeric(series) or _most(series, _may_be_a_score)]


def may_be_a_score(cell: object) -> bool:
    """Whether a cell is a number, or one as papers, other languages and spreadsheets write it, or says yes or no.

    Examples
    --------
    >>> written = ("51.3%", "51,3", "1,251.3", "−.2", "٥١", "51.3±0.2", "51.3*", "yes")
    >>> all(map(may_be_a_score, written))
    True
    >>> any(map(may_be_a_score, ("n/v", "2024-01-02", "12:30", "1.2.3", "q17", "short")))
    False
    """
    if number_of(cell) is not None:
        return True
    return isinstance(cell, str) and bool(
        _RIGHT_OR_WRONG.fullmatch(cell.strip().casefold()) or _AS_WRITTEN_ELSEWHERE.fullmatch(cell.strip())
    )


def _is_numeric(series: pd.Series[Any]) -> bool:
    return pd.api.types.is_numeric_dtype(series.dtype) or pd.api.types.is_bool_dtype(series.dtype)


def _may_be_a_score(cell: object) -> bool:
    return may_be_a_score(cell) or (isinstance(cell, str) and bool(_NO_SCORE.fullmatch(cell.strip().casefold())))


def _most(series: pd.Series[Any], holds: Callable[[object], bool]) -> bool:
    """Whether something holds for most cells that are not empty, and one of them may be a score; in any row order."""
    if getattr(series.dtype, "kind", "O") in "mM":
        return False
    try:
        codes, cells = pd.factorize(series)
    except TypeError:  # lists, objects
        return False
    counts = np.bincount(codes[codes >= 0], minlength=len(cells))
    n_present = n_held = 0
    some = False
    for cell, count in zip(cells, counts.tolist(), strict=True):
        number = number_of(cell)
        if number is not None and math.isnan(number):
            continue
        n_present += count
        if number is not None or holds(cell):
            n_held += count
            some = some or may_be_a_score(cell)
    return some and n_held > n_present / 2


def parsed(series: pd.Series[Any], source: str, what: str) -> NDArray[np.float64]:
    """Numbers of a column of texts or objects; ScoreValueError, with the way out, where a cell is none."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        codes, cells = series.cat.codes.to_numpy(), series.cat.categories.to_numpy(dtype=object)
    else:
        codes, cells = np.arange(len(series)), series.to_numpy(dtype=object)
    numbers = [number_of(cell) for cell in cells]
    wrong = np.array([*(number is None for number in numbers), False])[codes]  # a missing category has the code -1
    if wrong.any():
        bad = np.flatnonzero(wrong)
        texts = [str(cells[code]) for code in codes[bad]]
        examples = list(dict.fromkeys(quoted(cells[code]) for code in codes[bad]))
        raise ScoreValueError(
            share(bad.size, codes.size, f"{what}s is not a number", f"{what}s are not numbers")
            + f": column {series.name!r} holds "
            + listed(examples, LISTED),
            where=rows_text(bad, source),
            remedy=remedy_for(texts, what),
        )
    return np.array([*numbers, np.nan], dtype=np.float64)[codes]


def remedy_for(cells: list[str], what: str) -> str:
    """What to do about cells that are no numbers, by the way in which they are written."""
    if what == "weight":
        return "a weight has to be a finite number above 0: correct these rows"
    if what == "gold score":
        return (
            "a gold score has to be a finite number: correct these rows, or name another column: gold='...'\n"
            "(--columns gold=...)"
        )
    for pattern, remedy in _REMEDIES:
        if cells and all(pattern.fullmatch(cell.strip().casefold()) for cell in cells):
            return remedy
    return (
        "correct these rows; where there is no score, leave the cell empty and choose missing='drop' or\n"
        "missing='worst' (--missing drop, --missing worst)"
    )


def scores_of(series: pd.Series[Any], *, source: str, what: str = "score") -> NDArray[np.float64]:
    """Scores as float64, NaN where there is none.

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
    if pd.api.types.is_bool_dtype(dtype) or (
        pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_complex_dtype(dtype)
    ):
        values = np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan), dtype=np.float64)
        digits = _SHORT_FLOATS.get(str(dtype).partition("[")[0].casefold())
        if digits is not None:
            values = to_digits(values, digits)
    else:
        values = parsed(series, source, what)
    if np.isinf(values).any():
        rows = np.flatnonzero(np.isinf(values))
        raise ScoreValueError(
            share(rows.size, values.size, f"{what}s is infinite", f"{what}s are infinite")
            + f": column {series.name!r}",
            where=rows_text(rows, source),
            remedy=remedy_for([], what),
        )
    return values


def to_digits(values: NDArray[np.float64], digits: int) -> NDArray[np.float64]:
    """Round to significant digits, each number by itself; whole numbers, NaN and infinity stay.

    Examples
    --------
    >>> to_digits(np.float64(np.float32([0.1, 1 / 3, 16777216, 2.5e-9])), 7)
    array([1.0000000e-01, 3.3333330e-01, 1.6777216e+07, 2.5000000e-09])
    """
    broken = np.isfinite(values) & (values != np.rint(values))
    uniques, codes = np.unique(values[broken], return_inverse=True)
    rounded = values.copy()
    rounded[broken] = np.array([float(f"{value:.{digits - 1}e}") for value in uniques.tolist()])[codes]
    return rounded
