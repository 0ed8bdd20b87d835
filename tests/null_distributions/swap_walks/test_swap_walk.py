"""The walk of two sums: grouping, moments and Chernoff's bound against enumeration."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.null_distributions.swap_walks.swap_walk import SwapWalk

differences = st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=7)


def places(walk):
    """All places (X, Y) with their probabilities, from the kinds and how often each is turned."""
    steps = np.repeat(np.stack((walk.j, walk.l), axis=1), walk.multiplicities, axis=0)
    for turned in itertools.product((0, 1), repeat=len(steps)):
        j, l = np.array(turned) @ steps if len(steps) else (0, 0)  # noqa: E741
        yield walk.highest[0] - 2 * walk.step_x * int(j), walk.highest[1] - 2 * walk.step_y * int(l)


@given(differences)
@settings(deadline=None, max_examples=50)
def test_the_walk_visits_the_sums_of_all_signs(rows):
    """As often as sums of +-(d, e) do; instances without a difference only double everything."""
    walk = SwapWalk.of(*np.array(rows).T)
    moving = [row for row in rows if any(row)]
    expected = [
        tuple(int(x) for x in np.array(signs) @ np.array(moving)) if moving else (0, 0)
        for signs in itertools.product((1, -1), repeat=len(moving))
    ]
    assert sorted(places(walk)) == sorted(expected)
    assert walk.n_moving == len(moving)


@given(differences, st.tuples(st.floats(-1, 1), st.floats(-1, 1)))
@settings(deadline=None, max_examples=50)
def test_the_moments_of_the_tilted_walk(rows, theta):
    """Log-moment-generating function and mean from all places."""
    walk = SwapWalk.of(*np.array(rows).T)
    points = np.array(list(places(walk)), dtype=float)
    weights = np.exp(points @ np.array(theta))
    tilted = walk.tilted(theta)
    assert tilted.log_mgf == pytest.approx(np.log(weights.mean()), abs=1e-9)
    assert tilted.point() == pytest.approx((weights @ points) / weights.sum(), abs=1e-9)


@given(differences, st.tuples(st.floats(-1, 1), st.floats(-1, 1)), st.sampled_from([1, -1]))
@settings(deadline=None, max_examples=50)
def test_the_tail_bound_is_a_bound(rows, theta, sign):
    """The tilted probability of a distance from the mean, or more, is at most what the bound says."""
    walk = SwapWalk.of(*np.array(rows).T)
    points = np.array(list(places(walk)), dtype=float)
    weights = np.exp(points @ np.array(theta))
    weights /= weights.sum()
    tilted = walk.tilted(theta)
    j = sign * (walk.highest[0] - points[:, 0]) / (2 * walk.step_x)
    mean = sign * tilted.mean()[0]
    distances = np.linspace(0.25, 6, 24)
    bounds = np.exp(tilted.tail_bound(sign * walk.j, distances))
    for distance, bound in zip(distances, bounds, strict=True):
        assert weights[j - mean >= distance].sum() <= bound * (1 + 1e-9) + 1e-15
