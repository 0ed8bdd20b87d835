"""Estimates of a difference, with their standard errors, by the design of the scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from reportkit.scores.sample import Sample, Shape
from reportkit.significance.corpus import jackknife
from reportkit.significance.entry import Effect
from reportkit.significance.interval import Estimate, Interval
from reportkit.significance.proportions import newcombe_error
from reportkit.significance.skewness import is_skewed
from reportkit.significance.tests.bootstrap_t import bootstrap_t_interval
from reportkit.significance.tests.corrected_resampled_t import estimate_over_folds
from reportkit.significance.tests.correlation_jackknife_t import estimate_difference
from reportkit.significance.tests.mann_whitney import estimate_superiority
from reportkit.significance.tests.two_way_t import estimate_two_way
from reportkit.significance.tests.welch import estimate_unpaired
from reportkit.significance.tests.welch_seeds import estimate_run_means
from reportkit.significance.units import as_wins, estimate_mean, student_t_interval

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
    signs = effect == "sign" or sample.kind == "ordinal"
    if sample.shape == "paired":
        signs = effect == "sign" or (effect is None and sample.kind == "ordinal")
        return estimate_mean(as_wins(sample) if signs else sample).standard_error
    if sample.shape == "unpaired":
        if signs:
            return estimate_superiority(sample).standard_error
        return (_of_proportions(sample) if sample.binary else estimate_unpaired(sample)).standard_error
    return ESTIMATES[sample.shape](sample).standard_error


def mean_interval(paired: Sample, confidence_level: float = 0.95, seed: int = 0) -> Interval | None:
    """Return the interval of a mean that stands beside no test: bootstrap-t where it is skewed, else Student's t."""
    if is_skewed(paired):
        return bootstrap_t_interval(paired, confidence_level, seed)
    return student_t_interval(paired, confidence_level)
