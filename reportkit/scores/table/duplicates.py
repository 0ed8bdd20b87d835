"""One score per (system, dataset, instance): repeated rows are dropped loudly, different scores are an error."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import DuplicateScoresError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.table.columns import Columns, choice_text
from reportkit.scores.table.row_numbers import quoted, rows_text
from reportkit.scores.table.score_table import ScoreTable, column
from reportkit.scores.table.score_values import numeric_columns

_EXAMPLES = 3


def shared_cells(table: ScoreTable) -> NDArray[np.int64]:
    """Entries that share (system, dataset, instance, metric) with another, cell by cell, in order of rows."""
    cells = table.index.cells()
    counts = np.bincount(cells, minlength=table.index.n_cells)
    entries = np.flatnonzero(counts[cells] > 1)
    return entries[np.argsort(cells[entries], kind="stable")]


def without_repeated_rows(
    table: ScoreTable, shared: NDArray[np.int64], frame: pd.DataFrame, source: str
) -> tuple[ScoreTable, Finding | None]:
    """Leave out rows that repeat another row in all columns.

    Parameters
    ----------
    table : ScoreTable
        All scores.
    shared : ndarray of int
        Entries that share a cell.
    frame : DataFrame
        The input.
    source : str
        Name of the file or "DataFrame".

    Returns
    -------
    table : ScoreTable
        Without the repetitions.
    finding : Finding or None
        How many there were.
    """
    rows = np.unique(table.rows_of(shared))
    candidates = frame.iloc[rows]
    try:
        repeated = candidates.duplicated(keep="first").to_numpy()
    except TypeError:  # cells that cannot be hashed: lists
        repeated = candidates.astype(str).duplicated(keep="first").to_numpy()
    if not repeated.any():
        return table, None
    dropped = rows[repeated]
    kept = ~np.isin(table.rows_of(np.arange(len(table))), dropped)
    finding = Finding(
        "duplicate-rows",
        "warning",
        counted(dropped.size, "row repeats", "rows repeat") + " another row in every column; one of each was kept.",
        where=rows_text(dropped, source),
        remedy="find out where the repetition comes from; remove these rows",
    )
    return table.where(kept), finding


def refuse_duplicates(
    table: ScoreTable, shared: NDArray[np.int64], frame: pd.DataFrame, columns: Columns, source: str
) -> None:
    """Raise a DuplicateScoresError for entries that share a cell; say which column tells them apart, if one does."""
    cells: dict[tuple[int, ...], list[int]] = {}
    for entry, key in zip(shared.tolist(), _keys(table, shared).tolist(), strict=True):
        cells.setdefault(tuple(key), []).append(entry)
    in_order = sorted(cells.values(), key=lambda entries: int(table.rows_of(np.array(entries)).min()))
    examples = [_example(table, np.array(entries)) for entries in in_order[:_EXAMPLES]]
    key_names = "(system, dataset, instance)" if columns.form == "long" else "(dataset, instance)"
    rows = np.unique(table.rows_of(shared))
    first = np.unique(table.rows_of(np.array(in_order[0])))
    n_cells = len(in_order) if columns.form == "long" else len({key[:2] for key in cells})
    raise DuplicateScoresError(
        counted(n_cells, f"{key_names} has", f"{key_names} have") + f" several scores, {rows.size:,} rows in all",
        where="\n".join(examples) + f"\nthe first in {rows_text(first, source)}",
        remedy=_remedy(frame, columns, _telling(frame, columns, table, shared)),
    )


def _example(table: ScoreTable, entries: NDArray[np.int64]) -> str:
    first = int(entries[0])
    named = [
        f"{quoted(table.system.names[table.system.codes[first]])} on",
        f"{quoted(table.dataset.names[table.dataset.codes[first]])},",
    ]
    if table.metric is not None:
        named.append(f"metric {quoted(table.metric.names[table.metric.codes[first]])},")
    named.append(f"instance {quoted(table.instance.names[table.instance.codes[first]])}:")
    return (
        " ".join(named)
        + " "
        + listed([f"{score:g}" for score in table.scores[entries[:_EXAMPLES]]], total=entries.size)
    )


def _keys(table: ScoreTable, entries: NDArray[np.int64]) -> NDArray[np.int64]:
    coded = [table.dataset, table.instance, table.system] + ([table.metric] if table.metric is not None else [])
    return np.column_stack([one.codes[entries].astype(np.int64) for one in coded])


def _telling(frame: pd.DataFrame, columns: Columns, table: ScoreTable, shared: NDArray[np.int64]) -> list[str]:
    """Unused columns with a value of its own for each of the scores that share a cell, those of fewest values first.

    Of what is read in parts, unused columns are not read at all.
    """
    rows = table.rows_of(shared)
    key = pd.DataFrame(_keys(table, shared)).groupby(list(range(3 + (table.metric is not None))), sort=False).ngroup()
    found: list[tuple[int, str]] = []
    read = {str(label) for label in frame.columns}
    for name in columns.unused:
        if name not in read:
            continue
        values = np.array([str(value) for value in column(frame, name).iloc[rows]], dtype=object)
        pairs = pd.DataFrame({"key": key.to_numpy(), "value": pd.factorize(values)[0]})
        if not pairs.duplicated().any():
            found.append((pairs["value"].nunique(), name))
    return [name for _, name in sorted(found)]


def _remedy(frame: pd.DataFrame, columns: Columns, telling: Sequence[str]) -> str:
    if columns.form == "wide":
        text = "in wide form each instance of a dataset has one row: give ids that tell the instances apart"
        numeric = numeric_columns(frame)
        words = [name for name in columns.unused if name not in numeric]
        if words:
            text += (
                f";\nif column {words[0]!r} names the systems, this is long form: pass "
                f'system="{words[0]}" and\nscore="..." (--system-column {words[0]} --score-column ...)'
            )
        return text
    if not telling:
        return "keep one score of each, or give ids that tell the instances apart"
    runs, raters, metric, dataset = (choice_text(role, telling[0]) for role in ("seed", "rater", "metric", "dataset"))
    return (
        f"these rows differ in column {telling[0]!r}; if it names datasets, pass {dataset};\n"
        f"if it numbers runs or repetitions, {runs}; if it numbers raters, {raters}; "
        f"if it names what is measured, {metric}"
    )
