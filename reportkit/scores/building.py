"""From a table of scores to all systems on each dataset: what is missing, repeated or has no place is said first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from reportkit.errors import (
    ColumnError,
    InputError,
    MissingScoresError,
)
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.metrics.correlation import named_coefficient
from reportkit.scores.arrays import Floats
from reportkit.scores.building_counts import corpus_counts, right_answers
from reportkit.scores.row_checks import about_dataset, is_lower, one_score_each, refuse_aggregates, refuse_rows
from reportkit.scores.sample import Shape
from reportkit.scores.scales import detect_kind
from reportkit.scores.scores import Scores
from reportkit.scores.table.names import Coded, code_column, crossed, one_name, sorted_positions
from reportkit.scores.table.row_numbers import LISTED, names_text, quoted
from reportkit.scores.table.score_table import Group, ScoreTable, numbers_in

Built = tuple[list[Scores], list[Finding]]

_NO_PLACE: Mapping[Shape, tuple[str, str]] = {
    "corpus": ("a metric of sums is computed from one row of counts per instance", "seed weight metric"),
    "correlation": ("a correlation is computed from one prediction per instance", "seed weight metric"),
    "runs": ("runs are averaged, and the mean of ordinal scores says nothing", "ordinal"),
    "run-scores": ("there is one score per run, and a mean of ordinal scores says nothing", "weight ordinal"),
    "folds": ("there is one score per fold, and a mean of ordinal scores says nothing", "weight ordinal"),
}
"""By design, what is computed, and what has no place in that."""


def build(table: ScoreTable, shape: Shape) -> Built:
    """Lay out all systems on each dataset, in one design.

    Raises
    ------
    ColumnError
        If there are no gold scores for a correlation.
    DuplicateScoresError
        If a (system, dataset, instance) has several scores, unless the rows are identical.
    InputError
        If a name occurs once, there is one score per dataset, every dataset is one cluster, or a column has no place.
    MissingScoresError
        If scores are missing and `missing="error"`, or runs or folds are incomplete.
    ScoreValueError
        If counts or gold scores make no sense.
    """
    _refuse_what_has_no_place(table, shape)
    match shape:
        case "correlation":
            blocks, findings = _predictions(table)
        case "counts":
            blocks, findings = right_answers(table)
        case "corpus":
            blocks, findings = corpus_counts(table)
        case "runs":
            blocks, findings = _runs(table)
        case "run-scores":
            blocks, findings = _run_scores(table)
        case "folds":
            blocks, findings = _folds(table)
        case _:
            blocks, findings = _instance_scores(table)
    with_clusters = table.cluster is not None and shape not in ("counts", "run-scores", "folds")
    if with_clusters and not any(len(block.cluster_names) > 1 for block in blocks):
        raise InputError(
            "every dataset is one cluster: no instance is independent of another",
            where=f"{table.columns_text('cluster')} has one value in each of "
            + counted(len({block.dataset for block in blocks}), "dataset"),
            remedy="name the document or dialogue of each instance; if there is none, give no column of clusters:\n"
            f"rename or remove {table.said('cluster')!r}",
        )
    return blocks, findings


def _refuse_what_has_no_place(table: ScoreTable, shape: Shape) -> None:
    why, roles = _NO_PLACE.get(shape, ("", ""))
    kind = table.asked.kind
    if "ordinal" in roles and "ordinal" in (kind.values() if isinstance(kind, Mapping) else [kind]):
        raise InputError(
            f"scores were declared ordinal: {why}",
            where=table.columns_text("fold" if shape == "folds" else "seed"),
            remedy="declare the scores continuous if their steps are of equal size (kind='continuous'), or give the\n"
            "score of every instance, of one run that was chosen before looking at its scores",
        )
    found = [("weight", "weights")] if table.weights is not None else []
    found += [("metric", "several metrics")] if len(table.metric.present()) > 1 else []
    if table.seed is not None and len(table.seed.present()) > 1 and (shape == "corpus" or _repeats_over_seeds(table)):
        found.append(("seed", "several runs"))
    for role, noun in found:
        if role in roles:
            held = {"metric": table.metric, "seed": table.seed}.get(role)
            raise InputError(
                f"{table.columns_text(role)} holds {noun}, and {why}",
                where=table.columns_text(role) if held is None else names_text(held.present()),
                remedy=f'leave {noun} out (in Python df.drop(columns="{table.said(role)}"))'
                if held is None
                else f"keep the rows of one {role}, chosen before looking at the results",
            )


def _repeats_over_seeds(table: ScoreTable) -> bool:
    assert table.seed is not None  # noqa: S101 - asked where there are seeds
    cells = np.column_stack((table.group_codes(), table.system.codes, table.instance.codes))
    return len(np.unique(cells, axis=0)) < len(np.unique(np.column_stack((cells, table.seed.codes)), axis=0))


def _instance_scores(table: ScoreTable) -> Built:
    """Lay out one matrix per dataset; a pair of instance and rater is a column where outputs have several raters."""
    of_instance, of_rater, rated = None, None, table.instance
    if table.has("rater"):
        outputs = np.column_stack((table.group_codes(), rated.codes, table.system.codes))
        rater = code_column(table.frame["rater"], "rater", source=table.asked.source, said=table.said("rater"))
        rater = rater[table.rows]
        repeated = len(np.unique(outputs, axis=0)) < len(table)
        if repeated and len(rater.present()) > 1:  # one rater several times: repeated rows, or an error that says so
            pairs, of_instance, of_rater = crossed(rated, rater, " (rater ")
            order = sorted_positions(pairs.names + ")")
            of_instance, of_rater = of_instance[order], of_rater[order]
            table = replace(table, instance=Coded(np.argsort(order)[pairs.codes], (pairs.names + ")")[order]))
    table, groups, findings = one_score_each(table)
    if not table.asked.across_datasets:
        refuse_aggregates(groups)
    blocks = []
    for group in groups:
        scores = group.matrix(table.scores, lower=is_lower(table, group.metric))
        about = about_dataset(group, table)
        about["kind"] = about["kind"] or detect_kind(scores)
        if of_instance is not None and of_rater is not None:
            here, codes = np.unique(of_instance[group.instances], return_inverse=True)
            about |= {"unit": "rating", "rated": codes, "rated_names": rated.names[here]}
            about["raters"] = of_rater[group.instances]
        blocks.append(Scores(**about, scores=scores, weights=_weights(group, table)))
    return blocks, findings


def _predictions(table: ScoreTable) -> Built:
    """Lay out predictions and gold scores."""
    if not table.has("gold"):
        raise ColumnError(
            f"metric={table.asked.metric!r} is the correlation of the scores with gold scores, and there are none",
            where=f"columns {names_text(list(map(str, table.frame.columns)))}",
            remedy='name it: gold="NAME" (--columns gold=NAME)',
        )
    table, groups, findings = one_score_each(table)
    refuse_aggregates(groups)
    gold = numbers_in(table, "gold", "gold score") + 0.0
    refuse_rows(
        table,
        np.isnan(gold),
        ("rows has no gold score", "rows have no gold score"),
        "gold",
        "give the gold score in every row of an instance, or leave the instance out for all systems\n"
        f'(in Python df = df.dropna(subset=["{table.said("gold")}"]))',
    )
    coefficient = named_coefficient(table.asked.metric)
    blocks = []
    for group in groups:
        about = about_dataset(group, table) | {"metric": coefficient, "coefficient": coefficient, "kind": "continuous"}
        scores = group.matrix(table.scores, lower=is_lower(table, group.metric))
        blocks.append(Scores(shape="correlation", **about, scores=scores, gold=group.per_instance(gold, table, "gold")))
    return blocks, findings


def _runs(table: ScoreTable) -> Built:
    """Lay out the runs of each system; each is at first a system of its own, so that its missing rows are found."""
    assert table.seed is not None  # noqa: S101 - runs have a column that tells them apart
    runs, system_of, seed_of = crossed(table.system, table.seed, ", run ")
    as_systems, groups, findings = one_score_each(replace(table, system=runs, seed=None))
    refuse_aggregates(groups)
    blocks = []
    for group in groups:
        rows = group.matrix(as_systems.scores, lower=is_lower(table, group.metric))
        owners = system_of[group.systems]
        starts = np.flatnonzero(np.diff(owners)) + 1
        about = about_dataset(group, as_systems) | {"systems": tuple(table.system.names[np.unique(owners)])}
        about["kind"] = about["kind"] or detect_kind(rows)
        names = [tuple(map(str, some)) for some in np.split(table.seed.names[seed_of[group.systems]], starts)]
        scores = np.full((len(names), max(map(len, names)), rows.shape[1]), np.nan)
        for one, some in zip(scores, np.split(rows, starts), strict=True):
            one[: len(some)] = some
        weights = _weights(group, as_systems)
        blocks.append(Scores(shape="runs", **about, scores=scores, runs=tuple(names), weights=weights))
    if table.asked.missing == "error":
        _refuse_incomplete_runs(blocks, table)
    return blocks, findings


def _refuse_incomplete_runs(blocks: Sequence[Scores], table: ScoreTable) -> None:
    """Refuse runs that lack instances which another run of the same system has."""
    found = []
    for block in blocks:
        for system, runs in block.runs_by_system():
            absent = np.isnan(block.row(system))
            lacking = (absent & ~absent.all(axis=0)).sum(axis=1)
            found += [
                f"run {quoted(run)} of {quoted(system)} on {quoted(block.dataset)} lacks {number:,}"
                for run, number in zip(runs, lacking.tolist(), strict=True)
                if number
            ]
    if found:
        raise MissingScoresError(
            counted(len(found), "run lacks", "runs lack") + " instances that another run of the same system has",
            where=f"{table.columns_text('seed')}: " + listed(found[:LISTED], total=len(found)),
            remedy="complete the runs, or choose missing='drop' (compare on common instances) or missing='worst'\n"
            "(no output is the worst one): --missing drop, --missing worst",
        )


def _run_scores(table: ScoreTable) -> Built:
    """Lay out one score per run."""
    assert table.seed is not None  # noqa: S101 - runs have a column that tells them apart
    absent = int(np.isnan(table.scores).sum())
    if table.asked.missing == "worst" and absent:
        raise InputError(
            f"{absent:,} runs have no score, and nothing can replace it",
            where=table.columns_text("score"),
            remedy="write the score that a failed run deserves into the results, or leave these runs out: "
            "missing='drop'\n(--missing drop)",
        )
    rows = replace(table, instance=table.seed, seed=None, cluster=None)
    rows, groups, findings = one_score_each(rows, single=True)
    blocks = []
    for group in groups:
        about = about_dataset(group, rows) | {"shape": "run-scores", "unit": "run"}
        about["kind"] = about["kind"] or "continuous"
        blocks.append(Scores(**about, scores=group.matrix(rows.scores, lower=is_lower(table, group.metric))))
    if table.cluster is not None:
        message = "There is one score per run, so clusters of instances are ignored."
        findings.append(Finding("clusters-unused", "info", message, where=table.columns_text("cluster")))
    return blocks, findings


def _folds(table: ScoreTable) -> Built:
    """Lay out the folds of a cross-validation; a column of runs tells its repetitions apart."""
    assert table.fold is not None  # noqa: S101 - folds have a column that tells them apart
    folds, repetition_of, _ = crossed(table.seed or one_name("1", len(table)), table.fold, ", fold ")
    rows, groups, findings = one_score_each(replace(table, instance=folds, seed=None, cluster=None))
    blocks = []
    for group in groups:
        scores = group.matrix(rows.scores, lower=is_lower(table, group.metric))
        about = about_dataset(group, rows) | {"shape": "folds", "unit": "fold"}
        about["kind"] = about["kind"] or "continuous"
        numbers = np.unique(repetition_of[group.instances], return_counts=True)[1]
        lacking = [name for name, row in zip(about["systems"], scores, strict=True) if np.isnan(row).any()]
        if lacking or numbers.min() != numbers.max() or numbers[0] < 2:
            raise (MissingScoresError if lacking else InputError)(
                counted(len(lacking), "system lacks", "systems lack")
                + f" folds that others have: {names_text(lacking)}"
                if lacking
                else f"repetitions of the cross-validation have from {numbers.min()} to {numbers.max()} folds",
                where=f"dataset {quoted(group.dataset)}: {counted(numbers.sum(), 'fold')} in "
                f"{counted(numbers.size, 'repetition')}, {table.columns_text('seed', 'fold')}",
                remedy="the test needs whole cross-validations of two folds or more: complete the results, or leave "
                f"out incomplete\nrepetitions or systems; if {table.said('fold')!r} is no fold, rename or remove it",
            )
        blocks.append(Scores(**about, scores=scores.reshape(len(scores), numbers.size, -1)))
    return blocks, findings


def _weights(group: Group, table: ScoreTable) -> Floats | None:
    return None if table.weights is None else group.per_instance(table.weights, table, "weight")
