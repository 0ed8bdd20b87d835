"""`frame.replic` of polars: the accessor of pandas on the same rows."""

from __future__ import annotations

import polars

from reportkit.accessor import ReplicAccessor


def replic(frame: polars.DataFrame) -> ReplicAccessor:
    """Replicability analysis of a frame of polars; see `reportkit.accessor.ReplicAccessor`.

    Raises
    ------
    AttributeError
        If the frame has too few columns, or none that may hold numbers.
    """
    return ReplicAccessor(frame.to_pandas())


if getattr(polars.DataFrame, "replic", None) is None:  # not when the module is loaded again
    polars.api.register_dataframe_namespace("replic")(replic)  # type: ignore[arg-type] # a function makes one, too
