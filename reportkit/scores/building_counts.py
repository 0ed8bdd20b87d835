"""Counts: those that a corpus metric sums, and numbers of right answers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import InputError, ScoreValueError, SettingsError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.metrics.corpus import CorpusMetric, counted_columns
from reportkit.scores.arrays import Floats
from reportkit.scores.detect_design import corpus_metric_of
from reportkit.scores.row_checks import about_dataset, one_score_each, refuse_rows
from reportkit.scores.scores import Scores
from reportkit.scores.table.names import one_name
from reportkit.scores.table.row_numbers import LISTED, names_text, quoted
from reportkit.scores.table.score_table import ONLY_INSTANCE, ScoreTable, groups_of, numbers_in
from reportkit.scores.table.score_values import scores_of


def corpus_counts(table: ScoreTable) -> tuple[list[Scores], list[Finding]]:
    """Lay out the counts of a metric of sums."""
    metric = corpus_metric_of(table)
    assert metric is not None  # noqa: S101 - asked only where counts are meant
    if table.asked.higher_is_better is False and metric.higher_is_better:
        raise SettingsError(
            f"higher_is_better=False, but a higher {metric.title} is better",
            remedy="leave it out: the direction of a corpus metric is known",
        )
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
    about = {"shape": "corpus", "kind": "continuous", "higher_is_better": metric.higher_is_better, "measure": metric}
    rows = counts[as_one.rows]
    return [Scores(**about_dataset(group, as_one) | about, scores=group.matrix(rows)) for group in groups], findings


def _counts(table: ScoreTable, metric: CorpusMetric) -> Floats:
    """Return the counts of all rows, shape (n_rows, k), validated; rows of which all counts are empty are NaN."""
    found = counted_columns(map(str, table.frame.columns))
    names = [found[name] for name in metric.columns]
    source, whole = table.asked.source, replace(table, rows=np.arange(len(table.frame)))
    counts = np.stack([scores_of(table.frame[name], source=source, what="count") for name in names], axis=1)
    empty = np.isnan(counts)
    checks: list[tuple[NDArray[np.bool_], str, str]] = [
        (
            np.asarray(empty.any(axis=1) & ~empty.all(axis=1)),
            "some counts only",
            f"complete the counts of {names_text(names)}; leave all of them empty where there is no output",
        )
    ]
    if metric.non_negative:
        which = names_text([name for name, column in zip(names, counts.T, strict=True) if (column < 0).any()])
        negative = np.asarray((counts < 0).any(axis=1))
        checks.append((negative, f"negative counts in {which}", "correct these rows: counts are at least 0"))
    for part, total in metric.at_most:
        low, high = metric.position(part), metric.position(total)
        what = f"more in {names[low]!r} than in {names[high]!r}"
        remedy = f"correct these rows; {metric.name} needs the columns {', '.join(metric.columns)}"
        checks.append((counts[:, low] > counts[:, high], what, remedy))
    for wrong, what, remedy in checks:
        refuse_rows(whole, wrong, (f"rows has {what}", f"rows have {what}"), "", remedy)
    return counts


def right_answers(table: ScoreTable) -> tuple[list[Scores], list[Finding]]:
    """Take k of n for each system and dataset."""
    n = _whole(table, "n", lowest=1)
    if not table.has("k"):
        raise ScoreValueError(
            "the scores are those of no whole numbers of right answers",
            where=table.columns_text("score", "n"),
            remedy="give the numbers of right answers in a column 'k', or the score of every instance; if the scores "
            "are no shares\nof right answers, take the datasets as the sample: across_datasets=True "
            "(--across-datasets)",
        )
    k = _whole(table, "k", lowest=0)
    refuse_rows(
        table,
        k > n,
        ("rows says", "rows say"),
        "n",
        "correct the rows, or say which column is which: columns={'k': ..., 'n': ...}",
        " that more answers are right than there are instances"
        + "".join(f": {a:,.0f} of {b:,.0f}" for a, b in zip(k[k > n][:1], n[k > n][:1], strict=True)),
    )
    if table.has("score"):
        _refuse_other_scores(table, k, n)
    blocks = []
    for group in groups_of(replace(table, instance=one_name(ONLY_INSTANCE, len(table)), cluster=None)):
        about = about_dataset(group, replace(table, cluster=None))
        if about["kind"] not in (None, "binary"):
            raise InputError(
                f"scores are declared {about['kind']}, and numbers of right answers come from scores of 0 and 1",
                where=f"dataset {quoted(group.dataset)}, {table.columns_text('k', 'n', 'score')}",
                remedy="give the score of every instance, or take the declaration back",
            )
        about |= {"kind": "binary", "instances": np.array([], dtype=object)}
        blocks.append(Scores(shape="counts", **about, scores=group.matrix(np.stack((k, n), axis=1))[:, 0]))
    return blocks, []


def _whole(table: ScoreTable, role: str, *, lowest: int) -> Floats:
    """Return the whole numbers of a column."""
    values = numbers_in(table, role, "count")
    wrong = ~((values >= lowest) & (values == np.round(values)) & (values < 2**53))
    shown = list(dict.fromkeys("empty" if math.isnan(v) else f"{v:g}" for v in values[wrong][:LISTED].tolist()))
    refuse_rows(
        table,
        wrong,
        ("counts is no whole number", "counts are no whole numbers"),
        role,
        "give the number of right answers (k) and of all instances (n)",
        f" {'above 0' if lowest else 'of at least 0'}: {listed(shown)}",
    )
    return values


def _refuse_other_scores(table: ScoreTable, k: Floats, n: Floats) -> None:
    """Refuse scores that are not k / n, as shares or in percent, in the decimals that they have."""
    known = table.scores[~np.isnan(table.scores)]
    decimals = max((len(f"{score:.10g}".partition(".")[2]) for score in known), default=0)
    exact = (100.0 if (known > 1).any() else 1.0) * k / n
    wrong = np.abs(table.scores - exact) > 0.5 * 10.0**-decimals + 1e-9
    refuse_rows(
        table,
        wrong,
        ("scores is not k / n", "scores are not k / n"),
        "score",
        "correct the rows; or, if the score is another metric, leave the column out",
        "".join(
            f": {score:g}, not {of:.6g}" for score, of in [*zip(table.scores[wrong], exact[wrong], strict=True)][:1]
        ),
    )
