"""Counts per system, dataset and instance: which metric they are for, and from the table to blocks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import ColumnError, InputError, ScoreValueError, SettingsError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.metrics.corpus import CORPUS_METRICS, CorpusMetric, corpus_metric_named, counted_columns, missing_counts
from reportkit.scores.building.instance_scores import of_group, one_score_each, refuse_one_cluster
from reportkit.scores.scores import Scores
from reportkit.scores.table.names import one_name
from reportkit.scores.table.row_numbers import names_text, rows_text, share
from reportkit.scores.table.score_table import ScoreTable
from reportkit.scores.table.score_values import scores_of


def corpus_metric_of(table: ScoreTable) -> CorpusMetric | None:
    """Tell which metric is to be computed from columns of counts; None if scores are to be compared.

    Raises
    ------
    ColumnError
        If a metric was asked for and counts for it are missing; or if there are counts of several metrics, no scores,
        and nobody said which.
    """
    asked, names = table.asked.metric, list(map(str, table.frame.columns))
    if asked is not None and (table.has("metric") and asked in table.metric.names):
        return None
    if asked is not None and (metric := corpus_metric_named(asked)) is not None:
        if absent := missing_counts(metric, names):
            raise ColumnError(
                f"{metric.name} is computed from counts, and no column holds {listed(map(repr, absent), last='or')}",
                where=f"columns {names_text(names)}",
                remedy=f"{metric.name} needs the columns {', '.join(metric.columns)} (also with stat_ before the name)",
            )
        return metric
    there = counted_columns(names)
    if table.has("score") or not there:
        return None
    fitting = [metric.name for metric in CORPUS_METRICS.values() if set(metric.columns) <= there.keys()]
    raise ColumnError(
        f"there are no scores, and from the counts metrics can be computed: {', '.join(fitting)}",
        where=f"columns {names_text(names)}",
        remedy=f"choose one: metric={fitting[0]!r} (--metric {fitting[0]})",
    )


def blocks_of_statistics(table: ScoreTable) -> tuple[list[Scores], list[Finding]]:
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
    metric = corpus_metric_of(table)
    assert metric is not None  # noqa: S101 - asked only where counts are meant
    if table.asked.higher_is_better is False and metric.higher_is_better:
        raise SettingsError(
            f"higher_is_better=False, but a higher {metric.title} is better",
            remedy="leave it out: the direction of a corpus metric is known",
        )
    _refuse_other_designs(table, metric)
    counts = _counts(table, metric)
    present = np.where(np.isnan(counts).any(axis=1), np.nan, 0.0)
    as_one = replace(table, scores=present[table.rows], metric=one_name(metric.title, len(table)))
    as_one, groups, findings = one_score_each(as_one, single=True)
    if all(group.instances.size == 1 for group in groups):
        raise InputError(
            "there is one row of counts per system and dataset: these are sums, not counts of instances",
            where=counted(len(groups), "dataset") + " with 1 instance each",
            remedy="give the counts of every instance; of sums alone no p-value is known",
        )
    blocks: list[Scores] = []
    for group in groups:
        about = of_group(group, as_one) | {"kind": "continuous", "higher_is_better": metric.higher_is_better}
        statistics = group.matrix(counts[as_one.rows])
        blocks.append(Scores(shape="corpus", **about, scores=statistics, measure=metric))
    refuse_one_cluster(blocks, table)
    return blocks, findings


def _refuse_other_designs(table: ScoreTable, metric: CorpusMetric) -> None:
    if table.seed is not None and len(runs := table.seed.present()) > 1:
        raise InputError(
            f"{metric.title} of several runs is not computed: {table.columns_text('seed')} numbers {len(runs)} of them",
            where=names_text(runs),
            remedy="select one run of each system before looking at the results, or add up the counts of the runs\n"
            "(the claim is then about these runs alone)",
        )
    if table.weights is not None:
        raise InputError(
            f"counts have no weights: {metric.title} is computed from sums",
            where=table.columns_text("weight"),
            remedy="rename or remove the column",
        )
    if len(names := table.metric.present()) > 1:
        raise InputError(
            f"{metric.title} is to be computed from counts, but {table.columns_text('metric')} names several metrics",
            where=names_text(names),
            remedy="give one row of counts per system, dataset and instance, without a column of metrics",
        )


def _counts(table: ScoreTable, metric: CorpusMetric) -> NDArray[np.float64]:
    """Counts of all rows, shape (n_rows, k), validated; rows of which all counts are empty are NaN."""
    source, found = table.asked.source, counted_columns(map(str, table.frame.columns))
    names = [found[name] for name in metric.columns]
    counts = np.stack([scores_of(table.frame[name], source=source, what="count") for name in names], axis=1)
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
