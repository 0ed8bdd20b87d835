"""The Z of Meng, Rosenthal and Rubin against published values."""

import numpy as np
import pytest
from scipy import stats

from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.meng import meng, meng_z


def test_published_value():
    """As printed for the R package cocor."""
    assert round(meng_z(0.3, 0.4, 0.5, 100), 4) == -1.0707


def test_f_is_at_most_one():
    """A system that predicts the opposite: f is cut at 1, so h is 1."""
    assert meng_z(0.9, -0.9, -0.9, 28) == pytest.approx(2 * np.arctanh(0.9) * np.sqrt(25 / 3.8))


def test_of_a_sample(predictions):
    """Z of the three correlations, and both tails of the normal distribution."""
    rng = np.random.default_rng(1)
    gold = rng.normal(size=40)
    a, b = gold + rng.normal(size=40), gold + 2 * rng.normal(size=40)
    outcome = meng(predictions(a, b, gold), ResamplingPlan())
    r = [np.corrcoef(*both)[0, 1] for both in ((a, gold), (b, gold), (a, b))]
    assert outcome.statistic == pytest.approx(meng_z(*r, 40), rel=1e-10)
    assert (outcome.p_greater, outcome.p_less) == pytest.approx(
        (stats.norm.sf(outcome.statistic), stats.norm.cdf(outcome.statistic)), rel=1e-10
    )
