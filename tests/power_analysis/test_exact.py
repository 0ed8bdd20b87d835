"""Power of the default tests against statsmodels, enumeration, the tests themselves and published examples."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from statsmodels.stats.power import TTestPower

from reportkit.errors import SettingsError
from reportkit.power_analysis.exact import (
    mcnemar_power,
    one_sided_level,
    t_power,
    two_proportions_power,
    type_s_m,
)
from reportkit.power_analysis.planned_error import PlannedError, error_of_mean
from reportkit.scores.sample import RightOf
from reportkit.significance.tests.proportions import boschloo_p


def test_two_sided_tests_have_half_the_level_in_each_direction():
    """So that rejections in the planned direction are counted."""
    assert one_sided_level(0.05, "two-sided") == 0.025
    assert one_sided_level(0.05, "greater") == 0.05

    with pytest.raises(SettingsError, match="call the system that is to be better A"):
        one_sided_level(0.05, "less")
    with pytest.raises(SettingsError, match="alpha is 1"):
        one_sided_level(1, "greater")


@given(st.floats(0.05, 1.5), st.integers(3, 400), st.sampled_from([0.01, 0.05, 0.1]))
def test_agrees_with_statsmodels(effect, n, alpha):
    """One-sided paired t-tests."""
    planned = error_of_mean(1.0, n)
    expected = TTestPower().power(effect, n, alpha, alternative="larger")
    assert t_power(effect, planned, alpha) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("freedom", [1, 2, 30, 1e5])
def test_power_never_gets_lost(freedom):
    """However large the effect is, and the critical value; it rises with the effect."""
    powers = [t_power(10.0**k, PlannedError(1.0, freedom), 1e-6) for k in range(-2, 9)]
    assert np.diff(powers).min() >= -1e-12
    assert powers[-1] == pytest.approx(1.0, abs=0.01)


def test_power_at_an_effect_of_almost_nothing_is_the_level():
    """What a test has without any difference."""
    assert t_power(1e-9, PlannedError(1.0, 20), 0.05) == pytest.approx(0.05, abs=1e-7)


@pytest.mark.parametrize("effect", [0.0, -0.1, math.nan, math.inf])
def test_the_effect_has_to_be_planned(effect):
    """Neither 0 nor a difference in the wrong direction is an effect to plan for."""
    with pytest.raises(SettingsError, match="effect is"):
        t_power(effect, PlannedError(1.0), 0.05)


def by_enumeration(n, effect, discordant, level):
    """Sum of the multinomial probabilities of all tables that the exact one-sided test rejects."""
    win, loss = (discordant + effect) / 2, (discordant - effect) / 2
    total = 0.0
    for wins, losses in itertools.product(range(n + 1), repeat=2):
        if wins + losses <= n and stats.binom.sf(wins - 1, wins + losses, 0.5) <= level + 1e-12:
            total += stats.multinomial.pmf([wins, losses, n - wins - losses], n, [win, loss, 1 - discordant])
    return total


@pytest.mark.parametrize(
    ("n", "effect", "discordant"), [(1, 0.2, 0.5), (6, 0.3, 0.9), (12, 0.2, 0.2), (20, 0.3, 0.4), (25, 0.25, 1.0)]
)
@pytest.mark.parametrize("level", [0.0625, 0.05, 0.01])
def test_exact_power_is_the_sum_over_all_tables(n, effect, discordant, level):
    """For small n; .0625 = 1/16 is attained by 4 wins of 4, up to rounding."""
    expected = by_enumeration(n, effect, discordant, level)
    assert mcnemar_power(n, effect, discordant, level) == pytest.approx(expected, abs=1e-12)


def test_the_worked_example():
    """1,960 instances for .02 of .1 discordant: .8 by the normal approximation, .78 exactly."""
    assert mcnemar_power(1960, 0.02, 0.1, 0.025) == pytest.approx(0.78, abs=5e-3)


def test_too_few_instances_have_no_power():
    """Four instances cannot reach .05 two-sided."""
    assert mcnemar_power(4, 0.5, 0.5, 0.025) == 0.0


@pytest.mark.parametrize(("n_a", "n_b"), [(12, 12), (20, 8), (5, 30)])
@pytest.mark.parametrize("level", [0.05, 0.01])
def test_boschloo_by_its_p_values(n_a, n_b, level):
    """The probability of all tables whose p-value is at most the level."""
    a, b = np.arange(n_a + 1)[:, None], np.arange(n_b + 1)
    p = np.array([[boschloo_p(RightOf(x, n_a, y, n_b)) for y in b.tolist()] for x in a.ravel().tolist()])
    weights = stats.binom.pmf(a, n_a, 0.9) * stats.binom.pmf(b, n_b, 0.4)
    found = two_proportions_power(n_a, n_b, 0.9, 0.4, level)
    assert found == pytest.approx(weights[p <= level].sum(), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("n_a", "n_b", "right_a", "right_b"), [(1200, 1000, 0.85, 0.8), (2000, 900, 0.995, 0.97)])
def test_fisher_by_its_p_values(n_a, n_b, right_a, right_b):
    """Beyond a million tables."""
    weights = np.outer(stats.binom.pmf(range(n_a + 1), n_a, right_a), stats.binom.pmf(range(n_b + 1), n_b, right_b))
    a, b = np.nonzero(weights > 1e-17)  # the others together have a probability below 1e-10
    p = stats.hypergeom.sf(a - 1, n_a + n_b, a + b, n_a)
    found = two_proportions_power(n_a, n_b, right_a, right_b, 0.025)
    assert found == pytest.approx(weights[a, b][p <= 0.025].sum(), abs=1e-9)


def test_published_examples():
    """Gelman and Carlin (2014): effect of one standard error; beauty and sex ratio, effect .1, se 3.3."""
    type_s, exaggeration = type_s_m(0.3, PlannedError(0.3), 0.025)
    assert (round(type_s, 3), round(exaggeration, 2)) == (0.009, 2.49)
    type_s, exaggeration = type_s_m(0.1, PlannedError(3.3), 0.025)
    assert round(type_s, 2) == 0.46
    assert exaggeration == pytest.approx(77, rel=0.01)


@pytest.mark.parametrize("freedom", [1.5, 4, 30, math.inf])
@pytest.mark.parametrize("k", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("two_sided", [True, False])
def test_types_s_and_m_agree_with_quadrature(freedom, k, two_sided):
    """Integrals of the density of the estimate over the rejection regions."""
    law = stats.norm(k) if math.isinf(freedom) else stats.t(freedom, k)
    c = stats.norm.isf(0.05) if math.isinf(freedom) else stats.t.isf(0.05, freedom)
    wrong, right = law.cdf(-c) if two_sided else 0.0, law.sf(c)
    size = sum(
        integrate.quad(lambda x: abs(x) * law.pdf(x), low, high, epsabs=1e-13, limit=400)[0]
        for low, high in ((-math.inf, -c), (c, math.inf))[0 if two_sided else 1 :]
    )
    type_s, exaggeration = type_s_m(k * 2.0, PlannedError(2.0, freedom), 0.05, two_sided=two_sided)
    assert type_s == pytest.approx(wrong / (wrong + right), rel=1e-9)
    assert exaggeration == pytest.approx(size / (wrong + right) / k, rel=1e-5)
