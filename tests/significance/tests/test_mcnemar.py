"""McNemar's test in both forms against SciPy, statsmodels, big integers and enumeration."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from reportkit.significance.assess import assess
from reportkit.significance.outcome import SMALLEST_P_VALUE
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.mcnemar import (
    exact_tails,
    mcnemar,
    mcnemar_chi2,
    mcnemar_columns,
    upper_binomial_tail,
)

PLAN = ResamplingPlan()
TABLES = [(8, 2), (2, 8), (5, 5), (1, 0), (0, 1), (30, 13), (300, 241)]


@pytest.mark.parametrize(("wins", "losses"), TABLES)
def test_exact_agrees_with_binomtest(counts, wins, losses):
    """Both tails are those of SciPy's binomial test, and two-sided too."""
    outcome = mcnemar(counts(wins, losses, 7), PLAN)
    for alternative in ("greater", "less", "two-sided"):
        expected = stats.binomtest(wins, wins + losses, alternative=alternative).pvalue
        assert outcome.towards(alternative).p_value == pytest.approx(expected, rel=1e-12)
    assert outcome.towards("two-sided").p_value == pytest.approx(
        statsmodels_mcnemar([[7, wins], [losses, 0]], exact=True).pvalue, rel=1e-12
    )


@pytest.mark.parametrize(("k", "m"), [(8, 10), (150, 200), (700, 1_000), (990, 1_000), (10_500, 20_000)])
def test_tails_agree_with_big_integers(k, m):
    """The tail is right to 12 digits down to 1e-277."""
    term = count = math.comb(m, k)
    for further in range(k, m):
        term = term * (m - further) // (further + 1)
        count += term
    truth = Fraction(count, 2**m)
    assert abs(Fraction(upper_binomial_tail(k, m)) / truth - 1) < 1e-12


def test_tails_beyond_floats_are_the_smallest_float():
    """2,000 wins without a loss have p = 2^-2000."""
    tails = exact_tails(2_000, 0)
    assert tails.p_greater == tails.p_min == SMALLEST_P_VALUE
    assert tails.p_less == 1.0


@pytest.mark.parametrize(("wins", "losses"), TABLES)
def test_chi2_agrees_with_statsmodels(counts, wins, losses):
    """Two-sided, the normal form is the chi-squared form without correction."""
    expected = statsmodels_mcnemar([[7, wins], [losses, 0]], exact=False, correction=False).pvalue
    outcome = mcnemar_chi2(counts(wins, losses, 7), PLAN)
    assert outcome.towards("two-sided").p_value == pytest.approx(expected, rel=1e-10)
    assert outcome.p_greater == pytest.approx(stats.norm.sf((wins - losses) / math.sqrt(wins + losses)), rel=1e-12)


@pytest.mark.parametrize("function", [mcnemar, mcnemar_chi2])
def test_no_differing_instance_gives_one(counts, function):
    """Without one, p = 1 on both sides, where formulas give 0, 1/2 or NaN."""
    outcome = function(counts(0, 0, 5), PLAN)
    assert (outcome.p_greater, outcome.p_less, outcome.p_min) == (1.0, 1.0, 1.0)
    assert outcome.n_nonzero == 0


@pytest.mark.parametrize(
    ("function", "sizes"),
    [
        (mcnemar, {10: 0.021, 20: 0.034, 50: 0.037}),
        (mcnemar_chi2, {10: 0.065, 20: 0.058, 50: 0.060}),
    ],
)
def test_largest_size_over_all_discordance_rates(counts, function, sizes):
    """Enumerating all tables at many discordance rates gives the known sizes at .05, one-sided."""
    rates = np.linspace(0.005, 1, 400)
    for n, expected in sizes.items():
        size_given_m = np.zeros(n + 1)
        for m in range(n + 1):
            rejected = [function(counts(b, m - b, 1), PLAN).p_greater <= 0.05 for b in range(m + 1)]
            size_given_m[m] = stats.binom.pmf(np.arange(m + 1), m, 0.5) @ rejected
        size = max(stats.binom.pmf(np.arange(n + 1), n, rate) @ size_given_m for rate in rates)
        assert size == pytest.approx(expected, abs=0.0006)
        assert size <= 0.05 or function is not mcnemar


def test_lower_is_better_counts_the_same(pair, counts):
    """Errors of 0 and -1 (negated) are read as wins and losses."""
    errors = pair([0, 0, -1, 0], [-1, -1, 0, 0], kind="binary", higher_is_better=False)
    assert errors.wins_and_losses == (2, 1)
    assert mcnemar(errors, PLAN).p_greater == mcnemar(counts(2, 1, 1), PLAN).p_greater


@pytest.mark.parametrize("function", [mcnemar, mcnemar_chi2])
@given(wins=st.integers(0, 40), losses=st.integers(0, 40), ties=st.integers(0, 5))
@settings(deadline=None, max_examples=30)
def test_p_values_are_attainable_and_ties_change_nothing(counts, function, wins, losses, ties):
    """A p-value lies between its smallest attainable value and 1, and instances both get right do not matter."""
    outcome, longer = function(counts(wins, losses, 1), PLAN), function(counts(wins, losses, ties + 1), PLAN)
    assert (longer.p_greater, longer.p_less, longer.p_min) == (outcome.p_greater, outcome.p_less, outcome.p_min)
    for p_value in (outcome.p_greater, outcome.p_less):
        assert 0 < outcome.p_min <= p_value <= 1
    assert function(counts(wins + losses, 0, 1), PLAN).p_greater == outcome.p_min


def test_what_the_outcome_says(counts):
    """Statistic, estimate and sizes of a table."""
    outcome = mcnemar(counts(8, 2, 10), PLAN)
    assert (outcome.statistic, outcome.estimate, outcome.n, outcome.n_nonzero) == (6.0, 0.3, 20, 10)
    assert outcome.title == "exact McNemar test"
    assert outcome.method == "exact"
    assert outcome.n_resamples is None


def test_many_pairs_at_once_have_the_numbers_of_single_pairs(counts):
    """All pairs of a table from one product of matrices: every column is that of the pair by itself."""
    pairs = [(wins, losses) for wins in range(9) for losses in range(9) if wins + losses]
    pairs += [(300, 250), (0, 900), (1_000, 0), (1_400, 2)]
    n = 2_000
    columns = mcnemar_columns(*np.array(pairs).T, n)
    for place, (wins, losses) in enumerate(pairs):
        alone = assess(counts(wins, losses, n - wins - losses), ResamplingPlan(), test="mcnemar")
        for name, values in columns.items():
            assert values[place] == pytest.approx(getattr(alone, name), rel=1e-12, abs=0), (name, wins, losses)
