"""p-values are never 0, and exact ones never below the true ones."""

from __future__ import annotations

from reportkit.significance.outcome import SMALLEST_P_VALUE, Tails


def test_values_below_the_smallest_attainable_one_are_raised():
    """Rounding never gives a p-value below what the test can reach."""
    tails = Tails(p_greater=0.125 * (1 - 1e-15), p_less=1.0, p_min=0.125, method="exact")
    assert tails.p_greater == 0.125
    assert tails.p_less == 1.0


def test_zero_becomes_the_smallest_float():
    """An underflow is not p = 0."""
    tails = Tails(p_greater=0.0, p_less=1.0, p_min=0.0, method="asymptotic")
    assert tails.p_greater == tails.p_min == SMALLEST_P_VALUE > 0


def test_estimates_count_the_observed_data():
    """(s + 1) / (b + 1) on both sides; never below what the sampled distribution can reach."""
    tails = Tails.estimated(0, 999, 999, seed=5, p_min=0.0)
    assert (tails.p_greater, tails.p_less, tails.p_min) == (0.001, 1.0, 0.001)
    assert (tails.method, tails.n_resamples, tails.seed) == ("Monte Carlo", 999, 5)
    assert Tails.estimated(0, 999, 999, seed=5, p_min=0.125).p_greater == 0.125


def test_swapping_twice_gives_the_same():
    """Swapping exchanges the tails and nothing else."""
    tails = Tails(p_greater=0.2, p_less=0.9, p_min=0.1, method="Monte Carlo", n_resamples=9, seed=3)
    assert tails.swapped().p_greater == 0.9
    assert tails.swapped().swapped() == tails
