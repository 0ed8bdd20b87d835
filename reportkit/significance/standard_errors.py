"""Estimates and standard errors of a difference, by design; what clusters do to them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scipy.special import stdtr

from reportkit.scores.sample import Details, Sample, Shape
from reportkit.significance.corpus import jackknife
from reportkit.significance.entry import Effect
from reportkit.significance.interval import Estimate
from reportkit.significance.nulls import SMALLEST_P_VALUE
from reportkit.significance.proportions import newcombe_error
from reportkit.significance.tests.correlations import estimate_difference
from reportkit.significance.tests.independent_samples import estimate_superiority, estimate_unpaired
from reportkit.significance.tests.scores_of_runs import estimate_over_folds, estimate_run_means
from reportkit.significance.tests.two_way_t import estimate_two_way
from reportkit.significance.units import as_wins, estimate_mean

FEW_CLUSTERS = 10
"""With fewer, a cluster-robust t-test is printed next to the test."""


ESTIMATES: Mapping[Shape, Callable[[Any], Estimate]] = {
    "paired": estimate_mean,
    "corpus": jackknife,
    "correlation": estimate_difference,
    "runs": estimate_two_way,
    "run-scores": estimate_run_means,
    "folds": estimate_over_folds,
    "unpaired": estimate_unpaired,
    "counts": lambda sample: _of_proportions(sample),
}
"""The estimate with a t distribution of each design; of `counts`, with a normal one."""


def _of_proportions(sample: Sample) -> Estimate:
    return Estimate(
        mean=sample.value_difference, standard_error=newcombe_error(sample.right), degrees_of_freedom=math.inf
    )


def standard_error(sample: Sample, *, effect: Effect | None = None) -> float | None:
    """Return the standard error of the difference between A and B, cluster-robust if there are clusters.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    effect : {"mean", "sign"}, optional
        Of the mean difference, or of the share of wins minus the share of losses; by default the latter for ordinal
        scores and the former for all others.

    Returns
    -------
    float or None
        None if the data hold no information on the variance.
    """
    signs = effect == "sign" or (effect is None and sample.kind == "ordinal")
    if sample.shape == "paired":
        return estimate_mean(as_wins(sample) if signs else sample).standard_error
    if sample.shape == "unpaired":
        if signs:
            return estimate_superiority(sample).standard_error
        return (_of_proportions(sample) if sample.binary else estimate_unpaired(sample)).standard_error
    return ESTIMATES[sample.shape](sample).standard_error


def design_effect(sample: Sample, effect: Effect | None = None) -> float | None:
    """Return by how much clusters multiply the variance of the difference: se^2 with clusters / se^2 without.

    1 if differences within a cluster are no more alike than others; about 1 + (m - 1) r for clusters of m instances
    and an intra-cluster correlation of r. n divided by it is the number of independent instances that would say as
    much.

    Returns
    -------
    float or None
        None without clusters, and where a variance is 0 or unknown.

    Notes
    -----
    Kish (1965), "Survey Sampling", section 5.4; Miller (2024), "Adding error bars to evals", section 2.2.

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.repeat([0.5, 0.9, 0.1, 0.8], 3), b=np.zeros(12), clusters=np.repeat(range(4), 3))
    >>> round(design_effect(paired), 2)  # three times the same instance: 3 (n - 1) / n * G / (G - 1)
    3.67
    """
    if sample.clusters is None:
        return None
    clustered, naive = (standard_error(one, effect=effect) for one in (sample, replace(sample, clusters=None)))
    return None if clustered is None or naive is None else (clustered / naive) ** 2


def cluster_details(sample: Sample, effect: Effect) -> Details:
    """Return the design effect and, with fewer than ten clusters, the p-values of the cluster-robust t-test.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset, with clusters.
    effect : {"mean", "sign"}
        Whether the test is about the mean difference, or about wins and losses.
    """
    factor = design_effect(sample, effect)
    details = {} if factor is None else {"design_effect": factor}
    if sample.shape != "paired":
        return details
    estimate = estimate_mean(as_wins(sample) if effect == "sign" else sample)
    freedom, t = estimate.degrees_of_freedom, estimate.t
    if freedom + 1 >= FEW_CLUSTERS or t is None or not estimate.n_nonzero:
        return details
    p_values = {side: max(float(stdtr(freedom, value)), SMALLEST_P_VALUE) for side, value in (("a", -t), ("b", t))}
    return {**details, **{side: {"cluster_robust_t_p_value": p} for side, p in p_values.items()}}
