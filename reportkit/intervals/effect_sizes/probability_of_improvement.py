"""Probability that A scores better than B on an instance, ties counted half."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from reportkit.intervals.effect_sizes.brunner_munzel import brunner_munzel_interval, estimate_superiority
from reportkit.intervals.effect_sizes.effect_size import EffectSize
from reportkit.intervals.interval import Interval
from reportkit.intervals.means.student_t import estimate_mean, student_t_interval
from reportkit.intervals.means.units import as_wins
from reportkit.intervals.proportions.discordant_pairs import tango_interval
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.sample import Shape
from reportkit.scores.shapes.unpaired import UnpairedScores


def probability_of_improvement(sample: PairedScores | UnpairedScores, confidence_level: float = 0.95) -> EffectSize:
    """P(A > B) + P(A = B) / 2, with its interval.

    Paired, both scores are of the same random instance; the interval is Tango's for the share of wins minus the share
    of losses, which is 2 P - 1, or with clusters or weights the t interval of it. Unpaired, the scores are of two
    independent random instances, and the interval is Brunner and Munzel's. The two answer different questions.

    Parameters
    ----------
    sample : PairedScores or UnpairedScores
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
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.repeat([0.9, 0.5, 0.1], [30, 56, 14]), b=np.full(100, 0.5))
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


def _of_pairs(sample: PairedScores, confidence_level: float) -> tuple[float, Interval | None]:
    wins = as_wins(sample)
    if wins.clusters is None and wins.weights is None:
        interval: Interval | None = tango_interval(*wins.wins_and_losses, wins.n, confidence_level)
    else:
        interval = student_t_interval(wins, confidence_level)
    return estimate_mean(wins).mean, interval


def _of_samples(sample: UnpairedScores, confidence_level: float) -> tuple[float, Interval | None]:
    return estimate_superiority(sample).difference, brunner_munzel_interval(sample, confidence_level)


_DIFFERENCES: Mapping[Shape, Callable[[Any, float], tuple[float, Interval | None]]] = {
    "paired": _of_pairs,
    "unpaired": _of_samples,
}
"""The share of instances on which A is better minus that on which B is, and its interval."""


def _as_probability(interval: Interval) -> Interval:
    """From the difference of two shares to the probability, (1 + difference) / 2."""
    return replace(interval, low=max(0.0, (1 + interval.low) / 2), high=min(1.0, (1 + interval.high) / 2))
