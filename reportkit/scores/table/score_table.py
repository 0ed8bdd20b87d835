"""All scores of a frame as parallel arrays, what the user said about them, and their place in a matrix per dataset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import InputError, MissingScoresError, ScoreValueError
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.choices import Missing
from reportkit.scores.scales import DeclaredKind
from reportkit.scores.table.names import Coded, IntegerArray, code_column, one_name
from reportkit.scores.table.row_numbers import LISTED, quoted, rows_text, share
from reportkit.scores.table.score_values import scores_of

ONLY_INSTANCE = "all"
"""Name of the one instance of each dataset where no instances are known."""

UNNAMED_METRIC = "score"

_SPARSE = 20
"""Refuse matrices of more than this many cells per score (and more than 100 million cells)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the user says about scores.

    Parameters
    ----------
    higher_is_better : bool or mapping of str to bool
        Direction of all metrics, or of each by its name; metrics that are not named count as higher is better.
    kind : str, mapping or None
        Declared kind of scores: for all, or by the name of a dataset or of a metric.
    missing : {"error", "drop", "worst"}
        Whether a row may be without a score.
    metric : str, optional
        A metric to compute: of a corpus, or a correlation with gold scores.
    across_datasets : bool
        Whether the datasets are the sample, so that one score per dataset is enough.
    source : str
        Name of the file, or "DataFrame", for messages.
    columns : mapping of str to str
        Role to the name of the column in the input, for messages.
    """

    higher_is_better: bool | Mapping[str, bool] = True
    kind: DeclaredKind = None
    missing: Missing = "error"
    metric: str | None = None
    across_datasets: bool = False
    source: str = "DataFrame"
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScoreTable:
    """One entry per score.

    Parameters
    ----------
    frame : DataFrame
        The long form: columns under the names of their roles.
    asked : Asked
        What the user says.
    system, dataset, metric, instance : Coded
        Names of each score.
    seed, cluster, fold : Coded, optional
        None if there is no such column.
    scores : ndarray of float of shape (n_scores,)
        As given; NaN where there is none.
    weights : ndarray of float of shape (n_scores,), optional
        Positive.
    rows : ndarray of int of shape (n_scores,)
        Row of the frame of each score.
    """

    frame: pd.DataFrame
    asked: Asked
    system: Coded
    dataset: Coded
    metric: Coded
    instance: Coded
    scores: NDArray[np.float64]
    rows: NDArray[np.int64]
    seed: Coded | None = None
    cluster: Coded | None = None
    fold: Coded | None = None
    weights: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.scores)

    def has(self, role: str) -> bool:
        """Whether the input has a column of a role."""
        return role in self.frame.columns

    def said(self, role: str) -> str:
        """Return what the input calls the column of a role."""
        return self.asked.columns.get(role, role)

    def columns_text(self, *roles: str) -> str:
        """Name the columns of some roles, for messages."""
        names = [repr(self.said(role)) for role in roles if self.has(role)]
        return ("column " if len(names) == 1 else "columns ") + listed(names)

    def rows_text(self, entries: IntegerArray) -> str:
        """Name the rows of some scores, for messages."""
        return rows_text(np.unique(self.rows[entries]), self.asked.source)

    def where(self, kept: NDArray[np.bool_]) -> ScoreTable:
        """Keep some of the scores."""
        names = ("system", "dataset", "metric", "instance", "scores", "rows", "seed", "cluster", "fold", "weights")
        held = {name: getattr(self, name) for name in names}
        some: dict[str, Any] = {name: None if value is None else value[kept] for name, value in held.items()}
        return replace(self, **some)

    def group_codes(self) -> NDArray[np.int64]:
        """Return a code of the (metric, dataset) of each score, in the order of both."""
        return self.metric.codes.astype(np.int64) * len(self.dataset.names) + self.dataset.codes


def score_table(frame: pd.DataFrame, asked: Asked) -> ScoreTable:
    """Take the columns of the long form apart.

    Raises
    ------
    InputError
        If there are no rows, or names are missing.
    ScoreValueError
        If scores are not finite numbers, or weights not positive.
    """
    if not len(frame):
        raise InputError("no row is left", where=asked.source, remedy="select other systems, datasets or metrics")
    coded: dict[str, Any] = {"instance": one_name(ONLY_INSTANCE, len(frame)), "metric": one_name("score", len(frame))}
    for role in ("system", "dataset", "metric", "instance", "seed", "cluster", "fold"):
        if role in frame:
            said = asked.columns.get(role)
            coded[role] = code_column(frame[role], role, source=asked.source, said=said)
    table = ScoreTable(frame=frame, asked=asked, scores=_scores(frame, asked), rows=np.arange(len(frame)), **coded)
    return replace(table, weights=_weights(table)) if table.has("weight") else table


def numbers_in(table: ScoreTable, role: str, what: str) -> NDArray[np.float64]:
    """Return the numbers in the column of a role, one for each score."""
    series = table.frame[role].rename(table.said(role))
    return scores_of(series, source=table.asked.source, what=what)[table.rows]


def _scores(frame: pd.DataFrame, asked: Asked) -> NDArray[np.float64]:
    """Scores, or k / n where only these are there."""
    if "score" in frame:
        return scores_of(frame["score"].rename(asked.columns.get("score", "score")), source=asked.source)
    if "k" not in frame:
        return np.full(len(frame), np.nan)
    k, n = (scores_of(frame[role], source=asked.source, what="count") for role in ("k", "n"))
    return np.asarray(np.divide(k, n, out=np.full(len(k), np.nan), where=n != 0), dtype=np.float64)


def _weights(table: ScoreTable) -> NDArray[np.float64]:
    weights = numbers_in(table, "weight", "weight")
    bad = np.flatnonzero(~(weights > 0))
    if bad.size:
        worst = weights[bad[0]]
        shown = "empty" if np.isnan(worst) else f"{worst:g}"
        raise ScoreValueError(
            share(bad.size, weights.size, "weights is not positive", "weights are not positive")
            + f": {table.columns_text('weight')}, the first is {shown}",
            where=table.rows_text(bad),
            remedy="give every row a weight above 0, or leave out the instances that are not to count",
        )
    return weights


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Group:
    """The scores on one dataset by one metric, and the place of each in a matrix.

    Parameters
    ----------
    metric, dataset : str
        Names.
    entries : ndarray of int of shape (n_scores,)
        Which scores of the table they are.
    systems, instances : ndarray of int
        Codes of those that occur, in order.
    rows, columns : ndarray of int of shape (n_scores,)
        System and instance of each score, as positions among those that occur.
    """

    metric: str
    dataset: str
    entries: NDArray[np.int64]
    systems: IntegerArray
    instances: IntegerArray
    rows: IntegerArray
    columns: IntegerArray

    def matrix(self, values: NDArray[np.float64], *, lower: bool = False) -> NDArray[np.float64]:
        """Lay values of all scores out, shape (n_systems, n_instances, ...); NaN where there is none, and no -0.0."""
        found = np.full((self.systems.size, self.instances.size, *values.shape[1:]), np.nan)
        found[self.rows, self.columns] = 0.0 - values[self.entries] if lower else values[self.entries] + 0.0
        found.flags.writeable = False
        return found

    def cells(self) -> NDArray[np.int64]:
        """Return the place of each score in the matrix, counted through."""
        return self.rows.astype(np.int64) * self.instances.size + self.columns

    def shared(self) -> NDArray[np.int64]:
        """Return the scores that share their place with another, place by place."""
        cells = self.cells()
        seen = np.zeros(self.systems.size * self.instances.size, dtype=bool)
        seen[cells] = True
        if np.count_nonzero(seen) == cells.size:
            return np.empty(0, dtype=np.int64)
        several = np.flatnonzero(np.bincount(cells)[cells] > 1)
        return self.entries[several[np.argsort(cells[several], kind="stable")]]

    def per_instance(self, values: NDArray[Any], table: ScoreTable, role: str) -> NDArray[Any]:
        """Return the value of each instance, which has to be the same in all of its rows.

        Raises
        ------
        InputError
            If an instance belongs to several clusters.
        ScoreValueError
            If an instance has several weights or gold scores.
        """
        here = values[self.entries]
        found = np.empty(self.instances.size, dtype=values.dtype)
        found[self.columns] = here
        differs = found[self.columns] != here
        if not differs.any():
            return found
        wrong = np.unique(self.columns[differs])
        entries = self.entries[self.columns == wrong[0]]
        of_clusters = role == "cluster" and table.cluster is not None
        shown = [quoted(table.cluster.of(entry)) if of_clusters else f"{values[entry]:.12g}" for entry in entries]  # type: ignore[union-attr]
        what = {"cluster": "clusters", "weight": "weights", "gold": "gold scores"}[role]
        error = InputError if of_clusters else ScoreValueError
        raise error(
            counted(wrong.size, "instance has", "instances have") + f" several {what}",
            where=f"{table.columns_text(role)}: instance {quoted(table.instance.of(int(entries[0])))} of "
            f"{quoted(self.dataset)} has {listed(list(dict.fromkeys(shown)), LISTED)} ({table.rows_text(entries)})",
            remedy=f"give each instance one {what[:-1]}, the same in the rows of all systems;\n"
            f"if {table.columns_text(role)} holds no {what}, rename or remove it",
        )


def groups_of(table: ScoreTable) -> list[Group]:
    """Find the place of each score, in the order of metrics and datasets.

    Raises
    ------
    MissingScoresError
        If nearly all cells would be empty: systems have hardly any instance in common.
    """
    keys = table.group_codes()
    order = np.argsort(keys.astype(np.min_scalar_type(int(keys.max(initial=0)))), kind="stable")
    sizes = np.bincount(keys)
    present = np.flatnonzero(sizes)
    found = []
    for key, entries in zip(present.tolist(), np.split(order, np.cumsum(sizes[present])[:-1]), strict=True):
        metric, dataset = divmod(key, len(table.dataset.names))
        systems, rows = _places(table.system.codes[entries], len(table.system.names))
        instances, columns = _places(table.instance.codes[entries], len(table.instance.names))
        found.append(
            Group(
                metric=str(table.metric.names[metric]),
                dataset=str(table.dataset.names[dataset]),
                entries=entries,
                systems=systems,
                instances=instances,
                rows=rows,
                columns=columns,
            )
        )
    n_cells = sum(group.systems.size * group.instances.size for group in found)
    if n_cells > max(_SPARSE * len(table), 100_000_000):
        raise MissingScoresError(
            f"the systems have hardly any instance in common: {len(table):,} scores for {n_cells:,} pairs of a\n"
            "system and an instance",
            where=f"{counted(len(table.system.names), 'system')}, {counted(len(table.dataset.names), 'dataset')}",
            remedy="give the same test item the same id for all systems; a paired test needs the same instances",
        )
    return found


def _places(codes: IntegerArray, n_names: int) -> tuple[IntegerArray, IntegerArray]:
    """Return the codes that occur, and the position of each code among them."""
    if n_names > 4 * codes.size:
        present, places = np.unique(codes, return_inverse=True)
        return present, places
    seen = np.zeros(n_names, dtype=bool)
    seen[codes] = True
    return np.flatnonzero(seen), (np.cumsum(seen, dtype=np.int32) - 1)[codes]
