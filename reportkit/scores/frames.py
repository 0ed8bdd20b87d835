"""What a user hands over as results: paths, frames of pandas in any shape, or a frame of another library."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportkit.errors import ColumnError, InputError
from reportkit.scores.names import strength

if TYPE_CHECKING:
    import pandas as pd

_STACKED = ("dataset", "instance", "metric", "seed", "fold", "cluster", "system")
"""Roles that headers may play, where each header names one column of scores."""


def _role(name: object) -> str | None:
    """Return the role that the name of a column or level speaks for most, of several the first."""
    best = max(_STACKED, key=lambda role: strength(str(name), role))
    return best if name is not None and strength(str(name), best) else None


def as_frame(source: object, columns: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Take a frame of any library as a frame of pandas with plain columns and a name in each.

    Parameters
    ----------
    source : object
        See `frame_or_path`.
    columns : mapping of str to str, optional
        Role to column name; one may be a level of the index.
    """
    found = frame_or_path(source)
    if isinstance(found, Path):
        raise InputError(f"{str(found)!r} is a path, not a frame", remedy="give a pandas.DataFrame")
    frame = flattened(found)
    names = list(map(str, frame.columns))
    levels = [name for name in frame.index.names if name is not None and str(name) not in names]
    lacking = {"system", "dataset", "instance"} - set(map(_role, names))
    if any(str(name) in (columns or {}).values() or _role(name) in lacking for name in levels):
        frame = frame.reset_index(level=levels)
    names = list(map(str, frame.columns))
    if len(frame) == 0:
        raise InputError(
            "the frame has no rows",
            where="columns: " + (", ".join(map(repr, names[:20])) or "none"),
            remedy="check the selection that made it",
        )
    return frame.reset_index(drop=True).set_axis(names, axis="columns")


def frame_or_path(source: object) -> pd.DataFrame | Path:
    """Take a path as a path and a frame, of whatever library, as a frame of pandas.

    Parameters
    ----------
    source : object
        A str or path; a DataFrame of pandas, or a Series with named levels of its index; or an object with
        `to_pandas()` (polars, pyarrow, ...), of Dask, or of Arrow's C stream (DuckDB, ...).

    Raises
    ------
    InputError
        If it is nothing of these; the message says what to write.

    Examples
    --------
    >>> frame_or_path("results.csv").name
    'results.csv'
    >>> import pyarrow
    >>> frame_or_path(pyarrow.table({"system": ["a", "b"], "score": [0.5, 1.0]}))
      system  score
    0      a    0.5
    1      b    1.0
    """
    if isinstance(source, (str, os.PathLike)):
        return Path(source)
    import pandas as pd  # a path needs neither of the two
    import pyarrow as pa

    if isinstance(source, pd.DataFrame):
        return source
    if isinstance(source, pd.Series) and all(name is not None for name in source.index.names):
        return source.to_frame(source.name if source.name is not None else "score")
    given: Any = None if isinstance(source, (pd.Series, type)) else source
    if type(given).__module__.startswith("dask."):
        frame = given.compute()
    elif type(given).__name__ == "LazyFrame":
        frame = given.collect().to_pandas()
    elif hasattr(given, "to_pandas"):
        frame = given.to_pandas()
    else:
        frame = pa.table(given).to_pandas() if hasattr(given, "__arrow_c_stream__") else None
    if isinstance(frame, pd.DataFrame):
        return frame
    name = f"{type(source).__module__}.{type(source).__qualname__}".removeprefix("builtins.")
    raise InputError(
        f"results are of the type {name}, which is neither a path nor a frame",
        remedy="give a pandas.DataFrame, compare(pandas.DataFrame(results), ...), or the path of a file",
    )


def flattened(frame: pd.DataFrame) -> pd.DataFrame:
    """Turn a pivot into the long form, where its levels have names that say what they are.

    Parameters
    ----------
    frame : DataFrame
        Any.

    Returns
    -------
    DataFrame
        The same object, if its columns are no pivot.

    Raises
    ------
    ColumnError
        If columns of several levels, or levels of the index, do not say what they are; the message holds the line
        that does.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"system": list("abab"), "dataset": ["cb", "cb", "wic", "wic"], "id": 1, "score": 0.5})
    >>> flattened(frame.pivot(index="id", columns=["dataset", "system"], values="score"))
       id dataset system  score
    0   1      cb      a    0.5
    1   1      cb      b    0.5
    2   1     wic      a    0.5
    3   1     wic      b    0.5
    """
    columns, index = frame.columns, frame.index
    every = {*map(_role, [*index.names, *columns.names, *columns])}
    if index.nlevels > 1 and None in index.names and not {"dataset", "instance"} <= every:
        names = _completed(index.names, [one for one in ("dataset", "instance", "system") if one not in every], "level")
        raise ColumnError(
            "a level of the index has no name, and no column says what it holds",
            where=f"levels {list(index.names)!r}, the first row is {index[0]!r}",
            remedy=f"name the levels by what they hold: df.rename_axis({names!r}).reset_index()",
        )
    roles = [_role(name) for name in columns.names]
    if columns.nlevels == 1:
        named = {"system", "dataset", "instance"} & {*map(_role, columns)}  # what `reset_index` left of a pivot
        return frame if named or roles[0] in (None, "system") else _stacked(frame)
    constant: list[Hashable] = [
        level for level, role in enumerate(roles) if role is None and len(columns.get_level_values(level).unique()) == 1
    ]
    if constant and len(constant) < columns.nlevels:
        return flattened(frame.droplevel(constant, axis="columns"))
    if roles.count(None) == 1 and columns.names[roles.index(None)] is None and "system" in roles:
        return _stacked(frame.rename_axis(columns=_completed(columns.names, ["metric"], "metric")))
    if None in roles:
        said = [name if role else None for name, role in zip(columns.names, roles, strict=True)]
        names = _completed(said, [one for one in ("dataset", "system", "metric", "seed") if one not in roles], "metric")
        raise ColumnError(
            f"the columns have {columns.nlevels} levels, and their names do not say what they are",
            where=f"the first column is {columns[0]!r}, the names are {list(columns.names)!r}",
            remedy=f"name the levels by what they hold, in their order: df.columns.names = {names!r}",
        )
    return _stacked(frame)


def _completed(names: Any, free: list[str], last: str) -> list[Any]:
    """Give each level without a name the next free role."""
    left = iter(free)
    return [name if name is not None else next(left, last) for name in names]


def _stacked(frame: pd.DataFrame) -> pd.DataFrame:
    """Return one row per score; what the index counts and has no name are the instances."""
    if None in frame.index.names:
        frame = frame.rename_axis(index="instance")
    levels = list(range(frame.columns.nlevels))
    long: Any = frame.stack(levels, future_stack=True)  # noqa: PD013 - keeps what is empty, and the order
    rows: pd.DataFrame = long.rename("score").dropna().reset_index()
    return rows
