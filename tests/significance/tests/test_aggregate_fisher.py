"""Fisher's test of counts alone."""

import pytest
from scipy import stats

from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.aggregate_fisher import aggregate_fisher

PLAN = ResamplingPlan()


@pytest.mark.parametrize("table", [(1721, 2376, 1637, 2376), (4900, 5000, 960, 1000), (3, 4, 1, 5000)])
def test_agrees_with_scipy(proportions, table):
    """Both directions."""
    a, n_a, b, n_b = table
    outcome = aggregate_fisher(proportions(*table), PLAN)
    for side, p in (("greater", outcome.p_greater), ("less", outcome.p_less)):
        assert p == pytest.approx(stats.fisher_exact([[a, n_a - a], [b, n_b - b]], alternative=side).pvalue, rel=1e-8)
    assert aggregate_fisher(proportions(b, n_b, a, n_a, names=("b", "a")), PLAN) == outcome.swapped()


def test_far_apart_is_not_zero(proportions):
    """So far that the tail is below the smallest float: p is that float."""
    outcome = aggregate_fisher(proportions(40_000, 40_000, 0, 40_000), PLAN)
    assert 0 < outcome.p_greater < 1e-300
    assert outcome.p_less == 1.0
