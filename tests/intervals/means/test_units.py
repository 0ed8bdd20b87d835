"""Reduction of a pair to sorted independent units."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.intervals.means.units import Multiples, as_wins, sorted_differences, sorted_units


@pytest.fixture
def scores():
    """Scores with ties, weights and clusters."""
    rng = np.random.default_rng(5)
    return {
        "a": rng.integers(0, 6, 40) / 10,
        "b": rng.integers(0, 6, 40) / 10,
        "weights": rng.integers(1, 9, 40) / 7,
        "clusters": rng.integers(0, 9, 40),
    }


@pytest.mark.parametrize("fields", [(), ("weights",), ("clusters",), ("weights", "clusters")])
def test_any_order_and_either_name_give_the_same_units(pair, scores, fields):
    """Rows in another order, and B against A, give the same units to the last bit."""
    rng = np.random.default_rng(6)
    extra = {name: scores[name] for name in fields}
    units = sorted_units(pair(scores["a"], scores["b"], **extra))
    assert not units.swapped
    for _ in range(5):
        order = rng.permutation(40)
        mixed = {name: values[order] for name, values in extra.items()}
        again = sorted_units(pair(scores["a"][order], scores["b"][order], **mixed))
        swapped = sorted_units(pair(scores["b"][order], scores["a"][order], names=("b", "a"), **mixed))
        assert swapped.swapped
        for other in (again, swapped):
            np.testing.assert_array_equal(other.sums, units.sums)
            np.testing.assert_array_equal(other.sizes, units.sizes)


@pytest.mark.parametrize("fields", [(), ("weights",), ("clusters",), ("weights", "clusters")])
def test_the_mean_is_that_of_the_pair(pair, scores, fields):
    """Sums over sizes are the (weighted) mean difference."""
    paired = pair(scores["a"], scores["b"], **{name: scores[name] for name in fields})
    assert sorted_units(paired).mean == pytest.approx(paired.value_difference, rel=1e-10)


def test_noise_of_subtraction_is_taken_away_and_nothing_else(pair):
    """0.3 - 0.1 is 0.2; a third keeps all its digits, so that two of them are two thirds."""
    decimals = sorted_units(pair([0.3, 0.2, 1000.01, 0.1 + 0.2], [0.1, 0.0, 1000.0, 0.3]))
    np.testing.assert_array_equal(decimals.sums, [0.0, 0.01, 0.2, 0.2])
    thirds = sorted_units(pair([1 / 3, 1 / 3, 0, 1], [0, 0, 2 / 3, 1 / 3]))
    assert thirds.sums[0] + thirds.sums[1] + thirds.sums[2] == 0


def test_differences_beyond_12_digits_are_none(pair):
    """As everywhere in the package, 12 significant digits of the score are compared."""
    np.testing.assert_array_equal(sorted_units(pair([1.0, 1.0], [1.0 - 1e-13, 1.0 - 1e-9])).sums, [0.0, 1e-9])


def test_clusters_that_cancel_have_the_sum_zero(pair):
    """Whatever the rounding of their parts."""
    units = sorted_units(pair([0.1, 0.2, 1 / 3, 1 / 3, 0.7], [0, 0.3 - 0.3, 0, 0, 0], clusters=[0, 0, 1, 1, 2]))
    assert np.count_nonzero(units.sums) == 3
    zero = sorted_units(pair([0.1, 0.2, 0, 1 / 3, 1 / 3, 0], [0, 0, 0.3, 0, 0, 2 / 3], clusters=[0, 0, 0, 1, 1, 1]))
    np.testing.assert_array_equal(zero.sums, [0.0, 0.0])


def test_whole_numbers_of_clusters_need_no_order(pair):
    """Their sums are exact; those of the same scores with a thousandth more of the first cluster are ordered first."""
    rng = np.random.default_rng(4)
    a, b = rng.integers(0, 2, (2, 200)).astype(float)
    clusters = rng.permutation(np.repeat(np.arange(40), 5)) * 10_000 - 70_000
    units = sorted_units(pair(a, b, clusters=clusters))
    by_hand = [(a - b)[clusters == code].sum() for code in np.unique(clusters)]
    assert units.sums.tolist() == sorted(by_hand)
    assert units.sizes.tolist() == [5.0] * 40
    ordered = sorted_units(pair(a + 0.001 * (clusters == -70_000), b, clusters=clusters))
    by_hand[0] += 0.005
    assert ordered.sums == pytest.approx(np.sort(by_hand), abs=1e-12)


def test_units_are_the_clusters(pair):
    """Sums and sizes by cluster, sorted by sum."""
    units = sorted_units(pair([3, 1, 1, 0], clusters=[7, 2, 7, 5], weights=[1, 2, 3, 4]))
    np.testing.assert_array_equal(units.sums, [0, 2, 6])
    np.testing.assert_array_equal(units.sizes, [4, 2, 4])
    assert units.n == 3


def test_wins_keep_everything_but_the_size_of_the_difference(pair):
    """The difference becomes its sign; weights, clusters and names stay."""
    paired = pair([5, 3, 2], [1, 3, 4], kind="ordinal", weights=[1, 2, 3], clusters=[0, 0, 1], higher_is_better=False)
    wins = as_wins(paired)
    np.testing.assert_array_equal(wins.differences, [1, 0, -1])
    assert wins.kind == "binary"
    for field in dataclasses.fields(paired):
        if field.init and field.name not in ("a", "b", "kind", "higher_is_better"):
            assert getattr(wins, field.name) is getattr(paired, field.name)


@given(
    decimals=st.integers(0, 6),
    largest=st.integers(1, (1 << 28) - 1),
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 40),
    swapped=st.booleans(),
)
def test_differences_of_few_decimals_are_those_of_whole_numbers(decimals, largest, seed, n, swapped):
    """To the last bit those of floating-point numbers, whatever the scale, in either direction."""
    rng = np.random.default_rng(seed)
    scores = rng.integers(-largest, largest, (2, n), endpoint=True) / 10.0**decimals
    multiples = Multiples.of(scores)
    assert multiples is not None
    rows = np.array([0]), np.array([1])
    found = multiples.sorted_differences(*(rows[::-1] if swapped else rows))
    largest_score = np.array([np.abs(scores).max()])
    expected = sorted_differences(scores[:1], scores[1:], largest_score, np.array([swapped]))
    assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("score", [1 / 3, 0.1 + 0.2, 1e-7, float(1 << 28), 1e300])
def test_other_scores_are_no_multiples(score):
    """One of many is enough, wherever it is: thirds, noise, seven decimals, and numbers too large for an integer."""
    scores = np.full((2, 1000), 0.25)
    scores[1, 771] = score
    assert Multiples.of(scores) is None
