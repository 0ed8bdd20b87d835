"""Minimum detectable effects: worked examples, and the power at them."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.errors import SettingsError
from reportkit.power_analysis.mcnemar_power import mcnemar_power
from reportkit.power_analysis.minimum_detectable import (
    mcnemar_minimum_detectable,
    minimum_detectable,
    sign_flip_minimum_detectable,
)
from reportkit.power_analysis.planned_error import PlannedError
from reportkit.power_analysis.power import power


@pytest.mark.parametrize(("n", "expected"), [(100, 0.0876), (500, 0.0395), (1000, 0.0280), (2000, 0.0198)])
def test_mcnemar_vectors(n, expected):
    """A tenth of the instances discordant, power .8, two-sided .05: a little more than by the normal approximation."""
    level, power_of = stats.norm.isf(0.025) * math.sqrt(0.1), stats.norm.ppf(0.8)
    assert math.sqrt(n) * expected == pytest.approx(level + power_of * math.sqrt(0.1 - expected**2), rel=2e-3)
    assert expected < mcnemar_minimum_detectable(n, 0.1).at_alpha < 1.05 * expected


def exact_power(n, effect, discordant, level):
    """Own sum over all tables: wins and losses are multinomial, the test is binomial."""
    power = 0.0
    for wins in range(n + 1):
        for losses in range(n - wins + 1):
            if math.comb(wins + losses, wins) and stats.binom.sf(wins - 1, wins + losses, 0.5) <= level + 1e-12:
                shares = [(discordant + effect) / 2, (discordant - effect) / 2, 1 - discordant]
                power += stats.multinomial.pmf([wins, losses, n - wins - losses], n, shares)
    return power


@pytest.mark.parametrize(("n", "discordant"), [(50, 0.2), (40, 0.5)])
def test_eighty_percent_is_eighty_percent(n, discordant):
    """By default the exact test that is run has the power at the minimum detectable effect, and not just below."""
    found = mcnemar_minimum_detectable(n, discordant).at_alpha
    assert exact_power(n, found, discordant, 0.025) == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize("n", [6, 7, 8, 12])
def test_a_sign_flip_of_few_units_has_the_power(n):
    """Against other normal differences and all sign flips; the t test's figure promises too much."""
    found = sign_flip_minimum_detectable(1 / math.sqrt(n), n).at_alpha
    signs = np.array(list(itertools.product([1, -1], repeat=n)), dtype=float)
    d = np.random.default_rng(n).normal(size=(4000, n))

    def power_at(effect):
        shifted = d + effect
        sums = shifted.sum(axis=1, keepdims=True)
        return np.mean(((shifted @ signs.T) >= sums - 1e-9).mean(axis=1) <= 0.025)

    assert power_at(found) == pytest.approx(0.8, abs=0.03)
    if n == 6:
        assert found == pytest.approx(stats.norm.ppf(0.8 ** (1 / 6)), rel=0.03)  # all six have to be positive
        assert power_at(minimum_detectable(PlannedError(1 / math.sqrt(n), n - 1)).at_alpha) < 0.7


def test_too_few_sign_flips_show_nothing():
    """Five reach .031: nothing is detectable at .025, whatever the standard error."""
    assert sign_flip_minimum_detectable(0.1, 5).at_alpha is None
    assert sign_flip_minimum_detectable(0.1, 5, alternative="greater").at_alpha is not None
    with pytest.raises(SettingsError, match="n_units is 13"):
        sign_flip_minimum_detectable(0.1, 13)


def test_too_few_units_can_show_nothing():
    """With a smallest p-value of .031 nothing is detectable at .025, whatever the standard error."""
    found = minimum_detectable(PlannedError(0.1, 4), p_min=0.5**5)
    assert (found.at_alpha, found.in_family) == (None, None)
    assert minimum_detectable(PlannedError(0.1, 4), p_min=0.5**5, alternative="greater").at_alpha is not None


@given(st.integers(30, 5000), st.floats(0.05, 1.0), st.integers(1, 40))
@settings(max_examples=30, deadline=None)
def test_mcnemar_has_the_power_there(n, discordant, n_datasets):
    """At alpha and at alpha / N; None only where a difference of psi itself does not suffice."""
    found = mcnemar_minimum_detectable(n, discordant, n_datasets=n_datasets)
    for effect, alpha in ((found.at_alpha, 0.05), (found.in_family, 0.05 / n_datasets)):
        if effect is None:
            assert mcnemar_power(n, discordant * (1 - 1e-9), discordant, alpha=alpha) < 0.8
        else:
            assert mcnemar_power(n, effect, discordant, alpha=alpha) == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize("freedom", [2, 5, 30, 1000, math.inf])
@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
def test_means_have_the_power_there(freedom, alternative):
    """For the t test and the normal test, in units of the standard error."""
    planned = PlannedError(0.03, freedom)
    found = minimum_detectable(planned, power=0.9, alpha=0.01, alternative=alternative, n_datasets=7)
    for effect, alpha in ((found.at_alpha, 0.01), (found.in_family, 0.01 / 7)):
        assert power(effect, planned, alpha=alpha, alternative=alternative) == pytest.approx(0.9, abs=1e-7)


def test_normal_form():
    """(z_alpha + z_power) times the standard error: 2.8016 at .05 two-sided and .8."""
    expected = stats.norm.isf(0.025) + stats.norm.ppf(0.8)
    found = minimum_detectable(PlannedError(1.0))
    assert found.at_alpha == pytest.approx(expected, rel=1e-12)
    assert found.in_family == found.at_alpha


def test_impossible_requests_are_refused():
    """A power that a test has anyway, and numbers out of range."""
    with pytest.raises(SettingsError, match=r"a power of 0\.04 is not above the level 0\.05"):
        minimum_detectable(PlannedError(1.0), power=0.04, alternative="greater")
    with pytest.raises(SettingsError, match="n_datasets is 0"):
        minimum_detectable(PlannedError(1.0), n_datasets=0)
    with pytest.raises(SettingsError, match="discordant is 0"):
        mcnemar_minimum_detectable(10, 0)
