"""The t posterior against SciPy, and against the t test read the other way round."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reportkit.bayes.distribution import Distribution
from reportkit.bayes.student_t import LocationScaleT, posterior_of_mean
from reportkit.errors import DesignError

probabilities = st.floats(0.001, 0.999)


@given(st.floats(-5, 5), st.floats(0.01, 5), st.sampled_from([1, 2, 7.5, 300]), st.floats(-9, 9), probabilities)
def test_agrees_with_scipy(location, scale, df, x, p):
    """Tails, density and quantiles of the location-scale family."""
    ours = LocationScaleT(location=location, scale=scale, degrees_of_freedom=df)
    theirs = stats.t(df, location, scale)
    assert ours.above(x) == pytest.approx(theirs.sf(x), rel=1e-9)
    assert ours.below(x) == pytest.approx(theirs.cdf(x), rel=1e-9)
    assert ours.density(x) == pytest.approx(theirs.pdf(x), rel=1e-9)
    assert ours.quantile(p) == pytest.approx(theirs.ppf(p), rel=1e-7, abs=1e-9)


def test_quantiles_by_search_agree_with_the_closed_form():
    """The search that every other distribution relies on."""
    t = LocationScaleT(location=0.3, scale=0.02, degrees_of_freedom=5)
    for p in (1e-9, 0.025, 0.5, 0.9, 1 - 1e-9):
        assert Distribution.quantile(t, p) == pytest.approx(t.quantile(p), rel=1e-9)


def test_one_minus_the_p_value_of_the_t_test(paired):
    """P(A better) is one minus the one-sided p-value."""
    rng = np.random.default_rng(4)
    a, b = rng.normal(0.3, 1, 30), rng.normal(0, 1, 30)
    expected = stats.ttest_rel(a, b, alternative="greater").pvalue
    assert posterior_of_mean(paired(a, b)).above(0.0) == pytest.approx(1 - expected, abs=1e-12)


def test_agrees_with_draws_from_the_jeffreys_posterior(paired):
    """sigma^2 from a scaled inverse chi-square, then mu from a normal: 400,000 draws, five standard errors."""
    rng = np.random.default_rng(6)
    d = rng.normal(0.2, 1.0, 12)
    n = d.size
    sigma2 = (n - 1) * d.var(ddof=1) / rng.chisquare(n - 1, 400_000)
    mu = rng.normal(d.mean(), np.sqrt(sigma2 / n))
    posterior = posterior_of_mean(paired(d, np.zeros(n)))
    for t in (-0.2, 0.0, 0.5):
        p = posterior.above(t)
        assert (mu > t).mean() == pytest.approx(p, abs=5 * np.sqrt(p * (1 - p) / mu.size))


def test_no_spread_no_posterior(paired):
    """Equal differences, or one instance, hold no information on the variance."""
    for a, b in (([1.0, 2.0], [0.5, 1.5]), ([1.0], [0.0])):
        with pytest.raises(DesignError, match="would claim certainty"):
            posterior_of_mean(paired(a, b))
