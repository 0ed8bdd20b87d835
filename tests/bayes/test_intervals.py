"""Intervals of highest density: closed forms, brute search, draws, and what is refused."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reportkit.bayes.intervals import (
    CredibleInterval,
    equal_tailed_interval,
    highest_density_interval,
    highest_density_of_draws,
)
from reportkit.bayes.laws import Beta, Difference, DirichletDifference, NormalMixture
from scipy import stats
from scipy.optimize import minimize_scalar

from reportkit.bayes.distribution import Draws, Mirrored, StudentT

BIMODAL = NormalMixture(np.array([0.6, 0.4]), np.array([-2.0, 2.0]), np.array([0.5, 0.5]))


class _Beta(DirichletDifference):
    """(x + 1) / 2 is a beta variable: a Dirichlet difference without a rest."""

    def __init__(self, a, b):
        super().__init__(a, b, 0.0)

    def above(self, x):
        """From SciPy."""
        return float(stats.beta.sf((x + 1) / 2, self.only_a, self.only_b))

    def below(self, x):
        """From SciPy."""
        return float(stats.beta.cdf((x + 1) / 2, self.only_a, self.only_b))


def _beta(a, b):
    return _Beta(a, b)


@settings(max_examples=12, deadline=None)
@given(st.floats(1.5, 60), st.floats(1.5, 60), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
@example(2.0, 23.0, 0.99)  # the lower end lies between the end of the support and the first knot
@example(9.0, 2.0, 0.99)
def test_the_search_of_the_definition(a, b, level):
    """SciPy's bounded minimisation of the width over the lower tail, for a beta variable."""
    beta = stats.beta(a, b)
    u = minimize_scalar(
        lambda u: beta.ppf(u + level) - beta.ppf(u), bounds=(0, 1 - level), method="bounded", options={"xatol": 1e-10}
    ).x
    interval = highest_density_interval(_beta(a, b), level)
    assert (interval.low, interval.high) == pytest.approx((2 * beta.ppf(u) - 1, 2 * beta.ppf(u + level) - 1), abs=1e-3)
    assert interval.high - interval.low <= 2 * (beta.ppf(u + level) - beta.ppf(u)) + 1e-4


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_a_falling_density_is_taken_from_its_end(level):
    """Beta(1, 20): the shortest interval begins at the end of the support, and so does that of Beta(20, 1)."""
    low, high = -1.0, 2 * stats.beta.ppf(level, 1, 20) - 1
    left, right = highest_density_interval(_beta(1, 20), level), highest_density_interval(_beta(20, 1), level)
    assert (left.low, left.high) == pytest.approx((low, high), abs=1e-9)
    assert (right.low, right.high) == pytest.approx((-high, -low), abs=1e-9)


def test_a_symmetric_distribution_has_one_interval():
    """Highest density and equal tails are the same for Student's t."""
    t = StudentT(0.2, 0.1, 7)
    highest, equal = highest_density_interval(t, 0.9), equal_tailed_interval(t, 0.9)
    assert (highest.low, highest.high) == pytest.approx((equal.low, equal.high), abs=1e-6)
    assert (equal.low, equal.high) == pytest.approx(stats.t.interval(0.9, 7, 0.2, 0.1), abs=1e-9)


@pytest.mark.slow
@settings(max_examples=4, deadline=None)
@given(st.floats(1, 30), st.floats(1, 30), st.floats(1, 30))
def test_turned_round_exactly(a, b, c):
    """The interval of B minus A is that of A minus B with the ends exchanged, to the last digit."""
    difference = DirichletDifference(a, b, c)
    interval, other = highest_density_interval(difference), highest_density_interval(Mirrored(difference))
    assert (other.low, other.high) == (-interval.high, -interval.low)
    equal, back = equal_tailed_interval(difference), equal_tailed_interval(Mirrored(difference))
    assert (back.low, back.high) == pytest.approx((-equal.high, -equal.low), abs=1e-12)
    assert difference.inside(interval.low, interval.high) == pytest.approx(0.95, abs=1e-5)


def test_two_modes_are_refused():
    """No single interval has the highest density; the equal-tailed one stands."""
    assert highest_density_interval(BIMODAL) is None
    assert highest_density_interval(Mirrored(BIMODAL)) is None
    assert highest_density_interval(Difference(Beta(0.2, 0.2), Beta(50.0, 50.0))) is None
    equal = equal_tailed_interval(BIMODAL)
    assert BIMODAL.below(equal.low) == pytest.approx(0.025, abs=1e-7)


def test_draws_find_the_same_interval():
    """200,000 draws of a skewed variable, within what such draws can tell."""
    draws = np.random.default_rng(9).gamma(4.0, size=200_000)
    u = minimize_scalar(
        lambda u: stats.gamma.ppf(u + 0.95, 4) - stats.gamma.ppf(u, 4), bounds=(0, 0.05), method="bounded"
    ).x
    interval = highest_density_of_draws(draws)
    assert (interval.low, interval.high) == pytest.approx(
        (stats.gamma.ppf(u, 4), stats.gamma.ppf(u + 0.95, 4)), abs=0.12
    )
    assert highest_density_interval(Draws(np.sort(draws), draws.size)) == interval


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=40), st.sampled_from([0.5, 0.8, 0.95]))
def test_draws_by_brute_force(values, level):
    """No pair of draws that holds as many of them is closer together."""
    draws = np.array(values, dtype=np.float64)
    interval = highest_density_of_draws(draws, level)
    held = [
        (high - low) for low in draws for high in draws if ((draws >= low) & (draws <= high)).mean() >= level - 1e-12
    ]
    assert interval.high - interval.low == min(held)


@pytest.mark.parametrize("seed", range(2))
def test_modes_of_draws(seed):
    """Two peaks are seen, and noise, skewness or heavy tails are not taken for a second one."""
    rng = np.random.default_rng(seed)
    n = 50_000
    two = np.concatenate([rng.normal(-2, 0.6, 3 * n // 5), rng.normal(2, 0.6, 2 * n // 5)])
    assert highest_density_of_draws(two) is None
    for one in (rng.normal(size=n), rng.exponential(size=n), rng.standard_t(2, size=n), rng.uniform(size=n)):
        assert highest_density_of_draws(one) is not None


def test_bad_input():
    """Intervals that are none."""
    with pytest.raises(ValueError, match="no interval"):
        CredibleInterval(low=1.0, high=0.0, level=0.95, kind="equal-tailed")
    with pytest.raises(ValueError, match="not between 0 and 1"):
        CredibleInterval(low=0.0, high=1.0, level=1.0, kind="equal-tailed")
