"""The three designs against statsmodels, SciPy, and one another."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestIndPower, TTestPower

from reportkit.errors import SettingsError
from reportkit.power_analysis.designs import MeanDifference, UnpairedAccuracy, paired_accuracy, unpaired_accuracy
from reportkit.power_analysis.minimum_detectable import mcnemar_minimum_detectable
from reportkit.power_analysis.planned_error import PlannedError, error_of_mean


@pytest.mark.parametrize("effect", [0.1, 0.5])
def test_paired_means_agree_with_statsmodels(effect):
    """Power, size and smallest effect of the one-sample t test."""
    design, theirs = MeanDifference(lambda n: error_of_mean(1.0, n)), TTestPower()
    assert design.power(40, effect, 0.05) == pytest.approx(theirs.power(effect, 40, 0.05, alternative="larger"))
    n = theirs.solve_power(effect, power=0.8, alpha=0.05, alternative="larger")
    assert design.sample_size(effect, 0.8, 0.05) == np.ceil(n)
    found = theirs.solve_power(nobs=40, power=0.8, alpha=0.05, alternative="larger")
    assert design.minimum_effect(40, 0.8, 0.05) == pytest.approx(found, rel=1e-6)


def test_unpaired_means_agree_with_statsmodels():
    """Twice the variance, and 2 n - 2 degrees of freedom."""
    design = MeanDifference(lambda n: PlannedError(error_of_mean(1.0, n, design_effect=2).standard_error, 2 * n - 2))
    assert design.power(40, 0.5, 0.05) == pytest.approx(TTestIndPower().power(0.5, 40, 0.05, alternative="larger"))


@pytest.mark.parametrize("name", ["as rarely as possible", "independent errors", "as often as possible"])
def test_each_supposition_is_a_table_of_two_systems(name):
    """The rate is that of a joint distribution with the margins, and the extremes leave no further one."""
    b, effect = 0.7, 0.05
    rate = paired_accuracy(b)[name].discordant(effect)
    only_a, only_b = (rate + effect) / 2, (rate - effect) / 2
    both, neither = b - only_b, 1 - b - only_a
    assert min(only_a, only_b, both, neither) >= -1e-12
    if name == "independent errors":
        assert both == pytest.approx(b * (b + effect))
    else:
        assert min(only_b, both, neither) == pytest.approx(0, abs=1e-12)


def test_size_and_effect_are_inverse_to_power():
    """At the size that is found and at the smallest effect the power is there; one instance less has it not."""
    for design in (paired_accuracy(0.8)["independent errors"], unpaired_accuracy(0.8)):
        n = design.sample_size(0.06, 0.8, 0.05)
        assert design.power(n, 0.06, 0.05) >= 0.8 > design.power(n - 1, 0.06, 0.05)
        assert design.power(n, design.minimum_effect(n, 0.8, 0.05), 0.05) == pytest.approx(0.8, abs=1e-6)


def test_a_known_rate_gives_the_minimum_detectable_effect_of_reports():
    """The same number by both ways."""
    found = paired_accuracy(None, 0.1).popitem()[1].minimum_effect(1000, 0.8, 0.05)
    assert found == pytest.approx(mcnemar_minimum_detectable(1000, 0.1, alternative="greater").at_alpha, abs=1e-9)


@pytest.mark.slow
def test_unpaired_accuracies_in_simulation():
    """SciPy's Fisher test rejects in the share of simulated test sets that is planned."""
    design, n = UnpairedAccuracy(lambda effect: (0.8 + effect, 0.8), 0.2), 1100
    rng = np.random.default_rng(2)
    a, b = rng.binomial(n, 0.84, 20_000), rng.binomial(n, 0.8, 20_000)
    rejected = stats.hypergeom.sf(a - 1, 2 * n, a + b, n) <= 0.05
    assert rejected.mean() == pytest.approx(design.power(n, 0.04, 0.05), abs=4 * 0.5 / np.sqrt(20_000))


def test_small_samples_do_not_have_the_power_by_luck():
    """117 of each have it, as have all larger numbers up to 130; 116 have not, though 114 have."""
    design = unpaired_accuracy(0.85)
    assert design.sample_size(0.1, 0.8, 0.05) == 117
    assert design.power(114, 0.1, 0.05) > 0.8 > design.power(116, 0.1, 0.05)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired_accuracy(1.0), "accuracy is 1.0"),
        (lambda: paired_accuracy(0.8, 0.0), "discordant is 0.0"),
        (lambda: paired_accuracy(None), "neither accuracy nor discordant"),
        (lambda: paired_accuracy(0.8)["independent errors"].power(10, 0.3, 0.05), "no system is better by 0.3"),
        (lambda: unpaired_accuracy(0.8).power(10, 0.3, 0.05), "no system is better by 0.3"),
    ],
)
def test_impossible_plans_are_refused(call, message):
    """The message says which number makes no sense."""
    with pytest.raises(SettingsError, match=message):
        call()
