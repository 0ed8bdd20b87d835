"""Binomial masses and tails against integer arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from reportkit.null_distributions.closed_form import log_binomial_mass, log_binomial_tail


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
