"""From a column of folds to the scores of a cross-validation, perhaps a repeated one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import InputError, MissingScoresError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.building.instance_scores import lay_out_instances
from reportkit.scores.building.run_scores import refuse_weights
from reportkit.scores.scales import declared_kind, detect_kind
from reportkit.scores.shapes.folds import DatasetFolds
from reportkit.scores.table.columns import Columns
from reportkit.scores.table.names import Coded, crossed
from reportkit.scores.table.row_numbers import LISTED, quoted
from reportkit.scores.table.score_table import Ingestion, ScoreTable


def has_one_score_per_fold(table: ScoreTable) -> bool:
    """Whether the column of folds tells the scores of a system on a dataset apart, with that of runs if there is one.

    If there are several instances per fold, their scores are compared, and the fold is of no account. Scores that are
    all 0 or 1 are those of single test items (leave-one-out), not of folds.
    """
    if table.fold is None or detect_kind(table.scores) == "binary":
        return False
    coded = [table.system, table.dataset, table.fold, *(one for one in (table.metric, table.seed) if one is not None)]
    frame = pd.DataFrame(np.column_stack([one.codes.astype(np.int64) for one in coded]))
    frame["instance"] = table.instance.codes
    cells = frame[~np.isnan(table.scores)].drop_duplicates()
    several_folds = int(cells.groupby([0, 1])[2].nunique().max()) > 1
    return several_folds and int(cells.groupby(list(range(len(coded)))).size().max()) == 1


def fold_findings(columns: Columns) -> Iterator[Finding]:
    """Say that a column of folds is not used, where there are several scores per fold."""
    yield Finding(
        "folds-unused",
        "info",
        "There are several scores per fold, one of each instance: instances are compared, and the folds are ignored. "
        "The result speaks of the models that were trained, not of the learning method.",
        where=f"column {columns.roles['fold']!r}",
        remedy="if each score is that of a fold, and there are several repetitions, number these in a column 'run'",
    )


def blocks_of_folds(ingestion: Ingestion) -> tuple[tuple[DatasetFolds, ...], list[Finding]]:
    """Lay out the folds of each system, per (metric, dataset).

    A column of runs (seed, repetition) tells the repetitions of a repeated cross-validation apart.

    Raises
    ------
    MissingScoresError
        If a system lacks a fold that another one has.
    InputError
        If the repetitions of a dataset have different folds, there is only one fold, or scores have weights or were
        declared ordinal.
    DuplicateScoresError
        If a fold has several scores.
    """
    table, columns = ingestion.table, ingestion.columns
    if table.fold is None:
        raise AssertionError("folds have a column that tells them apart")
    refuse_weights(table, ingestion, "folds")
    _refuse_ordinal(ingestion)
    single = Coded(np.zeros(len(table), dtype=np.int64), np.array(["1"], dtype=object))
    fold_of = crossed(single if table.seed is None else table.seed, table.fold, ", fold ")
    by_fold = replace(table, instance=fold_of.pairs, seed=None, cluster=None)
    by_fold, findings = lay_out_instances(ingestion.with_table(by_fold))
    blocks = []
    for group in by_fold.groups:
        dataset, metric = table.dataset.names[group.dataset], ingestion.metrics[group.metric]
        scores = by_fold.matrix(group)
        systems = tuple(table.system.names[group.systems])
        _refuse_lacking(scores, systems, fold_of.pairs.names[group.instances], dataset, columns)
        n_repetitions = _number_of_repetitions(fold_of.first[group.instances], dataset, columns)
        order = np.lexsort((fold_of.second[group.instances], fold_of.first[group.instances]))
        blocks.append(
            DatasetFolds(
                dataset=dataset,
                metric=metric,
                systems=systems,
                instances=np.array([], dtype=object),
                kind=declared_kind(ingestion.kind, metric, dataset) or "continuous",
                higher_is_better=not ingestion.negated[group.metric],
                scores=scores[:, order].reshape(len(systems), n_repetitions, -1),
            )
        )
    return tuple(blocks), findings


def _number_of_repetitions(repetitions: NDArray[np.int64], dataset: str, columns: Columns) -> int:
    """Number of repetitions, each of which has the same number of folds, and at least two."""
    codes, numbers = np.unique(repetitions, return_counts=True)
    fold = columns.roles["fold"]
    if numbers.min() != numbers.max():
        raise InputError(
            f"repetitions of the cross-validation have from {numbers.min()} to {numbers.max()} folds",
            where=f"dataset {quoted(dataset)}: {numbers.sum()} folds in {codes.size} repetitions, columns "
            f"{columns.roles.get('seed', fold)!r} and {fold!r}",
            remedy="complete the folds, or leave incomplete repetitions out",
        )
    if numbers[0] < 2:
        raise InputError(
            "a cross-validation has two folds or more, and here is one",
            where=f"dataset {quoted(dataset)}, column {fold!r}",
            remedy=f"if {fold!r} is no fold of a cross-validation, rename or remove the column",
        )
    return int(codes.size)


def _refuse_lacking(
    scores: NDArray[np.float64], systems: tuple[str, ...], names: NDArray[np.object_], dataset: str, columns: Columns
) -> None:
    lacking = np.isnan(scores).sum(axis=1)
    if not lacking.any():
        return
    rows = np.flatnonzero(lacking)
    shown = [
        f"{quoted(systems[row])} lacks {int(lacking[row])} of {names.size}, such as "
        f"{columns.roles.get('seed', 'run')} {names[np.isnan(scores[row])][0]}"
        for row in rows[:LISTED]
    ]
    raise MissingScoresError(
        counted(rows.size, "system lacks", "systems lack") + " folds that another system has",
        where=f"dataset {quoted(dataset)}, column {columns.roles['fold']!r}: {listed(shown, total=rows.size)}",
        remedy="complete the results, or leave out these repetitions, or these systems, as a whole: the test needs "
        "whole\ncross-validations on the same folds",
    )


def _refuse_ordinal(ingestion: Ingestion) -> None:
    kinds = ingestion.kind.values() if isinstance(ingestion.kind, Mapping) else [ingestion.kind]
    if "ordinal" in kinds:
        raise InputError(
            "scores of folds are means, and the mean of ordinal scores says nothing",
            where=f"column {ingestion.columns.roles['fold']!r}; kind='ordinal' was declared",
            remedy="declare the scores continuous if their steps are of equal size (kind='continuous'), or give the "
            "score of every instance",
        )
