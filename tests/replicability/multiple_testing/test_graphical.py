"""Graphs: published examples, closed testing by brute force, and what every such procedure must do."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.errors import InputError
from reportkit.replicability.multiple_testing.graphical import graphical
from reportkit.replicability.multiple_testing.partial_conjunction import holm

TWO_BY_TWO = [[0, 0.5, 0.5, 0], [0.5, 0, 0, 0.5], [0, 1, 0, 0], [1, 0, 0, 0]]
THREE_DOSES = [
    [0, 1 / 2, 0, 1 / 2, 0, 0],
    [1 / 3, 0, 1 / 3, 0, 1 / 3, 0],
    [0, 1 / 2, 0, 0, 0, 1 / 2],
    [0, 1, 0, 0, 0, 0],
    [1 / 2, 0, 1 / 2, 0, 0, 0],
    [0, 1, 0, 0, 0, 0],
]
"""Bretz, Maurer and Hommel (2011): three doses, two endpoints."""


def everyone(n):
    """Equal arrows to all others."""
    return (np.ones((n, n)) - np.eye(n)) / max(1, n - 1)


def by_walking(inside, weights, transitions, later=None, epsilon=1e-7):
    """Weights within a set of hypotheses: where a random walk enters it first, by solving for the visits outside."""
    arrows = np.asarray(transitions, dtype=float)
    if later is not None:
        rest = 1 - arrows.sum(axis=1, keepdims=True)
        share = np.where(rest > 0.5, 1.0, epsilon)
        arrows = (1 - share * np.asarray(later).sum(axis=1, keepdims=True)) * arrows + share * np.asarray(later)
    outside = ~inside
    moves = np.eye(int(outside.sum())) - arrows[np.ix_(outside, outside)].T
    visits = np.linalg.lstsq(moves, np.asarray(weights, dtype=float)[outside], rcond=None)[0]
    return np.asarray(weights, dtype=float)[inside] + arrows[np.ix_(outside, inside)].T @ visits


def closed_testing(p_values, weights, transitions, later=None):
    """Adjusted p-values by testing every intersection with the weighted Bonferroni test."""
    p = np.asarray(p_values, dtype=float)
    adjusted = np.zeros(p.size)
    for size in range(1, p.size + 1):
        for chosen in combinations(range(p.size), size):
            inside = np.isin(np.arange(p.size), chosen)
            share = by_walking(inside, weights, transitions, later)
            tested = share > 1e-4 if later is not None else share > 1e-12
            local = min(1.0, (p[inside][tested] / share[tested]).min()) if tested.any() else 1.0
            adjusted[inside] = np.maximum(adjusted[inside], local)
    return adjusted


def test_the_example_of_three_doses_is_the_published_one():
    """Bretz, Maurer and Hommel (2011) reject H21, H31 and H32 at .025."""
    adjusted = graphical([0.1, 0.008, 0.005, 0.15, 0.04, 0.006], [1 / 3] * 3 + [0] * 3, THREE_DOSES)
    assert (adjusted <= 0.025).tolist() == [False, True, True, False, False, True]
    np.testing.assert_allclose(adjusted, [0.12, 0.016, 0.015, 0.15, 0.12, 0.0225], rtol=1e-12)


def test_an_example_of_graphical_mcp():
    """The example of the R package graphicalMCP for shortcut procedures rejects H1, H2 and H4 at .025."""
    adjusted = graphical([0.018, 0.01, 0.105, 0.006], [0.5, 0.5, 0, 0], TWO_BY_TWO)
    np.testing.assert_allclose(adjusted, [0.024, 0.02, 0.105, 0.024], rtol=1e-12)


@given(st.lists(st.floats(1e-9, 1), min_size=1, max_size=8))
def test_equal_weights_and_arrows_are_holm(p_values):
    """Holm's procedure is the complete graph."""
    n = len(p_values)
    np.testing.assert_allclose(graphical(p_values, [1 / n] * n, everyone(n)), holm(p_values), rtol=1e-12)


def test_fixed_sequence_is_a_running_maximum():
    """With all the level at the first and arrows to the next, each is tested at the full level after those before."""
    p = [0.01, 0.002, 0.03, 0.001]
    adjusted = graphical(p, [1, 0, 0, 0], np.eye(4, k=1))
    np.testing.assert_allclose(adjusted, np.maximum.accumulate(p))


def test_no_arrows_are_bonferroni():
    """Weight that goes nowhere is lost."""
    np.testing.assert_allclose(graphical([0.01, 0.02, 0.9], [0.5, 0.25, 0.25], np.zeros((3, 3))), [0.02, 0.08, 1])


@pytest.mark.parametrize("seed", range(12))
def test_any_graph_is_a_closed_test(seed):
    """Adjusted p-values are the largest local ones of all intersections, for graphs that lose weight too."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 6))
    transitions = rng.random((n, n)) * (rng.random((n, n)) < 0.6)
    np.fill_diagonal(transitions, 0)
    sums = transitions.sum(axis=1, keepdims=True)
    transitions = np.divide(transitions, sums, out=np.zeros_like(transitions), where=sums > 0)
    transitions *= rng.choice([1.0, 0.7], size=(n, 1))
    weights = rng.dirichlet(np.ones(n)) * rng.choice([1.0, 0.9])
    p = rng.random(n) ** 3
    np.testing.assert_allclose(
        graphical(p, weights, transitions), closed_testing(p, weights, transitions), rtol=1e-9, atol=1e-12
    )


def test_arrows_for_afterwards_open_a_second_family():
    """Arrows of order epsilon: the second family has the level as soon as, and only when, the first is rejected."""
    first, second = np.array([0.004, 0.03, 0.01]), np.array([0.001, 0.02])
    transitions = np.zeros((5, 5))
    transitions[:3, :3], transitions[3:, 3:] = everyone(3), everyone(2)
    later = np.zeros((5, 5))
    later[:3, 3:] = 0.5
    adjusted = graphical(np.append(first, second), [1 / 3] * 3 + [0, 0], transitions, afterwards=later)
    np.testing.assert_allclose(adjusted[:3], holm(first), rtol=1e-12)
    np.testing.assert_allclose(adjusted[3:], np.maximum(holm(first).max(), holm(second)), rtol=1e-12)


@given(
    st.lists(st.floats(1e-6, 1), min_size=6, max_size=6),
    st.integers(0, 5),
    st.floats(0.01, 1),
)
def test_smaller_p_values_never_adjust_to_larger_ones(p_values, index, factor):
    """Monotone in every p-value."""
    smaller = list(p_values)
    smaller[index] *= factor
    weights = [1 / 3] * 3 + [0] * 3
    before, after = graphical(p_values, weights, THREE_DOSES), graphical(smaller, weights, THREE_DOSES)
    assert (after <= before * (1 + 1e-12)).all()
    assert (before >= p_values).all()


@pytest.mark.parametrize(
    ("weights", "transitions", "message"),
    [
        ([0.5, 0.6], np.zeros((2, 2)), "weights are not shares"),
        ([0.5, np.nan], np.zeros((2, 2)), "weights are not shares"),
        ([0.5, 0.5], [[0, -0.1], [0, 0]], "transitions are not shares"),
        ([0.5, 0.5], [[0.5, 0.5], [0, 0]], "from a hypothesis to itself"),
        ([0.5, 0.5], np.zeros((3, 3)), "transitions has the shape"),
        ([1.0], np.zeros((2, 2)), "weights has the shape"),
    ],
)
def test_what_is_no_graph_is_refused(weights, transitions, message):
    """Weights and arrows are shares of the level."""
    with pytest.raises(InputError, match=message):
        graphical([0.1, 0.2], weights, transitions)
