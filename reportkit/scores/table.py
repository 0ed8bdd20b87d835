"""The long form as parallel arrays; one score of each system and instance, or an error that says what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.language import counted, listed
from reportkit.scores.choices import DeclaredKind, Missing
from reportkit.scores.codes import (
    LISTED,
    Coded,
    IntegerArray,
    code_column,
    counts_text,
    dense,
    n_different,
    names_text,
    one_name,
    quoted,
    rows_text,
    scores_of,
)
from reportkit.scores.refusals import notice, refusal
from reportkit.scores.sample import Shape

ONLY_INSTANCE = "all"
"""Name of the one instance of each dataset where no instances are known."""

_CELL = ("system", "dataset", "metric", "instance")
_MANY_CELLS = 100_000_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Asked:
    """What the user says about scores.

    Parameters
    ----------
    higher_is_better : bool or mapping of str to bool
        Direction of all metrics, or of each by its name; metrics that are not named count as higher is better.
    kind : str, mapping or None
        Declared kind of scores: for all, or by the name of a dataset or of a metric.
    missing : {"error", "drop", "worst"}
        Whether a row may be without a score.
    metric : str, optional
        A metric to compute: of a corpus, or a correlation with gold scores.
    across_datasets : bool
        Whether the datasets are the sample, so that one score per dataset is enough.
    source : str
        Name of the file, or "DataFrame", for messages.
    columns : mapping of str to str
        Role to the name of the column in the input, for messages.
    """

    higher_is_better: bool | Mapping[str, bool] = True
    kind: DeclaredKind = None
    missing: Missing = "error"
    metric: str | None = None
    across_datasets: bool = False
    source: str = "DataFrame"
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Table:
    """The columns of the long form, one entry per row of the frame.

    Parameters
    ----------
    frame : DataFrame
        The long form: columns under the names of their roles.
    asked : Asked
        What the user says.
    names : mapping of str to Coded
        By role: system, dataset, metric and instance; seed, cluster and fold where there are such columns.
    scores : ndarray of float of shape (n_rows,) or (n_rows, k)
        As given; NaN where there is none. Counts have k columns.
    rows : ndarray of int
        The rows that count.
    """

    frame: pd.DataFrame
    asked: Asked
    names: Mapping[str, Coded]
    scores: NDArray[np.float64]
    rows: NDArray[np.int64]

    def has(self, role: str) -> bool:
        """Return whether the input has a column of a role."""
        return role in self.frame.columns

    def said(self, role: str) -> str:
        """Return what the input calls the column of a role."""
        return self.asked.columns.get(role, role)

    def columns_text(self, *roles: str) -> str:
        """Name the columns of some roles, for messages."""
        names = [repr(self.said(role)) for role in roles if self.has(role)]
        return ("column " if len(names) == 1 else "columns ") + listed(names)

    def present(self, role: str) -> list[str]:
        """Return the names that occur in a column; none if there is no such column."""
        rows = self.rows if self.rows.size < len(self.frame) else slice(None)
        return self.names[role].present(rows) if role in self.names else []

    def named(self, **names: Coded | None) -> Table:
        """Replace the names of some roles; None removes them."""
        found = {role: coded for role, coded in {**self.names, **names}.items() if coded is not None}
        return replace(self, names=found)

    def where(self, kept: NDArray[np.bool_]) -> Table:
        """Keep some of the rows."""
        return replace(self, rows=self.rows[kept])

    def cells(self, *roles: str) -> NDArray[np.int64]:
        """Return a code of the combination of names of each row that counts, in the order of the roles."""
        found = np.zeros(self.rows.size, dtype=np.int64)
        for coded in (self.names[role] for role in roles if role in self.names and len(self.names[role].names) > 1):
            found *= len(coded.names)
            found += self.taken(coded.codes, self.rows)
        return found

    def taken(self, values: NDArray[Any], rows: NDArray[np.int64]) -> NDArray[Any]:
        """Return the values of some rows of the frame, in order; no copy of those of all."""
        return values if rows.size == len(self.frame) else values[rows]

    def count(self, *roles: str) -> int:
        """Return the number of different combinations of names."""
        return n_different(self.cells(*roles))

    def repeated(self) -> NDArray[np.int64]:
        """Return the rows that share system, dataset, metric and instance with another."""
        return self.rows[pd.Series(self.cells(*_CELL)).duplicated(keep=False).to_numpy()]

    def is_lower(self, metric: str) -> bool:
        """Return whether lower is better by a metric, also under the name of a metric computed from it."""
        said = self.asked.higher_is_better
        if isinstance(said, bool):
            return not said
        asked = self.asked.metric if len(self.names["metric"].names) == 1 else None
        return not said.get(metric, said.get(asked or "", True))

    def numbers(self, role: str, what: str = "score") -> NDArray[np.float64]:
        """Return the numbers in the column of a role, one for each row of the frame."""
        return scores_of(self.frame[role].rename(self.said(role)), source=self.asked.source, what=what)

    def refuse(self, code: str, wrong: Any, role: str = "", **values: object) -> None:
        """Raise the error of a code where something is wrong with a row, shape (n_rows,)."""
        rows = self.rows[np.asarray(wrong)[self.rows]]
        if rows.size:
            where = f"{self.columns_text(role)}, " if role else ""
            raise refusal(code, where + rows_text(rows, self.asked.source), of=(rows.size, self.rows.size), **values)


def table_of(frame: pd.DataFrame, asked: Asked) -> Table:
    """Take the columns of the long form apart.

    Raises
    ------
    InputError
        If there are no rows, or names are missing.
    ScoreValueError
        If scores are not finite numbers.
    """
    if not len(frame):
        raise refusal("no-row", asked.source)
    names = {"instance": one_name(ONLY_INSTANCE, len(frame)), "metric": one_name("score", len(frame))}
    for role in (*_CELL, "seed", "cluster", "fold"):
        if role in frame:
            names[role] = code_column(frame[role], role, source=asked.source, said=asked.columns.get(role))
    empty = np.full(len(frame), np.nan)
    table = Table(frame=frame, asked=asked, names=names, scores=empty, rows=np.arange(len(frame)))
    if table.has("score"):
        return replace(table, scores=table.numbers("score"))
    if table.has("k"):
        k, n = (table.numbers(role, "count") for role in ("k", "n"))
        return replace(table, scores=np.divide(k, n, out=empty, where=n != 0))
    return table


class Group:
    """The scores on one dataset by one metric, and the place of each in a matrix.

    Parameters
    ----------
    table : Table
    rows : ndarray of int of shape (n_scores,)
        Rows of the frame, all of one metric and dataset.

    Attributes
    ----------
    metric, dataset : str
        Names.
    at, axes : tuple of ndarray of int
        System and instance of each score, as positions among those that occur; and codes of these, in order.
    """

    def __init__(self, table: Table, rows: NDArray[np.int64]) -> None:
        self.table, self.rows = table, rows
        self.metric, self.dataset = (table.names[role].of(rows[0]) for role in ("metric", "dataset"))
        found = (dense(table.taken(table.names[role].codes, rows)) for role in ("system", "instance"))
        self.at, self.axes = zip(*found, strict=True)

    def matrix(self) -> NDArray[np.float64]:
        """Lay scores out, higher the better, shape (n_systems, n_instances); NaN where there is none, and no -0.0.

        Counts are left as they are, shape (n_systems, n_instances, k).
        """
        values = self.table.taken(self.table.scores, self.rows)
        found = np.full((*(axis.size for axis in self.axes), *values.shape[1:]), np.nan)
        found[self.at] = 0.0 - values if values.ndim == 1 and self.table.is_lower(self.metric) else values + 0.0
        found.flags.writeable = False
        return found

    def along(self, axis: int, values: NDArray[Any]) -> NDArray[Any]:
        """Return one value per system (axis 0) or instance (axis 1) from the values of all rows of the frame."""
        found = np.empty(self.axes[axis].size, dtype=values.dtype)
        found[self.at[axis]] = values[self.rows]
        return found

    def per_instance(self, values: NDArray[Any], role: str) -> NDArray[Any]:
        """Return the value of each instance, which has to be the same in all of its rows.

        Raises
        ------
        ScoreValueError
            If an instance has several clusters, weights or gold scores.
        """
        columns, table = self.at[1], self.table
        found = self.along(1, values)
        differs = found[columns] != values[self.rows]
        if not differs.any():
            return found
        wrong = np.unique(columns[differs])
        rows = self.rows[columns == wrong[0]]
        shown = [quoted(table.names[role].of(row)) if role in table.names else f"{values[row]:.12g}" for row in rows]
        what, column = "gold score" if role == "gold" else role, table.columns_text(role)
        number = counted(wrong.size, f"instance has several {what}s", f"instances have several {what}s")
        where = f"{column}: instance {quoted(table.names['instance'].of(rows[0]))} of {quoted(self.dataset)} has "
        where += f"{listed(list(dict.fromkeys(shown)), LISTED)} ({rows_text(rows, table.asked.source)})"
        raise refusal("several-values", where, number=number, what=what, column=column)


def one_score_each(table: Table) -> tuple[list[Group], list[Finding]]:
    """Keep one score of each (system, dataset, instance), after saying what is missing or repeated.

    Parameters
    ----------
    table : Table

    Returns
    -------
    list of Group, list of Finding
        Where each score stands, in the order of metrics and datasets, and what was noticed.

    Raises
    ------
    DuplicateScoresError
        If a (system, dataset, instance) has several scores, unless the rows are identical.
    MissingScoresError
        If scores are missing and `missing="error"`, or systems have hardly any instance in common.
    """
    findings = []
    absent = np.asarray(np.isnan(table.scores.reshape(len(table.scores), -1)).any(axis=1))
    if table.taken(absent, table.rows).any():
        keys = table.cells("metric", "dataset")
        scored = np.bincount(keys, weights=~absent[table.rows]) > 0
        if scored.any():  # a metric without any score on a dataset is not missing there
            table = table.where(scored[keys])
        if (rows := table.rows[absent[table.rows]]).size:
            findings.append(_missing(table, rows))
    groups = _groups(table)
    if absent.any() or table.count(*_CELL) < table.rows.size:
        shared = table.repeated()
        dropped = shared[table.frame.iloc[shared].duplicated().to_numpy()]
        if dropped.size:
            number = counted(dropped.size, "row repeats", "rows repeat")
            findings.append(notice("duplicate-rows", rows_text(dropped, table.asked.source), number=number))
            table = table.where(~np.isin(table.rows, dropped))
        _refuse_repeated(table)
        groups = _groups(table.where(~absent[table.rows]))
    return groups, findings


def _groups(table: Table) -> list[Group]:
    """Find the place of each score, in the order of metrics and datasets."""
    keys = table.cells("metric", "dataset")
    sizes, rows = np.bincount(keys), table.rows
    if sizes[-1] < keys.size:
        rows = rows[np.argsort(keys.astype(np.min_scalar_type(sizes.size)), kind="stable")]
    groups = [Group(table, some) for some in np.split(rows, sizes[sizes > 0].cumsum()[:-1])]
    n_cells = sum(group.axes[0].size * group.axes[1].size for group in groups)
    if n_cells > max(20 * table.rows.size, _MANY_CELLS):
        where = f"{counted(len(table.present('system')), 'system')}, {counted(len(groups), 'dataset')}"
        raise refusal("nothing-in-common", where, n_scores=table.rows.size, n_cells=n_cells)
    return groups


def _missing(table: Table, rows: IntegerArray) -> Finding:
    """Say which scores are missing: as an error, or as a finding if that is allowed."""
    noun, several = ("score", "scores") if table.has("score") else ("row of counts", "rows of counts")
    number = counted(rows.size, f"{noun} is", f"{several} are")
    number += f" missing (NaN, empty, or a placeholder such as -1), of {table.rows.size:,}"
    parts = []
    for role in ("system", "dataset"):
        counts = zip(map(str, table.names[role].names), table.names[role].counts(rows).tolist(), strict=True)
        most_first = sorted([(name, n) for name, n in counts if n], key=lambda item: -item[1])
        parts.append(f"{role}s {counts_text(most_first)}")
    if table.asked.missing == "error" or rows.size == table.rows.size:
        where = f"{'; '.join(parts)}\n{rows_text(rows, table.asked.source)}"
        raise refusal("all-missing" if rows.size == table.rows.size else "missing", where, number=number)
    return notice("missing-scores", "; ".join(parts), number=number, missing=table.asked.missing)


def _refuse_repeated(table: Table) -> None:
    """Refuse several scores of one system and instance, with the first."""
    shared = table.repeated()
    if not shared.size:
        return
    keys = replace(table, rows=shared).cells(*_CELL)
    rows = shared[keys == keys[0]]
    system, dataset, metric, instance = (quoted(table.names[role].of(rows[0])) for role in _CELL)
    values = [f"{score:g}" for score in table.scores[rows[:LISTED]]] if table.has("score") else []
    where = f"{system} on {dataset}{f', metric {metric}' * table.has('metric')}, instance {instance}"
    where += f": {listed(values, total=rows.size)} " if values else " "
    number = counted(pd.unique(keys).size, "(system, dataset, instance) has", "(system, dataset, instance) have")
    raise refusal("duplicates", where + f"({rows_text(rows, table.asked.source)})", number=number, n_rows=shared.size)


# --- numbers beside the scores ----------------------------------------------------------------------------------------


def weights_and_gold(table: Table, shape: Shape) -> dict[str, NDArray[np.float64]]:
    """Return the weight (above 0) and the gold score of each row, if the design has them."""
    found = {}
    if table.has("weight") and shape != "counts":
        found["weight"] = weights = table.numbers("weight", "weight")
        wrong = ~(weights > 0)
        shown = [f"{weight:g}".replace("nan", "empty") for weight in weights[wrong]]
        table.refuse("weights", wrong, "weight", shown=listed(shown, LISTED))
    if shape == "correlation":
        if not table.has("gold"):
            columns = names_text([*map(str, table.frame.columns)])
            raise refusal("no-gold", metric=table.asked.metric, columns=columns)
        found["gold"] = table.numbers("gold", "gold score") + 0.0
        table.refuse("gold-missing", np.isnan(found["gold"]), "gold", said=table.said("gold"))
    return found


def right_answers(table: Table) -> NDArray[np.float64]:
    """Return k and n of all rows, shape (n_rows, 2), validated."""
    if not table.has("k"):
        raise refusal("no-right-answers", table.columns_text("score", "n"))
    k, n = (table.numbers(role, "count") for role in ("k", "n"))
    wrong = ~((n >= 1) & (n % 1 == 0) & (k >= 0) & (k <= n) & (k % 1 == 0))
    shown = [f"{one:g} of {all_of:g}".replace("nan", "empty") for one, all_of in zip(k[wrong], n[wrong], strict=True)]
    table.refuse("right-answers", wrong, "n", shown=listed(shown, LISTED))
    return np.stack((k, n), axis=1)
