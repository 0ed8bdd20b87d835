"""The truncated product against its published formula and simulation."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

from reportkit.replicability.multiple_testing.truncated_product import TAU, critical_totals, p_value, score


def published_formula(total, size):
    """Zaykin et al. (2002) as printed: sums of powers of w and of logarithms, in 80 digits."""
    with localcontext() as context:
        context.prec = 80
        tau = Decimal(TAU)
        log_w = -Decimal(float(total))
        w = log_w.exp()
        result = Decimal(0)
        for k in range(1, size + 1):
            if w <= tau**k:
                excess = k * tau.ln() - log_w
                inner = w * sum((excess**s / math.factorial(s) for s in range(1, k)), start=Decimal(1))
            else:
                inner = tau**k
            result += math.comb(size, k) * (1 - tau) ** (size - k) * inner
        return float(result)


@pytest.mark.parametrize("size", [1, 2, 5, 12, 40])
def test_agrees_with_the_published_formula(size):
    """P-values from 1 down to 1e-100, to 11 digits."""
    for total in (3.1, 4.0, 7.5, 20.0, 60.0, 230.0):
        computed = p_value(np.array([total]), np.array([size]))[0]
        assert computed == pytest.approx(published_formula(total, size), rel=1e-11)


def test_agrees_with_simulation():
    """Share of simulated totals that reach a total, within four standard errors."""
    repetitions, size = 200_000, 8
    totals = score(1 - np.random.default_rng(77).random((repetitions, size))).sum(axis=1)
    for total in (3.0, 4.0, 6.0, 9.0, 13.0):
        expected = p_value(np.array([total]), np.array([size]))[0]
        assert abs(np.mean(totals >= total) - expected) < 4 * np.sqrt(expected * (1 - expected) / repetitions)


def test_without_a_small_p_value_there_is_no_evidence():
    """If all p-values are above tau, the combined p-value is 1; a p-value of tau counts."""
    assert score(np.array([0.051, 1.0, TAU])).tolist() == [0.0, 0.0, -math.log(TAU)]
    assert p_value(np.array([0.0, 0.0]), np.array([1, 500])).tolist() == [1.0, 1.0]


def test_sizes_broadcast_against_totals():
    """A table of totals by sizes is computed entry by entry."""
    totals, sizes = np.array([[4.0], [9.0]]), np.array([1, 3, 20])
    table = p_value(totals, sizes)
    assert table.shape == (2, 3)
    assert table[1, 2] == p_value(np.array([9.0]), np.array([20]))[0]


@pytest.mark.parametrize("level", [1e-12, 1e-4, 0.01, 0.0499, 0.05, 0.0501, 0.2, 0.9])
def test_critical_totals_invert_the_p_value(level):
    """At a critical total the p-value is the level, unless one p-value at tau is enough to reject."""
    sizes = np.arange(1, 201)
    critical = critical_totals(200, level)
    enough = 1 - (1 - TAU) ** sizes <= level
    np.testing.assert_allclose(p_value(critical, sizes)[~enough], level, rtol=1e-9)
    assert np.all(critical[enough] < -math.log(TAU))
    assert np.all(p_value(np.full(200, -math.log(TAU)), sizes)[enough] <= level)


def test_critical_totals_of_many_datasets_are_found():
    """The search converges for thousands of p-values and ascends with their number."""
    critical = critical_totals(3000, 0.01)
    assert np.all(np.diff(critical) > 0)
    last = p_value(critical[-1:], np.array([3000]))
    np.testing.assert_allclose(last, 0.01, rtol=1e-9)
