"""At which levels the size of a test is said, and how: one wording for every finding that speaks of a size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from reportkit.language.numerals import level_text, percent_text
from reportkit.significance.outcome import Outcome

LEVEL = 0.05
"""The level at which a size is always said."""


def levels_used(outcome: Outcome, thresholds: Sequence[float]) -> tuple[float, ...]:
    """.05, and the smallest level that the p-values are compared with and can reach.

    Parameters
    ----------
    outcome : Outcome
        Of the test.
    thresholds : sequence of float
        Of Holm's procedure and of k-hat, in falling order; see `ResamplingPlan`.
    """
    smallest = thresholds[-1] if thresholds else LEVEL
    return (LEVEL, smallest) if outcome.p_min <= smallest < LEVEL else (LEVEL,)


def sizes_text(sizes: Sequence[tuple[float, float]]) -> str:
    """Sizes at levels, as a clause.

    Parameters
    ----------
    sizes : sequence of (level, size)
        At `LEVEL` first.

    Examples
    --------
    >>> print(sizes_text([(0.05, 0.09)]))
    9% of the time at level .05
    >>> print(sizes_text([(0.05, 0.09), (0.0125, 0.0225)]))
    9% of the time at level .05, and 2.2% at .0125, the smallest level used here
    """
    (first, size), *others = sizes
    text = f"{_percent(size)} of the time at level {level_text(first)}"
    for level, size in others:
        text += f", and {_percent(size)} at {level_text(float(f'{level:.3g}'))}, the smallest level used here"
    return text


def size_at(level: float, simulated: Mapping[float, float]) -> float:
    """Size at a level, between simulated ones.

    Parameters
    ----------
    level : float
        In (0, 1).
    simulated : mapping of float to float
        Sizes by level. Between levels the logarithm of the size is linear in that of the level; outside, the size is in
        the same proportion to the level as at the nearest one.

    Examples
    --------
    >>> round(size_at(0.01, {0.05: 0.08, 0.002: 0.02}), 3), round(size_at(0.001, {0.05: 0.08, 0.002: 0.02}), 3)
    (0.04, 0.01)
    """
    levels = sorted(simulated)
    nearest = min(max(level, levels[0]), levels[-1])
    logs = [math.log(simulated[known]) for known in levels]
    size = math.exp(float(np.interp(math.log(nearest), [math.log(known) for known in levels], logs)))
    return min(1.0, size * level / nearest)


def _percent(size: float) -> str:
    return percent_text(float(f"{size:.2g}"))
