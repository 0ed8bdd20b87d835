"""One score per system, dataset and instance: from the table to matrices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import ColumnError, DuplicateScoresError, InputError, MissingScoresError, nearest
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.choices import Missing
from reportkit.scores.scales import declared_kind, detect_kind
from reportkit.scores.scores import Scores
from reportkit.scores.table.names import Coded, code_column, crossed, natural_key, sorted_positions
from reportkit.scores.table.row_numbers import LISTED, counts_text, names_text, quoted, rows_text
from reportkit.scores.table.score_table import Group, ScoreTable, groups_of, where_metrics_apply

MISSING_SCORES = "missing-scores"
"""Code of the finding."""

_EXAMPLES = 3


def blocks_of_instance_scores(table: ScoreTable) -> tuple[list[Scores], list[Finding]]:
    """Lay out one matrix of scores per (metric, dataset).

    Each pair of an instance and a rater is one rating, if outputs have ratings of several raters. If every output has
    one rater, the rater plays no role, and a finding says where systems were rated by different ones.

    Raises
    ------
    MissingScoresError
        If scores are missing and `missing="error"`.
    DuplicateScoresError
        If a (system, dataset, instance) has several scores.
    InputError
        If a name occurs once, there is one score per dataset, or outputs have several raters and a row names none.
    """
    noticed: list[Finding] = []
    ratings: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None
    rated = table.instance
    if table.has("rater"):
        outputs = np.column_stack((table.group_codes(), rated.codes, table.system.codes))
        if len(np.unique(outputs, axis=0)) == len(table):
            noticed = _different_raters(table)
        else:
            rater = code_column(table.frame["rater"], "rater", source=table.asked.source, said=table.said("rater"))
            rater = rater[table.rows]
            if len(rater.present()) > 1:  # one rater several times: repeated rows, or an error that says so
                pairs, of_instance, of_rater = crossed(rated, rater, " (rater ")
                order = sorted_positions(pairs.names + ")")
                ratings = of_instance[order], of_rater[order]
                table = replace(table, instance=Coded(np.argsort(order)[pairs.codes], (pairs.names + ")")[order]))
    table, groups, findings = one_score_each(table)
    if not (table.asked.across_datasets or table.asked.partial):
        refuse_aggregates(groups)
    blocks: list[Scores] = []
    for group in groups:
        scores = group.matrix(table.scores, lower=is_lower(table, group.metric))
        about = of_group(group, table)
        about["kind"] = about["kind"] or detect_kind(scores)
        weights = None if table.weights is None else group.per_instance(table.weights, table, "weight")
        if ratings is None:
            blocks.append(Scores(**about, scores=scores, weights=weights))
            continue
        here, codes = np.unique(ratings[0][group.instances], return_inverse=True)
        raters = ratings[1][group.instances]
        names = rated.names[here]
        blocks.append(
            Scores(
                **about, scores=scores, weights=weights, unit="rating", rated=codes, rated_names=names, raters=raters
            )
        )
    refuse_one_cluster(blocks, table)
    return blocks, [*noticed, *findings]


def is_lower(table: ScoreTable, metric: str) -> bool:
    """Whether lower is better by a metric; it may also be called by what is computed from it."""
    said = table.asked.higher_is_better
    if not isinstance(said, bool) and len(table.metric.names) == 1 and table.asked.metric is not None:
        return not said.get(metric, said.get(table.asked.metric, True))
    return not (said if isinstance(said, bool) else said.get(metric, True))


def of_group(group: Group, table: ScoreTable, systems: Sequence[str] | None = None) -> dict[str, Any]:
    """Return what every block says of a dataset: names, instances, direction, declared kind, clusters."""
    clusters, names = None, ()
    if table.cluster is not None:
        codes = group.per_instance(table.cluster.codes, table, "cluster")
        present, clusters = np.unique(codes, return_inverse=True)
        names = tuple(table.cluster.names[present])
    return {
        "dataset": group.dataset,
        "metric": group.metric,
        "systems": tuple(table.system.names[group.systems]) if systems is None else tuple(systems),
        "instances": table.instance.names[group.instances],
        "higher_is_better": not is_lower(table, group.metric),
        "kind": declared_kind(table.asked.kind, group.metric, group.dataset),
        "clusters": clusters,
        "cluster_names": names,
    }


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
    table = where_metrics_apply(table)
    absent = np.isnan(table.scores)
    findings = [_missing(table, absent)] if absent.any() else []
    groups = groups_of(table)
    if (shared := _shared(groups)).size:
        table, repeated = _without_repeated_rows(table, shared)
        findings += repeated
        groups = groups_of(table)
        if (shared := _shared(groups)).size:
            _refuse_duplicates(table, shared)
        absent = np.isnan(table.scores)
    if absent.any():
        table = table.where(~absent)
        groups = groups_of(table)
    if not (single or table.asked.across_datasets or table.asked.partial):
        _refuse_single(table)
    return table, groups, findings


def _missing(table: ScoreTable, absent: NDArray[np.bool_]) -> Finding:
    """Say which scores are missing: as an error, or as a finding if that is allowed."""
    asked = table.asked
    noun = "score" if table.has("score") else "row of counts"
    if absent.all():
        raise MissingScoresError(
            f"all {absent.size:,} {noun.replace('row', 'rows').replace('score', 'scores')} are missing (NaN or empty)",
            where=table.columns_text("score") if table.has("score") else None,
            remedy="name the column that holds the scores (score=..., --columns score=...)",
        )
    tally = tally_of(table)
    if asked.missing == "error":
        raise MissingScoresError(
            number_absent(tally, noun),
            where=f"{_most_absent(tally)}\n{table.rows_text(np.flatnonzero(absent))}",
            remedy="complete the results, or choose missing='drop' (compare on common instances) or missing='worst'\n"
            "(no output is the worst one) or missing='bounds' (the worst case over all scores): --missing drop, ...",
        )
    return missing_finding(tally, asked.missing, noun)


Tally = Counter[tuple[str, str, bool]]
"""Number of scores by role ("system" or "dataset"), name, and whether they are missing."""


def tally_of(table: ScoreTable) -> Tally:
    """Count the scores that are there and those that are missing, where a metric applies."""
    found: Tally = Counter()
    absent = np.isnan(table.scores)
    for role, coded in (("system", table.system), ("dataset", table.dataset)):
        for missing, rows in ((True, absent), (False, ~absent)):
            counts = coded.counts(rows)
            found.update({(role, str(coded.names[code]), missing): int(counts[code]) for code in counts.nonzero()[0]})
    return found


def number_absent(tally: Tally, noun: str = "score") -> str:
    """Say how many scores are missing, of how many; nothing if none is."""
    total = sum(number for (role, _, _), number in tally.items() if role == "system")
    absent = sum(number for (role, _, missing), number in tally.items() if role == "system" and missing)
    several = f"{noun.replace('row', 'rows')} are" if noun != "score" else "scores are"
    return counted(absent, f"{noun} is", several) + f" missing (NaN or empty), of {total:,}" if absent else ""


def _most_absent(tally: Tally) -> str:
    parts = []
    for role in ("system", "dataset"):
        counts = [(name, number) for (of, name, missing), number in tally.items() if of == role and missing]
        counts.sort(key=lambda item: (-item[1], natural_key(item[0])))
        parts.append(f"{role}s {counts_text(counts)}")
    return "; ".join(parts)


def missing_finding(tally: Tally, missing: Missing, noun: str = "score") -> Finding:
    """Say how many scores are missing, and of whom most."""
    message = (
        f"{number_absent(tally, noun)}; what to do is decided when two systems are compared (missing={missing!r})."
    )
    return Finding(MISSING_SCORES, "info", message, where=_most_absent(tally))


def _shared(groups: Sequence[Group]) -> NDArray[np.int64]:
    return np.concatenate([group.shared() for group in groups])


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
    """Refuse several scores of one system and instance, with the first few."""
    cells: dict[tuple[str, ...], list[int]] = {}
    for entry in shared.tolist():
        named = (table.system, table.dataset, table.metric, table.instance)
        cells.setdefault(tuple(one.of(entry) for one in named), []).append(entry)
    in_order = sorted(cells.items(), key=lambda item: int(table.rows[item[1]].min()))
    examples = []
    for (system, dataset, metric, instance), entries in in_order[:_EXAMPLES]:
        by = f", metric {quoted(metric)}" if table.has("metric") else ""
        values = listed([f"{score:g}" for score in table.scores[entries[:_EXAMPLES]]], total=len(entries))
        shown = f": {values}" if table.has("score") else ""
        examples.append(f"{quoted(system)} on {quoted(dataset)}{by}, instance {quoted(instance)}{shown}")
    first = np.array(in_order[0][1])
    raise DuplicateScoresError(
        counted(len(cells), "(system, dataset, instance) has", "(system, dataset, instance) have")
        + f" several scores, {np.unique(table.rows[shared]).size:,} rows in all",
        where="\n".join(examples) + f"\nthe first in {table.rows_text(first)}",
        remedy="keep one score of each, or name the column that tells them apart: runs (seed=..., --columns seed=...),"
        "\n"
        "raters (rater=..., --columns rater=...), metrics (metric=..., --columns metric=...) or datasets (dataset=...)",
    )


def _refuse_single(table: ScoreTable) -> None:
    """Refuse a name that occurs once, which is most often a misspelt one."""
    for coded, role in ((table.system, "system"), (table.dataset, "dataset")):
        counts = coded.counts()
        single = np.flatnonzero(counts == 1)
        if single.size == 0 or single.size == np.count_nonzero(counts):
            continue
        names = [str(name) for name in coded.names[single]]
        others = [str(name) for name in coded.names[counts > 1]]
        near = [
            f"{quoted(name)} may be {quoted(match[0])}"
            for name in names[:LISTED]
            if (match := nearest(name, others, n=1))
        ]
        raise InputError(
            f"{len(names):,} {role}s have one score each: {names_text(names)}"
            if len(names) > 1
            else f"the {role} {quoted(names[0])} has one score only",
            where=table.rows_text(np.flatnonzero(np.isin(coded.codes, single))),
            remedy=(f"probably a misspelt name: {'; '.join(near)}; " if near else "")
            + "correct the name, complete the scores, or remove the row",
        )


def refuse_aggregates(groups: Sequence[Group]) -> None:
    """Refuse one score per system and dataset, of which no p-value within a dataset exists."""
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


def refuse_without_instances(table: ScoreTable) -> None:
    """Refuse several rows of one system and dataset that no column of instances tells apart.

    Raises
    ------
    ColumnError
        If there are such rows.
    """
    cells = table.group_codes() * len(table.system.names) + table.system.codes
    counts = np.bincount(cells)
    if counts.max() < 2:
        return
    entry = int(np.flatnonzero(cells == counts.argmax())[0])
    raise ColumnError(
        "no column for instance, and several rows of one system and dataset",
        where=f"{quoted(table.system.of(entry))} on {quoted(table.dataset.of(entry))}: {int(counts.max()):,} rows; "
        f"columns {names_text([table.said(str(role)) for role in table.frame.columns])}",
        remedy="name the column that tells the test items apart (instance=..., --columns instance=...)",
    )


def refuse_one_cluster(blocks: Sequence[Scores], table: ScoreTable) -> None:
    """Refuse a column that names one and the same cluster for all instances of each dataset.

    Raises
    ------
    InputError
        If there is such a column.
    """
    if table.cluster is None or table.asked.partial or any(len(block.cluster_names) > 1 for block in blocks):
        return  # of a part: other datasets may have more than one cluster
    raise InputError(
        "every dataset is one cluster: no instance is independent of another",
        where=f"{table.columns_text('cluster')} has one value in each of "
        + counted(len({block.dataset for block in blocks}), "dataset"),
        remedy="name the document or dialogue of each instance; if there is none, give no column of clusters:\n"
        f"rename or remove {table.said('cluster')!r}",
    )


def _different_raters(table: ScoreTable) -> list[Finding]:
    """Say so where the systems of an instance were rated by different raters."""
    rated = table.frame[["rater"]].astype(str).iloc[table.rows]
    keys = [table.group_codes(), table.instance.codes]
    raters = rated["rater"].groupby(keys).nunique()
    several = int((raters > 1).sum())
    if not several:
        return []
    return [
        Finding(
            "different-raters",
            "info",
            f"Every output has one rater; on {several:,} of {len(raters):,} instances the systems have different ones, "
            "so differences between raters are part of the differences between systems.",
            where=table.columns_text("rater"),
            remedy="let the same raters rate all systems on an instance",
        )
    ]
