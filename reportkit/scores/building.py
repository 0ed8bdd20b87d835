"""From the columns of the long form to all systems on each dataset: one matrix per dataset, in one of eight designs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from reportkit.finding import Finding
from reportkit.language import counted, listed
from reportkit.metrics.corpus import CorpusMetric, counted_columns
from reportkit.metrics.correlation import named_coefficient
from reportkit.scores.choices import Kind
from reportkit.scores.codes import LISTED, Coded, code_column, crossed, names_text, one_name, quoted, scores_of
from reportkit.scores.detection import corpus_metric_of, declared_kind, detect_kind, one_for_each
from reportkit.scores.refusals import refusal
from reportkit.scores.sample import Floats, Shape
from reportkit.scores.scores import Scores
from reportkit.scores.table import ONLY_INSTANCE, Group, Table, one_score_each

# By design, what is computed, and what has no place in that.
_ALONE = {"weight": "weights"}
_ONE_ROW = {"weight": "weights", "metric": "several metrics", "seed": "several runs"}
_COMPUTED: Mapping[Shape, tuple[str, Mapping[str, str]]] = {
    "corpus": ("a metric of sums is computed from one row of counts per instance", _ONE_ROW),
    "correlation": ("a correlation is computed from one prediction per instance", _ONE_ROW),
    "runs": ("runs are averaged", {}),
    "run-scores": ("there is one score per run", _ALONE),
    "folds": ("there is one score per fold", _ALONE),
}


def build(table: Table, shape: Shape) -> tuple[list[Scores], list[Finding]]:
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
    numbers = _numbers_of_instances(table, shape)
    measure = corpus_metric_of(table) if shape == "corpus" else None
    groups, findings = one_score_each(_keyed(table, shape, measure))
    instances = shape in ("correlation", "corpus", "runs") or (shape == "paired" and not table.asked.across_datasets)
    if instances and all(group.axes[1].size == 1 for group in groups):
        datasets = counted(len({group.dataset for group in groups}), "dataset")
        if shape == "corpus":
            raise refusal("sums", datasets=datasets)
        raise refusal("aggregates", datasets=datasets)
    blocks = [_scores(group, shape, measure, numbers) for group in groups]
    clustered = [block for block in blocks if block.clusters is not None]
    if clustered and not any(len(block.cluster_names) > 1 for block in clustered):
        datasets = counted(len({block.dataset for block in blocks}), "dataset")
        where = f"{table.columns_text('cluster')} has one value in each of {datasets}"
        raise refusal("one-cluster", where, said=table.said("cluster"))
    return blocks, findings


def _refuse_what_has_no_place(table: Table, shape: Shape) -> None:
    why, roles = _COMPUTED.get(shape, ("", {}))
    once = shape == "correlation" and one_for_each(table, "seed", "system", "metric", "dataset", "instance")
    for role, noun in roles.items():
        several = table.has("weight") if role == "weight" else len(table.present(role)) > 1
        if several and not (once and role == "seed"):
            column = table.columns_text(role)
            where = names_text(table.present(role)) or column
            raise refusal("no-place", where, column=column, noun=noun, why=why, role=role, said=table.said(role))


def _numbers_of_instances(table: Table, shape: Shape) -> dict[str, Floats]:
    """Return weights, above 0, and gold scores, where the design has them; of each row."""
    found = {}
    if table.has("weight") and shape != "counts":
        found["weight"] = weights = table.numbers("weight", "weight")
        wrong = ~(weights > 0)
        shown = [f"{weight:g}".replace("nan", "empty") for weight in weights[wrong]]
        table.refuse("weights", wrong, "weight", shown=listed(shown, LISTED))
    if shape == "correlation":
        if not table.has("gold"):
            columns = names_text([*map(str, table.frame.columns)])
            raise refusal("no-gold", metric=table.asked.metric, columns=columns)
        found["gold"] = table.numbers("gold", "gold score") + 0.0
        table.refuse("gold-missing", np.isnan(found["gold"]), "gold", said=table.said("gold"))
    return found


def _keyed(table: Table, shape: Shape, measure: CorpusMetric | None) -> Table:
    """Name rows so that each system, whose runs are systems here, has one row of each instance (run, fold)."""
    names, n_rows = table.names, len(table.frame)
    if measure is not None:
        if table.asked.higher_is_better is False and measure.higher_is_better:
            raise refusal("corpus-direction", metric=measure.title)
        return replace(table.named(metric=one_name(measure.title, n_rows)), scores=_counts(table, measure))
    match shape:
        case "runs":
            runs = crossed(names["system"], names["seed"], ", run ")
            return table.named(system=runs, owner=names["system"], run=names["seed"], seed=None)
        case "run-scores":
            absent = int(np.isnan(table.scores).sum())
            if table.asked.missing == "worst" and absent:
                raise refusal("failed-runs", table.columns_text("score"), n=absent)
            return table.named(instance=names["seed"], seed=None, cluster=None)
        case "folds":
            repetitions = names.get("seed", one_name("1", n_rows))
            folds = crossed(repetitions, names["fold"], ", fold ")
            return table.named(instance=folds, repetition=repetitions, seed=None, cluster=None)
        case "counts":
            alone = table.named(instance=one_name(ONLY_INSTANCE, n_rows), cluster=None)
            return replace(alone, scores=_right_answers(table))
    once = table.count("metric", "dataset", "instance", "system") == table.rows.size
    if shape == "paired" and table.has("rater") and not once:
        raters = code_column(table.frame["rater"], "rater", source=table.asked.source, said=table.said("rater"))
        if len(raters.present(table.rows)) > 1:  # one rater several times: repeated rows, or an error that says so
            pairs = crossed(names["instance"], raters, " (rater ")
            return table.named(instance=Coded(pairs.codes, pairs.names + ")"), rated=names["instance"])
    return table


def _scores(group: Group, shape: Shape, measure: CorpusMetric | None, numbers: Mapping[str, Floats]) -> Scores:
    """Lay out one dataset."""
    table, names, (systems, instances) = group.table, group.table.names, group.axes
    about: dict[str, Any] = {
        "dataset": group.dataset,
        "metric": group.metric,
        "systems": tuple(names["system"].names[systems]),
        "instances": names["instance"].names[instances],
        "higher_is_better": not table.is_lower(group.metric),
        "scores": group.matrix(),
        "shape": shape,
        "measure": measure,
    }
    if measure is not None:
        about["higher_is_better"] = measure.higher_is_better
    if "cluster" in names:
        codes = group.per_instance(names["cluster"].codes, "cluster")
        present, about["clusters"] = np.unique(codes, return_inverse=True)
        about["cluster_names"] = tuple(names["cluster"].names[present])
    for role, name in (("weight", "weights"), ("gold", "gold")):
        if role in numbers:
            about[name] = group.per_instance(numbers[role], role)
    match shape:
        case "paired" if "rated" in names:
            rated = names["rated"]
            about |= {"unit": "rating", "rated": rated.names[group.along(1, rated.codes)]}
        case "runs":
            about |= _by_run(group)
        case "run-scores":
            runs = tuple(tuple(about["instances"][~np.isnan(row)]) for row in about["scores"])
            about |= {"unit": "run", "runs": runs}
        case "folds":
            about |= {"unit": "fold", "scores": _by_repetition(group)}
        case "correlation":
            about["metric"] = about["coefficient"] = named_coefficient(table.asked.metric)
        case "counts":
            about |= {"instances": instances[:0].astype(object), "scores": about["scores"][:, 0]}
    return Scores(**about, kind=_kind(group, shape, about["scores"]))


def _kind(group: Group, shape: Shape, scores: Floats) -> Kind:
    """Return the kind of scores that was declared or, of instances, is detected."""
    kind = declared_kind(group.table.asked.kind, group.metric, group.dataset)
    if shape == "counts" and kind not in (None, "binary"):
        columns = group.table.columns_text("k", "n", "score")
        raise refusal("right-answers-declared", kind=kind, dataset=quoted(group.dataset), columns=columns)
    if kind == "ordinal" and shape in ("runs", "run-scores", "folds"):
        why = f"{_COMPUTED[shape][0]}, and the mean of ordinal scores says nothing"
        raise refusal("ordinal", group.table.columns_text("fold" if shape == "folds" else "seed"), why=why)
    if shape in ("counts", "corpus", "correlation"):
        return "binary" if shape == "counts" else "continuous"
    return kind or (detect_kind(scores) if shape in ("paired", "runs") else "continuous")


def _by_run(group: Group) -> dict[str, Any]:
    """Lay out the runs of each system, and name them."""
    system, run = group.table.names["owner"], group.table.names["run"]
    present, starts = np.unique(group.along(0, system.codes), return_index=True)
    rows = np.split(group.matrix(), starts[1:])
    scores = np.full((len(rows), max(map(len, rows)), group.axes[1].size), np.nan)
    for one, some in zip(scores, rows, strict=True):
        one[: len(some)] = some
    names = np.split(run.names[group.along(0, run.codes)], starts[1:])
    runs = tuple(tuple(map(str, some)) for some in names)
    return {"systems": tuple(system.names[present]), "scores": scores, "runs": runs}


def _by_repetition(group: Group) -> Floats:
    """Lay out whole repetitions of a cross-validation, shape (n_systems, n_repetitions, n_folds)."""
    table, scores = group.table, group.matrix()
    sizes = np.unique(group.along(1, table.names["repetition"].codes), return_counts=True)[1]
    systems = table.names["system"].names[group.axes[0]]
    lacking = [*map(str, systems[np.isnan(scores).any(axis=1)])]
    if lacking or sizes.min() != sizes.max() or sizes[0] < 2:
        problem = f"repetitions of the cross-validation have from {sizes.min()} to {sizes.max()} folds"
        if lacking:
            problem = f"systems lack folds that others have: {names_text(lacking)}"
        columns, said = table.columns_text("seed", "fold"), table.said("fold")
        raise refusal("folds", problem=problem, dataset=quoted(group.dataset), columns=columns, said=said)
    return scores.reshape(len(scores), sizes.size, -1)


# --- counts ----------------------------------------------------------------------------------------------------------


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


def _right_answers(table: Table) -> Floats:
    """Return k and n of all rows, shape (n_rows, 2), validated."""
    if not table.has("k"):
        raise refusal("no-right-answers", table.columns_text("score", "n"))
    k, n = (table.numbers(role, "count") for role in ("k", "n"))
    wrong = ~((n >= 1) & (n % 1 == 0) & (k >= 0) & (k <= n) & (k % 1 == 0))
    shown = [f"{one:g} of {all_of:g}".replace("nan", "empty") for one, all_of in zip(k[wrong], n[wrong], strict=True)]
    table.refuse("right-answers", wrong, "n", shown=listed(shown, LISTED))
    return np.stack((k, n), axis=1)
