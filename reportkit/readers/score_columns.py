"""A column for accuracy and one for F1, of which each dataset fills one: a column of scores and one of metrics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.readers.understood import shell
from reportkit.scores.table.columns import Columns
from reportkit.scores.table.row_numbers import names_text
from reportkit.scores.table.score_values import MISSING_SPELLINGS, score_columns


def with_metric_column(frame: pd.DataFrame, columns: Columns) -> tuple[pd.DataFrame, tuple[Finding, ...]]:
    """Put columns of scores of which each dataset fills just one into a column `score` and one `metric`.

    Only columns that are empty on all rows of some dataset count: one that is full everywhere is no half of another.

    Parameters
    ----------
    frame : DataFrame
        In long form, whether the score was recognised or not.
    columns : Columns
        What was recognised.

    Returns
    -------
    DataFrame
        The same object where columns do not complete each other.
    tuple of Finding
        What was put together.

    Examples
    --------
    >>> from reportkit.scores.table.columns import recognise_columns
    >>> frame = pd.DataFrame({"model": "a", "task": ["cb", "wic"], "id": 1, "acc": [None, 1], "f1": [0.5, None]})
    >>> with_metric_column(frame, recognise_columns(frame))[0]
      model task  id metric  score
    0     a   cb   1     f1    0.5
    1     a  wic   1    acc    1.0
    """
    names = [str(name) for name in frame.columns]
    halves = _halves(frame, names, columns)
    if halves is None:
        return frame, ()
    places, which = halves
    parts = [frame.iloc[:, place] for place in places]
    numbers = all(pd.api.types.is_numeric_dtype(part.dtype) for part in parts)
    scores: NDArray[Any] = np.full(len(frame), np.nan, dtype=float if numbers else object)
    for number, part in enumerate(parts):
        here = which == number
        scores[here] = part[here].to_numpy(dtype=scores.dtype, na_value=np.nan)
    metric = pd.Categorical.from_codes(which, categories=pd.Index([names[place] for place in places]))
    kept = frame.iloc[:, [place for place in range(len(names)) if place not in places]]
    found = [names[place] for place in places]
    note = Finding(
        "metric-by-dataset",
        "info",
        f"Each dataset has scores in one of the columns {names_text(found)}: it is compared by that metric.",
        remedy=f"for one of them alone: --metric {shell(found[0])} (in Python metric={found[0]!r})",
    )
    return kept.assign(metric=metric, score=scores), (note,)


def _halves(frame: pd.DataFrame, names: list[str], columns: Columns) -> tuple[list[int], NDArray[np.int64]] | None:
    """Places of the columns that complete each other, and which of them each row has its score in."""
    roles = columns.roles
    if columns.form != "long" or "metric" in roles or "dataset" not in roles or "score" in columns.declared:
        return None
    if columns.statistics or {"metric", "score"} & {*names}:
        return None
    score = roles.get("score")
    free = {*columns.unused, *([] if score is None else [score])}
    there = {
        place: present
        for place, name in enumerate(names)
        if name in free and not (present := _present(frame.iloc[:, place])).all() and present.any()
    }
    if len(there) < 2:
        return None
    held = {*score_columns(frame.iloc[:, [*there]])}
    column = frame.iloc[:, names.index(roles["dataset"])]
    if column.dtype == object:  # JSON may hold a list where a name belongs, which is said later
        column = column.map(str, na_action="ignore")
    codes, datasets = pd.factorize(column)
    filled = {
        place: on
        for place, present in there.items()
        if names[place] in held
        and not (on := np.bincount(codes[present & (codes >= 0)], minlength=len(datasets)) > 0).all()
    }
    if len(filled) < 2 or (score is not None and names.index(score) not in filled):
        return None
    on = np.array([*filled.values()])
    if not (on.sum(axis=0) <= 1).all():
        return None
    return [*filled], np.argmax(on, axis=0)[codes]


def _present(series: pd.Series[Any]) -> NDArray[np.bool_]:
    """Rows with something in them; a text that stands for no score is nothing."""
    present = series.notna().to_numpy()
    if pd.api.types.is_numeric_dtype(series.dtype):
        return np.asarray(present)
    blank = series.astype(str).str.strip().str.casefold().isin(MISSING_SPELLINGS).to_numpy()
    return np.asarray(present & ~blank)
