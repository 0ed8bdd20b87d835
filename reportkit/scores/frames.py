"""What a user hands over as results: paths, frames of pandas, or a frame of another library."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportkit.errors import ColumnError, InputError
from reportkit.scores.names import strength

if TYPE_CHECKING:
    import pandas as pd


def as_frame(source: object, columns: Mapping[str, str] | None = None) -> pd.DataFrame:
    """Take a frame of any library as a frame of pandas with plain columns and a name in each.

    Parameters
    ----------
    source : object
        See `frame_or_path`.
    columns : mapping of str to str, optional
        Role to column name; one may be a level of the index.

    Raises
    ------
    ColumnError
        If columns have several levels, or a level of the index has no name; the message holds the line that mends it.
    """
    frame = frame_or_path(source)
    if isinstance(frame, Path):
        raise InputError(f"{str(frame)!r} is a path, not a frame", remedy="give a pandas.DataFrame")
    if frame.columns.nlevels > 1:
        raise ColumnError(
            f"the columns have {frame.columns.nlevels} levels",
            where=f"the first column is {frame.columns[0]!r}, the names are {list(frame.columns.names)!r}",
            remedy="give one row per score, by levels named as what they hold, as with df.rename_axis("
            "index='instance', columns=['dataset', 'system']).stack([0, 1]).rename('score').reset_index()",
        )
    if frame.index.nlevels > 1 and None in frame.index.names:
        raise ColumnError(
            "a level of the index has no name",
            where=f"levels {list(frame.index.names)!r}, the first row is {frame.index[0]!r}",
            remedy="name the levels by what they hold: df.rename_axis(['dataset', 'instance']).reset_index()",
        )
    names = list(map(str, frame.columns))
    levels = [name for name in frame.index.names if name is not None and str(name) not in names]
    roles = [role for role in ("system", "dataset", "instance") if not any(strength(name, role) for name in names)]
    if any(str(one) in (columns or {}).values() or any(strength(str(one), role) for role in roles) for one in levels):
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
