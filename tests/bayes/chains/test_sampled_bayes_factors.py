"""Bayes factors under several widths of the prior."""

import numpy as np
import pytest

from reportkit.bayes import better_by_more_than, equivalent_within
from reportkit.bayes.chains import ChainSettings, sampled_bayes_factors
from reportkit.errors import SettingsError


@pytest.mark.usefixtures("pymc")
@pytest.mark.slow
def test_three_widths_have_three_prior_masses_and_agree_where_data_are_clear(paired):
    """A wider prior gives the region less; all three see the difference."""
    rng = np.random.default_rng(8)
    sample = paired(rng.normal(0.6, 1.0, 60), np.zeros(60))
    settings = ChainSettings(draws=400, tune=400, seed=2)
    found = sampled_bayes_factors(sample, equivalent_within(0.3), scale=1.0, settings=settings)
    masses = [factor.prior_mass for factor in found.factors]
    assert masses[1] > masses[0] > masses[2]
    np.testing.assert_allclose(masses, [0.2358, 0.4515, 0.1192], atol=0.006)
    assert {factor.favours for factor in found.factors} == {"negation"}
    assert "under 3 priors" in found.sentence
    assert found.findings == ()


def test_two_priors_are_refused(paired):
    """Before anything is sampled."""
    with pytest.raises(SettingsError, match="at least 3"):
        sampled_bayes_factors(
            paired([1, 2, 5], [0, 0, 0]), better_by_more_than(), scale=1.0, effect_scales=(1.0, 2.0, 1)
        )
