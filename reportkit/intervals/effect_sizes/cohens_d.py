"""Cohen's d for paired scores: the mean difference in standard deviations of the differences."""

from __future__ import annotations

import math

from scipy.special import chdtri, nctdtr, ndtri

from reportkit.errors import DesignError
from reportkit.intervals.effect_sizes.effect_size import EffectSize
from reportkit.intervals.interval import Interval, check_level
from reportkit.intervals.means.student_t import estimate_mean
from reportkit.scores.shapes.paired_scores import PairedScores

_LARGEST = 1e4
"""SciPy's noncentral t distribution function is NaN for t somewhat above this."""


def cohens_d(paired: PairedScores, confidence_level: float = 0.95) -> EffectSize | None:
    """Mean difference divided by the standard deviation of the differences, d_z, with its noncentral t interval.

    t = sqrt(n) d_z has a noncentral t distribution with n - 1 degrees of freedom and noncentrality sqrt(n) delta. The
    interval holds every delta for which the observed t is in neither tail of probability (1 - level) / 2; it excludes
    0 exactly where Student's paired t-test rejects.

    Parameters
    ----------
    paired : PairedScores
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
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.3]))
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
