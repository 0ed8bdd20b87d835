"""Samples under the null hypothesis, made from a user's own results, and p-values of a test on many of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from reportkit.calibration.plan import StudyPlan
from reportkit.errors import DesignError
from reportkit.scores.sample import Sample
from reportkit.significance.catalogue import entry_for
from reportkit.significance.choose import choose
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.outcome import Outcome

_SAMPLES = 64
"""Samples held at once."""


def paired_by_instances(sample: Sample) -> Sample:
    """Return the sample, if A and B are paired instance by instance.

    Raises
    ------
    DesignError
        If the two systems are not paired instance by instance by a score or by counts.
    """
    if sample.shape not in ("paired", "corpus"):
        raise DesignError(
            f"no null hypothesis can be made from {sample.shape} by instances",
            where=sample.label,
            remedy="give scores or counts of the same instances; average over the runs first",
        )
    return sample


def independent_units(sample: Sample) -> NDArray[np.int64]:
    """Return the code of the independent unit of each instance: its cluster, or itself; codes from 0 without gaps."""
    if sample.clusters is None:
        return np.arange(len(sample.a))
    return np.asarray(np.unique(sample.clusters, return_inverse=True)[1].ravel(), dtype=np.int64)


def flipped_samples(sample: Sample, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield samples in which a fair coin decides for each instance, or whole cluster, whether A and B change places.

    The null hypothesis is that the systems are exchangeable. All differences keep their size; only signs are random, so
    that skewness does not survive: see `recentred_samples`.
    """
    units = independent_units(sample)
    n_units = int(units.max()) + 1
    while True:
        yield sample.exchanged((rng.random(n_units) < 0.5)[units])


def recentred_samples(sample: Sample, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield samples of differences minus their mean, instances or whole clusters drawn with replacement.

    The null hypothesis is that the mean difference is 0; the differences keep their skewness. The scores of A are the
    differences, those of B are 0.

    Raises
    ------
    DesignError
        For scores whose differences cannot be moved: right or wrong, ordinal, counts of a corpus metric.
    """
    if sample.shape != "paired" or sample.kind in ("binary", "ordinal"):
        what = f"{sample.kind} scores" if sample.shape == "paired" else "counts of a corpus metric"
        raise DesignError(
            f"null='recentre' moves differences by their mean, and {what} allow no move",
            where=sample.label,
            remedy="choose null='signflip'",
        )
    units = independent_units(sample)
    order, sizes = np.argsort(units, kind="stable"), np.bincount(units)
    starts = np.cumsum(sizes) - sizes
    moved = sample.differences - sample.value_difference
    while True:
        drawn = rng.integers(sizes.size, size=sizes.size)
        lengths = sizes[drawn]
        ends = np.cumsum(lengths)
        rows = order[np.repeat(starts[drawn] - ends + lengths, lengths) + np.arange(ends[-1])]
        yield replace(
            sample,
            kind="continuous",
            a=moved[rows],
            b=np.zeros(rows.size),
            weights=None if sample.weights is None else sample.weights[rows],
            clusters=None if sample.clusters is None else np.repeat(np.arange(drawn.size), lengths),
        )


def selected_test(sample: Sample, plan: StudyPlan) -> str:
    """Return the name of the test that is calibrated: the user's, or the one that the decision table chooses.

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
    name = choose(sample, plan.profile).test if plan.test is None else plan.test
    entry_for(name, sample).check(sample)
    return name


def replicated_p_values(
    samples: Iterable[Sample], test: str, n_replicates: int, n_resamples: int, seed: int
) -> tuple[NDArray[np.float64], int]:
    """Run one test on many samples, several at once where it can.

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

    Returns
    -------
    p_values : ndarray of shape (2, n_replicates)
        One-sided, in favour of A and in favour of B, in (0, 1].
    n_without_variance : int
        Replicates on which the test could not be computed because nothing varied; they count as p = 1.
    """
    values, n_without_variance, taken = np.ones((2, n_replicates)), 0, iter(samples)
    for number, start in enumerate(range(0, n_replicates, _SAMPLES)):
        block = list(islice(taken, min(_SAMPLES, n_replicates - start)))
        plan = ResamplingPlan(n_resamples=n_resamples, seed=seed + number, max_resamples=n_resamples)
        differing = [(place, sample) for place, sample in enumerate(block, start) if not sample.identical]
        outcomes = _outcomes(test, [sample for _, sample in differing], plan)
        for (place, _), outcome in zip(differing, outcomes, strict=True):
            if outcome is None:
                n_without_variance += 1
            else:
                values[:, place] = outcome.p_greater, outcome.p_less
    return values, n_without_variance


def _outcomes(test: str, samples: Sequence[Sample], plan: ResamplingPlan) -> list[Outcome | None]:
    """Run a test on many samples; None where it cannot be computed because nothing varies."""
    try:
        return [*entry_for(test, samples[0]).run_all(samples, plan)] if samples else []
    except DesignError:  # the design was checked before: only a variance can be lacking
        return [None] if len(samples) == 1 else [one for each in samples for one in _outcomes(test, [each], plan)]
