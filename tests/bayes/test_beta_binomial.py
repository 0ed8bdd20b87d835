"""Two proportions: published truths, adaptive quadrature, closed forms, and the symmetries."""

import json
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad
from scipy.special import betainc, betaincc, betaln

from reportkit.bayes.beta_binomial import Beta, BetaDifference, beta_binomial
from reportkit.bayes.hdi import highest_density_interval
from reportkit.errors import SettingsError
from reportkit.scores.shapes.sample import RightOf

parameters = st.floats(0.5, 60.0)
betas = st.builds(Beta, parameters, parameters)


def test_sadat_azer_example_3(shared):
    """Probabilities of more than 0, 1 and 2 points and the interval on ARC-easy, ARC-challenge and both, to 1e-6."""
    truths = json.loads((shared / "truths/papers.json").read_text("utf-8"))["azer"]
    for name in ("easy", "challenge", "pooled"):
        truth = truths[name]
        posterior = beta_binomial(RightOf(truth["s"][0], truth["n"], truth["s"][1], truth["n"]))
        for key, margin in (("P(d>0)", 0.0), ("P(d>.01)", 0.01), ("P(d>.02)", 0.02)):
            if key in truth:
                assert posterior.above(margin) == pytest.approx(truth[key], abs=1e-6), (name, key)
        interval = highest_density_interval(posterior)
        assert (interval.low, interval.high) == pytest.approx(tuple(truth["hdi95"]), abs=1e-6)


def test_two_uniform_proportions_have_a_triangular_difference():
    """P(difference > t) = (1 - t)^2 / 2, and density 1 - |t|."""
    uniform = BetaDifference(Beta(1.0, 1.0), Beta(1.0, 1.0))
    for t in (0.0, 0.01, 0.4, 0.99):
        assert uniform.above(t) == pytest.approx((1 - t) ** 2 / 2, abs=1e-12)
        assert uniform.density(-t) == pytest.approx(1 - t, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.integers(1, 40))
def test_whole_parameters_have_a_finite_sum(a1, b1, a2, b2):
    """P(second < first) = sum over i < a1 of B(a2 + i, b1 + b2) / ((b1 + i) B(1 + i, b1) B(a2, b2)), turned round."""
    exact = sum(
        math.exp(betaln(a2 + i, b2 + b1) - math.log(b1 + i) - betaln(1 + i, b1) - betaln(a2, b2)) for i in range(a1)
    )  # Miller (2015), "Formulas for Bayesian A/B testing": P(first > second)
    assert BetaDifference(Beta(a1, b1), Beta(a2, b2)).above(0.0) == pytest.approx(exact, abs=1e-10)


@pytest.mark.parametrize("t", [-0.3, 0.0, 0.05])
@pytest.mark.parametrize(
    ("first", "second"), [((1.5, 3), (0.7, 20)), ((300, 700), (20, 40)), ((0.5, 30.5), (0.5, 30.5)), ((90, 2), (3, 9))]
)
def test_agrees_with_adaptive_quadrature(first, second, t):
    """SciPy's quad over phi with x = sin^2 phi, which has no poles; both tails, small ones relative to their size."""
    (a, b), difference = second, BetaDifference(Beta(*first), Beta(*second))

    def integrand(phi, tail):
        x = math.sin(phi) ** 2
        density = math.exp((a - 1) * math.log(x) + (b - 1) * math.log1p(-x) - betaln(a, b)) if x < 1 else 0.0
        return density * math.sin(2 * phi) * tail(*first, min(max(x + t, 0.0), 1.0))

    for found, tail in ((difference.below(t), betainc), (difference.above(t), betaincc)):
        pieces = np.linspace(1e-12, math.pi / 2, 41)
        expected = sum(quad(integrand, *ends, args=(tail,), epsabs=0, epsrel=1e-10)[0] for ends in pairwise(pieces))
        assert found == pytest.approx(expected, rel=2e-7)


@settings(max_examples=50, deadline=None)
@given(betas, betas, st.floats(-0.95, 0.95))
def test_the_two_tails_sum_to_one_and_swap(first, second, t):
    """Nothing is lost between the tails, and the difference turned round has them exchanged."""
    difference = BetaDifference(first, second)
    assert difference.above(t) + difference.below(t) == pytest.approx(1.0, abs=1e-8)
    assert BetaDifference(second, first).above(-t) == difference.below(t)


@settings(max_examples=30, deadline=None)
@given(betas, betas, st.floats(-0.9, 0.9))
def test_the_density_is_the_slope_of_the_probability(first, second, t):
    """Central differences of P(difference > t)."""
    difference = BetaDifference(first, second)
    step = 1e-4 * difference.sd
    slope = (difference.above(t - step) - difference.above(t + step)) / (2 * step)
    if abs(t) > 0.01:  # two poles may meet at 0
        assert difference.density(t) == pytest.approx(slope, rel=1e-4, abs=1e-4)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 30), st.integers(0, 30))
def test_more_right_answers_make_it_more_probable(a, b):
    """The odds that A is better rise with each right answer of A, and fall with each of B."""

    def odds(a, b):  # not probabilities, which round to 1
        posterior = beta_binomial(RightOf(a, 31, b, 31))
        return posterior.above(0.0) / posterior.below(0.0)

    assert odds(a + 1, b) > odds(a, b) > odds(a, b + 1)


def test_mean_and_standard_deviation_agree_with_draws():
    """Against 400,000 draws, within five standard errors."""
    rng = np.random.default_rng(5)
    difference = BetaDifference(Beta(4.0, 2.0), Beta(2.5, 6.0))
    draws = rng.beta(4.0, 2.0, 400_000) - rng.beta(2.5, 6.0, 400_000)
    assert difference.mean == pytest.approx(draws.mean(), abs=5 * difference.sd / math.sqrt(draws.size))
    assert difference.sd == pytest.approx(draws.std(), rel=0.01)


def test_small_probabilities_have_small_relative_errors():
    """Far out, P(difference > t) against a product of closed forms: a nearly known second proportion."""
    known = Beta(5e9, 5e9)
    for t in (0.2, 0.3):
        expected = stats.beta.sf(0.5 + t, 40, 60)
        assert BetaDifference(Beta(40.0, 60.0), known).above(t) == pytest.approx(expected, rel=1e-5)


def test_posteriors_are_calibrated_under_their_prior():
    """Truths from the prior, then data: P(difference < truth) is uniform (Cook et al., 2006)."""
    rng = np.random.default_rng(2006)
    levels = []
    for _ in range(200):
        truth = rng.beta(2.0, 1.5, 2)
        a, b = rng.binomial([30, 12], truth)
        posterior = beta_binomial(RightOf(int(a), 30, int(b), 12), Beta(2.0, 1.5))
        levels.append(posterior.below(float(truth[0] - truth[1])))
    assert stats.kstest(levels, "uniform").pvalue > 0.01


def test_beyond_the_possible_differences():
    """Probability 1 or 0, density 0."""
    difference = BetaDifference(Beta(2.0, 2.0), Beta(2.0, 3.0))
    assert [difference.above(x) for x in (-1.0, 1.0)] == [1.0, 0.0]
    assert difference.density(1.5) == 0.0


@pytest.mark.parametrize("bad", [(0.0, 1.0), (1.0, -2.0), (math.inf, 1.0), (math.nan, 1.0)])
def test_a_prior_has_positive_parameters(bad):
    """Anything else is refused by name."""
    with pytest.raises(SettingsError, match="is no prior"):
        Beta(*bad)
