"""From a column of folds to the scores of a cross-validation, perhaps a repeated one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import InputError, MissingScoresError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.building.instance_scores import is_lower, of_group, one_score_each
from reportkit.scores.building.runs import refuse_ordinal, refuse_weights
from reportkit.scores.scales import detect_kind
from reportkit.scores.scores import Scores
from reportkit.scores.table.names import crossed, one_name
from reportkit.scores.table.row_numbers import LISTED, quoted
from reportkit.scores.table.score_table import ScoreTable


def has_one_score_per_fold(table: ScoreTable) -> bool:
    """Whether the column of folds tells the scores of a system on a dataset apart, with that of runs if there is one.

    If there are several instances per fold, their scores are compared, and the fold is of no account. Scores that are
    all 0 or 1 are those of single test items (leave-one-out), not of folds.
    """
    if table.fold is None or detect_kind(table.scores) == "binary":
        return False
    seed = table.seed or one_name("1", len(table))
    columns = (table.system.codes, table.group_codes(), seed.codes, table.fold.codes, table.instance.codes)
    cells = pd.DataFrame(dict(enumerate(columns)))[~np.isnan(table.scores)].drop_duplicates()
    of_dataset = pd.Series(table.dataset.codes)[cells.index]
    several_folds = cells.groupby([cells[0], of_dataset])[3].nunique().max() > 1
    return bool(several_folds and cells.groupby([0, 1, 2, 3]).size().max() == 1)


def unused_folds(table: ScoreTable) -> list[Finding]:
    """Say that a column of folds is not used, where there are several scores per fold."""
    return [
        Finding(
            "folds-unused",
            "info",
            "There are several scores per fold, one of each instance: instances are compared, and the folds are "
            "ignored. The result speaks of the models that were trained, not of the learning method.",
            where=table.columns_text("fold"),
            remedy="if each score is that of a fold, and there are several repetitions, number these in a column 'run'",
        )
    ]


def blocks_of_folds(table: ScoreTable) -> tuple[list[Scores], list[Finding]]:
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
    assert table.fold is not None  # noqa: S101 - folds have a column that tells them apart
    refuse_weights(table, "folds")
    refuse_ordinal(table, "fold")
    folds, repetition_of, _ = crossed(table.seed or one_name("1", len(table)), table.fold, ", fold ")
    by_fold, groups, findings = one_score_each(replace(table, instance=folds, seed=None, cluster=None))
    blocks: list[Scores] = []
    for group in groups:
        scores = group.matrix(by_fold.scores, lower=is_lower(table, group.metric))
        about = of_group(group, by_fold)
        _refuse_lacking(scores, about["systems"], about["instances"], group.dataset, table)
        n_repetitions = _number_of_repetitions(repetition_of[group.instances], group.dataset, table)
        about |= {"kind": about["kind"] or "continuous", "unit": "fold"}
        blocks.append(Scores(shape="folds", **about, scores=scores.reshape(len(scores), n_repetitions, -1)))
    return blocks, findings


def _number_of_repetitions(repetitions: NDArray[np.int64], dataset: str, table: ScoreTable) -> int:
    """Number of repetitions, each of which has the same number of folds, and at least two."""
    codes, numbers = np.unique(repetitions, return_counts=True)
    if numbers.min() != numbers.max():
        raise InputError(
            f"repetitions of the cross-validation have from {numbers.min()} to {numbers.max()} folds",
            where=f"dataset {quoted(dataset)}: {numbers.sum()} folds in {codes.size} repetitions, "
            f"{table.columns_text('seed', 'fold')}",
            remedy="complete the folds, or leave incomplete repetitions out",
        )
    if numbers[0] < 2:
        raise InputError(
            "a cross-validation has two folds or more, and here is one",
            where=f"dataset {quoted(dataset)}, {table.columns_text('fold')}",
            remedy=f"if {table.said('fold')!r} is no fold of a cross-validation, rename or remove the column",
        )
    return int(codes.size)


def _refuse_lacking(
    scores: NDArray[np.float64], systems: tuple[str, ...], names: NDArray[np.object_], dataset: str, table: ScoreTable
) -> None:
    lacking = np.isnan(scores).sum(axis=1)
    rows = np.flatnonzero(lacking)
    if not rows.size:
        return
    shown = [
        f"{quoted(systems[row])} lacks {int(lacking[row])} of {names.size}, such as "
        f"{table.said('seed') if table.has('seed') else 'run'} {names[np.isnan(scores[row])][0]}"
        for row in rows[:LISTED]
    ]
    raise MissingScoresError(
        counted(rows.size, "system lacks", "systems lack") + " folds that another system has",
        where=f"dataset {quoted(dataset)}, {table.columns_text('fold')}: {listed(shown, total=rows.size)}",
        remedy="complete the results, or leave out these repetitions, or these systems, as a whole: the test needs "
        "whole\ncross-validations on the same folds",
    )
