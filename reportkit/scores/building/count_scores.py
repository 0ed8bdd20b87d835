"""k of n per system and dataset: from the table to counts, given as such or as accuracies that leave no doubt."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import InputError, ScoreValueError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import listed
from reportkit.scores.building.instance_scores import of_group
from reportkit.scores.scores import Scores
from reportkit.scores.table.names import one_name
from reportkit.scores.table.row_numbers import LISTED, quoted, share
from reportkit.scores.table.score_table import ONLY_INSTANCE, ScoreTable, groups_of, numbers_in

_NOISE = 1e-9
"""What floating-point arithmetic adds to score * n, relative to n."""

_MOST_DECIMALS = 15
"""A score with so many decimals was not rounded for print: it is k / n in floating point."""


def holds_counts(table: ScoreTable) -> bool:
    """Whether there is one row per system and dataset, and how many instances it is over."""
    if not table.has("n") or not (table.has("k") or table.has("score")) or table.seed is not None:
        return False
    cells = table.group_codes() * len(table.system.names) + table.system.codes
    return bool(np.unique(cells).size == len(table))


def blocks_of_counts(table: ScoreTable) -> tuple[list[Scores], list[Finding]]:
    """Take k of n for each system and dataset; from scores only where exactly one k gives the score.

    Raises
    ------
    ScoreValueError
        If k or n are no whole numbers, if k is not between 0 and n, or if a score does not tell k, or tells another
        one than the column says.
    InputError
        If scores are declared to be of a kind that no number right of n has.
    """
    n = _whole(table, "n", lowest=1)
    findings = []
    if table.has("k"):
        k = _whole(table, "k", lowest=0)
        if wrong := np.flatnonzero(k > n).tolist():
            raise ScoreValueError(
                share(len(wrong), k.size, "rows says", "rows say")
                + f" that more answers are right than there are instances: {k[wrong[0]]:,.0f} of {n[wrong[0]]:,.0f}",
                where=f"{table.columns_text('k', 'n')}, {table.rows_text(np.array(wrong))}",
                remedy="correct the rows, or say which column is which: columns={'k': ..., 'n': ...}",
            )
        if table.has("score"):
            _refuse_other_scores(table, k, n)
    else:
        k = _counts_of_scores(table, n)
        message = f"The numbers of right answers were computed from the {table.columns_text('score', 'n')}: each "
        findings = [
            Finding("counts-from-scores", "info", message + "score is k / n, rounded, for exactly one whole number k.")
        ]
    blocks: list[Scores] = []
    for group in groups_of(replace(table, instance=one_name(ONLY_INSTANCE, len(table)))):
        about = of_group(group, replace(table, cluster=None))
        if about["kind"] not in (None, "binary"):
            raise InputError(
                f"scores are declared {about['kind']}, and numbers of right answers come from scores of 0 and 1",
                where=f"dataset {quoted(group.dataset)}, {table.columns_text('k', 'n', 'score')}",
                remedy="give the score of every instance, or take the declaration back",
            )
        about |= {"kind": "binary", "instances": np.array([], dtype=object)}
        counts = group.matrix(np.stack((k, n), axis=1))[:, 0]
        blocks.append(Scores(shape="counts", **about, scores=counts))
    return blocks, findings


def _whole(table: ScoreTable, role: str, *, lowest: int) -> NDArray[np.float64]:
    """Whole numbers of a column."""
    values = numbers_in(table, role, "count")
    wrong = np.flatnonzero(~((values >= lowest) & (values == np.round(values)) & (values < 2**53)))
    if wrong.size:
        shown = list(dict.fromkeys("empty" if math.isnan(v) else f"{v:g}" for v in values[wrong][:LISTED].tolist()))
        raise ScoreValueError(
            share(wrong.size, values.size, "counts is no whole number", "counts are no whole numbers")
            + f" {'above 0' if lowest else 'of at least 0'}: {table.columns_text(role)} holds {listed(shown)}",
            where=table.rows_text(wrong),
            remedy="give the number of right answers (k) and of all instances (n)",
        )
    return values


def _rounded_from(scores: NDArray[np.float64]) -> tuple[float, float]:
    """Return by how much scores may be rounded, and 100 if they are percentages, else 1."""
    known = scores[~np.isnan(scores)]
    texts = (np.format_float_positional(value, trim="-") for value in np.unique(known))
    decimals = max((len(text.partition(".")[2]) for text in texts), default=0)
    return 0.5 * 10.0 ** -min(decimals, _MOST_DECIMALS), 100.0 if (known > 1).any() else 1.0


def _refuse_other_scores(table: ScoreTable, k: NDArray[np.float64], n: NDArray[np.float64]) -> None:
    """Refuse a score beside k and n that is not k / n."""
    scores = table.scores
    half, factor = _rounded_from(scores)
    wrong = np.flatnonzero(np.abs(scores - factor * k / n) > half * (1 + 1e-6) + _NOISE * factor)
    if wrong.size:
        first = int(wrong[0])
        raise ScoreValueError(
            f"the score {scores[first]:g} is not k / n = {k[first]:,.0f} / {n[first]:,.0f} = "
            f"{factor * k[first] / n[first]:.6g}" + _more(wrong.size),
            where=f"{table.columns_text('score', 'k', 'n')}, {table.rows_text(wrong)}",
            remedy="correct the rows; or, if the score is another metric, leave the column out",
        )


def _counts_of_scores(table: ScoreTable, n: NDArray[np.float64]) -> NDArray[np.float64]:
    """The one k of each row that gives its score."""
    scores = table.scores
    half, factor = _rounded_from(scores)
    outside = np.flatnonzero(~((scores >= 0) & (scores <= factor)))
    first = np.maximum(np.ceil((scores - half) / factor * n - _NOISE * n), 0)
    last = np.minimum(np.floor((scores + half) / factor * n + _NOISE * n), n)
    wrong = outside if outside.size else np.flatnonzero(first != last)
    if wrong.size:
        row = int(wrong[0])
        said = f"the score {scores[row]:g} of {n[row]:,.0f} instances "
        if outside.size:
            said += "is no share of right answers"
        elif first[row] > last[row]:
            said += "is that of no whole number of right answers"
        else:
            said += f"may be {first[row]:,.0f} to {last[row]:,.0f} right answers"
        raise ScoreValueError(
            said + _more(wrong.size),
            where=f"{table.columns_text('score')}, {table.rows_text(wrong)}",
            remedy="give the numbers of right answers in a column 'k', or the score of every instance; if the scores "
            "are no shares\nof right answers, take the datasets as the sample: across_datasets=True "
            "(--across-datasets)",
        )
    return first


def _more(number: int) -> str:
    return f", and {number - 1:,} more like it" if number > 1 else ""
