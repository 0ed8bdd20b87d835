"""The bootstrap-t interval against SciPy's resampling, its own definition and simulation."""

import numpy as np
import pytest

from reportkit.significance.tests.bootstrap_t import N_RESAMPLES, StudentizedResamples, bootstrap_t_interval, enough_valid
from reportkit.significance.units import student_t_interval

SKEWED = np.random.default_rng(4).exponential(size=60)


def test_its_ends_are_the_quantiles_of_t_turned_round(pair):
    """Mean - t*_high se and mean - t*_low se, with resamples drawn in another way: within Monte Carlo error."""
    rng = np.random.default_rng(0)
    drawn = SKEWED[rng.integers(0, 60, size=(40_000, 60))]
    t = (drawn.mean(axis=1) - SKEWED.mean()) / (drawn.std(axis=1, ddof=1) / np.sqrt(60))
    error = SKEWED.std(ddof=1) / np.sqrt(60)
    interval = bootstrap_t_interval(pair(SKEWED))
    for end, level in ((interval.low, 0.975), (interval.high, 0.025)):
        quantile = np.quantile(t, level)
        density = np.mean(np.abs(t - quantile) < 0.1) / 0.2
        allowed = 4 * np.sqrt(0.975 * 0.025 * (1 / N_RESAMPLES + 1 / t.size)) / density
        assert end == pytest.approx(SKEWED.mean() - quantile * error, abs=allowed * error)


def test_it_reaches_further_where_the_tail_is(pair):
    """Differences with a long right tail: the upper end is farther from the mean than the lower one."""
    interval, mean = bootstrap_t_interval(pair(SKEWED)), SKEWED.mean()
    assert interval.high - mean > 1.3 * (mean - interval.low)
    plain = student_t_interval(pair(SKEWED))
    assert interval.high > plain.high
    assert interval.low > plain.low


def test_swap_scale_order_and_seed(pair):
    """B against A is A against B turned round, to the last bit, in any order of rows; a seed moves the ends."""
    interval = bootstrap_t_interval(pair(SKEWED), 0.9, 3)
    swapped = bootstrap_t_interval(pair(0 * SKEWED, SKEWED, names=("b", "a")), 0.9, 3)
    assert swapped == interval.swapped()
    assert bootstrap_t_interval(pair(SKEWED[::-1]), 0.9, 3) == interval
    assert bootstrap_t_interval(pair(SKEWED), 0.9, 4) != interval
    scaled = bootstrap_t_interval(pair(1e6 * SKEWED), 0.9, 3)
    assert (scaled.low, scaled.high) == pytest.approx((1e6 * interval.low, 1e6 * interval.high), rel=1e-6)


def test_clusters_and_weights(pair):
    """Whole clusters are drawn, with the cluster-robust standard error in each resample; a title says so."""
    clusters = np.repeat(range(30), 2)
    clustered = bootstrap_t_interval(pair(SKEWED, clusters=clusters))
    summed = bootstrap_t_interval(pair(SKEWED.reshape(30, 2).sum(axis=1)))
    assert clustered.title == "cluster-robust bootstrap-t interval of the mean"
    assert (2 * clustered.low, 2 * clustered.high) == pytest.approx((summed.low, summed.high), rel=1e-9)
    weighted = bootstrap_t_interval(pair(SKEWED, weights=np.linspace(1, 3, 60)))
    assert weighted.title == "bootstrap-t interval of the weighted mean"
    assert weighted.low < np.average(SKEWED, weights=np.linspace(1, 3, 60)) < weighted.high


def test_student_where_resamples_hold_no_variance(pair):
    """Two units: half of the resamples are one unit twice; and without variance there is no interval."""
    assert not enough_valid(199, 9_999)
    assert enough_valid(200, 9_999)
    few = np.append(np.zeros(9_999), 1.0)[-2:]
    assert bootstrap_t_interval(pair(few)).title == "bootstrap-t interval of the mean"
    assert bootstrap_t_interval(pair([1.0, 1.0])) is None
    assert bootstrap_t_interval(pair([1.0])) is None


def test_it_stands_beside_the_bootstrap_t_test_only(pair, beside):
    """Symmetric differences have the interval of their sign flip."""
    assert beside(pair(SKEWED)).title == "bootstrap-t interval of the mean"
    assert beside(pair(SKEWED - SKEWED[::-1])).title == "sign-flip interval of the mean"


def test_stream_is_shared_by_all_pairs_on_a_dataset(pair):
    """And by no other dataset."""
    one, two = (StudentizedResamples.of(pair(SKEWED, names=names), 0) for names in (("a", "b"), ("c", "d")))
    assert np.array_equal(one.t(0, 50), two.t(0, 50))
    other = StudentizedResamples.of(pair(SKEWED, dataset="rte"), 0)
    assert not np.array_equal(one.t(0, 50), other.t(0, 50))


@pytest.mark.slow
def test_coverage_of_a_skewed_mean(pair):
    """Of the mean of 60 exponential variables: nearer to 95% than Student's t, at the upper end above all."""
    rng, repetitions = np.random.default_rng(7), 1_500
    missed = np.zeros((2, 2))
    for _ in range(repetitions):
        paired = pair(rng.exponential(size=60))
        for row, interval in enumerate((bootstrap_t_interval(paired), student_t_interval(paired))):
            missed[row] += interval.high < 1, interval.low > 1
    missed /= repetitions
    assert missed[0].sum() == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / repetitions))
    assert abs(missed[0, 0] - 0.025) < abs(missed[1, 0] - 0.025)
    assert missed[1, 0] > 0.025 + 4 * np.sqrt(0.025 * 0.975 / repetitions)
