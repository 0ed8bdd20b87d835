"""From a frame to validated results; what depends on which systems are compared is left to the pairing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import InputError, UnknownNameError
from reportkit.finding import Finding
from reportkit.metrics.correlation.coefficients import named_coefficient
from reportkit.scores.building.corpus_statistics import (
    blocks_of_statistics,
    corpus_metrics_of,
    with_counts_used,
)
from reportkit.scores.building.count_scores import blocks_of_counts, holds_counts
from reportkit.scores.building.folds import blocks_of_folds, fold_findings, has_one_score_per_fold
from reportkit.scores.building.gold_scores import asks_for_correlation, blocks_of_predictions
from reportkit.scores.building.instance_runs import blocks_of_runs
from reportkit.scores.building.instance_scores import (
    MISSING_SCORES,
    AbsentScores,
    absent_scores,
    blocks_of_instance_scores,
    refuse_without_instances,
)
from reportkit.scores.building.raters import without_rater
from reportkit.scores.building.run_scores import blocks_of_run_scores
from reportkit.scores.building.seeds import CHOSEN_SCORE, chosen_seed_findings, shape_with_seeds
from reportkit.scores.choices import Missing
from reportkit.scores.results import Results
from reportkit.scores.scales import (
    DeclaredKind,
    Group,
    InPercent,
    count_in_percent,
    divide,
    ranges_of,
    refuse_mixed_scales,
    refuse_wrong_kinds,
)
from reportkit.scores.screening import (
    column_findings,
    constant_findings,
    name_findings,
    nesting_findings,
    size_findings,
)
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.sample import Shape
from reportkit.scores.table.columns import Columns, folded, recognise_columns
from reportkit.scores.table.names import natural_key, natural_order
from reportkit.scores.table.row_numbers import names_text
from reportkit.scores.table.score_table import (
    Ingestion,
    ScoreTable,
    long_table,
    require_rows,
    where_metrics_apply,
    wide_table,
)

UNNAMED_METRIC = "score"


class NotInPartsError(Exception):
    """The rows have to be read together: a message, or an order, depends on all of them."""


class OtherScaleError(Exception):
    """Some datasets were read on another scale than all datasets together ask for.

    Parameters
    ----------
    divided : frozenset of (str, str)
        Metrics and datasets whose scores are to be divided by 100.
    wrong : frozenset of (str, str)
        Those that were not read so, or were and should not have been.
    """

    def __init__(self, divided: frozenset[Group], wrong: frozenset[Group]) -> None:
        super().__init__(f"other scales on {sorted(wrong)}")
        self.divided, self.wrong = divided, wrong


BlockBuilder = Callable[[Ingestion], tuple[tuple[Block, ...], list[Finding]]]
"""From a table to blocks of one shape, and what was noticed on the way."""

BUILDERS: Mapping[Shape, BlockBuilder] = {
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
    systems: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Results:
    """Validate scores, orient them so that higher is better, and lay them out as one matrix per (metric, dataset).

    Whether two systems were scored on the same instances is asked when they are paired, not here: systems that nobody
    compares may be incomplete.

    Parameters
    ----------
    frame : DataFrame
        Long form, one row per score, or wide form, one row per instance and one column per system. It is not changed.
    columns : dict of str to str, optional
        Role to column name, where names are not recognised; see `recognise_columns`.
    higher_is_better : bool or dict of str to bool
        Direction of all metrics, or of each by its name; metrics that are not named count as higher is better.
    kind : str or dict of str to str, optional
        Declared kind of scores: for all, or by the name of a dataset or of a metric.
    missing : {"error", "drop", "worst", "bounds"}
        Whether a row of the long form may be without a score. All but "error" leave it out here, and `pair` then
        leaves out the instance, or counts the worst score, or both the worst and the best. An empty cell of the wide
        form is no score.
    mixed_scales : {"error", "accept"}
        Whether proportions and percentages may stand side by side.
    metric : str, optional
        A metric to compute: a corpus metric, or a correlation with gold scores.
    across_datasets : bool
        Whether the datasets are going to be taken as the sample: one score per system and dataset is then enough.
    source : str
        Name of the file, or "DataFrame".
    systems : sequence of str, optional
        Wide form: the columns that are systems.
    datasets : sequence of str, optional
        Those that are looked at; of the others only the names are.

    Returns
    -------
    Results
        In an order that no order of rows changes: metrics, datasets and systems in natural order ("bleu2" before
        "bleu10") or that of an ordered categorical, instances sorted. Names and ids are texts.

    Raises
    ------
    ColumnError
        If columns are missing or ambiguous.
    InputError
        If the frame is empty, a name is missing, a system or dataset occurs once, an instance belongs to two clusters,
        or runs or folds are incomplete or were chosen by their scores.
    ScoreValueError
        If scores are not finite numbers, percentages and proportions are mixed, weights are not positive or differ
        between systems, or scores do not fit the declared kind.
    DuplicateScoresError
        If a (system, dataset, instance) has several scores, unless the rows are identical.
    MissingScoresError
        If scores are missing and `missing="error"`.
    UnknownNameError
        If `higher_is_better` or `kind` names a metric or dataset that does not occur.

    Examples
    --------
    >>> frame = pd.DataFrame({"model": ["b", "a", "b", "a"], "task": "cb", "id": [2, 1, 1, 2], "acc": [0, 1, 1, 0]})
    >>> results = results_from_frame(frame)
    >>> results.systems, results.datasets[0].scores
    (('a', 'b'), array([[1., 0.],
           [1., 0.]]))
    """
    part = part_from_frame(
        frame,
        _checked_columns(frame, columns, systems, across_datasets, metric),
        higher_is_better=higher_is_better,
        kind=kind,
        missing=missing,
        metric=metric,
        across_datasets=across_datasets,
        source=source,
        datasets=datasets,
    )
    return gathered(
        [part],
        higher_is_better=higher_is_better,
        kind=kind,
        missing=missing,
        mixed_scales=mixed_scales,
        across_datasets=across_datasets,
        source=source,
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class IngestedPart:
    """Some datasets as they were laid out, and what can only be judged when all datasets have been seen.

    Parameters
    ----------
    blocks : tuple of Block
        One per (metric, dataset).
    columns : Columns
        Which column plays which role.
    metrics, named_datasets : tuple of str
        All that occur in a row.
    ordered : bool
        Whether the order of names was declared, by an ordered categorical.
    n_rows : int
        Rows of the input.
    shape : Shape
        What there is of each system.
    in_percent : InPercent
        Scores of 0 and 100, by metric and dataset, and whether they were divided.
    absent : AbsentScores, optional
        Rows without a score, of one part of several.
    findings : tuple of Finding
        Of these datasets alone.
    across : tuple of Finding
        About all datasets at once: where there are any, nothing can be added to this part.
    """

    blocks: tuple[Block, ...]
    columns: Columns
    metrics: tuple[str, ...]
    named_datasets: tuple[str, ...]
    ordered: bool
    n_rows: int
    shape: Shape
    in_percent: InPercent
    absent: AbsentScores | None
    findings: tuple[Finding, ...] = ()
    across: tuple[Finding, ...] = ()


def part_from_frame(
    frame: pd.DataFrame,
    columns: Columns,
    *,
    higher_is_better: bool | Mapping[str, bool] = True,
    kind: DeclaredKind = None,
    missing: Missing = "error",
    metric: str | None = None,
    across_datasets: bool = False,
    source: str = "DataFrame",
    partial: bool = False,
    divided: frozenset[Group] | None = None,
    datasets: Sequence[str] | None = None,
) -> IngestedPart:
    """Lay out the datasets of a frame, without a look at what only all datasets together can show.

    Parameters
    ----------
    frame : DataFrame
        All rows of some datasets.
    columns : Columns
        Which column plays which role.
    higher_is_better, kind, missing, metric, across_datasets, source
        As for `results_from_frame`.
    partial : bool
        Whether there are other datasets elsewhere: names that occur once may occur there, too.
    divided : frozenset of (str, str), optional
        Metrics and datasets whose scores are 0 and 100 for wrong and right; by default, what these datasets show.
    datasets : sequence of str, optional
        Those that are looked at.
    """
    read = long_table if columns.form == "long" else wide_table
    table = read(frame, columns, source)
    named = _named_datasets(table)
    if datasets is not None:
        table = _of_datasets(table, datasets, named, partial=partial)
    metrics = _metric_names(table)
    table = replace(table, negated=_negated(higher_is_better, metrics, columns, metric, partial=partial))
    ingestion = Ingestion(
        frame=frame,
        table=table,
        columns=columns,
        metrics=metrics,
        kind=kind,
        missing=missing,
        metric=metric,
        source=source,
        across_datasets=across_datasets,
        higher_is_better=higher_is_better,
        partial=partial,
    )
    shape = recognised_shape(ingestion)
    in_percent = InPercent()
    if shape in ("paired", "runs") and not across_datasets:
        in_percent = count_in_percent(table, metrics, kind, partial=partial, divided=divided)
        table = divide(table, metrics, in_percent.divided)
        ingestion = ingestion.with_table(table)
    if shape == "corpus":
        columns = with_counts_used(columns)
    blocks: tuple[Block, ...] = ()
    noticed: list[Finding] = []
    if not partial or not np.isnan(table.scores).all():  # by these metrics, other datasets may have scores
        blocks, noticed = BUILDERS[shape](ingestion)
    if "rater" in columns.roles and not any(block.unit == "rating" for block in blocks):
        columns = without_rater(columns)
    matrices = [matrix for block in blocks if (matrix := block.matrix()) is not None]
    refuse_wrong_kinds(kind, matrices, named, partial=partial)
    across = [
        *(fold_findings(columns) if "fold" in columns.roles and shape != "folds" else ()),
        *(chosen_seed_findings(table, columns) if table.seed is not None and shape == "paired" else ()),
    ]
    return IngestedPart(
        blocks=blocks,
        columns=columns,
        metrics=tuple(metrics),
        named_datasets=named,
        ordered=any(coded is not None and coded.ordered for coded in (table.system, table.dataset, table.metric)),
        n_rows=len(frame),
        shape=shape,
        in_percent=in_percent,
        absent=absent_scores(where_metrics_apply(table)) if partial and blocks else None,
        findings=tuple(noticed),
        across=tuple(across),
    )


def gathered(
    parts: Sequence[IngestedPart],
    *,
    higher_is_better: bool | Mapping[str, bool] = True,
    kind: DeclaredKind = None,
    missing: Missing = "error",
    mixed_scales: Literal["error", "accept"] = "error",
    across_datasets: bool = False,
    source: str = "DataFrame",
    unread: Sequence[str] = (),
) -> Results:
    """Put parts together, and judge what only all datasets can show.

    Parameters
    ----------
    parts : sequence of IngestedPart
        Each dataset in one of them, in any order.
    higher_is_better, kind, missing, mixed_scales, across_datasets, source
        As for `results_from_frame`.
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
    partial = len(parts) > 1 or bool(unread)
    if partial:
        _refuse_parts(parts, higher_is_better, kind, across_datasets, unread)
    first = parts[0]
    blocks = first.blocks
    named = first.named_datasets
    if partial:
        blocks = tuple(
            sorted(
                (block for part in parts for block in part.blocks),
                key=lambda block: (natural_key(block.metric), natural_key(block.dataset)),
            )
        )
        named = tuple(natural_order({*unread, *(name for part in parts for name in part.named_datasets)}))
    in_percent = InPercent.of_all([part.in_percent for part in parts])
    decided = in_percent.decided(kind)
    for part in parts:
        if wrong := {*part.in_percent.divided} ^ {
            group for group in decided.divided if group in part.in_percent.counts
        }:
            raise OtherScaleError(decided.divided, frozenset(wrong))
    matrices = [matrix for block in blocks if (matrix := block.matrix()) is not None]
    refuse_wrong_kinds(kind, matrices, named)
    ranges = [ranges_of(block) for block in matrices]
    mixed: list[Finding] = []
    if mixed_scales == "error":
        as_given = [one for one in ranges if (one.block.metric, one.block.dataset) not in decided.divided]
        mixed = refuse_mixed_scales(as_given, first.columns.roles.get("gold"))
    columns = first.columns
    noticed = list(first.findings)
    if partial:
        absent = AbsentScores.of_all([part.absent for part in parts if part.absent is not None])
        noticed = [absent.finding(missing)] if absent.n_absent else []
    return Results(
        datasets=blocks,
        columns=dict(columns.roles),
        unused_columns=columns.unused,
        n_rows=sum(part.n_rows for part in parts),
        findings=(
            *column_findings(
                columns,
                gold_used=any(block.shape == "correlation" for block in blocks),
                of_runs=first.shape not in ("paired", "correlation"),
            ),
            *decided.findings,
            *noticed,
            *mixed,
            *_screened(blocks, columns, across_datasets),
            *first.across,
            *(constant_findings(ranges) if first.shape not in ("run-scores", "folds") else ()),
        ),
        source=source,
        named_datasets=named,
    )


def _refuse_parts(
    parts: Sequence[IngestedPart],
    higher_is_better: bool | Mapping[str, bool],
    kind: DeclaredKind,
    across_datasets: bool,
    unread: Sequence[str],
) -> None:
    """Raise NotInPartsError where a message, or an order, depends on the rows of several parts."""
    blocks = [block for part in parts for block in part.blocks]
    absent = AbsentScores.of_all([part.absent for part in parts if part.absent is not None])
    names = {UNNAMED_METRIC, *unread, *parts[0].columns.roles.values()}.union(
        *(part.metrics for part in parts), *(part.named_datasets for part in parts)
    )
    reasons = {
        "they are not one score per system and instance": any(
            part.shape != "paired" or part.across or {"rater", "seed", "fold"} & {*part.columns.roles} for part in parts
        ),
        "rows are repeated": any(finding.code != MISSING_SCORES for part in parts for finding in part.findings),
        "columns differ": any(part.columns != parts[0].columns for part in parts),
        "the order of names is declared": any(part.ordered for part in parts),
        "a dataset is in several parts": len({(block.metric, block.dataset) for block in blocks}) < len(blocks),
        "names occur once": 1 in {*absent.scores_of_systems.values(), *absent.scores_of_datasets.values()},
        "there is one score per dataset": all(block.n_instances == 1 for block in blocks) and not across_datasets,
        "each dataset is one cluster": "cluster" in parts[0].columns.roles
        and all(len(block.cluster_names) < 2 for block in blocks),
        "a name does not occur": any(
            isinstance(given, Mapping) and not {*given} <= names for given in (higher_is_better, kind)
        ),
    }
    for reason, holds in reasons.items():
        if holds:
            raise NotInPartsError(reason)


def _named_datasets(table: ScoreTable) -> tuple[str, ...]:
    """All datasets that occur in a row, in natural order or that of an ordered categorical."""
    names = [str(table.dataset.names[code]) for code in table.dataset.present()]
    return tuple(names if table.dataset.ordered else natural_order(names))


def _of_datasets(table: ScoreTable, datasets: Sequence[str], named: Sequence[str], *, partial: bool) -> ScoreTable:
    """The scores on some datasets; of these, other parts may hold those that are not here."""
    for name in () if partial else datasets:
        if name not in named:
            raise UnknownNameError("dataset", name, named)
    kept = np.array([str(name) in datasets for name in table.dataset.names])[table.dataset.codes]
    return table if kept.all() else table.where(kept)


def recognised_shape(ingestion: Ingestion) -> Shape:
    """Tell from the roles of the columns, and from the metric asked for, what there is of each system."""
    roles, table, asked = ingestion.columns.roles, ingestion.table, ingestion.metric is not None
    if asked and asks_for_correlation(ingestion):
        return "correlation"
    if (asked or ingestion.columns.statistics) and corpus_metrics_of(ingestion):
        return "corpus"
    if "fold" in roles and has_one_score_per_fold(table):
        return "folds"
    if "seed" in roles or CHOSEN_SCORE.fullmatch(folded(roles.get("score", ""))):
        shape = shape_with_seeds(table, ingestion.columns)
        if shape != "paired":
            return shape
    if "n" in roles and holds_counts(ingestion) and not (ingestion.across_datasets and "k" not in roles):
        return "counts"
    if "instance" not in roles:
        refuse_without_instances(ingestion)
    return "paired"


def _checked_columns(
    frame: pd.DataFrame,
    columns: Mapping[str, str] | None,
    systems: Sequence[str] | None,
    across_datasets: bool,
    metric: str | None,
) -> Columns:
    require_rows(frame)
    found = recognise_columns(frame, columns, systems=systems, without_instances=across_datasets, metric=metric)
    if found.form == "printed":
        raise InputError(
            "the table holds two scores and a p-value per dataset, not the scores of instances",
            where=f"columns {names_text(list(found.roles.values()))}",
            remedy="read it with reportkit.read, which takes printed tables too, or give the scores of the instances",
        )
    return found


def _metric_names(table: ScoreTable) -> list[str]:
    return [UNNAMED_METRIC] if table.metric is None else list(table.metric.names)


def _negated(
    higher_is_better: bool | Mapping[str, bool],
    metrics: Sequence[str],
    columns: Columns,
    asked: str | None = None,
    *,
    partial: bool = False,
) -> NDArray[np.bool_]:
    """Which metrics are negated; one may also be called by its column of scores, or by the correlation asked for."""
    if not isinstance(higher_is_better, Mapping):
        return np.full(len(metrics), not higher_is_better)
    scored = columns.form == "long" and "metric" not in columns.roles and "score" in columns.roles
    other = {columns.roles["score"]: UNNAMED_METRIC} if scored else {}
    if asked is not None and (coefficient := named_coefficient(asked)) is not None and len(metrics) == 1:
        other |= {asked: metrics[0], coefficient: metrics[0]}
    if asked is not None and columns.statistics and len(metrics) == 1:
        other |= {asked: metrics[0]}
    lower = set()
    for name, higher in higher_is_better.items():
        metric = other.get(name, name)
        if metric not in metrics and not partial:
            raise UnknownNameError(
                "metric", name, dict.fromkeys([*metrics, *other]), where="higher_is_better (--lower-is-better)"
            )
        if not higher:
            lower.add(metric)
    return np.array([metric in lower for metric in metrics])


def _screened(blocks: Sequence[Block], columns: Columns, across_datasets: bool) -> Iterable[Finding]:
    systems = list(dict.fromkeys(system for block in blocks for system in block.systems))
    datasets = list(dict.fromkeys(block.dataset for block in blocks))
    yield from name_findings(systems, "system")
    yield from name_findings(datasets, "dataset")
    with_instances = [block for block in blocks if block.n_instances]
    if with_instances and not across_datasets:
        yield from nesting_findings(with_instances, columns)
        yield from size_findings(with_instances)
