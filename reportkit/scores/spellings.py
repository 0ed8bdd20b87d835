"""Scores as people and spreadsheets write them: 73.5%, 73,5, 1,234.5, yes and no, correct and incorrect."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from reportkit.errors import ScoreValueError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import listed
from reportkit.scores.names import right_and_wrong
from reportkit.scores.table.row_numbers import names_text, quoted
from reportkit.scores.table.score_values import number_of

Decimal = Literal["auto", "point", "comma"]

_THOUSANDS = r"[1-9]\d{0,2}(?:%s\d{3})+"
_SIGN = r"[+-]?"
_COMMA_DECIMAL = re.compile(rf"{_SIGN}(?:\d+|{_THOUSANDS % '[.]'})?,\d+|{_SIGN}\d+")
_COMMA_THOUSANDS = re.compile(rf"{_SIGN}{_THOUSANDS % ','}(?:\.\d+)?|{_SIGN}\d*\.?\d+")
_PERCENT = re.compile(r"\s*%\s*$")


_Written = tuple[dict[str, float], str]
"""What was understood of the texts of some columns: their values by text, and how they are written."""


def with_numbers(
    frame: pd.DataFrame, names: Sequence[str], decimal: Decimal = "auto"
) -> tuple[pd.DataFrame, tuple[Finding, ...]]:
    """Turn texts of columns of scores into numbers, where all of them are written in one way.

    What is written in several ways, or could be read in two, stays as it is: reading it then names the rows.

    Parameters
    ----------
    frame : DataFrame
    names : sequence of str
        Columns that hold scores: one, or those of all systems, which have to agree.
    decimal : {"auto", "point", "comma"}
        What "1,234" means, where nothing else in the columns tells.

    Returns
    -------
    DataFrame
        The same object, if nothing has to be turned.
    tuple of Finding
        How the scores are written.

    Raises
    ------
    ScoreValueError
        If a comma may stand between thousands or before decimals.

    Examples
    --------
    >>> frame = pd.DataFrame({"a": ["73,5", "8"], "b": ["70,25", ""], "c": ["yes", "no"]})
    >>> with_numbers(frame, ["a", "b"])[0][["a", "b"]].values.tolist(), with_numbers(frame, ["c"])[0]["c"].tolist()
    ([[73.5, 70.25], [8.0, nan]], [1.0, 0.0])
    """
    places = {str(name): place for place, name in enumerate(frame.columns)}
    parts = {name: _texts(frame.iloc[:, places[name]]) for name in names}
    texts = {name: part for name, part in parts.items() if part is not None}
    if not texts:
        return frame, ()
    cells = list(dict.fromkeys(text for part in texts.values() for text in part.unique()))
    odd = [text for text in cells if number_of(text) is None]
    if not odd:
        return frame, ()
    others = any(_with_decimals(frame.iloc[:, places[name]]) for name in names if parts[name] is None)
    written = _understood(
        [text for text in cells if not np.isnan(_plain(text))], odd, names, decimal, others, len(texts) < len(names)
    )
    if written is None:
        return frame, ()
    numbers, how = written
    values = {text: numbers.get(text, _plain(text)) for text in cells}
    changed = frame.copy(deep=False)
    for name, part in texts.items():
        changed.isetitem(places[name], part.map(values).astype(float).to_numpy())
    where = f"{_columns(len(texts))} {names_text([*texts])}"
    shown = listed([quoted(text) for text in odd], 3)
    return changed, (Finding("scores-in-words", "info", f"{how}: {shown}.", where=where),)


def _columns(n: int) -> str:
    return "column" if n == 1 else "columns"


def _plain(text: str) -> float:
    """The number; infinity if it is none, and NaN if it stands for no score."""
    number = number_of(text)
    return np.inf if number is None else number


def _texts(series: pd.Series[Any]) -> pd.Series[Any] | None:
    """The cells as texts; None if they are no texts."""
    if pd.api.types.is_numeric_dtype(series.dtype):
        return None
    cells = series.astype(object).where(series.notna(), "")
    if not all(isinstance(cell, str) or number_of(cell) is not None for cell in cells.unique()):
        return None
    return cells.map(str).astype(object)  # Arrow has no half of a surrogate pair


def _with_decimals(series: pd.Series[Any]) -> bool:
    """Whether numbers beside the texts are no whole numbers, so that texts in another spelling are doubtful."""
    if not pd.api.types.is_numeric_dtype(series.dtype):
        return True
    values = series.to_numpy(dtype=float, na_value=np.nan)
    return bool(np.any(values[np.isfinite(values)] % 1 != 0))


def _understood(
    cells: Sequence[str], odd: Sequence[str], names: Sequence[str], decimal: Decimal, others: bool, any_numbers: bool
) -> _Written | None:
    stripped = {text: text.strip().casefold() for text in cells}
    held = {*stripped.values()}
    for right, wrong in right_and_wrong().items():
        if held <= {right, wrong} and not any_numbers:
            values = {text: float(word == right) for text, word in stripped.items()}
            return values, "Scores are words: they are taken as right (1) and wrong (0)"
    percent = [text for text in cells if _PERCENT.search(text)]
    if percent and (len(percent) < len(cells) or any_numbers):
        return None
    bare = {text: _PERCENT.sub("", word) for text, word in stripped.items()}
    numbers = _numbers(bare, names, decimal, others)
    if numbers is None:
        return None
    values, how = numbers
    if percent:
        how = "Scores are written in percent, and taken as numbers from 0 to 100" + (f"; {how}" if how else "")
    return values, how[:1].upper() + how[1:]


def _numbers(bare: dict[str, str], names: Sequence[str], decimal: Decimal, others: bool) -> _Written | None:
    with_comma = [word for word in bare.values() if "," in word]
    if not with_comma:
        values = {text: _plain(word) for text, word in bare.items()}
        return (values, "") if all(map(np.isfinite, values.values())) else None
    as_decimal = all(_COMMA_DECIMAL.fullmatch(word) for word in bare.values()) and not others
    as_thousands = all(_COMMA_THOUSANDS.fullmatch(word) for word in bare.values())
    if as_decimal and as_thousands and decimal == "auto":
        raise ScoreValueError(
            f"the comma in {quoted(with_comma[0])} may stand between thousands or before decimals",
            where=f"{_columns(len(names))} {names_text(names)}",
            remedy="say which: decimal='comma' (--decimal comma) or decimal='point' (--decimal point)",
        )
    if as_decimal and decimal != "point":
        values = {text: float(word.replace(".", "").replace(",", ".")) for text, word in bare.items()}
        return values, "a comma stands before the decimals"
    if as_thousands and decimal != "comma":
        values = {text: float(word.replace(",", "")) for text, word in bare.items()}
        return values, "commas stand between thousands"
    return None
