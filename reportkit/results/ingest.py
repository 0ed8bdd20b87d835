"""From a frame to validated results; what depends on which systems are compared is left to the pairing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import InputError, MissingScoresError, UnknownNameError, nearest
from reportkit.finding import Finding
from reportkit.results.coding import Coded
from reportkit.results.columns import Columns, recognise_columns
from reportkit.results.declared_kinds import DeclaredKind, declared_kind, refuse_wrong_kinds
from reportkit.results.duplicates import refuse_duplicates, shared_cells, without_repeated_rows
from reportkit.results.kinds import detect_kind
from reportkit.results.layout import Group, Layout, lay_out
from reportkit.results.natural_order import natural_key
from reportkit.results.pairing import Missing
from reportkit.results.per_instance import PerInstance, per_instance
from reportkit.results.results import DatasetScores, Results
from reportkit.results.row_numbers import LISTED, counted, counts_text, names_text, quoted, rows_text
from reportkit.results.scales import Ranges, ranges_of, refuse_mixed_scales
from reportkit.results.score_table import ScoreTable, long_table, require_rows, wide_table
from reportkit.results.screening import (
    column_findings,
    constant_findings,
    name_findings,
    nesting_findings,
    size_findings,
)
from reportkit.results.seeds import refuse_several_seeds

UNNAMED_METRIC = "score"


def results_from_frame(
    frame: pd.DataFrame,
    *,
    columns: Mapping[str, str] | None = None,
    higher_is_better: bool | Mapping[str, bool] = True,
    kind: DeclaredKind = None,
    missing: Missing = "error",
    mixed_scales: Literal["error", "accept"] = "error",
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
    missing : {"error", "drop", "worst"}
        Whether a row of the long form may be without a score. "drop" and "worst" leave it out here, and `pair` then
        leaves out the instance or counts the worst score. An empty cell of the wide form is no score.
    mixed_scales : {"error", "accept"}
        Whether proportions and percentages may stand side by side.
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
        or scores are those of several seeds.
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
    columns_found = _checked_columns(frame, columns, systems)
    read = long_table if columns_found.form == "long" else wide_table
    table = read(frame, columns_found, source)
    findings = list(column_findings(columns_found))
    if table.seed is not None:
        refuse_several_seeds(table, columns_found)
    metrics = _metric_names(table)
    negated = _negated(higher_is_better, metrics, columns_found)
    absent = np.isnan(table.scores)
    if absent.any():
        findings.append(_missing_scores(table, absent, columns_found, missing, source))
        table, repeated = _one_score_each(table, frame, columns_found, source)
        findings += repeated
        table = table.where(~np.isnan(table.scores))
    layout = lay_out(table)
    cells = layout.scatter(negated)
    if np.count_nonzero(np.isnan(cells)) != cells.size - len(table):  # fewer cells filled than there are scores
        table, repeated = _one_score_each(table, frame, columns_found, source)
        findings += repeated
        layout = lay_out(table)
        cells = layout.scatter(negated)
    _refuse_single(layout, cells, source)
    _refuse_aggregates(layout)
    beside = per_instance(layout, columns_found, source)
    blocks = tuple(_block(group, layout, cells, beside, metrics, negated, kind) for group in layout.groups)
    refuse_wrong_kinds(kind, blocks)
    ranges = [ranges_of(block) for block in blocks]
    if mixed_scales == "error":
        refuse_mixed_scales(ranges)
    return Results(
        datasets=blocks,
        columns=dict(columns_found.roles),
        unused_columns=columns_found.unused,
        n_rows=len(frame),
        findings=(*findings, *_screened(blocks, ranges, columns_found)),
        source=source,
    )


def _checked_columns(frame: pd.DataFrame, columns: Mapping[str, str] | None, systems: Sequence[str] | None) -> Columns:
    require_rows(frame)
    found = recognise_columns(frame, columns, systems=systems)
    if found.form == "printed":
        raise InputError(
            "the table holds two scores and a p-value per dataset, not the scores of instances",
            where=f"columns {names_text(list(found.roles.values()))}",
            remedy="read it with reportkit.read, which takes printed tables too, or give the scores of the instances",
        )
    return found


def _one_score_each(
    table: ScoreTable, frame: pd.DataFrame, columns: Columns, source: str
) -> tuple[ScoreTable, list[Finding]]:
    """Leave out repeated rows, and refuse what still has several scores."""
    shared = shared_cells(lay_out(table))
    if shared.size == 0:
        return table, []
    table, finding = without_repeated_rows(table, shared, frame, source)
    shared = shared_cells(lay_out(table))
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
    number = counted(entries.size, "score is", "scores are") + f" missing (NaN or empty), of {absent.size:,}"
    where = f"systems {counts_text(_counts(table.system, entries))}; "
    where += f"datasets {counts_text(_counts(table.dataset, entries))}"
    remedy = "complete the results, or choose missing='drop' (compare on common instances) or missing='worst'\n"
    remedy += "(no output is the worst output): --missing drop, --missing worst"
    if missing == "error" and columns.form == "long":
        raise MissingScoresError(number, where=f"{where}\n{rows_text(entries, source)}", remedy=remedy)
    if missing == "error" and (blank := absent.reshape(len(columns.systems), -1).all(axis=0)).any():
        rows = np.flatnonzero(blank)
        raise MissingScoresError(
            counted(rows.size, "row holds", "rows hold") + " no score of any system",
            where=rows_text(rows, source),
            remedy=remedy,
        )
    return Finding(
        "missing-scores",
        "info",
        f"{number}; what to do is decided when two systems are compared (missing={missing!r}).",
        where=where,
    )


def _counts(coded: Coded, entries: NDArray[np.int64]) -> list[tuple[str, int]]:
    counts = np.bincount(coded.codes[entries], minlength=len(coded.names))
    found = [(coded.names[code], int(counts[code])) for code in np.flatnonzero(counts)]
    return sorted(found, key=lambda item: (-item[1], natural_key(item[0])))


def _metric_names(table: ScoreTable) -> list[str]:
    return [UNNAMED_METRIC] if table.metric is None else list(table.metric.names)


def _negated(
    higher_is_better: bool | Mapping[str, bool], metrics: Sequence[str], columns: Columns
) -> NDArray[np.bool_]:
    """Which metrics are negated; a metric may also be called by the name of the one column of scores."""
    if not isinstance(higher_is_better, Mapping):
        return np.full(len(metrics), not higher_is_better)
    other = {columns.roles["score"]: UNNAMED_METRIC} if columns.form == "long" and "metric" not in columns.roles else {}
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


def _refuse_single(layout: Layout, cells: NDArray[np.float64], source: str) -> None:
    """A name that occurs once is most often a misspelt one."""
    table = layout.table
    n_scores = np.zeros(len(table.system.names), dtype=np.int64), np.zeros(len(table.dataset.names), dtype=np.int64)
    for group in layout.groups:
        per_system = np.count_nonzero(~np.isnan(cells[group.cells].reshape(group.systems.size, -1)), axis=1)
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


def _refuse_aggregates(layout: Layout) -> None:
    if any(group.instances.size > 1 for group in layout.groups):
        return
    raise InputError(
        "there is one score per system and dataset: these are means, not scores of instances",
        where=counted(len({group.dataset for group in layout.groups}), "dataset", "datasets") + " with 1 instance each",
        remedy="give the score of every instance; if only p-values are known besides, give a table with the columns\n"
        "dataset, score_a, score_b, p_value",
    )


def _block(
    group: Group,
    layout: Layout,
    cells: NDArray[np.float64],
    beside: PerInstance,
    metrics: Sequence[str],
    negated: NDArray[np.bool_],
    kind: DeclaredKind,
) -> DatasetScores:
    table = layout.table
    scores = cells[group.cells].reshape(group.systems.size, group.instances.size)
    scores.flags.writeable = False
    metric, dataset = metrics[group.metric], table.dataset.names[group.dataset]
    clusters, cluster_names = beside.clusters_of(group)
    return DatasetScores(
        dataset=dataset,
        metric=metric,
        systems=tuple(table.system.names[group.systems]),
        instances=table.instance.names[group.instances],
        scores=scores,
        kind=declared_kind(kind, metric, dataset) or detect_kind(scores),
        higher_is_better=not negated[group.metric],
        clusters=clusters,
        cluster_names=cluster_names,
        weights=None if beside.weights is None else beside.weights[group.columns],
    )


def _screened(blocks: Sequence[DatasetScores], ranges: Sequence[Ranges], columns: Columns) -> Iterable[Finding]:
    systems = list(dict.fromkeys(system for block in blocks for system in block.systems))
    datasets = list(dict.fromkeys(block.dataset for block in blocks))
    yield from name_findings(systems, "system")
    yield from name_findings(datasets, "dataset")
    yield from nesting_findings(blocks, columns)
    yield from size_findings(blocks)
    yield from constant_findings(ranges)
