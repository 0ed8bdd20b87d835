"""Steiger's Z against published values, and its part in the profile of Dror et al."""

import numpy as np
import pytest
from scipy import stats

from reportkit.significance.choose import choose
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests.correlations import steiger, steiger_z


@pytest.mark.parametrize(
    ("correlations", "z", "digits"),
    [((0.3, 0.4, 0.5, 100), -1.0718, 4), ((0.4, 0.5, 0.1, 103), -0.8887185, 7)],
)
def test_published_values(correlations, z, digits):
    """As printed for the R package cocor; the second is the example of Steiger (1980)."""
    assert round(steiger_z(*correlations), digits) == z


def test_of_a_sample(predictions):
    """Z of the three correlations; both tails of the normal distribution, far out too."""
    rng = np.random.default_rng(1)
    gold = rng.normal(size=400)
    a, b = gold + 0.3 * rng.normal(size=400), gold + 3 * rng.normal(size=400)
    outcome = steiger(predictions(a, b, gold), ResamplingPlan())
    r = [np.corrcoef(*both)[0, 1] for both in ((a, gold), (b, gold), (a, b))]
    assert outcome.statistic == pytest.approx(steiger_z(*r, 400), rel=1e-9)
    assert outcome.p_greater == pytest.approx(stats.norm.sf(outcome.statistic), rel=1e-9)
    assert outcome.p_greater < 1e-60
    assert outcome.p_less == pytest.approx(1.0)


def test_the_profile_of_dror_et_al_takes_it(predictions):
    """For correlations; clusters are ignored, and the reason says so."""
    rng = np.random.default_rng(2)
    gold, a, b = rng.normal(size=(3, 20))
    choice = choose(predictions(a, b, gold), "dror2017")
    assert (choice.row, choice.test) == (7, "steiger")
    clustered = choose(predictions(a, b, gold, clusters=np.arange(20) // 2), "dror2017")
    assert clustered.reason.endswith("clusters is ignored, as in Dror et al. (2017)")
