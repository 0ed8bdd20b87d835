"""Results on re-partitions of a corpus, as columns: predictions, scores of folds, or finished estimates."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import InputError, UnknownNameError
from reportkit.language import counted, listed
from reportkit.metrics.formulas import folded
from reportkit.scores.codes import scores_of
from reportkit.scores.names import listed_in
from reportkit.scores.refusals import refusal

Form = Literal["predictions", "scores", "estimates"]

REQUIRED: Mapping[Form, tuple[str, ...]] = {
    "predictions": ("system", "replicate", "fold", "instance", "prediction", "gold"),
    "scores": ("system", "replicate", "fold", "score"),
    "estimates": ("system", "repeat", "estimator", "value"),
}
OPTIONAL = ("dataset", "repeat", "token")
ROLES = tuple(dict.fromkeys(role for roles in (*REQUIRED.values(), OPTIONAL) for role in roles))
NUMBERS = ("score", "value", "token")
"""Roles whose columns hold numbers: a value, or a position in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Resplits:
    """Columns of equal length, checked: all roles that a form needs, no value missing.

    Parameters
    ----------
    form : {"predictions", "scores", "estimates"}
        One row per prediction, per value on a fold, or per estimate from a re-partition.
    arrays : mapping of str to ndarray
        Role to column. `dataset` is always there, and `repeat` too: one value where the table has no such column.
    columns : mapping of str to str
        Role to the name of its column, of those that the table has.
    source : str
        Name of the file.
    digest : str
        SHA-256 of the content, 64 hexadecimal digits; the same for any row order.
    """

    form: Form
    arrays: Mapping[str, NDArray[Any]]
    columns: Mapping[str, str]
    source: str
    digest: str

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.arrays["system"].size)


def resplits_from_frame(
    frame: pd.DataFrame, *, columns: Mapping[str, str] | None = None, source: str = "DataFrame"
) -> Resplits:
    """Recognise the form and the columns of a table, and check that nothing is missing.

    Parameters
    ----------
    frame : DataFrame
        - Predictions: `system, replicate, fold, instance, prediction, gold`, and `token` where labels are those of
          tokens.
        - Scores: `system, replicate, fold, score`, a value of each fold.
        - Estimates: `system, repeat, estimator, value`, where something else has made them.

        In all of them `dataset`, if there are several, and `repeat`, the independent division of the corpus.
    columns : mapping of str to str, optional
        Role to column name, where names are not recognised.
    source : str
        Name of the file.

    Raises
    ------
    ColumnError
        If columns are missing, or two could play one role.
    InputError
        If a value is missing or is not a number where one is needed.

    Examples
    --------
    >>> frame = pd.DataFrame({"model": ["a", "b"], "repartition": 1, "estimator": "Avg", "estimate": [0.5, 0.25]})
    >>> resplits = resplits_from_frame(frame)
    >>> resplits.form, resplits.arrays["value"].tolist()
    ('estimates', [0.5, 0.25])
    """
    if not len(frame):
        raise InputError("the table has no rows", where=source)
    names = list(map(str, frame.columns))
    roles = _recognised(names, columns or {})
    form: Form = "estimates" if "estimator" in roles else "scores"
    if "estimator" not in roles and ({"prediction", "gold"} & roles.keys() or "score" not in roles):
        form = "predictions"
    if missing := [role for role in REQUIRED[form] if role not in roles]:
        raise refusal(
            "missing-columns",
            number="a column is" if len(missing) == 1 else "columns are",
            missing=listed(missing),
            columns=", ".join(names),
            first=missing[0],
            needed=", or ".join(", ".join(REQUIRED[each]) for each in REQUIRED),
        )
    used = {role: roles[role] for role in (*REQUIRED[form], *OPTIONAL) if role in roles}
    arrays = {"dataset": np.full(len(frame), "all", dtype=object), "repeat": np.full(len(frame), "1", dtype=object)}
    arrays |= {role: _column(frame[name], role, source) for role, name in used.items()}
    hashed = pd.util.hash_pandas_object(pd.DataFrame({role: arrays[role] for role in sorted(arrays)}), index=False)
    total = hashlib.sha256("\x1f".join(sorted(arrays)).encode("utf-8", "surrogatepass"))
    total.update(np.sort(hashed.to_numpy(dtype=np.uint64)).astype("<u8").tobytes())
    return Resplits(form=form, arrays=arrays, columns=used, source=source, digest=total.hexdigest())


def _recognised(names: list[str], declared: Mapping[str, str]) -> dict[str, str]:
    for role, name in declared.items():
        if role not in ROLES:
            raise UnknownNameError("role of a column", role, ROLES)
        if name not in names:
            raise UnknownNameError("column", name, names)
    roles = dict(declared)
    for role in [role for role in ROLES if role not in declared]:
        free = [name for name in names if name not in roles.values()]
        own = [name for name in free if folded(name) == role]
        fitting = own or [name for name in free if listed_in(name, "resplit", role)]
        if len(fitting) > 1:
            raise refusal("several-columns", columns=listed(map(repr, fitting)), role=role, first=fitting[0])
        if fitting:
            roles[role] = fitting[0]
    return roles


def _column(column: pd.Series[Any], role: str, source: str) -> NDArray[Any]:
    """Return numbers, or each name once in memory however many rows it has."""
    if column.isna().any():
        number, row = counted(int(column.isna().sum()), "value is", "values are"), int(column.isna().argmax()) + 1
        raise refusal("missing-values", number=number, column=column.name, row=row)
    if role in NUMBERS:
        return scores_of(column, source=source, what=role)
    codes, names = pd.factorize(column)
    return np.array([str(one) for one in names], dtype=object)[codes]
