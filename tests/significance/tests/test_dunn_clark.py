"""Dunn and Clark's Z against published values."""

import numpy as np
import pytest
from scipy import stats

from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.dunn_clark import dunn_clark, dunn_clark_z
from reportkit.significance.tests.steiger import steiger_z


def test_published_value():
    """As printed for the R package cocor."""
    assert round(dunn_clark_z(0.5, 0.6, 0.7, 100), 7) == -1.5838851


def test_equal_correlations_have_the_covariance_of_steiger():
    """Pooling changes nothing where there is nothing to pool: the ratio of the two tends to 1."""
    close = (0.5, 0.5 + 1e-6, 0.6, 50)
    assert dunn_clark_z(*close) / steiger_z(*close) == pytest.approx(1, abs=1e-6)


def test_of_a_sample(predictions):
    """Z of the three correlations, and both tails of the normal distribution."""
    rng = np.random.default_rng(1)
    gold = rng.normal(size=40)
    a, b = gold + rng.normal(size=40), gold + 2 * rng.normal(size=40)
    outcome = dunn_clark(predictions(a, b, gold), ResamplingPlan())
    r = [np.corrcoef(*both)[0, 1] for both in ((a, gold), (b, gold), (a, b))]
    assert outcome.statistic == pytest.approx(dunn_clark_z(*r, 40), rel=1e-10)
    assert (outcome.p_greater, outcome.p_less) == pytest.approx(
        (stats.norm.sf(outcome.statistic), stats.norm.cdf(outcome.statistic)), rel=1e-10
    )
