"""McNemar's test in both forms against SciPy, statsmodels, big integers and enumeration."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from reportkit.significance.assess import assess
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.outcome import SMALLEST_P_VALUE
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
