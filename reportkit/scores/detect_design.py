"""Which design a table has: scores of instances, of runs, of folds; counts; predictions with gold scores."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from reportkit.errors import ColumnError, InputError
from reportkit.language.counts_and_lists import counted, listed
from reportkit.metrics.corpus import CORPUS_METRICS, CorpusMetric, corpus_metric_named, counted_columns, missing_counts
from reportkit.metrics.correlation import named_coefficient
from reportkit.scores.codes import names_text, quoted
from reportkit.scores.sample import Shape
from reportkit.scores.scales import detect_kind
from reportkit.scores.table import Table

_CHOSEN_SCORE = re.compile(r"(best|max|maximum|top)(score|scores|acc|accuracy|value|result|run|seed|ofn|ofm|of\d+)?")
"""Names, folded, of a column of scores that are the best of several runs."""

_CHOSEN_RUN = re.compile(r"(best|max|maximum|top)([-_ .]?(run|seed|trial|of[-_ .]?\w+))?", flags=re.IGNORECASE)
"""Names of a run that was chosen by its score."""

_RUN = ("system", "dataset")


def design_of(table: Table) -> Shape:
    """Tell from the roles of the columns, and from the metric asked for, what there is of each system.

    Raises
    ------
    ColumnError
        If a column is missing: counts of the metric asked for, or ids of instances.
    InputError
        If scores or runs are by their name the best of several, if runs stand in the place of instances, or if it
        cannot be told whether a score is that of a run or of an instance.
    """
    asked = table.asked.metric
    if named_coefficient(asked) is not None and asked not in _given_metrics(table):
        return "correlation"
    if corpus_metric_of(table) is not None:
        return "corpus"
    scored = table.where(~np.isnan(table.scores[table.rows]))
    if scored.rows.size and _has_one_score_per_fold(scored):
        return "folds"
    _refuse_the_best(table)
    if scored.rows.size and (shape := _with_runs(scored)) != "paired":
        return shape
    counted_rows = table.has("n") and (table.has("k") or (table.has("score") and not table.asked.across_datasets))
    if counted_rows and "seed" not in table.names and _one_row_each(table):
        return "counts"
    if not table.has("instance") and not _one_row_each(table):
        _refuse_without_instances(table)
    return "paired"


def _given_metrics(table: Table) -> list[str]:
    return table.present("metric") if table.has("metric") else []


def _one_row_each(table: Table) -> bool:
    return len(pd.unique(table.cells("metric", *_RUN))) == table.rows.size


def corpus_metric_of(table: Table) -> CorpusMetric | None:
    """Tell which metric is to be computed from columns of counts; None if scores are to be compared.

    Raises
    ------
    ColumnError
        If a metric was asked for and counts for it are missing; or if there are counts of several metrics, no scores,
        and nobody said which.
    """
    asked, names = table.asked.metric, [*map(str, table.frame.columns)]
    if asked in _given_metrics(table):
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


def _has_one_score_per_fold(table: Table) -> bool:
    """Whether the column of folds tells the scores of a system on a dataset apart, with that of runs if there is one.

    If there are several instances per fold, their scores are compared, and the fold is of no account. Scores that are
    all 0 or 1 are those of single test items (leave-one-out), not of folds.
    """
    if "fold" not in table.names or detect_kind(table.scores) == "binary":
        return False
    return not one_for_each(table, "fold", *_RUN) and one_for_each(table, "instance", "metric", "fold", "seed", *_RUN)


def one_for_each(table: Table, role: str, *given: str) -> bool:
    """Return whether there is one name of a role for each combination of names of other roles."""
    return len(pd.unique(table.cells(*given, role))) == len(pd.unique(table.cells(*given)))


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
    seed, instance = table.said("seed"), table.said("instance")
    raise InputError(
        "runs take the place of instances: no two runs of a system share an instance",
        where=table.columns_text("instance", "seed"),
        remedy="give the id of the test item as instance, which is the same for all seeds: runs on the same items are\n"
        f"not further instances. If a score is that of a whole run, remove or rename {instance!r}\n"
        f'(in Python df.drop(columns="{instance}")). If {seed!r} does not number runs (a seed per item, say), remove\n'
        f'or rename that column (in Python df.drop(columns="{seed}"))',
    )


def _refuse_the_best(table: Table) -> None:
    """Refuse scores, and runs, whose name says that they are the best of several."""
    score = table.said("score")
    chosen = [name for name in table.present("seed") if _CHOSEN_RUN.fullmatch(name.strip())]
    if not chosen and not _CHOSEN_SCORE.fullmatch(re.sub(r"[-_.\s]+", "", score.casefold())):
        return
    runs = counted(len(chosen), "run is by its name", "runs are by their names") + " the best of several"
    raise InputError(
        runs if chosen else f"the scores of column {score!r} are by their name the best of several runs",
        where=f"{table.columns_text('seed')}: {names_text(chosen)}" if chosen else f"column {score!r}",
        remedy="the best of several runs is compared with a score that was not chosen: of two equally good systems, "
        "the one with\nmore runs is then found better in 45% to 72% of all cases at a level of 5% (best of 3 to 5 "
        "runs, simulated);\ngive the score of every run, under a name of its own in a column 'seed'; rename a metric "
        "that is called so",
    )


def _refuse_without_instances(table: Table) -> None:
    """Refuse several rows of one system and dataset that no column of instances tells apart."""
    cells = table.cells("metric", "dataset", "system")
    counts = np.bincount(cells)
    row = int(table.rows[np.flatnonzero(cells == counts.argmax())[0]])
    raise ColumnError(
        "no column for instance, and several rows of one system and dataset",
        where=f"{quoted(table.names['system'].of(row))} on {quoted(table.names['dataset'].of(row))}: "
        f"{int(counts.max()):,} rows; columns {names_text([table.said(str(role)) for role in table.frame.columns])}",
        remedy="name the column that tells the test items apart (instance=..., --columns instance=...)",
    )
