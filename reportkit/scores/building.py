"""From the long form to validated scores: all systems on each dataset as one matrix, in one of eight designs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from pandas.api.types import infer_dtype, is_numeric_dtype

from reportkit.errors import ReportkitError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language import counted, listed
from reportkit.metrics.corpus import CORPUS_METRICS, CorpusMetric, corpus_metric_named, counted_columns, missing_counts
from reportkit.metrics.correlation import named_coefficient
from reportkit.scores.checks import declared_kind, detect_kind, is_plain, judged, with_unused
from reportkit.scores.choices import ROLES, Kind
from reportkit.scores.codes import (
    Coded,
    code_column,
    crossed,
    names_text,
    natural_key,
    one_name,
    quoted,
    scores_of,
)
from reportkit.scores.names import direction_of, may_play_a_role
from reportkit.scores.refusals import notice, refusal
from reportkit.scores.sample import Floats, Shape
from reportkit.scores.scores import Results, Scores
from reportkit.scores.table import (
    ONLY_INSTANCE,
    Asked,
    Group,
    Table,
    one_score_each,
    right_answers,
    table_of,
    weights_and_gold,
)

# For each design, what is computed, and the columns that cannot be used for it.
_ALONE = {"weight": "weights"}
_ONE_ROW = {"weight": "weights", "metric": "several metrics", "seed": "several runs"}
_COMPUTED: Mapping[Shape, tuple[str, Mapping[str, str]]] = {
    "corpus": ("a metric of sums is computed from one row of counts per instance", _ONE_ROW),
    "correlation": ("a correlation is computed from one prediction per instance", _ONE_ROW),
    "runs": ("runs are averaged", {}),
    "run-scores": ("there is one score per run", _ALONE),
    "folds": ("there is one score per fold", _ALONE),
}

_CHOSEN_SCORE = re.compile(
    r"\W*(best|max|maximum|top)[\W_]*(scores?|acc|accuracy|value|result|run|seed|of[\W_]*(n|m|\d+))?\W*", re.IGNORECASE
)
"""Names of a column of scores that are the best of several runs."""

_RUN = ("system", "dataset")
_LONG_FORM = ("system", "dataset", "instance", "score")


def stated(
    frame: pd.DataFrame,
    asked: Asked,
    *,
    datasets: Sequence[str] | None = None,
    mixed_scales: Literal["error", "accept"] = "error",
) -> Results | None:
    """Validate a frame that is in the long form and complete, so that nothing has to be understood; None for others.

    Beside the four columns there may be `metric`, `cluster`, and columns whose names speak for no role.

    Parameters
    ----------
    frame : DataFrame
    asked : Asked
        What the user says; where no direction is said, the names of the metrics have to say it.
    datasets, mixed_scales
        As for `laid_out` and `judged`.
    """
    names = [*map(str, frame.columns)]
    used = [name for name in (*_LONG_FORM, "metric", "cluster") if name in names]
    other = [name for name in names if name not in used]
    plain = len({*names}) == len(names) and {*_LONG_FORM} <= {*names} and is_numeric_dtype(frame["score"].dtype)
    if not plain or any(map(may_play_a_role, other)) or any(infer_dtype(frame[name]) == "mixed" for name in used):
        return None
    if "cluster" in used and frame["cluster"].nunique() >= len(frame[["dataset", "instance"]].drop_duplicates()):
        return None  # they are names of instances
    if not isinstance(asked.higher_is_better, bool):
        metrics = [str(name) for name in frame["metric"].unique()] if "metric" in used else ["score"]
        directions = {name: way for name in metrics if (way := direction_of(name)) is not None}
        if len(directions) < len(metrics):
            return None  # a direction has to be asked for
        asked = replace(asked, higher_is_better=directions)
    try:
        results = laid_out(frame[used], asked, datasets=datasets)
    except ReportkitError:
        return None  # reading gives a better message
    if not is_plain(results):
        return None
    results = judged(results, asked, mixed_scales=mixed_scales).select(datasets=datasets)
    every = tuple(sorted(results.named_datasets, key=natural_key))
    return with_unused(replace(results, named_datasets=every), other)


def laid_out(frame: pd.DataFrame, asked: Asked, *, datasets: Sequence[str] | None = None) -> Results:
    """Validate the scores of some datasets, and lay them out as one matrix per (metric, dataset), higher the better.

    What only all datasets together can show is left to `judged`. Whether two systems were scored on the same instances
    is asked when they are paired: systems that nobody compares may be incomplete.

    Parameters
    ----------
    frame : DataFrame
        All rows of some datasets, one per score: `system, dataset, instance, score` and what else
        `reportkit.scores.reading.Reading` names.
    asked : Asked
        What the user says. With another `missing` than "error", a row without a score is left out here, and `pair`
        then leaves out the instance, or counts the worst score.
    datasets : sequence of str, optional
        Those that are looked at; of the others only the names are.

    Returns
    -------
    Results
        In an order that no order of rows changes: metrics, datasets and systems in natural order ("bleu2" before
        "bleu10") or that of an ordered categorical, instances sorted. Names and ids are texts.

    Raises
    ------
    ReportkitError
        If scores cannot be used: names or scores are missing, repeated, or no finite numbers; each message names the
        rows and a remedy.

    Examples
    --------
    >>> rows = {"system": ["a", "a", "b", "b"], "dataset": "cb", "instance": [2, 1, 1, 2], "score": [0, 1, 1, 0]}
    >>> results = laid_out(pd.DataFrame(rows), Asked())
    >>> results.systems, results.datasets[0].scores
    (('a', 'b'), array([[1., 0.],
           [1., 0.]]))
    """
    table = table_of(frame, asked)
    named = table.present("dataset")
    if datasets is not None:
        if unknown := [name for name in datasets if name not in named]:
            raise UnknownNameError("dataset", unknown[0], named)
        coded = table.names["dataset"]
        table = table.where(np.isin(coded.names.astype(str), [*datasets])[coded.codes])
    shape = design_of(table)
    blocks, findings = build(table, shape)
    if "fold" in frame and shape != "folds":
        findings.append(notice("folds-unused", table.columns_text("fold")))
    return Results(
        datasets=tuple(blocks),
        columns={role: role for role in ROLES if role in frame},
        n_rows=len(frame),
        findings=tuple(findings),
        source=asked.source,
        named_datasets=tuple(named),
    )


# --- designs ---------------------------------------------------------------------------------------------------------


def design_of(table: Table) -> Shape:
    """Decide which design the data have, from the roles of the columns and the metric asked for.

    Raises
    ------
    ColumnError
        If a column of counts of the metric asked for is missing.
    InputError
        If the name of the scores says that they are the best of several, if runs are given as instances, or if it is
        not clear whether a score is that of a run or of an instance.
    """
    asked = table.asked.metric
    if asked is not None and named_coefficient(asked) is not None and asked not in table.present("metric"):
        return "correlation"
    if corpus_metric_of(table) is not None:
        return "corpus"
    scored = table.where(~np.isnan(table.scores[table.rows])) if {"fold", "seed"} & table.names.keys() else table
    if scored.rows.size and _has_one_score_per_fold(scored):
        return "folds"
    if _CHOSEN_SCORE.fullmatch(table.said("score")):
        raise refusal("best-of-runs", table.columns_text("score"), column=table.said("score"))
    if scored.rows.size and (shape := _with_runs(scored)) != "paired":
        return shape
    if table.has("n") and "seed" not in table.names and table.count("metric", *_RUN) == table.rows.size:
        return "counts"
    return "paired"


def corpus_metric_of(table: Table) -> CorpusMetric | None:
    """Tell which metric is to be computed from columns of counts; None if scores are to be compared.

    Raises
    ------
    ColumnError
        If a metric was asked for and counts for it are missing; or if there are counts of several metrics, no scores,
        and nobody said which.
    """
    asked, names = table.asked.metric, [*map(str, table.frame.columns)]
    if asked is not None and asked in table.present("metric"):
        return None
    if asked is not None and (metric := corpus_metric_named(asked)) is not None:
        if absent := missing_counts(metric, names):
            needed = ", ".join(metric.columns)
            words = listed(map(repr, absent), last="or")
            columns = names_text(names)
            raise refusal("missing-counts", metric=metric.name, absent=words, columns=columns, needed=needed)
        return metric
    if table.has("score") or not (there := counted_columns(names)):
        return None
    fitting = [metric.name for metric in CORPUS_METRICS.values() if set(metric.columns) <= there.keys()]
    columns = names_text(names)
    raise refusal("counts-of-several", metrics=", ".join(fitting), columns=columns, metric=fitting[0])


def _has_one_score_per_fold(table: Table) -> bool:
    """Return whether folds, with runs if there are any, tell the scores of a system on a dataset apart.

    If there are several instances per fold, their scores are compared, and the fold is ignored. Scores that are
    all 0 or 1 are those of single test items (leave-one-out), not of folds.
    """
    if "fold" not in table.names or detect_kind(table.scores) == "binary":
        return False
    return not one_for_each(table, "fold", *_RUN) and one_for_each(table, "instance", "metric", "fold", "seed", *_RUN)


def one_for_each(table: Table, role: str, *given: str) -> bool:
    """Return whether there is one name of a role for each combination of names of other roles."""
    return table.count(*given, role) == table.count(*given)


def _with_runs(table: Table) -> Shape:
    """Tell whether instances have several runs, or each run has one score and nothing else.

    | seeds                                                          | shape      |
    |----------------------------------------------------------------|------------|
    | some instance has scores of several runs of a system           | runs       |
    | each run has one score, of a whole dataset                     | run-scores |
    | each system has one run on a dataset                           | paired     |
    """
    if len(table.present("seed")) < 2:
        return "paired"
    if not one_for_each(table, "seed", "metric", "instance", *_RUN):
        return "run-scores" if one_for_each(table, "instance", "metric", "dataset") else "runs"
    if one_for_each(table, "seed", *_RUN):
        return "paired"
    one_run_per_instance = one_for_each(table, "seed", "dataset", "instance")
    if detect_kind(table.scores) != "binary" and one_for_each(table, "instance", "metric", "seed", *_RUN):
        one_instance_per_run = one_run_per_instance and one_for_each(table, "instance", "dataset", "seed")
        if not table.has("instance") or one_instance_per_run:
            return "run-scores"
    elif not one_run_per_instance:
        return "paired"
    where = table.columns_text("instance", "seed")
    raise refusal("runs-as-instances", where, instance=table.said("instance"), seed=table.said("seed"))


# --- one matrix per dataset -------------------------------------------------------------------------------------------


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
    numbers = weights_and_gold(table, shape)
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


def _keyed(table: Table, shape: Shape, measure: CorpusMetric | None) -> Table:
    """Rename systems and instances so that each system (a run counts as one here) has one row per instance."""
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
            return replace(alone, scores=right_answers(table))
    cell = ("metric", "dataset", "instance", "system")
    if shape == "paired" and table.has("rater") and table.count(*cell) < table.rows.size:
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
            about |= {"instances": np.array([], dtype=object), "scores": about["scores"][:, 0]}
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
    return scores.reshape(len(scores), sizes.size, sizes[0])


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
