"""Counts per system, dataset and instance: which metric they are for, and from the table to blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import (
    ColumnError,
    DuplicateScoresError,
    InputError,
    MissingScoresError,
    ScoreValueError,
    SettingsError,
)
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.language.counts_and_lists import listed as in_words
from reportkit.metrics.corpus.catalogue import CORPUS_METRICS, corpus_metric_named
from reportkit.metrics.corpus.counted_columns import missing_counts
from reportkit.metrics.corpus.metric import CorpusMetric
from reportkit.scores.building.instance_scores import PerInstance, per_instance
from reportkit.scores.shapes.paired_statistics import DatasetStatistics
from reportkit.scores.table.cell_index import Group
from reportkit.scores.table.columns import Columns, columns_text
from reportkit.scores.table.duplicates import shared_cells, without_repeated_rows
from reportkit.scores.table.row_numbers import LISTED, quoted, rows_text, share
from reportkit.scores.table.score_table import Ingestion, ScoreTable, column, scores_of, where_metrics_apply

Counts = NDArray[np.float64]


def corpus_metrics_of(ingestion: Ingestion) -> tuple[CorpusMetric, ...]:
    """Tell which metrics are to be computed from columns of counts; none if scores are to be compared.

    Raises
    ------
    ColumnError
        If a metric was asked for and counts for it are missing; or if there are counts of several metrics, no scores,
        and nobody said which.
    """
    columns, asked = ingestion.columns, metrics_asked_for(ingestion.metric)
    names = [str(name) for name in ingestion.frame.columns]
    if columns.form != "long" or any(name in ingestion.metrics for name in asked):
        return ()
    wanted = [metric for name in asked if (metric := corpus_metric_named(name)) is not None]
    if wanted and len(wanted) == len(asked):
        for metric in wanted:
            _refuse_missing_counts(metric, ingestion)
        return tuple(wanted)
    if "score" in columns.roles or not columns.statistics:
        return ()
    fitting = [
        metric
        for metric in CORPUS_METRICS.values()
        if metric.offered and set(metric.columns) <= columns.statistics.keys()
    ]
    if len(fitting) == 1 and not asked:
        return tuple(fitting)
    choices = [metric.name for metric in fitting] or [
        metric.name for metric in CORPUS_METRICS.values() if set(metric.columns) <= columns.statistics.keys()
    ]
    raise ColumnError(
        f"there are no scores, and from the counts several metrics can be computed: {', '.join(choices)}",
        where=columns_text(names),
        remedy=f"choose one: metric={choices[0]!r} (--metric {choices[0]})",
    )


def _refuse_missing_counts(metric: CorpusMetric, ingestion: Ingestion) -> None:
    names = [str(name) for name in ingestion.frame.columns]
    if absent := missing_counts(metric, names):
        scores = ingestion.columns.roles.get("score")
        raise ColumnError(
            f"{metric.name} is computed from counts, and no column holds "
            + in_words(list(map(repr, absent)), last="or"),
            where=columns_text(names),
            remedy=f"{metric.name} needs the columns {', '.join(metric.columns)} (also with stat_ before the name)"
            + (
                f"; if {scores!r} is the {metric.name} of each instance, name that column {metric.name!r}"
                if scores
                else ""
            ),
        )


def metrics_asked_for(metric: str | Sequence[str] | None) -> tuple[str, ...]:
    """Names of the metrics that are asked for; there may be none, one, or several."""
    if metric is None:
        return ()
    return (metric,) if isinstance(metric, str) else tuple(metric)


def blocks_of_statistics(ingestion: Ingestion) -> tuple[tuple[DatasetStatistics, ...], list[Finding]]:
    """Lay out the counts of each dataset.

    Raises
    ------
    ScoreValueError
        If counts are not finite, negative, or larger than what they are a part of.
    MissingScoresError
        If counts are missing and `missing="error"`.
    DuplicateScoresError
        If a (system, dataset, instance) has several rows with different counts.
    InputError
        If there are several runs, weights, several metrics, or one row per dataset.
    """
    blocks: list[DatasetStatistics] = []
    findings: list[Finding] = []
    for metric in corpus_metrics_of(ingestion):
        _check_direction(metric, ingestion.higher_is_better)
        found, noticed = _blocks_of_metric(ingestion, metric)
        blocks += found
        findings += [finding for finding in noticed if finding not in findings]
    return tuple(blocks), findings


def _blocks_of_metric(ingestion: Ingestion, metric: CorpusMetric) -> tuple[list[DatasetStatistics], list[Finding]]:
    _refuse_other_designs(ingestion, metric)
    findings = [] if ingestion.metric is not None else [_chosen(metric)]
    counts = _counts(ingestion, metric)
    rows = np.arange(float(len(counts)))
    rows[np.isnan(counts).any(axis=1)] = np.nan
    table = replace(ingestion.table, scores=rows, metric=None, negated=np.zeros(1, dtype=bool))
    table, noticed = _with_counts(table, ingestion)
    if all(group.instances.size == 1 for group in table.groups):
        raise InputError(
            "there is one row of counts per system and dataset: these are sums, not counts of instances",
            where=counted(len(table.groups), "dataset", "datasets") + " with 1 instance each",
            remedy="give the counts of every instance; of sums alone no p-value is known",
        )
    beside = per_instance(table, ingestion.columns, ingestion.source)
    blocks = [_block(group, table, counts, beside, metric) for group in table.groups]
    return blocks, [*findings, *noticed]


def _refuse_other_designs(ingestion: Ingestion, metric: CorpusMetric) -> None:
    table, roles = ingestion.table, ingestion.columns.roles
    if table.seed is not None and np.count_nonzero(table.seed.counts()) > 1:
        raise InputError(
            f"{metric.title} of several runs is not computed: column {roles['seed']!r} numbers "
            f"{np.count_nonzero(table.seed.counts())} of them",
            where=columns_text([str(name) for name in ingestion.frame.columns]),
            remedy="select one run of each system before looking at the results, or add up the counts of the runs\n"
            "(the claim is then about these runs alone)",
        )
    if table.weights is not None:
        raise InputError(
            f"counts have no weights: {metric.title} is computed from sums",
            where=f"column {roles['weight']!r}",
            remedy="rename or remove the column",
        )
    if table.metric is not None and np.count_nonzero(table.metric.counts()) > 1:
        raise InputError(
            f"{metric.title} is to be computed from counts, but column {roles['metric']!r} names several metrics",
            where=listed([quoted(name) for name in table.metric.names[:LISTED]], total=len(table.metric.names)),
            remedy="give one row of counts per system, dataset and instance, without a column of metrics",
        )


def _check_direction(metric: CorpusMetric, higher_is_better: object) -> None:
    """Refuse a declared direction that is not that of the metric; `True` is what nobody declared."""
    if higher_is_better is False and metric.higher_is_better:
        raise SettingsError(
            f"higher_is_better=False, but a higher {metric.title} is better",
            remedy="leave it out: the direction of a corpus metric is known",
        )


def with_counts_used(columns: Columns) -> Columns:
    """Take the columns of counts from those that play no role."""
    used = set(columns.statistics.values())
    return replace(columns, unused=tuple(name for name in columns.unused if name not in used))


def _chosen(metric: CorpusMetric) -> Finding:
    return Finding(
        "metric-chosen",
        "warning",
        f"There are no scores; {metric.title} is computed from the columns {', '.join(metric.columns)}, the only "
        "metric that fits them.",
        remedy=f"name it: metric={metric.name!r} (--metric {metric.name})",
    )


def _counts(ingestion: Ingestion, metric: CorpusMetric) -> Counts:
    """Counts of all rows, shape (n_rows, k), validated; rows of which all counts are empty are NaN."""
    names = [ingestion.columns.statistics[name] for name in metric.columns]
    source = ingestion.source
    counts = np.stack([scores_of(column(ingestion.frame, name), source=source, what="count") for name in names], axis=1)
    empty = np.isnan(counts)
    some = np.flatnonzero(empty.any(axis=1) & ~empty.all(axis=1))
    if some.size:
        raise ScoreValueError(
            share(some.size, len(counts), "rows has some counts only", "rows have some counts only")
            + f": column {names[int(empty[some[0]].argmax())]!r} is empty",
            where=rows_text(some, source),
            remedy="complete the counts; leave all of them empty where there is no output",
        )
    if metric.non_negative and (counts < 0).any():
        bad = np.flatnonzero((counts < 0).any(axis=1))
        which = int((counts[bad[0]] < 0).argmax())
        raise ScoreValueError(
            share(bad.size, len(counts), "rows has a negative count", "rows have negative counts")
            + f": column {names[which]!r} holds {counts[bad[0], which]:g}",
            where=rows_text(bad, source),
            remedy="correct these rows: counts are at least 0",
        )
    for part, whole in metric.at_most:
        low, high = metric.position(part), metric.position(whole)
        bad = np.flatnonzero(counts[:, low] > counts[:, high])
        if bad.size:
            first = counts[bad[0]]
            raise ScoreValueError(
                share(bad.size, len(counts), "rows says", "rows say")
                + f" that {names[low]!r} is more than {names[high]!r}: {first[low]:g} of {first[high]:g}",
                where=rows_text(bad, source),
                remedy=f"correct these rows; {metric.name} needs the columns {', '.join(metric.columns)}",
            )
    return counts


def _with_counts(table: ScoreTable, ingestion: Ingestion) -> tuple[ScoreTable, list[Finding]]:
    """The rows that have counts, each (system, dataset, instance) once."""
    findings: list[Finding] = []
    table = where_metrics_apply(table)
    absent = np.isnan(table.scores)
    if absent.all():
        raise MissingScoresError("all counts are missing (NaN or empty)", remedy="check the columns")
    if absent.any():
        rows = np.flatnonzero(absent)
        text = share(rows.size, len(table), "rows has no counts (NaN or empty)", "rows have no counts (NaN or empty)")
        if ingestion.missing == "error":
            raise MissingScoresError(
                text,
                where=rows_text(table.rows_of(rows), ingestion.source),
                remedy="complete the counts, or choose missing='drop' (compare on common instances) or "
                "missing='worst'\n(no output is the worst output): --missing drop, --missing worst",
            )
        findings.append(
            Finding(
                "missing-scores",
                "info",
                f"{text}; what to do is decided when two systems are compared (missing={ingestion.missing!r}).",
                where=rows_text(table.rows_of(rows), ingestion.source),
            )
        )
        table = table.where(~absent)
    shared = shared_cells(table)
    if shared.size:
        table, repeated = without_repeated_rows(table, shared, ingestion.frame, ingestion.source)
        findings += [] if repeated is None else [repeated]
        shared = shared_cells(table)
        if shared.size:
            _refuse_duplicates(table, shared, ingestion)
    return table, findings


def _refuse_duplicates(table: ScoreTable, shared: NDArray[np.int64], ingestion: Ingestion) -> None:
    first = int(shared[0])
    same = [
        entry
        for entry in shared.tolist()
        if all(one.codes[entry] == one.codes[first] for one in (table.system, table.dataset, table.instance))
    ]
    names = (one.names[one.codes[first]] for one in (table.system, table.dataset, table.instance))
    system, dataset, instance = map(quoted, names)
    raise DuplicateScoresError(
        share(shared.size, len(table), "rows of counts is", "rows of counts are")
        + " for the same (system, dataset, instance) as another one",
        where=f"{system} on {dataset}, instance {instance}: "
        + rows_text(table.rows_of(np.array(same)), ingestion.source),
        remedy="keep one row of each, or give ids that tell the instances apart",
    )


def _block(
    group: Group, table: ScoreTable, counts: Counts, beside: PerInstance, metric: CorpusMetric
) -> DatasetStatistics:
    rows = table.matrix(group)
    present = ~np.isnan(rows)
    statistics = np.full((*rows.shape, counts.shape[1]), np.nan)
    statistics[present] = counts[rows[present].astype(np.int64)]
    statistics.flags.writeable = False
    clusters, cluster_names = beside.clusters_of(group)
    return DatasetStatistics(
        dataset=table.dataset.names[group.dataset],
        metric=metric.title,
        systems=tuple(table.system.names[group.systems]),
        instances=table.instance.names[group.instances],
        kind="continuous",
        higher_is_better=metric.higher_is_better,
        clusters=clusters,
        cluster_names=cluster_names,
        statistics=statistics,
        measure=metric,
    )
