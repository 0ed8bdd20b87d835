"""What a user hands over as results: paths, frames of pandas, or a frame of another library."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportkit.scores.names import strength
from reportkit.scores.refusals import refusal

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
        raise refusal("path-for-frame", path=str(frame))
    if frame.columns.nlevels > 1:
        names = list(frame.columns.names)
        raise refusal("column-levels", n=frame.columns.nlevels, first=frame.columns[0], names=names)
    if frame.index.nlevels > 1 and None in frame.index.names:
        raise refusal("index-levels", names=list(frame.index.names), first=frame.index[0])
    names = list(map(str, frame.columns))
    levels = [name for name in frame.index.names if name is not None and str(name) not in names]
    roles = [role for role in ("system", "dataset", "instance") if not any(strength(name, role) for name in names)]
    if any(str(one) in (columns or {}).values() or any(strength(str(one), role) for role in roles) for one in levels):
        frame = frame.reset_index(level=levels)
    names = list(map(str, frame.columns))
    if len(frame) == 0:
        raise refusal("empty-frame", columns=", ".join(map(repr, names[:20])) or "none")
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
    raise refusal("no-frame", type=name)
