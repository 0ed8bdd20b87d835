"""Cautions about a test on one dataset: their words, from `cautions.toml`, and the sizes that they speak of."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtri

from reportkit.finding import Finding, Severity
from reportkit.language.numerals import level_text, percent_text
from reportkit.significance.outcome import Outcome


@cache
def _words() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def caution(
    key: str, where: str, *, severity: Severity | None = None, advise: bool = True, **values: object
) -> Finding:
    """Return a finding in the words of `cautions.toml`.

    Parameters
    ----------
    key : str
        Code of the finding, with "/" and the variant if there are several.
    where : str
        What it is about.
    severity : {"error", "warning", "info"}, optional
        If it is not that of the file.
    advise : bool
        Whether to add the remedy.
    values : object
        What stands in braces.

    Examples
    --------
    >>> caution("no-interval", "a v b on cb", test="sign test", why="there are 3 instances").message
    'There is no interval with the sign test: there are 3 instances.'
    """
    words = _words()[key]
    remedy = words.get("remedy", "").format(**values) if advise else ""
    return Finding(
        key.partition("/")[0], severity or words["severity"], words["message"].format(**values), where, remedy
    )


SIZE_ERROR = 0.110
"""Size error of a one-sided test at .05 by |skewness| / sqrt(n): (2 z^2 + 1) phi(z) / 6 at z = 1.645."""

TOLERATED_SIZE_ERROR = 0.01


def edgeworth_error(alpha: float) -> float:
    """Size error of a one-sided test of a mean at a level, by the skewness of the mean: (2 z^2 + 1) phi(z) / 6.

    Examples
    --------
    >>> [round(edgeworth_error(alpha), 3) for alpha in (0.05, 0.01, 0.001)]
    [0.11, 0.053, 0.011]
    """
    if alpha == 0.05:
        return SIZE_ERROR
    z = float(ndtri(1 - alpha))
    return (2 * z * z + 1) * math.exp(-z * z / 2) / math.sqrt(2 * math.pi) / 6


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
    """Return the sizes at levels, as a clause.

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
    text = f"{rounded_percent(size)} of the time at level {level_text(first)}"
    for level, size in others:
        text += f", and {rounded_percent(size)} at {level_text(float(f'{level:.3g}'))}, the smallest level used here"
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


def rounded_percent(size: float) -> str:
    """Write a share in percent, with two significant digits."""
    return percent_text(float(f"{size:.2g}"))
