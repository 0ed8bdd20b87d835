"""By which part of B's score A is better: a ratio of two means of the same instances."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from reportkit.errors import DesignError
from reportkit.intervals.corpus_units import unit_counts
from reportkit.intervals.effect_sizes.effect_size import EffectSize
from reportkit.intervals.interval import Interval, check_level
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.paired_statistics import PairedStatistics
from reportkit.scores.shapes.sample import Shape

_NO_VARIANCE = 1e-12
"""Deviations below this part of the largest score are the noise of floating-point arithmetic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Means:
    """Two means, their variances and covariance, and the number of independent units."""

    a: float
    b: float
    var_a: float
    var_b: float
    covariance: float
    n_units: int
    known: bool


def relative_difference(paired: PairedScores | PairedStatistics, confidence_level: float = 0.95) -> EffectSize:
    """(A - B) / |B| of two mean scores, or two values of a corpus metric, with Fieller's interval; .05 is 5% better.

    With lower scores being better, it is the part by which A lowers the score of B. The interval holds every ratio rho
    of the two means for which a t test does not reject that A - rho B has mean 0, with the covariance of the two
    systems on the same instances, and G - 1 degrees of freedom of G instances (clusters). Variances and covariance of
    corpus metrics are those of the delete-one jackknife.

    Parameters
    ----------
    paired : PairedScores or PairedStatistics
        Scores with a natural zero, all of one sign; or sufficient statistics of a metric with a natural zero.
    confidence_level : float
        Confidence level, in (0, 1).

    Returns
    -------
    EffectSize
        The interval is from -inf to inf where the mean of B is not distinguishable from 0 at this level, and None if
        the data hold no information on the variance.

    Raises
    ------
    DesignError
        If the scores are ordinal, have both signs, or B's are all 0: they cannot be divided.
    SettingsError
        If the level is not in (0, 1).

    Notes
    -----
    Assumes independent units and means that are approximately normally distributed. Fieller (1954), "Some problems in
    interval estimation".

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.7]))
    >>> effect = relative_difference(paired)
    >>> round(effect.estimate, 4), round(effect.interval.low, 4), round(effect.interval.high, 4)
    (0.16, -0.0341, 0.7575)
    """
    check_level(confidence_level)
    means = _MEANS[paired.shape](paired)
    sign = math.copysign(1.0, means.b)
    interval = None
    if means.known:
        low, high = _fieller(means, float(stdtrit(means.n_units - 1, 0.5 + confidence_level / 2)))
        ends = sorted((sign * (low - 1.0), sign * (high - 1.0)))
        interval = Interval(
            low=ends[0], high=ends[1], level=confidence_level, title="Fieller interval", citation="fieller1954some"
        )
    return EffectSize(
        name="relative difference",
        estimate=sign * (means.a / means.b - 1.0) + 0.0,
        no_effect=0.0,
        interval=interval,
    )


def _check_scale(paired: PairedScores) -> None:
    if paired.kind == "ordinal":
        raise DesignError(
            "ordinal scores have no ratio",
            where=f"dataset {paired.dataset!r}, metric {paired.metric!r}",
            remedy="report the probability of improvement",
        )
    lowest = min(float(paired.a.min()), float(paired.b.min()))
    _check_signs(paired, lowest, max(float(paired.a.max()), float(paired.b.max())))


def _check_signs(paired: PairedScores | PairedStatistics, lowest: float, highest: float) -> None:
    where, remedy = f"dataset {paired.dataset!r}, metric {paired.metric!r}", "report the difference in points"
    if lowest < 0 < highest:
        raise DesignError(
            f"scores from {lowest:g} to {highest:g} have both signs: a ratio of means says nothing",
            where=where,
            remedy=remedy,
        )
    if paired.value_b == 0:
        raise DesignError(f"the score of {paired.system_b!r} is 0: nothing is a part of it", where=where, remedy=remedy)


def _means(paired: PairedScores) -> _Means:
    """Means, variances and covariance, from sums that no order of rows changes."""
    _check_scale(paired)
    a, b, sizes = _units(paired)
    total, n = math.fsum(sizes), sizes.size
    mean_a, mean_b = math.fsum(a) / total, math.fsum(b) / total
    left_a, left_b = a - sizes * mean_a, b - sizes * mean_b
    factor = n / (n - 1) / total**2 if n > 1 else 0.0
    ratio_left = left_a - mean_a / mean_b * left_b  # what makes the ratio uncertain
    scale = max(float(np.abs(a).max()), float(np.abs(b).max()))
    return _Means(
        a=mean_a,
        b=mean_b,
        var_a=factor * math.fsum(left_a * left_a),
        var_b=factor * math.fsum(left_b * left_b),
        covariance=factor * math.fsum(left_a * left_b),
        n_units=n,
        known=n > 1 and float(np.abs(ratio_left).max()) > _NO_VARIANCE * scale,
    )


def _of_corpus(paired: PairedStatistics) -> _Means:
    """Two values of a metric, and the jackknife variances and covariance; unknown where one cannot be computed."""
    _check_signs(paired, min(paired.value_a, paired.value_b), max(paired.value_a, paired.value_b))
    a, b = unit_counts(paired)
    value, n = paired.measure.oriented, len(a)
    left_a, left_b = value(a.sum(axis=0) - a), value(b.sum(axis=0) - b)
    known = n > 1 and bool(np.isfinite(left_a).all() and np.isfinite(left_b).all())
    left_a, left_b = (left - math.fsum(left) / n if known else np.zeros(n) for left in (left_a, left_b))
    factor, ratio = (n - 1) / n, paired.value_a / paired.value_b
    scale = max(abs(paired.value_a), abs(paired.value_b)) / n
    return _Means(
        a=paired.value_a,
        b=paired.value_b,
        var_a=factor * math.fsum(left_a * left_a),
        var_b=factor * math.fsum(left_b * left_b),
        covariance=factor * math.fsum(left_a * left_b),
        n_units=n,
        known=known and float(np.abs(left_a - ratio * left_b).max()) > _NO_VARIANCE * scale,
    )


_MEANS: Mapping[Shape, Callable[[Any], _Means]] = {"paired": _means, "corpus": _of_corpus}


def _units(paired: PairedScores) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """(Weighted) sums of A and of B over each independent unit, and the sizes of the units."""
    weights = np.ones(paired.n) if paired.weights is None else paired.weights
    a, b = paired.a * weights, paired.b * weights
    if paired.clusters is None:
        return a, b, weights
    order = np.lexsort((weights, b, a, paired.clusters))
    _, codes = np.unique(paired.clusters[order], return_inverse=True)
    sums = [np.asarray(np.bincount(codes, weights=values[order]), dtype=np.float64) for values in (a, b, weights)]
    return sums[0], sums[1], sums[2]


def _fieller(means: _Means, t: float) -> tuple[float, float]:
    """Ratios rho with |a - rho b| <= t sqrt(var_a - 2 rho covariance + rho^2 var_b); all numbers if b may be 0."""
    square = means.b**2 - t * t * means.var_b
    if square <= 0:
        return -math.inf, math.inf
    middle = means.a * means.b - t * t * means.covariance
    constant = means.a**2 - t * t * means.var_a
    root = math.sqrt(max(middle * middle - square * constant, 0.0))
    return (middle - root) / square, (middle + root) / square
