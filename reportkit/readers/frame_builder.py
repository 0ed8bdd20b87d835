"""Scores of one file after the other as one long frame, without a Python object per row and column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from reportkit.errors import ReadingError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.readers.categorical import categorical


class FrameBuilder:
    """Collects scores by system and dataset.

    Examples
    --------
    >>> rows = FrameBuilder()
    >>> rows.add("ours", "cb", ["q1", "q2"], [1.0, 0.0])
    >>> rows.frame()
      system dataset instance  score
    0   ours      cb       q1    1.0
    1   ours      cb       q2    0.0
    """

    def __init__(self) -> None:
        self._codes: dict[str, dict[str, int]] = {"system": {}, "dataset": {}, "metric": {}}
        self._blocks: list[tuple[int, int, int, int]] = []
        self._instances: list[pa.Array] = []
        self._scores: list[np.ndarray] = []
        self._runs: list[pa.Array] = []
        self._clusters: list[pa.Array] = []
        self._unscored: dict[str, int] = {}

    def add(
        self,
        system: str,
        dataset: str,
        instances: Sequence[str] | NDArray[np.object_],
        scores: Sequence[float | None] | NDArray[np.float64],
        *,
        metric: str = "score",
        runs: Sequence[str] | None = None,
        clusters: Sequence[str] | None = None,
    ) -> None:
        """Add the scores of one system on one dataset by one metric, in any number of parts.

        Parameters
        ----------
        system, dataset, metric : str
        instances : sequence of str
            Ids.
        scores : sequence of float or None
            As many; what is None or NaN is not scored: it has no row, and is counted for `notes`.
        runs : sequence of str, optional
            Seed, epoch or trial of each score, where there are several.
        clusters : sequence of str, optional
            What each instance belongs to.
        """
        values = np.array(scores, dtype=float)
        known = ~np.isnan(values)
        if not known.all():
            label = f"{system} on {dataset}"
            self._unscored[label] = self._unscored.get(label, 0) + int((~known).sum())
            instances, runs, clusters = (_kept(names, known) for names in (instances, runs, clusters))
            values = values[known]
        n = len(instances)
        if not n:
            return
        names = zip(("system", "dataset", "metric"), (system, dataset, metric), strict=True)
        codes = [self._codes[role].setdefault(name, len(self._codes[role])) for role, name in names]
        self._blocks.append((codes[0], codes[1], codes[2], n))
        self._instances.append(_texts(instances))
        self._scores.append(values)
        self._runs.append(pa.nulls(n, pa.string()) if runs is None else _texts(runs))
        self._clusters.append(pa.nulls(n, pa.string()) if clusters is None else _texts(clusters))

    def __len__(self) -> int:
        return sum(block[3] for block in self._blocks)

    def notes(self) -> tuple[Finding, ...]:
        """What was not scored, and has no row."""
        if not self._unscored:
            return ()
        return (
            Finding(
                "unscored",
                "warning",
                f"{counted(sum(self._unscored.values()), 'answer')} without a score left out: not scored is not wrong.",
                where=listed([f"{label} ({n:,})" for label, n in self._unscored.items()], 5),
                remedy="compare on the instances that all systems have scores of: --missing drop",
            ),
        )

    def frame(self) -> pd.DataFrame:
        """The long frame; columns of runs, clusters and metrics are there where there are some."""
        lengths = [block[3] for block in self._blocks]
        columns: dict[str, object] = {}
        for place, role in enumerate(("system", "dataset")):
            columns[role] = self._names(role, place, lengths)
        columns["instance"] = categorical(pa.chunked_array(self._instances, type=pa.string()))
        for role, parts in (("seed", self._runs), ("cluster", self._clusters)):
            if any(part.null_count < len(part) for part in parts):
                columns[role] = categorical(pa.chunked_array(parts, type=pa.string()))
        if list(self._codes["metric"]) not in ([], ["score"]):
            columns["metric"] = self._names("metric", 2, lengths)
        columns["score"] = np.concatenate(self._scores) if self._scores else np.empty(0)
        return pd.DataFrame(columns, copy=False)

    def _names(self, role: str, place: int, lengths: Sequence[int]) -> pd.Categorical:
        codes = np.repeat(np.array([block[place] for block in self._blocks], dtype=np.int32), lengths)
        return pd.Categorical.from_codes(codes, categories=pd.Index(list(self._codes[role]), dtype=object))


def long_frame(rows: Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """Columns of equal length as a frame, texts as categoricals; columns without a value are left out."""
    return pd.DataFrame(
        {
            name: pd.Categorical(values) if any(isinstance(value, str) for value in values) else list(values)
            for name, values in rows.items()
            if any(value is not None for value in values)
        }
    )


def unscored(n: int, what: str, where: str = "", remedy: str = "") -> list[Finding]:
    """What to say of answers without a score, if there are any."""
    if not n:
        return []
    said = "1 answer has no score and is" if n == 1 else f"{n:,} answers have no score and are"
    return [
        Finding("unscored", "warning", f"{said} left out, not counted as wrong: {what}.", where=where, remedy=remedy)
    ]


def without_rows(what: str, where: str) -> ReadingError:
    """What to say of files of a format in which there is nothing to compare."""
    return ReadingError(f"no {what} is left to compare", where=where, remedy="check that the evaluation was finished")


def _texts(names: Sequence[str | None] | NDArray[np.object_]) -> pa.Array:
    """Names as Arrow holds them: a lone half of a surrogate pair, which UTF-8 does not have, is written as in JSON."""
    try:
        return pa.array(names, type=pa.string())
    except UnicodeEncodeError:
        texts = [None if name is None else name.encode("utf-8", "backslashreplace").decode("utf-8") for name in names]
        return pa.array(texts, type=pa.string())


def _kept(names: Sequence[str] | NDArray[np.object_] | None, known: NDArray[np.bool_]) -> Any:
    return None if names is None else [name for name, there in zip(names, known, strict=True) if there]
