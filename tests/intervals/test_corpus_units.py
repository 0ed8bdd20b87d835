"""Units of a corpus metric, and its resamples."""

import numpy as np
import pytest

from reportkit.significance.corpus import ratio_units, resampled_differences, unit_counts
from reportkit.metrics.corpus import F1
from reportkit.metrics.corpus import ACCURACY, WER
from reportkit.scores.shapes.paired_statistics import Companions, PairedStatistics


def _paired(a, b, measure=F1, names=("a", "b"), **fields):
    return PairedStatistics(
        system_a=names[0],
        system_b=names[1],
        dataset="cb",
        metric=measure.title,
        kind="continuous",
        higher_is_better=measure.higher_is_better,
        a=np.asarray(a, dtype=float),
        b=np.asarray(b, dtype=float),
        measure=measure,
        **fields,
    )


def test_counts_are_summed_by_cluster():
    """In the order of the clusters, whatever that of the instances is."""
    a, b = np.arange(12.0).reshape(4, 3), np.ones((4, 3))
    summed, _ = unit_counts(_paired(a, b, clusters=np.array([5, 2, 5, 2])))
    assert summed.tolist() == [(a[1] + a[3]).tolist(), (a[0] + a[2]).tolist()]
    assert unit_counts(_paired(a, b))[0] is not None


def test_resamples_are_shared_by_pairs():
    """What is drawn for one pair is what another one sees, and what a pair alone sees."""
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 9, size=(3, 50, 3)).astype(float)
    companions = Companions(systems=("a", "b", "c"), statistics=counts)
    drawn = {}
    for x, y in (("a", "b"), ("b", "c"), ("a", "c")):
        pair = _paired(counts["abc".index(x)], counts["abc".index(y)], names=(x, y), companions=companions)
        drawn[x + y] = np.concatenate(list(resampled_differences(pair, 7, 0, 500)))
    assert drawn["ab"] + drawn["bc"] == pytest.approx(drawn["ac"], abs=1e-14)
    assert len(companions.kept) == 1
    alone = np.concatenate(list(resampled_differences(_paired(counts[0], counts[1]), 7, 0, 500)))
    assert np.array_equal(alone, drawn["ab"])


def test_units_of_a_ratio():
    """In favour of the system that comes first by name, oriented, sorted."""
    a, b = [[9, 10], [4, 5], [3, 3]], [[7, 10], [5, 5], [3, 3]]
    units = ratio_units(_paired(a, b, ACCURACY))
    assert (units.sums.tolist(), units.sizes.tolist(), units.swapped) == ([-1, 0, 2], [5, 3, 10], False)
    units = ratio_units(_paired(a, b, ACCURACY, names=("z", "b")))
    assert (units.sums.tolist(), units.swapped) == ([-2, 0, 1], True)
    assert ratio_units(_paired(a, b, WER)).sums.tolist() == [-2, 0, 1]
    with pytest.raises(ValueError, match="no ratio with a common denominator"):
        ratio_units(_paired([[9, 10]], [[9, 11]], ACCURACY))
