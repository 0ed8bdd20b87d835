"""All systems on one dataset, for one metric, in one of the shapes that results come in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import UnknownNameError
from reportkit.scores.choices import Kind, Missing
from reportkit.scores.shapes.sample import Shape


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Block(ABC):
    """What was measured of all systems on one dataset, oriented so that higher is better.

    Parameters
    ----------
    dataset : str
        Name of the dataset.
    metric : str
        Name of the metric; "score" if the input names none.
    systems : tuple of str
        Systems with at least one score here.
    instances : ndarray of shape (n_instances,)
        Ids of the instances, sorted; empty where none are known.
    kind : {"binary", "continuous", "ordinal", "count"}
        Detected, or declared by the user.
    higher_is_better : bool
        False if the values were negated; `as_given` undoes it.
    clusters : ndarray of int of shape (n_instances,), optional
        Codes into `cluster_names`.
    cluster_names : tuple of str
        Names of the clusters (documents, dialogues, ...).
    """

    shape: ClassVar[Shape]
    unit: ClassVar[str] = "instance"
    """Noun for one of the `instances`, in the singular."""

    dataset: str
    metric: str
    systems: tuple[str, ...]
    instances: NDArray[np.object_]
    kind: Kind
    higher_is_better: bool = True
    clusters: NDArray[np.int64] | None = None
    cluster_names: tuple[str, ...] = ()

    @property
    def n_instances(self) -> int:
        """Number of instances that at least one system was scored on."""
        return int(self.instances.size)

    @property
    def instance_names(self) -> NDArray[np.object_]:
        """Ids of the instances, each once."""
        return self.instances

    @abstractmethod
    def presence(self) -> NDArray[np.bool_]:
        """Which system has a score for which instance, shape (n_systems, n_instances)."""

    @abstractmethod
    def narrowed(self, systems: Sequence[str]) -> Self | None:
        """Keep some systems, in their order, and the instances that one of them has; None if none is here."""

    @abstractmethod
    def content(self) -> Iterator[bytes]:
        """Everything measured, for the hash of the results; names and instances are hashed beside."""

    @abstractmethod
    def value(
        self, system: str, *, missing: Missing = "error", score_range: tuple[float, float] | None = None
    ) -> tuple[float, int]:
        """What a table prints of a system, as given, over all instances that it has, and the number of these."""

    def position(self, system: str) -> int:
        """Row of a system.

        Raises
        ------
        UnknownNameError
            If it has no score here.
        """
        try:
            return self.systems.index(system)
        except ValueError:
            raise UnknownNameError("system", system, self.systems, where=f"dataset {self.dataset!r}") from None

    def as_given(self, value: float) -> float:
        """Turn an oriented value back into what the input holds."""
        return value if self.higher_is_better else -value

    def without_missing(self) -> bool:
        """Whether every system has a score for every instance."""
        return bool(self.presence().all())

    def instances_kept(self, systems: Sequence[str]) -> tuple[list[int], NDArray[np.bool_]] | None:
        """Rows of some systems, and which instances one of them has; None if none of the systems is here."""
        rows = [self.systems.index(system) for system in systems if system in self.systems]
        return (rows, np.asarray(self.presence()[rows].any(axis=0))) if rows else None
