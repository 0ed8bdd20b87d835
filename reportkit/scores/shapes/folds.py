"""One score per fold of a cross-validation: whose training sets overlap, so that folds are no independent instances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from reportkit.scores.choices import Missing
from reportkit.scores.shapes.block import STRICT, Block, Handling
from reportkit.scores.shapes.paired_scores import SIGNIFICANT_DIGITS, DatasetScores, paired_differences
from reportkit.scores.shapes.sample import Details, Sample, Shape


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DatasetFolds(Block):
    """The scores of all systems on the folds of a cross-validation, perhaps a repeated one.

    Parameters
    ----------
    scores : ndarray of shape (n_systems, n_repetitions, n_folds)
        Oriented so that higher is better; finite.
    **others
        As for every `Block`; `instances` is empty.
    """

    shape: ClassVar[Shape] = "folds"
    axes: ClassVar[Mapping[str, str]] = {"scores": "s"}

    scores: NDArray[np.float64]

    def hashed(self) -> str:
        """Return the shape of the scores."""
        return repr(self.scores.shape)

    def value(
        self, system: str, *, missing: Missing = "error", score_range: tuple[float, float] | None = None
    ) -> tuple[float, int]:
        """Mean score over the folds, as given, and their number."""
        scores = self.scores[self.position(system)]
        return self.as_given(float(scores.mean())) + 0.0, int(scores.size)

    def matrix(self) -> DatasetScores:
        """The same as a matrix whose columns are the folds, for the checks of scores."""
        n_repetitions, n_folds = self.scores.shape[1:]
        names = [f"{repetition}, {fold}" for repetition in range(n_repetitions) for fold in range(n_folds)]
        return DatasetScores(
            dataset=self.dataset,
            metric=self.metric,
            systems=self.systems,
            instances=np.array(names, dtype=object),
            kind=self.kind,
            higher_is_better=self.higher_is_better,
            scores=self.scores.reshape(len(self.systems), -1),
        )

    def paired(self, system_a: str, system_b: str, handling: Handling = STRICT) -> PairedFolds:
        """Put two systems side by side, fold by fold.

        Raises
        ------
        UnknownNameError
            If a system has no scores on this dataset.
        """
        return PairedFolds(
            **self.of_pair(system_a, system_b),
            a=self.scores[self.position(system_a)],
            b=self.scores[self.position(system_b)],
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedFolds(Sample):
    """Scores of system A and system B on the same folds, oriented so that higher is better.

    Parameters
    ----------
    a, b : ndarray of shape (n_repetitions, n_folds)
        Scores of A and of B, finite, fold by fold.
    **others
        As for every `Sample`.
    """

    shape: ClassVar[Shape] = "folds"
    unit: ClassVar[str] = "fold"

    a: NDArray[np.float64]
    b: NDArray[np.float64]

    @property
    def n(self) -> int:
        """Number of folds, of all repetitions."""
        return int(self.a.size)

    @property
    def n_repetitions(self) -> int:
        """How often the cross-validation was done, r."""
        return int(self.a.shape[0])

    @property
    def n_folds(self) -> int:
        """Folds of one repetition, k."""
        return int(self.a.shape[1])

    @property
    def differences(self) -> NDArray[np.float64]:
        """A minus B, shape (n_repetitions, n_folds), free of the noise of floating-point subtraction."""
        return paired_differences(self.a, self.b)

    @property
    def identical(self) -> bool:
        """Whether both systems have the same score on every fold."""
        return not bool(self.differences.any())

    @property
    def value_a(self) -> float:
        """Mean score of A, oriented."""
        return float(self.a.mean())

    @property
    def value_b(self) -> float:
        """Mean score of B, oriented."""
        return float(self.b.mean())

    @property
    def value_difference(self) -> float:
        """Mean of A minus B; exactly 0 where only rounding noise is left."""
        mean = float((self.a - self.b).mean())
        largest = max(float(np.abs(self.a).max()), float(np.abs(self.b).max()))
        return mean if abs(mean) > 10.0**-SIGNIFICANT_DIGITS * largest / self.n else 0.0

    @property
    def details(self) -> Details:
        """Folds and repetitions."""
        return Details(n_folds=self.n_folds, n_repetitions=self.n_repetitions)
