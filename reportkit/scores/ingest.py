"""From a frame to validated results; what depends on which systems are compared is left to the pairing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
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
from reportkit.scores.building.instance_scores import blocks_of_instance_scores, refuse_without_instances
from reportkit.scores.building.raters import without_rater
from reportkit.scores.building.run_scores import blocks_of_run_scores
from reportkit.scores.building.seeds import CHOSEN_SCORE, chosen_seed_findings, shape_with_seeds
from reportkit.scores.choices import Missing
from reportkit.scores.results import Results
from reportkit.scores.scales import (
    DeclaredKind,
    Group,
    ranges_of,
    refuse_mixed_scales,
    refuse_wrong_kinds,
    rights_from_percent,
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
from reportkit.scores.table.names import natural_order
from reportkit.scores.table.row_numbers import names_text
from reportkit.scores.table.score_table import Ingestion, ScoreTable, long_table, require_rows, wide_table

UNNAMED_METRIC = "score"

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
    columns_found = _checked_columns(frame, columns, systems, across_datasets, metric)
    read = long_table if columns_found.form == "long" else wide_table
    table = read(frame, columns_found, source)
    metrics = _metric_names(table)
    table = replace(table, negated=_negated(higher_is_better, metrics, columns_found, metric))
    ingestion = Ingestion(
        frame=frame,
        table=table,
        columns=columns_found,
        metrics=metrics,
        kind=kind,
        missing=missing,
        metric=metric,
        source=source,
        across_datasets=across_datasets,
        higher_is_better=higher_is_better,
    )
    shape = recognised_shape(ingestion)
    divided: frozenset[Group] = frozenset()
    in_percent: list[Finding] = []
    if shape in ("paired", "runs") and not across_datasets:
        table, in_percent, divided = rights_from_percent(table, metrics, kind)
        ingestion = ingestion.with_table(table)
    if shape == "corpus":
        columns_found = with_counts_used(columns_found)
    blocks, noticed = BUILDERS[shape](ingestion)
    if "rater" in columns_found.roles and not any(block.unit == "rating" for block in blocks):
        columns_found = without_rater(columns_found, frame)
    matrices = [matrix for block in blocks if (matrix := block.matrix()) is not None]
    refuse_wrong_kinds(kind, matrices)
    ranges = [ranges_of(block) for block in matrices]
    if mixed_scales == "error":
        as_given = [one for one in ranges if (one.block.metric, one.block.dataset) not in divided]
        noticed = [*noticed, *refuse_mixed_scales(as_given)]
    return Results(
        datasets=blocks,
        columns=dict(columns_found.roles),
        unused_columns=columns_found.unused,
        n_rows=len(frame),
        findings=(
            *column_findings(columns_found, gold_used=any(block.shape == "correlation" for block in blocks)),
            *in_percent,
            *noticed,
            *_screened(blocks, columns_found, across_datasets),
            *(fold_findings(columns_found) if "fold" in columns_found.roles and shape != "folds" else ()),
            *(chosen_seed_findings(table, columns_found) if table.seed is not None and shape == "paired" else ()),
            *(constant_findings(ranges) if shape not in ("run-scores", "folds") else ()),
        ),
        source=source,
        named_datasets=_named_datasets(table),
    )


def _named_datasets(table: ScoreTable) -> tuple[str, ...]:
    """All datasets that occur in a row, in natural order or that of an ordered categorical."""
    names = [str(table.dataset.names[code]) for code in np.flatnonzero(table.dataset.counts())]
    return tuple(names if table.dataset.ordered else natural_order(names))


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
    higher_is_better: bool | Mapping[str, bool], metrics: Sequence[str], columns: Columns, asked: str | None = None
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
        if metric not in metrics:
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
