"""The independent units of a corpus metric, and its resamples, shared by all pairs of systems of a dataset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from reportkit.intervals.means.units import Units
from reportkit.null_distributions.random.metric_resamples import MetricResamples
from reportkit.null_distributions.random.streams import hash64
from reportkit.scores.shapes.paired_statistics import PairedStatistics

Floats = NDArray[np.float64]


def unit_counts(paired: PairedStatistics) -> tuple[Floats, Floats]:
    """Counts of A and of B per instance, or summed per cluster if there are clusters, shape (n_units, k) each."""
    counts = _by_unit(np.stack((paired.a, paired.b)), paired.clusters)
    return counts[0], counts[1]


def ratio_units(paired: PairedStatistics) -> Units:
    """Differences of the numerators per unit, and the denominators, of a ratio whose denominators A and B share.

    Sorted and in favour of the system that comes first by name, as for means of scores: the metric is the mean of the
    numerators weighted by the denominators, whose differences are `sums`.
    """
    ratio = paired.measure.ratio
    if ratio is None or not paired.common_denominator:
        raise ValueError(f"{paired.measure.name!r} of {paired.label} is no ratio with a common denominator")
    swapped = paired.system_b < paired.system_a
    a, b = unit_counts(paired)
    numerator, denominator = map(paired.measure.position, ratio)
    forward = paired.measure.higher_is_better != swapped
    sums = (a - b if forward else b - a)[:, numerator] + 0.0
    sizes = a[:, denominator]
    order = np.lexsort((sizes, sums))
    return Units(sums=sums[order], sizes=sizes[order], swapped=swapped)


def resampled_differences(paired: PairedStatistics, seed: int, start: int, stop: int) -> Iterator[Floats]:
    """Oriented differences A minus B on bootstrap resamples number start to stop, in blocks.

    Resamples of instances (of whole clusters, if there are any) are the same for all pairs of systems of a dataset, and
    what is computed once is kept beside the block.

    Yields
    ------
    ndarray
        NaN where the metric of A or of B is undefined on a resample.

    Examples
    --------
    >>> from reportkit.metrics.corpus.f_measures import F1
    >>> a, b = np.array([[3.0, 1, 0], [2, 0, 2], [5, 1, 1]]), np.array([[3.0, 2, 0], [2, 1, 2], [4, 1, 2]])
    >>> paired = PairedStatistics(system_a="a", system_b="b", dataset="cb", metric="F1", kind="continuous",
    ...                           a=a, b=b, measure=F1)
    >>> drawn = np.concatenate(list(resampled_differences(paired, 0, 0, 1000)))
    >>> bool(abs(drawn.mean() - paired.value_difference) < 0.01)
    True
    """
    for values in _resamples(paired, seed).blocks(_places([paired]), start, stop):
        yield values[0] - values[1]


def need_resamples(pairs: Sequence[PairedStatistics], seed: int, start: int, stop: int) -> None:
    """Draw resamples number start to stop for pairs of systems of one dataset, and for no others."""
    _resamples(pairs[0], seed).need(_places(pairs), start, stop)


def _places(pairs: Sequence[PairedStatistics]) -> list[int]:
    """Of the systems of some pairs among all of the dataset, in the order of the pairs."""
    names = dict.fromkeys(name for paired in pairs for name in (paired.system_a, paired.system_b))
    return [pairs[0].companions.systems.index(name) for name in names]


def seed_key(paired: PairedStatistics, seed: int) -> tuple[int, ...]:
    """Entropy of the stream: the same for all pairs of systems of a dataset."""
    return (seed, hash64(paired.dataset), hash64(paired.metric))


def _resamples(paired: PairedStatistics, seed: int) -> MetricResamples:
    companions = paired.companions
    key = seed_key(paired, seed)
    if ("resamples", key) not in companions.kept:
        companions.kept["resamples", key] = MetricResamples(
            _by_unit(companions.statistics, paired.clusters), paired.measure.oriented, key
        )
    found: MetricResamples = companions.kept["resamples", key]
    return found


def _by_unit(statistics: Floats, clusters: NDArray[np.int64] | None) -> Floats:
    """Sum counts of shape (n_systems, n, k) over the instances of each cluster, in the order of the clusters."""
    if clusters is None:
        return statistics
    _, codes = np.unique(clusters, return_inverse=True)
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(int(codes.max()) + 1))
    return np.asarray(np.add.reduceat(statistics[:, order], starts, axis=1))
