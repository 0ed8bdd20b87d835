"""Describe the columns of a table: what they hold, how they cross, and what their names say that they could be."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.metrics.corpus import COUNTS, counted_columns
from reportkit.metrics.formulas import folded
from reportkit.scores.codes import holds_scores, n_different
from reportkit.scores.names import (
    AVERAGE,
    CERTAIN,
    POSSIBLE,
    direction_of,
    is_average,
    is_covariate,
    is_metric,
    is_spread,
    listed_in,
    metric_of,
    order_of,
    strength,
    words,
)
from reportkit.scores.questions import FILES, Request

Kind = Literal["number", "flag", "text", "time", "spread", "empty"]

_SPREAD = r"^\s*[-+]?\d+(?:[.,]\d+)?\s*%?\s*(?:±|\+/-|\+-|\\pm|\$\\pm\$|\()\s*\d+(?:[.,]\d+)?\s*%?\s*\)?\s*$"
_TIME = r"^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$|^\d{1,2}:\d\d(:\d\d)?$"
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
    serial: bool = False

    @property
    def numeric(self) -> bool:
        """Whether its values could be scores."""
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

    @cached_property
    def distinct(self) -> Table:
        """The rows that differ; the table itself where all do."""
        rows = self.frame.drop_duplicates()
        return Table(rows) if len(rows) < len(self.frame) else self

    def codes(self, name: str) -> NDArray[np.int64]:
        """Return a number for each row, equal for equal cells; -1 for empty cells."""
        if name not in self._codes:
            series = self.frame[name]
            coded = isinstance(series.dtype, pd.CategoricalDtype)
            self._codes[name] = np.asarray(series.cat.codes if coded else pd.factorize(series)[0], dtype=np.int64)
        return self._codes[name]

    def n_cells(self, *names: str) -> int:
        """Count the different combinations of some columns."""
        joined = self.codes(names[0]) + 1
        for name in names[1:]:
            codes = self.codes(name)
            joined = joined * (int(codes.max(initial=0)) + 2) + codes + 1
            if joined.max(initial=0) > 1 << 40:
                joined = pd.factorize(joined)[0].astype(np.int64)
        return n_different(joined)

    def unique(self, *names: str) -> bool:
        """Return whether no combination of some columns occurs twice."""
        return self.n_cells(*names) == len(self.frame)

    def within(self, inner: str, outer: Sequence[str]) -> bool:
        """Return whether each value of a column occurs with one combination of others only."""
        return self.n_cells(inner, *outer) == self.n_cells(inner)

    def share(self, name: str, across: str, *given: str) -> float:
        """Return the mean number of values of `across` that each value of a column occurs with."""
        return self.n_cells(*given, name, across) / self.n_cells(*given, name)

    def is_number(self, name: str) -> bool:
        """Return whether a column may hold scores: numbers that its name does not call ids, times, counts or costs."""
        column, metric = self.columns[name], metric_of(name)
        if not column.numeric and column.kind != "spread":
            return False
        if metric is not None and not metric.rest:
            return not is_covariate(name) or name.casefold() in ("cost", "latency", "runtime", "time", "perplexity")
        constant = column.n_values < 2 and metric is None and column.kind != "flag"
        if is_covariate(name) or is_spread(name) or constant:
            return False
        key = any(strength(name, role) for role in ("instance", "seed", "fold", "rater", "cluster", "weight"))
        scored = metric is not None or words(name)[-1:] in (("score",), ("rating",), ("grade",))
        return scored or not (column.serial or key)


def value_counts(series: pd.Series) -> pd.Series:
    """Count the values of a column, in any order; categories that do not occur are left out."""
    counts = series.value_counts()
    return counts[counts > 0]


def describe(series: pd.Series, name: str) -> Column:
    """Describe a column by what it holds."""
    n_missing = int(series.isna().sum())
    filled = series.dropna() if n_missing else series
    types = pd.api.types
    if not len(filled):
        return Column(name, "empty", 0, n_missing)
    if types.is_datetime64_any_dtype(series.dtype) or types.is_timedelta64_dtype(series.dtype):
        return Column(name, "time", int(filled.nunique()), n_missing)
    if types.is_numeric_dtype(series.dtype):  # truth values, too
        return _of_numbers(filled.to_numpy(dtype=float), name, n_missing)
    counts = value_counts(filled)
    texts = [cell for cell in counts.index[:_SAMPLE] if cell is not None]
    said = {str(cell).strip().casefold() for cell in texts}
    if said <= _WORDS or (said in _LETTERS and metric_of(name) is not None):
        return Column(name, "flag", len(counts), n_missing, True, 0.0, 1.0)
    as_texts = pd.Series([str(cell) for cell in texts])
    if as_texts.str.match(_SPREAD).mean() > 0.5 and as_texts.str.contains(r"±|\+/-|\(|pm", regex=True).mean() > 0.5:
        return Column(name, "spread", len(counts), n_missing)
    if as_texts.str.match(r"^\s*[-+]?\d+\s*$").all():
        numbers = pd.to_numeric(pd.Series(counts.index.astype(str)), errors="coerce")
        if numbers.notna().all():
            return _of_numbers(numbers.to_numpy(dtype=float), name, n_missing, np.asarray(counts, np.int64))
    key = any(strength(name, role) for role in ("system", "dataset", "instance"))
    if not key and holds_scores(filled if len(filled) < 10_000 else pd.Series(texts)):
        shown = as_texts.str.replace("\u2212", "-").str.extract(r"([-+]?\d+(?:[.,]\d+)?)", expand=False)
        numbers = shown.str.replace(",", ".").dropna().map(float)
        if len(numbers):
            whole, low, high = bool((numbers % 1 == 0).all()), float(numbers.min()), float(numbers.max())
            return Column(name, "number", len(counts), n_missing, whole, low, high)
    return Column(name, "time" if as_texts.iloc[:20].str.match(_TIME).all() else "text", len(counts), n_missing)


def _of_numbers(
    values: NDArray[np.float64], name: str, n_missing: int, of_each: NDArray[np.int64] | None = None
) -> Column:
    """Describe numbers; if many are not whole, from a part of them."""
    low, high = float(values.min()), float(values.max())
    whole = all(bool(np.all(np.floor(some) == some)) for some in (values[:_SAMPLE], values))
    step = max(1, len(values) // _MANY_NUMBERS) if not whole else 1
    counted = pd.Series(values[::step]).value_counts()
    found, counts = counted.index.to_numpy(), np.asarray(counted if of_each is None else of_each, np.int64)
    if whole and set(found[:3]) <= {0.0, 1.0}:
        return Column(name, "flag", len(found), n_missing, True, low, high)
    if (low >= 1e9 and high < 4e9 and high - low < 3e8) or (low >= 1e12 and high < 4e12):  # seconds, milliseconds
        return Column(name, "time", len(found), n_missing, whole, low, high)
    running = whole and len(found) > 4 and low in (0.0, 1.0) and high - low == len(found) - 1
    serial = bool(running and counts.min() == counts.max())
    return Column(name, "number", len(found), n_missing, whole, low, high, serial)


def alike(columns: Sequence[Column]) -> bool:
    """Return whether columns share type and range, as scores of several systems do."""
    if len(columns) < 2:
        return True
    lows, highs = [column.low for column in columns], [column.high for column in columns]
    integers, others = [one for one in columns if one.whole], [one for one in columns if not one.whole]
    if any(column.kind == "flag" for column in columns):
        return (not others and max(highs) <= 10) or (min(lows) >= 0 and max(highs) <= 1)
    if integers and others:
        most = 2 * max(one.high for one in others) + 2
        if any(one.high > most for one in integers):
            return False
    widths = [high - low for low, high in zip(lows, highs, strict=True)]
    top = max(map(abs, [*lows, *highs]))
    near = min(highs) >= max(lows) or max(highs) <= 12 * min(highs)
    return near and max(widths) <= 20 * max(min(widths), 0.01 * top)


# The values that a column of a role can have, whatever its name.
_HOLDS: Mapping[str, Callable[[Column], bool]] = {
    "system": lambda one: one.kind == "text" or (one.whole and not one.serial and one.n_values <= 50),
    "dataset": lambda one: one.kind in ("text", "flag") or (one.numeric and one.whole),
    "instance": lambda one: one.kind in ("text", "time") or (one.numeric and one.whole and not is_metric(one.name)),
    "metric": lambda one: one.kind == "text",
}
# Counts that a metric is computed from, if all of one tuple are there.
_COUNTS = (("tp", "fp", "fn"), ("tp", "predicted", "gold"), ("k", "n"))
COMMON = 1.3  # from this mean number of systems per instance on, systems share instances


class Evidence:
    """The columns of one table, and the roles that each could have.

    Parameters
    ----------
    table : Table
    request : Request
        What the user says.

    Raises
    ------
    ColumnError, UnknownNameError
        If a column that the user names is not there, or a role is not known.
    """

    def __init__(self, table: Table, request: Request) -> None:
        self.table, self.request, self.columns = table, request, table.columns
        self.names = [name for name, column in self.columns.items() if column.kind != "empty"]
        self.given = request.checked_columns(list(self.columns))

    def named(self, role: str, at_least: int = POSSIBLE) -> list[str]:
        """Return the columns whose names suggest a role, the strongest first; only the user's, if there is one."""
        if role in self.given:
            return [self.given[role]]
        taken = {*self.given.values(), *(self.request.systems or ()), *self.request.metrics}
        kept = [name for name in self.names if name not in taken and strength(name, role) >= at_least]
        return sorted(kept, key=lambda name: (-strength(name, role), order_of(name, role)))

    def of(self, role: str, at_least: int = POSSIBLE, *, but: Container[str] = ()) -> list[str]:
        """Return the columns whose names suggest a role and whose values fit it, except those in `but`."""
        return [n for n in self.named(role, at_least) if n not in but and (role in self.given or self.holds(role, n))]

    def holds(self, role: str, name: str) -> bool:
        """Return whether the values of a column fit a role."""
        column = self.columns[name]
        if column.numeric and role == "instance" and is_covariate(name) and not strength(name, role):
            return False
        return role not in _HOLDS or _HOLDS[role](column)

    def listed(self, section: str, kind: str) -> list[str]:
        """Return the columns whose name is in a list."""
        return [name for name in self.names if listed_in(name, section, kind)]

    @cached_property
    def scores(self) -> list[str]:
        """Columns that could hold scores, and have no other role."""
        taken = {*(name for role, name in self.given.items() if role != "score"), *FILES}
        found = [name for name in self.names if name not in taken and self.table.is_number(name)]
        return list(dict.fromkeys([*found, *(name for name in self.request.metrics if name in self.columns)]))

    @cached_property
    def metrics(self) -> list[str]:
        """Columns whose whole name is that of a metric."""
        return [name for name in self.names if is_metric(name)]

    @cached_property
    def settings(self) -> list[str]:
        """Columns of a few texts, each of them in several rows."""
        most = min(50, len(self.table.frame) // 2)
        return [n for n in self.names if self.columns[n].kind == "text" and 1 < self.columns[n].n_values <= most]

    @cached_property
    def predicted(self) -> list[str]:
        """Columns whose names recur in names of predictions: `text` in `pred_text`."""
        said = {folded(name) for name in self.names}
        return [name for name in self.names if f"pred{folded(name)}" in said]

    @cached_property
    def metric(self) -> list[str]:
        """The column that names metrics, if there is one."""
        return self.of("metric", CERTAIN)[:1]

    @cached_property
    def sizes(self) -> list[str]:
        """Return the columns that hold numbers of instances."""
        return [n for n in self.listed("counts", "n") if self.columns[n].whole and self.columns[n].low >= 1]

    @cached_property
    def counts(self) -> dict[str, str]:
        """Columns of counts by what they count."""
        if {"k", "n"} & self.given.keys():
            return {role: self.given[role] for role in ("k", "n") if role in self.given}
        whole = [name for name in self.names if self.columns[name].numeric and self.columns[name].whole]
        for kinds in _COUNTS:
            found: dict[str, str] = {}
            for kind in kinds:
                found |= first(kind, [n for n in whole if listed_in(n, "counts", kind) and n not in found.values()])
            if len(found) == len(kinds):
                return found
        return {}

    @cached_property
    def statistics(self) -> dict[str, str]:
        """Columns that hold the counts of a metric of a corpus under their own names."""
        return counted_columns(self.names) if any(folded(name) in COUNTS for name in self.names) else {}

    def unsaid(self, but: Container[str]) -> list[str]:
        """Return the columns whose names say nothing and that could be ids: texts, and running numbers."""
        roles = ("system", "dataset", "seed", "fold", "rater", "prediction", "metric")
        free = [n for n in self.names if (self.columns[n].kind == "text" or self.columns[n].serial) and n not in but]
        return [n for n in free if not any(strength(n, role) for role in roles) and not is_covariate(n)]

    def unused(self, name: str) -> str:
        """Say why a column has no role: the first reason that holds."""
        column = self.columns[name]
        mean = AVERAGE.fullmatch(name) or (column.numeric and is_average(name) and not is_covariate(name))
        reasons = {
            "not used: empty": column.kind == "empty",
            "not used: an average": mean,
            "not used: a spread": is_spread(name),
            "not used: a time": column.kind == "time",
            f"another metric (--metric {name})": column.numeric and is_metric(name),
            "not used: describes the row": column.numeric and is_covariate(name),
        }
        return next((why for why, holds in reasons.items() if holds), "not used")

    def as_score(self, name: str) -> str:
        """Say that a column is the score, and which way is better."""
        higher = self.request.directions.get(name, direction_of(name))
        return "score" if higher is None else f"score ({'higher' if higher else 'lower'} is better)"

    def could(self, name: str) -> str:
        """Say what a column could be."""
        roles = [one for one in ("system", "dataset", "instance", "seed", "gold") if strength(name, one)]
        if name in FILES:
            return "system or dataset"
        if name in self.scores:
            return self.as_score(name)
        if not roles and self.columns[name].kind == "text":
            few = self.columns[name].n_values <= max(2, len(self.table.frame) // 3)
            roles = ["system", "dataset"] if few else ["instance"]
        return " or ".join(roles) if roles and self.holds("instance", name) else self.unused(name)

    def alike(self, names: Sequence[str]) -> bool:
        """Return whether columns share type and range."""
        return alike([self.columns[name] for name in names if self.columns[name].kind != "spread"])

    def in_common(self, found: Mapping[str, str]) -> bool:
        """Return whether most instances have scores of several systems."""
        if "system" not in found or self.is_constant(found["system"]):
            return True
        of = [found["dataset"]] if "dataset" in found else []
        return self.table.share(found["instance"], found["system"], *of) >= COMMON

    def is_constant(self, name: str) -> bool:
        """Return whether a column has one value."""
        return self.columns[name].n_values == 1


def first(role: str, names: Sequence[str]) -> dict[str, str]:
    """Give a role to the first of some columns, if there is one."""
    return {role: names[0]} if names else {}
