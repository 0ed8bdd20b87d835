"""Distributions of a difference: published truths, closed forms, adaptive quadrature and draws."""

import json
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import dblquad, quad
from scipy.optimize import minimize_scalar
from scipy.special import betaln

from reportkit.bayes import posterior
from reportkit.bayes.distribution import (
    continuous,
    difference,
    dirichlet_difference,
    dirichlet_mean,
    drawn,
    informed,
    normal_mixture,
    students_t,
)
from reportkit.errors import DesignError


def test_sadat_azer_example_3(shared):
    """Probabilities of more than 0, 1 and 2 points and the interval on ARC-easy, ARC-challenge and both, to 1e-6."""
    truths = json.loads((shared / "truths/papers.json").read_text("utf-8"))["azer"]
    for name in ("easy", "challenge", "pooled"):
        truth = truths[name]
        found = difference(*(stats.beta(1 + right, 1 + truth["n"] - right) for right in truth["s"]))
        for key, margin in (("P(d>0)", 0.0), ("P(d>.01)", 0.01), ("P(d>.02)", 0.02)):
            if key in truth:
                assert found.above(margin) == pytest.approx(truth[key], abs=1e-6), (name, key)
        interval = found.interval()
        assert (interval.low, interval.high) == pytest.approx(tuple(truth["hdi95"]), abs=1e-6)


def test_two_uniform_proportions_have_a_triangular_difference():
    """P(difference > t) = (1 - t)^2 / 2; nothing beyond the possible differences."""
    uniform = difference(stats.beta(1.0, 1.0), stats.beta(1.0, 1.0))
    for t in (0.0, 0.01, 0.4, 0.99):
        assert uniform.above(t) == pytest.approx((1 - t) ** 2 / 2, abs=1e-9)
    assert [uniform.above(x) for x in (-1.0, 1.0)] == pytest.approx([1.0, 0.0], abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 40), st.integers(1, 40))
def test_whole_parameters_have_a_finite_sum(a1, b1, a2, b2):
    """P(second < first) = sum over i < a1 of B(a2 + i, b1 + b2) / ((b1 + i) B(1 + i, b1) B(a2, b2)), turned round."""
    exact = sum(
        math.exp(betaln(a2 + i, b2 + b1) - math.log(b1 + i) - betaln(1 + i, b1) - betaln(a2, b2)) for i in range(a1)
    )  # Miller (2015), "Formulas for Bayesian A/B testing": P(first > second)
    assert difference(stats.beta(a1, b1), stats.beta(a2, b2)).above(0.0) == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("t", [-0.3, 0.0, 0.05])
@pytest.mark.parametrize(
    ("first", "second"), [((1.5, 3), (0.7, 20)), ((300, 700), (20, 40)), ((0.5, 30.5), (0.5, 30.5)), ((90, 2), (3, 9))]
)
def test_proportions_agree_with_adaptive_quadrature(first, second, t):
    """SciPy's quad over phi with x = sin^2 phi, which has no poles."""
    law, other = stats.beta(*first), stats.beta(*second)
    pieces = np.linspace(1e-12, math.pi / 2 - 1e-12, 16)
    expected = sum(
        quad(lambda phi: other.pdf(math.sin(phi) ** 2) * math.sin(2 * phi) * law.sf(math.sin(phi) ** 2 + t), *ends)[0]
        for ends in pairwise(pieces)
    )
    assert difference(stats.beta(*first), stats.beta(*second)).above(t) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("x", [-1.0, 0.3, 2.0])
@pytest.mark.parametrize(("df_1", "df_2"), [(1, 3), (4, 4), (30, 500)])
def test_two_means_agree_with_adaptive_quadrature(x, df_1, df_2):
    """SciPy's quad over the second mean; with one degree of freedom each, the scales of Cauchy variables add."""
    first, second = stats.t(df_1, 0.5, 0.7), stats.t(df_2, 0.1, 0.4)
    expected, _ = quad(
        lambda y: stats.t.pdf(y, df_2, 0.1, 0.4) * stats.t.sf(x + y, df_1, 0.5, 0.7), -math.inf, math.inf, limit=400
    )
    assert difference(first, second).above(x) == pytest.approx(expected, abs=5e-6)
    cauchy = difference(stats.t(1, 0.0, 0.7), stats.t(1, 0.0, 0.3))
    assert cauchy.above(x) == pytest.approx(stats.cauchy.sf(x), abs=5e-6)


def test_a_dirichlet_advantage_is_a_beta_tail():
    """30 wins, 15 losses, 500 instances: P(Beta(31, 16) > 1/2) = .987052; the prior Dirichlet(1, 1, 2) closed."""
    assert dirichlet_difference(31, 16, 457).above(0.0) == pytest.approx(stats.beta.sf(0.5, 31, 16), abs=1e-12)
    prior = dirichlet_difference(1.0, 1.0, 2.0)
    for t in (0.0, 0.01, 0.3, 0.9):
        assert prior.above(t) == pytest.approx((1 - t) ** 3 / 2, abs=1e-12)
        assert prior.below(-t) == prior.above(t)


def test_a_dirichlet_difference_agrees_with_a_double_integral():
    """SciPy's dblquad of the Dirichlet density over the half-plane."""
    alpha, t = (3.0, 2.0, 4.0), 0.2
    law = stats.dirichlet(alpha)
    expected, _ = dblquad(
        lambda y, x: law.pdf([x, y]) if y > 0 and x + y < 1 else 0.0, t, 1, 0, lambda x: max(0.0, min(x - t, 1 - x))
    )
    assert dirichlet_difference(*alpha).above(t) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("location", "scale", "freedom", "prior"),
    [(0.02, 0.01, 500, 0.02), (0.02, 0.01, 4, 0.001), (-1.0, 0.3, math.inf, 0.1), (0.0, 1.0, 2, 50.0)],
)
def test_an_informed_mean_agrees_with_adaptive_quadrature(location, scale, freedom, prior):
    """P(difference > 0) and P(|difference| <= scale) against SciPy's quadrature in pieces about both peaks."""
    t = stats.norm(location, scale) if math.isinf(freedom) else stats.t(freedom, location, scale)
    far = [k * width for width in (scale, prior) for k in (0.1, 1, 10, 1e3, 1e5)]
    pieces = np.unique([0.0, location, scale, -scale, *far, *(-x for x in far), *(location + x for x in far)])

    def mass(low, high):
        ends = [low, *pieces[(pieces > low) & (pieces < high)], high]
        return sum(
            quad(lambda x: t.pdf(x) * stats.cauchy.pdf(x, 0, prior), *one, limit=200)[0] for one in pairwise(ends)
        )

    found, total = informed(location, scale, freedom, prior), mass(-1e6, 1e6)
    assert found.above(0.0) == pytest.approx(mass(0.0, 1e6) / total, abs=2e-6)
    assert found.inside(-scale, scale) == pytest.approx(mass(-scale, scale) / total, abs=2e-6)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 60), st.integers(1, 60), st.floats(-0.9, 0.9))
def test_two_values_are_a_beta_variable(losses, wins, x):
    """Bayesian bootstrap of wins and losses alone: (mean + 1) / 2 is stats.beta(wins, losses)."""
    counts = np.array([losses, wins], dtype=float)
    mean = dirichlet_mean(np.array([-1.0, 1.0]), np.ones(2), counts)
    law = stats.beta(wins, losses)
    assert mean.below(x) == pytest.approx(law.cdf((x + 1) / 2), abs=1e-6)
    assert mean.quantile(0.2) == pytest.approx(2 * law.ppf(0.2) - 1, abs=1e-5)


@pytest.mark.parametrize("n", [3, 12, 300])
@pytest.mark.parametrize("clustered", [False, True])
def test_the_bayesian_bootstrap_agrees_with_draws(n, clustered):
    """40,000 draws of Dirichlet weights, units of one size or of several, five standard errors."""
    rng = np.random.default_rng(n)
    sizes = rng.integers(1, 6, n).astype(float) if clustered else np.ones(n)
    sums = sizes * rng.exponential(size=n)
    mean = dirichlet_mean(sums, sizes, np.ones(n))
    weights = rng.dirichlet(np.ones(n), 40_000)
    drawn = (weights @ sums) / (weights @ sizes)
    for x in np.quantile(drawn, [0.01, 0.2, 0.5, 0.9]):
        share = (drawn < x).mean()
        assert mean.below(x) == pytest.approx(share, abs=5 * math.sqrt(share * (1 - share) / 40_000))


def test_clusters_are_kept_whole_and_weights_count(paired):
    """Each cluster as often as one instance; an instance of weight 3 is 3 in the estimand, one in the bootstrap."""
    rng = np.random.default_rng(2)
    d = np.repeat(rng.normal(size=60), 5)
    once = posterior(paired(d[::5], np.zeros(60)), model="bayesian-bootstrap")
    whole = posterior(paired(d, np.zeros(300), clusters=np.repeat(np.arange(60), 5)), model="bayesian-bootstrap")
    assert (whole.p_better, whole.sd) == pytest.approx((once.p_better, once.sd), rel=1e-6)
    found = posterior(paired([1.0, 2.0, 4.0], np.zeros(3), weights=[3.0, 1.0, 1.0]), model="bayesian-bootstrap")
    assert found.mean == pytest.approx(9 / 5)


def test_ordinal_levels_are_beta_variables_and_their_distances_play_no_role(unpaired):
    """Levels 1 and 2: the difference of two proportions with the counts as parameters, within four errors."""
    a, b = np.repeat([1.0, 2.0], [9, 21]), np.repeat([1.0, 2.0], [14, 11])
    found = posterior(unpaired(a, b, kind="ordinal"))
    exact = difference(stats.beta(21.0, 9.0), stats.beta(11.0, 14.0))
    assert abs(found.p_better - exact.above(0.0)) < 4 * found.monte_carlo_error
    assert abs(found.mean - exact.mean) < 4 * exact.sd / math.sqrt(100_000)
    assert posterior(unpaired(a**3, b**3, kind="ordinal")).p_better == found.p_better


@settings(max_examples=25, deadline=None)
@given(st.floats(-3, 3), st.floats(0.01, 2), st.sampled_from([1, 3.5, 30, math.inf]), st.floats(0.001, 0.999))
def test_the_quantile_of_any_distribution_is_found(location, scale, freedom, p):
    """Student's t of SciPy, normal with infinitely many degrees of freedom."""
    law = students_t(location, scale, freedom)
    assert continuous(law).quantile(p) == pytest.approx(law.ppf(p), rel=1e-9, abs=1e-9)


DISTRIBUTIONS = [
    difference(stats.beta(13.0, 4.0), stats.beta(9.0, 8.0)),
    difference(stats.t(4, 0.1, 0.3), stats.t(30, 0.0, 0.1)),
    dirichlet_difference(3.0, 2.0, 9.0),
    normal_mixture(np.array([0.4, 0.6]), np.array([0.0, 0.2]), np.array([0.3, 0.1])),
    informed(0.1, 0.2, 9, 0.1),
    dirichlet_mean(np.array([-0.3, 0.1, 0.4]), np.array([1.0, 2.0, 1.0]), np.array([8.0, 9.0, 20.0])),
]


@pytest.mark.parametrize(
    "distribution", DISTRIBUTIONS, ids=["shares", "means", "paired", "mixture", "informed", "bootstrap"]
)
def test_every_distribution_answers_alike(distribution):
    """Tails sum to one, quantiles turn probabilities round, mean and sd are those of the quantiles, B minus A."""
    for x in (-0.2, 0.0, 0.15):
        assert distribution.below(x) + distribution.above(x) == pytest.approx(1.0, abs=1e-9)
        assert distribution.turned_round().above(-x) == distribution.below(x)
    for p in (0.001, 0.3, 0.975):
        assert distribution.below(distribution.quantile(p)) == pytest.approx(p, abs=1e-7)
    values = np.array([distribution.quantile((k + 0.5) / 100) for k in range(100)])
    assert distribution.mean == pytest.approx(values.mean(), abs=0.03 * distribution.sd)
    assert distribution.sd == pytest.approx(values.std(), rel=0.1)


def test_posteriors_are_calibrated_under_their_prior():
    """Truths from the prior, then data: P(difference < truth) is uniform (Cook et al., 2006)."""
    rng = np.random.default_rng(2006)
    two, cells = [], []
    for _ in range(100):
        truth = rng.beta(2.0, 1.5, 2)
        a, b = rng.binomial([30, 12], truth)
        laws = stats.beta(2 + a, 31.5 - a), stats.beta(2 + b, 13.5 - b)
        two.append(difference(*laws).below(float(truth[0] - truth[1])))
        share = rng.dirichlet([1.0, 1.0, 2.0])
        seen = rng.multinomial(40, share)
        cells.append(dirichlet_difference(*(np.array([1.0, 1.0, 2.0]) + seen)).below(float(share[0] - share[1])))
    assert stats.kstest(two, "uniform").pvalue > 0.01
    assert stats.kstest(cells, "uniform").pvalue > 0.01


@pytest.mark.parametrize("model", ["bayesian-bootstrap", "student-t"])
def test_no_spread_no_posterior(paired, model):
    """Equal differences, none included, hold no information on the spread."""
    for differences in (np.zeros(5), np.full(5, 0.1)):
        with pytest.raises(DesignError, match="same difference"):
            posterior(paired(differences, np.zeros(5)), model=model)


@settings(max_examples=12, deadline=None)
@given(st.floats(1, 60), st.floats(1, 60), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
@example(2.0, 23.0, 0.99)
@example(1.0, 20.0, 0.95)  # the density falls from the end of the support
@example(20.0, 1.0, 0.5)
def test_intervals_of_highest_density_are_the_shortest(a, b, level):
    """SciPy's bounded minimisation of the width over the lower tail, for a beta variable; and turned round exactly."""
    beta = stats.beta(a, b)
    u = minimize_scalar(
        lambda u: beta.ppf(u + level) - beta.ppf(u), bounds=(0, 1 - level), method="bounded", options={"xatol": 1e-10}
    ).x
    widest = min(beta.ppf(v + level) - beta.ppf(v) for v in (0.0, u, 1 - level))
    interval, turned = continuous(beta).interval(level), continuous(beta).turned_round().interval(level)
    assert interval.high - interval.low <= widest + 2e-3
    assert beta.cdf(interval.high) - beta.cdf(interval.low) == pytest.approx(level, abs=1e-6)
    assert (turned.low, turned.high) == (-interval.high, -interval.low)


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=40), st.sampled_from([0.5, 0.8, 0.95]))
def test_intervals_of_draws_by_brute_force(values, level):
    """No pair of draws that holds as many of them is closer together."""
    draws = np.array(values, dtype=np.float64)
    interval = drawn(draws).interval(level)
    held = [
        (high - low) for low in draws for high in draws if ((draws >= low) & (draws <= high)).mean() >= level - 1e-12
    ]
    assert interval.high - interval.low == min(held)
