"""Counts of two systems."""

import numpy as np

from reportkit.metrics.corpus.proportions import ACCURACY, WER
from reportkit.scores.shapes.paired_statistics import PairedStatistics


def _paired(a, b, measure=ACCURACY, **fields):
    return PairedStatistics(
        system_a="a",
        system_b="b",
        dataset="cb",
        metric=measure.title,
        kind="continuous",
        higher_is_better=measure.higher_is_better,
        a=np.asarray(a, dtype=float),
        b=np.asarray(b, dtype=float),
        measure=measure,
        **fields,
    )


def test_values_are_oriented():
    """A lower error rate is better."""
    counts = [[1, 4], [2, 4]], [[3, 4], [2, 4]]
    right, wrong = _paired(*counts), _paired(*counts, WER)
    assert (right.value_a, right.value_b, right.value_difference) == (0.375, 0.625, -0.25)
    assert (wrong.value_a, wrong.value_difference, wrong.as_given(wrong.value_a)) == (-0.375, 0.25, 0.375)
    assert right.in_percent


def test_what_differs():
    """Counts, not values, decide whether two systems are identical."""
    paired = _paired([[1, 4], [2, 4]], [[2, 4], [1, 4]])
    assert paired.value_difference == 0
    assert not paired.identical
    assert paired.differing.tolist() == [True, True]
    assert _paired([[1, 4]], [[1, 4]]).identical
    assert paired.common_denominator
    assert not _paired([[1, 4]], [[1, 5]]).common_denominator


def test_two_alone_are_their_own_companions():
    """So that a pair made by hand can be tested."""
    companions = _paired([[1, 4]], [[1, 5]]).companions
    assert companions.systems == ("a", "b")
    assert companions.statistics.tolist() == [[[1, 4]], [[1, 5]]]
