"""The long form as parallel arrays; one score of each system and instance, or an error that says what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    one_name,
    quoted,
    rows_text,
    scores_of,
)
from reportkit.scores.refusals import notice, refusal

ONLY_INSTANCE = "all"
"""Name of the one instance of each dataset where no instances are known."""

_SPARSE = 20
"""Refuse matrices of more than this many cells per score (and more than 100 million cells)."""

_MANY_CELLS = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
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
    scores : ndarray of float of shape (n_rows,)
        As given; NaN where there is none.
    rows : ndarray of int
        The rows that count.
    """

    frame: pd.DataFrame
    asked: Asked
    names: Mapping[str, Coded]
    scores: NDArray[np.float64]
    rows: NDArray[np.int64]

    def has(self, role: str) -> bool:
        """Whether the input has a column of a role."""
        return role in self.frame.columns

    def said(self, role: str) -> str:
        """Return what the input calls the column of a role."""
        return self.asked.columns.get(role, role)

    def columns_text(self, *roles: str) -> str:
        """Name the columns of some roles, for messages."""
        names = [repr(self.said(role)) for role in roles if self.has(role)]
        return ("column " if len(names) == 1 else "columns ") + listed(names)

    def rows_text(self, rows: IntegerArray) -> str:
        """Name some rows, for messages."""
        return rows_text(np.unique(rows), self.asked.source)

    def present(self, role: str) -> list[str]:
        """Return the names that occur in a column; none if there is no such column."""
        return self.names[role].present(self.rows) if role in self.names else []

    def named(self, **names: Coded | None) -> Table:
        """Exchange names of some roles; None takes them away."""
        kept = {role: coded for role, coded in self.names.items() if role not in names}
        return replace(self, names=kept | {role: coded for role, coded in names.items() if coded is not None})

    def where(self, kept: NDArray[np.bool_]) -> Table:
        """Keep some of the rows."""
        return replace(self, rows=self.rows[kept])

    def cells(self, *roles: str) -> NDArray[np.int64]:
        """Return a code of the combination of names of each row that counts, in the order of the roles."""
        found = np.zeros(self.rows.size, dtype=np.int64)
        for coded in (self.names[role] for role in roles if role in self.names):
            found = found * len(coded.names) + coded.codes[self.rows]
        return found

    def count(self, *roles: str) -> int:
        """Return the number of different combinations of names."""
        return len(pd.unique(self.cells(*roles)))

    def is_lower(self, metric: str) -> bool:
        """Whether lower is better by a metric; it may also be called by what is computed from it."""
        said = self.asked.higher_is_better
        if isinstance(said, bool):
            return not said
        asked = self.asked.metric if len(self.names["metric"].names) == 1 else None
        return not said.get(metric, said.get(asked or "", True))

    def numbers(self, role: str, what: str) -> NDArray[np.float64]:
        """Return the numbers in the column of a role, one for each row of the frame."""
        return scores_of(self.frame[role].rename(self.said(role)), source=self.asked.source, what=what)

    def refuse(self, code: str, wrong: Any, role: str = "", **values: object) -> None:
        """Raise the error of a code where something is wrong with a row, shape (n_rows,)."""
        rows = self.rows[np.asarray(wrong)[self.rows]]
        if rows.size:
            where = f"{self.columns_text(role)}, " if role else ""
            raise refusal(code, where + self.rows_text(rows), of=(rows.size, self.rows.size), **values)


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
    for role in ("system", "dataset", "metric", "instance", "seed", "cluster", "fold"):
        if role in frame:
            names[role] = code_column(frame[role], role, source=asked.source, said=asked.columns.get(role))
    scores = np.full(len(frame), np.nan)
    if "score" in frame:
        scores = scores_of(frame["score"].rename(asked.columns.get("score", "score")), source=asked.source)
    elif "k" in frame:
        k, n = (scores_of(frame[role], source=asked.source, what="count") for role in ("k", "n"))
        scores = np.divide(k, n, out=scores, where=n != 0)
    return Table(frame=frame, asked=asked, names=names, scores=scores, rows=np.arange(len(frame)))


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
    systems, instances : ndarray of int
        Codes of those that occur, in order.
    at : tuple of ndarray of int of shape (n_scores,)
        System and instance of each score, as positions among those that occur.
    """

    def __init__(self, table: Table, rows: NDArray[np.int64]) -> None:
        self.table, self.rows = table, rows
        self.metric, self.dataset = (table.names[role].of(rows[0]) for role in ("metric", "dataset"))
        self.systems, row = _places(table.names["system"], rows)
        self.instances, column = _places(table.names["instance"], rows)
        self.at = row, column

    def matrix(self, values: NDArray[np.float64], *, lower: bool = False) -> NDArray[np.float64]:
        """Lay values of all rows out, shape (n_systems, n_instances, ...); NaN where there is none, and no -0.0."""
        found = np.full((self.systems.size, self.instances.size, *values.shape[1:]), np.nan)
        found[self.at] = 0.0 - values[self.rows] if lower else values[self.rows] + 0.0
        found.flags.writeable = False
        return found

    def shared(self) -> NDArray[np.int64]:
        """Return the rows that share their place with another."""
        cells = self.at[0].astype(np.int64) * self.instances.size + self.at[1]
        counts = np.bincount(cells)
        return self.rows[counts[cells] > 1] if counts.max() > 1 else self.rows[:0]

    def per_instance(self, values: NDArray[Any], role: str) -> NDArray[Any]:
        """Return the value of each instance, which has to be the same in all of its rows.

        Raises
        ------
        InputError
            If an instance belongs to several clusters.
        ScoreValueError
            If an instance has several weights or gold scores.
        """
        columns, here, table = self.at[1], values[self.rows], self.table
        found = np.empty(self.instances.size, dtype=values.dtype)
        found[columns] = here
        differs = found[columns] != here
        if not differs.any():
            return found
        wrong = np.unique(columns[differs])
        rows = self.rows[columns == wrong[0]]
        clusters = table.names.get(role)
        shown = [f"{values[row]:.12g}" if clusters is None else quoted(clusters.of(row)) for row in rows]
        what = {"cluster": "clusters", "weight": "weights", "gold": "gold scores"}[role]
        raise refusal(
            "several-values",
            number=counted(wrong.size, "instance has", "instances have"),
            what=what,
            one=what[:-1],
            column=table.columns_text(role),
            instance=quoted(table.names["instance"].of(int(rows[0]))),
            dataset=quoted(self.dataset),
            shown=listed(list(dict.fromkeys(shown)), LISTED),
            rows=table.rows_text(rows),
        )


def groups_of(table: Table) -> list[Group]:
    """Find the place of each score, in the order of metrics and datasets.

    Raises
    ------
    MissingScoresError
        If nearly all cells would be empty: systems have hardly any instance in common.
    """
    keys = table.cells("metric", "dataset")
    order = np.argsort(keys.astype(np.min_scalar_type(int(keys.max(initial=0)))), kind="stable")
    sizes = np.bincount(keys)
    starts = np.cumsum(sizes[sizes > 0])[:-1]
    found = [Group(table, rows) for rows in np.split(table.rows[order], starts)]
    n_cells = sum(group.systems.size * group.instances.size for group in found)
    if n_cells > max(_SPARSE * table.rows.size, _MANY_CELLS):
        where = f"{counted(len(table.present('system')), 'system')}, {counted(len(found), 'dataset')}"
        raise refusal("nothing-in-common", where, n_scores=table.rows.size, n_cells=n_cells)
    return found


def _places(coded: Coded, rows: NDArray[np.int64]) -> tuple[IntegerArray, IntegerArray]:
    """Return the codes that occur in some rows, and the position of each code among them."""
    codes = coded.codes[rows]
    if len(coded.names) > 4 * codes.size:  # each of many datasets has instances of its own
        present, places = np.unique(codes, return_inverse=True)
        return present, places
    seen = np.zeros(len(coded.names), dtype=bool)
    seen[codes] = True
    return np.flatnonzero(seen), (np.cumsum(seen, dtype=np.int32) - 1)[codes]


# --- one score each --------------------------------------------------------------------------------------------------


def one_score_each(table: Table) -> tuple[list[Group], list[Finding]]:
    """Keep one score of each (system, dataset, instance), after saying what is missing or repeated.

    Parameters
    ----------
    table : Table

    Returns
    -------
    list of Group, list of Finding
        Where each score stands, and what was noticed.
    """
    findings = []
    absent = np.isnan(table.scores)
    if absent[table.rows].any():
        keys = table.cells("metric", "dataset")
        scored = np.bincount(keys, weights=~absent[table.rows]) > 0
        if scored.any():  # by a metric without a score on a dataset nothing is missing there
            table = table.where(scored[keys])
        if absent[table.rows].any():
            findings.append(_missing(table, table.rows[absent[table.rows]]))
    groups = groups_of(table)
    if (shared := _shared(groups)).size:
        dropped = shared[table.frame.iloc[shared].duplicated().to_numpy()]
        if dropped.size:
            number = counted(dropped.size, "row repeats", "rows repeat")
            findings.append(notice("duplicate-rows", rows_text(dropped, table.asked.source), number=number))
            table = table.where(~np.isin(table.rows, dropped))
            groups = groups_of(table)
        _refuse_duplicates(table, _shared(groups))
    if absent[table.rows].any():
        table = table.where(~absent[table.rows])
        groups = groups_of(table)
    return groups, findings


def _shared(groups: Sequence[Group]) -> NDArray[np.int64]:
    return np.sort(np.concatenate([group.shared() for group in groups]))


def _missing(table: Table, rows: NDArray[np.int64]) -> Finding:
    """Say which scores are missing: as an error, or as a finding if that is allowed."""
    noun, several = ("score", "scores") if table.has("score") else ("row of counts", "rows of counts")
    number = counted(rows.size, f"{noun} is", f"{several} are")
    number += f" missing (NaN, empty, or a placeholder such as -1), of {table.rows.size:,}"
    parts = []
    for role in ("system", "dataset"):
        counts = zip(map(str, table.names[role].names), table.names[role].counts(rows).tolist(), strict=True)
        most_first = sorted([(name, n) for name, n in counts if n], key=lambda item: -item[1])
        parts.append(f"{role}s {counts_text(most_first)}")
    where, everything = f"{'; '.join(parts)}\n{table.rows_text(rows)}", rows.size == table.rows.size
    if table.asked.missing == "error" or everything:
        raise refusal("all-missing" if everything else "missing", where, number=number)
    return notice("missing-scores", "; ".join(parts), number=number, missing=table.asked.missing)


def _refuse_duplicates(table: Table, shared: NDArray[np.int64]) -> None:
    """Refuse several scores of one system and instance, with the first."""
    cells: dict[tuple[str, ...], list[int]] = {}
    for row in shared.tolist():
        cell = tuple(table.names[role].of(row) for role in ("system", "dataset", "metric", "instance"))
        cells.setdefault(cell, []).append(row)
    for (system, dataset, metric, instance), rows in cells.items():
        by = f", metric {quoted(metric)}" if table.has("metric") else ""
        values = listed([f"{score:g}" for score in table.scores[rows[:LISTED]]], total=len(rows))
        raise refusal(
            "duplicates",
            number=counted(len(cells), "(system, dataset, instance) has", "(system, dataset, instance) have"),
            n_rows=shared.size,
            system=quoted(system),
            dataset=quoted(dataset),
            metric=by,
            instance=quoted(instance),
            values=f": {values}" if table.has("score") else "",
            rows=table.rows_text(np.array(rows)),
        )


def refuse_aggregates(groups: Sequence[Group]) -> None:
    """Refuse one score per system and dataset, from which no p-value within a dataset follows."""
    if all(group.instances.size == 1 for group in groups):
        datasets = counted(len({group.dataset for group in groups}), "dataset")
        raise refusal("aggregates", f"{datasets} with 1 instance each")
