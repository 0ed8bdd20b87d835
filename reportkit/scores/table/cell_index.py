"""Where each score stands in the matrices of scores, one per (metric, dataset).

No order of rows can change the order of anything.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import MissingScoresError
from reportkit.scores.table.names import Coded, IntegerArray, natural_order, sorted_positions

_AT_ONCE = 1 << 16
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
class CellIndex:
    """Where each score goes.

    Parameters
    ----------
    system, dataset, instance : Coded
        Names of each score.
    metric : Coded or None
        None if there is one metric.
    groups : tuple of Group
        One per (metric, dataset) with scores, in order.
    column_of : ndarray of int
        Position among the instances of all groups: by (metric, dataset, instance), or by entry of the table where
        an array of all combinations would be too large.
    by_entry : bool
        Which of the two.
    offset_of : ndarray of int
        By (metric, dataset, system): the cell of a score is this offset plus its column.
    """

    system: Coded
    dataset: Coded
    instance: Coded
    metric: Coded | None
    groups: tuple[Group, ...]
    column_of: IntegerArray
    by_entry: bool
    offset_of: NDArray[np.int64]

    @property
    def n_cells(self) -> int:
        """Size of all matrices together."""
        return self.groups[-1].first_cell + self.groups[-1].n_cells

    @property
    def n_columns(self) -> int:
        """Number of (metric, dataset, instance)."""
        return self.groups[-1].first_column + self.groups[-1].instances.size

    def columns(self, entries: slice | NDArray[np.int64] = slice(None)) -> IntegerArray:
        """For each score, the position of its instance among the instances of all groups."""
        if self.by_entry:
            return self.column_of[entries]
        keys = _group_codes(self.dataset, self.metric, entries) * len(self.instance.names)
        keys += self.instance.codes[entries]
        return self.column_of[keys]

    def cells(self, entries: slice | NDArray[np.int64] = slice(None)) -> NDArray[np.int64]:
        """For each score, its position among all cells."""
        groups = _group_codes(self.dataset, self.metric, entries)
        if self.by_entry:
            columns = self.column_of[entries]
        else:
            keys = groups * len(self.instance.names)
            keys += self.instance.codes[entries]
            columns = self.column_of.take(keys, mode="clip")  # the keys are known to be in range: no second check
        groups *= len(self.system.names)
        groups += self.system.codes[entries]
        cells = self.offset_of.take(groups, mode="clip")
        cells += columns
        return cells


def index_cells(system: Coded, dataset: Coded, instance: Coded, metric: Coded | None) -> CellIndex:
    """Decide the order of everything, and where each score goes.

    Metrics, datasets and systems are in natural order, or in that of an ordered categorical; instances are sorted.

    Raises
    ------
    MissingScoresError
        If nearly all cells would be empty: systems have hardly any instance in common.
    """
    n_scores = len(instance.codes)
    n_instances, n_systems = len(instance.names), len(system.names)
    n_metrics = 1 if metric is None else len(metric.names)
    n_groups = n_metrics * len(dataset.names)
    by_entry = n_groups * n_instances > max(4 * n_scores, 1 << 22)
    pairs = np.zeros(n_groups * n_systems, dtype=bool)
    seen = np.zeros(0 if by_entry else n_groups * n_instances, dtype=bool)

    def look(entries: slice) -> None:
        if pairs.all() and seen.all():  # all that there may be has been seen
            return
        groups = _group_codes(dataset, metric, entries)
        if not seen.all():
            keys = groups * n_instances
            keys += instance.codes[entries]
            seen[keys] = True
        if not pairs.all():
            groups *= n_systems
            groups += system.codes[entries]
            pairs[groups] = True

    in_blocks(look, n_scores)
    order = sorted_positions(instance.names)
    if by_entry:
        keys, inverse = np.unique(_group_codes(dataset, metric) * n_instances + instance.codes, return_inverse=True)
        columns, instances_of = _columns_by_entry(keys, order, n_groups, n_instances)
        column_of: IntegerArray = columns[inverse]
    else:
        column_of, instances_of = _columns_by_key(seen.reshape(n_groups, n_instances), order)
    groups, offset_of = _groups_in_order(system, dataset, metric, pairs.reshape(n_groups, n_systems), instances_of)
    first = np.zeros(n_groups, dtype=np.int64)
    for group in groups:
        first[group.metric * len(dataset.names) + group.dataset] = group.first_column
    if by_entry:
        column_of += first[_group_codes(dataset, metric)]
    else:
        by_group = column_of.reshape(n_groups, n_instances)
        by_group += first.astype(column_of.dtype)[:, np.newaxis]
    offset_of -= np.repeat(first, n_systems)
    index = CellIndex(
        system=system,
        dataset=dataset,
        instance=instance,
        metric=metric,
        groups=groups,
        column_of=column_of,
        by_entry=by_entry,
        offset_of=offset_of,
    )
    if index.n_cells > max(_SPARSE * n_scores, 100_000_000):
        raise MissingScoresError(
            f"the systems have hardly any instance in common: {n_scores:,} scores for {index.n_cells:,} pairs of a\n"
            "system and an instance",
            where=f"{n_systems:,} systems, {len(dataset.names):,} datasets, {n_instances:,} instances",
            remedy="give the same test item the same id for all systems; a paired test needs the same instances",
        )
    return index


def _group_codes(
    dataset: Coded, metric: Coded | None, entries: slice | NDArray[np.int64] = slice(None)
) -> NDArray[np.int64]:
    """Code of the (metric, dataset) of each score."""
    groups = dataset.codes[entries].astype(np.int64)
    if metric is not None:
        groups += metric.codes[entries].astype(np.int64) * len(dataset.names)
    return groups


def _columns_by_key(seen: NDArray[np.bool_], order: NDArray[np.int64]) -> tuple[IntegerArray, list[NDArray[np.int64]]]:
    """Columns of the instances of each group, counted through in order of the codes of groups."""
    column_of = np.zeros(seen.shape, dtype=np.int32 if seen.size <= np.iinfo(np.int32).max else np.int64)
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
    system: Coded,
    dataset: Coded,
    metric: Coded | None,
    present: NDArray[np.bool_],
    instances_of: list[NDArray[np.int64]],
) -> tuple[tuple[Group, ...], NDArray[np.int64]]:
    n_datasets = len(dataset.names)
    system_order = _order(system)
    offset_of = np.zeros(present.shape, dtype=np.int64)
    groups: list[Group] = []
    cell = column = 0
    for metric_code in range(1) if metric is None else _order(metric):
        for dataset_code in _order(dataset):
            key = int(metric_code) * n_datasets + int(dataset_code)
            instances = instances_of[key]
            if instances.size == 0:
                continue
            systems = system_order[present[key, system_order]]
            offset_of[key, systems] = cell + np.arange(systems.size) * instances.size
            group = Group(
                metric=int(metric_code),
                dataset=int(dataset_code),
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


def in_blocks(work: Callable[[slice], None], n: int) -> None:
    """Call `work` on slices of 0..n, in threads where there is much to do; the slices may run in any order."""
    slices = [slice(start, min(start + _AT_ONCE, n)) for start in range(0, n, _AT_ONCE)]
    if len(slices) < 8:
        for entries in slices:
            work(entries)
        return
    with ThreadPoolExecutor(n_threads()) as pool:
        for _ in pool.map(work, slices):
            pass


def any_where(holds: Callable[[NDArray[Any]], NDArray[np.bool_]], values: NDArray[Any]) -> bool:
    """Whether something holds of any of many values; no array of all answers is made."""
    return any(bool(holds(values[start : start + _AT_ONCE]).any()) for start in range(0, len(values), _AT_ONCE))


def n_threads() -> int:
    """Threads that are worth while: as many as processors that this process may use, at most 8."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(8, available)
