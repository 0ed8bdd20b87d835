"""Effect sizes: how large a difference is on a scale of its own."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from reportkit.errors import DesignError
from reportkit.scores.sample import Sample
from reportkit.significance.corpus import unit_counts
from reportkit.significance.interval import Interval, check_level
from reportkit.significance.proportions import clopper_pearson_interval
from reportkit.significance.tango import tango_interval
from reportkit.significance.tests.mann_whitney import MANN_WHITNEY, estimate_superiority
from reportkit.significance.units import as_wins, estimate_mean, student_t_interval

Floats = NDArray[np.float64]


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
    """

    name: str
    estimate: float
    no_effect: float
    interval: Interval | None


def discordant_odds_ratio(wins: int, losses: int, confidence_level: float = 0.95) -> EffectSize | None:
    """Return how many times as often A alone is right as B alone is, with its exact conditional interval.

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
        If the level is not in (0, 1).

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
    sample : Sample
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
    ...                       a=np.repeat([0.9, 0.5, 0.1], [30, 56, 14]), b=np.full(100, 0.5))
    >>> effect = probability_of_improvement(paired)
    >>> round(effect.estimate, 4), round(effect.interval.low, 4), round(effect.interval.high, 4)
    (0.58, 0.5155, 0.6423)
    """
    if sample.shape == "unpaired":
        difference = estimate_superiority(sample).mean
        interval = MANN_WHITNEY.interval.interval(sample, confidence_level, 0, (1.0, 1.0))
    else:
        wins = as_wins(sample)
        difference, plain = estimate_mean(wins).mean, wins.clusters is None and wins.weights is None
        tango = tango_interval(*wins.wins_and_losses, wins.n, confidence_level) if plain else None
        interval = tango or student_t_interval(wins, confidence_level)
    if interval is not None:  # from a difference of two shares to a probability
        interval = replace(interval, low=max(0.0, (1 + interval.low) / 2), high=min(1.0, (1 + interval.high) / 2))
    return EffectSize(
        name="probability of improvement", estimate=(1 + difference) / 2, no_effect=0.5, interval=interval
    )


_NO_VARIANCE = 1e-12
"""Deviations below this part of the largest score are the noise of floating-point arithmetic."""


def relative_difference(paired: Sample, confidence_level: float = 0.95) -> EffectSize:
    """Return (A - B) / |B| of two mean scores or values of a corpus metric, with Fieller's interval; .05 is 5% better.

    With lower scores being better, it is the part by which A lowers the score of B. The interval holds every ratio rho
    of the two means for which a t test does not reject that A - rho B has mean 0, with the covariance of the two
    systems on the same instances, and G - 1 degrees of freedom of G instances (clusters). Variances and covariance are
    those of the delete-one jackknife; of plain means these are the usual ones.

    Parameters
    ----------
    paired : Sample
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
    ...                       a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.7]))
    >>> effect = relative_difference(paired)
    >>> round(effect.estimate, 4), round(effect.interval.low, 4), round(effect.interval.high, 4)
    (0.16, -0.0341, 0.7575)
    """
    check_level(confidence_level)
    if paired.kind == "ordinal":
        raise DesignError(
            "ordinal scores have no ratio",
            where=f"dataset {paired.dataset!r}, metric {paired.metric!r}",
            remedy="report the probability of improvement",
        )
    _check_signs(paired)
    a, b, left_a, left_b = _left_out(paired)
    interval, n = None, left_a.size
    varies = left_a - a / b * left_b  # what makes the ratio uncertain
    if n > 1 and np.isfinite(varies).all() and float(np.ptp(varies)) > _NO_VARIANCE * max(abs(a), abs(b)) / n:
        left_a, left_b = (left - math.fsum(left) / n for left in (left_a, left_b))
        var_a, var_b, both = ((n - 1) / n * math.fsum(terms) for terms in (left_a**2, left_b**2, left_a * left_b))
        t = float(stdtrit(n - 1, 0.5 + confidence_level / 2))
        ratios = _fieller(b * b - t * t * var_b, a * b - t * t * both, a * a - t * t * var_a)
        low, high = sorted(math.copysign(1.0, b) * (ratio - 1.0) for ratio in ratios)
        interval = Interval(
            low=low, high=high, level=confidence_level, title="Fieller interval", citation="fieller1954some"
        )
    estimate = math.copysign(1.0, b) * (a / b - 1.0) + 0.0
    return EffectSize(name="relative difference", estimate=estimate, no_effect=0.0, interval=interval)


def _check_signs(paired: Sample) -> None:
    where, remedy = f"dataset {paired.dataset!r}, metric {paired.metric!r}", "report the difference in points"
    values = np.array([paired.value_a, paired.value_b])
    if paired.shape == "paired":
        values = np.concatenate((paired.a, paired.b))
    if values.min() < 0 < values.max():
        raise DesignError(
            f"scores from {values.min():g} to {values.max():g} have both signs: a ratio of means says nothing",
            where=where,
            remedy=remedy,
        )
    if paired.value_b == 0:
        raise DesignError(f"the score of {paired.system_b!r} is 0: nothing is a part of it", where=where, remedy=remedy)


def _left_out(paired: Sample) -> tuple[float, float, Floats, Floats]:
    """Return the values of A and B, and those without each unit, from sums that no order of rows changes."""
    if paired.shape == "corpus":
        a, b = unit_counts(paired)
        value = paired.measure.oriented
        left = value(a.sum(axis=0) - a), value(b.sum(axis=0) - b)
        return paired.value_a, paired.value_b, *left
    sizes = np.ones(paired.n) if paired.weights is None else paired.weights
    columns = [paired.a * sizes, paired.b * sizes, sizes]
    if paired.clusters is not None:
        order = np.lexsort((*columns, paired.clusters))
        _, codes = np.unique(paired.clusters[order], return_inverse=True)
        columns = [np.asarray(np.bincount(codes, weights=values[order]), np.float64) for values in columns]
    total_a, total_b, total = map(math.fsum, columns)
    a, b, sizes = columns
    with np.errstate(divide="ignore", invalid="ignore"):
        return total_a / total, total_b / total, (total_a - a) / (total - sizes), (total_b - b) / (total - sizes)


def _fieller(square: float, middle: float, constant: float) -> tuple[float, float]:
    """Return the ends of the ratios r with square r^2 - 2 middle r + constant <= 0; all numbers if b may be 0."""
    if square <= 0:
        return -math.inf, math.inf
    root = math.sqrt(max(middle * middle - square * constant, 0.0))
    return (middle - root) / square, (middle + root) / square
