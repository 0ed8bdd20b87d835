"""The table of a paper, a row for each system and a column for each dataset: turned, so that columns are systems."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from reportkit.finding import Finding
from reportkit.readers.understood import Request
from reportkit.scores.table.columns import folded, role_named
from reportkit.scores.table.row_numbers import names_text
from reportkit.scores.table.score_values import score_columns

if TYPE_CHECKING:
    import pandas as pd

_AVERAGES = frozenset({"average", "averagescore", "avg", "avgscore", "macroaverage", "macroavg", "mean", "overall"})
"""Columns that hold what can be computed from the others."""

_METRICS = frozenset(
    {"f1", "bleu", "chrf", "rougel", "em", "exactmatch", "precision", "recall", "auc", "map", "mrr", "wer", "ter"}
)
"""Names of columns that hold a metric, and no dataset."""


def with_systems_in_columns(frame: pd.DataFrame, request: Request) -> tuple[pd.DataFrame, Request, tuple[Finding, ...]]:
    """Turn a table of one row per system and one column per dataset into one row per dataset, one column per system.

    Only where the first are named, each once, and nothing but numbers stands beside them under names of their own.

    Parameters
    ----------
    frame : DataFrame
        As it was read.
    request : Request

    Returns
    -------
    DataFrame
        The same object, if it is no such table.
    Request
        Without the name of the column of systems, where that was turned.
    tuple of Finding
        What was turned, and which columns are no datasets.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"Model": ["ours", "bert"], "CoLA": [68.2, 52.1], "RTE": [86.0, 66.4], "Avg": [77, 59]})
    >>> with_systems_in_columns(frame, Request())[0]
      dataset instance  ours  bert
    0    CoLA     mean  68.2  52.1
    1     RTE     mean  86.0  66.4
    """
    untouched = frame, request, ()
    names = [str(name) for name in frame.columns]
    named = request.columns.get("system")
    of_systems = [name for name in names if name == named or (named is None and role_named(name) == "system")]
    if len(of_systems) != 1 or request.systems is not None or request.metrics or request.columns.keys() - {"system"}:
        return untouched
    others = [name for name in names if name != of_systems[0]]
    if any(role_named(name) is not None or folded(name) in _METRICS for name in others):
        return untouched
    systems = frame[of_systems[0]].astype("string")
    if systems.isna().any() or systems.duplicated().any() or any(role_named(name) is not None for name in systems):
        return untouched
    datasets = [name for name in score_columns(frame[others]) if folded(name) not in _AVERAGES]
    if len(systems) < 2 or len(datasets) < 2:
        return untouched
    turned = frame[datasets].set_axis(systems.to_numpy(dtype=object), axis="index").T
    left = [name for name in others if name not in datasets]
    note = Finding(
        "datasets-in-columns",
        "info",
        f"Each row is a system, and the columns {names_text(datasets)} were taken as the datasets."
        + (f" Left out: {names_text(left)}." if left else ""),
        remedy="if a column is no dataset, leave it out",
    )
    turned = turned.rename_axis(index="dataset", columns=None).reset_index()
    turned.insert(1, "instance", "mean")
    return turned, replace(request, columns={}), (note,)
