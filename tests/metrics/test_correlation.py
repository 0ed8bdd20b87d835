"""Correlations against SciPy, with and without instances and clusters."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.metrics.correlation import (
    COEFFICIENTS,
    TITLES,
    concordance,
    correlation,
    leave_cluster_out,
    leave_one_out,
    named_coefficient,
    ranked,
)

pairs = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=40)


@pytest.mark.parametrize("name", COEFFICIENTS)
@given(values=pairs)
@settings(deadline=None)
def test_coefficients_are_those_of_scipy(of_scipy, name, values):
    """With ties; NaN where one of the two is constant."""
    x, y = (np.array(column) / 7 for column in zip(*values, strict=True))
    assert correlation(x, y, name) == pytest.approx(of_scipy(x, y, name), abs=1e-13, nan_ok=True)


@pytest.mark.parametrize("name", COEFFICIENTS)
@given(values=pairs, random=st.randoms(use_true_random=False))
@settings(deadline=None)
def test_order_direction_and_units(name, values, random):
    """To the last digit the same in any order; negated predictions have the negative; units do not matter."""
    x, y = (np.array(column) / 7 for column in zip(*values, strict=True))
    r = correlation(x, y, name)
    order = np.array(random.sample(range(x.size), x.size))
    if math.isnan(r):
        assert math.isnan(correlation(-x[order], y[order], name))
        return
    assert correlation(x[order], y[order], name) == r
    assert correlation(y, x, name) == r
    assert correlation(-x, y, name) == -r
    assert correlation(2e-290 * x, 4e250 * y, name) == pytest.approx(r, abs=1e-13)
    assert correlation(x + 3, y - 1, name) == pytest.approx(r, abs=1e-13)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_limits(name):
    """Exactly 1 and -1 for the same and the opposite order in equal steps; NaN for constants and a single instance."""
    x = np.arange(30.0) / 7
    assert correlation(x, 3 * x + 1, name) == pytest.approx(1.0, abs=1e-15)
    assert abs(correlation(x, -x, name) + 1) < 1e-15
    assert math.isnan(correlation(x, np.full(30, 0.1), name))
    assert math.isnan(correlation(np.array([0.3] * 29 + [0.1 + 0.2]), x, name))
    assert math.isnan(correlation(np.array([1.0]), np.array([2.0]), name))


def test_a_far_mean_costs_no_digits():
    """Predictions around 1e9 with differences of 1: exactly the correlation of the differences."""
    x, y = np.arange(10.0), np.array([2.0, 1, 4, 3, 7, 5, 6, 9, 8, 10])
    assert correlation(x + 1e9, y, "pearson") == pytest.approx(correlation(x, y, "pearson"), abs=1e-15)


def test_names():
    """In any case; other metrics are no coefficients; every coefficient has a title."""
    assert [named_coefficient(name) for name in ("KENDALL", " Pearson ", "accuracy", None)] == [
        "kendall",
        "pearson",
        None,
        None,
    ]
    assert set(TITLES) == set(COEFFICIENTS)


pairs = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=40)


@given(pairs)
def test_counts_are_those_of_all_pairs(values):
    """With ties in either order, and in both."""
    x, y = (np.array(column, dtype=np.float64) for column in zip(*values, strict=True))
    sign_x, sign_y = (np.sign(v[:, None] - v[None, :]) for v in (x, y))
    counts = concordance(ranked(x), ranked(y))
    assert (counts.signs == (sign_x * sign_y).sum(axis=0)).all()
    others = ~np.eye(x.size, dtype=bool)
    assert (counts.above == (((sign_x + 1) / 2) * ((sign_y + 1) / 2) * others).sum(axis=0)).all()


def test_a_large_sample():
    """Levels of the merge beyond the small cases; Kendall's tau of SciPy as the truth."""
    from scipy import stats

    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 500, 5000).astype(float), rng.normal(size=5000)
    counts = concordance(ranked(x), ranked(y))
    x_pairs = 5000 * 4999 / 2 - sum(t * (t - 1) / 2 for t in np.bincount(x.astype(int)))
    tau = counts.signs.sum() / 2 / np.sqrt(x_pairs * 5000 * 4999 / 2)
    assert abs(tau - stats.kendalltau(x, y).statistic) < 1e-14


rows = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 5)), min_size=2, max_size=30)


@pytest.mark.parametrize("name", COEFFICIENTS)
@given(values=rows)
@settings(deadline=None, max_examples=60)
def test_every_value_is_that_of_scipy_without_the_cluster(of_scipy, name, values):
    """In the order of the codes; NaN where nothing is left that varies."""
    x, y, clusters = (np.array(column) for column in zip(*values, strict=True))
    x, y = x / 7, y / 7
    expected = [of_scipy(x[clusters != c], y[clusters != c], name) for c in np.unique(clusters)]
    assert leave_cluster_out(x, y, clusters, name) == pytest.approx(expected, abs=1e-13, nan_ok=True)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_clusters_of_one_instance_are_instances(name):
    """The two ways agree."""
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=80), rng.integers(0, 9, 80).astype(float)
    assert leave_cluster_out(x, y, np.arange(80), name) == pytest.approx(leave_one_out(x, y, name), abs=1e-14)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("outlier", [1e3, 1e8, 1e300])
def test_a_cluster_of_outliers_costs_no_digits(name, outlier):
    """Without a cluster that holds nearly all the variance, the rest is what it is by itself."""
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(2, 40))
    clusters = np.arange(40) // 4
    x[8:12], y[8:12] = outlier * rng.normal(size=(2, 4))
    kept = clusters != 2
    assert leave_cluster_out(x, y, clusters, name)[2] == pytest.approx(correlation(x[kept], y[kept], name), abs=1e-14)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_thousands_of_clusters(name):
    """2,000 clusters of 5,000 instances: the value without one of them is that of the rest."""
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=5000), rng.integers(0, 40, 5000).astype(float)
    clusters = rng.integers(0, 2000, 5000)
    values = leave_cluster_out(x, y, clusters, name)
    kept = clusters != 7
    place = int(np.flatnonzero(np.unique(clusters) == 7)[0])
    assert values[place] == pytest.approx(correlation(x[kept], y[kept], name), abs=1e-14)


pairs = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=30)


@pytest.mark.parametrize("name", COEFFICIENTS)
@given(values=pairs)
@settings(deadline=None, max_examples=60)
def test_every_value_is_that_of_scipy_without_the_instance(of_scipy, name, values):
    """Ranks are those of the other instances; NaN where these are constant."""
    x, y = (np.array(column) / 7 for column in zip(*values, strict=True))
    expected = [of_scipy(np.delete(x, j), np.delete(y, j), name) for j in range(x.size)]
    assert leave_one_out(x, y, name) == pytest.approx(expected, abs=1e-13, nan_ok=True)


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("outlier", [1e3, 1e8, 1e15, 1e300])
def test_an_outlier_costs_no_digits(name, outlier):
    """Without an instance that holds nearly all the variance, the rest is what it is by itself."""
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=50), rng.normal(size=50)
    x[7], y[7] = outlier, outlier
    kept = np.arange(50) != 7
    assert leave_one_out(x, y, name)[7] == pytest.approx(correlation(x[kept], y[kept], name), abs=1e-14)


@pytest.mark.parametrize("name", ["spearman", "kendall"])
def test_rank_correlations_of_real_predictions(shared, of_scipy, name):
    """Rubenstein and Goodenough, 65 pairs with many ties: every leave-one-out sample by SciPy."""
    import pandas as pd

    frame = pd.read_parquet(shared / "data" / "sematch" / "data.parquet")
    frame = frame[(frame.dataset == "noun_rg") & (frame.system == "path")]
    x, y = frame.score.to_numpy(), frame.gold.to_numpy()
    expected = [of_scipy(np.delete(x, j), np.delete(y, j), name) for j in range(x.size)]
    assert leave_one_out(x, y, name) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_a_hundred_thousand_instances(name):
    """All pairs of them, 10^10, would fit into no memory."""
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=100_000), rng.integers(0, 1000, 100_000).astype(float)
    values = leave_one_out(x, y, name)
    kept = np.arange(100_000) != 99
    assert values[99] == pytest.approx(correlation(x[kept], y[kept], name), abs=1e-14)


@pytest.mark.slow
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=40))
def test_midranks_are_those_of_scipy(values):
    """Ties share the mean of their ranks."""
    values = np.array(values, dtype=np.float64)
    assert (ranked(values).midranks == stats.rankdata(values)).all()


def test_decimals_that_are_meant_to_be_equal_are_tied():
    """0.1 + 0.2 is 0.3, at any scale, and -0.0 is 0; values that differ in the tenth digit are not tied."""
    for scale in (1.0, 1e-300, 1e290, -7.0):
        assert np.unique(ranked(scale * np.array([0.3, 0.1 + 0.2, 0.4])).codes).size == 2
    assert np.unique(ranked(np.array([0.0, -0.0])).codes).size == 1
    assert np.unique(ranked(np.array([0.3, 0.3000000001])).codes).size == 2


def test_small_values_beside_large_ones_are_not_tied():
    """Digits count from the first digit of each value, not of the largest."""
    assert (ranked(np.array([1e-30, 2e-30, 1e30])).midranks == [1, 2, 3]).all()


@pytest.mark.parametrize("value", [np.finfo(float).max, -np.finfo(float).max, 5e-324])
def test_the_ends_of_the_range_stay_finite(value):
    """Rounding up leaves no value infinite, and none 0."""
    assert (ranked(np.array([value, 0.0, -value])).counts == [1, 1, 1]).all()
