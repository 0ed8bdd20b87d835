"""Many pairs of systems on one dataset: pair, test, add the interval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from reportkit.scores.missing_bounds import BoundedPair, bounded_pair
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.paired_scores import DatasetScores
from reportkit.scores.shapes.sample import Sample
from reportkit.settings import Settings
from reportkit.significance.assess import assess
from reportkit.significance.bounds import assess_with_bounds
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.choose import choose
from reportkit.significance.outcome import Assessment
from reportkit.significance.plan import ResamplingPlan

_DIFFERENCES = 1 << 16  # held at once, of several pairs


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
    batch = max(_DIFFERENCES // max(block.n_instances, 1), 1)
    for first in range(0, len(pairs), batch):
        samples = [paired_as_set(block, a, b, settings) for a, b in pairs[first : first + batch]]
        _look_ahead(samples, settings)
        level = 1 - settings.primary_alpha
        for sample in samples:
            bounded = _bounded(block, sample, settings)
            if bounded is None:
                yield assess(sample, plan, profile=settings.profile, test=settings.test, level=level)
            else:
                yield assess_with_bounds(bounded, plan, profile=settings.profile, test=settings.test, level=level)


def paired_as_set(block: Block, system_a: str, system_b: str, settings: Settings) -> Sample:
    """Put two systems on one dataset side by side, as the settings say; see `Block.pair`."""
    return block.pair(
        system_a,
        system_b,
        missing=settings.missing,
        score_range=settings.score_range,
        pairing=settings.pairing,
        runs=settings.runs,
    )


def _bounded(block: Block, sample: Sample, settings: Settings) -> BoundedPair | None:
    """Both extremes of the missing scores, if they are asked for and there are any."""
    if settings.missing != "bounds" or not isinstance(block, DatasetScores) or settings.pairing == "unpaired":
        return None
    return bounded_pair(block, sample.system_a, sample.system_b, score_range=settings.score_range)


def by_instances(block: Block, pairs: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """Put pairs of systems that have as many instances in common beside each other: they share more of the work.

    Parameters
    ----------
    block : Block
        One dataset, on which all of the systems have scores.
    pairs : sequence of (str, str)
        A and B of each pair.

    Returns
    -------
    sequence of (str, str)
        The same pairs; in their order where nothing is missing.
    """
    if len(pairs) < 2 or block.without_missing():
        return pairs
    presence = block.presence().astype(np.float64)
    in_common = presence @ presence.T
    return sorted(pairs, key=lambda both: -in_common[block.position(both[0]), block.position(both[1])])


def _look_ahead(samples: Sequence[Sample], settings: Settings) -> None:
    """Let each test compute for all its pairs at once what it can."""
    by_test: dict[str, list[Sample]] = {}
    for sample in samples:
        name = settings.test or choose(sample, settings.profile).test
        if name in SIGNIFICANCE_TESTS and SIGNIFICANCE_TESTS[name].shape == sample.shape and not sample.identical:
            by_test.setdefault(name, []).append(sample)
    for name, together in by_test.items():
        ahead = SIGNIFICANCE_TESTS[name].ahead
        if ahead is not None and len(together) > 1:
            ahead(together)
