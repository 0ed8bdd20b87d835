"""Places that matter, and the bound on all others."""

import math

import numpy as np
import pytest

from reportkit.null_distributions.swap_walks.swap_walk import SwapWalk
from reportkit.null_distributions.swap_walks.walk_window import window_of


@pytest.mark.parametrize("theta", [0.0, 0.01, 0.2, 2.0])
def test_what_lies_outside_is_bounded(theta):
    """The exact tilted probability of all places outside, and weighted, is at most what is said."""
    rng = np.random.default_rng(1)
    walk = SwapWalk.of(rng.integers(1, 4, 600), rng.integers(-2, 3, 600))
    tilted = walk.tilted((theta, 0.0))
    masses = np.ones(1)
    for m, j, chance in zip(walk.multiplicities, walk.j, tilted.chances, strict=True):
        step = np.zeros(j + 1)
        step[0], step[-1] = 1 - chance, chance
        for _ in range(m):
            masses = np.convolve(masses, step)
    mean = tilted.mean()[0]

    def growth(places):
        return 1e-4 * (places - mean) ** 2

    places = np.arange(masses.size)
    for window, weights in (
        (window_of(tilted, 0), 1.0),
        (window_of(tilted, 0, growth), np.exp(growth(places.astype(float)))),
    ):
        outside = (places < window.first) | (places > window.last)
        assert masses[outside].sum() <= window.outside + 1e-18
        assert (masses * weights)[outside].sum() <= window.weighted + 1e-18
        assert window.weighted <= 3e-17
        assert window.first <= mean <= window.last + 1
        assert window.size == 1 << math.ceil(math.log2(window.last - window.first + 1))


def test_a_walk_that_reaches_too_far_is_left_alone():
    """None rather than a table of a million places."""
    walk = SwapWalk.of(np.array([300_000, 1]), np.array([1, 1]))
    assert window_of(walk.tilted((0.0, 0.0)), 0) is None
