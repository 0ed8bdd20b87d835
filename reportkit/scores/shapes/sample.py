"""What a test sees of one dataset: system A and system B, in one of the shapes that results come in.

What is known beyond their scores stands in `Details`; what is computed of them once is `remembered` with them.
"""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from reportkit.scores.choices import Kind

T = TypeVar("T")

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
    own_metric : str
        Metric of this dataset, where every dataset has its own; else empty.
    weights : ndarray of shape (n,), optional
        Positive; the estimand is then the weighted mean difference.
    clusters : ndarray of int of shape (n,), optional
        Which cluster (document, dialogue, ...) an instance belongs to; None if every instance stands alone.
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
    own_metric: str = ""
    weights: NDArray[np.float64] | None = None
    clusters: NDArray[np.int64] | None = None

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
    def largest_difference(self) -> float:
        """Largest difference that the range of the metric allows; infinite where no range is known."""
        return 1.0 if self.kind == "binary" else math.inf

    @property
    def few_differ(self) -> bool:
        """Whether A and B differ on too few units for resamples of a corpus metric."""
        return False

    @property
    def beyond_half(self) -> bool:
        """Whether a corpus metric differs by more than half of its range."""
        return False

    @property
    def weighted(self) -> bool:
        """Whether instances carry weights."""
        return self.weights is not None

    @property
    def in_percent(self) -> bool:
        """Whether values are proportions, printed in percent."""
        return self.kind == "binary"

    @property
    def n_clusters(self) -> int | None:
        """Number of clusters; None if every instance stands alone."""
        return None if self.clusters is None else int(np.unique(self.clusters).size)

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
        """Names for messages: A v B on dataset."""
        return f"{self.system_a} v {self.system_b} on {self.dataset}"

    def as_given(self, value: float) -> float:
        """Turn an oriented value back into what the input holds."""
        return value if self.higher_is_better else -value


@dataclass(frozen=True, slots=True, kw_only=True)
class SideDetails:
    """What is known of one of the two systems; None where it does not apply.

    Parameters
    ----------
    n_instances : int
        Instances, where nothing is paired.
    n_right : int
        Right answers, where only their number is known.
    n_missing : int
        Scores that are missing, where their bounds are taken.
    n_runs : int
        Runs (seeds).
    sd_over_runs : float
        Standard deviation of the (mean) score over the runs.
    variance_share_runs : float
        Share of its runs in the variance of the mean difference.
    share_of_pairs_of_runs_won : float
        Share of the pairs of a run of this system and one of the other that this one wins; ties count half.
    cluster_robust_t_p_value : float
        p-value of the cluster-robust t-test for this system better, where there are few clusters.
    mcnemar_p_value_low, mcnemar_p_value_high : float
        Smallest and largest exact McNemar p-value for this system better that the numbers of right answers allow.
    n_only_right_most : int
        Largest number of instances that only this system can have got right.
    p_value_missing_against, p_value_missing_in_favour : float
        p-values for this system better with missing scores at their worst and at their best for it.
    difference_missing_against, difference_missing_in_favour : float
        Its mean score minus that of the other in the same two cases, oriented.
    """

    n_instances: int | None = None
    n_right: int | None = None
    n_missing: int | None = None
    n_runs: int | None = None
    sd_over_runs: float | None = None
    variance_share_runs: float | None = None
    share_of_pairs_of_runs_won: float | None = None
    cluster_robust_t_p_value: float | None = None
    mcnemar_p_value_low: float | None = None
    mcnemar_p_value_high: float | None = None
    n_only_right_most: int | None = None
    p_value_missing_against: float | None = None
    p_value_missing_in_favour: float | None = None
    difference_missing_against: float | None = None
    difference_missing_in_favour: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What is known beyond scores and p-values; None where it does not apply. No name of a system occurs in it.

    Parameters
    ----------
    n_common : int
        Instances that both systems have a score for, where others exist or the pairing is not used.
    n_folds, n_repetitions : int
        Of a cross-validation.
    coefficient : str
        Which correlation with the gold score: "pearson", "spearman", "kendall".
    correlation_between_systems : float
        The same correlation between the predictions of the two.
    design_effect : float
        By how much clusters multiply the variance.
    n_ratings, n_raters, fewest_ratings_per_instance, most_ratings_per_instance : int
        Where several raters scored an instance.
    variance_share_instances : float
        Share of the instances in the variance of the mean difference.
    a, b : SideDetails
        Of system A and of system B.

    Examples
    --------
    >>> details = Details(n_common=3, a=SideDetails(n_runs=2)) | Details(n_folds=10, b=SideDetails(n_runs=5))
    >>> details.n_common, details.n_folds, details.swapped().a.n_runs
    (3, 10, 5)
    >>> details.as_dict()
    {'n_common': 3, 'n_folds': 10, 'a': {'n_runs': 2}, 'b': {'n_runs': 5}}
    """

    n_common: int | None = None
    n_folds: int | None = None
    n_repetitions: int | None = None
    coefficient: str | None = None
    correlation_between_systems: float | None = None
    design_effect: float | None = None
    n_ratings: int | None = None
    n_raters: int | None = None
    fewest_ratings_per_instance: int | None = None
    most_ratings_per_instance: int | None = None
    variance_share_instances: float | None = None
    a: SideDetails = SideDetails()
    b: SideDetails = SideDetails()

    @property
    def sides(self) -> tuple[SideDetails, SideDetails]:
        """What is known of A, and of B."""
        return self.a, self.b

    def swapped(self) -> Details:
        """Return the details of B against A."""
        return self if self.a is self.b else dataclasses.replace(self, a=self.b, b=self.a)

    def __or__(self, other: Details) -> Details:
        """Put both together; where both know something, `other` has it."""
        both = {"a": _merged(self.a, other.a), "b": _merged(self.b, other.b)}
        return dataclasses.replace(self, **{**_known(other), **both})

    def as_dict(self) -> dict[str, Any]:
        """What is known, by name, as JSON can hold it; numbers that are not finite are None."""
        sides = {name: known for name in ("a", "b") if (known := _as_json(getattr(self, name)))}
        return {**_as_json(self), **sides}


def _known(part: Details | SideDetails) -> dict[str, Any]:
    found = {item.name: getattr(part, item.name) for item in fields(part)}
    return {name: value for name, value in found.items() if value is not None and not isinstance(value, SideDetails)}


def _as_json(part: Details | SideDetails) -> dict[str, Any]:
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in _known(part).items()
    }


def _merged(first: SideDetails, second: SideDetails) -> SideDetails:
    return dataclasses.replace(first, **_known(second))


def remembered(known: dict[str, Any], name: str, compute: Callable[[], T]) -> T:
    """Look something up, or compute it the first time that it is asked for.

    Parameters
    ----------
    known : dict
        What has been computed, by name; it is changed. It goes when the sample that holds it goes.
    name : str
        Always that of the same quantity, of the same type.
    compute : callable
        Without arguments.

    Examples
    --------
    >>> known = {}
    >>> remembered(known, "answer", lambda: 42), remembered(known, "answer", lambda: 0)
    (42, 42)
    """
    if name not in known:
        known[name] = compute()
    found: T = known[name]
    return found
