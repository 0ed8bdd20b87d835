"""Each value without one cluster, against computing it anew."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.metrics.correlation.coefficients import COEFFICIENTS, correlation
from reportkit.metrics.correlation.leave_cluster_out import leave_cluster_out
from reportkit.metrics.correlation.leave_one_out import leave_one_out

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
