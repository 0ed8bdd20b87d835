"""One score per system, dataset and instance: from the table to matrices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import ColumnError, InputError, MissingScoresError, ScoreValueError, nearest
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.building.raters import Ratings, with_ratings
from reportkit.scores.choices import Missing
from reportkit.scores.scales import declared_kind, detect_kind
from reportkit.scores.shapes.paired_scores import DatasetScores
from reportkit.scores.table.cell_index import Group, any_where
from reportkit.scores.table.columns import Columns
from reportkit.scores.table.duplicates import refuse_duplicates, shared_cells, without_repeated_rows
from reportkit.scores.table.names import Coded, IntegerArray, natural_key
from reportkit.scores.table.row_numbers import LISTED, counts_text, names_text, quoted, rows_text
from reportkit.scores.table.score_table import Ingestion, ScoreTable, where_metrics_apply


def blocks_of_instance_scores(ingestion: Ingestion) -> tuple[tuple[DatasetScores, ...], list[Finding]]:
    """Lay out one matrix of scores per (metric, dataset).

    Raises
    ------
    MissingScoresError
        If scores are missing and `missing="error"`.
    DuplicateScoresError
        If a (system, dataset, instance) has several scores.
    InputError
        If a name occurs once, or there is one score per dataset.
    """
    ratings: Ratings | None = None
    noticed: list[Finding] = []
    if "rater" in ingestion.columns.roles:
        ingestion, ratings, noticed = with_ratings(ingestion)
    table, findings = lay_out_instances(ingestion)
    if not (ingestion.across_datasets or ingestion.partial):
        refuse_aggregates(table)
    beside = per_instance(table, ingestion.columns, ingestion.source, partial=ingestion.partial)
    blocks = tuple(_block(group, table, beside, ingestion) for group in table.groups)
    if ratings is not None:
        blocks = tuple(ratings.block(block, group) for block, group in zip(blocks, table.groups, strict=True))
    return blocks, [*noticed, *findings]


def lay_out_instances(ingestion: Ingestion, *, single: bool = False) -> tuple[ScoreTable, list[Finding]]:
    """Keep one score of each (system, dataset, instance), after saying what is missing, repeated or misspelt.

    Parameters
    ----------
    ingestion : Ingestion
        Table, frame and settings.
    single : bool
        Whether a system or dataset may have a single score; elsewhere its name is probably misspelt.

    Returns
    -------
    ScoreTable, list of Finding
        What is left, and what was noticed.
    """
    columns, frame, source = ingestion.columns, ingestion.frame, ingestion.source
    table = where_metrics_apply(ingestion.table)
    findings: list[Finding] = []
    if any_where(np.isnan, table.scores):
        absent = np.isnan(table.scores)
        findings.append(_missing_scores(table, absent, columns, ingestion.missing, source))
        table, repeated = _one_score_each(table, frame, columns, source)
        findings += repeated
        table = table.where(~np.isnan(table.scores))
    if table.n_filled != len(table):
        table, repeated = _one_score_each(table, frame, columns, source)
        findings += repeated
    if not (
        single or ingestion.across_datasets or ingestion.partial
    ):  # there, one score per system and dataset is what is expected
        _refuse_single(table, source)
    return table, findings


def _one_score_each(
    table: ScoreTable, frame: pd.DataFrame, columns: Columns, source: str
) -> tuple[ScoreTable, list[Finding]]:
    """Leave out repeated rows, and refuse what still has several scores."""
    shared = shared_cells(table)
    if shared.size == 0:
        return table, []
    table, finding = without_repeated_rows(table, shared, frame, source)
    shared = shared_cells(table)
    if shared.size:
        refuse_duplicates(table, shared, frame, columns, source)
    return table, [] if finding is None else [finding]


def _missing_scores(
    table: ScoreTable, absent: NDArray[np.bool_], columns: Columns, missing: Missing, source: str
) -> Finding:
    """Say which scores are missing: as an error, or as a finding if that is allowed."""
    entries = np.flatnonzero(absent)
    if entries.size == absent.size:
        raise MissingScoresError(
            f"all {absent.size:,} scores are missing (NaN or empty)",
            where=f"columns {names_text(columns.systems or [columns.roles['score']])}",
            remedy="name the column that holds the scores (score=..., --score-column ...)",
        )
    found = absent_scores(table)
    number, where = found.number, found.where
    remedy = "complete the results, or choose missing='drop' (compare on common instances) or missing='worst'\n"
    remedy += "(no output is the worst one) or missing='bounds' (the worst case over all scores): --missing drop, ..."
    if missing == "error" and columns.form == "long":
        raise MissingScoresError(number, where=f"{where}\n{rows_text(table.rows_of(entries), source)}", remedy=remedy)
    if missing == "error" and (blank := absent.reshape(len(columns.systems), -1).all(axis=0)).any():
        rows = np.flatnonzero(blank)
        raise MissingScoresError(
            counted(rows.size, "row holds", "rows hold") + " no score of any system",
            where=rows_text(table.rows_of(rows), source),
            remedy=remedy,
        )
    return found.finding(missing)


MISSING_SCORES = "missing-scores"
"""Code of the finding."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AbsentScores:
    """Rows without a score, and those with one.

    Parameters
    ----------
    of_systems, of_datasets : Counter
        Rows without a score, by name.
    scores_of_systems, scores_of_datasets : Counter
        Rows with one, by name.
    """

    of_systems: Counter[str]
    of_datasets: Counter[str]
    scores_of_systems: Counter[str]
    scores_of_datasets: Counter[str]

    @classmethod
    def of_all(cls, parts: Sequence[AbsentScores]) -> AbsentScores:
        """Put the counts of several parts together."""
        names = [item.name for item in fields(cls)]
        return cls(**{name: sum((getattr(part, name) for part in parts), Counter()) for name in names})

    @property
    def n_absent(self) -> int:
        """Rows without a score."""
        return self.of_systems.total()

    @property
    def number(self) -> str:
        """How many rows are without a score, of how many."""
        total = self.n_absent + self.scores_of_systems.total()
        return counted(self.n_absent, "score is", "scores are") + f" missing (NaN or empty), of {total:,}"

    @property
    def where(self) -> str:
        """Of which systems and datasets most are missing."""
        return f"systems {counts_text(_most(self.of_systems))}; datasets {counts_text(_most(self.of_datasets))}"

    def finding(self, missing: Missing) -> Finding:
        """What a reader has to know of them."""
        return Finding(
            MISSING_SCORES,
            "info",
            f"{self.number}; what to do is decided when two systems are compared (missing={missing!r}).",
            where=self.where,
        )


def absent_scores(table: ScoreTable) -> AbsentScores:
    """Count rows with and without a score, where a metric applies."""
    absent = np.isnan(table.scores)
    return AbsentScores(
        of_systems=_counts(table.system, absent),
        of_datasets=_counts(table.dataset, absent),
        scores_of_systems=_counts(table.system, ~absent),
        scores_of_datasets=_counts(table.dataset, ~absent),
    )


def _counts(coded: Coded, rows: NDArray[np.bool_]) -> Counter[str]:
    counts = coded.counts(rows)
    return Counter({str(coded.names[code]): int(counts[code]) for code in np.flatnonzero(counts)})


def _most(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], natural_key(item[0])))


def _refuse_single(table: ScoreTable, source: str) -> None:
    """A name that occurs once is most often a misspelt one."""
    n_scores = np.zeros(len(table.system.names), dtype=np.int64), np.zeros(len(table.dataset.names), dtype=np.int64)
    for group, per_system in zip(table.groups, table.filled, strict=True):
        n_scores[0][group.systems] += per_system
        n_scores[1][group.dataset] += int(per_system.sum())
    for coded, counts, role in ((table.system, n_scores[0], "system"), (table.dataset, n_scores[1], "dataset")):
        single = np.flatnonzero(counts == 1)
        if single.size == 0 or single.size == np.count_nonzero(counts):
            continue
        entries = np.flatnonzero(np.isin(coded.codes, single))
        names = [coded.names[coded.codes[entry]] for entry in entries]
        others = [coded.names[code] for code in np.flatnonzero(counts > 1)]
        near = [
            f"{quoted(name)} may be {quoted(match[0])}"
            for name in names[:LISTED]
            if (match := nearest(name, others, n=1))
        ]
        raise InputError(
            f"{len(names):,} {role}s have one score each: {names_text(names)}"
            if len(names) > 1
            else f"the {role} {quoted(names[0])} has one score only",
            where=rows_text(table.rows_of(entries), source),
            remedy=(f"probably a misspelt name: {'; '.join(near)}; " if near else "")
            + "correct the name, complete the scores, or remove the row",
        )


def refuse_aggregates(table: ScoreTable) -> None:
    """Refuse one score per system and dataset, of which no p-value within a dataset exists."""
    if any(group.instances.size > 1 for group in table.groups):
        return
    raise InputError(
        "there is one score per system and dataset: these are means, not scores of instances",
        where=counted(len({group.dataset for group in table.groups}), "dataset", "datasets") + " with 1 instance each",
        remedy="give the score of every instance; for accuracies, the number of right answers and of instances in the\n"
        "columns k and n; if only p-values are known besides, a table with the columns dataset, score_a, score_b,\n"
        "p_value; or take the datasets as the sample, which asks about a typical dataset and not on how many:\n"
        "across_datasets=True (--across-datasets)",
    )


def refuse_without_instances(ingestion: Ingestion) -> None:
    """Refuse several rows of one system and dataset that no column of instances tells apart.

    Raises
    ------
    ColumnError
        If there are such rows.
    """
    columns, table = ingestion.columns, ingestion.table
    cells = table.dataset.codes.astype(np.int64) * len(table.system.names) + table.system.codes
    if table.metric is not None:
        cells += table.metric.codes.astype(np.int64) * len(table.system.names) * len(table.dataset.names)
    counts = np.bincount(cells)
    if counts.max() < 2:
        return
    several = int(counts.argmax()) % (len(table.system.names) * len(table.dataset.names))
    dataset, system = divmod(several, len(table.system.names))
    raise ColumnError(
        "no column for instance, and several rows of one system and dataset",
        where=f"{quoted(table.system.names[system])} on {quoted(table.dataset.names[dataset])}: "
        f"{int(counts.max()):,} rows; columns {names_text(list(columns.roles.values()))}",
        remedy="name the column that tells the test items apart (instance=..., --instance-column ...)",
    )


@dataclass(frozen=True, slots=True, eq=False)
class PerInstance:
    """What belongs to an instance, not to a score; by position among the instances of all groups.

    Parameters
    ----------
    clusters : ndarray of int of shape (n_columns,), optional
        Codes into `cluster_names`.
    cluster_names : ndarray of str, optional
        Names of all clusters.
    weights : ndarray of float of shape (n_columns,), optional
        Positive.
    """

    clusters: NDArray[np.int64] | None
    cluster_names: NDArray[np.object_] | None
    weights: NDArray[np.float64] | None

    def clusters_of(self, group: Group) -> tuple[NDArray[np.int64] | None, tuple[str, ...]]:
        """Codes of the clusters of one group into the names that occur there, which are sorted."""
        if self.clusters is None or self.cluster_names is None:
            return None, ()
        codes = self.clusters[group.columns]
        present = np.unique(codes)
        ordered = present[np.argsort(self.cluster_names[present].astype(str), kind="stable")]
        position = np.empty(len(self.cluster_names), dtype=np.int64)
        position[ordered] = np.arange(ordered.size)
        return position[codes], tuple(self.cluster_names[ordered])


def per_instance(table: ScoreTable, columns: Columns, source: str, *, partial: bool = False) -> PerInstance:
    """Gather clusters and weights, which have to be the same in all rows of an instance.

    Raises
    ------
    InputError
        If an instance belongs to several clusters.
    ScoreValueError
        If an instance has several weights.
    """
    if table.cluster is None and table.weights is None:
        return PerInstance(None, None, None)
    places = table.index.columns()
    clusters = weights = None
    if table.cluster is not None:
        clusters = np.empty(table.index.n_columns, dtype=np.int64)
        clusters[places] = table.cluster.codes
        _refuse_two_values(table, places, clusters[places] != table.cluster.codes, "cluster", columns, source)
        if not partial:  # other datasets may have more than one cluster
            _refuse_one_cluster(table, clusters, columns)
    if table.weights is not None:
        weights = np.empty(table.index.n_columns)
        weights[places] = table.weights
        _refuse_two_values(table, places, weights[places] != table.weights, "weight", columns, source)
    return PerInstance(clusters, None if table.cluster is None else table.cluster.names, weights)


def _refuse_one_cluster(table: ScoreTable, clusters: NDArray[np.int64], columns: Columns) -> None:
    """A column that names one and the same cluster for all instances of each dataset is no column of clusters."""
    if any(np.unique(clusters[group.columns]).size > 1 for group in table.groups):
        return
    name = columns.roles["cluster"]
    raise InputError(
        "every dataset is one cluster: no instance is independent of another",
        where=f"column {name!r} has one value in each of "
        + counted(len({group.dataset for group in table.groups}), "dataset", "datasets"),
        remedy="name the document or dialogue of each instance; if there is none, give no column of clusters:\n"
        f"rename or remove {name!r}",
    )


def _refuse_two_values(
    table: ScoreTable, places: IntegerArray, differs: NDArray[np.bool_], role: str, columns: Columns, source: str
) -> None:
    if not differs.any():
        return
    wrong = np.unique(places[differs])
    entries = np.flatnonzero(places == wrong[0])
    values: list[str] = []
    first = int(entries[0])
    if role == "cluster" and table.cluster is not None:
        values = list(dict.fromkeys(quoted(table.cluster.names[code]) for code in table.cluster.codes[entries]))
    elif table.weights is not None:
        values = list(dict.fromkeys(f"{weight:g}" for weight in table.weights[entries]))
    label = quoted(table.instance.names[table.instance.codes[first]])
    dataset = quoted(table.dataset.names[table.dataset.codes[first]])
    name = columns.roles[role]
    error = InputError if role == "cluster" else ScoreValueError
    raise error(
        counted(wrong.size, "instance belongs", "instances belong") + " to several clusters"
        if role == "cluster"
        else counted(wrong.size, "instance has", "instances have") + " several weights",
        where=f"column {name!r}: instance {label} of {dataset} has {listed(values, LISTED)} "
        f"({rows_text(table.rows_of(entries), source)})",
        remedy=f"give each instance one {role}, the same in the rows of all systems;\n"
        f"if column {name!r} is no {role}, rename or remove it",
    )


def _block(group: Group, table: ScoreTable, beside: PerInstance, ingestion: Ingestion) -> DatasetScores:
    scores = table.matrix(group)
    scores.flags.writeable = False
    metric, dataset = ingestion.metrics[group.metric], table.dataset.names[group.dataset]
    clusters, cluster_names = beside.clusters_of(group)
    return DatasetScores(
        dataset=dataset,
        metric=metric,
        systems=tuple(table.system.names[group.systems]),
        instances=table.instance.names[group.instances],
        scores=scores,
        kind=declared_kind(ingestion.kind, metric, dataset) or detect_kind(scores),
        higher_is_better=not ingestion.negated[group.metric],
        clusters=clusters,
        cluster_names=cluster_names,
        weights=None if beside.weights is None else beside.weights[group.columns],
    )
