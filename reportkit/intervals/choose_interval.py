"""Which interval and which standard error stand beside a test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from reportkit.intervals.interval import Interval
from reportkit.intervals.student_t import estimate_mean, student_t_interval
from reportkit.intervals.tango import tango_interval
from reportkit.intervals.units import as_wins
from reportkit.results.pairing import PairedScores
from reportkit.results.sample import Sample, Shape

Effect = Literal["mean", "sign"]
"""What is estimated: the mean difference, or the share of wins minus the share of losses."""


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """How uncertain a difference is, for one shape of results.

    Parameters
    ----------
    interval : callable
        (sample, level, seed) -> Interval, or None if the data hold no information on the variance.
    standard_error : callable
        (sample) -> standard error of the difference, or None.
    """

    interval: Callable[[Any, float, int], Interval | None]
    standard_error: Callable[[Any], float | None]


UNCERTAINTY: Mapping[Shape, Uncertainty] = {}
"""By shape; paired scores are told apart further by `interval_for`."""


def interval_for(
    sample: Sample, level: float = 0.95, *, effect: Effect | None = None, seed: int = 0
) -> Interval | None:
    """Two-sided confidence interval for the difference between A and B.

    Right-or-wrong scores without clusters and weights get Tango's score interval; everything else gets Student's t
    interval of the (weighted) mean difference, which is cluster-robust if there are clusters.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    level : float
        Confidence level, in (0, 1).
    effect : {"mean", "sign"}, optional
        What the interval is for; by default the mean difference, but for ordinal scores, whose means say nothing, the
        share of wins minus the share of losses.
    seed : int
        Of random resamples, where the interval needs them.

    Returns
    -------
    Interval or None
        None if the data hold no information on the variance: scores other than right or wrong that come from a single
        instance (or cluster), or that show the same difference everywhere, none included.

    Examples
    --------
    >>> right = PairedScores(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                      a=np.ones(50), b=np.repeat([1.0, 0.0], [45, 5]))
    >>> interval = interval_for(right)
    >>> interval.title, round(interval.low, 4), round(interval.high, 4)
    ('Tango score interval', 0.0215, 0.2136)
    """
    if not isinstance(sample, PairedScores):
        return UNCERTAINTY[sample.shape].interval(sample, level, seed)
    paired = _with_effect(sample, effect)
    if paired.kind == "binary" and paired.clusters is None and paired.weights is None:
        differences = paired.differences
        wins, losses = int(np.count_nonzero(differences > 0)), int(np.count_nonzero(differences < 0))
        return tango_interval(wins, losses, paired.n, level)
    return student_t_interval(paired, level)


def standard_error(sample: Sample, *, effect: Effect | None = None) -> float | None:
    """Standard error of the difference between A and B, cluster-robust if there are clusters.

    Returns
    -------
    float or None
        None if the data hold no information on it: a single instance (or cluster), or the same difference everywhere.

    Examples
    --------
    >>> right = PairedScores(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                      a=np.ones(50), b=np.repeat([1.0, 0.0], [45, 5]))
    >>> round(standard_error(right), 4)
    0.0429
    """
    if not isinstance(sample, PairedScores):
        return UNCERTAINTY[sample.shape].standard_error(sample)
    return estimate_mean(_with_effect(sample, effect)).standard_error


def _with_effect(paired: PairedScores, effect: Effect | None) -> PairedScores:
    if effect is None:
        effect = "sign" if paired.kind == "ordinal" else "mean"
    return as_wins(paired) if effect == "sign" else paired
