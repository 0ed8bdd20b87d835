"""Cliff's delta of two independent samples of scores."""

from __future__ import annotations

from reportkit.intervals.effect_sizes.brunner_munzel import brunner_munzel_interval, estimate_superiority
from reportkit.intervals.effect_sizes.effect_size import EffectSize
from reportkit.scores.shapes.unpaired import UnpairedScores


def cliffs_delta(sample: UnpairedScores, confidence_level: float = 0.95) -> EffectSize:
    """P(A > B) - P(A < B) for one random instance of each system, with the Brunner-Munzel interval.

    Parameters
    ----------
    sample : UnpairedScores
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
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="rating", kind="ordinal",
    ...                         a=np.array([3.0, 4.0, 5.0, 5.0]), b=np.array([2.0, 3.0, 4.0]))
    >>> round(cliffs_delta(sample).estimate, 4)  # 9 of 12 pairs for A, 1 against
    0.6667
    """
    return EffectSize(
        name="Cliff's delta",
        estimate=estimate_superiority(sample).difference,
        no_effect=0.0,
        interval=brunner_munzel_interval(sample, confidence_level),
    )
