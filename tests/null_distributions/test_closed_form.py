"""Binomial masses and tails against integer arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from reportkit.null_distributions.closed_form import binomial_masses, log_binomial_mass, log_binomial_tail


@pytest.mark.parametrize("n", [1, 2, 15, 16, 40, 1000, 5000])
@pytest.mark.parametrize("chance", [Fraction(1, 2), Fraction(3, 1000), Fraction(9, 10)])
def test_masses_and_tails(n, chance, relative_error):
    """Masses and tails are right to 1e-12 at every depth that binomials have."""
    misses = 1 - chance
    for k in sorted({0, 1, n // 7, n // 2, n - n // 5, n - 1, n} & set(range(n + 1))):
        masses = [math.comb(n, j) * chance**j * misses ** (n - j) for j in ([k] if n > 1000 else range(k, n + 1))]
        assert relative_error(log_binomial_mass(k, n, float(chance)), masses[0]) <= 1e-12 * max(1, n / 500)
        if n <= 1000:
            assert relative_error(log_binomial_tail(k, n, float(chance)), sum(masses)) <= 1e-12 * max(1, n / 500)


@pytest.mark.parametrize("n", [0, 1, 2, 40, 1000, 50_000])
@pytest.mark.parametrize("chance", [0.5, 0.003, 0.9, 1.0])
def test_all_masses_at_once(n, chance):
    """Those of SciPy; of a range that leaves nothing out but what is negligible, too."""
    expected = stats.binom.pmf(np.arange(n + 1), n, chance)
    np.testing.assert_allclose(binomial_masses(n, chance), expected, rtol=1e-10, atol=1e-300)
    middle, width = n * chance, math.ceil(10 * math.sqrt(n * chance * (1 - chance)) + 40)
    first, last = max(0, math.floor(middle) - width), min(n, math.ceil(middle) + width)
    np.testing.assert_allclose(binomial_masses(n, chance, first, last), expected[first : last + 1], rtol=1e-10)


def test_edges():
    """Certain and impossible events, and no trials at all."""
    assert log_binomial_tail(0, 5, 0.3) == 0.0
    assert log_binomial_tail(6, 5, 0.3) == -math.inf
    assert log_binomial_mass(6, 5, 0.3) == log_binomial_mass(-1, 5, 0.3) == -math.inf
    assert log_binomial_mass(0, 0, 0.3) == 0.0
    assert log_binomial_mass(0, 5, 1.0) == log_binomial_mass(5, 5, 0.0) == log_binomial_mass(2, 5, 0.0) == -math.inf
    assert log_binomial_mass(5, 5, 1.0) == log_binomial_tail(5, 5, 1.0) == log_binomial_mass(0, 5, 0.0) == 0.0


def test_a_tail_that_does_not_fit_into_a_float():
    """Logarithms go on where floats end."""
    assert log_binomial_tail(100_000, 100_000, 0.5) == pytest.approx(-100_000 * math.log(2), rel=1e-14)
