"""All scores of a frame as parallel arrays, whatever its form, and what the user said about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import ColumnError, InputError, ScoreValueError
from reportkit.scores.choices import Missing
from reportkit.scores.scales import DeclaredKind
from reportkit.scores.table.cell_index import CellIndex, Group, any_where, in_blocks, index_cells
from reportkit.scores.table.columns import Columns, needs_index
from reportkit.scores.table.names import Coded, code_column, refuse_half_characters
from reportkit.scores.table.row_numbers import rows_text, share
from reportkit.scores.table.score_values import parsed, remedy_for

ONLY_INSTANCE = "all"
"""Name of the one instance of each dataset where no instances are known."""

_SHORT_FLOATS = {"float32": 7, "float": 7, "float16": 3, "halffloat": 3}
"""Significant decimal digits of short floating-point numbers, by the name of the column's type."""

_LARGEST_EXACT_POWER = 22


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreTable:
    """One entry per score, and the matrix of scores of each (metric, dataset).

    Parameters
    ----------
    system, dataset, instance : Coded
        Names of each score.
    metric, seed, cluster, fold : Coded, optional
        None if there is no such column.
    scores : ndarray of float of shape (n_scores,)
        As given; NaN where there is none.
    weights : ndarray of float of shape (n_scores,), optional
        As given.
    rows : ndarray of int of shape (n_scores,), optional
        Row of the frame of each score; None if score i stands in row i.
    negated : ndarray of bool of shape (n_metrics,)
        Metrics of which lower is better: their scores are negated in the matrices.
    """

    system: Coded
    dataset: Coded
    instance: Coded
    scores: NDArray[np.float64]
    metric: Coded | None = None
    seed: Coded | None = None
    cluster: Coded | None = None
    fold: Coded | None = None
    weights: NDArray[np.float64] | None = None
    rows: NDArray[np.int64] | None = None
    negated: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(1, dtype=bool))

    def __len__(self) -> int:
        return len(self.scores)

    def rows_of(self, entries: NDArray[np.int64]) -> NDArray[np.int64]:
        """Rows of the frame of some entries."""
        return entries if self.rows is None else self.rows[entries]

    def where(self, kept: NDArray[np.bool_]) -> ScoreTable:
        """Keep some of the scores."""
        return replace(
            self,
            system=self.system[kept],
            dataset=self.dataset[kept],
            instance=self.instance[kept],
            scores=self.scores[kept],
            metric=None if self.metric is None else self.metric[kept],
            seed=None if self.seed is None else self.seed[kept],
            cluster=None if self.cluster is None else self.cluster[kept],
            fold=None if self.fold is None else self.fold[kept],
            weights=None if self.weights is None else self.weights[kept],
            rows=np.flatnonzero(kept) if self.rows is None else self.rows[kept],
        )

    @cached_property
    def index(self) -> CellIndex:
        """Where each score stands in the matrices.

        Raises
        ------
        MissingScoresError
            If nearly all cells would be empty.
        """
        return index_cells(self.system, self.dataset, self.instance, self.metric)

    @property
    def groups(self) -> tuple[Group, ...]:
        """One per (metric, dataset) with scores, in order."""
        return self.index.groups

    @cached_property
    def _cells(self) -> NDArray[np.float64]:
        """All matrices one after the other, oriented; NaN where there is no score, and no -0.0."""
        cells = np.empty(self.index.n_cells)

        def clear(part: slice) -> None:
            cells[part] = np.nan

        def fill(entries: slice) -> None:
            scores = self.scores[entries] + 0.0
            if self.metric is None:
                oriented = 0.0 - scores if self.negated[0] else scores
            elif self.negated.any():
                oriented = np.where(self.negated[self.metric.codes[entries]], 0.0 - scores, scores)
            else:
                oriented = scores
            cells[self.index.cells(entries)] = oriented

        in_blocks(clear, cells.size)
        in_blocks(fill, len(self))
        return cells

    @cached_property
    def filled(self) -> tuple[NDArray[np.int64], ...]:
        """Number of cells that hold a score, of each system of each group."""
        return tuple(
            np.array([row.size - np.count_nonzero(np.isnan(row)) for row in self.matrix(group)], dtype=np.int64)
            for group in self.groups
        )

    @property
    def n_filled(self) -> int:
        """Number of cells that hold a score: fewer than there are scores where some share a cell."""
        return sum(int(counts.sum()) for counts in self.filled)

    def matrix(self, group: Group) -> NDArray[np.float64]:
        """Scores of one group, oriented, shape (n_systems, n_instances)."""
        return self._cells[group.cells].reshape(group.systems.size, group.instances.size)


def where_metrics_apply(table: ScoreTable) -> ScoreTable:
    """Leave out datasets on which no system has a score by a metric: it does not apply there, and nothing is missing.

    A file with a column for accuracy and one for F1 holds neither for every dataset. If there is no score at all, the
    table is returned as it is.
    """
    if not any_where(np.isnan, table.scores):
        return table
    absent = np.isnan(table.scores)
    if absent.all():
        return table
    metrics = 1 if table.metric is None else len(table.metric.names)
    groups = np.asarray(table.dataset.codes, dtype=np.int64) * metrics
    if table.metric is not None:
        groups = groups + table.metric.codes
    scored = np.bincount(groups, weights=~absent) > 0
    return table if scored[groups].all() else table.where(scored[groups])


def long_table(frame: pd.DataFrame, columns: Columns, source: str) -> ScoreTable:
    """Scores of a frame in long form.

    Raises
    ------
    InputError
        If names are missing, or scores are not finite numbers.
    """
    return ScoreTable(
        system=code_column(column(frame, columns.roles["system"]), "system", source=source),
        scores=_scores(frame, columns, source),
        **_shared(frame, columns, source),
    )


def _scores(frame: pd.DataFrame, columns: Columns, source: str) -> NDArray[np.float64]:
    """Scores of the long form; k / n where only these are there."""
    if "score" in columns.roles:
        return scores_of(column(frame, columns.roles["score"]), source=source)
    if columns.statistics:
        return np.full(len(frame), np.nan)
    k, n = (scores_of(column(frame, columns.roles[role]), source=source, what="count") for role in ("k", "n"))
    return np.asarray(np.divide(k, n, out=np.full(len(k), np.nan), where=n != 0), dtype=np.float64)


def wide_table(frame: pd.DataFrame, columns: Columns, source: str) -> ScoreTable:
    """Scores of a frame in wide form: those of the first system, then those of the second, ...

    An empty cell is no score.

    Raises
    ------
    InputError
        As for the long form.
    """
    places = {str(label): place for place, label in enumerate(frame.columns)}
    scores = [_scores_of_system(frame.iloc[:, places[name]], columns, name, source) for name in columns.systems]
    shared = _shared(frame, columns, source)
    n_rows, n_systems = len(frame), len(columns.systems)
    tiled: dict[str, Any] = {
        role: Coded(np.tile(value.codes, n_systems), value.names, value.ordered)
        if isinstance(value, Coded)
        else (None if value is None else np.tile(value, n_systems))
        for role, value in shared.items()
    }
    return ScoreTable(
        system=Coded(np.repeat(np.arange(n_systems), n_rows), np.array(columns.systems, dtype=object)),
        scores=np.concatenate(scores),
        rows=np.tile(np.arange(n_rows), n_systems),
        **tiled,
    )


def _scores_of_system(series: pd.Series[Any], columns: Columns, name: str, source: str) -> NDArray[np.float64]:
    """Scores of one column; what to do if it is no system is said beside what is wrong with them."""
    try:
        return scores_of(series, source=source)
    except ScoreValueError as error:
        if "system" in columns.declared:
            raise
        others = [other for other in columns.systems if other != name]
        raise ScoreValueError(
            error.problem, where=error.where, remedy=f"{error.remedy};\n{columns.exclusion([name], others)}"
        ) from None


def with_index(frame: pd.DataFrame, columns: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Turn the named levels of the index into columns, if one of them is needed.

    Examples
    --------
    >>> frame = pd.DataFrame({"system": ["a"], "dataset": ["cb"], "id": [1], "score": [0.5]})
    >>> list(with_index(frame.set_index(["system", "dataset", "id"])).columns)
    ['system', 'dataset', 'id', 'score']
    >>> list(with_index(frame.set_index("score", drop=False)).columns)
    ['system', 'dataset', 'id', 'score']
    """
    if frame.columns.nlevels > 1:
        return frame
    names = [str(name) for name in frame.columns]
    levels = {
        place: str(name) for place, name in enumerate(frame.index.names) if name is not None and str(name) not in names
    }
    if len({*levels.values()}) < len(levels) or not needs_index(names, [*levels.values()], columns):
        return frame
    return frame.reset_index(level=[*levels])


def require_rows(frame: object) -> None:
    """Refuse what is no frame of pandas, has columns of several levels, or no rows.

    Raises
    ------
    InputError
        With what to do.
    """
    if not isinstance(frame, pd.DataFrame):
        raise InputError(
            f"results are a {type(frame).__name__}, not a DataFrame of pandas",
            remedy="give a pandas.DataFrame (of polars: frame.to_pandas()), or the path of a file",
        )
    if frame.columns.nlevels > 1:
        raise ColumnError(
            f"the columns have {frame.columns.nlevels} levels",
            where=f"the first is {frame.columns[0]!r}",
            remedy="give plain column names: df.columns = ['_'.join(map(str, name)) for name in df.columns]",
        )
    refuse_half_characters(map(str, frame.columns), "columns", "the header")
    if len(frame) == 0:
        raise InputError(
            "the frame has no rows",
            where="columns: " + (", ".join(repr(str(name)) for name in frame.columns[:20]) or "none"),
            remedy="check the selection that made it",
        )


def column(frame: pd.DataFrame, name: str) -> pd.Series[Any]:
    """The column with a name, as text."""
    if frame.columns.is_unique and name in frame.columns:
        return frame[name]
    labels = frame.columns.tolist()
    if labels.count(name) == 1:
        return frame[name]
    return frame.iloc[:, [str(label) for label in labels].index(name)]


def _shared(frame: pd.DataFrame, columns: Columns, source: str) -> dict[str, Any]:
    shared: dict[str, Any] = {}
    for role in ("dataset", "instance", "metric", "seed", "cluster", "fold"):
        name = columns.roles.get(role)
        shared[role] = None if name is None else code_column(column(frame, name), role, source=source)
    if shared["instance"] is None:  # one score per system and dataset
        shared["instance"] = Coded(np.zeros(len(frame), dtype=np.int64), np.array([ONLY_INSTANCE], dtype=object))
    name = columns.roles.get("weight")
    shared["weights"] = None if name is None else _weights(column(frame, name), source)
    return shared


def _weights(series: pd.Series[Any], source: str) -> NDArray[np.float64]:
    weights = scores_of(series, source=source, what="weight")
    bad = np.flatnonzero(~(weights > 0))
    if bad.size:
        worst = weights[bad[0]]
        shown = "empty" if np.isnan(worst) else f"{worst:g}"
        raise ScoreValueError(
            share(bad.size, weights.size, "weights is not positive", "weights are not positive")
            + f": column {series.name!r}, the first is {shown}",
            where=rows_text(bad, source),
            remedy="give every row a weight above 0, or leave out the instances that are not to count",
        )
    return weights


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ingestion:
    """A frame whose columns are recognised, and what the user said about it.

    Parameters
    ----------
    frame : DataFrame
        As given.
    table : ScoreTable
        Its scores as parallel arrays.
    columns : Columns
        Which column plays which role.
    metrics : list of str
        Names of the metrics, by code.
    kind : str, mapping or None
        Declared kinds of scores.
    missing : {"error", "drop", "worst", "bounds"}
        Whether scores may be missing.
    metric : str or None
        The metric that is asked for, where it has to be computed: a corpus metric, or a correlation.
    source : str
        Name of the file, or "DataFrame".
    across_datasets : bool
        Whether the datasets are going to be taken as the sample, so that one score per dataset is enough.
    higher_is_better : bool or mapping of str to bool
        As declared.
    partial : bool
        Whether there are other datasets elsewhere, so that what only all of them can show is not looked at.
    """

    frame: pd.DataFrame
    table: ScoreTable
    columns: Columns
    metrics: list[str]
    kind: DeclaredKind
    missing: Missing
    metric: str | None
    source: str
    across_datasets: bool = False
    higher_is_better: bool | Mapping[str, bool] = True
    partial: bool = False

    @property
    def negated(self) -> NDArray[np.bool_]:
        """Metrics of which lower is better, by code."""
        return self.table.negated

    def with_table(self, table: ScoreTable) -> Ingestion:
        """Return the same with other scores."""
        return replace(self, table=table)


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
    if any_where(np.isinf, values):
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
    rounded = values.copy()
    broken = np.flatnonzero(np.isfinite(values) & (values != np.rint(values)))
    chosen = values[broken]
    decimals = digits - 1 - np.floor(np.log10(np.abs(chosen)))
    for places in np.unique(decimals):  # a power of ten that is exact, or a text, leaves no error of its own
        alike = decimals == places
        rounded[broken[alike]] = (
            np.round(chosen[alike] * 10.0**places) / 10.0**places
            if 0 <= places <= _LARGEST_EXACT_POWER
            else [float(f"{value:.{digits - 1}e}") for value in chosen[alike]]
        )
    return rounded
