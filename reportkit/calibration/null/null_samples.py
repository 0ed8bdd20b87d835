"""Samples under the null hypothesis, made from a user's own results."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DesignError
from reportkit.scores.scales import detect_kind
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.paired_statistics import PairedStatistics
from reportkit.scores.shapes.runs import DatasetRuns, PairedRuns
from reportkit.scores.shapes.sample import Sample
from reportkit.settings.arguments import RunsAs

_MOST_SPLITS = 20_000


def paired_by_instances(sample: Sample) -> PairedScores | PairedStatistics:
    """Return the sample, if A and B are paired instance by instance.

    Raises
    ------
    DesignError
        If the two systems are not paired instance by instance by a score or by counts.
    """
    if not isinstance(sample, (PairedScores, PairedStatistics)):
        raise DesignError(
            f"no null hypothesis can be made from {sample.shape} by instances",
            where=sample.label,
            remedy="give scores or counts of the same instances; several runs: calibrate_runs",
        )
    return sample


def independent_units(sample: PairedScores | PairedStatistics) -> NDArray[np.int64]:
    """Code of the independent unit of each instance: its cluster, or itself; shape (n,), codes from 0 without gaps."""
    if sample.clusters is None:
        return np.arange(len(sample.a))
    return np.asarray(np.unique(sample.clusters, return_inverse=True)[1].ravel(), dtype=np.int64)


def swapped_where(sample: PairedScores | PairedStatistics, mask: NDArray[np.bool_]) -> Sample:
    """Exchange what A and B did on some instances.

    Parameters
    ----------
    sample : PairedScores or PairedStatistics
        A and B.
    mask : ndarray of bool of shape (n,)
        Instances.

    Examples
    --------
    >>> sample = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.5, 0.9]), b=np.array([0.1, 0.2]))
    >>> swapped_where(sample, np.array([True, False])).a
    array([0.1, 0.9])
    """
    return sample.exchanged(mask)


def flipped_samples(sample: PairedScores | PairedStatistics, rng: np.random.Generator) -> Iterator[Sample]:
    """Samples in which a fair coin decides for each instance, or whole cluster, whether A and B change places.

    The null hypothesis is that the systems are exchangeable. All differences keep their size; only signs are random, so
    that skewness does not survive: see `recentred_samples`.
    """
    units = independent_units(sample)
    n_units = int(units.max()) + 1
    while True:
        yield swapped_where(sample, (rng.random(n_units) < 0.5)[units])


def recentred_samples(sample: PairedScores | PairedStatistics, rng: np.random.Generator) -> Iterator[Sample]:
    """Samples of differences minus their mean, instances or whole clusters drawn with replacement.

    The null hypothesis is that the mean difference is 0; the differences keep their skewness. The scores of A are the
    differences, those of B are 0.

    Raises
    ------
    DesignError
        For scores whose differences cannot be moved: right or wrong, ordinal, counts of a corpus metric.
    """
    if not isinstance(sample, PairedScores) or sample.kind in ("binary", "ordinal"):
        what = f"{sample.kind} scores" if sample.shape == "paired" else "counts of a corpus metric"
        raise DesignError(
            f"null='recentre' moves differences by their mean, and {what} allow no move",
            where=sample.label,
            remedy="choose null='signflip'",
        )
    units = independent_units(sample)
    order = np.argsort(units, kind="stable")
    sizes = np.bincount(units)
    starts = np.cumsum(sizes) - sizes
    moved = sample.differences - sample.value_difference
    while True:
        drawn = rng.integers(sizes.size, size=sizes.size)
        lengths = sizes[drawn]
        ends = np.cumsum(lengths)
        within = np.arange(ends[-1]) - np.repeat(ends - lengths, lengths)
        rows = order[np.repeat(starts[drawn], lengths) + within]
        yield PairedScores(
            system_a=sample.system_a,
            system_b=sample.system_b,
            dataset=sample.dataset,
            metric=sample.metric,
            kind="continuous",
            higher_is_better=sample.higher_is_better,
            a=moved[rows],
            b=np.zeros(rows.size),
            weights=None if sample.weights is None else sample.weights[rows],
            clusters=None if sample.clusters is None else np.repeat(np.arange(drawn.size), lengths),
        )


def splits_of_runs(n_runs: int, runs_as: RunsAs, rng: np.random.Generator) -> list[tuple[list[int], list[int]]]:
    """Ways to take two disjoint sets of runs of equal size; all of them, or 20,000 random ones if there are more.

    Which of the two sets is called A is decided by a fair coin.

    Examples
    --------
    >>> [len(splits_of_runs(4, runs_as, np.random.default_rng(0))) for runs_as in ("single", "runs")]
    [6, 3]
    """
    size = 1 if runs_as == "single" else n_runs // 2
    number = comb(n_runs, size) * comb(n_runs - size, size) // 2
    found: list[tuple[list[int], list[int]]] = []
    if number <= _MOST_SPLITS:
        for first in combinations(range(n_runs), size):
            rest = [run for run in range(n_runs) if run not in first]
            found += [(list(first), list(second)) for second in combinations(rest, size) if first < second]
    else:
        for _ in range(_MOST_SPLITS):
            order = rng.permutation(n_runs).tolist()
            found.append((order[:size], order[size : 2 * size]))
    coins = rng.random(len(found)) < 0.5
    return [(b, a) if coin else (a, b) for (a, b), coin in zip(found, coins, strict=True)]


def sample_of_runs(
    block: DatasetRuns, system: str, split: tuple[list[int], list[int]], runs_as: RunsAs
) -> PairedScores | PairedRuns:
    """Compare runs of a system with other runs of the same system: a true comparison of A with A."""
    rows = block.scores[block.position(system)]
    a, b = rows[split[0]], rows[split[1]]
    about: dict[str, Any] = {
        "system_a": f"{system}, runs 1",
        "system_b": f"{system}, runs 2",
        "dataset": block.dataset,
        "metric": block.metric,
        "higher_is_better": block.higher_is_better,
    }
    if runs_as == "runs":
        return PairedRuns(**about, kind=block.kind, a=a, b=b, weights=block.weights, clusters=block.clusters)
    clusters, weights = block.clusters, block.weights
    if runs_as == "instances":
        weights = None if weights is None else np.tile(weights, len(a))
        clusters = None if clusters is None else np.tile(clusters, len(a))
        a, b, kind = a.ravel(), b.ravel(), block.kind
    else:
        a, b = a.mean(axis=0), b.mean(axis=0)
        kind = block.kind if block.kind != "binary" else detect_kind(np.stack((a, b)))
    return PairedScores(**about, kind=kind, a=a, b=b, weights=weights, clusters=clusters)
