"""What belongs to an instance, not to a score: its cluster and its weight, the same in all of its rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import InputError, ScoreValueError
from reportkit.scores.table.cell_index import Group
from reportkit.scores.table.columns import Columns
from reportkit.scores.table.row_numbers import LISTED, counted, listed, quoted, rows_text
from reportkit.scores.table.score_table import ScoreTable


@dataclass(frozen=True, slots=True, eq=False)
class PerInstance:
    """What belongs to an instance, not to a score; by position among the instances of all groups.

    Parameters
    ----------
    clusters : ndarray of int of shape (n_columns,), optional
        Codes into `cluster_names`.
    cluster_names : ndarray of str, optional
        Names of all clusters.
    weights : ndarray of float of shape (n_columns,), optional
        Positive.
    """

    clusters: NDArray[np.int64] | None
    cluster_names: NDArray[np.object_] | None
    weights: NDArray[np.float64] | None

    def clusters_of(self, group: Group) -> tuple[NDArray[np.int64] | None, tuple[str, ...]]:
        """Codes of the clusters of one group into the names that occur there, which are sorted."""
        if self.clusters is None or self.cluster_names is None:
            return None, ()
        codes = self.clusters[group.columns]
        present = np.unique(codes)
        ordered = present[np.argsort(self.cluster_names[present].astype(str), kind="stable")]
        position = np.empty(len(self.cluster_names), dtype=np.int64)
        position[ordered] = np.arange(ordered.size)
        return position[codes], tuple(self.cluster_names[ordered])


def per_instance(table: ScoreTable, columns: Columns, source: str) -> PerInstance:
    """Gather clusters and weights, which have to be the same in all rows of an instance.

    Raises
    ------
    InputError
        If an instance belongs to several clusters.
    ScoreValueError
        If an instance has several weights.
    """
    if table.cluster is None and table.weights is None:
        return PerInstance(None, None, None)
    places = table.index.columns()
    clusters = weights = None
    if table.cluster is not None:
        clusters = np.empty(table.index.n_columns, dtype=np.int64)
        clusters[places] = table.cluster.codes
        _refuse_two_values(table, places, clusters[places] != table.cluster.codes, "cluster", columns, source)
        _refuse_one_cluster(table, clusters, columns)
    if table.weights is not None:
        weights = np.empty(table.index.n_columns)
        weights[places] = table.weights
        _refuse_two_values(table, places, weights[places] != table.weights, "weight", columns, source)
    return PerInstance(clusters, None if table.cluster is None else table.cluster.names, weights)


def _refuse_one_cluster(table: ScoreTable, clusters: NDArray[np.int64], columns: Columns) -> None:
    """A column that names one and the same cluster for all instances of each dataset is no column of clusters."""
    if any(np.unique(clusters[group.columns]).size > 1 for group in table.groups):
        return
    name = columns.roles["cluster"]
    raise InputError(
        "every dataset is one cluster: no instance is independent of another",
        where=f"column {name!r} has one value in each of "
        + counted(len({group.dataset for group in table.groups}), "dataset", "datasets"),
        remedy="name the document or dialogue of each instance; if there is none, give no column of clusters:\n"
        f"rename or remove {name!r}",
    )


def _refuse_two_values(
    table: ScoreTable, places: NDArray[np.int64], differs: NDArray[np.bool_], role: str, columns: Columns, source: str
) -> None:
    if not differs.any():
        return
    wrong = np.unique(places[differs])
    entries = np.flatnonzero(places == wrong[0])
    values: list[str] = []
    first = int(entries[0])
    if role == "cluster" and table.cluster is not None:
        values = list(dict.fromkeys(quoted(table.cluster.names[code]) for code in table.cluster.codes[entries]))
    elif table.weights is not None:
        values = list(dict.fromkeys(f"{weight:g}" for weight in table.weights[entries]))
    label = quoted(table.instance.names[table.instance.codes[first]])
    dataset = quoted(table.dataset.names[table.dataset.codes[first]])
    name = columns.roles[role]
    error = InputError if role == "cluster" else ScoreValueError
    raise error(
        counted(wrong.size, "instance belongs", "instances belong") + " to several clusters"
        if role == "cluster"
        else counted(wrong.size, "instance has", "instances have") + " several weights",
        where=f"column {name!r}: instance {label} of {dataset} has {listed(values[:LISTED], len(values))} "
        f"({rows_text(table.rows_of(entries), source)})",
        remedy=f"give each instance one {role}, the same in the rows of all systems;\n"
        f"if column {name!r} is no {role}, rename or remove it",
    )
