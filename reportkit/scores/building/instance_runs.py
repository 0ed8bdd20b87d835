"""One score per system, run, dataset and instance: from the table to the runs of each system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import InputError, MissingScoresError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted
from reportkit.scores.building.instance_scores import PerInstance, lay_out_instances, per_instance, refuse_aggregates
from reportkit.scores.building.seeds import number_findings
from reportkit.scores.scales import declared_kind, detect_kind
from reportkit.scores.shapes.runs import DatasetRuns, split_rows
from reportkit.scores.table.cell_index import Group
from reportkit.scores.table.names import Crossed, crossed
from reportkit.scores.table.row_numbers import LISTED, quoted
from reportkit.scores.table.score_table import Ingestion


def blocks_of_runs(ingestion: Ingestion) -> tuple[tuple[DatasetRuns, ...], list[Finding]]:
    """Lay out the runs of each system, per (metric, dataset).

    Each run is laid out like a system of its own, so that repeated, missing and misspelt rows are found run by run.

    Raises
    ------
    MissingScoresError
        If scores are missing, or a run lacks instances that another run of the system has, and `missing="error"`.
    DuplicateScoresError
        If a (system, run, dataset, instance) has several scores.
    InputError
        If a name occurs once, there is one score per run and dataset, or scores are declared ordinal.
    """
    table, columns = ingestion.table, ingestion.columns
    if table.seed is None:
        raise AssertionError("runs have a column that tells them apart")
    refuse_ordinal(ingestion)
    run_of = crossed(table.system, table.seed, ", run ")
    as_systems = replace(table, system=run_of.pairs, seed=None)
    as_systems, findings = lay_out_instances(ingestion.with_table(as_systems))
    refuse_aggregates(as_systems)
    beside = per_instance(as_systems, columns, ingestion.source)
    run_names = table.seed.names[run_of.second]
    blocks = tuple(
        _block(group, as_systems.matrix(group), beside, run_of, run_names, ingestion) for group in as_systems.groups
    )
    if ingestion.missing == "error":
        refuse_incomplete_runs(blocks, columns.roles["seed"])
    numbers = {
        (block.dataset, system): len(runs)
        for block in blocks
        for system, runs in zip(block.systems, block.runs, strict=True)
    }
    return blocks, [*findings, *number_findings(numbers)]


def _block(
    group: Group,
    rows: NDArray[np.float64],
    beside: PerInstance,
    run_of: Crossed,
    run_names: NDArray[np.object_],
    ingestion: Ingestion,
) -> DatasetRuns:
    table = ingestion.table
    system_of, run_name = run_of.first[group.systems], run_names[group.systems]
    metric, dataset = ingestion.metrics[group.metric], table.dataset.names[group.dataset]
    clusters, cluster_names = beside.clusters_of(group)
    scores = split_rows(rows, system_of)
    first_rows = np.cumsum([0, *map(len, scores)])
    return DatasetRuns(
        dataset=dataset,
        metric=metric,
        systems=tuple(table.system.names[system_of[first_rows[:-1]]]),
        instances=table.instance.names[group.instances],
        kind=declared_kind(ingestion.kind, metric, dataset) or detect_kind(rows),
        higher_is_better=not ingestion.negated[group.metric],
        clusters=clusters,
        cluster_names=cluster_names,
        scores=scores,
        runs=tuple(tuple(run_name[start : start + len(part)]) for start, part in zip(first_rows, scores, strict=False)),
        weights=None if beside.weights is None else beside.weights[group.columns],
    )


def refuse_incomplete_runs(blocks: Sequence[DatasetRuns], seed: str) -> None:
    """Refuse runs that lack instances which another run of the same system has.

    Parameters
    ----------
    blocks : sequence of DatasetRuns
        All datasets.
    seed : str
        Name of the column of runs.

    Raises
    ------
    MissingScoresError
        With the number of runs and, of the first few, the number of instances that they lack.
    """
    found: list[str] = []
    total = 0
    for block in blocks:
        for system, runs, rows in zip(block.systems, block.runs, block.scores, strict=True):
            own = ~np.isnan(rows).all(axis=0)
            lacking = np.isnan(rows[:, own]).sum(axis=1)
            total += int(np.count_nonzero(lacking))
            for row in np.flatnonzero(lacking)[: LISTED - len(found)]:
                example = block.instances[own][np.isnan(rows[row, own])][0]
                found.append(
                    f"run {quoted(runs[row])} of {quoted(system)} on {quoted(block.dataset)} lacks "
                    f"{int(lacking[row]):,} of {int(own.sum()):,} instances, such as {quoted(str(example))}"
                )
    if total:
        raise MissingScoresError(
            counted(total, "run lacks", "runs lack") + " instances that another run of the same system has",
            where=f"column {seed!r}: " + "\n".join(found) + (f"\nand {total - len(found)} more" if total > 5 else ""),
            remedy="complete the runs, or leave them out; missing='drop' (--missing drop) compares on the instances "
            "that all runs\nof both systems have, missing='worst' (--missing worst) counts no output as the worst "
            "output",
        )


def refuse_ordinal(ingestion: Ingestion) -> None:
    """Refuse runs of ordinal scores, whose means say nothing.

    Raises
    ------
    InputError
        With what to do instead.
    """
    kinds = ingestion.kind.values() if isinstance(ingestion.kind, Mapping) else [ingestion.kind]
    if "ordinal" in kinds:
        raise InputError(
            "scores of several runs are averaged, and the mean of ordinal scores says nothing",
            where=f"column {ingestion.columns.roles['seed']!r}; kind='ordinal' was declared",
            remedy="declare the scores continuous if their steps are of equal size (kind='continuous'), or give one "
            "run of each\nsystem, chosen before looking at its scores",
        )
