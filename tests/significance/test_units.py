"""Units of a comparison and Student's t."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS, WLS

from reportkit.scores.designs import sorted_units
from reportkit.significance.units import estimate_mean, student_t_interval


@pytest.fixture
def scores():
    """Scores with ties, weights and clusters."""
    rng = np.random.default_rng(5)
    return {
        "a": rng.integers(0, 6, 40) / 10,
        "b": rng.integers(0, 6, 40) / 10,
        "weights": rng.integers(1, 9, 40) / 7,
        "clusters": rng.integers(0, 9, 40),
    }


@pytest.mark.parametrize("fields", [(), ("weights",), ("clusters",), ("weights", "clusters")])
def test_the_mean_is_that_of_the_pair(pair, scores, fields):
    """Sums over sizes are the (weighted) mean difference."""
    paired = pair(scores["a"], scores["b"], **{name: scores[name] for name in fields})
    assert sorted_units(paired).mean == pytest.approx(paired.value_difference, rel=1e-10)


def test_noise_of_subtraction_is_taken_away_and_nothing_else(pair):
    """0.3 - 0.1 is 0.2; a third keeps all its digits, so that two of them are two thirds."""
    decimals = sorted_units(pair([0.3, 0.2, 1000.01, 0.1 + 0.2], [0.1, 0.0, 1000.0, 0.3]))
    np.testing.assert_array_equal(decimals.sums, [0.0, 0.01, 0.2, 0.2])
    thirds = sorted_units(pair([1 / 3, 1 / 3, 0, 1], [0, 0, 2 / 3, 1 / 3]))
    assert thirds.sums[0] + thirds.sums[1] + thirds.sums[2] == 0


def test_clusters_that_cancel_have_the_sum_zero(pair):
    """Whatever the rounding of their parts."""
    units = sorted_units(pair([0.1, 0.2, 1 / 3, 1 / 3, 0.7], [0, 0.3 - 0.3, 0, 0, 0], clusters=[0, 0, 1, 1, 2]))
    assert np.count_nonzero(units.sums) == 3
    zero = sorted_units(pair([0.1, 0.2, 0, 1 / 3, 1 / 3, 0], [0, 0, 0.3, 0, 0, 2 / 3], clusters=[0, 0, 0, 1, 1, 1]))
    np.testing.assert_array_equal(zero.sums, [0.0, 0.0])


@pytest.fixture
def differences():
    """Forty differences."""
    return np.round(np.random.default_rng(1).normal(0.3, 1, 40), 6)


def test_plain_interval_agrees_with_scipy(pair, differences):
    """Without weights and clusters it is the usual t interval."""
    for level in (0.9, 0.95, 0.999):
        interval = student_t_interval(pair(differences), level)
        expected = stats.ttest_1samp(differences, 0).confidence_interval(level)
        assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high), rel=1e-10)
        assert interval.level == level
        assert interval.title == "t interval of the mean"


def robust(model, **kwds):
    """Estimate and standard error of the constant of a regression without further terms."""
    fit = model.fit(**kwds)
    return fit.params[0], fit.bse[0]


def test_weighted_standard_error_agrees_with_statsmodels(pair, differences):
    """With weights it is the HC1 standard error of a weighted regression on a constant."""
    weights = np.random.default_rng(2).uniform(0.2, 3, 40)
    estimate = estimate_mean(pair(differences, weights=weights))
    expected = robust(WLS(differences, np.ones(40), weights=weights), cov_type="HC1")
    assert (estimate.mean, estimate.standard_error) == pytest.approx(expected, rel=1e-10)
    assert student_t_interval(pair(differences, weights=weights)).title == "t interval of the weighted mean"


@pytest.mark.parametrize("weighted", [False, True])
def test_cluster_robust_interval_agrees_with_statsmodels(pair, differences, weighted):
    """With clusters it is the cluster-robust regression on a constant, with G - 1 degrees of freedom."""
    rng = np.random.default_rng(3)
    clusters = rng.integers(0, 7, 40)
    weights = rng.uniform(0.2, 3, 40) if weighted else np.ones(40)
    paired = pair(differences, clusters=clusters, weights=weights if weighted else None)
    estimate, interval = estimate_mean(paired), student_t_interval(paired)
    model = WLS(differences, np.ones(40), weights=weights) if weighted else OLS(differences, np.ones(40))
    mean, standard_error = robust(model, cov_type="cluster", cov_kwds={"groups": clusters})
    assert (estimate.mean, estimate.standard_error) == pytest.approx((mean, standard_error), rel=1e-9)
    assert estimate.degrees_of_freedom == 6
    half = stats.t.isf(0.025, 6) * standard_error
    assert (interval.low, interval.high) == pytest.approx((mean - half, mean + half), rel=1e-9)
    assert interval.title.startswith("cluster-robust t interval of the")
    assert interval.citation == "cameron2015practitioner"


@pytest.mark.parametrize(
    ("values", "fields"),
    [
        ([0.3], {}),
        ([0.3, 0.3, 0.3], {}),
        ([0.1 + 0.2, 0.3], {}),
        ([0.0, 0.0], {}),
        ([0.3, 0.1], {"clusters": [4, 4]}),
        ([0.1, 0.3, 0.2, 0.2], {"clusters": [0, 0, 1, 1]}),
        ([0.7, 0.7, 0.7], {"weights": [0.1, 0.3, 0.7]}),
    ],
)
def test_without_variance_there_is_no_interval(pair, values, fields):
    """One unit, or units that are all alike, say nothing about the variance."""
    assert estimate_mean(pair(values, **fields)).standard_error is None
    assert student_t_interval(pair(values, **fields)) is None


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=12), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_order_and_swap(pair, values, random):
    """The same to the last bit in any order; for B against A exactly turned round."""
    scores = [value / 10 for value in values]
    interval = student_t_interval(pair(scores))
    mixed = random.sample(scores, len(scores))
    swapped = student_t_interval(pair([0] * len(scores), mixed, names=("b", "a")))
    if interval is None:
        assert swapped is None
    else:
        assert student_t_interval(pair(mixed)) == interval
        assert swapped == interval.swapped()
