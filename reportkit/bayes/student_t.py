"""Student's t posterior of a mean difference, under the Jeffreys prior."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, stdtr, stdtrit

from reportkit.bayes.distribution import Distribution
from reportkit.errors import DesignError
from reportkit.intervals.means.student_t import MeanEstimate, estimate_mean
from reportkit.scores.shapes.paired_scores import PairedScores


@dataclass(frozen=True, slots=True, kw_only=True)
class LocationScaleT(Distribution):
    """Student's t distribution with a location and a scale.

    Parameters
    ----------
    location : float
        Centre.
    scale : float
        Positive.
    degrees_of_freedom : float
        Positive.

    Examples
    --------
    >>> posterior = LocationScaleT(location=0.2, scale=0.1, degrees_of_freedom=3)
    >>> round(posterior.above(0.0), 6)  # P(T < 2), 3 degrees of freedom
    0.930337
    """

    location: float
    scale: float
    degrees_of_freedom: float

    @property
    def mean(self) -> float:
        """The location, although with one degree of freedom no expected value exists."""
        return self.location

    @property
    def sd(self) -> float:
        """Standard deviation; inf with two degrees of freedom or fewer."""
        if self.degrees_of_freedom <= 2:
            return math.inf
        return self.scale * math.sqrt(self.degrees_of_freedom / (self.degrees_of_freedom - 2))

    @property
    def unimodal(self) -> bool:
        """True."""
        return True

    def below(self, x: float) -> float:
        """P(difference < x)."""
        return float(stdtr(self.degrees_of_freedom, (x - self.location) / self.scale))

    def above(self, x: float) -> float:
        """P(difference > x)."""
        return float(stdtr(self.degrees_of_freedom, (self.location - x) / self.scale))

    def density(self, x: float) -> float:
        """Density at x."""
        df, z = self.degrees_of_freedom, (x - self.location) / self.scale
        if math.isinf(df):
            return math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) / self.scale
        log = gammaln((df + 1) / 2) - gammaln(df / 2) - 0.5 * math.log(df * math.pi)
        return float(np.exp(log - (df + 1) / 2 * np.log1p(z * z / df))) / self.scale

    def quantile(self, p: float) -> float:
        """Value with probability p below it."""
        if p in (0.0, 1.0):
            return math.inf if p else -math.inf
        tail = float(stdtrit(self.degrees_of_freedom, min(p, 1.0 - p)))  # exactly symmetric
        return self.location + self.scale * (tail if p <= 0.5 else -tail)


def posterior_of_mean(paired: PairedScores) -> LocationScaleT:
    """Posterior of the mean difference of normal differences, under the Jeffreys prior.

    The mean is t distributed about the observed one, with its standard error as scale and n - 1 degrees of freedom:
    numerically the sampling distribution of the t test, read the other way round. With clusters or weights the
    cluster-robust standard error of `reportkit.intervals.means.student_t` takes the place of s / sqrt(n), an
    approximation.

    Parameters
    ----------
    paired : PairedScores
        A and B on one dataset.

    Raises
    ------
    DesignError
        If there are fewer than two units, or all show the same difference, so that the spread is unknown.

    Notes
    -----
    Assumes independent units and, unless n is large, normal differences. Gelman et al. (2013), "Bayesian data
    analysis", section 3.2.

    Examples
    --------
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.9, 0.5, 0.3]))
    >>> round(posterior_of_mean(paired).above(0.0), 4)
    0.9194
    """
    return located(estimate_mean(paired), paired.label, "instances or clusters")


def located(estimate: MeanEstimate, where: str, units: str) -> LocationScaleT:
    """Turn an estimate with its standard error into a posterior.

    Raises
    ------
    DesignError
        If the standard error is unknown.
    """
    if estimate.standard_error is None:
        raise DesignError(
            f"all {units} show the same difference, or there is one only: the spread is not known, and a "
            "posterior\nwould claim certainty",
            where=where,
            remedy="give more, or more finely resolved, scores; right or wrong answers have a posterior in any case "
            "(kind='binary')",
        )
    return LocationScaleT(
        location=estimate.mean, scale=estimate.standard_error, degrees_of_freedom=estimate.degrees_of_freedom
    )
