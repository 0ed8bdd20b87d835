"""Two systems on one dataset, each on instances of its own: what an unpaired test sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from reportkit.scores.shapes.sample import RightOf, Sample, Shape

_NO_DIFFERENCE = 1e-12
"""A difference of means below this part of the largest score is 0."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class UnpairedScores(Sample):
    """Scores of system A and of system B, each on its own instances of one dataset, oriented so that higher is better.

    Parameters
    ----------
    a : ndarray of shape (n_a,)
        Scores of A, finite.
    b : ndarray of shape (n_b,)
        Scores of B, finite; `a[i]` and `b[i]` have nothing to do with each other.
    n_common : int
        Instances that both systems were scored on: the pairing that is not used.
    **others
        As for every `Sample`.
    """

    shape: ClassVar[Shape] = "unpaired"

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    n_common: int = 0

    @property
    def n_a(self) -> int:
        """Number of instances of A."""
        return int(self.a.size)

    @property
    def n_b(self) -> int:
        """Number of instances of B."""
        return int(self.b.size)

    @property
    def n(self) -> int:
        """Number of instances of the smaller sample."""
        return min(self.n_a, self.n_b)

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
        """Mean of A minus mean of B; exactly 0 where only rounding noise is left."""
        difference = float(np.sort(self.a).mean()) - float(np.sort(self.b).mean())
        largest = max(float(np.abs(self.a).max()), float(np.abs(self.b).max()))
        return difference if abs(difference) > _NO_DIFFERENCE * largest else 0.0

    @property
    def identical(self) -> bool:
        """Whether all scores of both systems are one and the same number."""
        return bool((self.a == self.a[0]).all() and (self.b == self.a[0]).all())

    @property
    def constant(self) -> bool:
        """Whether the scores of neither system vary."""
        return bool((self.a == self.a[0]).all() and (self.b == self.b[0]).all())

    @property
    def binary(self) -> bool:
        """Whether all scores of the two systems are right or wrong, whatever a third system has."""
        right = 1.0 if self.higher_is_better else -1.0
        return all(bool(((scores == 0) | (scores == right)).all()) for scores in (self.a, self.b))

    @property
    def right(self) -> RightOf:
        """Numbers of right answers, where scores are right or wrong."""
        right = 1.0 if self.higher_is_better else 0.0
        return RightOf(
            int(np.count_nonzero(self.a == right)), self.n_a, int(np.count_nonzero(self.b == right)), self.n_b
        )

    @property
    def independent_rights(self) -> RightOf | None:
        """Numbers of right answers, if scores are right or wrong."""
        return self.right if self.binary else None

    @property
    def unused_pairs(self) -> int:
        """Number of instances that both systems were scored on."""
        return self.n_common

    @property
    def n_tables(self) -> int:
        """How many pairs of numbers of right answers there can be."""
        return (self.n_a + 1) * (self.n_b + 1)

    def unpaired(self) -> UnpairedScores:
        """Itself: two independent samples."""
        return self

    def in_order(self) -> tuple[NDArray[np.float64], NDArray[np.float64], bool]:
        """Sorted scores of the system that comes first by name, those of the other, and whether A and B are swapped.

        What is computed from these depends neither on the order of rows nor on which of the two is called A.
        """
        a, b = np.sort(self.a) + 0.0, np.sort(self.b) + 0.0
        return (b, a, True) if self.system_b < self.system_a else (a, b, False)
