"""Describe the columns of a table: what they hold, what their names say, and how they cross."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.scores.names import CERTAIN, is_covariate, is_spread, metric_of, strength, words
from reportkit.scores.table.score_values import score_columns

Kind = Literal["number", "flag", "text", "time", "spread", "empty"]

_SPREAD = r"^\s*[-+]?\d+(?:[.,]\d+)?\s*%?\s*(?:±|\+/-|\+-|\\pm|\$\\pm\$|\()\s*\d+(?:[.,]\d+)?\s*%?\s*\)?\s*$"
_WORDS = frozenset(
    ["yes", "no", "true", "false", "right", "wrong", "correct", "incorrect", "pass", "fail", "passed", "failed"]
)
_LETTERS = ({"c", "i"}, {"y", "n"}, {"t", "f"})
"""Letters that say right and wrong in columns of scores."""
_SAMPLE = 2_000
_MANY_NUMBERS = 100_000


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Parameters
    ----------
    name : str
    kind : str
        "number"; "flag" (two values that say right and wrong); "text"; "time"; "spread" ("38.0 ± 0.2"); "empty".
    n_values, n_missing : int
        Distinct values, and empty cells.
    whole : bool
        Whether all values are whole numbers.
    low, high : float
        Smallest and largest value of numbers.
    decimals : int
        Most decimals among the first values.
    serial : bool
        Whether the values are consecutive whole numbers, each of them equally often: a running number.
    """

    name: str
    kind: Kind
    n_values: int
    n_missing: int
    whole: bool = False
    low: float = np.nan
    high: float = np.nan
    decimals: int = 0
    serial: bool = False

    @property
    def numeric(self) -> bool:
        """Whether it could hold scores by what it holds."""
        return self.kind in ("number", "flag")

    @property
    def described(self) -> str:
        """The content in a few words: "text, 3 different", "0.12 to 0.98"."""
        if self.kind == "number":
            return f"{'whole numbers, ' if self.whole else ''}{self.low:.4g} to {self.high:.4g}"
        if self.kind in ("flag", "empty"):
            return "right or wrong" if self.kind == "flag" else "empty"
        return f"{'mean ± spread' if self.kind == 'spread' else self.kind}, {self.n_values:,} different"


class Table:
    """A table whose columns are described once.

    Parameters
    ----------
    frame : DataFrame
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame
        self._codes: dict[str, NDArray[np.int64]] = {}

    @cached_property
    def columns(self) -> dict[str, Column]:
        """All columns by name, in the order of the table."""
        return {str(name): describe(self.frame[name], str(name)) for name in self.frame.columns}

    def codes(self, name: str) -> NDArray[np.int64]:
        """A number for each row, equal for equal cells; -1 for empty cells."""
        if name not in self._codes:
            series = self.frame[name]
            if isinstance(series.dtype, pd.CategoricalDtype):
                self._codes[name] = np.asarray(series.cat.codes, dtype=np.int64)
            else:
                self._codes[name] = pd.factorize(series)[0].astype(np.int64)
        return self._codes[name]

    def cells(self, names: Sequence[str]) -> NDArray[np.int64]:
        """A number for each row, equal where all of some columns are."""
        joined = self.codes(names[0]) + 1
        for name in names[1:]:
            codes = self.codes(name)
            joined = joined * (int(codes.max(initial=0)) + 2) + codes + 1
            if joined.max(initial=0) > 1 << 40:
                joined = np.unique(joined, return_inverse=True)[1].astype(np.int64)
        return joined

    def n_cells(self, *names: str) -> int:
        """How many different combinations of some columns there are."""
        if len(names) == 1:
            return int(np.count_nonzero(np.bincount(self.codes(names[0]) + 1)))
        cells = self.cells(names)
        if len(cells) and cells.max() < 4 * len(cells):
            return int(np.count_nonzero(np.bincount(cells)))
        return len(np.unique(cells))

    def unique(self, *names: str) -> bool:
        """Whether no combination of some columns occurs twice."""
        return self.n_cells(*names) == len(self.frame)

    def within(self, inner: str, outer: Sequence[str]) -> bool:
        """Whether each value of a column occurs with one combination of others only."""
        return self.n_cells(inner, *outer) == self.n_cells(inner)

    def share(self, name: str, across: str, *given: str) -> float:
        """Mean number of values of `across` that each value of a column occurs with."""
        return self.n_cells(*given, name, across) / max(1, self.n_cells(*given, name))

    def is_number(self, name: str) -> bool:
        """Whether a column may hold scores: numbers, and neither ids, times, counts, costs nor spreads by its name."""
        column = self.columns[name]
        return (column.numeric or column.kind == "spread") and not self.is_described(name)

    def is_described(self, name: str) -> bool:
        """Whether a name or its values say that a column describes rows, and is no score."""
        column = self.columns[name]
        metric = metric_of(name)
        if metric is not None and not metric.rest:
            return is_covariate(name) and name.casefold() not in ("cost", "latency", "runtime", "time", "perplexity")
        constant = column.n_values < 2 and metric is None and column.kind != "flag"
        if is_covariate(name) or is_spread(name) or constant:
            return True
        if column.whole and any(strength(name, role) == CERTAIN for role in ("system", "dataset")):
            return True  # numbered systems
        key = any(strength(name, role) for role in ("instance", "seed", "fold", "rater", "cluster", "weight"))
        return (
            (column.serial or key) and metric is None and words(name)[-1:] not in (("score",), ("rating",), ("grade",))
        )


def value_counts(series: pd.Series) -> pd.Series:
    """Count the values of a column, in any order; categories that do not occur are left out."""
    if not isinstance(series.dtype, pd.CategoricalDtype):
        return series.value_counts(sort=False)
    counts = np.bincount(np.asarray(series.cat.codes) + 1, minlength=len(series.cat.categories) + 1)[1:]
    return pd.Series(counts, index=series.cat.categories)[counts > 0]


def describe(series: pd.Series, name: str) -> Column:
    """Describe a column by what it holds."""
    n_missing = int(series.isna().sum())
    filled = series.dropna() if n_missing else series
    if not len(filled):
        return Column(name, "empty", 0, n_missing)
    if pd.api.types.is_datetime64_any_dtype(series.dtype) or pd.api.types.is_timedelta64_dtype(series.dtype):
        return Column(name, "time", int(filled.nunique()), n_missing)
    if pd.api.types.is_bool_dtype(series.dtype) and not isinstance(series.dtype, pd.CategoricalDtype):
        return Column(name, "flag", int(filled.nunique()), n_missing, True, float(filled.min()), float(filled.max()))
    if pd.api.types.is_numeric_dtype(series.dtype):
        found = _of_numbers(filled.to_numpy(dtype=float), name, n_missing)
        return replace(found, n_values=int(filled.nunique())) if found.whole and abs(found.high) > 2**53 else found
    counts = value_counts(filled)
    n_values = len(counts)
    texts = [cell for cell in counts.index[:_SAMPLE] if cell is not None]
    said = {str(cell).strip().casefold() for cell in texts}
    if said <= _WORDS or (said in _LETTERS and metric_of(name) is not None):
        return Column(name, "flag", n_values, n_missing, True, 0.0, 1.0)
    as_texts = pd.Series([str(cell) for cell in texts])
    if as_texts.str.match(_SPREAD).mean() > 0.5 and as_texts.str.contains("±|\\+/-|\\(|pm", regex=True).mean() > 0.5:
        return Column(name, "spread", n_values, n_missing)
    if as_texts.str.match(r"^\s*[-+]?\d+\s*$").all():
        numbers = pd.to_numeric(pd.Series(counts.index.astype(str)), errors="coerce")
        if numbers.notna().all():
            return _of_numbers(numbers.to_numpy(dtype=float), name, n_missing, np.asarray(counts, np.int64))
    key = any(strength(name, role) for role in ("system", "dataset", "instance"))
    if not key and score_columns(pd.DataFrame({name: filled}) if len(filled) < 10_000 else pd.DataFrame({name: texts})):
        shown = as_texts.str.replace("\u2212", "-").str.extract(r"([-+]?\d+(?:[.,]\d+)?)", expand=False)
        numbers = shown.str.replace(",", ".").dropna().map(float)
        if len(numbers):
            whole = bool((numbers % 1 == 0).all())
            return Column(name, "number", n_values, n_missing, whole, float(numbers.min()), float(numbers.max()), 1)
    dates = as_texts.iloc[:20].str.match(r"^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$|^\d{1,2}:\d\d(:\d\d)?$")
    return Column(name, "time" if dates.all() else "text", n_values, n_missing)


def _of_numbers(
    values: NDArray[np.float64], name: str, n_missing: int, of_each: NDArray[np.int64] | None = None
) -> Column:
    low, high = float(values.min()), float(values.max())
    whole = bool(np.all(np.floor(values) == values))
    if whole and of_each is None and high - low < 4 * len(values):  # faster than to sort
        of_each = np.bincount((values - low).astype(np.int64))
        found, counts = low + np.flatnonzero(of_each), of_each[of_each > 0]
    else:
        step = max(1, len(values) // _MANY_NUMBERS) if not whole else 1
        found, counts = np.unique(values[::step], return_counts=True)
        counts = counts if of_each is None else of_each
    if whole and set(found) <= {0.0, 1.0}:
        return Column(name, "flag", len(found), n_missing, True, low, high)
    if (low >= 1e9 and high < 4e9 and high - low < 3e8) or (low >= 1e12 and high < 4e12):  # seconds, milliseconds
        return Column(name, "time", len(found), n_missing, whole, low, high)
    serial = bool(
        whole and len(found) > 4 and low in (0.0, 1.0) and high - low == len(found) - 1 and counts.min() == counts.max()
    )
    decimals = max((len(f"{value:.10g}".partition(".")[2]) for value in found[:200]), default=0)
    return Column(name, "number", len(found), n_missing, whole, low, high, decimals, serial)


def alike(columns: Sequence[Column]) -> bool:
    """Whether columns share type, range and decimals as scores of several systems do."""
    held = list(columns)
    if len(held) < 2:
        return True
    flags = [column.kind == "flag" for column in held]
    whole = [column.whole for column in held]
    if any(flags) and all(whole) and max(column.high for column in held) <= 10:
        return True
    if any(flags):
        return all(column.low >= 0 and column.high <= 1 for column in held)
    lows, highs = [column.low for column in held], [column.high for column in held]
    top = max(map(abs, [*lows, *highs]))
    if any(whole) and not all(whole):
        integers = [column for column in held if column.whole]
        others = [column for column in held if not column.whole]
        if any(column.high > 2 * max(one.high for one in others) + 2 for column in integers):
            return False
        if any(column.n_values > 5 for column in integers) and max(column.decimals for column in others) > 0:
            return False
    widths = [high - low for low, high in zip(lows, highs, strict=True)]
    near = min(highs) >= max(lows) or (min(highs) > 0 and max(highs) <= 12 * min(highs))
    return near and max(widths) <= 20 * max(min(widths), 0.01 * top)


__all__ = ["Column", "Table", "alike", "describe", "value_counts"]
