"""`df.replic`: every method calls a public function with the frame.

Only pandas is imported: what a method needs is imported when it is called, so that registering costs nothing.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pandas as pd

from reportkit import api

if TYPE_CHECKING:
    from reportkit.checker.engine import CheckReport

_Result = TypeVar("_Result")

FEWEST_COLUMNS = 3
"""system, dataset and score, where the datasets are the sample; usually system, dataset, instance and score."""

FEWEST_SYSTEMS = 2
"""Columns of a frame without ids, in which each row is an instance."""


def _on_the_frame(function: Callable[..., _Result]) -> Callable[..., _Result]:
    """Turn a public function into a method whose source is the frame and whose columns are those of the accessor."""

    @wraps(function)
    def method(self: ReplicAccessor, *arguments: Any, **options: Any) -> _Result:
        return function(self._frame, *arguments, columns=self._columns, **options)

    signature = inspect.signature(function)
    source, *others = signature.parameters.values()
    this = source.replace(name="self", annotation=inspect.Parameter.empty)
    kept = [item for item in others if item.name != "columns" and item.kind is not item.VAR_POSITIONAL]
    method.__signature__ = signature.replace(parameters=[this, *kept])  # type: ignore[attr-defined]
    method.__doc__ = re.sub(rf"(?m)^( *)({source.name}|columns) : .*\n(?:\1 +.*\n)+", "", function.__doc__ or "")
    return method


def _called_on_the_frame(module: str, name: str, what: str) -> Callable[..., Any]:
    """Turn a public function into a method; the function is imported when it is called."""

    def method(self: ReplicAccessor, system_a: str | None = None, system_b: str | None = None, **options: Any) -> Any:
        function = getattr(importlib.import_module(f"reportkit.analysis.{module}"), name)
        return function(self._frame, system_a, system_b, columns=self._columns, **options)

    method.__name__, method.__doc__ = name, f"{what}; options are those of `reportkit.{name}`."
    return method


class ReplicAccessor:
    """Replicability analysis of a frame with one score per (system, dataset, instance).

    Holds the frame and nothing else; reads column names and types, never scores, when it is made. What `reportkit.read`
    takes is taken here: texts and decimals that are numbers, and names in the index, too.

    Parameters
    ----------
    frame : DataFrame
        In long form (`system, dataset, instance, score`; common other names are recognised), in wide form (one column
        per system), or one row per dataset with `dataset, score_a, score_b, p_value`.

    Raises
    ------
    AttributeError
        If the frame has too few columns and named levels of the index, or none that may hold numbers.

    Examples
    --------
    >>> import pandas as pd, reportkit
    >>> hasattr(pd.DataFrame({"text": ["a"]}), "replic")
    False
    >>> scores = {"model": ["new", "new", "old", "old"], "task": "cb", "id": [1, 2, 1, 2], "right": [1, 1, 1, 0]}
    >>> results = pd.DataFrame(scores).replic(score="right").read()
    >>> results.systems, results.dataset_names
    (('new', 'old'), ('cb',))
    """

    def __init__(self, frame: pd.DataFrame, columns: Mapping[str, str] | None = None) -> None:
        n_named = sum(name is not None for name in frame.index.names)
        n_scores = sum(dtype.kind not in "mM" for dtype in frame.dtypes)  # all but dates and durations
        if not n_scores or (len(frame.columns) + n_named < FEWEST_COLUMNS and n_scores < FEWEST_SYSTEMS):
            raise AttributeError(
                "replic needs the columns system, dataset, instance and score, or one column per system, and scores "
                f"are numbers; this frame has {list(frame.columns)!r}"
            )
        self._frame: Any = frame  # a frame of polars, after `register_polars`
        self._columns = dict(columns or {})

    def __call__(self, **columns: str) -> ReplicAccessor:
        """Name the columns: `df.replic(system="model", score="f1").compare(...)`.

        Parameters
        ----------
        **columns : str
            Role to column name: what plays which part, where its name does not say so.
        """
        return type(self)(self._frame, {**self._columns, **columns})

    read = _on_the_frame(api.read)
    compare = _on_the_frame(api.compare)

    calibrate = _called_on_the_frame(
        "calibration", "calibrate", "See whether the p-values of these scores can be trusted"
    )
    power = _called_on_the_frame("plan", "power", "Plan a comparison from these scores")
    reproducibility = _called_on_the_frame(
        "reproducibility", "reproducibility", "Say whether a conclusion comes out the same under another split"
    )

    def check(self, papers: str | Path | Sequence[str | Path] | None = None, **options: Any) -> CheckReport:
        """Check papers against the frame, or the frame alone; options are those of `reportkit.check`.

        Parameters
        ----------
        papers : str, Path or sequence of them, optional
            LaTeX or Markdown; what they input is read too.

        Returns
        -------
        CheckReport
        """
        from reportkit.checker.engine import check

        return check(papers, data=self._frame, columns=self._columns, **options)


if getattr(pd.DataFrame, "replic", None) is None:  # but not twice if the module is reloaded
    pd.api.extensions.register_dataframe_accessor("replic")(ReplicAccessor)


def register_polars() -> None:
    """Give frames of polars `frame.replic`; what it returns are frames of polars."""
    import polars

    def replic(frame: polars.DataFrame) -> ReplicAccessor:
        """Return the accessor of a frame of polars; see `reportkit.accessor.ReplicAccessor`.

        Raises
        ------
        AttributeError
            If the frame has too few columns, or none that may hold numbers.
        """
        accessor = ReplicAccessor(frame.to_pandas())
        accessor._frame = frame
        return accessor

    if getattr(polars.DataFrame, "replic", None) is None:  # not when it is called again
        polars.api.register_dataframe_namespace("replic")(replic)  # type: ignore[arg-type] # a function makes one, too
