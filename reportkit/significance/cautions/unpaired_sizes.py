"""What skewed scores, and few of them, do to the size of a test of two independent means."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from reportkit.finding import Finding
from reportkit.intervals.means.skewness import SIZE_ERROR, TOLERATED_SIZE_ERROR, edgeworth_error
from reportkit.intervals.means.welch import skewness_of_difference
from reportkit.scores.shapes.unpaired import UnpairedScores
from reportkit.significance.cautions.size_wording import levels_used, size_at, sizes_text
from reportkit.significance.outcome import Outcome

FEW = 50
"""With fewer instances of a system, nobody can see whether its scores are too skewed for a test of the mean."""

FEW_FOR_ANY = 20
"""With fewer it is a warning, else a note."""

SIZES_WHERE_SKEWED: Mapping[int, Mapping[float, float]] = {
    3: {0.05: 0.25, 0.01: 0.14, 0.005: 0.11, 0.001: 0.07},
    5: {0.05: 0.24, 0.01: 0.13, 0.005: 0.10, 0.001: 0.053},
    10: {0.05: 0.21, 0.01: 0.12, 0.005: 0.096, 0.001: 0.056},
    20: {0.05: 0.19, 0.01: 0.10, 0.005: 0.082, 0.001: 0.05},
    30: {0.05: 0.16, 0.01: 0.079, 0.005: 0.061, 0.001: 0.031},
}
"""Largest simulated one-sided sizes where one system's scores are lognormal, by the instances of the smaller sample."""

_DOUBT = "collect more instances, or do not rely on p-values close to the level"


def unpaired_size_findings(
    sample: UnpairedScores, outcome: Outcome, thresholds: Sequence[float], *, alike: bool = False
) -> Iterator[Finding]:
    """Say how far skewed scores can spoil the level of a test of two independent means.

    Parameters
    ----------
    sample : UnpairedScores
        A and B on one dataset.
    outcome : Outcome
        Of the test.
    thresholds : sequence of float
        Levels that p-values are compared with.
    alike : bool
        Whether skewed scores spoil the test even if both systems' are distributed alike.

    Yields
    ------
    Finding
        `skewed-scores`, if scores as skewed as those of the samples would shift the size at .05 by more than .01;
        otherwise `skewness-unseen`, if a system has fewer than 50 instances, which cannot show it.

    Notes
    -----
    The first term of the Edgeworth expansion changes a one-sided level alpha by (2 z^2 + 1) phi(z) / 6 times the
    skewness of the difference of the means, z being the normal quantile: Hall (1992), "The Bootstrap and Edgeworth
    Expansion", section 2.4. A small sample shows little of its skewness, so that for Welch's test, which skewed scores
    in samples of different sizes spoil even if they are distributed alike, the skewness of both samples together is
    looked at too.
    """
    if sample.identical or sample.constant:
        return
    where = sample.label
    skewness = _relevant_skewness(sample, alike=alike)
    levels = levels_used(outcome, thresholds)
    if SIZE_ERROR * abs(skewness) > TOLERATED_SIZE_ERROR:
        favoured = sample.system_a if skewness < 0 else sample.system_b
        sizes = [(level, min(1.0, level + edgeworth_error(level) * abs(skewness))) for level in levels]
        yield Finding(
            "skewed-scores",
            "warning",
            f"If scores are as skewed in general as in these samples ({sample.n_a:,} and {sample.n_b:,} instances), "
            f"the {outcome.title} would find {favoured!r} better, though the means are equal, about "
            f"{sizes_text(sizes)}.",
            where=where,
            remedy=_DOUBT,
        )
    elif sample.n < FEW:
        fewest = max((n for n in SIZES_WHERE_SKEWED if n <= sample.n), default=min(SIZES_WHERE_SKEWED))
        sizes = [(level, size_at(level, SIZES_WHERE_SKEWED[fewest])) for level in levels]
        yield Finding(
            "skewness-unseen",
            "warning" if sample.n < FEW_FOR_ANY else "info",
            f"So few instances of a system ({sample.n:,}) do not show whether its scores are skewed. If they are, "
            "p-values can be too small: for instance, where those of one system are lognormal, a system that is not "
            f"better is called so about {sizes_text(sizes)}.",
            where=where,
            remedy=_DOUBT if sample.n < FEW_FOR_ANY else "",
        )


def _relevant_skewness(sample: UnpairedScores, *, alike: bool) -> float:
    """Skewness of the difference of the means; if `alike`, that of the pooled standardised scores, where it is more."""
    own = skewness_of_difference(sample)
    if not alike or sample.n < 2:
        return own
    spreads = [float(np.std(np.sort(scores))) for scores in (sample.a, sample.b)]
    units = [
        (np.sort(scores) - np.sort(scores).mean()) / spread
        for scores, spread in zip((sample.a, sample.b), spreads, strict=True)
        if spread > 0
    ]
    shape = float(np.mean(np.concatenate(units) ** 3))
    v_a, v_b = spreads[0] ** 2 / sample.n_a, spreads[1] ** 2 / sample.n_b
    third = shape * (v_a**1.5 / math.sqrt(sample.n_a) - v_b**1.5 / math.sqrt(sample.n_b))
    pooled = third / (v_a + v_b) ** 1.5
    return pooled if abs(pooled) > abs(own) else own
