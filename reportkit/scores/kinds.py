"""What kind of score a dataset holds, which decides which tests are meaningful: detected, or declared by the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import ScoreValueError, UnknownNameError
from reportkit.finding import Finding
from reportkit.scores.choices import KINDS, Kind
from reportkit.scores.table.row_numbers import LISTED, counted, names_text, quoted

if TYPE_CHECKING:
    from reportkit.scores.shapes.paired_scores import DatasetScores
    from reportkit.scores.table.score_table import ScoreTable


RIGHT_IN_PERCENT = 100.0
"""What is written for a right answer, where wrong ones are 0 and right ones are not 1."""

_LOOK = 1000
"""Of most continuous scores, these tell already."""


def detect_kind(scores: NDArray[np.float64]) -> Kind:
    """Tell right-or-wrong scores from all others.

    Ordinal and count scores are never inferred: integers from 1 to 5 may be ratings, counts of errors or points, and
    the mean of a rating means something only if its steps are equal. Whoever measured them declares them.

    Parameters
    ----------
    scores : ndarray of float
        All scores of one dataset, of any shape; NaN (missing) is left aside.

    Returns
    -------
    {"binary", "continuous"}
        Binary if every score is 0 or 1, or every one 0 or -1 (scores of which lower is better are held negated).

    Examples
    --------
    >>> detect_kind(np.array([[0, 1, 1], [1, np.nan, 0]]))
    'binary'
    >>> detect_kind(np.array([0.0, 0.5, 1.0]))
    'continuous'
    """
    for one in (1.0, -1.0):
        if _all_of(scores.ravel()[:_LOOK], one) and _all_of(scores, one):
            return "binary"
    return "continuous"


def _all_of(scores: NDArray[np.float64], one: float) -> bool:
    return bool(((scores == 0) | (scores == one) | np.isnan(scores)).all())


DeclaredKind = Kind | Mapping[str, Kind] | None


def declared_kind(kind: DeclaredKind, metric: str, dataset: str) -> Kind | None:
    """Kind that was declared for a dataset: by its name, by that of the metric, or for all."""
    if isinstance(kind, Mapping):
        return kind.get(dataset, kind.get(metric))
    return kind


def refuse_wrong_kinds(kind: DeclaredKind, blocks: Sequence[DatasetScores]) -> None:
    """Hold scores against the kind that was declared for them.

    Raises
    ------
    ScoreValueError
        If scores declared as binary are not 0 or 1, or counts are not whole numbers from 0.
    UnknownNameError
        If there is no such kind, metric or dataset.
    """
    if kind is None:
        return
    for value in kind.values() if isinstance(kind, Mapping) else [kind]:
        if value not in KINDS:
            raise UnknownNameError("kind of scores", value, KINDS)
    if isinstance(kind, Mapping):
        known = list(dict.fromkeys([*(block.metric for block in blocks), *(block.dataset for block in blocks)]))
        for name in kind:
            if name not in known:
                raise UnknownNameError("metric or dataset", name, known, where="kind")
    for block in blocks:
        declared = declared_kind(kind, block.metric, block.dataset)
        scores = block.scores[~np.isnan(block.scores)]
        as_given = scores if block.higher_is_better else 0.0 - scores
        if declared == "binary":
            _refuse_kind(
                block, as_given[(as_given != 0) & (as_given != 1)], "binary", "0 or 1 (or all of them 0 or 100)"
            )
        if declared == "count":
            _refuse_kind(block, as_given[(as_given < 0) | (as_given % 1 != 0)], "counts", "0, 1, 2, ...")


def _refuse_kind(block: DatasetScores, wrong: NDArray[np.float64], kind: str, allowed: str) -> None:
    if wrong.size == 0:
        return
    examples = [f"{score:g}" for score in np.unique(wrong)[:LISTED]]
    raise ScoreValueError(
        f"scores were declared as {kind}, but {counted(wrong.size, 'score is', 'scores are')} not {allowed}",
        where=f"dataset {quoted(block.dataset)}, metric {quoted(block.metric)}: {', '.join(examples)}",
        remedy="declare what they are (kind='continuous', --kind continuous), or correct them",
    )


Group = tuple[str, str]
"""Metric and dataset."""


def rights_from_percent(
    table: ScoreTable, metrics: Sequence[str], kind: DeclaredKind
) -> tuple[ScoreTable, list[Finding], frozenset[Group]]:
    """Divide scores by 100 where they are 0 and 100 and nothing else.

    A metric is taken for right or wrong if both values, and no others, occur in all of its datasets. If that is so on
    some of them only, the scores stay as they are, and a finding says how to declare them; as they do where a kind is
    declared that is not binary.

    Parameters
    ----------
    table : ScoreTable
        As given.
    metrics : sequence of str
        Names, by code.
    kind : str, mapping or None
        Declared kinds, for all or by metric or dataset.

    Returns
    -------
    ScoreTable, list of Finding, frozenset of (str, str)
        The table, what to know about it, and the metrics and datasets whose scores were divided.
    """
    n_metrics = len(metrics)
    groups = np.asarray(table.dataset.codes, dtype=np.int64) * n_metrics
    if table.metric is not None:
        groups = groups + table.metric.codes
    n_groups = len(table.dataset.names) * n_metrics
    right, wrong = table.scores == RIGHT_IN_PERCENT, table.scores == 0
    if not right.any():
        return table, [], frozenset()
    n_right, n_wrong, n_scores = (
        np.bincount(groups, weights=held, minlength=n_groups) for held in (right, wrong, ~np.isnan(table.scores))
    )
    in_two = (n_right + n_wrong == n_scores) & (n_scores > 0)
    chosen = np.zeros(n_groups, dtype=bool)
    findings: list[Finding] = []
    for code, metric in enumerate(metrics):
        held = [int(group) for group in np.flatnonzero(n_scores) if group % n_metrics == code]
        names = {group: str(table.dataset.names[group // n_metrics]) for group in held}
        declared = {group: declared_kind(kind, metric, names[group]) for group in held}
        chosen[[group for group in held if declared[group] == "binary" and in_two[group] and n_right[group]]] = True
        free = [group for group in held if declared[group] is None]
        two_valued = [group for group in free if in_two[group] and n_right[group] and n_wrong[group]]
        if two_valued and in_two[free].all():
            chosen[free] = True
            findings.append(_recognised(metric, metrics))
        elif two_valued:
            findings.append(_doubtful([names[group] for group in two_valued]))
    if not chosen.any():
        return table, findings, frozenset()
    scores: NDArray[np.float64] = np.where(chosen[groups], table.scores / RIGHT_IN_PERCENT, table.scores)
    divided = frozenset(
        (metrics[group % n_metrics], str(table.dataset.names[group // n_metrics]))
        for group in map(int, np.flatnonzero(chosen))
    )
    return replace(table, scores=scores), findings, divided


def _recognised(metric: str, metrics: Sequence[str]) -> Finding:
    return Finding(
        "right-or-wrong-in-percent",
        "info",
        "All scores are 0 or 100: they are taken as wrong or right, and margins are in proportions (0.01 is one "
        "percentage point).",
        where=f"metric {metric!r}" if len(metrics) > 1 else "",
        remedy="if they are other scores, say so: kind='continuous' (--kind continuous)",
    )


def _doubtful(datasets: Sequence[str]) -> Finding:
    return Finding(
        "right-or-wrong-in-percent",
        "info",
        "Scores are 0 or 100 on some datasets and other numbers elsewhere; they are taken as scores like the others.",
        where=f"0 or 100: {names_text(datasets)}",
        remedy=f"if they are right or wrong, say so: kind={{{datasets[0]!r}: 'binary'}} "
        f'(in TOML: kind = {{ "{datasets[0]}" = "binary" }})',
    )
