"""Bounds at the nodes of the contour: never below the truth, near it, and tails that are right because of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reportkit.null_distributions.all_pairs import sign_flip_tails
from reportkit.null_distributions.contour.node_bounds import NODES_IN_A_RUN, node_bounds, nodes_to_sum
from reportkit.null_distributions.step_sums import FlipSum

STEPS = {
    "normal": lambda rng, n: np.abs(rng.normal(size=n)),
    "heavy tails": lambda rng, n: np.abs(rng.standard_t(1.5, size=n)),
    "near 0 and 1": lambda rng, n: np.abs(np.round(rng.random(n)) - 0.02 * rng.exponential(size=n)),
    "lattice": lambda rng, n: rng.integers(1, 9, n).astype(float),
    "lattice with jitter": lambda rng, n: rng.integers(1, 3, n) + 1e-3 * rng.normal(size=n),
}


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize("theta", [1e-6, 0.05, 0.6, 4.0])
@pytest.mark.parametrize("name", STEPS)
def test_bounds_hold_at_every_node(name, theta, repeated):
    """At all nodes |phi| is at most what is said, whatever the steps are, and wherever they come back to 1."""
    rng = np.random.default_rng(len(name))
    for n, spacing in ((41, 0.02), (150, 0.3), (700, 1.7)):
        values = STEPS[name](rng, n)
        counts = rng.integers(1, 4, n).astype(float) if repeated else None
        problem = FlipSum(values, counts, 0.4 * float(values.sum()))
        weights = FlipSum(values, None, problem.slack).steps(theta).weights
        bounds = node_bounds(
            values[None, :], weights[None, :], None if counts is None else counts[None, :], np.array([spacing]), 2048
        )[0]
        with np.errstate(divide="ignore"):
            exact = np.log(np.abs(problem.characteristic(theta, np.zeros(1), spacing, 2048)[0]))
        assert np.all(exact <= bounds)


def test_bounds_are_near_the_truth():
    """With random phases the logarithm of the bound is on average six sevenths of that of |phi| at least."""
    values = np.random.default_rng(1).random((1, 200))
    bounds = node_bounds(values, np.ones_like(values), None, np.array([40.0]), 4096)[0, 10:]
    exact = np.log(np.abs(np.cos(20.0 * np.arange(10, 4096)[:, None] * values))).sum(axis=1)
    assert 0.85 * exact.mean() > bounds.mean() > exact.mean()


@pytest.mark.parametrize("jitter", [0, 1, 3, 10, 60])
@pytest.mark.parametrize("n", [60, 120, 250])
def test_truth_of_preferences(n, jitter, flips_exactly, relative_error):
    """Differences piled up near 0 and 1, in thousandths and of no lattice that is told, from p = .1 to 1e-70."""
    rng = np.random.default_rng(100 * n + jitter)
    found = []
    for share in (0.53, 0.75, 0.99):
        signs = np.where(rng.random(n) < share, 1, -1)
        steps = np.where(rng.random(n) < 0.6, 600, 0) + np.rint(jitter * rng.standard_exponential(n)) + 1
        row = np.sort(signs * steps)
        truths = flips_exactly(row)
        for scale in (1e-3, 1e-3 * math.pi):
            (tails,) = sign_flip_tails(scale * row[None, :], max_relative_error=1e-2)
            for log_p, truth in zip((tails.log_p_greater, tails.log_p_less), truths, strict=True):
                assert relative_error(log_p, truth) <= min(tails.relative_error, 1e-4)
        found.append(tails.p_greater)
    assert found[0] > 1e-3
    assert found[2] < 1e-9


def test_no_number_depends_on_other_rows():
    """To the last bit the same alone, among others, and at another place, with more rows than one transform takes."""
    rng = np.random.default_rng(5)
    rows = np.sort(np.tanh(3.0 * rng.normal(0.1, 1.0, (70, 130))), axis=1)
    together, turned = sign_flip_tails(rows), sign_flip_tails(rows[::-1])
    for row in (0, 3, 4, 17, 69):
        assert sign_flip_tails(rows[row : row + 1])[0] == together[row] == turned[69 - row]


def test_as_many_nodes_are_summed_as_can_be_paid_for():
    """The largest runs, of equal ones no more than were asked for; and what all others add."""
    terms = np.repeat(np.array([3.0, 1.0, 2.0, 2.0, 2.0], dtype=np.float32) / NODES_IN_A_RUN, NODES_IN_A_RUN)
    for number, runs in enumerate([[], [0], [0, 2], [0, 2, 3], [0, 2, 3, 4], [0, 1, 2, 3, 4]]):
        starts, left = nodes_to_sum(terms, 0.0, number * NODES_IN_A_RUN)
        assert starts.tolist() == [NODES_IN_A_RUN * run for run in runs]
        assert left == pytest.approx([10.0, 7.0, 5.0, 3.0, 1.0, 0.0][number])
    assert nodes_to_sum(terms, 6.0, 1_000)[0].tolist() == [0, 2 * NODES_IN_A_RUN]
