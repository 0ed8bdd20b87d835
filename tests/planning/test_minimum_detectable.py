"""Minimum detectable effects: worked examples, and the power at them."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.errors import SettingsError
from reportkit.planning.mcnemar_power import mcnemar_power
from reportkit.planning.minimum_detectable import mcnemar_minimum_detectable, minimum_detectable
from reportkit.planning.planned_error import PlannedError
from reportkit.planning.power import power


@pytest.mark.parametrize(("n", "expected"), [(100, 0.0876), (500, 0.0395), (1000, 0.0280), (2000, 0.0198)])
def test_mcnemar_vectors(n, expected):
    """A tenth of the instances discordant, power .8, two-sided .05."""
    assert round(mcnemar_minimum_detectable(n, 0.1).at_alpha, 4) == expected


@given(st.integers(30, 5000), st.floats(0.05, 1.0), st.sampled_from(["exact", "asymptotic"]), st.integers(1, 40))
@settings(max_examples=30, deadline=None)
def test_mcnemar_has_the_power_there(n, discordant, method, n_datasets):
    """At alpha and at alpha / N; None only where a difference of psi itself does not suffice."""
    found = mcnemar_minimum_detectable(n, discordant, n_datasets=n_datasets, method=method)
    for effect, alpha in ((found.at_alpha, 0.05), (found.in_family, 0.05 / n_datasets)):
        if effect is None:
            assert mcnemar_power(n, discordant * (1 - 1e-9), discordant, alpha=alpha, method=method) < 0.8
        else:
            assert mcnemar_power(n, effect, discordant, alpha=alpha, method=method) == pytest.approx(0.8, abs=1e-6)


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
    with pytest.raises(SettingsError, match="the method is 'z'"):
        mcnemar_minimum_detectable(10, 0.1, method="z")
