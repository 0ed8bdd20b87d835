"""What a user hands over as results: paths, a frame of pandas, or a frame of another library."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from reportkit.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


def frame_or_path(source: object) -> pd.DataFrame | Path:
    """Take a path as a path and a frame, of whatever library, as a frame of pandas.

    Parameters
    ----------
    source : object
        A str or path; a DataFrame of pandas; or an object with `to_pandas()` (polars, pyarrow, ...), of Arrow's C
        stream or of the dataframe interchange protocol.

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
    frame: object = None
    if not isinstance(source, (pd.Series, type)):
        if hasattr(source, "to_pandas"):
            frame = source.to_pandas()
        elif hasattr(source, "__arrow_c_stream__"):
            frame = pa.table(source).to_pandas()
        elif hasattr(source, "__dataframe__"):
            frame = from_dataframe(source).to_pandas()
    if isinstance(frame, pd.DataFrame):
        return frame
    name = f"{type(source).__module__}.{type(source).__qualname__}".removeprefix("builtins.")
    raise InputError(
        f"results are of the type {name}, which is neither a path nor a frame",
        remedy="collect it first: compare(frame.collect(), ...)"
        if hasattr(source, "collect")
        else "give a pandas.DataFrame, compare(pandas.DataFrame(results), ...), or the path of a file",
    )
