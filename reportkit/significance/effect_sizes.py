"""Effect sizes: how large a difference is on a scale of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri, nctdtr, ndtri, stdtrit

from reportkit.errors import DesignError, SettingsError
from reportkit.scores.sample import Sample, Shape
from reportkit.significance.corpus import unit_counts
from reportkit.significance.interval import Interval, check_level
from reportkit.significance.proportions import clopper_pearson_interval
from reportkit.significance.tango import tango_interval
from reportkit.significance.tests.mann_whitney import MANN_WHITNEY, estimate_superiority
from reportkit.significance.units import as_wins, estimate_mean, student_t_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectSize:
    """An effect size of A against B.

    Parameters
    ----------
    name : str
        In prose, such as "relative difference".
    estimate : float
        Observed value; inf where a ratio has nothing below the line.
    no_effect : float
        Value that stands for two equally good systems: 0 for a difference, 1/2 for a probability, 1 for a ratio.
        Larger values speak for A.
    interval : Interval or None
        None if the data hold no information on the variance. How B against A reads depends on the effect size
        (the negative, the complement, the inverse): compute it anew instead of calling `interval.swapped()`.

    Raises
    ------
    ValueError
        If the estimate is NaN.
    """

    name: str
    estimate: float
    no_effect: float
    interval: Interval | None

    def __post_init__(self) -> None:
        if math.isnan(self.estimate):
            raise ValueError(f"{self.name}: the estimate is NaN")


def cliffs_delta(sample: Sample, confidence_level: float = 0.95) -> EffectSize:
    """Return P(A > B) - P(A < B) for one random instance of each system, with the Brunner-Munzel interval.

    Parameters
    ----------
    sample : Sample
        Scores that can be ordered; only their order counts.
    confidence_level : float
        Confidence level, in (0, 1).

    Returns
    -------
    EffectSize
        From -1 to 1, 0 where neither is above the other more often. The interval is None with one instance of a
        system, or where the samples do not overlap or do not vary.

    Notes
    -----
    Assumes independent instances within and between the samples. Cliff (1993), "Dominance statistics: ordinal analyses
    to answer ordinal questions"; interval: Brunner and Munzel (2000). For paired scores, the share of wins minus the
    share of losses answers the question: see `probability_of_improvement`.

    Examples
    --------
    >>> import numpy as np
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="rating", kind="ordinal",
    ...                 a=np.array([3.0, 4.0, 5.0, 5.0]), b=np.array([2.0, 3.0, 4.0]))
    >>> round(cliffs_delta(sample).estimate, 4)  # 9 of 12 pairs for A, 1 against
    0.6667
    """
    return EffectSize(
        name="Cliff's delta",
        estimate=estimate_superiority(sample).mean,
        no_effect=0.0,
        interval=MANN_WHITNEY.interval.interval(sample, confidence_level, 0, (1.0, 1.0)),
    )


_LARGEST = 1e4
"""SciPy's noncentral t distribution function is NaN for t somewhat above this."""


def cohens_d(paired: Sample, confidence_level: float = 0.95) -> EffectSize | None:
    """Mean difference divided by the standard deviation of the differences, d_z, with its noncentral t interval.

    t = sqrt(n) d_z has a noncentral t distribution with n - 1 degrees of freedom and noncentrality sqrt(n) delta. The
    interval holds every delta for which the observed t is in neither tail of probability (1 - level) / 2; it excludes
    0 exactly where Student's paired t-test rejects.

    Parameters
    ----------
    paired : Sample
        A and B on one dataset, without clusters and weights.
    confidence_level : float
        Confidence level, in (0, 1).

    Returns
    -------
    EffectSize or None
        None if there is one instance only, or the difference is the same everywhere.

    Raises
    ------
    DesignError
        If the scores are ordinal, have weights, or come in clusters: the standard deviation of what would then be open.
    SettingsError
        If the level is not in (0, 1).

    Notes
    -----
    Assumes independent and normally distributed differences. d_z is not the d of two independent samples: it grows with
    the correlation of the two systems' scores, so that it compares with other paired comparisons only. Cumming and
    Finch (2001), "A primer on the understanding, use, and calculation of confidence intervals that are based on central
    and noncentral distributions".

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.3]))
    >>> effect = cohens_d(paired)
    >>> round(effect.estimate, 4), round(effect.interval.low, 4), round(effect.interval.high, 4)
    (0.9258, -0.3256, 2.0889)
    """
    if paired.clusters is not None or paired.weights is not None or paired.kind == "ordinal":
        raise DesignError(
            "Cohen's d is for measured scores of independent instances, without clusters and weights",
            where=f"dataset {paired.dataset!r}, metric {paired.metric!r}",
            remedy="report the difference in points with its interval, or the probability of improvement",
        )
    check_level(confidence_level)
    estimate = estimate_mean(paired)
    if estimate.standard_error is None:
        return None
    t, freedom = estimate.mean / estimate.standard_error, estimate.degrees_of_freedom
    outside, root = (1 - confidence_level) / 2, math.sqrt(paired.n)
    low, high = (noncentrality(abs(t), freedom, chance) / root for chance in (1 - outside, outside))
    return EffectSize(
        name="Cohen's d of paired scores",
        estimate=t / root,
        no_effect=0.0,
        interval=Interval(
            low=low if t >= 0 else -high,
            high=high if t >= 0 else -low,
            level=confidence_level,
            title="noncentral t interval",
            citation="cumming2001primer",
        ),
    )


def noncentrality(t: float, degrees_of_freedom: float, chance: float) -> float:
    """Noncentrality for which a noncentral t variable is at most t with this probability; falls as `chance` rises.

    Parameters
    ----------
    t : float
        At least 0.
    degrees_of_freedom : float
        Above 0, finite.
    chance : float
        In (0, 1).

    Examples
    --------
    >>> round(noncentrality(0.0, 5, 0.025), 6)  # at t = 0 the distribution function is that of a normal variable
    1.959964
    """
    from scipy.optimize import brentq

    def excess(shift: float) -> float:
        return float(nctdtr(degrees_of_freedom, shift, t)) - chance

    low = -float(ndtri(chance))  # P(T <= t) is at least P(T <= 0) = Phi(-shift)
    if t == 0 or excess(low) <= 0:
        return low
    if t > _LARGEST:
        return _far_noncentrality(t, degrees_of_freedom, chance)
    width = 4.0 * math.sqrt(1.0 + t * t / (2.0 * degrees_of_freedom))
    high = max(low, t) + width
    while excess(high) >= 0:
        high += width
    return float(brentq(excess, low, high, xtol=1e-10, rtol=1e-12))


def _far_noncentrality(t: float, degrees_of_freedom: float, chance: float) -> float:
    """The same for large t, where the distribution function cannot be computed.

    P(T <= t) = P(Z + shift <= t U) with U^2 = chi-squared / f: without Z, a quantile of t U; Z widens its distance from
    the median as the variance of a sum is wider, which is right where U is near normal, and else Z is negligible.
    """
    middle, far = (t * math.sqrt(float(chdtri(degrees_of_freedom, p)) / degrees_of_freedom) for p in (0.5, chance))
    return middle + math.copysign(math.hypot(far - middle, float(ndtri(chance))), far - middle)


def discordant_odds_ratio(wins: int, losses: int, confidence_level: float = 0.95) -> EffectSize | None:
    """How many times as often A alone is right as B alone is, with its exact conditional interval.

    Given the m = wins + losses instances on which exactly one system is right, the wins are binomial (m, p), and the
    odds p / (1 - p) are the conditional odds ratio of matched pairs. The interval is Clopper and Pearson's for p, on
    the scale of the odds. It excludes 1 exactly where the two-sided exact McNemar test rejects at 1 - confidence_level.

    Parameters
    ----------
    wins, losses : int
        Instances on which only A, and only B, is right.
    confidence_level : float
        Confidence level, in (0, 1).

    Returns
    -------
    EffectSize or None
        1 stands for no difference; inf without losses. None if no instance differs: nothing is then known of it.

    Raises
    ------
    SettingsError
        If a count is negative, or the level is not in (0, 1).

    Notes
    -----
    Assumes independent instances. Large ratios can come from few instances: the ratio does not say how many instances
    differ. Breslow and Day (1980), "Statistical Methods in Cancer Research, volume 1", section 5.2.

    Examples
    --------
    >>> ratio = discordant_odds_ratio(30, 14)
    >>> round(ratio.estimate, 4), round(ratio.interval.low, 4), round(ratio.interval.high, 4)
    (2.1429, 1.1018, 4.3735)
    """
    if min(wins, losses) < 0:
        raise SettingsError(f"{wins} wins and {losses} losses are no counts", remedy="give counts of at least 0")
    if wins + losses == 0:
        return None
    share = clopper_pearson_interval(wins, wins + losses, confidence_level)
    return EffectSize(
        name="odds ratio of discordant pairs",
        estimate=wins / losses if losses else math.inf,
        no_effect=1.0,
        interval=Interval(
            low=share.low / (1 - share.low),
            high=share.high / (1 - share.high) if share.high < 1 else math.inf,
            level=confidence_level,
            title="exact conditional interval",
            citation="breslow1980statistical",
        ),
    )


def probability_of_improvement(sample: Sample, confidence_level: float = 0.95) -> EffectSize:
    """Return P(A > B) + P(A = B) / 2, with its interval.

    Paired, both scores are of the same random instance; the interval is Tango's for the share of wins minus the share
    of losses, which is 2 P - 1, or with clusters or weights the t interval of it. Unpaired, the scores are of two
    independent random instances, and the interval is Brunner and Munzel's. The two answer different questions.

    Parameters
    ----------
    sample : Sample or Sample
        Scores that can be ordered; only their order counts.
    confidence_level : float
        Confidence level, in (0, 1).

    Returns
    -------
    EffectSize
        Within [0, 1], 1/2 where neither is better more often. The interval is None if the data hold no information on
        the variance.

    Notes
    -----
    A high probability says that A is better on most instances, not that it is better by much. Agarwal et al. (2021),
    "Deep reinforcement learning at the edge of the statistical precipice", for independent runs; Tango
    (1998) and Brunner and Munzel (2000) for the intervals.

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.repeat([0.9, 0.5, 0.1], [30, 56, 14]), b=np.full(100, 0.5))
    >>> effect = probability_of_improvement(paired)
    >>> round(effect.estimate, 4), round(effect.interval.low, 4), round(effect.interval.high, 4)
    (0.58, 0.5155, 0.6423)
    """
    difference, interval = _DIFFERENCES[sample.shape](sample, confidence_level)
    return EffectSize(
        name="probability of improvement",
        estimate=(1 + difference) / 2,
        no_effect=0.5,
        interval=None if interval is None else _as_probability(interval),
    )


def _of_pairs(sample: Sample, confidence_level: float) -> tuple[float, Interval | None]:
    wins = as_wins(sample)
    if wins.clusters is None and wins.weights is None:
        interval: Interval | None = tango_interval(*wins.wins_and_losses, wins.n, confidence_level)
    else:
        interval = student_t_interval(wins, confidence_level)
    return estimate_mean(wins).mean, interval


def _of_samples(sample: Sample, confidence_level: float) -> tuple[float, Interval | None]:
    return estimate_superiority(sample).mean, MANN_WHITNEY.interval.interval(sample, confidence_level, 0, (1.0, 1.0))


_DIFFERENCES: Mapping[Shape, Callable[[Any, float], tuple[float, Interval | None]]] = {
    "paired": _of_pairs,
    "unpaired": _of_samples,
}
"""The share of instances on which A is better minus that on which B is, and its interval."""


def _as_probability(interval: Interval) -> Interval:
    """From the difference of two shares to the probability, (1 + difference) / 2."""
    return replace(interval, low=max(0.0, (1 + interval.low) / 2), high=min(1.0, (1 + interval.high) / 2))


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


def relative_difference(paired: Sample, confidence_level: float = 0.95) -> EffectSize:
    """(A - B) / |B| of two mean scores, or two values of a corpus metric, with Fieller's interval; .05 is 5% better.

    With lower scores being better, it is the part by which A lowers the score of B. The interval holds every ratio rho
    of the two means for which a t test does not reject that A - rho B has mean 0, with the covariance of the two
    systems on the same instances, and G - 1 degrees of freedom of G instances (clusters). Variances and covariance of
    corpus metrics are those of the delete-one jackknife.

    Parameters
    ----------
    paired : Sample or Sample
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
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.7]))
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


def _check_scale(paired: Sample) -> None:
    if paired.kind == "ordinal":
        raise DesignError(
            "ordinal scores have no ratio",
            where=f"dataset {paired.dataset!r}, metric {paired.metric!r}",
            remedy="report the probability of improvement",
        )
    lowest = min(float(paired.a.min()), float(paired.b.min()))
    _check_signs(paired, lowest, max(float(paired.a.max()), float(paired.b.max())))


def _check_signs(paired: Sample, lowest: float, highest: float) -> None:
    where, remedy = f"dataset {paired.dataset!r}, metric {paired.metric!r}", "report the difference in points"
    if lowest < 0 < highest:
        raise DesignError(
            f"scores from {lowest:g} to {highest:g} have both signs: a ratio of means says nothing",
            where=where,
            remedy=remedy,
        )
    if paired.value_b == 0:
        raise DesignError(f"the score of {paired.system_b!r} is 0: nothing is a part of it", where=where, remedy=remedy)


def _means(paired: Sample) -> _Means:
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


def _of_corpus(paired: Sample) -> _Means:
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


def _units(paired: Sample) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
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
