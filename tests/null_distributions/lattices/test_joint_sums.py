"""Both split sums against all their outcomes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from reportkit.null_distributions.lattices.joint_sums import JointDraws, JointFlips, joint_draws, joint_flips
from reportkit.null_distributions.lattices.near_lattice import near_lattices

K, E = np.array([1.0, 0.0, 2.0, 1.0, -1.0]), np.array([0.1, -0.05, 0.02, 0.0, 0.07])


def outcomes(joint):
    """All values of (L, R) with their probabilities."""
    steps = np.stack((joint.multiples, joint.residuals))
    if isinstance(joint, JointFlips):
        flips = np.array(list(itertools.product((0, 1), repeat=K.size)))
        return np.array([[joint.l_slack], [joint.r_slack]]) - steps @ flips.T, np.full(2**K.size, 0.5**K.size)
    samples = np.array(list(itertools.product(range(K.size), repeat=joint.n_draws)))
    excess = np.array([[joint.l_excess], [joint.r_excess]])
    return steps[:, samples].sum(axis=2) - excess, joint.probabilities[samples].prod(axis=1)


@pytest.mark.parametrize(
    "joint", [JointFlips(K, E, 2.0, 0.05), JointDraws(K, E, np.array([0.3, 0.3, 0.1, 0.2, 0.1]), 4, 3.0, 0.1)]
)
@pytest.mark.parametrize("theta", [(0.0, 0.0), (0.7, -3.0), (-0.3, 11.0)])
def test_moments_and_transforms(joint, theta):
    """Generating function, tilted moments and characteristic function are those of the outcomes."""
    x, probabilities = outcomes(joint)
    tilted = probabilities * np.exp(np.array(theta) @ x)
    log_mgf, mean, covariance = joint.tilted(theta)
    assert log_mgf == pytest.approx(np.log(tilted.sum()), rel=1e-12, abs=1e-14)
    tilted /= tilted.sum()
    assert mean == pytest.approx(x @ tilted, rel=1e-11, abs=1e-13)
    assert covariance == pytest.approx(np.cov(x, aweights=tilted, ddof=0), rel=1e-9, abs=1e-13)
    omegas, y = np.array([-2.0, 0.3]), 1.7 + 5.0 * np.arange(3)
    expected = np.array([[tilted @ np.exp(1j * (omega * x[0] + v * x[1])) for v in y] for omega in omegas])
    assert joint.characteristic(theta, omegas, y) == pytest.approx(expected, rel=1e-11, abs=1e-13)
    mirrored, _ = outcomes(joint.reflected())
    assert mirrored == pytest.approx(x * np.array([[1.0], [-1.0]]), abs=1e-13)


def test_the_parts_add_up():
    """Step L + R is the X of the whole problem, for flips and for draws."""
    d = np.random.default_rng(1).choice([-1.0, 0.0, 1.0, 2.0], 6) + 1e-3 * np.arange(6.0)
    against = np.array([False, True, False, True, False, True])
    near = near_lattices(np.abs(d), through_zero=True)[0]
    x, _ = outcomes_of_flips(joint_flips(near, against))
    flips = np.array(list(itertools.product((0, 1), repeat=6)))
    assert near.step * x[0] + x[1] == pytest.approx(np.abs(d)[against].sum() - flips @ np.abs(d), abs=1e-12)
    near = near_lattices(d, through_zero=False)[0]
    joint, threshold = joint_draws(near, float(d.sum()))
    assert joint.l_excess == threshold
    index = np.array([5, 0, 3, 3, 1, 2])
    whole = near.step * (near.multiples[index].sum() - joint.l_excess) + near.residuals[index].sum() - joint.r_excess
    assert whole == pytest.approx(d[index].sum() - 2 * d.sum(), abs=1e-12)


def outcomes_of_flips(joint):
    """All values of (L, R) of flips of any number of steps."""
    flips = np.array(list(itertools.product((0, 1), repeat=joint.multiples.size)))
    steps = np.stack((joint.multiples, joint.residuals))
    return np.array([[joint.l_slack], [joint.r_slack]]) - steps @ flips.T, None
