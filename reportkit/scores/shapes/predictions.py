"""Predictions beside a gold score: a system is as good as its predictions correlate with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import MissingScoresError, ScoreValueError
from reportkit.metrics.correlation import TITLES, Coefficient, correlation, is_constant
from reportkit.scores.choices import Missing
from reportkit.scores.shapes.block import STRICT, Block, Handling
from reportkit.scores.shapes.sample import Sample, Shape

NOISE = 1e-14
"""Differences of correlations up to this are the noise of floating-point arithmetic."""

_SAME = 1e-12
"""Relative difference up to which two predictions are the same."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DatasetPredictions(Block):
    """The predictions of all systems on one dataset, and what they should have been.

    Parameters
    ----------
    predictions : ndarray of shape (n_systems, n_instances)
        NaN where a system has none. Negated if `higher_is_better` is False: predictions are then distances, whose
        correlation with the gold score is the better the nearer it is to -1, and with the sign turned round a higher
        correlation is better here too; `as_given` turns it back.
    gold : ndarray of shape (n_instances,)
        Finite, as given, not all alike.
    coefficient : {"pearson", "spearman", "kendall"}
        Which correlation.
    **others
        As for every `Block`.
    """

    shape: ClassVar[Shape] = "correlation"
    axes: ClassVar[Mapping[str, str]] = {"predictions": "si", "gold": "i"}

    predictions: NDArray[np.float64]
    gold: NDArray[np.float64]
    coefficient: Coefficient

    def measured(self) -> NDArray[np.float64]:
        """Predictions, shape (n_systems, n_instances)."""
        return self.predictions

    @property
    def missing_remedy(self) -> str:
        """What to do where predictions are missing."""
        return (
            "complete the predictions, or compare each pair on the instances that both have: missing='drop' "
            "(--missing drop)"
        )

    def value(
        self, system: str, *, missing: Missing = "error", score_range: tuple[float, float] | None = None
    ) -> tuple[float, int]:
        """Correlation of the predictions of a system with the gold score, as given, and the number of instances.

        NaN where it does not exist, as all predictions are alike; a comparison of such a system is refused.
        """
        row = self.predictions[self.position(system)]
        there = ~np.isnan(row)
        return self.as_given(correlation(row[there], self.gold[there], self.coefficient)) + 0.0, int(there.sum())

    def paired(self, system_a: str, system_b: str, handling: Handling = STRICT) -> PairedPredictions:
        """Put the predictions of two systems side by side, on instances that both have.

        Raises
        ------
        MissingScoresError
            If a prediction is missing: there is no worst one that could stand for it.
        ScoreValueError
            If the correlation of one of the systems does not exist.
        """
        common = self.common_instances(system_a, system_b, missing=handling.missing)
        a, b = (self.predictions[self.position(system)][common.kept] for system in (system_a, system_b))
        for system, row in ((system_a, a), (system_b, b)):
            if np.isnan(row).any():
                raise MissingScoresError(
                    "missing='worst' fills missing scores with the worst one, and there is no worst prediction",
                    where=f"dataset {self.dataset!r}: {system!r} lacks {int(np.isnan(row).sum()):,} of {row.size:,} "
                    "instances",
                    remedy=self.missing_remedy,
                )
        return PairedPredictions(
            **self.of_pair(system_a, system_b),
            a=a,
            b=b,
            gold=self.gold[common.kept],
            coefficient=self.coefficient,
            clusters=self.clusters_kept(common.kept),
            n_dropped=common.n_dropped,
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedPredictions(Sample):
    """Predictions of system A and system B for the same instances of one dataset, and the gold scores of these.

    Parameters
    ----------
    a, b : ndarray of shape (n,)
        Predictions of A and of B, finite, oriented so that a higher correlation is better; neither is constant.
    gold : ndarray of shape (n,)
        Finite, not constant.
    coefficient : {"pearson", "spearman", "kendall"}
        Which correlation.
    **others
        As for every `Sample`.

    Raises
    ------
    ScoreValueError
        If predictions or gold scores are constant: the correlation does not exist.

    Examples
    --------
    >>> sample = PairedPredictions(
    ...     system_a="a", system_b="b", dataset="pairs", metric="spearman", kind="continuous", coefficient="spearman",
    ...     a=np.array([0.9, 0.4, 0.6, 0.1]), b=np.array([0.2, 0.4, 0.3, 0.1]), gold=np.array([4.0, 3.0, 2.0, 1.0]))
    >>> round(sample.value_a, 4), round(sample.value_b, 4), round(sample.value_difference, 4)
    (0.8, 0.4, 0.4)
    """

    shape: ClassVar[Shape] = "correlation"

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    gold: NDArray[np.float64]
    coefficient: Coefficient

    def __post_init__(self) -> None:
        _refuse_undefined(self)

    @property
    def n(self) -> int:
        """Number of instances."""
        return int(self.a.size)

    @property
    def value_a(self) -> float:
        """Correlation of A's predictions with the gold score, oriented."""
        return correlation(self.a, self.gold, self.coefficient)

    @property
    def value_b(self) -> float:
        """Correlation of B's predictions with the gold score, oriented."""
        return correlation(self.b, self.gold, self.coefficient)

    @property
    def between(self) -> float:
        """Correlation of A's predictions with B's."""
        return correlation(self.a, self.b, self.coefficient)

    @property
    def value_difference(self) -> float:
        """Correlation of A minus that of B, oriented; exactly 0 where only rounding noise is left."""
        difference = self.value_a - self.value_b
        return difference if abs(difference) > NOISE else 0.0

    @property
    def identical(self) -> bool:
        """Whether A and B predict the same for every instance."""
        larger = np.maximum(np.abs(self.a), np.abs(self.b))
        return bool((np.abs(self.a - self.b) <= _SAME * larger).all())


def _refuse_undefined(sample: PairedPredictions) -> None:
    for system, values in ((sample.system_a, sample.a), (sample.system_b, sample.b), ("", sample.gold)):
        if not is_constant(values, sample.coefficient):
            continue
        what = f"system {system!r} predicts" if system else "the gold score is"
        shown = sample.as_given(float(values[0])) if system else float(values[0])
        on = "the one instance" if sample.n == 1 else f"all {sample.n:,} instances"
        raise ScoreValueError(
            f"the {TITLES[sample.coefficient]} does not exist: {what} {shown:g} on {on}",
            where=sample.label,
            remedy="check that its output was scored, and was not empty; leave the system out of the comparison, or "
            "the rows\nof this dataset out of the results"
            if system
            else "leave the rows of this dataset out of the results",
        )
