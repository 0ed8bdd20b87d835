"""Averages over a normal variable."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import norm

from reportkit.bayes.chains.category_models import average_logistic
from reportkit.bayes.chains.chain_model import NODES, WEIGHTS


@pytest.mark.parametrize(("scale", "error"), [(0.5, 1e-8), (5.0, 1e-8), (10.0, 1e-4)])
def test_the_grid_is_as_exact_as_its_docstring_says(scale, error):
    """Against adaptive quadrature."""
    truth = quad(lambda z: expit(1.3 + scale * z) * norm.pdf(z), -12, 12, epsabs=1e-13, limit=500)[0]
    found = average_logistic(np.array([1.3]), np.array([scale]))[0]
    assert abs(found - truth) < error


def test_weights_are_those_of_a_standard_normal_distribution():
    """Sum, mean, variance and fourth moment."""
    moments = [(WEIGHTS * NODES**k).sum() for k in (0, 1, 2, 4)]
    np.testing.assert_allclose(moments, [1.0, 0.0, 1.0, 3.0], atol=1e-5)
