"""A lattice and a few other values, against enumeration."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reportkit.null_distributions.enumeration import enumerate_draws, enumerate_flips
from reportkit.null_distributions.lattices.far_values import draws_with_far_values, flips_with_far_values
from reportkit.null_distributions.lattices.near_lattice import NearLattice
from reportkit.null_distributions.step_sums import DrawSum, FlipSum


def on(values, step, offset=0.0):
    """The lattice offset + step * k applied to values."""
    return NearLattice(step, offset, np.empty(0), np.empty(0)).of(values, 0.0)


@pytest.mark.parametrize("n_far", [0, 1, 4, 10])
@pytest.mark.parametrize("share", [0.48, 0.3, 0.1, 0.05])
def test_flips(n_far, share):
    """Tail, tie and bound at several depths."""
    rng = np.random.default_rng(n_far)
    values = np.concatenate((rng.integers(1, 5, 38 - n_far).astype(float), 3.0 * rng.random(n_far)))
    against = np.cumsum(values) <= share * values.sum()
    assert against.any()
    problem = FlipSum(values, None, float(values[against].sum()))
    truth, upper = enumerate_flips(problem), flips_with_far_values(problem, on(values, 1.0), against)
    assert abs(math.expm1(upper.log_p - truth.log_p)) <= min(upper.relative_error, 1e-10)
    assert upper.tie == pytest.approx(truth.tie, rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("far", [[math.sqrt(2)], [0.37, -2.9], [1e7 * math.pi]])
@pytest.mark.parametrize("n", [9, 13])
def test_draws(far, n):
    """Tail, tie and bound, with ordinary and enormous far values."""
    d = np.concatenate((np.random.default_rng(n).integers(-2, 4, n - len(far)).astype(float), far))
    d = d if d.sum() > 0 else -d
    values, counts = np.unique(d, return_counts=True)
    problem = DrawSum(values - d.mean(), counts / n, n, float(d.sum()))
    truth, upper = enumerate_draws(problem), draws_with_far_values(problem, on(problem.values, 1.0, -d.mean()))
    assert abs(math.expm1(upper.log_p - truth.log_p)) <= min(upper.relative_error, 1e-9)
    assert upper.tie == pytest.approx(truth.tie, rel=1e-6, abs=1e-9)


def test_draws_of_a_value_that_is_not_rare(relative_error, draws_exactly):
    """Far values may be frequent: a quarter of the lattice taken for far, against integer arithmetic."""
    k = np.repeat([-1, 0, 1, 3], [40, 60, 50, 50])
    problem = DrawSum(np.array([-1.0, 0.0, 1.0, 3.0]) - k.mean(), np.array([40, 60, 50, 50]) / 200, 200, float(k.sum()))
    near = on(problem.values, 1.0, -k.mean())
    near = NearLattice(near.step, near.offset, np.array([-1.0, 0.0, 1.0, 2.0]), np.array([0.0, 0.0, 0.0, 1.0]))
    upper = draws_with_far_values(problem, near)
    truth = draws_exactly(k)
    assert relative_error(upper.log_p, truth[0]) <= min(upper.relative_error, 1e-9)
    assert upper.tie == pytest.approx(float((truth[0] + truth[1] - 1) / truth[0]), rel=1e-8)


def test_too_many_far_values():
    """More than 18 far flips, or millions of outcomes of far draws, are left to other ways."""
    values = np.random.default_rng(1).random(40)
    against = values < 0.3
    assert flips_with_far_values(FlipSum(values, None, float(values[against].sum())), on(values, 1.0), against) is None
    d = np.concatenate((values - 0.3, np.ones(20), -np.ones(20)))
    problem = DrawSum(d - d.mean(), np.full(80, 1 / 80), 80, float(abs(d.sum())))
    assert draws_with_far_values(problem, on(problem.values, 1.0, 1 - d.mean())) is None


def test_nothing_far():
    """Draws of lattice values only have a better way."""
    problem = DrawSum(np.array([-1.0, 0.0, 1.0]), np.full(3, 1 / 3), 9, 2.0)
    assert draws_with_far_values(problem, on(problem.values, 1.0)) is None
