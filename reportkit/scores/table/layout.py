"""From parallel arrays to one matrix of scores per (metric, dataset), with the cluster and weight of each column.

No order of rows can change the order of anything.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import InputError, MissingScoresError, ScoreValueError
from reportkit.scores.table.columns import Columns
from reportkit.scores.table.names import Coded, natural_order, sorted_positions
from reportkit.scores.table.row_numbers import LISTED, counted, listed, quoted, rows_text
from reportkit.scores.table.score_table import ScoreTable

_BLOCK = 1 << 16
"""Scores handled at a time: what stays in the processor's cache."""

_SPARSE = 20
"""Refuse matrices of more than this many cells per score (and more than 100 million cells)."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Group:
    """Where one (metric, dataset) lies.

    Parameters
    ----------
    metric, dataset : int
        Codes.
    systems : ndarray of int
        Codes of the systems that have a score here, in order.
    instances : ndarray of int
        Codes of the instances that have a score here, in order.
    first_cell : int
        Position of its first score among all cells.
    first_column : int
        Position of its first instance among the instances of all groups.
    """

    metric: int
    dataset: int
    systems: NDArray[np.int64]
    instances: NDArray[np.int64]
    first_cell: int
    first_column: int

    @property
    def n_cells(self) -> int:
        """Size of its matrix."""
        return self.systems.size * self.instances.size

    @property
    def cells(self) -> slice:
        """Its scores among all cells."""
        return slice(self.first_cell, self.first_cell + self.n_cells)

    @property
    def columns(self) -> slice:
        """Its instances among the instances of all groups."""
        return slice(self.first_column, self.first_column + self.instances.size)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Layout:
    """Where each score goes.

    Parameters
    ----------
    groups : tuple of Group
        One per (metric, dataset) with scores, in order.
    table : ScoreTable
        The scores.
    column_of : ndarray of int
        Position among the instances of all groups: by (metric, dataset, instance), or by entry of the table where
        an array of all combinations would be too large.
    by_entry : bool
        Which of the two.
    offset_of : ndarray of int
        By (metric, dataset, system): the cell of a score is this offset plus its column.
    filled : ndarray of float of shape (n_cells,), optional
        All matrices one after the other, oriented; NaN where there is no score. See `with_scores`.
    """

    groups: tuple[Group, ...]
    table: ScoreTable
    column_of: NDArray[np.int64]
    by_entry: bool
    offset_of: NDArray[np.int64]
    filled: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))

    @property
    def n_cells(self) -> int:
        """Size of all matrices together."""
        return self.groups[-1].first_cell + self.groups[-1].n_cells

    @property
    def n_columns(self) -> int:
        """Number of (metric, dataset, instance)."""
        return self.groups[-1].first_column + self.groups[-1].instances.size

    def columns(self, entries: slice | NDArray[np.int64] = slice(None)) -> NDArray[np.int64]:
        """For each score, the position of its instance among the instances of all groups."""
        if self.by_entry:
            return self.column_of[entries]
        keys = _groups(self.table, entries) * len(self.table.instance.names)
        keys += self.table.instance.codes[entries]
        return self.column_of[keys]

    def cells(self, entries: slice | NDArray[np.int64] = slice(None)) -> NDArray[np.int64]:
        """For each score, its position among all cells."""
        table = self.table
        groups = _groups(table, entries)
        if self.by_entry:
            columns = self.column_of[entries]
        else:
            keys = groups * len(table.instance.names)
            keys += table.instance.codes[entries]
            columns = self.column_of.take(keys, mode="clip")  # the keys are known to be in range: no second check
        groups *= len(table.system.names)
        groups += table.system.codes[entries]
        cells = self.offset_of.take(groups, mode="clip")
        cells += columns
        return cells

    def with_scores(self, negated: NDArray[np.bool_]) -> Layout:
        """Put the scores where they go, oriented.

        Parameters
        ----------
        negated : ndarray of bool of shape (n_metrics,)
            Metrics of which lower is better. No score becomes -0.0.
        """
        cells = np.full(self.n_cells, np.nan)
        table = self.table

        def fill(entries: slice) -> None:
            scores = table.scores[entries] + 0.0
            if table.metric is None:
                oriented = 0.0 - scores if negated[0] else scores
            elif negated.any():
                oriented = np.where(negated[table.metric.codes[entries]], 0.0 - scores, scores)
            else:
                oriented = scores
            cells[self.cells(entries)] = oriented

        in_blocks(fill, len(table))
        return replace(self, filled=cells)

    @property
    def n_filled(self) -> int:
        """Number of cells that hold a score: fewer than there are scores where some share a cell."""
        return int(self.filled.size - np.count_nonzero(np.isnan(self.filled)))

    def matrix(self, group: Group) -> NDArray[np.float64]:
        """Scores of one group, shape (n_systems, n_instances)."""
        return self.filled[group.cells].reshape(group.systems.size, group.instances.size)


def lay_out(table: ScoreTable) -> Layout:
    """Decide the order of everything, and where each score goes.

    Metrics, datasets and systems are in natural order, or in that of an ordered categorical; instances are sorted.

    Raises
    ------
    MissingScoresError
        If nearly all cells would be empty: systems have hardly any instance in common.
    """
    n_instances, n_systems = len(table.instance.names), len(table.system.names)
    n_metrics = 1 if table.metric is None else len(table.metric.names)
    n_groups = n_metrics * len(table.dataset.names)
    by_entry = n_groups * n_instances > max(4 * len(table), 1 << 22)
    pairs = np.zeros(n_groups * n_systems, dtype=bool)
    seen = np.zeros(0 if by_entry else n_groups * n_instances, dtype=bool)

    def look(entries: slice) -> None:
        groups = _groups(table, entries)
        if not by_entry:
            keys = groups * n_instances
            keys += table.instance.codes[entries]
            seen[keys] = True
        groups *= n_systems
        groups += table.system.codes[entries]
        pairs[groups] = True

    in_blocks(look, len(table))
    order = sorted_positions(table.instance.names)
    if by_entry:
        keys, inverse = np.unique(_groups(table) * n_instances + table.instance.codes, return_inverse=True)
        columns, instances_of = _columns_by_entry(keys, order, n_groups, n_instances)
        column_of = columns[inverse]
    else:
        column_of, instances_of = _columns_by_key(seen.reshape(n_groups, n_instances), order)
    groups, offset_of = _groups_in_order(table, pairs.reshape(n_groups, n_systems), instances_of)
    first = np.zeros(n_groups, dtype=np.int64)
    for group in groups:
        first[group.metric * len(table.dataset.names) + group.dataset] = group.first_column
    if by_entry:
        column_of += first[_groups(table)]
    else:
        column_of += np.repeat(first, n_instances)
    offset_of -= np.repeat(first, n_systems)
    layout = Layout(groups=groups, table=table, column_of=column_of, by_entry=by_entry, offset_of=offset_of)
    if layout.n_cells > max(_SPARSE * len(table), 100_000_000):
        raise MissingScoresError(
            f"the systems have hardly any instance in common: {len(table):,} scores for {layout.n_cells:,} pairs of a\n"
            "system and an instance",
            where=f"{n_systems:,} systems, {len(table.dataset.names):,} datasets, {n_instances:,} instances",
            remedy="give the same test item the same id for all systems; a paired test needs the same instances",
        )
    return layout


def in_blocks(work: Callable[[slice], None], n: int) -> None:
    """Call `work` on slices of 0..n, in threads where there is much to do; the slices may run in any order."""
    slices = [slice(start, min(start + _BLOCK, n)) for start in range(0, n, _BLOCK)]
    if len(slices) < 8:
        for entries in slices:
            work(entries)
        return
    with ThreadPoolExecutor(n_threads()) as pool:
        for _ in pool.map(work, slices):
            pass


def n_threads() -> int:
    """Threads that are worth while: as many as processors that this process may use, at most 8."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(8, available)


def _groups(table: ScoreTable, entries: slice | NDArray[np.int64] = slice(None)) -> NDArray[np.int64]:
    """Code of the (metric, dataset) of each score."""
    groups = table.dataset.codes[entries].astype(np.int64)
    if table.metric is not None:
        groups += table.metric.codes[entries].astype(np.int64) * len(table.dataset.names)
    return groups


def _columns_by_key(
    seen: NDArray[np.bool_], order: NDArray[np.int64]
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """Columns of the instances of each group, counted through in order of the codes of groups."""
    column_of = np.zeros(seen.shape, dtype=np.int64)
    instances_of = []
    for group, present in enumerate(seen):
        instances = order[present[order]]
        column_of[group, instances] = np.arange(instances.size)
        instances_of.append(instances)
    return column_of.reshape(-1), instances_of


def _columns_by_entry(
    keys: NDArray[np.int64], order: NDArray[np.int64], n_groups: int, n_instances: int
) -> tuple[NDArray[np.int64], list[NDArray[np.int64]]]:
    """The same for the sorted keys that occur, where a table of all possible ones would be too large."""
    rank = np.empty(n_instances, dtype=np.int64)
    rank[order] = np.arange(n_instances)
    group_of, instance_of = np.divmod(keys, n_instances)
    by_rank = np.lexsort((rank[instance_of], group_of))
    bounds = np.searchsorted(group_of, np.arange(n_groups + 1))
    columns = np.empty(keys.size, dtype=np.int64)
    columns[by_rank] = np.arange(keys.size) - bounds[group_of]
    instances_of = [instance_of[by_rank[start:stop]] for start, stop in pairwise(bounds)]
    return columns, instances_of


def _groups_in_order(
    table: ScoreTable, present: NDArray[np.bool_], instances_of: list[NDArray[np.int64]]
) -> tuple[tuple[Group, ...], NDArray[np.int64]]:
    n_datasets = len(table.dataset.names)
    system_order = _order(table.system)
    offset_of = np.zeros(present.shape, dtype=np.int64)
    groups: list[Group] = []
    cell = column = 0
    for metric in range(1) if table.metric is None else _order(table.metric):
        for dataset in _order(table.dataset):
            key = int(metric) * n_datasets + int(dataset)
            instances = instances_of[key]
            if instances.size == 0:
                continue
            systems = system_order[present[key, system_order]]
            offset_of[key, systems] = cell + np.arange(systems.size) * instances.size
            group = Group(
                metric=int(metric),
                dataset=int(dataset),
                systems=systems,
                instances=instances,
                first_cell=cell,
                first_column=column,
            )
            groups.append(group)
            cell, column = group.cells.stop, group.columns.stop
    return tuple(groups), offset_of.reshape(-1)


def _order(coded: Coded) -> NDArray[np.int64]:
    if coded.ordered:
        return np.arange(len(coded.names))
    position = {name: code for code, name in enumerate(coded.names)}
    return np.array([position[name] for name in natural_order(coded.names)], dtype=np.int64)


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


def per_instance(layout: Layout, columns: Columns, source: str) -> PerInstance:
    """Gather clusters and weights, which have to be the same in all rows of an instance.

    Raises
    ------
    InputError
        If an instance belongs to several clusters.
    ScoreValueError
        If an instance has several weights.
    """
    table = layout.table
    if table.cluster is None and table.weights is None:
        return PerInstance(None, None, None)
    places = layout.columns()
    clusters = weights = None
    if table.cluster is not None:
        clusters = np.empty(layout.n_columns, dtype=np.int64)
        clusters[places] = table.cluster.codes
        _refuse_two_values(layout, places, clusters[places] != table.cluster.codes, "cluster", columns, source)
        _refuse_one_cluster(layout, clusters, columns)
    if table.weights is not None:
        weights = np.empty(layout.n_columns)
        weights[places] = table.weights
        _refuse_two_values(layout, places, weights[places] != table.weights, "weight", columns, source)
    return PerInstance(clusters, None if table.cluster is None else table.cluster.names, weights)


def _refuse_one_cluster(layout: Layout, clusters: NDArray[np.int64], columns: Columns) -> None:
    """A column that names one and the same cluster for all instances of each dataset is no column of clusters."""
    if any(np.unique(clusters[group.columns]).size > 1 for group in layout.groups):
        return
    name = columns.roles["cluster"]
    raise InputError(
        "every dataset is one cluster: no instance is independent of another",
        where=f"column {name!r} has one value in each of "
        + counted(len({group.dataset for group in layout.groups}), "dataset", "datasets"),
        remedy="name the document or dialogue of each instance; if there is none, give no column of clusters:\n"
        f"rename or remove {name!r}",
    )


def _refuse_two_values(
    layout: Layout, places: NDArray[np.int64], differs: NDArray[np.bool_], role: str, columns: Columns, source: str
) -> None:
    if not differs.any():
        return
    table = layout.table
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
