"""What a user hands over as results: paths, frames of pandas in any shape, or a frame of another library."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportkit.errors import ColumnError, InputError
from reportkit.scores.table.columns import role_named

if TYPE_CHECKING:
    import pandas as pd

_STACKED = ("system", "dataset", "metric", "instance", "seed", "fold", "cluster")
"""Roles that headers may play, of which each names one column of scores."""


def as_frame(source: object, columns: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Take a frame of any library as a frame of pandas with plain columns and a name in each.

    Parameters
    ----------
    source : object
        See `frame_or_path`.
    columns : mapping of str to str, optional
        Role to column name; one may be a level of the index.
    """
    from reportkit.scores.table.score_table import require_rows, with_index

    found = frame_or_path(source)
    if isinstance(found, Path):
        raise InputError(f"{str(found)!r} is a path, not a frame", remedy="give a pandas.DataFrame")
    frame = with_index(flattened(found), columns)
    require_rows(frame)
    frame = frame.reset_index(drop=True)
    return frame.set_axis([str(name) for name in frame.columns], axis="columns")


def with_plain_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Write lists and objects in cells as texts, which can be compared."""
    nested = [
        name
        for name in frame.columns
        if frame[name].dtype == object
        and frame[name].map(lambda cell: isinstance(cell, (list, dict, set)) or hasattr(cell, "shape")).any()
    ]
    if not nested:
        return frame
    return frame.assign(**{name: frame[name].map(lambda cell: None if cell is None else str(cell)) for name in nested})


def frame_or_path(source: object) -> pd.DataFrame | Path:
    """Take a path as a path and a frame, of whatever library, as a frame of pandas.

    Parameters
    ----------
    source : object
        A str or path; a DataFrame of pandas, or a Series with named levels of its index; or an object with
        `to_pandas()` (polars, pyarrow, ...), `df()` (DuckDB), of Arrow's C stream, of the dataframe interchange
        protocol, or that narwhals knows, where it is installed. What is lazy is computed.

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
    import pandas as pd  # a path needs none of the three
    import pyarrow as pa
    from pyarrow.interchange import from_dataframe

    if isinstance(source, pd.DataFrame):
        return source
    if isinstance(source, pd.Series) and all(name is not None for name in source.index.names):
        return source.to_frame(source.name if source.name is not None else "score")
    frame: object = None
    if not isinstance(source, (pd.Series, type)):
        if hasattr(source, "to_pandas"):
            frame = source.to_pandas()
        elif type(source).__module__.startswith("dask."):
            frame = source.compute()  # type: ignore[attr-defined]
        elif hasattr(source, "__arrow_c_stream__"):
            frame = pa.table(source).to_pandas()
        elif hasattr(source, "__dataframe__"):
            frame = from_dataframe(source).to_pandas()
        elif hasattr(source, "collect") and hasattr(collected := source.collect(), "to_pandas"):
            frame = collected.to_pandas()
        else:
            frame = _by_narwhals(source)
    if isinstance(frame, pd.DataFrame):
        return frame
    name = f"{type(source).__module__}.{type(source).__qualname__}".removeprefix("builtins.")
    raise InputError(
        f"results are of the type {name}, which is neither a path nor a frame",
        remedy="give a pandas.DataFrame, compare(pandas.DataFrame(results), ...), or the path of a file",
    )


def _by_narwhals(source: object) -> object:
    """A frame of any library that narwhals knows; None without narwhals, or if it is none."""
    try:
        import narwhals.stable.v2 as nw
    except ImportError:
        return None
    try:
        known = nw.from_native(source)  # type: ignore[call-overload] # whatever it is, is what is asked
    except TypeError:
        return None
    return (known.collect() if isinstance(known, nw.LazyFrame) else known).to_pandas()


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
    columns = frame.columns
    _refuse_unnamed_index(frame)
    if columns.nlevels == 1:
        role = None if columns.name is None else role_named(str(columns.name))
        if {"system", "dataset", "instance"} & {role_named(str(name)) for name in columns}:
            return frame  # the name of the columns is what `reset_index` left of a pivot
        return _stacked(frame) if role in _STACKED and role != "system" else frame
    constant: list[Hashable] = [
        level
        for level in range(columns.nlevels)
        if role_named(str(columns.names[level])) not in _STACKED and len(columns.get_level_values(level).unique()) == 1
    ]
    if constant and len(constant) < columns.nlevels:
        frame = frame.droplevel(constant, axis="columns")
        return flattened(frame)
    roles: list[str | None] = [None if name is None else role_named(str(name)) for name in columns.names]
    held: list[Hashable] = list(columns.names)
    unnamed = [level for level, role in enumerate(roles) if role not in _STACKED]
    if len(unnamed) == 1 and columns.names[unnamed[0]] is None and "system" in roles:  # values=["accuracy", "f1"]
        frame = frame.rename_axis(columns=["metric" if name is None else str(name) for name in held])
        return _stacked(frame)
    if unnamed:
        free = iter([role for role in ("dataset", "system", "metric", "seed") if role not in roles])
        names: list[Hashable] = [
            name if role in _STACKED else next(free, "metric") for name, role in zip(held, roles, strict=True)
        ]
        raise ColumnError(
            f"the columns have {columns.nlevels} levels, and their names do not say what they are",
            where=f"the first column is {columns[0]!r}, the names are {list(columns.names)!r}",
            remedy=f"name the levels by what they hold, in their order: df.columns.names = {names!r}",
        )
    return _stacked(frame)


def _stacked(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per score; what the index counts and has no name are the instances."""
    if None in frame.index.names:
        frame = frame.rename_axis(index="instance")
    levels = list(range(frame.columns.nlevels))
    long: Any = frame.stack(levels, future_stack=True)  # noqa: PD013 - keeps what is empty, and the order
    rows: pd.DataFrame = long.rename("score").dropna().reset_index()
    return rows


def _refuse_unnamed_index(frame: pd.DataFrame) -> None:
    """A level without a name is dropped by what follows; if it may hold what no column does, it has to say so."""
    index = frame.index
    if index.nlevels == 1 or None not in index.names:
        return
    names = [*map(str, index.names), *(str(name) for name in frame.columns.names), *map(str, frame.columns)]
    roles = {role_named(name) for name in names}
    lacking = [role for role in ("dataset", "instance", "system") if role not in roles]
    if {"dataset", "instance"} <= roles:
        return
    free = iter([*lacking, "level"])
    named = [name if name is not None else next(free, "level") for name in index.names]
    raise ColumnError(
        "a level of the index has no name, and no column says what it holds",
        where=f"levels {list(index.names)!r}, the first row is {index[0]!r}",
        remedy=f"name the levels by what they hold: df.rename_axis({named!r}).reset_index()",
    )
