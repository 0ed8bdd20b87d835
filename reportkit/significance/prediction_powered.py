"""Prediction-powered difference: a judge on all instances, people on some of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from reportkit.errors import DesignError, SettingsError

FEWEST_LABELS = 10
"""With fewer labels, nothing can be learned about how well the judge agrees with people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionPowered:
    """A mean difference from the labels of people and a judge's labels of all instances.

    Parameters
    ----------
    mean, low, high : float
        Estimate and interval.
    standard_error : float
        Standard error of the estimate.
    weight : float
        How much the judge counts, from 0 (not at all) to 1.
    n_labelled, n : int
        Instances that people labelled, and all.
    level : float
        Level of the interval.
    """

    mean: float
    low: float
    high: float
    standard_error: float
    weight: float
    n_labelled: int
    n: int
    level: float


def prediction_powered(
    people: NDArray[np.float64], judge: NDArray[np.float64], level: float = 0.95
) -> PredictionPowered:
    """Estimate the mean difference that people would give over all instances.

    With y_i the difference by people and f_i that by the judge, n labelled instances and N others,

        d = mean of y + w (mean of f over the others - mean of f over the labelled),
        w = cov(y, f) / ((1 + n / N) var(f)), cut to [0, 1],
        var(d) = var(y - w f) / n + w^2 var(f) / N.

    Parameters
    ----------
    people : ndarray of shape (n_instances,)
        Differences of A minus B by people; NaN where nobody looked.
    judge : ndarray of shape (n_instances,)
        The same by the judge, on every instance.
    level : float
        Level of the interval, which is a t interval with n - 1 degrees of freedom.

    Raises
    ------
    DesignError
        If fewer than 10 instances are labelled, or the labelled ones have no spread.

    Notes
    -----
    Angelopoulos, Bates, Fannjiang, Jordan and Zrnic (2023), "Prediction-powered inference", with the weight of
    Angelopoulos, Duchi and Zrnic (2023), "PPI++". It is valid for any judge if the labelled instances are a random
    sample of all: a judge that is wrong widens the interval but does not shift it.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> judge = rng.normal(0.2, 1.0, 1000)
    >>> people = np.where(np.arange(1000) < 100, judge - 0.1 + rng.normal(0.0, 0.3, 1000), np.nan)
    >>> found = prediction_powered(people, judge)
    >>> round(found.low, 2), round(found.mean, 2), round(found.high, 2)
    (-0.09, 0.0, 0.1)
    """
    if not 0 < level < 1:
        raise SettingsError(f"the level is {level!r}", remedy="give a probability strictly between 0 and 1")
    labelled = ~np.isnan(people)
    y, f, others = people[labelled], judge[labelled], judge[~labelled]
    n, rest = y.size, others.size
    if n < FEWEST_LABELS:
        raise DesignError(
            f"people labelled {n} instances of both systems: with fewer than {FEWEST_LABELS}, nothing can be learned "
            "about how well the judge agrees with people",
            remedy="let people label a random sample of the instances, of both systems",
        )
    if not float(np.ptp(y)):
        raise DesignError(
            f"people give all {n} labelled instances the same difference: its spread is not known",
            remedy="label more instances",
        )
    weight = 0.0
    spread = float(judge.var(ddof=1)) if rest else 0.0
    if spread > 0 and rest > 1:
        weight = float(np.clip(np.cov(y, f)[0, 1] / ((1.0 + n / rest) * spread), 0.0, 1.0))
    mean = float(y.mean()) + (weight * float(others.mean() - f.mean()) if weight else 0.0)
    variance = float((y - weight * f).var(ddof=1)) / n
    variance += weight**2 * float(others.var(ddof=1)) / rest if weight else 0.0
    error = math.sqrt(variance)
    half = -float(stdtrit(n - 1, 0.5 * (1.0 - level))) * error
    return PredictionPowered(
        mean=mean,
        low=mean - half,
        high=mean + half,
        standard_error=error,
        weight=weight,
        n_labelled=n,
        n=n + rest,
        level=level,
    )
