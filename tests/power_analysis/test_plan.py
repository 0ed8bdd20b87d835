"""A plan over several datasets: both levels, and k-hat for the powers at alpha / N."""

import math

import numpy as np
import pytest
from scipy import stats

from reportkit.errors import SettingsError
from reportkit.power_analysis.designs import paired_accuracy
from reportkit.power_analysis.plan import PlannedDataset, plan_dataset, plan_k_hat
from reportkit.replicability.multiple_testing.partial_conjunction import k_hat

DESIGN, DESIGN_15 = (paired_accuracy(None, rate)[""] for rate in (0.1, 0.15))
PLAN = {"n": 1000, "effect": 0.03, "power": 0.8, "level": 0.05, "n_datasets": 5, "two_sided": False}


@pytest.mark.parametrize("question", ["n", "effect", "power"])
def test_the_last_column_is_the_answer_at_the_worst_level(question):
    """As if alpha / N were the level."""
    found = plan_dataset(DESIGN, question, **PLAN)
    alone = plan_dataset(DESIGN, question, **{**PLAN, "level": 0.01, "n_datasets": 1})
    assert found.in_family == getattr(alone, question)
    assert found.discordant == 0.1
    assert found.type_s == 0
    assert found.exaggeration > 1


def row(power, effect=0.1):
    """A dataset with a power at level alpha / N."""
    return PlannedDataset(
        dataset="", disagreement="", n=1, effect=effect, power=power, in_family=power, discordant=None, type_s=None,
        exaggeration=None,
    )  # fmt: skip


def test_k_hat_of_one_dataset_among_two():
    """Bonferroni with one effect: k-hat >= 1 with the power at alpha / 2, or through the other dataset at alpha / 2."""
    found = plan_k_hat([row(0.7), row(0.0, effect=0.0)], level=0.05, independent=False, rng=1)
    expected = 1 - (1 - 0.7) * (1 - 0.025)
    assert found.at_least(1) == pytest.approx(expected, abs=4 * 0.5 / 100)
    assert found.n_better == 1


@pytest.mark.parametrize("power", [0.0, 1.0])
def test_powers_at_the_ends(power):
    """Tests that never reject, or always do."""
    found = plan_k_hat([row(power)] * 3, level=0.05, independent=True, rng=1)
    assert found.at_least(3) == power
    assert found.n_better == 3


def test_errors_say_the_dataset():
    """So that a plan for many can be mended."""
    with pytest.raises(SettingsError, match=r"does not allow a difference of 0\.2(.|\n)*dataset 'cb'"):
        plan_dataset(DESIGN, "power", **{**PLAN, "effect": 0.2}, dataset="cb")


@pytest.mark.slow
@pytest.mark.parametrize("independent", [True, False])
def test_k_hat_of_simulated_test_sets(independent):
    """Exact McNemar tests on simulated answers give the k-hat that is planned, nearly."""
    rng, sizes, effect, rate = np.random.default_rng(3), (400, 800, 1600), 0.04, 0.15
    found = [plan_dataset(DESIGN_15, "power", **{**PLAN, "n": n, "effect": effect, "n_datasets": 3}) for n in sizes]
    planned = plan_k_hat(found, level=0.05, independent=independent, rng=1)
    differing = rng.binomial(np.array(sizes)[:, None], rate, (3, 20_000))
    wins = rng.binomial(differing, (rate + effect) / 2 / rate)
    p_values = stats.binom.sf(wins - 1, differing, 0.5).T
    seen = np.asarray(k_hat(p_values, 0.05, "fisher" if independent else "bonferroni"))
    for k in (1, 2, 3):
        assert planned.at_least(k) == pytest.approx((seen >= k).mean(), abs=0.025)


@pytest.mark.parametrize("independent", [True, False])
def test_k_hat_keeps_its_error_rate(independent):
    """More datasets than there are with an effect are claimed in at most 5% of the cases."""
    rows = [row(0.99), row(0.99), *[row(0.0, effect=0.0)] * 3]
    planned = plan_k_hat(rows, level=0.05, independent=independent, rng=1)
    assert planned.n_better == 2
    assert planned.at_least(3) <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / 10_000)
    assert planned.at_least(2) > 0.9
    assert planned.mean == pytest.approx(sum(planned.at_least(k) for k in range(1, 6)))
    assert np.array_equal(planned.chances, plan_k_hat(rows, level=0.05, independent=independent, rng=1).chances)
