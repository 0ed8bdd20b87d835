"""Numbers about the design of a comparison and about each of its two systems."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class SideDetails:
    """What is known of one of the two systems; None where it does not apply.

    Parameters
    ----------
    n_instances : int
        Instances, where nothing is paired.
    n_right : int
        Right answers, where only their number is known.
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
    """

    n_instances: int | None = None
    n_right: int | None = None
    n_runs: int | None = None
    sd_over_runs: float | None = None
    variance_share_runs: float | None = None
    share_of_pairs_of_runs_won: float | None = None
    cluster_robust_t_p_value: float | None = None
    mcnemar_p_value_low: float | None = None
    mcnemar_p_value_high: float | None = None
    n_only_right_most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What is known beyond scores and p-values; None where it does not apply. No name of a system occurs in it.

    Parameters
    ----------
    n_common : int
        Instances that both systems have a score for, where the pairing is not used.
    n_folds, n_repetitions : int
        Of a cross-validation.
    coefficient : str
        Which correlation with the gold score: "pearson", "spearman", "kendall".
    correlation_between_systems : float
        The same correlation between the predictions of the two.
    design_effect : float
        By how much clusters multiply the variance.
    n_ratings, fewest_ratings_per_instance, most_ratings_per_instance : int
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
        a, b = (dataclasses.replace(one, **_known(two)) for one, two in zip(self.sides, other.sides, strict=True))
        return dataclasses.replace(self, **_known(other) | {"a": a, "b": b})

    def as_dict(self) -> dict[str, Any]:
        """What is known, by name, as JSON can hold it."""
        return _known(self) | {name: found for name in ("a", "b") if (found := _known(getattr(self, name)))}


def _known(part: Details | SideDetails) -> dict[str, Any]:
    found = {item.name: getattr(part, item.name) for item in dataclasses.fields(part) if item.name not in ("a", "b")}
    return {name: value for name, value in found.items() if value is not None}


NO_DETAILS = Details()


def run_details(a: NDArray[np.float64], b: NDArray[np.float64]) -> Details:
    """Return the number of runs of each system and, of several, the standard deviation of their mean scores.

    Parameters
    ----------
    a, b : ndarray of shape (n_runs,)
        Mean score of each run of A, and of B.

    Examples
    --------
    >>> run_details(np.array([0.5, 0.7]), np.array([0.6])).as_dict()  # doctest: +ELLIPSIS
    {'a': {'n_runs': 2, 'sd_over_runs': 0.1414...}, 'b': {'n_runs': 1}}
    """
    sides = [
        SideDetails(n_runs=means.size, sd_over_runs=float(np.std(means, ddof=1)) if means.size > 1 else None)
        for means in (a, b)
    ]
    return Details(a=sides[0], b=sides[1])
