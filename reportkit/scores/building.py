"""From the columns of the long form to all systems on each dataset, one function for each design."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.language import counted, listed
from reportkit.metrics.corpus import CorpusMetric, counted_columns
from reportkit.metrics.correlation import named_coefficient
from reportkit.scores.codes import (
    LISTED,
    Coded,
    code_column,
    crossed,
    names_text,
    one_name,
    quoted,
    scores_of,
    sorted_positions,
)
from reportkit.scores.detection import corpus_metric_of, declared_kind, detect_kind, one_for_each
from reportkit.scores.refusals import refusal
from reportkit.scores.sample import Floats, Shape
from reportkit.scores.scores import Scores
from reportkit.scores.table import ONLY_INSTANCE, Group, Table, groups_of, one_score_each, refuse_aggregates

Built = tuple[list[Scores], list[Finding]]

_ORDINAL = "the mean of ordinal scores says nothing"
_NO_PLACE: Mapping[Shape, tuple[str, tuple[str, ...]]] = {
    "corpus": ("a metric of sums is computed from one row of counts per instance", ("weight", "metric", "seed")),
    "correlation": ("a correlation is computed from one prediction per instance", ("weight", "metric", "seed")),
    "runs": (f"runs are averaged, and {_ORDINAL}", ("ordinal",)),
    "run-scores": (f"there is one score per run, and {_ORDINAL}", ("ordinal", "weight")),
    "folds": (f"there is one score per fold, and {_ORDINAL}", ("ordinal", "weight")),
}
"""By design, what is computed, and what has no place in that."""


def build(table: Table, shape: Shape) -> Built:
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
        If counts, weights or gold scores make no sense.
    """
    _refuse_what_has_no_place(table, shape)
    blocks, findings = _DESIGNS[shape](table, _weights(table))
    clustered = [block for block in blocks if block.clusters is not None]
    if clustered and not any(len(block.cluster_names) > 1 for block in clustered):
        datasets = counted(len({block.dataset for block in blocks}), "dataset")
        column, said = table.columns_text("cluster"), table.said("cluster")
        raise refusal("one-cluster", column=column, said=said, datasets=datasets)
    return blocks, findings


def _weights(table: Table) -> Floats | None:
    """Return the weight of each row, above 0; None if there is no column of weights."""
    if not table.has("weight"):
        return None
    weights = table.numbers("weight", "weight")
    wrong = ~(weights > 0)
    shown = [f"{weight:g}".replace("nan", "empty") for weight in weights[wrong]]
    table.refuse("weights", wrong, "weight", shown=listed(shown, LISTED))
    return weights


def _refuse_what_has_no_place(table: Table, shape: Shape) -> None:
    why, roles = _NO_PLACE.get(shape, ("", ()))
    kind = table.asked.kind
    if "ordinal" in roles and "ordinal" in (kind.values() if isinstance(kind, Mapping) else [kind]):
        raise refusal("ordinal", table.columns_text("fold" if shape == "folds" else "seed"), why=why)
    once = shape == "correlation" and one_for_each(table, "seed", "system", "metric", "dataset", "instance")
    found = {"weight": table.has("weight"), "metric": len(table.present("metric")) > 1}
    found["seed"] = len(table.present("seed")) > 1 and not once
    for role, noun in (("weight", "weights"), ("metric", "several metrics"), ("seed", "several runs")):
        if role in roles and found[role]:
            column, names = table.columns_text(role), names_text(table.present(role)) if role in table.names else None
            raise refusal(
                "no-place", names or column, column=column, noun=noun, why=why, role=role, said=table.said(role)
            )


def _block(group: Group, **more: Any) -> Scores:
    """Return what all designs say of a dataset, and what one of them says: names, direction, kind, clusters, scores."""
    names = group.table.names
    lower = group.table.is_lower(group.metric)
    about: dict[str, Any] = {
        "dataset": group.dataset,
        "metric": group.metric,
        "systems": tuple(names["system"].names[group.systems]),
        "instances": names["instance"].names[group.instances],
        "higher_is_better": not lower,
        "kind": declared_kind(group.table.asked.kind, group.metric, group.dataset),
    }
    if "cluster" in names:
        codes = group.per_instance(names["cluster"].codes, "cluster")
        present, about["clusters"] = np.unique(codes, return_inverse=True)
        about["cluster_names"] = tuple(names["cluster"].names[present])
    about |= more
    if "scores" not in more:
        about["scores"] = group.matrix(group.table.scores, lower=lower)
    if about["kind"] is None:
        by_instance = about.get("shape", "paired") in ("paired", "runs")
        about["kind"] = detect_kind(about["scores"]) if by_instance else "continuous"
    return Scores(**about)


def _instance_scores(table: Table, weights: Floats | None) -> Built:
    """Lay out one matrix per dataset; a pair of instance and rater is a column where outputs have several raters."""
    rated, raters = table.names["instance"], None
    if table.has("rater") and np.unique(table.cells("metric", "dataset", "instance", "system")).size < table.rows.size:
        raters = code_column(table.frame["rater"], "rater", source=table.asked.source, said=table.said("rater"))
    several = raters is not None and len(raters.present(table.rows)) > 1
    if raters is not None and several:  # one rater several times: repeated rows, or an error that says so
        pairs, of_instance, _ = crossed(rated, raters, " (rater ")
        order = sorted_positions(pairs.names + ")")
        of_instance = of_instance[order]
        table = table.named(instance=Coded(np.argsort(order)[pairs.codes], (pairs.names + ")")[order]))
    groups, findings = one_score_each(table)
    if not table.asked.across_datasets:
        refuse_aggregates(groups)
    blocks = []
    for group in groups:
        about: dict[str, Any] = {"weights": None if weights is None else group.per_instance(weights, "weight")}
        if several:
            about |= {"unit": "rating", "rated": rated.names[of_instance[group.instances]]}
        blocks.append(_block(group, **about))
    return blocks, findings


def _predictions(table: Table, weights: Floats | None) -> Built:
    """Lay out predictions and gold scores."""
    if not table.has("gold"):
        columns = names_text([*map(str, table.frame.columns)])
        raise refusal("no-gold", metric=table.asked.metric, columns=columns)
    groups, findings = one_score_each(table)
    refuse_aggregates(groups)
    gold = table.numbers("gold", "gold score") + 0.0
    groups[0].table.refuse("gold-missing", np.isnan(gold), "gold", said=table.said("gold"))
    coefficient = named_coefficient(table.asked.metric)
    about = {"shape": "correlation", "metric": coefficient, "coefficient": coefficient, "kind": "continuous"}
    return [_block(group, **about, gold=group.per_instance(gold, "gold")) for group in groups], findings


def _runs(table: Table, weights: Floats | None) -> Built:
    """Lay out the runs of each system; each is at first a system of its own, so that its missing rows are found."""
    systems, seeds = table.names["system"], table.names["seed"]
    runs, system_of, seed_of = crossed(systems, seeds, ", run ")
    groups, findings = one_score_each(table.named(system=runs, seed=None))
    refuse_aggregates(groups)
    blocks = []
    for group in groups:
        rows = group.matrix(table.scores, lower=table.is_lower(group.metric))
        owners = system_of[group.systems]
        starts = np.flatnonzero(np.diff(owners)) + 1
        names = [tuple(map(str, some)) for some in np.split(seeds.names[seed_of[group.systems]], starts)]
        scores = np.full((len(names), max(map(len, names)), rows.shape[1]), np.nan)
        for one, some in zip(scores, np.split(rows, starts), strict=True):
            one[: len(some)] = some
        about: dict[str, Any] = {"weights": None if weights is None else group.per_instance(weights, "weight")}
        about |= {"systems": tuple(systems.names[np.unique(owners)]), "scores": scores, "runs": tuple(names)}
        blocks.append(_block(group, shape="runs", **about))
    return blocks, findings


def _run_scores(table: Table, weights: Floats | None) -> Built:
    """Lay out one score per run."""
    absent = int(np.isnan(table.scores).sum())
    if table.asked.missing == "worst" and absent:
        raise refusal("failed-runs", table.columns_text("score"), n=absent)
    rows = table.named(instance=table.names["seed"], seed=None, cluster=None)
    groups, findings = one_score_each(rows)
    return [_block(group, shape="run-scores", unit="run") for group in groups], findings


def _folds(table: Table, weights: Floats | None) -> Built:
    """Lay out the folds of a cross-validation; a column of runs tells its repetitions apart."""
    repetitions = table.names.get("seed", one_name("1", len(table.frame)))
    folds, repetition_of, _ = crossed(repetitions, table.names["fold"], ", fold ")
    groups, findings = one_score_each(table.named(instance=folds, seed=None, cluster=None))
    blocks = []
    for group in groups:
        scores = group.matrix(table.scores, lower=table.is_lower(group.metric))
        sizes = np.unique(repetition_of[group.instances], return_counts=True)[1]
        systems = table.names["system"].names[group.systems]
        lacking = [name for name, row in zip(systems, scores, strict=True) if np.isnan(row).any()]
        if lacking or sizes.min() != sizes.max() or sizes[0] < 2:
            problem = f"repetitions of the cross-validation have from {sizes.min()} to {sizes.max()} folds"
            if lacking:
                problem = f"systems lack folds that others have: {names_text(lacking)}"
            columns, said = table.columns_text("seed", "fold"), table.said("fold")
            raise refusal("folds", problem=problem, dataset=quoted(group.dataset), columns=columns, said=said)
        blocks.append(_block(group, shape="folds", unit="fold", scores=scores.reshape(len(scores), sizes.size, -1)))
    return blocks, findings


# --- counts ----------------------------------------------------------------------------------------------------------


def _corpus_counts(table: Table, weights: Floats | None) -> Built:
    """Lay out the counts of a metric of sums."""
    metric = corpus_metric_of(table)
    assert metric is not None  # noqa: S101 - asked only where counts are meant
    if table.asked.higher_is_better is False and metric.higher_is_better:
        raise refusal("corpus-direction", metric=metric.title)
    counts = _counts(table, metric)
    present = np.where(np.isnan(counts).any(axis=1), np.nan, 0.0)
    as_one = table.named(metric=one_name(metric.title, len(table.frame)))
    groups, findings = one_score_each(replace(as_one, scores=present))
    if all(group.instances.size == 1 for group in groups):
        raise refusal("sums", datasets=counted(len(groups), "dataset"))
    about = {"shape": "corpus", "kind": "continuous", "higher_is_better": metric.higher_is_better, "measure": metric}
    return [_block(group, **about, scores=group.matrix(counts)) for group in groups], findings


def _counts(table: Table, metric: CorpusMetric) -> Floats:
    """Return the counts of all rows, shape (n_rows, k), validated; rows without any count are NaN."""
    found = counted_columns(map(str, table.frame.columns))
    names = [found[name] for name in metric.columns]
    columns = [scores_of(table.frame[name], source=table.asked.source, what="count") for name in names]
    counts = np.stack(columns, axis=1)
    empty = np.isnan(counts)
    table.refuse("some-counts", empty.any(axis=1) & ~empty.all(axis=1), columns=names_text(names))
    if metric.non_negative:
        which = [name for name, column in zip(names, counts.T, strict=True) if (column < 0).any()]
        table.refuse("negative-counts", (counts < 0).any(axis=1), columns=names_text(which))
    for part, total in metric.at_most:
        low, high = metric.position(part), metric.position(total)
        said = {"part": names[low], "total": names[high], "metric": metric.name, "columns": ", ".join(metric.columns)}
        table.refuse("more-than-all", counts[:, low] > counts[:, high], **said)
    return counts


def _right_answers(table: Table, weights: Floats | None) -> Built:
    """Take k of n for each system and dataset."""
    if not table.has("k"):
        raise refusal("no-right-answers", table.columns_text("score", "n"))
    k, n = (table.numbers(role, "count") for role in ("k", "n"))
    wrong = ~((n >= 1) & (n % 1 == 0) & (k >= 0) & (k <= n) & (k % 1 == 0))
    shown = [f"{one:g} of {all_of:g}".replace("nan", "empty") for one, all_of in zip(k[wrong], n[wrong], strict=True)]
    table.refuse("right-answers", wrong, "n", shown=listed(shown, LISTED))
    if table.has("score"):
        _refuse_other_scores(table, k, n)
    as_one = table.named(instance=one_name(ONLY_INSTANCE, len(table.frame)), cluster=None)
    blocks, counts = [], np.stack((k, n), axis=1)
    for group in groups_of(as_one):
        kind = declared_kind(table.asked.kind, group.metric, group.dataset)
        if kind not in (None, "binary"):
            columns = table.columns_text("k", "n", "score")
            raise refusal("right-answers-declared", kind=kind, dataset=quoted(group.dataset), columns=columns)
        about = {"shape": "counts", "kind": "binary", "instances": np.array([], dtype=object)}
        blocks.append(_block(group, **about, scores=group.matrix(counts)[:, 0]))
    return blocks, []


def _refuse_other_scores(table: Table, k: Floats, n: Floats) -> None:
    """Refuse scores that are not k / n, as shares or in percent, in the decimals that they have."""
    known = table.scores[~np.isnan(table.scores)]
    decimals = max((len(f"{score:.10g}".partition(".")[2]) for score in known), default=0)
    exact = (100.0 if (known > 1).any() else 1.0) * k / n
    wrong: NDArray[np.bool_] = np.abs(table.scores - exact) > 0.5 * 10.0**-decimals + 1e-9
    shown = [f"{score:g}, not {of:.6g}" for score, of in zip(table.scores[wrong], exact[wrong], strict=True)]
    table.refuse("other-scores", wrong, "score", shown=listed(shown, LISTED))


_DESIGNS: Mapping[Shape, Callable[[Table, Floats | None], Built]] = {
    "paired": _instance_scores,
    "correlation": _predictions,
    "corpus": _corpus_counts,
    "runs": _runs,
    "run-scores": _run_scores,
    "folds": _folds,
    "counts": _right_answers,
}
