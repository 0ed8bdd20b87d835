"""Sample sizes: worked examples, statsmodels, and that one less is too few."""

import math

import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from reportkit.errors import SettingsError
from reportkit.power_analysis.mcnemar_power import mcnemar_power
from reportkit.power_analysis.planned_error import PlannedError, RunComponents, error_of_mean, error_over_runs
from reportkit.power_analysis.power import power
from reportkit.power_analysis.sample_size import mcnemar_sample_size, sample_size


def test_the_worked_example():
    """.02 of .1 discordant needs 1,960 instances by the normal approximation of Connor, which is a little too few."""
    root = stats.norm.isf(0.025) * math.sqrt(0.1) + stats.norm.ppf(0.8) * math.sqrt(0.1 - 0.02**2)
    assert math.ceil((root / 0.02) ** 2) == 1960 < mcnemar_sample_size(0.02, 0.1) < 1.05 * 1960
    assert mcnemar_power(1960, 0.02, 0.1) < 0.785


@pytest.mark.parametrize(("effect", "discordant"), [(0.3, 1.0), (0.5, 0.9), (0.9, 0.95), (0.25, 0.4)])
def test_more_instances_never_spoil_the_plan(effect, discordant):
    """By default, the exact test has the power from the answer on, at every larger n; one less is too few."""
    n = mcnemar_sample_size(effect, discordant)
    powers = [mcnemar_power(k, effect, discordant) for k in range(n - 1, 3 * n)]
    assert powers[0] < 0.8 <= min(powers[1:])


@pytest.mark.parametrize(("effect", "discordant"), [(0.02, 0.1), (0.1, 0.3), (0.05, 0.05), (0.3, 1.0)])
@pytest.mark.parametrize("alternative", ["greater", "two-sided"])
def test_one_less_is_too_few(effect, discordant, alternative):
    """The power is reached at n, and not at n - 1."""
    n = mcnemar_sample_size(effect, discordant, power=0.9, alternative=alternative)
    reached = [mcnemar_power(k, effect, discordant, alternative=alternative) for k in (n, n - 1)]
    assert reached[0] >= 0.9 - 1e-9
    assert reached[1] < 0.9


def test_a_level_that_1_does_not_show():
    """1 - 1e-17 is 1 in floats: the search begins at a number all the same."""
    n = mcnemar_sample_size(0.3, 1.0, alpha=1e-17)
    assert mcnemar_power(n, 0.3, 1.0, alpha=1e-17) >= 0.8 > mcnemar_power(n - 1, 0.3, 1.0, alpha=1e-17)


@pytest.mark.parametrize("effect", [0.1, 0.25, 0.8])
def test_means_agree_with_statsmodels(effect):
    """Rounded up; in units of the standard deviation, one-sided."""
    expected = math.ceil(TTestPower().solve_power(effect, power=0.8, alpha=0.05, alternative="larger"))
    assert sample_size(effect, lambda n: error_of_mean(1.0, n), alternative="greater") == expected


def test_clusters_need_more():
    """Twice the variance takes twice the instances, about."""
    single = sample_size(0.02, lambda n: error_of_mean(0.2, n))
    double = sample_size(0.02, lambda n: error_of_mean(0.2, n, design_effect=2.0))
    assert double == pytest.approx(2 * single, abs=4)


def test_runs_alone_may_never_be_enough():
    """Where instances leave too much variance, the search ends with a message."""
    components = RunComponents(instances=1.0, runs_a=0.01, runs_b=0.01, residual_a=0.1, residual_b=0.1)

    def error_at(m):
        return error_over_runs(components, n=100, m_a=m, m_b=m)

    m = sample_size(0.4, error_at)
    assert power(0.4, error_at(m)) >= 0.8 > power(0.4, error_at(m - 1))
    with pytest.raises(SettingsError, match="no number up to 1,000,000,000"):
        sample_size(0.1, error_at)


def test_the_least_design_may_suffice():
    """Then nothing smaller is looked for."""
    assert sample_size(100.0, lambda n: PlannedError(1.0), least=5) == 5


def test_impossible_plans_are_refused():
    """The message says which number makes no sense."""
    with pytest.raises(SettingsError, match="power is 1"):
        mcnemar_sample_size(0.1, 0.2, power=1)
    with pytest.raises(SettingsError, match="does not allow"):
        mcnemar_sample_size(0.3, 0.2)
    with pytest.raises(SettingsError, match="effect is 0"):
        sample_size(0, lambda n: error_of_mean(1.0, n))
