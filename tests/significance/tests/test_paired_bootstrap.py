"""The paired bootstrap test, its interval and its margin."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.outcome import SMALLEST_P_VALUE
from reportkit.significance.tests.paired_means import bootstrap_interval, bootstrap_margin, paired_bootstrap

PLAN = ResamplingPlan()


def by_enumeration(sums, sizes):
    """Both tails over all n^n resamples of units: ratio at least (at most) twice the observed one, in integers."""
    total, size = sum(sums), sum(sizes)
    above = below = 0
    for drawn in itertools.product(range(len(sums)), repeat=len(sums)):
        excess = sum(sums[i] for i in drawn) * size - 2 * total * sum(sizes[i] for i in drawn)
        above += excess >= 0
        below += excess <= 0
    resamples = len(sums) ** len(sums)
    return above / resamples, below / resamples


def floored(p_value, n):
    """A probability of 0 is given as that of one particular resample."""
    return max(p_value, float(Fraction(1, n**n)))


@pytest.mark.slow
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=6), st.sampled_from([1.0, 0.1, 1 / 3]))
@settings(deadline=None, max_examples=40)
def test_agrees_with_enumeration(pair, values, step):
    """All n^n resamples, n <= 6, with `>=`."""
    n = len(values)
    greater, less = by_enumeration(values, [1] * n)
    outcome = paired_bootstrap(pair([value * step for value in values]), PLAN)
    assert outcome.method == "exact"
    assert outcome.p_min == pytest.approx(n**-n)
    assert (outcome.p_greater, outcome.p_less) == pytest.approx((floored(greater, n), floored(less, n)), rel=1e-9)


@given(
    st.lists(st.tuples(st.integers(-4, 4), st.integers(1, 3)), min_size=1, max_size=5),
)
@settings(deadline=None, max_examples=60)
def test_weights_are_resampled_with_their_instances(pair, units):
    """The ratio of sums of weighted differences and weights."""
    values, weights = zip(*units, strict=True)
    n = len(values)
    sums = [value * weight for value, weight in units]
    greater, less = by_enumeration(sums, weights)
    outcome = paired_bootstrap(pair(values, weights=weights), PLAN)
    assert (outcome.p_greater, outcome.p_less) == pytest.approx((floored(greater, n), floored(less, n)), rel=1e-9)


@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(0, 3)), min_size=1, max_size=12))
@settings(deadline=None, max_examples=60)
def test_clusters_are_drawn_whole(pair, instances):
    """The ratio of sums of differences and sizes, over all resamples of clusters."""
    names = sorted({cluster for _, cluster in instances})
    sums = [sum(value for value, cluster in instances if cluster == name) for name in names]
    sizes = [sum(cluster == name for _, cluster in instances) for name in names]
    greater, less = by_enumeration(sums, sizes)
    values, clusters = zip(*instances, strict=True)
    outcome = paired_bootstrap(pair(values, clusters=clusters), PLAN)
    n = len(names)
    assert (outcome.p_greater, outcome.p_less) == pytest.approx((floored(greater, n), floored(less, n)), rel=1e-9)
    assert (outcome.n_clusters, outcome.p_min) == (n, pytest.approx(n**-n))


def test_equality_counts(counts):
    """3 wins, no loss, n = 100: .081 with `>=` (strict inequality would give .032)."""
    outcome = paired_bootstrap(counts(3, 0, 97), PLAN)
    draws = np.arange(6, 101)
    expected = sum(math.comb(100, k) * 0.03**k * 0.97 ** (100 - k) for k in draws.tolist())
    assert outcome.p_greater == pytest.approx(expected, rel=1e-10)
    assert round(outcome.p_greater, 3) == 0.081


@pytest.mark.parametrize(("n", "smallest"), [(1, 1.0), (4, 1 / 256), (10, 1e-10), (200, SMALLEST_P_VALUE)])
def test_out_of_reach_is_not_zero(pair, n, smallest):
    """Where every difference is the same, no resample reaches twice it: p is that of one resample, never 0."""
    outcome = paired_bootstrap(pair(np.full(n, 0.25)), PLAN)
    assert outcome.p_greater == outcome.p_min == pytest.approx(smallest)
    assert outcome.p_less == 1.0


VALUES = np.random.default_rng(0).exponential(size=60) - 0.8


@pytest.mark.parametrize("fields", [{}, {"weights": np.arange(1.0, 61.0)}, {"clusters": np.arange(60) // 4}])
def test_at_margin_0_it_is_the_test(pair, fields):
    """The same tails."""
    sample = pair(VALUES, **fields)
    outcome, margin = paired_bootstrap(sample, ResamplingPlan()), bootstrap_margin(sample, 0.0)
    assert (margin.p_greater, margin.p_less) == pytest.approx((outcome.p_greater, outcome.p_less), rel=2e-2)


def test_it_rejects_what_lies_outside_its_interval(pair):
    """On either side of both ends."""
    sample = pair(VALUES)
    interval = bootstrap_interval(sample, 0.9)
    step = 0.005 * (interval.high - interval.low)
    assert (
        bootstrap_margin(sample, interval.low - step).p_greater
        < 0.05
        < bootstrap_margin(sample, interval.low + step).p_greater
    )
    assert (
        bootstrap_margin(sample, interval.high + step).p_less
        < 0.05
        < bootstrap_margin(sample, interval.high - step).p_less
    )
