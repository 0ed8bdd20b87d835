"""Boschloo's test against SciPy, enumeration, and what an unconditional exact test has to keep."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import reportkit  # noqa: F401  (registers the accessor)
from reportkit.scores.sample import RightOf
from reportkit.significance.assess import assess
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.boschloo import (
    AGGREGATE_BOSCHLOO,
    RELATIVE_ERROR,
    aggregate_boschloo,
    boschloo,
    boschloo_p,
)
from reportkit.significance.tests.fisher_exact import fisher_p
from reportkit.significance.tests.mcnemar_margins import mcnemar_margins

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


@pytest.mark.slow
@given(tables())
@settings(deadline=None, max_examples=40)
def test_is_the_largest_probability_of_a_table_as_extreme(right):
    """All tables, a dense grid of common proportions, Fisher's p-value as the order."""
    if right.a + right.b in (0, right.n_a + right.n_b):
        assert boschloo_p(right) == 1.0
        return
    a, b = np.arange(right.n_a + 1), np.arange(right.n_b + 1)
    fisher = np.array([[fisher_p(RightOf(int(x), right.n_a, int(y), right.n_b)) for y in b] for x in a])
    extreme = fisher <= fisher[right.a, right.b] * (1 + 1e-9)
    grid = np.sin(np.linspace(0, np.pi / 2, 801)) ** 2
    sizes = [stats.binom.pmf(a, right.n_a, p) @ extreme @ stats.binom.pmf(b, right.n_b, p) for p in grid]
    assert boschloo_p(right) >= min(1.0, max(sizes))
    assert boschloo_p(right) == pytest.approx(max(sizes), rel=1e-3)


@given(tables())
@settings(deadline=None, max_examples=60)
def test_is_never_above_fisher(right):
    """The reason to prefer it."""
    assert boschloo_p(right) <= fisher_p(right) * (1 + 2 * RELATIVE_ERROR)


@given(tables())
@settings(deadline=None, max_examples=40)
def test_swap_and_negation(right):
    """A against B turned round, and errors instead of right answers."""
    a, n_a, b, n_b = right
    wrong = RightOf(n_b - b, n_b, n_a - a, n_a)
    assert boschloo_p(wrong) == pytest.approx(boschloo_p(right), rel=1e-9)


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


def test_thousands_of_instances():
    """Near the largest samples of the decision table, it is near the z-test and below Fisher's p-value."""
    right = RightOf(700, 999, 650, 999)
    p = boschloo_p(right)
    assert p < fisher_p(right)
    assert p == pytest.approx(0.00870, rel=0.01)


@pytest.mark.parametrize(("n_a", "n_b"), [(40, 10), (10, 40), (12, 12), (5, 5)])
def test_size_of_counts_by_enumeration(proportions, n_a, n_b):
    """Over all tables, no common proportion is rejected more often than the level; the z-test was, up to .088."""
    items = {(a, b): assess(proportions(a, n_a, b, n_b), PLAN) for a in range(n_a + 1) for b in range(n_b + 1)}
    a, b = np.arange(n_a + 1)[:, None], np.arange(n_b + 1)
    for side in ("p_greater", "p_less"):
        p = np.array([[getattr(items[x, y], side) for y in range(n_b + 1)] for x in range(n_a + 1)])
        for share in (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.98, 0.995):
            weights = stats.binom.pmf(a, n_a, share) * stats.binom.pmf(b, n_b, share)
            for level in (0.05, 0.025, 0.01, 0.001):
                assert weights[p <= level].sum() <= level


def test_counts_and_rows_have_the_same_p_value(proportions, unpaired_counts):
    """The same data given as k of n and as scores of single instances; swap included."""
    counted, rows = aggregate_boschloo(proportions(30, 40, 5, 10), PLAN), boschloo(unpaired_counts(30, 40, 5, 10), PLAN)
    assert (counted.p_greater, counted.p_less, counted.p_min) == (rows.p_greater, rows.p_less, rows.p_min)
    assert aggregate_boschloo(proportions(5, 10, 30, 40, names=("b", "a")), PLAN) == counted.swapped()
    assert counted.method == "exact"


def test_the_pairing_is_said_to_be_unknown(proportions):
    """With the McNemar p-values that the numbers allow."""
    sample = proportions(30, 40, 20, 40)
    outcome = aggregate_boschloo(sample, PLAN)
    (finding,) = AGGREGATE_BOSCHLOO.remarks(sample, outcome)
    assert (finding.code, finding.severity) == ("pairing-unknown", "warning")
    assert AGGREGATE_BOSCHLOO.details(sample, outcome).a.mcnemar_p_value_high == mcnemar_margins(sample, PLAN).p_greater


def test_counts_from_a_table():
    """It is what a table of k and n is tested by; above a million tables it is Fisher's."""
    frame = pd.DataFrame({"system": ["new", "old"], "dataset": "cb", "k": [700, 650], "n": [990, 990]})
    assert frame.replic.compare("new", "old").outcomes.test.tolist() == ["aggregate-boschloo"]
    larger = frame.assign(n=1000)
    assert larger.replic.compare("new", "old").outcomes.test.tolist() == ["aggregate-fisher"]
