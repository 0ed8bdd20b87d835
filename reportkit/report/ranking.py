"""Which systems are best on average: the order of names in tables, figures and sentences."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TypeVar

from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis

MOST_DRAWN = 4
"""Up to this many claims against baselines have forest plots, and intervals at the level of the correction."""

Compared = TypeVar("Compared")


def drawn(
    claims: Sequence[Compared], design: str, ranking: Sequence[str], pair: Callable[[Compared], tuple[str, str]]
) -> Sequence[Compared]:
    """Return the claims that are drawn: the first of two directions, up to four, or that of the best two systems."""
    if design == "both":
        return claims[:1]
    if design != "all-pairs" and len(claims) <= MOST_DRAWN:
        return claims
    return sorted(claims, key=lambda claim: [ranking.index(name) for name in pair(claim)])[:1]


def mean_ranks(analysis: ReplicabilityAnalysis) -> dict[str, float]:
    """Return each system's mean rank over the datasets it was scored on, 1 for the best; ties share the better rank.

    By the primary metric, also in the part of another; from unrounded scores.
    """
    scores = analysis.secondary_scores.get(analysis.metrics[0], analysis.system_scores)
    here: dict[str, dict[str, float]] = {dataset: {} for dataset in analysis.datasets}
    for (name, where), score in scores.items():
        if where in here:
            here[where][name] = score.mean if score.higher_is_better else -score.mean
    ranks: dict[str, list[int]] = {}
    for oriented in here.values():
        worst_first = sorted(oriented.values())
        for name, value in oriented.items():
            ranks.setdefault(name, []).append(1 + len(oriented) - bisect_right(worst_first, value))
    return {name: sum(values) / len(values) for name, values in ranks.items()}


def by_mean_rank(analysis: ReplicabilityAnalysis) -> tuple[str, ...]:
    """Sort the compared systems by mean rank, the best first; with equal ranks or no scores, in the order given."""
    ranks = mean_ranks(analysis)
    systems = dict.fromkeys((*analysis.systems_a, *analysis.systems_b))
    return tuple(sorted(systems, key=lambda name: ranks.get(name, math.inf)))
