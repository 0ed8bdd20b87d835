"""Draws for ordinal samples: a closed form for two levels, and the observed effect."""

import numpy as np
import pytest

from reportkit.bayes.beta_binomial import Beta, BetaDifference
from reportkit.bayes.ordinal_levels import ordinal_levels


def test_two_levels_are_two_beta_variables():
    """Levels 1 and 2: the difference of two proportions with the counts as parameters."""
    a, b = np.repeat([1.0, 2.0], [5, 9]), np.repeat([1.0, 2.0], [8, 4])
    draws = ordinal_levels(a, b, n_draws=200_000)
    exact = BetaDifference(Beta(9, 5), Beta(4, 8))
    for x in (-0.1, 0.0, 0.3, 0.5):
        p = exact.above(x)
        assert draws.above(x) == pytest.approx(p, abs=5 * draws.standard_error(p) + 1e-9)


def test_the_mean_is_the_observed_effect():
    """P(a > b) - P(a < b) over all pairs; Dirichlet shares have the observed ones as mean."""
    rng = np.random.default_rng(3)
    a, b = rng.integers(1, 6, 40).astype(float), rng.integers(1, 5, 30).astype(float)
    observed = np.sign(a[:, None] - b).mean()
    draws = ordinal_levels(a, b)
    assert draws.mean == pytest.approx(observed, abs=5 * draws.sd / np.sqrt(draws.n_draws))


def test_distances_between_levels_play_no_role():
    """A monotone change of the levels changes nothing, and the same seed gives the same draws."""
    a, b = np.array([1.0, 2, 3, 3, 5]), np.array([1.0, 1, 2, 4])
    once, again = ordinal_levels(a, b, n_draws=1000, seed=3), ordinal_levels(a**3, b**3, n_draws=1000, seed=3)
    assert (once.values == again.values).all()
    assert (once.values != ordinal_levels(a, b, n_draws=1000, seed=4).values).any()
