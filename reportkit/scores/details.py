"""Numbers about the design of a comparison and about each of its two systems."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Details = Mapping[str, Any]
"""What is known beyond scores and p-values, by name, as JSON can hold it; no name of a system occurs in it.

- n_common: instances that both systems have a score for, where the pairing is not used.
- n_folds, n_repetitions: of a cross-validation.
- coefficient: which correlation with the gold score; correlation_between_systems: the same between the predictions.
- design_effect: by how much clusters multiply the variance.
- n_ratings, fewest_ratings_per_instance, most_ratings_per_instance: where several raters scored an instance.
- variance_share_instances: share of the instances in the variance of the mean difference.
- a, b: of system A and of system B, by name: n_instances, where nothing is paired; n_right, where only the number of
  right answers is known; n_runs, sd_over_runs, variance_share_runs, share_of_pairs_of_runs_won of several runs;
  cluster_robust_t_p_value, where there are few clusters; mcnemar_p_value_low, mcnemar_p_value_high and
  n_only_right_most: what the numbers of right answers allow.
"""


def joined_details(one: Details, other: Details) -> Details:
    """Put both together; where both know something, `other` has it.

    Examples
    --------
    >>> joined_details({"n_common": 3, "a": {"n_runs": 2}}, {"n_folds": 10, "b": {"n_runs": 5}})
    {'n_common': 3, 'n_folds': 10, 'a': {'n_runs': 2}, 'b': {'n_runs': 5}}
    """
    sides = {side: {**one.get(side, {}), **other.get(side, {})} for side in ("a", "b")}
    own = {name: value for name, value in {**one, **other}.items() if name not in sides}
    return own | {side: known for side, known in sides.items() if known}


def swapped_details(details: Details) -> Details:
    """Return the details of B against A."""
    sides = {side: details[other] for side, other in (("a", "b"), ("b", "a")) if other in details}
    return {name: value for name, value in details.items() if name not in ("a", "b")} | sides


def run_details(a: NDArray[np.float64], b: NDArray[np.float64]) -> Details:
    """Return the number of runs of each system and, of several, the standard deviation of their mean scores.

    Parameters
    ----------
    a, b : ndarray of shape (n_runs,)
        Mean score of each run of A, and of B.

    Examples
    --------
    >>> run_details(np.array([0.5, 0.7]), np.array([0.6]))  # doctest: +ELLIPSIS
    {'a': {'n_runs': 2, 'sd_over_runs': 0.1414...}, 'b': {'n_runs': 1}}
    """
    deviations = [{"sd_over_runs": float(np.std(means, ddof=1))} if means.size > 1 else {} for means in (a, b)]
    return {"a": {"n_runs": a.size} | deviations[0], "b": {"n_runs": b.size} | deviations[1]}
