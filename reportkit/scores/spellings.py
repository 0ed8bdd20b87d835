"""Scores as people and spreadsheets write them: 73.5%, 73,5, 1,234.5, yes and no, correct and incorrect."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd

from reportkit.errors import ScoreValueError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import listed
from reportkit.scores.codes import names_text, number_of, quoted
from reportkit.scores.names import right_and_wrong

Decimal = Literal["auto", "point", "comma"]

_COMMA_DECIMAL = r"[+-]?(\d+|[1-9]\d{0,2}([.]\d{3})+)?,\d+|[+-]?\d+"
_COMMA_THOUSANDS = r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?|[+-]?\d*\.?\d+"


def with_numbers(
    frame: pd.DataFrame, names: Sequence[str], decimal: Decimal = "auto"
) -> tuple[pd.DataFrame, tuple[Finding, ...]]:
    """Turn texts of columns of scores into numbers, where all of them are written in one way.

    What is written in several ways stays as it is: reading it then names the rows.

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
        If a comma may be between thousands or before decimals.

    Examples
    --------
    >>> frame = pd.DataFrame({"a": ["73,5", "8"], "b": ["70,25", ""], "c": ["yes", "no"]})
    >>> with_numbers(frame, ["a", "b"])[0][["a", "b"]].values.tolist(), with_numbers(frame, ["c"])[0]["c"].tolist()
    ([[73.5, 70.25], [8.0, nan]], [1.0, 0.0])
    """
    written = [name for name in names if not pd.api.types.is_numeric_dtype(frame[name].dtype)]
    texts = {name: frame[name].astype(object).where(frame[name].notna(), "").map(str) for name in written}
    cells = list(dict.fromkeys(text for part in texts.values() for text in part.unique()))
    odd = [text for text in cells if number_of(text) is None]
    if not odd:
        return frame, ()
    others = frame[[name for name in names if name not in written]]
    bare = {text: text.strip().casefold().removesuffix("%").strip() for text in cells if text.strip()}
    percent = [text for text in bare if text.rstrip().endswith("%")]
    for right, wrong in right_and_wrong().items():
        if {*bare.values()} <= {right, wrong} and others.empty:
            values = {text: float(word == right) for text, word in bare.items()}
            return _turned(frame, texts, values, "Scores are words: they are taken as right (1) and wrong (0)", odd)
    if percent and (len(percent) < len(bare) or not others.empty):
        return frame, ()
    said = ["scores are written in percent, and taken as numbers from 0 to 100"] if percent else []
    if with_comma := [word for word in bare.values() if "," in word]:
        with_points = bool((others.dropna() % 1 != 0).to_numpy().any())
        as_decimal = all(re.fullmatch(_COMMA_DECIMAL, word) for word in bare.values()) and not with_points
        as_thousands = all(re.fullmatch(_COMMA_THOUSANDS, word) for word in bare.values())
        if as_decimal and as_thousands and decimal == "auto":
            raise ScoreValueError(
                f"the comma in {quoted(with_comma[0])} may stand between thousands or before decimals",
                where=f"columns {names_text(names)}",
                remedy="say which: decimal='comma' (--decimal comma) or decimal='point' (--decimal point)",
            )
        if as_decimal and decimal != "point":
            bare = {text: word.replace(".", "").replace(",", ".") for text, word in bare.items()}
            said.append("a comma stands before the decimals")
        elif as_thousands and decimal != "comma":
            bare = {text: word.replace(",", "") for text, word in bare.items()}
            said.append("commas stand between thousands")
    numbers = {text: number_of(word) for text, word in bare.items()}
    if None in numbers.values():
        return frame, ()
    how = "; ".join(said) or "scores are written as texts"
    values = {text: np.nan if number is None else number for text, number in numbers.items()}
    return _turned(frame, texts, values, how[0].upper() + how[1:], odd)


def _turned(
    frame: pd.DataFrame, texts: dict[str, pd.Series], values: dict[str, float], how: str, odd: Sequence[str]
) -> tuple[pd.DataFrame, tuple[Finding, ...]]:
    changed = frame.assign(**{name: part.map(values).astype(float) for name, part in texts.items()})
    where = f"column{'s' if len(texts) > 1 else ''} {names_text([*texts])}"
    shown = listed([quoted(text) for text in odd], 3)
    return changed, (Finding("scores-in-words", "info", f"{how}: {shown}.", where=where),)
