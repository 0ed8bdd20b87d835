"""The Bayesian bootstrap without draws: closed forms, brute Monte Carlo, symmetries."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.bayes.bayesian_bootstrap import DirichletMean, bayesian_bootstrap
from reportkit.bayes.distribution import Distribution, turned_round
from reportkit.bayes.hdi import highest_density_interval
from reportkit.errors import DesignError

differences = st.lists(st.integers(-9, 9), min_size=2, max_size=12).filter(lambda d: len(set(d)) > 1)


def _mean(values, sizes=None, counts=None):
    values = np.asarray(values, dtype=np.float64)
    ones = np.ones(values.size)
    return DirichletMean(
        sums=values,
        sizes=ones if sizes is None else np.asarray(sizes, dtype=np.float64),
        counts=ones if counts is None else np.asarray(counts, dtype=np.float64),
    )


@pytest.mark.parametrize(("losses", "wins"), [(1, 1), (16, 31), (2, 300), (4000, 3900)])
def test_two_values_are_a_beta_variable(losses, wins):
    """Wins and losses alone: (mean + 1) / 2 is Beta(wins, losses), tails relative to their size, and density."""
    mean, beta = _mean([-1, 1], counts=[losses, wins]), stats.beta(wins, losses)
    for p in (1e-12, 1e-4, 0.3, 0.8, 1 - 1e-6):
        x = 2 * beta.ppf(p) - 1
        assert mean.below(x) == pytest.approx(beta.cdf((x + 1) / 2), rel=1e-8)
        assert mean.above(x) == pytest.approx(beta.sf((x + 1) / 2), rel=1e-8)
        assert mean.density(x) == pytest.approx(beta.pdf((x + 1) / 2) / 2, rel=1e-8)
        assert mean.quantile(p) == pytest.approx(x, abs=1e-9)


def test_three_values_in_closed_form():
    """Weights uniform on a triangle: P(w2 - w1 > t) = (1 - t)^2 / 2 where w3 has the value 0."""
    mean = _mean([-1, 1, 0])
    for t in (0.0, 0.2, 0.9):
        assert mean.above(t) == pytest.approx((1 - t) ** 2 / 2, abs=1e-11)


@pytest.mark.parametrize("n", [3, 10, 60])
@pytest.mark.parametrize("clustered", [False, True])
def test_agrees_with_draws(n, clustered):
    """100,000 draws of Dirichlet weights, units of one size or of several, five standard errors."""
    rng = np.random.default_rng(n)
    sums, sizes = rng.exponential(size=n) - 0.8, rng.integers(1, 5, n) if clustered else np.ones(n)
    weights = rng.exponential(size=(100_000, n))
    draws = (weights @ sums) / (weights @ sizes)
    mean = _mean(sums, sizes)
    for k in (-2.0, -0.5, 0.0, 1.0, 2.0):
        x = mean.mean + k * mean.sd
        p = mean.above(x)
        assert (draws > x).mean() == pytest.approx(p, abs=5 * math.sqrt(p * (1 - p) / draws.size) + 1e-9)
    interval = highest_density_interval(mean)
    assert ((draws > interval.low) & (draws < interval.high)).mean() == pytest.approx(0.95, abs=0.0035)
    assert mean.inside(interval.low, interval.high) == pytest.approx(0.95, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(differences, st.floats(-8, 8))
def test_tails_sum_to_one_and_the_density_is_their_slope(values, x):
    """Nothing is lost, and the density is the slope."""
    mean = _mean(values)
    assert mean.above(x) + mean.below(x) == pytest.approx(1.0, abs=1e-9)
    step = 1e-4
    if all(abs(x - value) > 1e-2 for value in values):
        slope = (mean.above(x - step) - mean.above(x + step)) / (2 * step)
        assert mean.density(x) == pytest.approx(slope, rel=1e-3, abs=1e-5)


@settings(max_examples=25, deadline=None)
@given(differences, st.randoms(use_true_random=False))
def test_rows_and_names_do_not_matter(paired, values, random):
    """The order of rows changes nothing, and B against A is exactly A against B turned round."""
    values = np.array(values, dtype=np.float64)
    shuffled = values.copy()
    random.shuffle(shuffled)
    zeros = np.zeros(values.size)
    posterior = bayesian_bootstrap(paired(values, zeros))
    assert bayesian_bootstrap(paired(shuffled, zeros)).above(0.3) == posterior.above(0.3)
    other = bayesian_bootstrap(paired(zeros, values, names=("b", "a")))
    assert other.below(-0.3) == posterior.above(0.3)
    assert turned_round(other).quantile(0.2) == posterior.quantile(0.2)


@settings(max_examples=25, deadline=None)
@given(differences)
def test_better_scores_make_it_more_probable(values):
    """Raising one difference raises P(mean > x) for every x."""
    raised = [values[0] + 1, *values[1:]]
    x = float(np.mean(values)) + 0.1
    if len(set(raised)) > 1:
        assert _mean(raised).above(x) >= _mean(values).above(x) - 1e-10


def test_clusters_are_kept_whole(paired):
    """Each cluster as often as one instance: the spread is that of cluster means, not of instances."""
    a = np.repeat([1.0, -0.5, 0.7, 0.1], 25)
    clusters = np.repeat(np.arange(4), 25)
    whole = bayesian_bootstrap(paired(a, np.zeros(100), clusters=clusters))
    single = bayesian_bootstrap(paired(a[::25], np.zeros(4)))
    assert whole.above(0.0) == pytest.approx(single.above(0.0), abs=1e-12)
    assert bayesian_bootstrap(paired(a, np.zeros(100))).above(0.0) > whole.above(0.0) + 0.05


def test_weights_are_those_of_instances(paired):
    """An instance of weight 3 in the estimand: sum g w d / sum g w."""
    rng = np.random.default_rng(7)
    d, w = np.array([0.5, -0.4, 0.2, 0.1]), np.array([1.0, 3.0, 2.0, 1.0])
    g = rng.exponential(size=(200_000, 4))
    draws = (g @ (d * w)) / (g @ w)
    p = bayesian_bootstrap(paired(d, np.zeros(4), weights=w)).above(0.0)
    assert (draws > 0).mean() == pytest.approx(p, abs=5 * math.sqrt(p * (1 - p) / draws.size))


def test_many_different_values_use_a_polynomial_that_agrees_with_the_search():
    """400 skewed values: quantiles by the polynomial and by the search of the exact tail."""
    mean = _mean(np.sort(np.random.default_rng(1).exponential(size=400)))
    for p in (0.001, 0.025, 0.5, 0.975):
        assert mean.quantile(p) == pytest.approx(Distribution.quantile(mean, p), abs=1e-10)
    assert mean.known["scores"] is not None


def test_an_outlier_is_not_left_to_the_polynomial():
    """150 values and one far away: no polynomial fits, and the quantile is that of the exact tail."""
    mean = _mean(np.append(np.sort(np.random.default_rng(1).normal(size=150)), 300.0))
    assert mean.below(mean.quantile(0.025)) == pytest.approx(0.025, abs=1e-9)
    assert mean.known["scores"] is None


def test_no_spread_no_posterior(paired):
    """Equal differences, none included, or a single cluster."""
    for sample in (
        paired([0.3, 0.4], [0.1, 0.2]),
        paired([0.5, 0.5], [0.5, 0.5]),
        paired([0.5, 0.1], [0.2, 0.3], clusters=[0, 0]),
    ):
        with pytest.raises(DesignError, match="claim\ncertainty"):
            bayesian_bootstrap(sample)
