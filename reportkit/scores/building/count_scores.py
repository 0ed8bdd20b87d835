"""k of n per system and dataset: from the table to counts, given as such or as accuracies that leave no doubt."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import InputError, ScoreValueError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import listed
from reportkit.scores.scales import declared_kind
from reportkit.scores.shapes.proportions import DatasetCounts
from reportkit.scores.table.names import Coded, natural_order
from reportkit.scores.table.row_numbers import LISTED, quoted, rows_text, share
from reportkit.scores.table.score_table import Ingestion, ScoreTable, column, scores_of

MOST_DECIMALS = 15
"""A score with so many decimals was not rounded for print: it is k / n in floating point."""

_NOISE = 1e-9
"""What floating-point arithmetic adds to score * n, relative to n."""


def holds_counts(ingestion: Ingestion) -> bool:
    """Whether there is one row per system and dataset, and how many instances it is over.

    Then k (or a score) and n are all that is known of a system on a dataset.
    """
    roles = ingestion.columns.roles
    if "n" not in roles or not ("k" in roles or "score" in roles):
        return False
    table = ingestion.table
    if table.seed is not None or ingestion.columns.form != "long":
        return False
    return np.unique(_cells(table)).size == len(table)


def blocks_of_counts(ingestion: Ingestion) -> tuple[tuple[DatasetCounts, ...], list[Finding]]:
    """Take k of n for each system and dataset; from scores only where exactly one k gives the score.

    Raises
    ------
    ScoreValueError
        If k or n are no whole numbers, if k is not between 0 and n, or if a score does not tell k, or tells another
        one than the column says.
    InputError
        If scores are declared to be of a kind that no number right of n has.
    """
    n = _whole(ingestion, "n", lowest=1)
    findings: list[Finding] = []
    if "k" in ingestion.columns.roles:
        k = _whole(ingestion, "k", lowest=0)
        _refuse_more_than_n(ingestion, k, n)
        if "score" in ingestion.columns.roles:
            _refuse_other_scores(ingestion, k, n)
    else:
        k = _counts_of_scores(ingestion, n)
        name, size = ingestion.columns.roles["score"], ingestion.columns.roles["n"]
        findings.append(
            Finding(
                "counts-from-scores",
                "info",
                f"The numbers of right answers were computed from the columns {name!r} and {size!r}: each score is "
                "k / n, rounded, for exactly one whole number k.",
            )
        )
    _refuse_other_kinds(ingestion)
    return tuple(_blocks(ingestion, k, n)), findings


def _cells(table: ScoreTable) -> NDArray[np.int64]:
    cells = table.dataset.codes.astype(np.int64) * len(table.system.names) + table.system.codes
    if table.metric is not None:
        cells += table.metric.codes.astype(np.int64) * len(table.system.names) * len(table.dataset.names)
    return np.asarray(cells)


def _whole(ingestion: Ingestion, role: str, *, lowest: int) -> NDArray[np.int64]:
    """Whole numbers of a column, one per entry of the table."""
    name = ingestion.columns.roles[role]
    table = ingestion.table
    rows = table.rows_of(np.arange(len(table)))
    values = scores_of(column(ingestion.frame, name), source=ingestion.source, what="count")[rows]
    wrong = np.flatnonzero(~((values >= lowest) & (values == np.round(values)) & (values < 2**53)))
    if wrong.size:
        shown = ["empty" if math.isnan(value) else f"{value:g}" for value in values[wrong][:LISTED]]
        least = "above 0" if lowest else "of at least 0"
        raise ScoreValueError(
            share(wrong.size, values.size, "counts is no whole number", "counts are no whole numbers")
            + f" {least}: column {name!r} holds {listed(list(dict.fromkeys(shown)), total=len(set(shown)))}",
            where=rows_text(table.rows_of(wrong), ingestion.source),
            remedy="give the number of right answers (k) and of all instances (n)",
        )
    return values.astype(np.int64)


def _refuse_more_than_n(ingestion: Ingestion, k: NDArray[np.int64], n: NDArray[np.int64]) -> None:
    wrong = np.flatnonzero(k > n)
    if wrong.size:
        first = int(wrong[0])
        roles = ingestion.columns.roles
        raise ScoreValueError(
            share(wrong.size, k.size, "rows says", "rows say")
            + f" that more answers are right than there are instances: {int(k[first]):,} of {int(n[first]):,}",
            where=f"columns {roles['k']!r} and {roles['n']!r}, {_rows(ingestion, wrong)}",
            remedy="correct the rows, or say which column is which: columns={'k': ..., 'n': ...}",
        )


def _refuse_other_scores(ingestion: Ingestion, k: NDArray[np.int64], n: NDArray[np.int64]) -> None:
    """A column of scores beside k and n has to hold k / n."""
    scores = ingestion.table.scores
    known = ~np.isnan(scores)
    factor = 100.0 if bool((scores[known] > 1).any()) else 1.0
    half = 0.5 * 10.0 ** -_decimals(scores[known])
    wrong = np.flatnonzero(known & (np.abs(scores - factor * k / n) > half * (1 + 1e-6) + _NOISE * factor))
    if wrong.size:
        first = int(wrong[0])
        roles = ingestion.columns.roles
        raise ScoreValueError(
            f"the score {scores[first]:g} is not k / n = {int(k[first]):,} / {int(n[first]):,} = "
            f"{factor * k[first] / n[first]:.6g}"
            + (f", and {wrong.size - 1:,} more like it" if wrong.size > 1 else ""),
            where=f"columns {roles['score']!r}, {roles['k']!r} and {roles['n']!r}, {_rows(ingestion, wrong)}",
            remedy="correct the rows; or, if the score is another metric, leave the column out",
        )


def _counts_of_scores(ingestion: Ingestion, n: NDArray[np.int64]) -> NDArray[np.int64]:
    """The one k of each row that gives its score."""
    scores, name = ingestion.table.scores, ingestion.columns.roles["score"]
    outside = np.flatnonzero(~((scores >= 0) & (scores <= 100)))
    if outside.size:
        raise ScoreValueError(
            "scores are no shares of right answers"
            + (": some are missing" if np.isnan(scores[outside]).any() else f", such as {scores[outside[0]]:g}"),
            where=f"column {name!r}, {_rows(ingestion, outside)}",
            remedy=_NO_COUNTS,
        )
    percent = bool((scores > 1).any())
    if percent and bool(((scores > 0) & (scores < 1)).any()):
        low, high = float(scores[scores > 0].min()), float(scores.max())
        raise ScoreValueError(
            f"scores from {low:g} to {high:g}: some may be proportions and others percentages",
            where=f"column {name!r}",
            remedy="give the numbers of right answers in a column 'k'",
        )
    shares = scores / 100.0 if percent else scores
    half = 0.5 * 10.0 ** -_decimals(scores) / (100.0 if percent else 1.0)
    slack = _NOISE * n
    first = np.ceil((shares - half) * n - slack)
    last = np.minimum(np.floor((shares + half) * n + slack), n)
    first = np.maximum(first, 0)
    wrong = np.flatnonzero(first != last)
    if wrong.size:
        row = int(wrong[0])
        said = (
            f"the score {scores[row]:g} of {int(n[row]):,} instances is that of no whole number of right answers"
            if first[row] > last[row]
            else f"the score {scores[row]:g} of {int(n[row]):,} instances may be {int(first[row]):,} to "
            f"{int(last[row]):,} right answers"
        )
        raise ScoreValueError(
            said + (f", and {wrong.size - 1:,} more like it" if wrong.size > 1 else ""),
            where=f"column {name!r}, {_rows(ingestion, wrong)}",
            remedy=_NO_COUNTS,
        )
    return first.astype(np.int64)


_NO_COUNTS = (
    "give the numbers of right answers in a column 'k', or the score of every instance; if the scores are no shares\n"
    "of right answers, take the datasets as the sample: across_datasets=True (--across-datasets)"
)


def _decimals(scores: NDArray[np.float64]) -> int:
    """Decimals of a column of scores: as many as its longest number has."""
    most = 0
    for value in np.unique(scores):
        text = np.format_float_positional(value, trim="-")
        most = max(most, len(text.partition(".")[2]))
    return min(most, MOST_DECIMALS)


def _refuse_other_kinds(ingestion: Ingestion) -> None:
    table = ingestion.table
    for metric in ingestion.metrics:
        for dataset in table.dataset.names:
            kind = declared_kind(ingestion.kind, metric, str(dataset))
            if kind not in (None, "binary"):
                raise InputError(
                    f"scores are declared {kind}, and numbers of right answers come from scores of 0 and 1",
                    where=f"dataset {quoted(dataset)}, columns {', '.join(map(repr, _used(ingestion)))}",
                    remedy="give the score of every instance, or take the declaration back",
                )


def _used(ingestion: Ingestion) -> list[str]:
    roles = ingestion.columns.roles
    return [roles[role] for role in ("k", "n", "score") if role in roles]


def _rows(ingestion: Ingestion, entries: NDArray[np.int64]) -> str:
    return rows_text(ingestion.table.rows_of(entries), ingestion.source)


def _order(coded: Coded) -> list[int]:
    present = np.unique(coded.codes)
    if coded.ordered:
        return [int(code) for code in present]
    position = {str(coded.names[code]): int(code) for code in present}
    return [position[name] for name in natural_order(list(position))]


def _blocks(ingestion: Ingestion, k: NDArray[np.int64], n: NDArray[np.int64]) -> Iterator[DatasetCounts]:
    table = ingestion.table
    systems = _order(table.system)
    entry_of = {
        (0 if table.metric is None else int(table.metric.codes[i]), int(d), int(s)): i
        for i, (d, s) in enumerate(zip(table.dataset.codes, table.system.codes, strict=True))
    }
    for metric in [0] if table.metric is None else _order(table.metric):
        for dataset in _order(table.dataset):
            here = [system for system in systems if (metric, dataset, system) in entry_of]
            if not here:
                continue
            entries = [entry_of[metric, dataset, system] for system in here]
            yield DatasetCounts(
                dataset=str(table.dataset.names[dataset]),
                metric=ingestion.metrics[metric],
                systems=tuple(str(table.system.names[system]) for system in here),
                instances=np.array([], dtype=object),
                kind="binary",
                higher_is_better=not bool(ingestion.negated[metric]),
                k=k[entries],
                n=n[entries],
            )
