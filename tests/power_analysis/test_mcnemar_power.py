"""Power of McNemar's test against enumeration of all tables and worked examples."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.errors import SettingsError
from reportkit.power_analysis.mcnemar_power import mcnemar_power, mcnemar_power_range


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
    assert mcnemar_power(n, effect, discordant, alpha=level, alternative="greater") == pytest.approx(
        expected, abs=1e-12
    )
    assert mcnemar_power(n, effect, discordant, alpha=2 * level) == pytest.approx(expected, abs=1e-12)


def test_the_worked_example():
    """1,960 instances for .02 of .1 discordant: .8 by the normal approximation, .78 exactly."""
    assert mcnemar_power(1960, 0.02, 0.1, method="asymptotic") == pytest.approx(0.8, abs=2e-4)
    assert mcnemar_power(1960, 0.02, 0.1) == pytest.approx(0.78, abs=5e-3)


def test_negligible_tables_are_negligible():
    """Leaving out rare numbers of discordant instances changes nothing that a float shows."""
    n, effect, discordant, level = 50_000, 0.004, 0.1, 0.05
    sizes = np.arange(n + 1)
    wins = stats.binom.isf(level + 1e-12, sizes, 0.5)
    expected = stats.binom.pmf(sizes, n, discordant) @ stats.binom.sf(
        wins, sizes, (discordant + effect) / 2 / discordant
    )
    assert mcnemar_power(n, effect, discordant, alternative="greater") == pytest.approx(expected, rel=1e-12)


@given(st.integers(10, 3000), st.floats(0.005, 0.4), st.floats(0.0, 1.0))
@settings(max_examples=15, deadline=None)
def test_the_range_holds_the_power_at_every_possible_rate(n, effect, share):
    """For designs of any size, by both methods."""
    baseline = 0.5
    for method in ("exact", "asymptotic"):
        ends = mcnemar_power_range(n, effect, baseline, method=method)
        inside = ends.least_discordant + share * (ends.most_discordant - ends.least_discordant)
        found = mcnemar_power(n, effect, min(inside, ends.most_discordant), method=method)
        assert ends.lowest - 1e-4 <= found <= ends.highest + 1e-4


@pytest.mark.parametrize(("n", "effect"), [(400, 0.25), (5000, 0.02)])
def test_with_many_more_wins_than_losses_the_ends_say_all(n, effect):
    """A hundred more: the power falls from the smallest to the largest rate, at any level."""
    most = mcnemar_power_range(n, effect, 0.5).most_discordant
    for alpha in (0.05, 1e-8):
        powers = [mcnemar_power(n, effect, rate, alpha=alpha) for rate in np.linspace(effect, most, 30).clip(0, most)]
        assert np.diff(powers).max() <= 1e-12


def test_feasible_range_of_arc_easy():
    """At most 1,394 of 2,376 instances can differ (739 wins, 655 losses), at least 84."""
    found = mcnemar_power_range(2376, 84 / 2376, 1637 / 2376)
    assert found.most_discordant * 2376 == pytest.approx(1394)
    assert found.least_discordant * 2376 == pytest.approx(84)
    assert found.lowest == pytest.approx(mcnemar_power(2376, 84 / 2376, found.most_discordant), abs=1e-9)
    assert found.highest == pytest.approx(1.0)


def test_a_design_too_small_is_best_where_many_instances_differ():
    """Of ten instances six must differ before the exact test can reject: the ends of the range change places."""
    found = mcnemar_power_range(10, 0.25, 0.5)
    assert found.highest == pytest.approx(mcnemar_power(10, 0.25, 0.75), abs=1e-9)
    assert found.lowest == pytest.approx(mcnemar_power(10, 0.25, 0.25), abs=1e-9)


def test_range_where_the_baseline_is_perfect_but_for_the_effect():
    """Then A is right everywhere, and only one rate is possible."""
    found = mcnemar_power_range(100, 0.25, 0.75)
    assert found.most_discordant == pytest.approx(0.25)
    assert found.lowest == pytest.approx(found.highest)


def test_too_few_instances_have_no_power():
    """Four instances cannot reach .05 two-sided."""
    assert mcnemar_power(4, 0.5, 0.5) == 0.0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mcnemar_power(0, 0.1, 0.2), "n is 0"),
        (lambda: mcnemar_power(10, 0.3, 0.2), "of 0.2 does not allow a difference of 0.3"),
        (lambda: mcnemar_power(10, -0.3, 0.2), "effect is -0.3"),
        (lambda: mcnemar_power(10, 0.1, 1.2), "of 1.2 does not allow"),
        (lambda: mcnemar_power(10, 0.1, math.nan), "of nan does not allow"),
        (lambda: mcnemar_power(10, 0.1, 0.2, alpha=1.0), "alpha is 1.0"),
        (lambda: mcnemar_power(10, 0.1, 0.2, method="mid-p"), "the method is 'mid-p'"),
        (lambda: mcnemar_power_range(10, 0.3, 0.8), "accuracy of 0.8"),
    ],
)
def test_impossible_plans_are_refused(call, message):
    """The message says which number makes no sense."""
    with pytest.raises(SettingsError, match=message):
        call()
