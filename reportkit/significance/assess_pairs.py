"""Many pairs of systems on one dataset: pair, test, add the interval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportkit.results.block import Block
from reportkit.results.pairing import pair
from reportkit.settings import Settings
from reportkit.significance.assess import assess
from reportkit.significance.assessment import Assessment
from reportkit.significance.plan import ResamplingPlan


def assess_pairs(
    block: Block, pairs: Sequence[tuple[str, str]], plan: ResamplingPlan, settings: Settings
) -> Iterator[Assessment]:
    """Assess pairs of systems that all have scores on one dataset, in their order.

    Parameters
    ----------
    block : Block
        One dataset.
    pairs : sequence of (str, str)
        A and B of each pair.
    plan : ResamplingPlan
        Resamples, seed and thresholds.
    settings : Settings
        Profile or test, missing instances, level of the intervals.

    Yields
    ------
    Assessment
        Read one-sided in favour of A.
    """
    for system_a, system_b in pairs:
        sample = pair(block, system_a, system_b, missing=settings.missing, score_range=settings.score_range)
        yield assess(sample, plan, profile=settings.profile, test=settings.test, level=1 - settings.primary_alpha)
