"""One score of each system and instance: what is missing, repeated or misspelt is said first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DuplicateScoresError, InputError, MissingScoresError, ScoreValueError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.scales import declared_kind
from reportkit.scores.table.names import natural_key
from reportkit.scores.table.row_numbers import LISTED, counts_text, names_text, quoted, rows_text, share
from reportkit.scores.table.score_table import Group, ScoreTable, groups_of


def one_score_each(table: ScoreTable, *, single: bool = False) -> tuple[ScoreTable, list[Group], list[Finding]]:
    """Keep one score of each (system, dataset, instance), after saying what is missing, repeated or misspelt.

    Parameters
    ----------
    table : ScoreTable
    single : bool
        Whether a system or dataset may have a single score; elsewhere its name is probably misspelt.

    Returns
    -------
    ScoreTable, list of Group, list of Finding
        What is left, where each score stands, and what was noticed.
    """
    absent = np.isnan(table.scores)
    if absent.any() and not absent.all():  # by a metric without a score on a dataset nothing is missing there
        codes = table.group_codes()
        scored = np.bincount(codes, weights=~absent) > 0
        table = table.where(scored[codes])
        absent = np.isnan(table.scores)
    findings = [_missing(table, absent)] if absent.any() else []
    groups = groups_of(table)
    if (shared := np.concatenate([group.shared() for group in groups])).size:
        table, repeated = _without_repeated_rows(table, shared)
        findings += repeated
        groups = groups_of(table)
        if (shared := np.concatenate([group.shared() for group in groups])).size:
            _refuse_duplicates(table, shared)
        absent = np.isnan(table.scores)
    if absent.any():
        table = table.where(~absent)
        groups = groups_of(table)
    if not (single or table.asked.across_datasets):
        _refuse_single(table)
    return table, groups, findings


def _missing(table: ScoreTable, absent: NDArray[np.bool_]) -> Finding:
    """Say which scores are missing: as an error, or as a finding if that is allowed."""
    asked, noun = table.asked, "score" if table.has("score") else "row of counts"
    several = noun.replace("row", "rows").replace("score", "scores")
    if absent.all():
        raise MissingScoresError(
            f"all {absent.size:,} {several} are missing (NaN or empty)",
            where=table.columns_text("score") if table.has("score") else None,
            remedy="name the column that holds the scores (score=..., --columns score=...)",
        )
    parts = []
    for role, coded in (("systems", table.system), ("datasets", table.dataset)):
        counts = [(str(name), int(n)) for name, n in zip(coded.names, coded.counts(absent), strict=True) if n]
        parts.append(f"{role} {counts_text(sorted(counts, key=lambda item: (-item[1], natural_key(item[0]))))}")
    number = counted(int(absent.sum()), f"{noun} is", f"{several} are")
    number += f" missing (NaN or empty), of {absent.size:,}"
    if asked.missing == "error":
        raise MissingScoresError(
            number,
            where=f"{'; '.join(parts)}\n{table.rows_text(np.flatnonzero(absent))}",
            remedy="complete the results, or choose missing='drop' (compare on common instances) or missing='worst'\n"
            "(no output is the worst one): --missing drop, --missing worst",
        )
    message = f"{number}; what to do is decided when two systems are compared (missing={asked.missing!r})."
    return Finding("missing-scores", "info", message, where="; ".join(parts))


def _without_repeated_rows(table: ScoreTable, shared: NDArray[np.int64]) -> tuple[ScoreTable, list[Finding]]:
    """Leave out rows that repeat another row in all columns."""
    rows = np.unique(table.rows[shared])
    repeated = table.frame.iloc[rows].duplicated(keep="first").to_numpy()
    if not repeated.any():
        return table, []
    dropped = rows[repeated]
    finding = Finding(
        "duplicate-rows",
        "warning",
        counted(dropped.size, "row repeats", "rows repeat") + " another row in every column; one of each was kept.",
        where=rows_text(dropped, table.asked.source),
        remedy="find out where the repetition comes from; remove these rows",
    )
    return table.where(~np.isin(table.rows, dropped)), [finding]


def _refuse_duplicates(table: ScoreTable, shared: NDArray[np.int64]) -> None:
    """Refuse several scores of one system and instance, with the first."""
    cells: dict[tuple[str, ...], list[int]] = {}
    for entry in shared.tolist():
        named = (table.system, table.dataset, table.metric, table.instance)
        cells.setdefault(tuple(one.of(entry) for one in named), []).append(entry)
    (system, dataset, metric, instance), entries = min(cells.items(), key=lambda one: int(table.rows[one[1]].min()))
    by = f", metric {quoted(metric)}" if table.has("metric") else ""
    values = listed([f"{score:g}" for score in table.scores[entries[:LISTED]]], total=len(entries))
    raise DuplicateScoresError(
        counted(len(cells), "(system, dataset, instance) has", "(system, dataset, instance) have")
        + f" several scores, {np.unique(table.rows[shared]).size:,} rows in all",
        where=f"{quoted(system)} on {quoted(dataset)}{by}, instance {quoted(instance)}"
        + (f": {values}" if table.has("score") else "")
        + f" ({table.rows_text(np.array(entries))})",
        remedy="keep one score of each, or name the column that tells them apart: runs (seed=..., --columns seed=...),"
        "\nraters (rater=..., --columns rater=...), metrics (metric=..., --columns metric=...) or datasets "
        "(dataset=...)",
    )


def _refuse_single(table: ScoreTable) -> None:
    """Refuse a name that occurs once, among others that do not."""
    for coded, role in ((table.system, "system"), (table.dataset, "dataset")):
        counts = coded.counts()
        single = np.flatnonzero(counts == 1)
        if single.size == 0 or single.size == np.count_nonzero(counts):
            continue
        names = [*map(str, coded.names[single])]
        raise InputError(
            f"{counted(len(names), role)} with one score: {names_text(names)}",
            where=table.rows_text(np.flatnonzero(np.isin(coded.codes, single))),
            remedy="correct the name if it is misspelt, complete the scores, or remove the row",
        )


def refuse_aggregates(groups: Sequence[Group]) -> None:
    """Refuse one score per system and dataset, from which no p-value within a dataset follows."""
    if any(group.instances.size > 1 for group in groups):
        return
    raise InputError(
        "there is one score per system and dataset: these are means, not scores of instances",
        where=counted(len({group.dataset for group in groups}), "dataset") + " with 1 instance each",
        remedy="give the score of every instance; for accuracies, the number of right answers and of instances in the\n"
        "columns k and n; if only p-values are known besides, a table with the columns dataset, score_a, score_b,\n"
        "p_value; or take the datasets as the sample, which asks about a typical dataset and not on how many:\n"
        "across_datasets=True (--across-datasets)",
    )


def is_lower(table: ScoreTable, metric: str) -> bool:
    """Whether lower is better by a metric; it may also be called by what is computed from it."""
    said = table.asked.higher_is_better
    if isinstance(said, bool):
        return not said
    asked = table.asked.metric if len(table.metric.names) == 1 else None
    return not said.get(metric, said.get(asked or "", True))


def about_dataset(group: Group, table: ScoreTable) -> dict[str, Any]:
    """Return what all designs say of a dataset: names, instances, direction, declared kind, clusters."""
    clusters, names = None, ()
    if table.cluster is not None:
        codes = group.per_instance(table.cluster.codes, table, "cluster")
        present, clusters = np.unique(codes, return_inverse=True)
        names = tuple(table.cluster.names[present])
    return {
        "dataset": group.dataset,
        "metric": group.metric,
        "systems": tuple(table.system.names[group.systems]),
        "instances": table.instance.names[group.instances],
        "higher_is_better": not is_lower(table, group.metric),
        "kind": declared_kind(table.asked.kind, group.metric, group.dataset),
        "clusters": clusters,
        "cluster_names": names,
    }


def refuse_rows(
    table: ScoreTable, wrong: NDArray[np.bool_], what: tuple[str, str], role: str, remedy: str, more: str = ""
) -> None:
    """Raise ScoreValueError where something is wrong with a row."""
    rows = np.flatnonzero(wrong)
    if rows.size:
        column = f"{table.columns_text(role)}, " if role else ""
        raise ScoreValueError(
            share(rows.size, wrong.size, *what) + more, where=column + table.rows_text(rows), remedy=remedy
        )
