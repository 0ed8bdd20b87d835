"""Which design a table has: scores of instances, of runs, of folds; counts; predictions beside gold scores."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from reportkit.errors import ColumnError, InputError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.metrics.corpus import CORPUS_METRICS, CorpusMetric, corpus_metric_named, counted_columns, missing_counts
from reportkit.metrics.correlation import named_coefficient
from reportkit.scores.sample import Shape
from reportkit.scores.scales import detect_kind
from reportkit.scores.table.names import one_name
from reportkit.scores.table.row_numbers import counts_text, names_text, quoted
from reportkit.scores.table.score_table import ScoreTable

_CHOSEN_SCORE = re.compile(r"(best|max|maximum|top)(score|scores|acc|accuracy|value|result|run|seed|ofn|ofm|of\d+)?")
"""Names, folded, of a column of scores that are the best of several runs."""

CHOSEN_RUN = re.compile(r"(best|max|maximum|top)([-_ .]?(run|seed|trial|of[-_ .]?\w+))?", flags=re.IGNORECASE)
"""Names of a run that was chosen by its score."""


def design_of(table: ScoreTable) -> Shape:
    """Tell from the roles of the columns, and from the metric asked for, what there is of each system.

    Raises
    ------
    ColumnError
        If a column is missing: counts of the metric asked for, or ids of instances.
    InputError
        If scores or runs are by their name the best of several, if runs stand in the place of instances, or if it
        cannot be told whether a score is that of a run or of an instance.
    """
    held = table.has("metric") and table.asked.metric in table.metric.names
    if named_coefficient(table.asked.metric) is not None and not held:
        return "correlation"
    if corpus_metric_of(table) is not None:
        return "corpus"
    if _has_one_score_per_fold(table):
        return "folds"
    _refuse_the_best(table)
    shape = _with_runs(table)
    if shape != "paired":
        return shape
    if _holds_counts(table) and not (table.asked.across_datasets and not table.has("k")):
        return "counts"
    if not table.has("instance"):
        _refuse_without_instances(table)
    return "paired"


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


def _has_one_score_per_fold(table: ScoreTable) -> bool:
    """Whether the column of folds tells the scores of a system on a dataset apart, with that of runs if there is one.

    If there are several instances per fold, their scores are compared, and the fold is of no account. Scores that are
    all 0 or 1 are those of single test items (leave-one-out), not of folds.
    """
    if table.fold is None or detect_kind(table.scores) == "binary":
        return False
    cells = _cells(table)
    several_folds = cells.groupby(["system", "dataset"])["fold"].nunique().max() > 1
    return bool(several_folds and cells.groupby(["system", "group", "seed", "fold"]).size().max() == 1)


def _holds_counts(table: ScoreTable) -> bool:
    """Whether there is one row per system and dataset, and how many instances it is over."""
    if not table.has("n") or not (table.has("k") or table.has("score")) or table.seed is not None:
        return False
    cells = table.group_codes() * len(table.system.names) + table.system.codes
    return bool(np.unique(cells).size == len(table))


def _cells(table: ScoreTable) -> pd.DataFrame:
    """Return the codes of each score that is there, each combination once."""
    none = one_name("", len(table))
    columns = {
        "system": table.system.codes,
        "dataset": table.dataset.codes,
        "group": table.group_codes(),
        "instance": table.instance.codes,
        "seed": (table.seed or none).codes,
        "fold": (table.fold or none).codes,
    }
    return pd.DataFrame(columns)[~np.isnan(table.scores)].drop_duplicates()


def _with_runs(table: ScoreTable) -> Shape:
    """Tell whether instances have several runs, or each run has one score and nothing else.

    | seeds                                                          | shape      |
    |----------------------------------------------------------------|------------|
    | some instance has scores of several runs of a system           | runs       |
    | each run has one score, of a whole dataset                     | run-scores |
    | each system has one run on a dataset                           | paired     |
    """
    if table.seed is None or len(table.seed.present()) < 2:
        return "paired"
    cells = _cells(table).drop(columns="fold").drop_duplicates()
    if cells.empty:  # no score at all, which is said later
        return "paired"
    per_dataset = cells.drop_duplicates(["group", "instance"]).groupby("group").size()
    if cells.groupby(["system", "group", "instance"]).size().max() > 1:
        return "run-scores" if per_dataset.max() == 1 else "runs"
    if cells.groupby(["system", "dataset"])["seed"].nunique().max() < 2:
        return "paired"
    one_score_per_run = cells.groupby(["system", "group", "seed"]).size().max() == 1
    pairs = cells.drop_duplicates(["dataset", "instance", "seed"])
    one_run_per_instance = pairs.groupby(["dataset", "instance"]).size().max() == 1
    seed, instance, binary = table.said("seed"), table.said("instance"), detect_kind(table.scores) == "binary"
    if one_run_per_instance and (not one_score_per_run or binary):
        raise InputError(
            "runs take the place of instances: every instance belongs to one seed",
            where=table.columns_text("instance", "seed"),
            remedy="give the id of the test item as instance, which is the same for all seeds: runs on the same items "
            "are\nnot further instances. If there is one score per run alone, give one row per run.\n"
            f"If {seed!r} does not number runs (a seed per item, say), remove or rename the column "
            f'(in Python df.drop(columns="{seed}"))',
        )
    if not one_score_per_run or binary:
        return "paired"
    if not table.has("instance") or (one_run_per_instance and pairs.groupby(["dataset", "seed"]).size().max() == 1):
        return "run-scores"
    raise InputError(
        "no two scores have the same seed, and the same instance has other seeds for other systems",
        where=f"{table.columns_text('instance', 'seed')}; {len(table):,} scores of "
        + counted(len(table.system.present()), "system"),
        remedy=f"if a score is that of a whole run, remove or rename {instance!r} "
        f'(in Python df.drop(columns="{instance}"));\nif it is that of one test item, and {seed!r} does not number '
        f'runs, remove or rename that column (in Python df.drop(columns="{seed}"))',
    )


def _refuse_the_best(table: ScoreTable) -> None:
    """Refuse scores, and runs, whose name says that they are the best of several."""
    score = table.said("score")
    chosen = [name for name in (table.seed.present() if table.seed else ()) if CHOSEN_RUN.fullmatch(name.strip())]
    if _CHOSEN_SCORE.fullmatch(re.sub(r"[-_.\s]+", "", score.casefold())):
        what, where = f"the scores of column {score!r} are by their name the best of several runs", f"column {score!r}"
        instead = f"give the score of every run, with a column 'seed' that tells them apart; if {score!r} is a metric, "
        instead += "rename it"
    elif chosen:
        what = counted(len(chosen), "run is by its name", "runs are by their names") + " the best of several"
        where = f"{table.columns_text('seed')}: {names_text(chosen)}"
        instead = "give all runs under their own names, and leave these rows out"
    else:
        return
    raise InputError(
        what,
        where=where,
        remedy="the best of several runs is compared with a score that was not chosen: of two equally good systems, "
        "the one with\nmore runs is then found better in 45% to 72% of all cases at a level of 5% (best of 3 to 5 "
        f"runs, simulated);\n{instead}",
    )


def _refuse_without_instances(table: ScoreTable) -> None:
    """Refuse several rows of one system and dataset that no column of instances tells apart."""
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


def unused_columns_findings(table: ScoreTable, shape: Shape) -> list[Finding]:
    """Say that a column of folds is not used, or that each system has one run, perhaps the best of several."""
    findings = []
    if table.fold is not None and shape != "folds":
        findings.append(
            Finding(
                "folds-unused",
                "info",
                "There are several scores per fold, one of each instance: instances are compared, and the folds are "
                "ignored. The result speaks of the models that were trained, not of the learning method.",
                where=table.columns_text("fold"),
                remedy="if each score is that of a fold, and there are several repetitions, number these in a column "
                "'run'",
            )
        )
    if shape != "paired" or table.seed is None or len(table.seed.present()) < 2:
        return findings
    cells = _cells(table).drop_duplicates(["system", "dataset", "seed"])
    changing = cells.groupby("system")["seed"].nunique()
    changing = changing[changing > 1]
    if changing.size and cells.groupby(["system", "dataset"]).size().max() == 1:
        names = table.system.names[changing.index.to_numpy()]
        several = list(zip(map(str, names), map(int, changing), strict=True))
        findings.append(
            Finding(
                "seeds-chosen",
                "warning",
                "Each system has one run on a dataset, and not the same one on all datasets. If these are the best of "
                "several runs, the p-values are not valid.",
                where=f"{table.columns_text('seed')}, different runs of {counts_text(several)}",
                remedy="give all runs; their number and spread are then part of the test",
            )
        )
    return findings
