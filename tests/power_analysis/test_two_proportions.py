"""Power of exact tests of two proportions against sums over all tables by the tests themselves."""

import numpy as np
import pytest
from scipy import stats

from reportkit.errors import SettingsError
from reportkit.power_analysis.two_proportions import two_proportions_minimum_detectable, two_proportions_power
from reportkit.scores.shapes.sample import RightOf
from reportkit.significance.tests.boschloo import boschloo_p


@pytest.mark.parametrize(("n_a", "n_b"), [(12, 12), (20, 8), (5, 30)])
@pytest.mark.parametrize("level", [0.05, 0.01])
def test_boschloo_by_its_p_values(n_a, n_b, level):
    """The probability of all tables whose p-value is at most the level."""
    a, b = np.arange(n_a + 1)[:, None], np.arange(n_b + 1)
    p = np.array([[boschloo_p(RightOf(x, n_a, y, n_b)) for y in b.tolist()] for x in a.ravel().tolist()])
    weights = stats.binom.pmf(a, n_a, 0.9) * stats.binom.pmf(b, n_b, 0.4)
    found = two_proportions_power(n_a, n_b, 0.9, 0.4, alpha=level, alternative="greater")
    assert found == pytest.approx(weights[p <= level].sum(), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("n_a", "n_b", "right_a", "right_b"), [(1200, 1000, 0.85, 0.8), (2000, 900, 0.995, 0.97)])
def test_fisher_by_its_p_values(n_a, n_b, right_a, right_b):
    """Beyond a million tables."""
    weights = np.outer(stats.binom.pmf(range(n_a + 1), n_a, right_a), stats.binom.pmf(range(n_b + 1), n_b, right_b))
    a, b = np.nonzero(weights > 1e-17)  # all others together have no 1e-10
    p = stats.hypergeom.sf(a - 1, n_a + n_b, a + b, n_a)
    found = two_proportions_power(n_a, n_b, right_a, right_b)
    assert found == pytest.approx(weights[a, b][p <= 0.025].sum(), abs=1e-9)


@pytest.mark.parametrize(("n_a", "n_b", "overall"), [(100, 100, 0.7), (300, 40, 0.9), (1500, 1500, 0.5)])
def test_the_power_is_there(n_a, n_b, overall):
    """At the minimum detectable difference, with the same accuracy over all instances."""
    found = two_proportions_minimum_detectable(n_a, n_b, overall, n_datasets=4)
    for effect, alpha in ((found.at_alpha, 0.05), (found.in_family, 0.05 / 4)):
        right_a, right_b = overall + effect * n_b / (n_a + n_b), overall - effect * n_a / (n_a + n_b)
        assert two_proportions_power(n_a, n_b, right_a, right_b, alpha=alpha) == pytest.approx(0.8, abs=1e-6)


def test_too_few_or_too_good_for_any_difference():
    """Two of two against none is p = 1/16; where nearly all is right, no difference is left to be shown."""
    assert two_proportions_minimum_detectable(2, 2, 0.5).at_alpha is None
    assert two_proportions_minimum_detectable(50, 50, 0.99).at_alpha is None
    assert two_proportions_minimum_detectable(50, 50, 1.0).at_alpha is None


def test_impossible_plans_are_refused():
    """With the number that makes no sense."""
    with pytest.raises(SettingsError, match=r"right_b is 1\.2"):
        two_proportions_power(10, 10, 0.5, 1.2)
    with pytest.raises(SettingsError, match="n_a is 0"):
        two_proportions_power(0, 10, 0.5, 0.2)
    with pytest.raises(SettingsError, match="overall is -1"):
        two_proportions_minimum_detectable(10, 10, -1)
