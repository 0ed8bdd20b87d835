"""The characteristic function of the tilted walk, and the nodes that are left out."""

import numpy as np
import pytest

from reportkit.null_distributions.swap_walks.swap_walk import SwapWalk
from reportkit.null_distributions.swap_walks.walk_factors import FAINT, Factors


def everywhere(tilted, size_j, size_l):
    """The product of all factors at all frequencies of half the torus, by its definition."""
    walk = tilted.walk
    p, q = np.indices((size_j // 2 + 1, size_l))
    product = np.ones(p.shape, dtype=complex)
    for m, j, l, chance in zip(walk.multiplicities, walk.j, walk.l, tilted.chances, strict=True):  # noqa: E741
        turns = 2j * np.pi * (j * p / size_j + l * q / size_l)
        product *= (1 - chance + chance * np.exp(turns)) ** m
    return product


@pytest.mark.parametrize("sizes", [(64, 64), (16, 256), (256, 16), (256, 512), (1, 64)])
@pytest.mark.parametrize("theta", [(0.0, 0.0), (0.05, -0.03), (-0.41, 0.7)])
def test_the_bright_nodes_and_their_values(sizes, theta):
    """No node above the limit is missed, whatever cells it lies in, and modulus and phase are right."""
    rng = np.random.default_rng(3)
    walk = SwapWalk.of(rng.integers(-5, 9, 60) * (sizes[0] > 1), rng.integers(-7, 6, 60))
    tilted = walk.tilted(theta)
    factors = Factors.of(tilted, *sizes)
    p, q, log_modulus = factors.bright_nodes(*sizes, work=1e7)
    product = everywhere(tilted, *sizes)
    bright = np.log(np.maximum(np.abs(product), 1e-300)) > FAINT + 1e-9
    found = np.zeros(product.shape, dtype=bool)
    found[p, q] = True
    assert not (bright & ~found).any()
    turned = 2j * np.pi * (factors.offset[0] * p / sizes[0] + factors.offset[1] * q / sizes[1])
    values = np.exp(log_modulus + 1j * factors.phases_at(p, q) + turned)
    error = 2.0**-52 * factors.errors_at(p, q)
    assert (np.abs(values - product[p, q]) <= 1e-11 * np.abs(values) + 1e-25).all()
    assert (error < 1e-6).all()


def test_cells_leave_out_most_of_a_large_grid():
    """Wide differences: a few thousand nodes of two million, after looking at far fewer."""
    rng = np.random.default_rng(4)
    walk = SwapWalk.of(rng.integers(-40, 41, 300), rng.integers(-40, 41, 300))
    factors = Factors.of(walk.tilted((0.0, 0.0)), 2048, 2048)
    p, _, _ = factors.bright_nodes(2048, 2048, work=1e6)
    assert 100 < p.size < 10_000
    assert factors.bright_nodes(2048, 2048, work=1e4) is None
