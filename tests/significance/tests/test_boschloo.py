"""Boschloo's test against SciPy, enumeration, and what an unconditional exact test has to keep."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import reportkit  # noqa: F401  (registers the accessor)
from reportkit.scores.sample import RightOf
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests.proportions import RELATIVE_ERROR, boschloo, boschloo_p, fisher_p

PLAN = ResamplingPlan()


@st.composite
def tables(draw, most=14):
    """Right answers of two small samples."""
    n_a, n_b = draw(st.integers(1, most)), draw(st.integers(1, most))
    return RightOf(draw(st.integers(0, n_a)), n_a, draw(st.integers(0, n_b)), n_b)


@pytest.mark.parametrize(
    "right", [RightOf(7, 8, 2, 8), RightOf(15, 20, 9, 20), RightOf(3, 5, 10, 30), RightOf(60, 100, 45, 90)]
)
def test_agrees_with_scipy(right):
    """SciPy samples the common proportion; with 512 points its maximum is right to four digits."""
    a, n_a, b, n_b = right
    expected = stats.boschloo_exact([[a, b], [n_a - a, n_b - b]], alternative="greater", n=512).pvalue
    assert boschloo_p(right) == pytest.approx(expected, rel=1e-4)


@given(tables())
@settings(deadline=None, max_examples=60)
def test_is_never_above_fisher(right):
    """The reason to prefer it."""
    assert boschloo_p(right) <= fisher_p(right) * (1 + 2 * RELATIVE_ERROR)


def test_both_tails_come_in_one_outcome(unpaired_counts):
    """p_less is the p-value of B against A, to the last bit."""
    outcome = boschloo(unpaired_counts(9, 12, 5, 15), PLAN)
    back = boschloo(unpaired_counts(5, 15, 9, 12, names=("b", "a")), PLAN)
    assert back == outcome.swapped()
    assert outcome.n_nonzero is None
    assert outcome.estimate == pytest.approx(9 / 12 - 5 / 15)


def test_smallest_p_value(unpaired_counts):
    """One system right everywhere, the other nowhere: (1/2)^n at equal sizes."""
    outcome = boschloo(unpaired_counts(6, 6, 0, 6), PLAN)
    assert outcome.p_min == pytest.approx(2.0**-12)
    assert outcome.p_greater == pytest.approx(2.0**-12, rel=1e-5)
    assert outcome.p_less == 1.0


def test_size_is_at_most_the_level():
    """No common proportion gives more than 5% of p-values up to .05."""
    n_a, n_b = 9, 7
    p = np.array([[boschloo_p(RightOf(a, n_a, b, n_b)) for b in range(n_b + 1)] for a in range(n_a + 1)])
    rejected = p <= 0.05
    for common in np.linspace(0.01, 0.99, 99):
        weights = np.outer(
            stats.binom.pmf(np.arange(n_a + 1), n_a, common), stats.binom.pmf(np.arange(n_b + 1), n_b, common)
        )
        assert float(weights[rejected].sum()) <= 0.05


@pytest.mark.slow
def test_thousands_of_instances():
    """Near the largest samples of the decision table, it is near the z-test and below Fisher's p-value."""
    right = RightOf(700, 999, 650, 999)
    p = boschloo_p(right)
    assert p < fisher_p(right)
    assert p == pytest.approx(0.00870, rel=0.01)
