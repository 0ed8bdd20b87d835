"""The jackknife of a difference of two correlations with the same gold score: standard error and interval."""

from __future__ import annotations

import hashlib
import math
from collections import OrderedDict
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reportkit.intervals.interval import Interval
from reportkit.metrics.correlation.coefficients import standardised
from reportkit.metrics.correlation.leave_cluster_out import leave_cluster_out
from reportkit.metrics.correlation.leave_one_out import leave_one_out
from reportkit.metrics.correlation.midranks import ranked
from reportkit.scores.shapes.predictions import NOISE, PairedPredictions

_SAME = 1e-12
"""Standardised predictions that differ by no more are the same."""

_MOST_KEPT = 1 << 24
"""Delete-one values are kept up to this number, as every pair of systems needs those of two."""

_kept: OrderedDict[bytes, NDArray[np.float64]] = OrderedDict()


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationDifference:
    """How much better A correlates with the gold score than B, and how well that is known.

    Parameters
    ----------
    difference : float
        Correlation of A minus that of B, oriented.
    standard_error : float or None
        Jackknife standard error; None where the data cannot say.
    degrees_of_freedom : int
        Number of independent units (instances, or clusters if there are any) minus 1.
    n_differing : int
        Instances on whose rank (for Pearson: on whose standardised prediction) A and B differ.
    unknown : str
        Why there is no standard error, as a clause; empty if there is one, or if A and B never differ.
    largest_share : float
        Part of the variance that comes from leaving out the single unit which changes the difference most; 0 without a
        standard error.
    """

    difference: float
    standard_error: float | None
    degrees_of_freedom: int
    n_differing: int
    unknown: str = ""
    largest_share: float = 0.0

    @property
    def t(self) -> float | None:
        """Difference divided by its standard error; 0 if A and B never differ; None if that is unknown."""
        if self.n_differing == 0:
            return 0.0
        return None if self.standard_error is None else self.difference / self.standard_error


def estimate_difference(sample: PairedPredictions) -> CorrelationDifference:
    """Difference of two correlations and its delete-one jackknife standard error.

    With d(-j) the difference without unit j (instance, or whole cluster), G units, and m the mean of all d(-j),

        se = sqrt((G - 1) / G * sum (d(-j) - m)^2).

    Notes
    -----
    Assumes that the units are independent; needs no distribution of predictions and gold scores, and takes the
    correlation of A with B into account, as each unit is left out for both. Hinkley (1978), "Improving the jackknife
    with special reference to correlation estimation".

    Examples
    --------
    >>> sample = PairedPredictions(
    ...     system_a="a", system_b="b", dataset="pairs", metric="pearson", kind="continuous", coefficient="pearson",
    ...     a=np.array([0.9, 0.4, 0.6, 0.1]), b=np.array([0.2, 0.4, 0.3, 0.1]), gold=np.array([4.0, 3.0, 2.0, 1.0]))
    >>> estimate = estimate_difference(sample)
    >>> round(estimate.difference, 4), round(estimate.standard_error, 4), estimate.degrees_of_freedom
    (0.4437, 0.9263, 3)
    """
    n_differing = differing_instances(sample)
    units = sample.n if sample.clusters is None else int(np.unique(sample.clusters).size)
    without = _without_each(sample, sample.a) - _without_each(sample, sample.b)
    known = CorrelationDifference(
        difference=sample.value_difference if n_differing else 0.0,
        standard_error=None,
        degrees_of_freedom=units - 1,
        n_differing=n_differing,
    )
    what = "instance" if sample.clusters is None else "cluster"
    if n_differing == 0:
        return known
    if units < 2:
        return replace(known, unknown=f"there is one {what} only")
    if np.isnan(without).any():
        return replace(known, unknown=f"without one {what}, the gold score or the predictions of a system are constant")
    deviations = without - math.fsum(without) / units
    if float(np.abs(deviations).max()) <= NOISE:
        return replace(known, unknown=f"the difference is the same without each {what}")
    squares = deviations * deviations
    error = math.sqrt((units - 1) / units * math.fsum(squares))
    return replace(known, standard_error=error, largest_share=float(squares.max()) / math.fsum(squares))


def correlation_jackknife_interval(sample: PairedPredictions, confidence_level: float = 0.95) -> Interval | None:
    """Jackknife t interval for the difference of two correlations, with whole clusters if there are any.

    Parameters
    ----------
    sample : PairedPredictions
        A and B on one dataset.
    confidence_level : float
        Confidence level, in (0, 1).

    Returns
    -------
    Interval or None
        Within [-2, 2]; None if the data hold no information on the standard error, A and B in the same order included.

    Notes
    -----
    Assumes independent units. Unlike intervals on the scale of Fisher's z it keeps its coverage where predictions or
    gold scores are not normally distributed. Hinkley (1978).

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> gold = rng.normal(size=50)
    >>> sample = PairedPredictions(
    ...     system_a="a", system_b="b", dataset="pairs", metric="spearman", kind="continuous", coefficient="spearman",
    ...     a=gold + rng.normal(size=50), b=gold + 2 * rng.normal(size=50), gold=gold)
    >>> interval = correlation_jackknife_interval(sample)
    >>> interval.title, interval.low < sample.value_difference < interval.high
    ('jackknife t interval', True)
    """
    estimate = estimate_difference(sample)
    return Interval.of_t(
        estimate.difference,
        estimate.standard_error,
        estimate.degrees_of_freedom,
        confidence_level,
        title="jackknife t interval" + ("" if sample.clusters is None else " with whole clusters"),
        citation="hinkley1978improving",
        limit=2.0,
    )


def differing_instances(sample: PairedPredictions) -> int:
    """Number of instances that A and B rank (for Pearson: predict, apart from units) differently.

    0 if no gold score can tell the two systems apart.
    """
    if sample.coefficient == "pearson":
        a, b = standardised(sample.a), standardised(sample.b)
        return 0 if a is None or b is None else int(np.count_nonzero(np.abs(a - b) > _SAME))
    return int(np.count_nonzero(ranked(sample.a).midranks != ranked(sample.b).midranks))


def _without_each(sample: PairedPredictions, predictions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Correlation of one system without each unit; computed once for all pairs that the system is in."""
    digest = hashlib.blake2b(sample.coefficient.encode(), digest_size=16)
    for array in (predictions, sample.gold, np.zeros(0) if sample.clusters is None else sample.clusters):
        digest.update(array.size.to_bytes(8, "big") + np.ascontiguousarray(array).tobytes())
    key = digest.digest()
    found = _kept.get(key)
    if found is None:
        found = _kept[key] = _computed(sample, predictions)
        found.flags.writeable = False
        while len(_kept) > 1 and sum(values.size for values in _kept.values()) > _MOST_KEPT:
            _kept.popitem(last=False)
    return found


def _computed(sample: PairedPredictions, predictions: NDArray[np.float64]) -> NDArray[np.float64]:
    if sample.clusters is None:
        return leave_one_out(predictions, sample.gold, sample.coefficient)
    return leave_cluster_out(predictions, sample.gold, sample.clusters, sample.coefficient)
