"""Several datasets: the eight schools, adaptive quadrature over tau, limits, symmetries."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad

from reportkit.bayes.hierarchical_normal import hierarchical_normal
from reportkit.errors import DesignError, InputError, SettingsError

SCHOOLS = np.array([28.0, 8, -3, 7, -1, 1, 18, 12])
ERRORS = np.array([15.0, 10, 16, 11, 9, 11, 10, 18])


def _by_quad(y, se, log_prior, largest):
    """E mu, E tau, P(mu > 0) and P(new > 0) by SciPy's quad over tau."""

    def given(tau):
        v = se**2 + tau**2
        variance = 1 / (1 / v).sum()
        mu = variance * (y / v).sum()
        log = 0.5 * math.log(variance) - 0.5 * (np.log(v) + (y - mu) ** 2 / v).sum() + log_prior(tau)
        return math.exp(log + len(y) * math.log(se.mean())), mu, variance

    def integral(function):
        return quad(lambda tau: function(*given(tau), tau), 0, largest, epsabs=0, epsrel=1e-10, limit=500)[0]

    total = integral(lambda weight, mu, variance, tau: weight)
    wanted = (
        lambda weight, mu, variance, tau: weight * mu,
        lambda weight, mu, variance, tau: weight * tau,
        lambda weight, mu, variance, tau: weight * stats.norm.cdf(mu / math.sqrt(variance)),
        lambda weight, mu, variance, tau: weight * stats.norm.cdf(mu / math.sqrt(variance + tau**2)),
    )
    return [integral(function) / total for function in wanted]


def test_eight_schools():
    """Under a vague prior near the published E mu = 7.93 and sd 5.14 of a uniform one; all four by SciPy's quad."""
    found = hierarchical_normal(SCHOOLS, ERRORS, tau_scale=40)
    assert found.average.mean == pytest.approx(7.93, abs=0.02)
    assert found.average.sd == pytest.approx(5.14, abs=0.1)
    expected = _by_quad(SCHOOLS, ERRORS, lambda tau: -0.5 * (tau / 40) ** 2, 360)
    assert [found.average.mean, found.tau_mean, found.p_average, found.p_new_dataset] == pytest.approx(
        expected, rel=1e-7
    )


@pytest.mark.parametrize(("scale", "expected"), [(0.02, 0.965), (0.10, 0.836)])
def test_two_arc_datasets(scale, expected):
    """P(new dataset > 0) of Sadat Azer et al.'s two systems, under two half-normal priors."""
    counts = ((1721, 1637, 2376), (566, 496, 1172))
    y = np.array([(a - b) / n for a, b, n in counts])
    se = np.array([math.sqrt(a * (n - a) / n**3 + b * (n - b) / n**3) for a, b, n in counts])
    found = hierarchical_normal(y, se, tau_scale=scale)
    assert found.p_new_dataset == pytest.approx(expected, abs=0.0005)
    by_quad = _by_quad(y, se, lambda tau: -0.5 * (tau / scale) ** 2, 9 * scale)
    assert [found.average.mean, found.tau_mean, found.p_average, found.p_new_dataset] == pytest.approx(
        by_quad, rel=1e-7
    )


def test_no_spread_is_the_precision_weighted_mean():
    """With a tiny scale, mu is the fixed-effect estimate, and a new dataset is the same."""
    found = hierarchical_normal([0.03, 0.06], [0.02, 0.01], tau_scale=1e-9)
    precision = 1 / 0.02**2 + 1 / 0.01**2
    assert found.average.mean == pytest.approx((0.03 / 0.02**2 + 0.06 / 0.01**2) / precision, abs=1e-12)
    assert found.average.sd == pytest.approx(precision**-0.5, rel=1e-9)
    assert found.p_new_dataset == pytest.approx(found.p_average, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0.05, 0.5)), min_size=2, max_size=6), st.floats(0.1, 100))
def test_symmetries(pairs, factor):
    """Turned round, in another order, and in another unit."""
    y, se = np.array(pairs).T
    found = hierarchical_normal(y, se, tau_scale=0.3)
    assert hierarchical_normal(y[::-1], se[::-1], tau_scale=0.3).p_new_dataset == pytest.approx(
        found.p_new_dataset, abs=1e-12
    )
    assert hierarchical_normal(-y, se, tau_scale=0.3).p_average == pytest.approx(1 - found.p_average, abs=1e-9)
    assert hierarchical_normal(factor * y, factor * se, tau_scale=factor * 0.3).p_average == pytest.approx(
        found.p_average, abs=1e-9
    )


def test_bad_input():
    """One dataset, an effect without error, unequal lengths, priors that are not valid."""
    with pytest.raises(DesignError, match="between datasets"):
        hierarchical_normal([0.1], [0.1], tau_scale=0.1)
    with pytest.raises(InputError, match="1 of 2 datasets lack"):
        hierarchical_normal([0.1, 0.2], [0.1, 0.0], tau_scale=0.1, names=("rte", "cb"))
    with pytest.raises(InputError, match="shape"):
        hierarchical_normal([0.1, 0.2], [0.1], tau_scale=0.1)
    with pytest.raises(SettingsError, match="no scale"):
        hierarchical_normal([0.1, 0.2], [0.1, 0.1], tau_scale=0.0)
