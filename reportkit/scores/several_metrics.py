"""Several metrics of one table: named in a column, standing in columns of their own, or computed; read and joined."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from reportkit.errors import SettingsError
from reportkit.finding import Finding
from reportkit.metrics.corpus.catalogue import corpus_metric_named
from reportkit.metrics.corpus.counted_columns import missing_counts
from reportkit.scores.results import Results
from reportkit.scores.scales import DeclaredKind
from reportkit.scores.table.columns import columns_text, folded, recognise_columns, role_named, typed

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

    def names_metrics(metric: str) -> bool:
        return "metric" in recognise_columns(frame, columns, metric=metric).roles

    found = recipes(list(frame.columns), metrics, names_metrics, columns, higher_is_better, kind)
    read = [
        one.named(
            read_one(frame.drop(columns=list(one.left_out)), one.metric, one.columns, one.higher_is_better, one.kind)
        )
        for one in found
    ]
    return read[0] if len(read) == 1 else joined(read)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How one metric is read of a frame that holds several.

    Parameters
    ----------
    metric : str or None
        The metric to compute.
    columns : mapping of str to str
        Role to column name.
    higher_is_better : bool or mapping
        Direction.
    kind : str, mapping or None
        Declared kinds.
    left_out : tuple of str
        Columns of other metrics.
    name : str or None
        What the metric is called, where its column says it.
    """

    metric: str | None
    columns: Mapping[str, str]
    higher_is_better: Direction
    kind: DeclaredKind
    left_out: tuple[str, ...] = ()
    name: str | None = None

    def named(self, results: Results) -> Results:
        """Results under the name of the metric."""
        if self.name is None:
            return results
        return replace(results, datasets=tuple(block.renamed(self.name) for block in results.datasets))


def recipes(
    names: Sequence[object],
    metrics: Sequence[str],
    names_metrics: Callable[[str], bool],
    columns: Mapping[str, str],
    higher_is_better: Direction,
    kind: DeclaredKind,
) -> list[Recipe]:
    """How each metric is read: from a column of its own, by a column of metrics, or computed.

    Parameters
    ----------
    names : sequence
        Columns of the frame.
    metrics, columns, higher_is_better, kind
        As for `read_metrics`.
    names_metrics : callable
        (metric) -> whether the frame has a column of metrics.
    """
    standing = [metric for metric in metrics if metric in names]
    found = [
        Recipe(
            metric=None,
            columns={**columns, "score": metric},
            higher_is_better=_of(higher_is_better, metric, metrics),
            kind=_kind_of(kind, metric, metrics),
            left_out=tuple(other for other in standing if other != metric),
            name=metric,
        )
        for metric in standing
    ]
    others = [metric for metric in metrics if metric not in standing]
    if others and names_metrics(others[0]):
        return [*found, Recipe(metric=None, columns=columns, higher_is_better=higher_is_better, kind=kind)]
    found += [
        Recipe(
            metric=metric,
            columns=columns,
            higher_is_better=_of(higher_is_better, metric, metrics),
            kind=_kind_of(kind, metric, metrics),
        )
        for metric in others
    ]
    return found


def refuse_other_spelling(frame: pd.DataFrame, metrics: Sequence[str]) -> None:
    """Refuse a metric that is asked for, is not there and cannot be computed, where it stands there in other letters.

    Raises
    ------
    SettingsError
        With the name as the table has it.
    """
    columns = [str(name) for name in frame.columns]
    values = [str(name) for column in columns if role_named(column) == "metric" for name in frame[column].unique()]
    for metric in metrics:
        computed = corpus_metric_named(metric)
        if metric in (*columns, *values) or (computed is not None and not missing_counts(computed, columns)):
            continue
        alike = [name for name in (*columns, *values) if folded(name) == folded(metric)]
        if alike:
            raise SettingsError(
                f"no metric is called {metric!r}, and one is called {alike[0]!r}",
                where=columns_text(columns),
                remedy=f"write it so: metric={alike[0]!r} (--metric {typed(alike[0])})",
            )


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
