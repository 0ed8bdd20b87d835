"""Several metrics of one table: named in a column, standing in columns of their own, or computed; read and joined."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from reportkit.finding import Finding
from reportkit.scores.results import Results
from reportkit.scores.scales import DeclaredKind
from reportkit.scores.table.columns import recognise_columns

Direction = bool | Mapping[str, bool]
ReadOne = Callable[[pd.DataFrame, str | None, Mapping[str, str], Direction, DeclaredKind], Results]
"""Reads a frame: with the metric to compute, the roles of columns, the direction, the declared kinds."""


def read_metrics(
    frame: pd.DataFrame,
    metrics: Sequence[str],
    read_one: ReadOne,
    *,
    columns: Mapping[str, str],
    higher_is_better: Direction,
    kind: DeclaredKind,
) -> Results:
    """Read several metrics of a frame.

    A metric that is the name of a column is the score in that column; if the frame has a column of metrics, it is one
    of these; otherwise it is computed from other columns.

    Parameters
    ----------
    frame : DataFrame
        As `read_one` takes it.
    metrics : sequence of str
        At least two.
    read_one : callable
        Reads the frame for one metric.
    columns : mapping of str to str
        Role to column name.
    higher_is_better : bool or mapping of str to bool
        Direction of all metrics, or of each by its name.
    kind : str, mapping or None
        Declared kinds, by dataset or metric.

    Returns
    -------
    Results
        Of all these metrics; of every metric of the column of metrics, if there is one.
    """
    standing = [metric for metric in metrics if metric in frame.columns]
    read = [
        _renamed(
            read_one(
                frame.drop(columns=[other for other in standing if other != metric]),
                None,
                {**columns, "score": metric},
                _of(higher_is_better, metric, metrics),
                _kind_of(kind, metric, metrics),
            ),
            metric,
        )
        for metric in standing
    ]
    others = [metric for metric in metrics if metric not in standing]
    if others:
        recognised = recognise_columns(frame, columns, metric=others[0])
        if "metric" in recognised.roles:
            read.append(read_one(frame, None, columns, higher_is_better, kind))
        else:
            read.extend(
                read_one(
                    frame, metric, columns, _of(higher_is_better, metric, metrics), _kind_of(kind, metric, metrics)
                )
                for metric in others
            )
    return read[0] if len(read) == 1 else joined(read)


def joined(read: Sequence[Results]) -> Results:
    """Put the results of several metrics of one table together."""
    findings: dict[Finding, None] = {}
    for item in read:
        findings.update(dict.fromkeys(item.findings))
    scores = dict.fromkeys(item.columns["score"] for item in read if "score" in item.columns)
    roles: dict[str, str] = {}
    for item in read:
        roles = {**item.columns, **roles}
    return replace(
        read[0],
        datasets=tuple(block for item in read for block in item.datasets),
        columns={**roles, "score": ", ".join(scores)} if scores else roles,
        unused_columns=tuple(
            name for name in read[0].unused_columns if all(name in item.unused_columns for item in read)
        ),
        findings=tuple(findings),
        named_datasets=tuple(dict.fromkeys(name for item in read for name in item.named_datasets)),
    )


def _renamed(results: Results, metric: str) -> Results:
    return replace(results, datasets=tuple(replace(block, metric=metric) for block in results.datasets))


def _of(direction: Direction, metric: str, metrics: Sequence[str]) -> Direction:
    """The direction of one metric; names of no metric are kept, so that reading finds the mistake."""
    if not isinstance(direction, Mapping):
        return direction
    return {name: higher for name, higher in direction.items() if name == metric or name not in metrics}


def _kind_of(kind: DeclaredKind, metric: str, metrics: Sequence[str]) -> DeclaredKind:
    if not isinstance(kind, Mapping):
        return kind
    if metric in kind and not any(name not in metrics for name in kind):
        return kind[metric]
    return {name: value for name, value in kind.items() if name == metric or name not in metrics} or None
