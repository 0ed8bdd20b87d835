"""Cells become numbers where they are numbers, or an error that names the rows."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import ScoreValueError
from reportkit.language.counts_and_lists import listed
from reportkit.scores.codes import LISTED, quoted, rows_text, share

MISSING_SPELLINGS = frozenset({"", "na", "n/a", "nan", "null", "none", "<na>", "#n/a"})
"""Texts that stand for no score, in any case; everything else that is not a number is an error."""

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WORDS = {"true": 1.0, "false": 0.0} | dict.fromkeys(("inf", "+inf", "infinity"), np.inf)
_WORDS |= dict.fromkeys(("-inf", "-infinity"), -np.inf) | dict.fromkeys(MISSING_SPELLINGS, np.nan)

_CORE = r"(?:\d{1,3}(?:[.,'’٬ \u00a0\u2009\u202f]\d{3})+(?:[.,٫]\d+)?|\d+(?:[.,٫]\d*)?|[.,٫]\d+)(?:e[+-]?\d+)?"
_AS_WRITTEN_ELSEWHERE = re.compile(
    rf"[*_~≈<>=( ]*[+\-−–]?{_CORE}\s*[%‰]?(?:\s*(?:±|\+/-|\(±?)\s*{_CORE}\s*[%‰]?\)?)?[ *_†‡)%]*", re.IGNORECASE
)
"""A number in the digits of any script, with another decimal sign, thousands, a percent sign, an error or a mark."""

_YES_OR_NO = "yes|no|y|n|t|f|ja|nein|oui|non|right|wrong|correct|incorrect|pass|fail"
_RIGHT_OR_WRONG = re.compile(f"{_YES_OR_NO}|passed|failed|c|i")
_NO_SCORE = re.compile(r"n/v|n\.v\.|nv|n\.a\.|n\.d\.|nd|k\.a\.|-{1,3}|–|—|\?|tbd|error|failed|timeout|oom")
_REMEDIES = (
    (r"[+-]?[0-9.,]+\s*%", "write 93.1% as 93.1 (or as 0.931), the same way in all rows"),
    (r"[+-]?[0-9]{1,3}(,[0-9]{3})+\.[0-9]+", "write numbers without a sign between thousands: 1251.3, not 1,251.3"),
    (
        r"[+-]?[0-9]*,[0-9]+",
        "write decimals with a point: 93.1, not 93,1 (pandas.read_csv reads commas with decimal=',')",
    ),
    (_YES_OR_NO, "write 1 for right and 0 for wrong"),
    (r"[−–][0-9]*\.?[0-9]+", "write a minus as - (U+002D), as keyboards have it, not as − or –"),
    (r"[+\-−–]?[\d.,٫٬]*[^\x00-\x7f−–][\d.,٫٬]*", "write numbers in the digits 0 to 9, with a point"),
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
        return float(text) if _DECIMAL.fullmatch(text) else _WORDS.get(text.casefold())
    if isinstance(value, Real | Decimal | np.bool_):
        try:
            return float(value)
        except OverflowError:  # a whole number, or a fraction, beyond all floating-point numbers
            return -math.inf if isinstance(value, int | Fraction) and value < 0 else math.inf
        except ValueError:  # Decimal("sNaN")
            return math.nan
    return math.nan if value is None or value is pd.NA or value is pd.NaT else None


def holds_scores(series: pd.Series[Any]) -> bool:
    """Whether a column was meant as scores, even if its cells cannot be read as numbers; in any row order.

    A column in which most cells are numbers as papers, other languages and spreadsheets write them, stand for no score,
    or say right or wrong, is a system written otherwise, and nothing that could be left out without a word.

    Examples
    --------
    >>> [holds_scores(pd.Series(cells)) for cells in (["51.3%", "40%"], ["51,3", "n/v"], ["1-2", "see note"])]
    [True, True, False]
    """
    cells = [cell for cell in series if not isinstance(number := number_of(cell), float) or not math.isnan(number)]
    like_scores = sum(map(_like_a_score, cells))
    no_scores = sum(isinstance(cell, str) and bool(_NO_SCORE.fullmatch(cell.strip().casefold())) for cell in cells)
    return like_scores > 0 and 2 * (like_scores + no_scores) > len(cells)


def _like_a_score(cell: object) -> bool:
    if not isinstance(cell, str) or number_of(cell) is not None:
        return number_of(cell) is not None
    return bool(_RIGHT_OR_WRONG.fullmatch(cell.strip().casefold()) or _AS_WRITTEN_ELSEWHERE.fullmatch(cell.strip()))


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
        raise ScoreValueError(
            share(rows.size, values.size, f"{what}s is infinite", f"{what}s are infinite")
            + f": column {series.name!r}",
            where=rows_text(rows, source),
            remedy=_remedy_for([], what),
        )
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
        raise ScoreValueError(
            share(bad.size, codes.size, f"{what}s is not a number", f"{what}s are not numbers")
            + f": column {series.name!r} holds "
            + listed(examples, LISTED),
            where=rows_text(bad, source),
            remedy=_remedy_for([str(cells[code]) for code in codes[bad]], what),
        )
    return np.array([*numbers, np.nan], dtype=np.float64)[codes]


def _remedy_for(cells: list[str], what: str) -> str:
    """Say what to do about cells that are no numbers, by the way in which they are written."""
    if what in ("weight", "gold score"):
        allowed, role = ("a finite number above 0" if what == "weight" else "a finite number"), what.split()[0]
        return f"a {what} has to be {allowed}: correct these rows, or name another column (--columns {role}=...)"
    for pattern, remedy in _REMEDIES:
        if cells and all(re.fullmatch(pattern, cell.strip().casefold()) for cell in cells):
            return remedy
    return (
        "correct these rows; where there is no score, leave the cell empty and choose missing='drop' or\n"
        "missing='worst' (--missing drop, --missing worst)"
    )
