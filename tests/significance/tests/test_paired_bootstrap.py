"""The paired bootstrap against enumeration of all resamples, and Monte Carlo against both."""

import dataclasses
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.significance.outcome import SMALLEST_P_VALUE
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests import paired_bootstrap as module
from reportkit.significance.tests.paired_bootstrap import paired_bootstrap

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
@settings(deadline=None, max_examples=80)
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


def test_identical_systems_have_p_one(pair):
    """All resamples reach twice 0."""
    outcome = paired_bootstrap(pair([0.0, 0.0, 0.0]), PLAN)
    assert (outcome.p_greater, outcome.p_less) == (1.0, 1.0)


@pytest.mark.parametrize(("n", "smallest"), [(1, 1.0), (4, 1 / 256), (10, 1e-10), (200, SMALLEST_P_VALUE)])
def test_out_of_reach_is_not_zero(pair, n, smallest):
    """Where every difference is the same, no resample reaches twice it: p is that of one resample, never 0."""
    outcome = paired_bootstrap(pair(np.full(n, 0.25)), PLAN)
    assert outcome.p_greater == outcome.p_min == pytest.approx(smallest)
    assert outcome.p_less == 1.0


@pytest.fixture
def monte_carlo_only(monkeypatch):
    """Return a function after whose call every exact computation gives up."""
    return lambda: monkeypatch.setattr(
        module.null_distributions, "bootstrap_tails", lambda rows, **options: [None] * len(rows)
    )


def test_monte_carlo_agrees_with_the_exact_test(pair, monte_carlo_only):
    """Both tails lie within four standard errors of the exact ones; weights and clusters too."""
    rng = np.random.default_rng(21)
    pairs = [pair(np.round(rng.normal(0.15, 1, n), 2), dataset=f"d{n}") for n in (3, 30, 200)]
    pairs += [
        pair(p.a, dataset=p.dataset, clusters=np.arange(p.n) % 11, weights=rng.integers(1, 4, p.n)) for p in pairs
    ]
    exact = [paired_bootstrap(paired, PLAN) for paired in pairs]
    monte_carlo_only()
    for paired, truth in zip(pairs, exact, strict=True):
        drawn = paired_bootstrap(dataclasses.replace(paired), PLAN)  # the exact tail is forgotten
        assert (drawn.method, drawn.n_resamples) == ("Monte Carlo", 9_999)
        assert drawn.p_min == pytest.approx(max(1e-4, truth.p_min))
        assert truth.method == "exact"
        for estimate, p_value in ((drawn.p_greater, truth.p_greater), (drawn.p_less, truth.p_less)):
            assert estimate == pytest.approx(p_value, abs=4 * math.sqrt(p_value * (1 - p_value) / 9_999) + 1e-4)


def test_monte_carlo_counts_the_observed_data(pair, monte_carlo_only):
    """(s + 1) / (b + 1): never 0, and 1 for identical systems."""
    monte_carlo_only()
    assert paired_bootstrap(pair(np.full(50, 0.25)), PLAN).p_greater == 1e-4
    assert paired_bootstrap(pair(np.zeros(50)), PLAN).p_greater == 1.0


def test_monte_carlo_depends_on_neither_order_nor_names(pair, monte_carlo_only):
    """Rows in another order give the same p-values; B against A exactly the swapped ones."""
    monte_carlo_only()
    rng = np.random.default_rng(12)
    a, b = np.round(rng.random(50), 3), np.round(rng.random(50), 3)
    clusters, weights = rng.integers(0, 12, 50), rng.integers(1, 9, 50) / 8
    for extra in ({}, {"weights": weights}, {"clusters": clusters}, {"weights": weights, "clusters": clusters}):
        outcome, order = paired_bootstrap(pair(a, b, **extra), PLAN), rng.permutation(50)
        mixed = {name: values[order] for name, values in extra.items()}
        again = paired_bootstrap(pair(a[order], b[order], **mixed), PLAN)
        swapped = paired_bootstrap(pair(b[order], a[order], names=("b", "a"), **mixed), PLAN)
        assert (again.p_greater, again.p_less) == (outcome.p_greater, outcome.p_less)
        assert (swapped.p_greater, swapped.p_less) == (outcome.p_less, outcome.p_greater)
