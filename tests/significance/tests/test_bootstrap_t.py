"""The bootstrap-t test, its interval and its margin."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from reportkit.errors import DesignError
from reportkit.significance.bootstrap_tails import tail_bound
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests.bootstrap_t import (
    BOOTSTRAP_T,
    BOUND,
    N_RESAMPLES,
    bootstrap_t,
    bootstrap_t_interval,
    bootstrap_t_margin,
    studentized,
)
from reportkit.significance.units import student_t_interval

PLAN = ResamplingPlan()
SKEWED = np.random.default_rng(4).exponential(size=60) - 0.8


def test_p_values_are_shares_of_all_resamples(pair):
    """Of 5 differences, 3,125 resamples; those without variance are left out of the share, and are counted."""
    d = np.array([-1.0, 0.5, 1.0, 2.0, 7.0])
    samples = np.array(list(itertools.product(d, repeat=5)))
    deviation = samples.std(axis=1, ddof=1)
    valid = deviation > 1e-12
    t_star = (samples[valid].mean(axis=1) - d.mean()) / (deviation[valid] / np.sqrt(5))
    t = d.mean() / (d.std(ddof=1) / np.sqrt(5))
    outcome = bootstrap_t(pair(d), ResamplingPlan(n_resamples=99_999))
    for p, exact in ((outcome.p_greater, np.mean(t_star >= t - 1e-9)), (outcome.p_less, np.mean(t_star <= t + 1e-9))):
        assert p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 99_999))
    assert outcome.statistic == pytest.approx(t)
    left_out = 99_999 - outcome.n_resamples
    assert left_out == pytest.approx(99_999 * np.mean(~valid), rel=0.5)
    assert outcome.algorithm == f"without {left_out:,} resamples that hold no variance"


def test_weights_and_clusters_are_drawn_whole(pair):
    """Clusters of equal size are their sums; weights of 2 are a ratio of sums, not two instances."""
    sums = bootstrap_t(pair(SKEWED.reshape(30, 2).sum(axis=1)), PLAN)
    clustered = bootstrap_t(pair(SKEWED, clusters=np.repeat(range(30), 2)), PLAN)
    assert (clustered.p_greater, clustered.p_less) == (sums.p_greater, sums.p_less)
    assert (clustered.n, clustered.n_clusters) == (60, 30)
    assert clustered.title == "bootstrap-t test of the mean with whole clusters"
    weighted = bootstrap_t(pair(SKEWED, weights=np.repeat([1.0, 2.0], 30)), PLAN)
    assert weighted.estimand == "weighted mean difference"
    assert weighted.p_greater != bootstrap_t(pair(SKEWED), PLAN).p_greater


def test_swap_to_the_last_bit(pair):
    """A against B is B against A turned round, with clusters of several sizes too."""
    clusters = np.repeat(range(24), [1, 2, 3, 4] * 6)
    for fields in ({}, {"clusters": clusters}):
        outcome = bootstrap_t(pair(SKEWED, **fields), PLAN)
        swapped = bootstrap_t(pair(0 * SKEWED, SKEWED, names=("b", "a"), **fields), PLAN)
        assert swapped == outcome.swapped()


def test_far_tails_have_a_bound(pair):
    """Where no resample reaches t, p is an upper bound of the tail instead of 1 / (b + 1), of either tail."""
    d = np.random.default_rng(1).normal(1.0, 1.0, size=150)
    outcome = bootstrap_t(pair(d), PLAN)
    assert outcome.n_resamples == 9_999
    assert 1e-40 < outcome.p_greater < 1e-12
    assert outcome.algorithm == BOUND
    assert outcome.p_less == 1.0
    assert bootstrap_t(pair(-d), PLAN).p_less == pytest.approx(outcome.p_greater, rel=1e-9)
    assert outcome.p_min < 1e-300


def test_resamples_are_drawn_while_a_threshold_is_open(pair):
    """P is about .013: clear of .05 at once, too close to .0125 until the last draw, and never near 1e-6."""
    paired = pair(SKEWED - SKEWED.mean() + 0.29)
    few = bootstrap_t(paired, ResamplingPlan(thresholds=(0.05,)))
    assert 0.003 < few.p_greater < 0.03
    near = bootstrap_t(paired, ResamplingPlan(thresholds=(few.p_greater,)))
    assert (few.n_resamples, bootstrap_t(paired, ResamplingPlan(thresholds=(1e-6,))).n_resamples) == (9_999, 9_999)
    assert near.n_resamples > 9_999  # further ones are tilted to the observed value
    nearest = bootstrap_t(paired, ResamplingPlan(thresholds=(near.p_greater,)))
    assert nearest.n_resamples == 9_999 + 16_384
    assert near.p_greater == pytest.approx(few.p_greater, abs=4 * np.sqrt(few.p_greater / 10_000))
    many = pair(np.tile(SKEWED - SKEWED.mean() + 0.29, 50))
    assert bootstrap_t(many, ResamplingPlan(thresholds=(0.5,))).n_resamples <= 99_999


def test_resamples_without_variance_are_left_out(pair):
    """One win among 401 instances is not drawn in one of three resamples."""
    outcome = bootstrap_t(pair(np.append(np.zeros(400), 1.0)), ResamplingPlan(n_resamples=999))
    assert outcome.method == "Monte Carlo"
    assert outcome.n_resamples == pytest.approx(999 * (1 - np.exp(-1)), rel=0.1)


def test_student_where_hardly_any_resample_holds_variance(pair, monkeypatch):
    """The p-values are those of Student's t-test, and a finding says so."""
    monkeypatch.setattr("reportkit.significance.tests.bootstrap_t._enough_valid", lambda n_valid, n_drawn: False)
    outcome = bootstrap_t(pair(SKEWED), PLAN)
    expected = stats.ttest_1samp(SKEWED, 0.0, alternative="greater")
    assert outcome.p_greater == pytest.approx(expected.pvalue, rel=1e-9)
    assert outcome.method == "asymptotic"
    assert "too-few-valid-resamples" in [item.code for item in BOOTSTRAP_T.remarks(pair(SKEWED), outcome)]


def test_no_variance_no_test(pair):
    """All differences alike, and not 0; of none at all p is 1."""
    with pytest.raises(DesignError, match="'bootstrap-t' cannot estimate a variance"):
        bootstrap_t(pair([1.0, 1.0]), PLAN)
    assert bootstrap_t(pair([0.0, 0.0]), PLAN).p_greater == 1.0


SKEWED_2 = np.random.default_rng(4).exponential(size=60)


def test_its_ends_are_the_quantiles_of_t_turned_round(pair):
    """Mean - t*_high se and mean - t*_low se, with resamples drawn in another way: within Monte Carlo error."""
    rng = np.random.default_rng(0)
    drawn = SKEWED_2[rng.integers(0, 60, size=(40_000, 60))]
    t = (drawn.mean(axis=1) - SKEWED_2.mean()) / (drawn.std(axis=1, ddof=1) / np.sqrt(60))
    error = SKEWED_2.std(ddof=1) / np.sqrt(60)
    interval = bootstrap_t_interval(pair(SKEWED_2))
    for end, level in ((interval.low, 0.975), (interval.high, 0.025)):
        quantile = np.quantile(t, level)
        density = np.mean(np.abs(t - quantile) < 0.1) / 0.2
        allowed = 4 * np.sqrt(0.975 * 0.025 * (1 / N_RESAMPLES + 1 / t.size)) / density
        assert end == pytest.approx(SKEWED_2.mean() - quantile * error, abs=allowed * error)


def test_it_reaches_further_where_the_tail_is(pair):
    """Differences with a long right tail: the upper end is farther from the mean than the lower one."""
    interval, mean = bootstrap_t_interval(pair(SKEWED_2)), SKEWED_2.mean()
    assert interval.high - mean > 1.3 * (mean - interval.low)
    plain = student_t_interval(pair(SKEWED_2))
    assert interval.high > plain.high
    assert interval.low > plain.low


def test_student_where_resamples_hold_no_variance(pair):
    """Two units: half of the resamples are one unit twice; and without variance there is no interval."""
    few = np.append(np.zeros(9_999), 1.0)[-2:]
    assert bootstrap_t_interval(pair(few)).title == "bootstrap-t interval of the mean"
    assert bootstrap_t_interval(pair([1.0, 1.0])) is None
    assert bootstrap_t_interval(pair([1.0])) is None


def skewed(seed, n=50):
    """Differences with a long tail."""
    return np.random.default_rng(seed).lognormal(0, 1, n)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("fields", [{}, {"clusters": np.repeat(np.arange(25), 2)}, {"names": ("z", "b")}])
def test_rejects_what_the_interval_excludes(pair, alpha, fields):
    """At both ends; whichever system comes first by name."""
    sample = pair(skewed(0), **fields)
    interval = bootstrap_t_interval(sample, 1 - 2 * alpha)
    for seen in (1e-9, -1e-9):
        width = interval.high - interval.low
        low = bootstrap_t_margin(sample, interval.low - seen * width)
        high = bootstrap_t_margin(sample, interval.high + seen * width)
        assert low.p_greater == pytest.approx(alpha, abs=1.5e-4)
        assert high.p_less == pytest.approx(alpha, abs=1.5e-4)
    assert bootstrap_t_margin(sample, interval.low - 0.02 * (interval.high - interval.low)).p_greater < alpha
    assert bootstrap_t_margin(sample, interval.low + 0.02 * (interval.high - interval.low)).p_greater > alpha


def test_shift_and_swap(pair):
    """Adding a constant to A and to the margin changes nothing; B against A is the other way round."""
    d = skewed(2)
    found = bootstrap_t_margin(pair(d), 1.2)
    shifted, back = bootstrap_t_margin(pair(d + 8.0), 9.2), bootstrap_t_margin(pair(-d, names=("b", "a")), -1.2)
    assert shifted.p_greater == pytest.approx(found.p_greater, abs=1e-3)
    assert (back.p_greater, back.p_less) == (found.p_less, found.p_greater)


def test_no_variance(pair):
    """None, as for the interval."""
    assert bootstrap_t_margin(pair([1.0, 1.0, 1.0]), 0.5) is None


KEY = (0, 1)


def studentized_means(sums, sizes, *, key, start, stop):
    """Student's t of the resamples of one row of units."""
    return studentized(sums[None, :], sizes, key, start, stop)[0]


def direct(sums, sizes, drawn):
    """Student's t of one resample, by its definition."""
    ratio = sums.sum() / sizes.sum()
    s, w = sums[drawn], sizes[drawn]
    n = sums.size
    mean = s.sum() / w.sum()
    error = np.sqrt(n / (n - 1) * np.square(s - w * mean).sum()) / w.sum()
    return (mean - ratio) / error if error > 1e-9 else np.nan


@pytest.mark.parametrize("sizes", [None, np.array([1.0, 3.0, 2.0, 2.0])])
def test_the_distribution_is_that_of_all_resamples(sizes):
    """Of 4 units, all 256 resamples enumerated: shares of each value of t within Monte Carlo error."""
    sums = np.array([-1.0, 0.5, 2.0, 4.0])
    weights = np.ones(4) if sizes is None else sizes
    exact = np.array([direct(sums, weights, list(drawn)) for drawn in itertools.product(range(4), repeat=4)])
    valid = exact[~np.isnan(exact)]
    n_drawn = 200_000
    t = studentized_means(sums, sizes, key=KEY, start=0, stop=n_drawn)
    share = valid.size / exact.size
    assert t.size / n_drawn == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / n_drawn))
    for threshold in np.unique(np.round(valid, 9))[::5]:
        p = np.mean(valid >= threshold - 1e-7)
        assert np.mean(t >= threshold - 1e-7) == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / t.size) + 1e-12)


@pytest.mark.parametrize("values", [[-1.0, 0.0, 2.0, 3.0], [0.0, 0.0, 1.0, 5.0, 6.0], [-4.0, 0.95, 0.97, 1.0, 1.02]])
def test_it_is_an_upper_bound_of_what_is_enumerated(values):
    """All n^n resamples, at each value that t takes."""
    v = np.array(values)
    samples = np.array(list(itertools.product(v - v.mean(), repeat=v.size)))
    deviation = samples.std(axis=1, ddof=1)
    t = samples[deviation > 0].mean(axis=1) / (deviation[deviation > 0] / np.sqrt(v.size))
    for threshold in np.unique(np.round(t[t > 0], 9)):
        assert tail_bound(v, float(threshold)) >= np.sum(t >= threshold - 1e-7) / len(samples)


def test_it_is_near_the_probability():
    """Within a factor of 300 at 1e-4, and within one of 1,000 of Student's t for normal values from 1e-9 to 1e-22."""
    values = np.random.default_rng(5).normal(size=60)
    t = studentized_means(values, None, key=(9,), start=0, stop=300_000)
    threshold = float(np.quantile(t, 1 - 1e-4))
    assert tail_bound(values, threshold) < 3e-2
    normal = stats.norm.ppf((np.arange(2_000) + 0.5) / 2_000)
    for threshold in (6.0, 8.0, 10.0):
        logarithm = np.log10(tail_bound(normal, threshold))
        exact = stats.t.logsf(threshold, 1_999) / np.log(10)
        assert exact < logarithm < exact + 3
