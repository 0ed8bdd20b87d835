"""Numbers of right answers and nothing else: k of n per system and dataset, as papers print accuracies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from reportkit.scores.choices import Missing
from reportkit.scores.shapes.block import STRICT, Block, Handling
from reportkit.scores.shapes.sample import RightOf, Sample, Shape


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DatasetCounts(Block):
    """How many instances each system got right on one dataset.

    Parameters
    ----------
    k : ndarray of int of shape (n_systems,)
        As given: numbers of right answers, or of wrong ones if lower is better.
    n : ndarray of int of shape (n_systems,)
        Instances, at least 1 and at least `k`.
    **others
        As for every `Block`; `instances` is empty.
    """

    shape: ClassVar[Shape] = "counts"
    axes: ClassVar[Mapping[str, str]] = {"k": "s", "n": "s"}

    k: NDArray[np.int64]
    n: NDArray[np.int64]

    def value(
        self, system: str, *, missing: Missing = "error", score_range: tuple[float, float] | None = None
    ) -> tuple[float, int]:
        """Proportion k / n of a system, as given, and n."""
        row = self.position(system)
        return float(self.k[row] / self.n[row]), int(self.n[row])

    def paired(self, system_a: str, system_b: str, handling: Handling = STRICT) -> Proportions:
        """Put the counts of two systems side by side.

        Raises
        ------
        UnknownNameError
            If a system does not occur.

        Examples
        --------
        >>> block = DatasetCounts(dataset="ARC-easy", metric="accuracy", systems=("s1", "s2"), kind="binary",
        ...                       instances=np.array([], dtype=object), k=np.array([1721, 1637]),
        ...                       n=np.array([2376, 2376]))
        >>> round(block.paired("s1", "s2").value_difference, 6)
        0.035354
        """
        row_a, row_b = self.position(system_a), self.position(system_b)
        counts = [int(self.k[row]) for row in (row_a, row_b)]
        sizes = [int(self.n[row]) for row in (row_a, row_b)]
        if not self.higher_is_better:
            counts = [n - k for k, n in zip(counts, sizes, strict=True)]
        return Proportions(
            **self.of_pair(system_a, system_b),
            right=RightOf(counts[0], sizes[0], counts[1], sizes[1]),
        )

    def unpaired(self, system_a: str, system_b: str) -> Proportions:
        """Put the counts of two systems side by side, which are never paired."""
        return self.paired(system_a, system_b)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Proportions(Sample):
    """Right answers of system A and of system B on one dataset; which instances they are is not known.

    Parameters
    ----------
    right : RightOf
        Numbers of right answers and of all answers; where lower is better, `right` counts what the input does not.
    **others
        As for every `Sample`.
    """

    shape: ClassVar[Shape] = "counts"

    right: RightOf

    @property
    def n(self) -> int:
        """Number of instances; of the smaller sample if the two systems have different ones."""
        return min(self.right.n_a, self.right.n_b)

    @property
    def n_a(self) -> int:
        """Number of instances of A."""
        return self.right.n_a

    @property
    def n_b(self) -> int:
        """Number of instances of B."""
        return self.right.n_b

    @property
    def independent_rights(self) -> RightOf:
        """Numbers of right answers."""
        return self.right

    @property
    def n_tables(self) -> int:
        """How many pairs of numbers of right answers there can be."""
        return (self.n_a + 1) * (self.n_b + 1)

    @property
    def value_a(self) -> float:
        """Share of right answers of A; where lower is better, minus the share of the others."""
        return self._oriented(self.right.a, self.right.n_a)

    @property
    def value_b(self) -> float:
        """The same of B."""
        return self._oriented(self.right.b, self.right.n_b)

    def _oriented(self, right: int, n: int) -> float:
        return right / n if self.higher_is_better else -((n - right) / n)

    @property
    def value_difference(self) -> float:
        """Difference of the shares of right answers, A minus B, with one rounding."""
        a, n_a, b, n_b = self.right
        return (a * n_b - b * n_a) / (n_a * n_b)

    @property
    def identical(self) -> bool:
        """Whether both systems are right everywhere, or wrong everywhere; equal counts alone say nothing of that."""
        a, n_a, b, n_b = self.right
        return (a == n_a and b == n_b) or a == b == 0
