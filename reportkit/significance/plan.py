"""The plan of random resamples: how many a test draws, and from which stream."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import neg

import numpy as np
from scipy.special import ndtri

from reportkit.scores.sample import Sample
from reportkit.significance.outcome import Outcome
from reportkit.significance.proportions import clopper_pearson_interval
from reportkit.significance.resamples import hash64

CONFIDENCE = 0.999
"""Confidence of the Clopper-Pearson interval that decides whether more resamples are drawn."""

Draw = Callable[[int], tuple[int, int]]

RESOLUTION = 10
"""The smallest p-value that can be shown is this many times below the smallest threshold, where p may be below that."""

ENOUGH_BEYOND = 400
"""This many resamples beyond the observed value give a p-value with a Monte Carlo error of 5%."""


@dataclass(frozen=True, slots=True)
class ResamplingPlan:
    """The number of resamples, the seed, and the thresholds that the p-values will be compared with.

    A test draws `n_resamples`. While the 99.9% Clopper-Pearson interval of either one-sided p-value holds a threshold,
    it goes on within `max_resamples`: to as many as can show a tenth of the smallest threshold, as 1 / (b + 1), and
    then to ten times as many at a time. So does a p-value that is compared with levels which others decide, while its
    Monte Carlo error is above 5%. Further resamples continue the same stream and the first ones are kept: the last
    p-value is one from all resamples, and stopping before it comes to another verdict at a threshold than going on
    would with a probability of about .001 per stage at most.

    Parameters
    ----------
    n_resamples : int
        Fewest random resamples.
    seed : int
        Seed of all streams, at least 0.
    thresholds : tuple of float
        Levels that matter for one-sided p-values, each in (0, 1): alpha divided by the size of the family, for example.
        Kept in falling order.
    max_resamples : int
        Bound on escalation.
    steps_up_to : float
        Largest of the levels between thresholds that depend on other p-values, such as those of Holm's further steps;
        0 if there are none.

    Examples
    --------
    >>> list(ResamplingPlan().stages())
    [9999, 99999, 999999]
    >>> list(ResamplingPlan(thresholds=(0.05, 0.05 / 200)).stages())
    [9999, 39999, 399999, 999999]
    """

    n_resamples: int = 9_999
    seed: int = 0
    thresholds: tuple[float, ...] = ()
    max_resamples: int = 1_000_000
    steps_up_to: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "thresholds", tuple(sorted(self.thresholds, reverse=True)))

    def rng(self, sample: Sample) -> np.random.Generator:
        """Return the stream of one pair of systems on one dataset and metric.

        It depends neither on other pairs and datasets, nor on the order of work, nor on which of the two is called A.
        """
        pair = sorted((sample.system_a, sample.system_b))
        return np.random.default_rng(
            np.random.SeedSequence([self.seed, hash64(*pair), hash64(sample.dataset), hash64(sample.metric)])
        )

    def stages(self) -> Iterator[int]:
        """Yield growing numbers of resamples, after each of which the plan decides whether more are needed."""
        *_, last = self.ladder()
        stage = self.n_resamples
        while stage < last:
            yield stage
            stage = self.enough if stage < self.enough else RESOLUTION * (stage + 1) - 1
        yield last

    @property
    def enough(self) -> int:
        """Resamples that can show a tenth of the smallest threshold: none beyond the observed value settles it."""
        if not self.thresholds:
            return self.n_resamples
        *_, last = self.ladder()
        return min(max(self.n_resamples, math.ceil(RESOLUTION / self.thresholds[-1] * (1 - 1e-12)) - 1), last)

    def ladder(self) -> Iterator[int]:
        """Yield all numbers of resamples within the bounds, growing, whatever the thresholds are."""
        n_resamples = self.n_resamples
        while (further := RESOLUTION * (n_resamples + 1) - 1) <= self.max_resamples:
            yield n_resamples
            n_resamples = further
        yield n_resamples

    def count(self, draw: Draw) -> tuple[int, int, int]:
        """Draw resamples until nothing is left open, or until the plan allows no more.

        Parameters
        ----------
        draw : callable
            Given a number of further resamples, draws so many and says how many of them are at least as far in favour
            of A, and how many at least as far in favour of B, as the observed value.

        Returns
        -------
        tuple of int
            Both counts, and the number of resamples drawn.
        """
        for_a = for_b = done = 0
        for stage in self.stages():
            more_a, more_b = draw(stage - done)
            for_a, for_b, done = for_a + more_a, for_b + more_b, stage
            if not (self.is_open(for_a, stage) or self.is_open(for_b, stage)):
                break
        return for_a, for_b, done

    def is_open(self, count: int, n_resamples: int) -> bool:
        """Return whether further resamples could change the verdict on a p-value."""
        low, high = clopper_pearson(count, n_resamples)
        between = count < ENOUGH_BEYOND and low < self.steps_up_to and high >= min(self.thresholds, default=0.0)
        return between or is_unstable(count, n_resamples, self.thresholds)


def is_unstable(count: int, n_resamples: int, thresholds: tuple[float, ...], *, below: float = 1.0) -> bool:
    """Return whether a Monte Carlo p-value could as well lie on the other side of a threshold.

    Parameters
    ----------
    count : int
        Resamples at least as extreme as the observed value.
    n_resamples : int
        Resamples drawn.
    thresholds : tuple of float
        Levels the p-value is compared with, in falling order.
    below : float
        Only smaller ones matter.

    Returns
    -------
    bool
        Whether the 99.9% Clopper-Pearson interval of the p-value holds a threshold.

    Examples
    --------
    >>> is_unstable(480, 9_999, (0.05,)), is_unstable(480, 9_999, (0.05 / 12,))
    (True, False)
    """
    low, high = clopper_pearson(count, n_resamples)
    return _any_within(thresholds, low, min(high, math.nextafter(below, 0.0)))


def _any_within(thresholds: tuple[float, ...], low: float, high: float) -> bool:
    """Return whether one of many thresholds, in falling order, lies between two numbers or is one of them."""
    place = bisect_left(thresholds, -high, key=neg)
    return place < len(thresholds) and thresholds[place] >= low


UNSTABLE = "unstable-p-value"
"""Code of the finding about such an outcome."""


def straddles(outcome: Outcome, thresholds: tuple[float, ...]) -> bool:
    """Return whether the Monte Carlo error of an outcome leaves open on which side of a threshold its p-value lies.

    Parameters
    ----------
    outcome : Outcome
        Result of a test; exact and asymptotic p-values leave nothing open.
    thresholds : tuple of float
        Levels its p-value is compared with, in falling order.
    """
    if outcome.n_resamples is None:
        return False
    p_value, factor = outcome.p_value, 2.0 if outcome.alternative == "two-sided" else 1.0
    if outcome.relative_error > 0:
        return leaves_open(p_value, outcome.relative_error, thresholds)
    count = round(p_value / factor * (outcome.n_resamples + 1)) - 1
    if count < 0:  # below what the resamples can show: a bound that holds without them
        return False
    low, high = clopper_pearson(count, outcome.n_resamples)
    return _any_within(thresholds, factor * low, factor * high)


def error_range(p_value: float, relative_error: float) -> tuple[float, float]:
    """Return the range of a p-value with a relative standard error, at the confidence of `clopper_pearson`.

    Examples
    --------
    >>> low, high = error_range(1e-6, 0.03)
    >>> round(low * 1e6, 2), round(high * 1e6, 2)
    (0.91, 1.1)
    """
    factor = math.exp(-float(ndtri(0.5 - CONFIDENCE / 2)) * relative_error)
    return p_value / factor, p_value * factor


def leaves_open(p_value: float, relative_error: float, thresholds: tuple[float, ...]) -> bool:
    """Return whether a p-value with such a relative standard error could as well lie on the other side of a threshold.

    Thresholds are in falling order.

    Examples
    --------
    >>> leaves_open(1e-6, 0.03, (2e-6,)), leaves_open(1e-6, 0.03, (1.05e-6,))
    (False, True)
    """
    return _any_within(thresholds, *error_range(p_value, relative_error))


def clopper_pearson(count: int, n: int, level: float = CONFIDENCE) -> tuple[float, float]:
    """Return the exact interval for a probability after `count` hits in `n` draws (Clopper and Pearson, 1934).

    Examples
    --------
    >>> low, high = clopper_pearson(0, 9_999)
    >>> low, round(high, 6)
    (0.0, 0.00076)
    """
    interval = clopper_pearson_interval(count, n, level)
    return interval.low, interval.high


def monte_carlo_error(p_value: float, n_resamples: int) -> float:
    """Return the standard error of a one-sided Monte Carlo p-value (s + 1) / (n_resamples + 1).

    Examples
    --------
    >>> round(monte_carlo_error(0.05, 9_999), 5)
    0.00218
    """
    return math.sqrt(p_value * (1 - p_value) / (n_resamples + 1))
