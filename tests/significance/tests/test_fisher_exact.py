"""Fisher's exact test against integer arithmetic and SciPy."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from scipy import stats

from reportkit.scores.sample import RightOf
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests.proportions import fisher_exact, fisher_p
from tests.significance.tests.test_boschloo import tables

PLAN = ResamplingPlan()


def _exact(right):
    a, n_a, b, n_b = right
    total = a + b
    ways = sum(comb(n_a, x) * comb(n_b, total - x) for x in range(a, min(n_a, total) + 1))
    return Fraction(ways, comb(n_a + n_b, total))


@given(tables(60))
def test_agrees_with_integer_arithmetic(right):
    """To twelve digits, whatever the table."""
    assert fisher_p(right) == pytest.approx(float(_exact(right)), rel=1e-11)


@pytest.mark.parametrize("right", [RightOf(900, 1000, 100, 1000), RightOf(2000, 2500, 900, 4000)])
def test_far_tails(right):
    """Down to where SciPy's own table test gives 0."""
    assert fisher_p(right) == pytest.approx(float(_exact(right)), rel=1e-9)


def test_agrees_with_scipy_and_swaps(unpaired_counts):
    """Both one-sided p-values, and A against B turned round."""
    outcome = fisher_exact(unpaired_counts(9, 12, 5, 15), PLAN)
    for alternative in ("greater", "less"):
        expected = stats.fisher_exact([[9, 5], [3, 10]], alternative=alternative).pvalue
        assert outcome.towards(alternative).p_value == pytest.approx(expected, rel=1e-12)
    assert fisher_exact(unpaired_counts(5, 15, 9, 12, names=("b", "a")), PLAN) == outcome.swapped()


def test_counts_far_apart_are_not_zero(proportions):
    """So far that the tail is below the smallest float: p is that float."""
    outcome = fisher_exact(proportions(40_000, 40_000, 0, 40_000), PLAN)
    assert 0 < outcome.p_greater < 1e-300
    assert outcome.p_less == 1.0
