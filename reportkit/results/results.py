"""What was measured: one validated matrix of scores per dataset, oriented, in an order that no row order changes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.results.kinds import Kind


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DatasetScores:
    """The scores of all systems on one dataset, for one metric.

    Parameters
    ----------
    dataset : str
        Name of the dataset.
    metric : str
        Name of the metric; "score" if the input names none.
    systems : tuple of str
        Systems with at least one score here, in the order of the rows of `scores`.
    instances : ndarray of shape (n_instances,)
        Ids of the instances, sorted.
    scores : ndarray of shape (n_systems, n_instances)
        Oriented so that higher is better; NaN where a system has no score.
    kind : {"binary", "continuous", "ordinal", "count"}
        Detected, or declared by the user.
    higher_is_better : bool
        False if the scores were negated; `as_given` undoes it.
    clusters : ndarray of int of shape (n_instances,), optional
        Codes into `cluster_names`.
    cluster_names : tuple of str
        Names of the clusters (documents, dialogues, ...).
    weights : ndarray of shape (n_instances,), optional
        Weight of each instance, the same for all systems.
    """

    dataset: str
    metric: str
    systems: tuple[str, ...]
    instances: NDArray[np.object_]
    scores: NDArray[np.float64]
    kind: Kind
    higher_is_better: bool = True
    clusters: NDArray[np.int64] | None = None
    cluster_names: tuple[str, ...] = ()
    weights: NDArray[np.float64] | None = None

    @property
    def n_instances(self) -> int:
        """Number of instances that at least one system was scored on."""
        return int(self.scores.shape[1])

    def row(self, system: str) -> NDArray[np.float64]:
        """Scores of one system, shape (n_instances,), NaN where it has none."""
        try:
            row = self.systems.index(system)
        except ValueError:
            raise UnknownNameError("system", system, self.systems, where=f"dataset {self.dataset!r}") from None
        return np.asarray(self.scores[row])

    def as_given(self, score: float) -> float:
        """Turn an oriented score or mean back into what the input holds."""
        return score if self.higher_is_better else -score

    def without_missing(self) -> bool:
        """Whether every system has a score for every instance."""
        return not bool(np.isnan(self.scores).any())


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Results:
    """Everything that was measured, ready to be compared.

    Parameters
    ----------
    datasets : tuple of DatasetScores
        One per (metric, dataset), sorted.
    columns : dict of str to str
        Role to column name in the input: {"system": "model", ...}.
    unused_columns : tuple of str
        Columns of the input that play no role.
    n_rows : int
        Rows of the input.
    findings : tuple of Finding
        What ingestion noticed.
    source : str
        Name of the file or "DataFrame".
    """

    datasets: tuple[DatasetScores, ...]
    columns: dict[str, str] = field(default_factory=dict)
    unused_columns: tuple[str, ...] = ()
    n_rows: int = 0
    findings: tuple[Finding, ...] = ()
    source: str = "DataFrame"

    def __iter__(self) -> Iterator[DatasetScores]:
        return iter(self.datasets)

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, each once, in order."""
        return tuple(dict.fromkeys(system for block in self.datasets for system in block.systems))

    @property
    def metrics(self) -> tuple[str, ...]:
        """All metrics, each once, in order."""
        return tuple(dict.fromkeys(block.metric for block in self.datasets))

    @property
    def dataset_names(self) -> tuple[str, ...]:
        """All datasets, each once, in order."""
        return tuple(dict.fromkeys(block.dataset for block in self.datasets))

    def select(
        self, *, metric: str | None = None, datasets: Iterable[str] | None = None, systems: Iterable[str] | None = None
    ) -> Results:
        """Keep one metric, some datasets, or some systems.

        Raises
        ------
        UnknownNameError
            If a name does not occur.
        SettingsError
            If nothing is left.
        """
        blocks = list(self.datasets)
        if metric is not None:
            _known("metric", [metric], self.metrics)
            blocks = [block for block in blocks if block.metric == metric]
        if datasets is not None:
            wanted = list(datasets)
            _known("dataset", wanted, self.dataset_names)
            blocks = [block for name in wanted for block in blocks if block.dataset == name]
        if systems is not None:
            kept = list(dict.fromkeys(systems))
            _known("system", kept, self.systems)
            blocks = [narrowed for block in blocks if (narrowed := _narrow(block, kept)) is not None]
        if not blocks:
            raise SettingsError(
                "no scores are left after the selection", remedy="select other systems, datasets or metrics"
            )
        return replace(self, datasets=tuple(blocks))

    def digest(self) -> str:
        """SHA-256 of names and scores, 64 hexadecimal digits; the same for any row order and any file format."""
        total = hashlib.sha256()
        for block in self.datasets:
            header = [block.metric, block.dataset, block.kind, str(block.higher_is_better), *block.systems]
            total.update("\x1f".join(header).encode())
            total.update("\x1f".join(map(str, block.instances)).encode())
            total.update(np.ascontiguousarray(block.scores).tobytes())
            if block.clusters is not None:
                total.update(block.clusters.tobytes())
            if block.weights is not None:
                total.update(block.weights.tobytes())
        return total.hexdigest()


def _known(kind: str, names: Iterable[str], known: tuple[str, ...]) -> None:
    for name in names:
        if name not in known:
            raise UnknownNameError(kind, name, known)


def _narrow(block: DatasetScores, systems: list[str]) -> DatasetScores | None:
    rows = [block.systems.index(system) for system in systems if system in block.systems]
    if not rows:
        return None
    scores = block.scores[rows]
    seen = ~np.isnan(scores).all(axis=0)
    return replace(
        block,
        systems=tuple(block.systems[row] for row in rows),
        instances=block.instances[seen],
        scores=scores[:, seen],
        clusters=None if block.clusters is None else block.clusters[seen],
        weights=None if block.weights is None else block.weights[seen],
    )
