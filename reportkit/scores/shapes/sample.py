"""What a test sees of one dataset: system A and system B, in one of the shapes that results come in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, get_args

from reportkit.scores.choices import Kind
from reportkit.scores.details import Details

Shape = Literal["paired", "corpus", "correlation", "runs", "run-scores", "folds", "unpaired", "counts"]
"""What there is of each system on a dataset.

| shape       | of each system                                     | sample            |
|-------------|----------------------------------------------------|-------------------|
| paired      | one score per instance, the same instances         | PairedScores      |
| corpus      | one row of counts per instance, summed by a metric | PairedStatistics  |
| correlation | one prediction per instance, beside a gold score   | PairedPredictions |
| runs        | one score per instance and run (seed)              | PairedRuns        |
| run-scores  | one score per run                                  | RunScores         |
| folds       | one score per fold of a cross-validation           | PairedFolds       |
| unpaired    | one score per instance, other instances            | UnpairedScores    |
| counts      | k right of n, and nothing else                     | Proportions       |
"""

SHAPES: tuple[Shape, ...] = get_args(Shape)


class RightOf(NamedTuple):
    """Numbers of right answers: k of n for each of two systems.

    Parameters
    ----------
    a, n_a : int
        Right answers of the first system, and all of them.
    b, n_b : int
        The same of the second.
    """

    a: int
    n_a: int
    b: int
    n_b: int

    def swapped(self) -> RightOf:
        """Return the counts of the second system against the first."""
        return RightOf(self.b, self.n_b, self.a, self.n_a)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Sample(ABC):
    """System A and system B on one dataset, oriented so that higher is better.

    Parameters
    ----------
    system_a, system_b, dataset, metric : str
        Names.
    kind : {"binary", "continuous", "ordinal", "count"}
        Kind of the scores of the whole dataset, not only of these two systems.
    higher_is_better : bool
        Direction of the metric as given.
    n_dropped : int
        Instances left out because one of the two has no score (`missing="drop"`).
    n_imputed_a, n_imputed_b : int
        Scores filled with the worst possible one (`missing="worst"`).
    """

    shape: ClassVar[Shape]
    unit: ClassVar[str] = "instance"
    """Noun for one of the `n`, in the singular."""

    system_a: str
    system_b: str
    dataset: str
    metric: str
    kind: Kind
    higher_is_better: bool = True
    n_dropped: int = 0
    n_imputed_a: int = 0
    n_imputed_b: int = 0

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of instances (runs, folds); of the smaller system if the two have different ones."""

    @property
    @abstractmethod
    def value_a(self) -> float:
        """What a table prints of A, oriented: mean score, BLEU, correlation, ..."""

    @property
    @abstractmethod
    def value_b(self) -> float:
        """What a table prints of B, oriented."""

    @property
    @abstractmethod
    def identical(self) -> bool:
        """Whether nothing distinguishes the outputs of A and B."""

    @property
    def value_difference(self) -> float:
        """A minus B; positive if A is better."""
        return self.value_a - self.value_b

    @property
    def weighted(self) -> bool:
        """Whether instances carry weights."""
        return False

    @property
    def in_percent(self) -> bool:
        """Whether values are proportions, printed in percent."""
        return self.kind == "binary"

    @property
    def n_clusters(self) -> int | None:
        """Number of clusters; None if every instance stands alone."""
        return None

    @property
    def cluster_noun(self) -> str:
        """What a cluster is: "instance" where it is the ratings of one instance."""
        return "cluster"

    @property
    def averages_runs(self) -> bool:
        """Whether each score is a mean over several runs of a system."""
        return False

    @property
    def unused_pairs(self) -> int:
        """Number of instances that both systems were scored on, where nothing is made of it."""
        return 0

    @property
    def constant(self) -> bool:
        """Whether two independent samples do not vary, neither of them."""
        return False

    @property
    def n_tables(self) -> int:
        """How many pairs of numbers of right answers two independent samples can have; 0 of other samples."""
        return 0

    @property
    def independent_rights(self) -> RightOf | None:
        """Numbers of right answers of two independent samples; None of other samples, and of other scores."""
        return None

    @property
    def details(self) -> Details:
        """Numbers about the design."""
        return Details()

    @property
    def label(self) -> str:
        """Names for messages: `A` v `B` on `dataset`."""
        return f"{self.system_a!r} v {self.system_b!r} on {self.dataset!r}"

    def as_given(self, value: float) -> float:
        """Turn an oriented value back into what the input holds."""
        return value if self.higher_is_better else -value
