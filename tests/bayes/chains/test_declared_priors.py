"""NumPy draws, PyMC variables and words of a prior are one distribution."""

import numpy as np
import pytest
from scipy import stats

from reportkit.bayes.chains.chain_model import (
    beta_share,
    dirichlet_shares,
    exponential,
    half_cauchy,
    half_normal,
    normal,
)

PRIORS = [
    (normal(1.0, 2.0), stats.norm(1.0, 2.0), "Normal(1, 2)"),
    (half_normal(3.0), stats.halfnorm(scale=3.0), "half-Normal(3)"),
    (half_cauchy(2.0), stats.halfcauchy(scale=2.0), "half-Cauchy(2)"),
    (exponential(29.0), stats.expon(scale=29.0), "Exponential(mean 29)"),
    (beta_share(2.0, 3.0), stats.beta(2.0, 3.0), "Beta(2, 3)"),
]


@pytest.mark.parametrize(("prior", "truth", "text"), PRIORS)
def test_draws_follow_the_distribution_of_scipy(prior, truth, text):
    """By the Kolmogorov-Smirnov test."""
    assert stats.kstest(prior.draw(np.random.default_rng(1), 5000), truth.cdf).pvalue > 1e-3
    assert prior.text == text


@pytest.mark.usefixtures("pymc")
@pytest.mark.parametrize(("prior", "truth", "text"), PRIORS)
def test_the_variable_of_pymc_has_the_same_density(prior, truth, text):
    """At three quantiles, but for the constant, which PyTensor computes in single precision and no chain depends on."""
    import pymc

    points = truth.ppf([0.1, 0.5, 0.9])
    with pymc.Model():
        variable = prior.variable(pymc, "x")
    density = pymc.logp(variable, points).eval(mode="FAST_COMPILE")
    np.testing.assert_allclose(np.diff(density), np.diff(truth.logpdf(points)), atol=1e-12)
    assert density[1] == pytest.approx(truth.logpdf(points[1]), abs=1e-6)


@pytest.mark.usefixtures("pymc")
def test_shares_sum_to_one_in_both():
    """A symmetric Dirichlet distribution."""
    import pymc

    prior = dirichlet_shares(2.0, 3)
    drawn = prior.draw(np.random.default_rng(1), 2000)
    np.testing.assert_allclose(drawn.sum(axis=1), 1.0)
    assert stats.kstest(drawn[:, 0], stats.beta(2.0, 4.0).cdf).pvalue > 1e-3
    with pymc.Model():
        variable = prior.variable(pymc, "x")
    point = np.array([0.2, 0.5, 0.3])
    density = float(pymc.logp(variable, point).eval(mode="FAST_COMPILE"))
    assert density == pytest.approx(stats.dirichlet([2.0, 2.0, 2.0]).logpdf(point))
