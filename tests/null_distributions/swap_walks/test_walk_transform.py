"""The two-dimensional transform against the sum over all places, and its bound on the error."""

import math
from fractions import Fraction

import numpy as np
import pytest

from reportkit.null_distributions.swap_walks.ratio_boundary import RatioBoundary
from reportkit.null_distributions.swap_walks.swap_walk import SwapWalk
from reportkit.null_distributions.swap_walks.walk_counting import counted_tail
from reportkit.null_distributions.swap_walks.walk_transform import transformed_tail

FAMILIES = {}


def family(function):
    """Collect the makers of rows (u, v) of A and of B."""
    FAMILIES[function.__name__] = function
    return function


@family
def f1(rng, n):
    """Counts of F1, some equal."""
    gold = rng.poisson(3, n)
    rows = [np.stack((2 * (tp := rng.binomial(gold, p)), tp + rng.poisson(1, n) + gold), axis=1) for p in (0.8, 0.7)]
    return np.where(rng.random((n, 1)) < 0.5, rows[0], rows[1]), rows[1]


@family
def always_better(rng, n):
    """A is better on every instance: the tail is one swap of 2^n."""
    u = rng.integers(1, 4, n)
    v = u + rng.integers(0, 4, n)
    return np.stack((u, v), axis=1), np.stack((u - 1, v + rng.integers(0, 2, n)), axis=1)


@family
def outlier(rng, n):
    """One instance larger than all others together."""
    a, b = f1(rng, n)
    a[0], b[0] = (500, 900), (800, 1000)
    return a, b


@family
def precision_of_few(rng, n):
    """A finds little, and that right; B much: the boundary is bent strongly."""
    found_a, found_b = rng.random(n) < 0.05, rng.random(n) < 0.5
    right_a, right_b = found_a & (rng.random(n) < 0.9), found_b & (rng.random(n) < 0.6)
    return np.stack((right_a, found_a), axis=1).astype(int), np.stack((right_b, found_b), axis=1).astype(int)


@family
def multiples_of_three(rng, n):
    """All differences are multiples of 3 but two: the transform comes back far from the origin."""
    d, e = (3 * rng.integers(-1, 2, n) for _ in range(2))
    d[0] += 1
    e[1] += 1
    base = np.full(n, 10)
    return np.stack((base + d, 2 * base + e), axis=1), np.stack((base, 2 * base), axis=1)


@family
def even(rng, n):
    """Every second place of the plane is out of reach."""
    d = rng.integers(-2, 3, n)
    e = 2 * rng.integers(0, 2, n) - (d & 1)
    return np.stack((10 + d, 20 + e), axis=1), np.full((n, 2), (10, 20))


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("n", [3, 12, 40, 120])
def test_agrees_with_the_sum_over_all_places(name, n):
    """Tail and ties, within the bound that the transform states."""
    a, b = FAMILIES[name](np.random.default_rng(n), n)
    walk = SwapWalk.of(*(a - b).T)
    sums = [tuple(int(x) for x in rows.sum(axis=0)) for rows in (a, b)]
    boundary = RatioBoundary.observed(*sums, 0)
    if boundary.delta < 0:
        boundary = RatioBoundary.observed(*sums[::-1], 0)
    counted, transformed = counted_tail(walk, boundary), transformed_tail(walk, boundary, work=1 << 22)
    error = counted.relative_error + transformed.relative_error
    assert abs(math.expm1(transformed.log_p - counted.log_p)) <= error
    assert abs(transformed.tie - counted.tie) <= 3 * error
    assert transformed.relative_error < 1e-6
    assert counted.relative_error < 1e-13


@pytest.mark.parametrize("seed", range(60))
def test_the_bound_is_true_where_the_boundary_is_bent_most(seed):
    """One system finds next to nothing: parts of the tail lie far from where the tilt leads; or it gives up."""
    rng = np.random.default_rng(seed)
    n, largest = int(rng.integers(2, 60)), int(rng.integers(1, 7))
    v = rng.integers(0, largest + 1, (2, n))
    v[0] *= rng.random(n) < rng.choice([0.0, 0.05, 0.3])
    v[0, 0] += 1
    u = rng.binomial(v, rng.uniform(0.05, 0.98, 2)[:, None])
    a, b = np.stack((u, v), axis=2)
    walk = SwapWalk.of(*(a - b).T)
    sums = [tuple(int(x) for x in rows.sum(axis=0)) for rows in (a, b)]
    undefined = Fraction(seed % 3, 2)
    boundary = RatioBoundary.observed(*sums, undefined)
    if boundary.delta < 0:
        boundary = RatioBoundary.observed(*sums[::-1], undefined)
    counted, transformed = counted_tail(walk, boundary), transformed_tail(walk, boundary, work=1 << 22)
    if transformed is not None:
        error = counted.relative_error + transformed.relative_error
        assert abs(math.expm1(transformed.log_p - counted.log_p)) <= error
        assert abs(transformed.tie - counted.tie) <= 3 * error


def test_wide_differences_are_looked_at_in_cells():
    """Long documents: a grid of a million nodes and more, most of them left out in cells."""
    rng = np.random.default_rng(2)
    u, more = rng.integers(0, 16, (2, 100)), rng.integers(0, 16, (2, 100))
    a, b = np.stack((u, u + more), axis=2)
    walk = SwapWalk.of(*(a - b).T)
    sums = sorted((tuple(int(x) for x in rows.sum(axis=0)) for rows in (a, b)), key=lambda s: -s[0] / s[1])
    boundary = RatioBoundary.observed(*sums, 0)
    counted, transformed = counted_tail(walk, boundary), transformed_tail(walk, boundary, work=1 << 22)
    assert abs(math.expm1(transformed.log_p - counted.log_p)) <= counted.relative_error + transformed.relative_error
    assert transformed.relative_error < 1e-9


def test_a_tail_of_2_to_the_minus_5000():
    """A better on each of 5,000 instances; only the observed arrangement reaches the tail."""
    a, b = always_better(np.random.default_rng(1), 5000)
    walk = SwapWalk.of(*(a - b).T)
    boundary = RatioBoundary.observed(*(tuple(int(x) for x in rows.sum(axis=0)) for rows in (a, b)), 0)
    upper = transformed_tail(walk, boundary, work=1 << 22)
    assert upper.log_p == pytest.approx(-5000 * math.log(2), rel=1e-13)
    assert upper.relative_error < 1e-9


def test_gives_up_where_the_grid_is_too_large():
    """Half a million nodes are more than a thousand."""
    a, b = f1(np.random.default_rng(1), 3000)
    walk = SwapWalk.of(*(a - b).T)
    boundary = RatioBoundary.observed(*(tuple(int(x) for x in rows.sum(axis=0)) for rows in (a, b)), 0)
    assert transformed_tail(walk, boundary, work=1000) is None
