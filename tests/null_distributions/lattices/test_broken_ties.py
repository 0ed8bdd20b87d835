"""Lattices whose ties are broken by residuals, against enumeration."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reportkit.null_distributions.enumeration import enumerate_draws, enumerate_flips
from reportkit.null_distributions.lattices.broken_ties import tie_broken
from reportkit.null_distributions.lattices.joint_sums import joint_draws, joint_flips
from reportkit.null_distributions.lattices.near_lattice import near_lattices
from reportkit.null_distributions.step_sums import DrawSum, FlipSum


def flips_both_ways(d, **limits):
    """Exact tail and tail with broken ties of sign flips."""
    magnitudes, against = np.abs(d), d < 0
    near = near_lattices(magnitudes, through_zero=True)[0]
    joint = joint_flips(near, against)
    lattice = enumerate_flips(FlipSum(near.multiples[near.multiples > 0], None, joint.l_slack))
    truth = enumerate_flips(FlipSum(magnitudes, None, float(magnitudes[against].sum())))
    return truth, tie_broken(joint, near.step, lattice, **limits)


@pytest.mark.parametrize("jitter", [1e-9, 1e-6, 1e-4, 1e-3, 1e-2])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_flips(jitter, seed):
    """Thirty-four flips with noise from 1e-9 to 1e-2 of a step: within the bound, against 2^34 patterns."""
    rng = np.random.default_rng(seed)
    d = rng.choice([-1.0, 1.0, 2.0], 34, p=[0.45, 0.4, 0.15]) + jitter * rng.normal(size=34)
    truth, upper = flips_both_ways(d if d.sum() > 0 else -d, max_relative_error=2e-3)
    assert abs(math.expm1(upper.log_p - truth.log_p)) <= upper.relative_error <= 2e-3


@pytest.mark.parametrize("jitter", [1e-8, 1e-3, 1e-2])
@pytest.mark.parametrize("seed", [1, 2])
def test_draws(jitter, seed):
    """Fourteen draws with noise: within the bound, against all resamples."""
    rng = np.random.default_rng(seed)
    d = rng.choice([-1.0, 0.0, 1.0], 14, p=[0.3, 0.3, 0.4]) + jitter * rng.normal(size=14)
    d = d if d.sum() > 0 else -d
    near = near_lattices(d, through_zero=False)[0]
    joint, threshold = joint_draws(near, float(d.sum()))
    values, counts = np.unique(near.multiples, return_counts=True)
    lattice = enumerate_draws(DrawSum(values, counts / 14, 14, float(threshold)))
    truth = enumerate_draws(DrawSum(d - d.mean(), np.full(14, 1 / 14), 14, float(d.sum())))
    upper = tie_broken(joint, near.step, lattice, max_relative_error=2e-2)
    assert abs(math.expm1(upper.log_p - truth.log_p)) <= upper.relative_error <= 2e-2


def test_a_threshold_far_from_the_tie():
    """Residuals that are all on one side of the threshold decide a tie outright."""
    d = np.concatenate((np.full(18, 1.0), np.full(12, -1.0))) + 1e-6 * np.random.default_rng(1).uniform(1.0, 2.0, 30)
    truth, upper = flips_both_ways(d, max_relative_error=1e-3)
    assert abs(math.expm1(upper.log_p - truth.log_p)) <= upper.relative_error


def test_none_if_the_residuals_are_too_large():
    """Where R can outweigh a step of L the lattice does not decide."""
    rng = np.random.default_rng(4)
    d = rng.choice([-1.0, 1.0], 30) + 0.2 * rng.normal(size=30)
    assert flips_both_ways(d if d.sum() > 0 else -d, max_relative_error=1e-3)[1] is None


def test_none_if_the_work_is_too_much():
    """A tighter bound than the work allows is not promised."""
    rng = np.random.default_rng(5)
    d = rng.choice([-1.0, 1.0], 30) + 1e-4 * rng.normal(size=30)
    assert flips_both_ways(d if d.sum() > 0 else -d, max_relative_error=1e-9, work=1e6)[1] is None
