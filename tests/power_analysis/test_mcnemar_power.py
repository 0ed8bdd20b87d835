"""Power of McNemar's test against enumeration of all tables and worked examples."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from reportkit.errors import SettingsError
from reportkit.power_analysis.mcnemar_power import mcnemar_power


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
    ],
)
def test_impossible_plans_are_refused(call, message):
    """The message says which number makes no sense."""
    with pytest.raises(SettingsError, match=message):
        call()
