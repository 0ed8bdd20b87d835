"""The Dirichlet posterior of the two-by-two table: closed forms, quadrature, brute Monte Carlo, symmetries."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import dblquad

from reportkit.bayes.hdi import highest_density_interval
from reportkit.bayes.paired_binary import DirichletDifference, paired_binary
from reportkit.errors import SettingsError

cells = st.tuples(*[st.floats(0.5, 80.0)] * 3)


def test_probability_of_an_advantage_is_a_beta_tail():
    """30 wins, 15 losses, 500 instances: P = P(Beta(31, 16) > 1/2) = .987052."""
    posterior = paired_binary(30, 15, 500)
    assert posterior.above(0.0) == pytest.approx(0.987052, abs=1e-6)
    assert posterior.above(1e-13) == pytest.approx(stats.beta.sf(0.5, 31, 16), abs=1e-10)


def test_probabilities_agree_with_four_hundred_thousand_draws():
    """Inside and beyond a region of one point, and the interval, within five standard errors."""
    rng = np.random.default_rng(8)
    shares = rng.dirichlet([31, 16, 457], 400_000)
    draws = np.sort(shares[:, 0] - shares[:, 1])
    posterior = paired_binary(30, 15, 500)
    for low, high in ((-0.01, 0.01), (0.01, 1.0), (0.05, 1.0), (-1.0, 0.0)):
        p = posterior.inside(low, high)
        seen = np.count_nonzero((draws >= low) & (draws <= high)) / draws.size
        assert seen == pytest.approx(p, abs=5 * math.sqrt(p * (1 - p) / draws.size))
    assert posterior.mean == pytest.approx(draws.mean(), abs=1e-4)
    assert posterior.sd == pytest.approx(draws.std(), rel=0.01)
    interval = highest_density_interval(posterior)
    inside = np.count_nonzero((draws >= interval.low) & (draws <= interval.high)) / draws.size
    assert inside == pytest.approx(0.95, abs=5 * math.sqrt(0.95 * 0.05 / draws.size))
    start = np.searchsorted(draws, interval.low)
    width = draws[start + round(0.95 * draws.size)] - draws[start]
    assert width == pytest.approx(0.0531, abs=2e-4)


def test_the_highest_density_is_the_same_at_both_ends():
    """[.0033, .0565]: what makes the interval the shortest, with probability .95."""
    posterior = paired_binary(30, 15, 500)
    interval = highest_density_interval(posterior)
    assert (interval.low, interval.high) == pytest.approx((0.00333, 0.05651), abs=1e-5)
    assert posterior.density(interval.low) == pytest.approx(posterior.density(interval.high), rel=1e-8)
    assert posterior.inside(interval.low, interval.high) == pytest.approx(0.95, abs=1e-10)


def test_agrees_with_a_double_integral():
    """SciPy's dblquad of the Dirichlet density over the half-plane."""
    a, b, c, t = 3.0, 2.0, 4.0, 0.1
    constant = math.gamma(a + b + c) / (math.gamma(a) * math.gamma(b) * math.gamma(c))
    expected, _ = dblquad(
        lambda y, x: constant * x ** (a - 1) * y ** (b - 1) * max(0.0, 1 - x - y) ** (c - 1),
        t,
        1.0,
        0.0,
        lambda x: min(x - t, 1 - x),
    )
    assert DirichletDifference(a, b, c).above(t) == pytest.approx(expected, abs=1e-7)


def test_the_prior_in_closed_form():
    """Dirichlet(1, 1, 2): u(2v - 1) with P(difference > t) = (1 - t)^3 / 2."""
    prior = DirichletDifference(1.0, 1.0, 2.0)
    for t in (0.0, 0.01, 0.3, 0.9):
        assert prior.above(t) == pytest.approx((1 - t) ** 3 / 2, abs=1e-12)
        assert prior.density(t) == pytest.approx(1.5 * (1 - t) ** 2, abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(cells, st.floats(-0.95, 0.95))
def test_the_two_tails_sum_to_one_and_swap(alpha, t):
    """Nothing is lost between the tails, and swapping the systems exchanges them exactly."""
    a, b, c = alpha
    difference = DirichletDifference(a, b, c)
    assert difference.above(t) + difference.below(t) == pytest.approx(1.0, abs=1e-9)
    assert DirichletDifference(b, a, c).above(-t) == difference.below(t)


@settings(max_examples=30, deadline=None)
@given(cells, st.floats(0.02, 0.9), st.sampled_from([-1.0, 1.0]))
def test_the_density_is_the_slope_of_the_probability(alpha, t, sign):
    """Central differences of P(difference > t)."""
    difference, t = DirichletDifference(*alpha), sign * t
    step = 1e-4 * difference.sd
    slope = (difference.above(t - step) - difference.above(t + step)) / (2 * step)
    assert difference.density(t) == pytest.approx(slope, rel=1e-4, abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 20), st.integers(0, 20))
def test_monotone_in_the_discordant_cells(b, c):
    """One more win makes A more probably better, one more loss less."""
    p = paired_binary(b, c, 100).above(0.0)
    assert paired_binary(b + 1, c, 100).above(0.0) > p > paired_binary(b, c + 1, 100).above(0.0)


def test_posteriors_are_calibrated_under_their_prior():
    """Truths from the prior, then data: P(difference < truth) is uniform (Cook et al., 2006)."""
    rng = np.random.default_rng(2006)
    levels = []
    for _ in range(200):
        truth = rng.dirichlet([0.5, 0.5, 1.0])
        wins, losses, _ = rng.multinomial(25, truth)
        posterior = paired_binary(int(wins), int(losses), 25, prior=0.5)
        levels.append(posterior.below(float(truth[0] - truth[1])))
    assert stats.kstest(levels, "uniform").pvalue > 0.01


def test_identical_systems_are_within_a_region_ever_more_probably():
    """With no discordant instance: P(|difference| <= .01) rises towards 1 with n, and P(A better) is 1/2."""
    masses = [paired_binary(0, 0, n).inside(-0.01, 0.01) for n in (10, 100, 1000)]
    assert masses == sorted(masses)
    assert masses[-1] > 0.99
    assert paired_binary(0, 0, 50).above(0.0) == pytest.approx(0.5, abs=1e-15)


def test_bad_priors_and_cells_are_refused():
    """A prior is positive, and cells do not exceed n."""
    for prior in (0.0, -1.0, math.nan):
        with pytest.raises(SettingsError, match="is no prior"):
            paired_binary(3, 2, 10, prior)
    with pytest.raises(ValueError, match="no discordant cells"):
        paired_binary(6, 5, 10)
