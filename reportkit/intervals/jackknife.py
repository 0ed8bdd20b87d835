"""The jackknife of a function of sums: what the metric would be without one instance, or without one cluster."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reportkit.intervals.corpus_units import unit_counts
from reportkit.intervals.interval import Interval
from reportkit.scores.shapes.paired_statistics import PairedStatistics

Floats = NDArray[np.float64]

_NO_VARIANCE = 1e-12
"""Deviations below this part of the largest value of the metric are the noise of floating-point arithmetic."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Jackknife:
    """Delete-one values of the difference of a metric between A and B.

    Parameters
    ----------
    difference : float
        Observed, oriented.
    left_out : ndarray of shape (n_units,)
        The difference without each unit; NaN where the metric is then undefined.
    scale : float
        Largest absolute value of the metric of A and B: what differences are compared with.
    """

    difference: float
    left_out: Floats
    scale: float

    @property
    def n_units(self) -> int:
        """Number of instances, or of clusters."""
        return int(self.left_out.size)

    @property
    def degrees_of_freedom(self) -> int:
        """One less than the units."""
        return self.n_units - 1

    @property
    def deviations(self) -> Floats:
        """Mean of the delete-one values minus each of them: positive where a unit speaks for A."""
        return np.asarray(self.left_out.mean() - self.left_out)

    @property
    def standard_error(self) -> float | None:
        """sqrt((n - 1) / n sum (d_(-j) - mean)^2); None if it is 0, undefined, or if there is one unit only."""
        n = self.n_units
        if n < 2 or not np.isfinite(self.left_out).all():
            return None
        deviations = self.deviations
        if float(np.abs(deviations).max()) <= _NO_VARIANCE * max(self.scale, abs(self.difference)) / n:
            return None
        return math.sqrt((n - 1) / n * float(np.square(deviations).sum()))

    @property
    def acceleration(self) -> float:
        """Acceleration sum u^3 / (6 (sum u^2)^(3/2)) of the deviations u; 0 if all are 0 or one is undefined."""
        u = self.deviations
        squares = float(np.square(u).sum())
        if not math.isfinite(squares) or squares == 0:
            return 0.0
        return float((u**3).sum()) / (6.0 * math.pow(squares, 1.5))


def jackknife(paired: PairedStatistics) -> Jackknife:
    """Compute the difference without each instance (each cluster, if there are any), from the column sums.

    Notes
    -----
    Efron and Tibshirani (1993), "An Introduction to the Bootstrap", chapter 11. The metric has to be smooth: one unit
    of many changes it little.

    Examples
    --------
    >>> from reportkit.metrics.corpus.proportions import ACCURACY
    >>> a, b = np.array([[9.0, 10.0], [7.0, 10.0], [8.0, 10.0]]), np.array([[8.0, 10.0], [7.0, 10.0], [5.0, 10.0]])
    >>> paired = PairedStatistics(system_a="a", system_b="b", dataset="cb", metric="Accuracy", kind="continuous",
    ...                           a=a, b=b, measure=ACCURACY)
    >>> result = jackknife(paired)  # the same as s / sqrt(n) of the differences .1, 0, .3
    >>> round(result.standard_error, 6), round(float(np.std([0.1, 0.0, 0.3], ddof=1) / np.sqrt(3)), 6)
    (0.088192, 0.088192)
    """
    a, b = unit_counts(paired)
    value = paired.measure.oriented
    left_out = value(a.sum(axis=0) - a) - value(b.sum(axis=0) - b)
    return Jackknife(
        difference=paired.value_difference,
        left_out=left_out,
        scale=max(abs(paired.value_a), abs(paired.value_b)),
    )


def jackknife_t_interval(paired: PairedStatistics, confidence_level: float = 0.95) -> Interval | None:
    """Student's t interval with the jackknife standard error, n - 1 degrees of freedom (clusters: G - 1).

    Returns
    -------
    Interval or None
        None if the jackknife finds no variance, or the metric is undefined without one of the instances.
    """
    result = jackknife(paired)
    return Interval.of_t(
        result.difference,
        result.standard_error,
        result.degrees_of_freedom,
        confidence_level,
        title="jackknife t interval",
        citation="efron1993introduction",
    )


def jackknife_standard_error(paired: PairedStatistics) -> float | None:
    """Jackknife standard error of the difference; None if the data hold no information on it."""
    kept, key = paired.companions.kept, ("jackknife", paired.system_a, paired.system_b, paired.clusters is None)
    if key not in kept:
        kept[key] = jackknife(paired).standard_error
    found: float | None = kept[key]
    return found


def corpus_design_effect(paired: PairedStatistics) -> float | None:
    """By how much clusters multiply the variance of the difference: jackknife se^2 with clusters / se^2 without.

    Returns
    -------
    float or None
        None without clusters, and where one of the variances is unknown.

    Examples
    --------
    >>> from reportkit.metrics.corpus.proportions import ACCURACY
    >>> a, b = np.array([[9.0, 10.0], [7.0, 10.0], [8.0, 10.0]]), np.array([[8.0, 10.0], [7.0, 10.0], [5.0, 10.0]])
    >>> paired = PairedStatistics(system_a="a", system_b="b", dataset="cb", metric="Accuracy", kind="continuous",
    ...                           a=np.repeat(a, 4, axis=0), b=np.repeat(b, 4, axis=0), measure=ACCURACY,
    ...                           clusters=np.repeat([0, 1, 2], 4))
    >>> round(corpus_design_effect(paired), 6)  # four times the same: 4 (n - 1) / n * G / (G - 1)
    5.5
    """
    if paired.clusters is None:
        return None
    clustered, naive = (jackknife_standard_error(one) for one in (paired, replace(paired, clusters=None)))
    return None if clustered is None or naive is None else (clustered / naive) ** 2
