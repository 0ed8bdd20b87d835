"""Relative differences: Fieller's interval by its definition, the t test, and coverage."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.errors import DesignError, SettingsError
from reportkit.significance.effect_sizes import relative_difference
from reportkit.significance.units import student_t_interval
from reportkit.metrics.corpus import ACCURACY
from reportkit.scores.shapes.paired_statistics import PairedStatistics


@given(st.integers(0, 10**6), st.integers(4, 60), st.sampled_from([0.8, 0.95]))
@settings(deadline=None, max_examples=60)
def test_ends_are_where_a_t_test_begins_to_reject(pair, seed, n, level):
    """At the ends rho, the paired t-test of A against rho B has p = 1 - level; 0 is judged as by the t interval."""
    rng = np.random.default_rng(seed)
    b = rng.uniform(0.5, 1.0, n)
    a = b * rng.uniform(0.9, 1.2, n)
    found = relative_difference(pair(a, b), level)
    assert found.estimate == pytest.approx(a.mean() / b.mean() - 1)
    for end in (found.interval.low, found.interval.high):
        assert stats.ttest_rel(a, (1 + end) * b).pvalue == pytest.approx(1 - level, abs=1e-7)
    plain = student_t_interval(pair(a, b), level)
    assert (found.interval.low > 0, found.interval.high < 0) == (plain.low > 0, plain.high < 0)


def test_b_against_a_is_the_inverse_ratio(pair):
    """1 + relative difference turns into its inverse, ends exchanged."""
    rng = np.random.default_rng(1)
    a, b = rng.uniform(1, 2, 30), rng.uniform(1, 2, 30)
    found, back = relative_difference(pair(a, b)), relative_difference(pair(b, a))
    assert (1 + found.estimate) * (1 + back.estimate) == pytest.approx(1)
    assert (1 + found.interval.low) * (1 + back.interval.high) == pytest.approx(1)


def test_lower_is_better(pair):
    """Error rates are negated when they are read: .08 against .10 is 20% better."""
    rng = np.random.default_rng(3)
    b = rng.uniform(0.05, 0.15, 40)
    a = 0.8 * b + rng.uniform(-0.001, 0.001, 40)
    worse, better = relative_difference(pair(a, b)), relative_difference(pair(-a, -b, higher_is_better=False))
    assert better.estimate == pytest.approx(0.2, abs=0.01)
    assert better.estimate == pytest.approx(-worse.estimate)
    assert (better.interval.low, better.interval.high) == pytest.approx((-worse.interval.high, -worse.interval.low))


def test_order_of_rows_clusters_and_weights(pair):
    """To the last digit; clusters of one instance are instances, and weights 1 are none."""
    rng = np.random.default_rng(4)
    a, b, clusters = rng.uniform(0, 1, 24), rng.uniform(0, 1, 24), np.repeat(np.arange(8), 3)
    order = rng.permutation(24)
    assert relative_difference(pair(a, b)) == relative_difference(pair(a[order], b[order]))
    whole = relative_difference(pair(a, b, clusters=clusters))
    assert whole == relative_difference(pair(a[order], b[order], clusters=clusters[order]))
    means = relative_difference(pair(a.reshape(8, 3).mean(axis=1), b.reshape(8, 3).mean(axis=1)))
    assert (whole.interval.low, whole.interval.high) == pytest.approx((means.interval.low, means.interval.high))
    single = relative_difference(pair(a, b, clusters=np.arange(24), weights=np.ones(24)))
    assert single.interval.low == pytest.approx(relative_difference(pair(a, b)).interval.low)


def corpus(a, b, totals):
    """An accuracy of sums, which is a ratio."""
    return PairedStatistics(
        system_a="a",
        system_b="b",
        dataset="cb",
        metric="accuracy",
        kind="continuous",
        a=np.column_stack([a, totals]),
        b=np.column_stack([b, totals]),
        measure=ACCURACY,
    )


def test_corpus_metrics(pair):
    """With equal totals an accuracy of sums is a mean, and has its interval; with others the ends lie near those."""
    rng = np.random.default_rng(5)
    a, b = rng.integers(3, 11, 40).astype(float), rng.integers(2, 11, 40).astype(float)
    found, expected = relative_difference(corpus(a, b, np.full(40, 10.0))), relative_difference(pair(a, b))
    assert found.estimate == pytest.approx(expected.estimate)
    assert (found.interval.low, found.interval.high) == pytest.approx((expected.interval.low, expected.interval.high))
    totals = rng.integers(10, 14, 40).astype(float)
    other, near = relative_difference(corpus(a, b, totals)), relative_difference(pair(a, b))
    assert other.estimate == pytest.approx(near.estimate)  # the totals cancel
    assert other.interval.low == pytest.approx(near.interval.low, abs=0.01)
    assert relative_difference(corpus(2 * b, b, np.full(40, 30.0))).interval is None


def test_unknown(pair):
    """B near 0 leaves everything open; a constant ratio, or a single instance, has no interval."""
    open_ = relative_difference(pair([0.4, 0.5, 0.9], [0.0, 0.0, 0.1]))
    assert (open_.interval.low, open_.interval.high) == (-math.inf, math.inf)
    assert relative_difference(pair([0.2, 0.4, 0.8], [0.1, 0.2, 0.4])).interval is None
    assert relative_difference(pair([0.2], [0.1])).interval is None
    assert relative_difference(pair([0.2], [0.1])).estimate == pytest.approx(1.0)


def test_refused(pair):
    """What has no ratio, and a level that makes no sense."""
    with pytest.raises(DesignError, match="both signs"):
        relative_difference(pair([-0.1, 0.2], [0.1, 0.1]))
    with pytest.raises(DesignError, match="the score of 'b' is 0"):
        relative_difference(pair([0.1, 0.2]))
    with pytest.raises(DesignError, match="ordinal"):
        relative_difference(pair([1.0, 2.0], [1.0, 1.0], kind="ordinal"))
    with pytest.raises(SettingsError, match="level is 0"):
        relative_difference(pair([0.1, 0.2], [0.1, 0.1]), confidence_level=0)


@pytest.mark.slow
def test_coverage(pair):
    """Of 4,000 samples of 25 instances, the interval holds the true ratio in about 95%."""
    rng, held = np.random.default_rng(6), 0
    for _ in range(4_000):
        common = rng.normal(0, 0.1, 25)
        a, b = 0.66 + common + rng.normal(0, 0.05, 25), 0.6 + common + rng.normal(0, 0.05, 25)
        interval = relative_difference(pair(a, b)).interval
        held += interval.low <= 0.1 <= interval.high
    assert held / 4_000 == pytest.approx(0.95, abs=4 * math.sqrt(0.05 * 0.95 / 4_000))
