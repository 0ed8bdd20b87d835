"""Each value without one instance, against computing it anew."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.metrics.correlation.coefficients import COEFFICIENTS, correlation
from reportkit.metrics.correlation.leave_one_out import leave_one_out

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
