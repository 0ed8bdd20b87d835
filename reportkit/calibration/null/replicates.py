"""P-values of one test on many simulated samples, in blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from reportkit.calibration.streams import Progress, silent
from reportkit.errors import DesignError
from reportkit.scores.shapes.sample import Sample
from reportkit.settings import Profile
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, entry_for, run_test
from reportkit.significance.choose import choose
from reportkit.significance.plan import ResamplingPlan

_SAMPLES = 64
"""Samples held at once."""


@dataclass(slots=True)
class ReplicatedPValues:
    """One-sided p-values of both directions, one of each per replicate.

    Parameters
    ----------
    p_greater, p_less : ndarray of shape (n_replicates,)
        In favour of A, and in favour of B, in (0, 1].
    n_without_variance : int
        Replicates on which the test could not be computed because nothing varied; they count as p = 1.
    """

    p_greater: NDArray[np.float64]
    p_less: NDArray[np.float64]
    n_without_variance: int = field(default=0)


def selected_test(sample: Sample, test: str | None, profile: Profile) -> str:
    """Name of the test that is calibrated: the user's, or the one that the decision table chooses.

    Raises
    ------
    UnknownNameError
        If there is no such test.
    DesignError
        If it does not fit the scores, or if the two systems are identical, so that there is nothing to calibrate.
    """
    if sample.identical:
        raise DesignError(
            "the two systems score the same everywhere: there is nothing to calibrate",
            where=sample.label,
            remedy="choose two systems that differ",
        )
    name = choose(sample, profile).test if test is None else test
    entry_for(name, sample).check(sample)
    return name


def replicated_p_values(
    samples: Iterable[Sample],
    test: str,
    *,
    n_replicates: int,
    n_resamples: int = 999,
    seed: int = 0,
    progress: Progress = silent,
) -> ReplicatedPValues:
    """Run one test on many samples; what it can compute for several at once, it does.

    Parameters
    ----------
    samples : iterable of Sample
        At least `n_replicates` of them; no more are taken.
    test : str
        Name of a test.
    n_replicates : int
        Number of samples.
    n_resamples : int
        Random resamples of a test that draws them; the stream is another one for each block of samples, so that the
        share of rejections is not that of one lucky draw.
    seed : int
        Seed of these streams.
    progress : callable
        Called with (done, total).

    Returns
    -------
    ReplicatedPValues
    """
    entry = SIGNIFICANCE_TESTS[test]
    values = np.ones((2, n_replicates))
    n_without_variance = done = 0
    for number, block in enumerate(_blocks(islice(samples, n_replicates))):
        plan = ResamplingPlan(n_resamples=n_resamples, seed=seed + number, max_resamples=n_resamples)
        differing = [(place, sample) for place, sample in enumerate(block) if not sample.identical]
        together = [sample for _, sample in differing]
        if entry.ahead is not None and len(together) > 1:
            entry.ahead(together, plan)
        for place, sample in differing:
            try:
                outcome = run_test(test, sample, plan)
            except DesignError:  # the design was checked before: only a variance can be lacking
                n_without_variance += 1
                continue
            values[:, done + place] = outcome.p_greater, outcome.p_less
        done += len(block)
        progress(done, n_replicates)
    return ReplicatedPValues(values[0, :done], values[1, :done], n_without_variance)


def _blocks(samples: Iterator[Sample]) -> Iterator[list[Sample]]:
    while block := list(islice(samples, _SAMPLES)):
        yield block
