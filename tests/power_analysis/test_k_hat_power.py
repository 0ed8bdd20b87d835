"""Simulated k-hat against what is known of it exactly."""

import math

import numpy as np
import pytest
from scipy import stats

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.power_analysis.k_hat_power import k_hat_power


def test_one_dataset_is_one_test():
    """The chance of k-hat = 1 is the power of the one-sided normal test."""
    planned = k_hat_power([0.5], [0.2], n_simulations=40_000)
    expected = stats.norm.cdf(2.5 - stats.norm.isf(0.05))
    assert planned.at_least(1) == pytest.approx(expected, abs=4 * planned.standard_error(1))
    assert planned.standard_error(1) == pytest.approx(math.sqrt(expected * (1 - expected) / 40_000), rel=0.05)


def test_two_equal_datasets_in_closed_form():
    """Bonferroni: k-hat >= 1 if either is shown at alpha / 2, 2 if also the larger p-value is at most alpha."""
    planned = k_hat_power([0.5, 0.5], [0.2, 0.2], n_simulations=40_000, rng=4)
    half, whole = (stats.norm.cdf(2.5 - stats.norm.isf(level)) for level in (0.025, 0.05))
    assert planned.at_least(1) == pytest.approx(1 - (1 - half) ** 2, abs=4 * planned.standard_error(1))
    both = whole**2 - (whole - half) ** 2
    assert planned.at_least(2) == pytest.approx(both, abs=4 * planned.standard_error(2))
    assert planned.chances.sum() == pytest.approx(1.0)
    assert planned.mean == pytest.approx(planned.at_least(1) + planned.at_least(2))


@pytest.mark.parametrize("method", ["bonferroni", "fisher"])
def test_error_rate_is_kept(method):
    """More datasets than there are with an effect are claimed in at most 5% of the cases."""
    planned = k_hat_power([1.0, 1.0, 0.0, 0.0, 0.0], [0.2] * 5, method=method)
    assert planned.n_better == 2
    assert 0 < planned.at_least(3) <= 0.05 + 4 * planned.standard_error(3)
    assert planned.at_least(2) > 0.95
    assert planned.at_least(0) == pytest.approx(1.0)


def test_same_seed_same_numbers():
    """And another seed gives others."""
    first, again, other = (k_hat_power([0.1] * 4, [0.05] * 4, rng=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.chances, again.chances)
    assert not np.array_equal(first.chances, other.chances)


def test_extreme_effects_give_p_values():
    """A p-value is never 0, nor above 1."""
    assert k_hat_power([100.0, -100.0], [1.0, 1.0], n_simulations=50).chances.tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("effects", "errors", "options", "message"),
    [
        ([], [], {}, "0 effects and 0 standard errors"),
        ([1.0], [1.0, 2.0], {}, "1 effects and 2 standard errors"),
        ([1.0], [0.0], {}, "not above 0"),
        ([math.nan], [1.0], {}, "not finite"),
        ([1.0], [1.0], {"n_simulations": 0}, "n_simulations is 0"),
        ([1.0], [1.0], {"rng": -1}, "rng is -1"),
        ([1.0], [1.0], {"alpha": 0.0}, "alpha"),
    ],
)
def test_impossible_plans_are_refused(effects, errors, options, message):
    """The message says which number makes no sense."""
    with pytest.raises(SettingsError, match=message):
        k_hat_power(effects, errors, **options)


def test_an_unknown_method_is_named():
    """With the nearest ones."""
    with pytest.raises(UnknownNameError, match="bonferoni"):
        k_hat_power([1.0], [1.0], method="bonferoni")
