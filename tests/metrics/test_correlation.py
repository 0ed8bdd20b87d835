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
    correlation,
    leave_out,
    midranks,
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


def test_a_far_mean_costs_no_digits():
    """Predictions around 1e9 with differences of 1: exactly the correlation of the differences."""
    x, y = np.arange(10.0), np.array([2.0, 1, 4, 3, 7, 5, 6, 9, 8, 10])
    assert correlation(x + 1e9, y, "pearson") == pytest.approx(correlation(x, y, "pearson"), abs=1e-15)


pairs = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=40)


@pytest.mark.parametrize("name", COEFFICIENTS)
@given(values=pairs, random=st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_each_instance_or_cluster_is_left_out(name, values, random):
    """By definition, the coefficient of the others, ranks anew; NaN where these are constant."""
    x, y = (np.array(column) / 7 for column in zip(*values, strict=True))
    expected = [correlation(np.delete(x, i), np.delete(y, i), name) for i in range(x.size)]
    assert leave_out(x, y, name) == pytest.approx(expected, abs=1e-13, nan_ok=True)
    clusters = np.array([random.randrange(4) for _ in values])
    expected = [correlation(x[clusters != c], y[clusters != c], name) for c in np.unique(clusters)]
    assert leave_out(x, y, name, clusters) == pytest.approx(expected, abs=1e-13, nan_ok=True)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_a_single_far_instance_costs_no_digits(name):
    """Without an instance that holds all of the variance, the sums are formed anew."""
    x, y = np.random.default_rng(3).normal(size=(2, 40))
    x[7], y[7] = 1e9, -1e9
    kept = np.delete(np.arange(40), 7)
    assert leave_out(x, y, name)[7] == pytest.approx(correlation(x[kept], y[kept], name), abs=1e-14)
    assert leave_out(x, y, name, np.arange(40)) == pytest.approx(leave_out(x, y, name), abs=1e-14)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=30))
def test_midranks_are_those_of_scipy(values):
    """Ties share the mean of their ranks."""
    assert (midranks(np.array(values) / 7) == stats.rankdata(values)).all()


def test_values_that_agree_to_twelve_digits_are_tied():
    """At any scale; near the limits of a float too, and zero has one sign."""
    for scale in (1e-300, 1.0, 1e300):
        assert midranks(scale * np.array([0.3, 0.1 + 0.2, 0.4])).tolist() == [1.5, 1.5, 3]
    assert midranks(np.array([0.0, -0.0, 0.3, 0.3000000001])).tolist() == [1.5, 1.5, 3, 4]
    largest = np.finfo(float).max
    assert midranks(np.array([largest, 0.0, -largest, 1e-30])).tolist() == [4, 2, 1, 3]
