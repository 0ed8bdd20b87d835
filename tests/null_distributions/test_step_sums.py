"""Both sums against all their outcomes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from reportkit.null_distributions.step_sums import DrawSum, FlipSum, log_cosh, product, whole_powers

VALUES = np.array([0.3, 1.1, 0.7, 2.0, 0.9])


def outcomes(problem):
    """All values of X with their probabilities."""
    if isinstance(problem, FlipSum):
        values = np.repeat(problem.values, 1 if problem.multiplicities is None else problem.multiplicities.astype(int))
        flips = np.array(list(itertools.product((0, 1), repeat=values.size)))
        return problem.slack - flips @ values, np.full(flips.shape[0], 0.5**values.size)
    samples = np.array(list(itertools.product(range(problem.values.size), repeat=problem.n_draws)))
    return (
        problem.values[samples].sum(axis=1) - problem.excess,
        problem.probabilities[samples].prod(axis=1),
    )


PROBLEMS = [
    FlipSum(VALUES, None, 1.5),
    FlipSum(VALUES[:3], np.array([2.0, 1.0, 4.0]), 1.5),
    DrawSum(VALUES - VALUES.mean(), np.full(5, 0.2), 4, 1.0),
    DrawSum(np.array([-0.5, 0.5, 0.0]), np.array([0.25, 0.25, 0.5]), 6, 0.7),
]


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("theta", [-0.4, 0.0, 1e-6, 0.8, 9.0])
def test_moments_and_transforms(problem, theta):
    """Generating function, tilted moments, characteristic function and highest value are those of the outcomes."""
    x, probabilities = outcomes(problem)
    tilted = probabilities * np.exp(theta * x)
    assert problem.log_mgf(theta) == pytest.approx(np.log(tilted.sum()), rel=1e-12, abs=1e-14)
    tilted /= tilted.sum()
    mean, variance = problem.tilted_moments(theta)
    assert mean == pytest.approx(tilted @ x, rel=1e-11, abs=1e-13)
    assert variance == pytest.approx(tilted @ np.square(x - tilted @ x), rel=1e-9)
    assert problem.highest == pytest.approx(x.max(), rel=1e-12)
    starts, spacing, count = np.array([0.0, 3.7]), 0.41, 3
    y = starts[:, None] + spacing * np.arange(count)
    expected = np.exp(1j * np.multiply.outer(y, x)) @ tilted
    assert problem.characteristic(theta, starts, spacing, count) == pytest.approx(expected, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_steps_give_the_modulus(problem):
    """The modulus of the characteristic function follows from weights and positions alone."""
    y, theta = 1.3, 0.8
    positions, weights = problem.steps(theta)
    modulus = abs(problem.characteristic(theta, np.array([y]), 1.0, 1)[0, 0])
    if isinstance(problem, FlipSum):
        repeats = np.ones(positions.size) if problem.multiplicities is None else problem.multiplicities
        expected = np.prod((1 - weights / repeats * np.sin(y * positions / 2) ** 2) ** (repeats / 2))
    else:
        expected = abs(weights @ np.exp(1j * y * positions)) ** problem.n_draws
    assert modulus == pytest.approx(expected, rel=1e-12)


def test_log_cosh():
    """No cancellation near 0, no overflow far out."""
    x = np.array([1e-9, 1e-3, 0.5, 20.0, 800.0])
    assert log_cosh(x) == pytest.approx(
        [5e-19, 4.9999991666669e-07, np.log(np.cosh(0.5)), 20 - np.log(2), 800 - np.log(2)]
    )
    assert log_cosh(-x) == pytest.approx(log_cosh(x), rel=1e-15)


def test_products_and_powers():
    """Halving multiplies all factors, also an odd number of them; powers keep zeros."""
    rng = np.random.default_rng(1)
    for length in (1, 2, 3, 7, 64, 101):
        factors = np.exp(1j * rng.random((length, 3))) * rng.random((length, 3))
        assert product(factors.copy()) == pytest.approx(factors.prod(axis=0), rel=1e-12)
    numbers = np.array([0.0, 0.5j, -0.9 + 0.1j])
    assert whole_powers(numbers, 7) == pytest.approx(numbers**7, rel=1e-12, abs=1e-300)
