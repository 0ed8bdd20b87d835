"""Which systems are best on average: the order of names in tables, figures and sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import pandas as pd

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


def by_mean_rank(analysis: ReplicabilityAnalysis) -> tuple[str, ...]:
    """Sort the compared systems by mean rank over the datasets they were scored on, the best first.

    By the primary metric, also in the part of another; from unrounded scores. Ties share the better rank. With equal
    mean ranks or no scores, systems are in the order given.
    """
    scores = analysis.secondary_scores.get(analysis.metrics[0], analysis.system_scores)
    losses = [(*key, -score.mean if score.higher_is_better else score.mean) for key, score in scores.items()]
    frame = pd.DataFrame(losses, columns=["system", "dataset", "loss"])
    here = frame[frame["dataset"].isin(analysis.datasets)]
    ranks = here.groupby("dataset")["loss"].rank(method="min").groupby(here["system"]).mean()
    systems = dict.fromkeys((*analysis.systems_a, *analysis.systems_b))
    return tuple(sorted(systems, key=lambda name: ranks.get(name, math.inf)))
