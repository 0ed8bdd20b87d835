"""A polynomial for the normal score: exact where it is smooth, refused where it is not."""

import numpy as np
import pytest

from reportkit.bayes.beta_binomial import Beta, BetaDifference
from reportkit.bayes.hierarchical_normal import NormalMixture
from reportkit.bayes.normal_scores import NormalScores


def test_a_skewed_smooth_distribution():
    """Quantiles and densities of a difference of proportions."""
    difference = BetaDifference(Beta(900.0, 40.0), Beta(30.0, 200.0))
    scores = NormalScores.of(difference)
    for p in (1e-6, 0.025, 0.5, 0.975):
        assert scores.reaches(p)
        x = difference.quantile(p)
        assert scores.quantile(p) == pytest.approx(x, abs=1e-9)
        assert scores.density(x) == pytest.approx(difference.density(x), rel=1e-6)
    assert not scores.reaches(1e-12)


def test_two_far_modes_are_refused():
    """The normal score of two narrow peaks is a staircase."""
    mixture = NormalMixture(np.array([0.5, 0.5]), np.array([-1.0, 1.0]), np.array([0.05, 0.05]))
    assert NormalScores.of(mixture) is None
