"""From the long form to validated results; what depends on which systems are compared is left to the pairing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from reportkit.errors import UnknownNameError
from reportkit.finding import Finding
from reportkit.scores.building.corpus_statistics import blocks_of_statistics, corpus_metric_of
from reportkit.scores.building.count_scores import blocks_of_counts, holds_counts
from reportkit.scores.building.folds import blocks_of_folds, has_one_score_per_fold, unused_folds
from reportkit.scores.building.gold_scores import asks_for_correlation, blocks_of_predictions
from reportkit.scores.building.instance_scores import (
    MISSING_SCORES,
    Tally,
    blocks_of_instance_scores,
    missing_finding,
    number_absent,
    refuse_without_instances,
    tally_of,
)
from reportkit.scores.building.runs import (
    blocks_of_run_scores,
    blocks_of_runs,
    chosen_seed_findings,
    refuse_the_best,
    shape_with_seeds,
)
from reportkit.scores.choices import ROLES, Missing
from reportkit.scores.results import Results
from reportkit.scores.sample import Shape
from reportkit.scores.scales import (
    GOLD_REMEDY,
    DeclaredKind,
    Group,
    count_in_percent,
    divide,
    ranges_of,
    refuse_mixed_scales,
    refuse_wrong_kinds,
    right_or_wrong_in_percent,
)
from reportkit.scores.scores import Scores
from reportkit.scores.screening import constant_findings, name_findings, nesting_findings, size_findings
from reportkit.scores.table.names import natural_key, natural_order
from reportkit.scores.table.score_table import Asked, ScoreTable, score_table, where_metrics_apply


class NotInPartsError(Exception):
    """The rows have to be read together: a message, or an order, depends on all of them."""


BUILDERS: Mapping[Shape, Callable[[ScoreTable], tuple[list[Scores], list[Finding]]]] = {
    "paired": blocks_of_instance_scores,
    "correlation": blocks_of_predictions,
    "counts": blocks_of_counts,
    "corpus": blocks_of_statistics,
    "runs": blocks_of_runs,
    "run-scores": blocks_of_run_scores,
    "folds": blocks_of_folds,
}
"""By shape of the results, how its blocks are built."""


def results_from_frame(
    frame: pd.DataFrame,
    *,
    columns: Mapping[str, str] | None = None,
    higher_is_better: bool | Mapping[str, bool] = True,
    kind: DeclaredKind = None,
    missing: Missing = "error",
    mixed_scales: Literal["error", "accept"] = "error",
    metric: str | None = None,
    across_datasets: bool = False,
    source: str = "DataFrame",
    datasets: Sequence[str] | None = None,
) -> Results:
    """Validate scores, orient them so that higher is better, and lay them out as one matrix per (metric, dataset).

    Whether two systems were scored on the same instances is asked when they are paired, not here: systems that nobody
    compares may be incomplete.

    Parameters
    ----------
    frame : DataFrame
        One row per score: `system, dataset, instance, score` and what else `reportkit.scores.reading.Reading` names.
    columns : mapping of str to str, optional
        Role to the name of the column in the input, for messages.
    higher_is_better, kind, missing, metric, across_datasets, source
        See `Asked`. With another `missing` than "error", a row without a score is left out here, and `pair` then
        leaves out the instance, or counts the worst score, or both the worst and the best.
    mixed_scales : {"error", "accept"}
        Whether proportions and percentages may stand side by side.
    datasets : sequence of str, optional
        Those that are looked at; of the others only the names are.

    Returns
    -------
    Results
        In an order that no order of rows changes: metrics, datasets and systems in natural order ("bleu2" before
        "bleu10") or that of an ordered categorical, instances sorted. Names and ids are texts.

    Raises
    ------
    InputError
        If a name is missing, a system or dataset occurs once, an instance belongs to two clusters, or runs or folds are
        incomplete or were chosen by their scores.
    ScoreValueError
        If scores are not finite numbers, percentages and proportions are mixed, weights are not positive or differ
        between systems, or scores do not fit the declared kind.
    DuplicateScoresError
        If a (system, dataset, instance) has several scores, unless the rows are identical.
    MissingScoresError
        If scores are missing and `missing="error"`.
    UnknownNameError
        If `kind` names a metric or dataset that does not occur.

    Examples
    --------
    >>> rows = {"system": ["b", "a", "b", "a"], "dataset": "cb", "instance": [2, 1, 1, 2], "score": [0, 1, 1, 0]}
    >>> results = results_from_frame(pd.DataFrame(rows))
    >>> results.systems, results.datasets[0].scores
    (('a', 'b'), array([[1., 0.],
           [1., 0.]]))
    """
    asked = Asked(
        higher_is_better=higher_is_better,
        kind=kind,
        missing=missing,
        metric=metric,
        across_datasets=across_datasets,
        source=source,
        columns=columns or {},
    )
    return gathered([part_from_frame(frame, asked, datasets=datasets)], asked, mixed_scales=mixed_scales)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class IngestedPart:
    """Some datasets as they were laid out, and what can only be judged when all datasets have been seen.

    Parameters
    ----------
    blocks : tuple of Scores
        One per (metric, dataset).
    roles : tuple of str
        Columns of the long form.
    metrics, named_datasets : tuple of str
        All that occur in a row.
    ordered : bool
        Whether the order of names was declared, by an ordered categorical.
    n_rows : int
        Rows of the long form.
    shape : Shape
        What there is of each system.
    in_percent : mapping of (str, str) to (int, int, int)
        Scores of 100, of 0, and all, by metric and dataset.
    divided : frozenset of (str, str)
        Metrics and datasets whose scores were divided by 100.
    tally : Counter
        Scores that are there and missing, of one part of several.
    findings : tuple of Finding
        Of these datasets alone.
    across : tuple of Finding
        About all datasets at once: where there are any, nothing can be added to this part.
    """

    blocks: tuple[Scores, ...]
    roles: tuple[str, ...]
    metrics: tuple[str, ...]
    named_datasets: tuple[str, ...]
    ordered: bool
    n_rows: int
    shape: Shape
    in_percent: Mapping[Group, tuple[int, int, int]]
    divided: frozenset[Group]
    tally: Tally
    findings: tuple[Finding, ...] = ()
    across: tuple[Finding, ...] = ()


def part_from_frame(
    frame: pd.DataFrame,
    asked: Asked,
    *,
    datasets: Sequence[str] | None = None,
) -> IngestedPart:
    """Lay out the datasets of a frame, without a look at what only all datasets together can show.

    Parameters
    ----------
    frame : DataFrame
        All rows of some datasets, in the long form.
    asked : Asked
        What the user says.
    datasets : sequence of str, optional
        Those that are looked at.
    """
    table = score_table(frame, asked)
    named = table.dataset.present()
    if datasets is not None:
        if not asked.partial and (unknown := [name for name in datasets if name not in named]):
            raise UnknownNameError("dataset", unknown[0], named)
        table = table.where(np.isin(table.dataset.names.astype(str), [*datasets])[table.dataset.codes])
    ordered = any(one.ordered for one in (table.system, table.dataset, table.metric))
    shape = _shape(table)
    in_percent = count_in_percent(table) if shape in ("paired", "runs") and not asked.across_datasets else {}
    divided, _ = right_or_wrong_in_percent(in_percent, asked.kind)
    table = divide(table, divided)
    blocks: list[Scores] = []
    noticed: list[Finding] = []
    if not asked.partial or not np.isnan(table.scores).all():  # by these metrics, other datasets may have scores
        blocks, noticed = BUILDERS[shape](table)
    refuse_wrong_kinds(asked.kind, [one for block in blocks if (one := block.matrix())], named, partial=asked.partial)
    return IngestedPart(
        blocks=tuple(blocks),
        roles=tuple(role for role in ROLES if role in frame),
        metrics=tuple(map(str, table.metric.names)),
        named_datasets=tuple(named),
        ordered=ordered,
        n_rows=len(frame),
        shape=shape,
        in_percent=in_percent,
        divided=divided,
        tally=tally_of(where_metrics_apply(table)) if asked.partial and blocks else Tally(),
        findings=tuple(noticed),
        across=(
            *(unused_folds(table) if table.fold is not None and shape != "folds" else ()),
            *(chosen_seed_findings(table) if shape == "paired" else ()),
        ),
    )


def gathered(
    parts: Sequence[IngestedPart],
    asked: Asked,
    *,
    mixed_scales: Literal["error", "accept"] = "error",
    unread: Sequence[str] = (),
) -> Results:
    """Put parts together, and judge what only all datasets can show.

    Parameters
    ----------
    parts : sequence of IngestedPart
        Each dataset in one of them, in any order.
    asked : Asked
        What the user says.
    mixed_scales : {"error", "accept"}
        Whether proportions and percentages may stand side by side.
    unread : sequence of str
        Datasets that nobody asked for, of which no row is in any part.

    Returns
    -------
    Results
        The same, however the datasets are spread over parts.

    Raises
    ------
    NotInPartsError
        If the rows have to be read together.
    ScoreValueError
        If percentages and proportions are mixed, or scores do not fit the declared kind.
    """
    first = parts[0]
    blocks, named, noticed = first.blocks, first.named_datasets, first.findings
    if len(parts) > 1 or unread:
        tally = sum((part.tally for part in parts), Tally())
        _refuse_parts(parts, asked, tally, unread)
        found = [block for part in parts for block in part.blocks]
        blocks = tuple(sorted(found, key=lambda block: (natural_key(block.metric), natural_key(block.dataset))))
        named = tuple(natural_order({*unread, *(name for part in parts for name in part.named_datasets)}))
        noticed = (missing_finding(tally, asked.missing),) if number_absent(tally) else ()
    in_percent = {group: numbers for part in parts for group, numbers in part.in_percent.items()}
    divided, decided = right_or_wrong_in_percent(in_percent, asked.kind)
    if divided != {group for part in parts for group in part.divided}:
        raise NotInPartsError("scores are 0 and 100 on some datasets, and others tell what they mean")
    matrices = [matrix for block in blocks if (matrix := block.matrix()) is not None]
    refuse_wrong_kinds(asked.kind, matrices, named)
    ranges = [ranges_of(block) for block in matrices]
    mixed: list[Finding] = []
    gold = asked.columns.get("gold", "gold") if "gold" in first.roles else None
    if mixed_scales == "error":
        as_given = [one for one in ranges if (one.block.metric, one.block.dataset) not in divided]
        mixed = refuse_mixed_scales(as_given, gold)
    unused = ("rater",) if "rater" in first.roles and not any(block.unit == "rating" for block in blocks) else ()
    sized = [] if asked.across_datasets else [block for block in blocks if block.n_instances]
    return Results(
        datasets=blocks,
        columns={role: role for role in first.roles if role not in unused},
        unused_columns=unused,
        n_rows=sum(part.n_rows for part in parts),
        findings=(
            *(_unused_gold(gold) if gold and first.shape != "correlation" else ()),
            *decided,
            *noticed,
            *mixed,
            *name_findings(list(dict.fromkeys(system for block in blocks for system in block.systems)), "system"),
            *name_findings(list(dict.fromkeys(block.dataset for block in blocks)), "dataset"),
            *(nesting_findings(sized) if "cluster" not in first.roles else ()),
            *(size_findings(sized) if sized else ()),
            *first.across,
            *(constant_findings(ranges) if first.shape not in ("run-scores", "folds") else ()),
        ),
        source=asked.source,
        named_datasets=named,
    )


def _unused_gold(gold: str) -> list[Finding]:
    message = "Scores are compared by their means; the gold values play no part."
    remedy = GOLD_REMEDY.format("the gold values").replace("\n", " ")
    return [Finding("gold-unused", "warning", message, where=f"column {gold!r}", remedy=remedy)]


def _refuse_parts(parts: Sequence[IngestedPart], asked: Asked, tally: Tally, unread: Sequence[str]) -> None:
    """Raise NotInPartsError where a message, or an order, depends on the rows of several parts."""
    blocks = [block for part in parts for block in part.blocks]
    once = {key[:2] for key, number in tally.items() if number == 1 and not key[2]}
    names = {*unread}.union(*(part.metrics for part in parts), *(part.named_datasets for part in parts))
    reasons = {
        "they are not one score per system and instance": any(
            part.shape != "paired" or part.across or {"rater", "seed", "fold"} & {*part.roles} for part in parts
        ),
        "rows are repeated": any(finding.code != MISSING_SCORES for part in parts for finding in part.findings),
        "columns differ": any(part.roles != parts[0].roles for part in parts),
        "the order of names is declared": any(part.ordered for part in parts),
        "a dataset is in several parts": len({(block.metric, block.dataset) for block in blocks}) < len(blocks),
        "names occur once": bool(once),
        "there is one score per dataset": all(block.n_instances == 1 for block in blocks) and not asked.across_datasets,
        "each dataset is one cluster": "cluster" in parts[0].roles
        and all(len(block.cluster_names) < 2 for block in blocks),
        "a name does not occur": isinstance(asked.kind, Mapping) and not {*asked.kind} <= names,
    }
    for reason, holds in reasons.items():
        if holds:
            raise NotInPartsError(reason)


def _shape(table: ScoreTable) -> Shape:
    """Tell from the roles of the columns, and from the metric asked for, what there is of each system."""
    if asks_for_correlation(table):
        return "correlation"
    if corpus_metric_of(table) is not None:
        return "corpus"
    if has_one_score_per_fold(table):
        return "folds"
    refuse_the_best(table)
    shape = shape_with_seeds(table)
    if shape != "paired":
        return shape
    if holds_counts(table) and not (table.asked.across_datasets and not table.has("k")):
        return "counts"
    if not table.has("instance"):
        refuse_without_instances(table)
    return "paired"
