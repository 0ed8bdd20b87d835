"""One score per run of a system, and nothing about instances: the usual table of seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DesignError
from reportkit.scores.choices import Missing
from reportkit.scores.shapes.block import STRICT, Block, Handling
from reportkit.scores.shapes.paired_scores import DatasetScores
from reportkit.scores.shapes.runs import about_runs, same_runs
from reportkit.scores.shapes.sample import Details, Sample, Shape
from reportkit.scores.shapes.unpaired import UnpairedScores

_NO_DIFFERENCE = 1e-12
"""A difference of means below this part of the largest score is 0."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DatasetRunScores(Block):
    """The scores of all runs of all systems on one dataset, for one metric; no instances are known.

    Parameters
    ----------
    scores : ndarray of shape (n_systems, n_runs)
        Oriented so that higher is better; NaN where a system has no run of that name.
    runs : tuple of str
        Names of the runs of all systems. That two systems have a run of the same name means nothing.
    **others
        As for every `Block`; `instances` is empty.
    """

    shape: ClassVar[Shape] = "run-scores"
    axes: ClassVar[Mapping[str, str]] = {"scores": "s"}

    scores: NDArray[np.float64]
    runs: tuple[str, ...]

    def row(self, system: str) -> NDArray[np.float64]:
        """Scores of the runs of one system, without those that it does not have."""
        row = self.scores[self.position(system)]
        return np.asarray(row[~np.isnan(row)])

    def runs_of(self, system: str) -> tuple[str, ...]:
        """Names of the runs of one system."""
        here = ~np.isnan(self.scores[self.position(system)])
        return tuple(name for name, present in zip(self.runs, here, strict=True) if present)

    def part(self, rows: Sequence[int], kept: NDArray[np.bool_]) -> Self:
        """Keep the systems of some rows, in this order, and the runs that one of them has."""
        found = Block.part(self, rows, kept)
        here = ~np.isnan(found.scores).all(axis=0)
        return replace(found, scores=found.scores[:, here], runs=tuple(np.array(self.runs, dtype=object)[here]))

    def hashed(self) -> str:
        """Return the names of the runs."""
        return "\x1f".join(self.runs)

    def value(
        self, system: str, *, missing: Missing = "error", score_range: tuple[float, float] | None = None
    ) -> tuple[float, int]:
        """Mean score over the runs of a system, as given, and their number."""
        row = self.row(system)
        return self.as_given(float(row.mean())) + 0.0, int(row.size)

    def matrix(self) -> DatasetScores:
        """The same as a matrix whose columns are the runs, for the checks of scores."""
        return DatasetScores(
            dataset=self.dataset,
            metric=self.metric,
            systems=self.systems,
            instances=np.array(self.runs, dtype=object),
            kind=self.kind,
            higher_is_better=self.higher_is_better,
            scores=self.scores,
        )

    def runs_by_system(self) -> list[tuple[str, tuple[str, ...]]]:
        """Names of the runs of each system."""
        return [(system, self.runs_of(system)) for system in self.systems]

    def paired(self, system_a: str, system_b: str, handling: Handling = STRICT) -> RunScores:
        """Put the runs of two systems side by side.

        Raises
        ------
        DesignError
            If both have a single run, of which no p-value exists, or if the runs are said to be fixed.
        UnknownNameError
            If a system has no scores on this dataset.
        """
        a, b = self.row(system_a), self.row(system_b)
        if handling.runs == "fixed":
            raise DesignError(
                "runs='fixed' leaves nothing to test: there is one score per run, and instances are not known",
                where=f"dataset {self.dataset!r}",
                remedy="leave it away (--runs random) to ask about the systems trained anew, or give the score of "
                "every\ninstance of every run",
            )
        if a.size == b.size == 1:
            raise DesignError(
                f"{system_a!r} and {system_b!r} have one run each: one score each says nothing about chance",
                where=f"dataset {self.dataset!r}",
                remedy="give the scores of several runs, or of the instances; or leave this dataset, or these systems, "
                "out",
            )
        return RunScores(
            **self.of_pair(system_a, system_b),
            a=np.sort(a),
            b=np.sort(b),
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RunScores(Sample):
    """Scores of the runs of system A and of system B on one dataset, oriented so that higher is better.

    Parameters
    ----------
    a : ndarray of shape (n_runs_a,)
        Scores of the runs of A, finite.
    b : ndarray of shape (n_runs_b,)
        Scores of the runs of B, finite; the runs are not paired with those of A.
    **others
        As for every `Sample`.
    """

    shape: ClassVar[Shape] = "run-scores"
    unit: ClassVar[str] = "run"

    a: NDArray[np.float64]
    b: NDArray[np.float64]

    @property
    def n(self) -> int:
        """Number of runs, of the system that has fewer."""
        return int(min(self.a.size, self.b.size))

    @property
    def value_a(self) -> float:
        """Mean score over the runs of A, oriented."""
        return float(self.a.mean())

    @property
    def value_b(self) -> float:
        """Mean score over the runs of B, oriented."""
        return float(self.b.mean())

    @property
    def value_difference(self) -> float:
        """Difference of the means; exactly 0 where only rounding noise is left."""
        difference = self.value_a - self.value_b
        largest = max(float(np.abs(self.a).max()), float(np.abs(self.b).max()))
        return difference if abs(difference) > _NO_DIFFERENCE * largest else 0.0

    @property
    def identical(self) -> bool:
        """Whether both systems have the same scores, in whatever order."""
        return same_runs(self.a, self.b)

    @property
    def constant(self) -> bool:
        """Whether the runs of neither system differ."""
        return bool((self.a == self.a[0]).all() and (self.b == self.b[0]).all())

    def unpaired(self) -> UnpairedScores:
        """The same as two independent samples."""
        return UnpairedScores(
            system_a=self.system_a,
            system_b=self.system_b,
            dataset=self.dataset,
            metric=self.metric,
            kind=self.kind,
            higher_is_better=self.higher_is_better,
            a=self.a,
            b=self.b,
        )

    @property
    def details(self) -> Details:
        """Numbers of runs, and standard deviations of the score over the runs."""
        return about_runs(self.a, self.b)
