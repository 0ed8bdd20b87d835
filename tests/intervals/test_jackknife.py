"""The jackknife of a function of sums."""

import math

import numpy as np
import pytest

from reportkit.significance.corpus import (
    corpus_design_effect,
    jackknife,
    jackknife_standard_error,
    jackknife_t_interval,
)
from reportkit.metrics.corpus import BLEU
from reportkit.metrics.corpus import F1
from reportkit.metrics.corpus import ACCURACY
from reportkit.scores.shapes.paired_statistics import PairedStatistics


def _paired(a, b, measure=F1, **fields):
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


def _counts(rng, n, measure):
    counts = np.sort(rng.integers(0, 30, size=(2, n, len(measure.columns))), axis=-1).astype(float)
    return counts[0], counts[1]


@pytest.mark.parametrize("measure", [F1, BLEU], ids=lambda m: m.name)
@pytest.mark.parametrize("clusters", [None, np.repeat(np.arange(9), [1, 2, 3, 4, 5, 6, 7, 8, 4])])
def test_against_leaving_out_by_hand(measure, clusters):
    """Each instance, or each cluster, is deleted and the metric computed anew."""
    a, b = _counts(np.random.default_rng(1), 40, measure)
    result = jackknife(_paired(a, b, measure, clusters=clusters))
    groups = np.arange(40) if clusters is None else clusters
    by_hand = []
    for group in np.unique(groups):
        rest = groups != group
        by_hand.append(float(measure(a[rest].sum(axis=0))) - float(measure(b[rest].sum(axis=0))))
    assert result.left_out == pytest.approx(by_hand, rel=1e-11, abs=1e-12)
    n = len(by_hand)
    assert result.standard_error == pytest.approx(math.sqrt((n - 1) * np.var(by_hand)), rel=1e-9)


def test_of_a_mean_it_is_the_usual_standard_error():
    """Accuracy with equal totals is a mean of scores: se = s / sqrt(n), no acceleration but skewness / 6 sqrt(n)."""
    correct = np.array([[9, 7, 8, 4, 6], [8, 7, 5, 4, 9]], dtype=float)
    a, b = (np.column_stack((row, np.full(5, 10.0))) for row in correct)
    d = (correct[0] - correct[1]) / 10
    result = jackknife(_paired(a, b, ACCURACY))
    assert result.standard_error == pytest.approx(d.std(ddof=1) / math.sqrt(5), rel=1e-12)
    centred = d - d.mean()
    skewness = (centred**3).mean() / (centred**2).mean() ** 1.5
    assert result.acceleration == pytest.approx(skewness / (6 * math.sqrt(5)), rel=1e-9)


def test_where_the_data_say_nothing_about_the_variance():
    """One instance; equal instances; a metric that is undefined without one of them."""
    assert jackknife_standard_error(_paired([[3, 1, 1]], [[2, 1, 1]])) is None
    same = np.tile([3.0, 1, 1], (6, 1)), np.tile([2.0, 1, 1], (6, 1))
    assert jackknife_standard_error(_paired(*same)) is None
    assert jackknife_t_interval(_paired(*same)) is None
    undefined = [[3, 4], [0, 0]], [[1, 4], [0, 0]]
    assert jackknife_standard_error(_paired(*undefined, ACCURACY)) is None


def test_design_effect():
    """Variance with whole clusters by that of single instances; nothing to say without clusters."""
    a, b = _counts(np.random.default_rng(4), 40, F1)
    clusters = np.repeat(np.arange(10), 4)
    whole, single = (_paired(a, b, clusters=groups) for groups in (clusters, None))
    expected = (jackknife(whole).standard_error / jackknife(single).standard_error) ** 2
    assert corpus_design_effect(whole) == expected
    assert corpus_design_effect(single) is None


def test_swap():
    """B against A has the negative interval."""
    a, b = _counts(np.random.default_rng(2), 30, F1)
    there, back = jackknife_t_interval(_paired(a, b)), jackknife_t_interval(_paired(b, a))
    assert (back.low, back.high) == (-there.high, -there.low)
