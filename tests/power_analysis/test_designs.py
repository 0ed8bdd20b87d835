"""The three designs against statsmodels, SciPy, and one another."""

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestIndPower, TTestPower

from reportkit.errors import SettingsError
from reportkit.power_analysis.designs import MeanDifference, UnpairedAccuracy, paired_accuracy, unpaired_accuracy
from reportkit.power_analysis.exact import mcnemar_power
from reportkit.power_analysis.planned_error import PlannedError, RunComponents, error_of_mean, error_over_runs


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


@pytest.mark.slow
def test_size_and_effect_are_inverse_to_power():
    """At the size that is found and at the smallest effect the power is there; one instance less has it not."""
    for design in (paired_accuracy(0.8)["independent errors"], unpaired_accuracy(0.8)):
        n = design.sample_size(0.19, 0.8, 0.05)
        assert design.power(n, 0.19, 0.05) >= 0.8 > design.power(n - 1, 0.19, 0.05)
        assert design.power(n, design.minimum_effect(n, 0.8, 0.05), 0.05) == pytest.approx(0.8, abs=1e-6)


@pytest.mark.slow
def test_unpaired_accuracies_in_simulation():
    """SciPy's Fisher test rejects in the share of simulated test sets that is planned."""
    design, n = UnpairedAccuracy(lambda effect: (0.8 + effect, 0.8), 0.2), 1100
    rng = np.random.default_rng(2)
    a, b = rng.binomial(n, 0.84, 20_000), rng.binomial(n, 0.8, 20_000)
    rejected = stats.hypergeom.sf(a - 1, 2 * n, a + b, n) <= 0.05
    assert rejected.mean() == pytest.approx(design.power(n, 0.04, 0.05), abs=4 * 0.5 / np.sqrt(20_000))


@pytest.mark.slow
def test_small_samples_do_not_have_the_power_by_luck():
    """43 of each have it, as have the larger numbers; 42 have not, though 41 have."""
    design = unpaired_accuracy(0.6)
    assert design.sample_size(0.25, 0.8, 0.05) == 43
    assert design.power(41, 0.25, 0.05) > 0.8 > design.power(42, 0.25, 0.05)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired_accuracy(1.0), "accuracy is 1.0"),
        (lambda: paired_accuracy(0.8, 0.0), "discordant is 0.0"),
        (lambda: paired_accuracy(None, 0.2)[""].sample_size(0.3, 0.8, 0.05), "does not allow"),
        (lambda: paired_accuracy(None), "neither accuracy nor discordant"),
        (lambda: paired_accuracy(0.8)["independent errors"].power(10, 0.3, 0.05), "no system is better by 0.3"),
        (lambda: unpaired_accuracy(0.8).power(10, 0.3, 0.05), "no system is better by 0.3"),
    ],
)
def test_impossible_plans_are_refused(call, message):
    """The message says which number makes no sense."""
    with pytest.raises(SettingsError, match=message):
        call()


def known_rate(discordant):
    """Design with a known share of discordant instances."""
    return paired_accuracy(None, discordant)[""]


@pytest.mark.parametrize(("n", "expected"), [(100, 0.0876), (500, 0.0395), (1000, 0.0280), (2000, 0.0198)])
def test_smallest_effects_of_mcnemar(n, expected):
    """A tenth of the instances discordant, power .8, two-sided .05: a little more than by the normal approximation."""
    level, power = stats.norm.isf(0.025) * math.sqrt(0.1), stats.norm.ppf(0.8)
    assert math.sqrt(n) * expected == pytest.approx(level + power * math.sqrt(0.1 - expected**2), rel=2e-3)
    assert expected < known_rate(0.1).minimum_effect(n, 0.8, 0.025) < 1.05 * expected


def test_the_worked_size():
    """.02 of .1 discordant needs 1,960 instances by the normal approximation of Connor, which is a little too few."""
    root = stats.norm.isf(0.025) * math.sqrt(0.1) + stats.norm.ppf(0.8) * math.sqrt(0.1 - 0.02**2)
    assert math.ceil((root / 0.02) ** 2) == 1960 < known_rate(0.1).sample_size(0.02, 0.8, 0.025) == 2043
    assert mcnemar_power(1960, 0.02, 0.1, 0.025) < 0.785


@pytest.mark.parametrize(("effect", "discordant"), [(0.3, 1.0), (0.5, 0.9), (0.9, 0.95), (0.25, 0.4)])
def test_more_instances_never_spoil_the_plan(effect, discordant):
    """The exact test has the power from the answer on, at every larger n; one less is too few."""
    n = known_rate(discordant).sample_size(effect, 0.8, 0.025)
    powers = [mcnemar_power(k, effect, discordant, 0.025) for k in range(n - 1, 3 * n)]
    assert powers[0] < 0.8 <= min(powers[1:])


def test_runs_alone_may_never_be_enough():
    """Where instances leave too much variance, the search ends with a message."""
    components = RunComponents(instances=1.0, runs_a=0.01, runs_b=0.01, residual_a=0.1, residual_b=0.1)
    design = MeanDifference(lambda m: error_over_runs(components, n=100, m_a=m, m_b=m))
    m = design.sample_size(0.4, 0.8, 0.025)
    assert design.power(m, 0.4, 0.025) >= 0.8 > design.power(m - 1, 0.4, 0.025)
    with pytest.raises(SettingsError, match="no number up to 1,000,000,000"):
        design.sample_size(0.1, 0.8, 0.025)


@pytest.mark.parametrize("freedom", [2, 12, 400, math.inf])
def test_means_have_the_power_at_the_smallest_effect(freedom):
    """With few degrees of freedom and many."""
    design = MeanDifference(lambda n: PlannedError(0.3, freedom))
    assert design.power(9, design.minimum_effect(9, 0.9, 0.01), 0.01) == pytest.approx(0.9, abs=1e-7)
