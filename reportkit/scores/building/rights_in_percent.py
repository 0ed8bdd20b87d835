"""Right-or-wrong scores that are written as 0 and 100: recognised, and held as 0 and 1 as any others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.scores.building.declared_kinds import DeclaredKind, declared_kind
from reportkit.scores.kinds import RIGHT_IN_PERCENT
from reportkit.scores.table.row_numbers import names_text
from reportkit.scores.table.score_table import ScoreTable

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
