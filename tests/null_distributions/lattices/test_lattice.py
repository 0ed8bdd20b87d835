"""Which data are on a lattice, and which only nearly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.null_distributions.lattices.lattice import find_lattice


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.integers(-500, 500), min_size=1, max_size=60),
    st.sampled_from([1.0, 0.01, 1 / 3, 1 / 7, np.pi, 1e-300, 2e297, 1e-6]),
)
def test_whole_multiples_are_found(multiples, step):
    """Whole numbers times any step are found again, up to their common divisor."""
    values = np.array(multiples) * step
    lattice = find_lattice(values)
    divisor = max(np.gcd.reduce(multiples), 1)
    assert lattice.multiples.tolist() == [k // divisor for k in multiples]
    if any(multiples):
        assert lattice.step == pytest.approx(divisor * step, rel=1e-11)


def test_rounding_noise_is_no_obstacle():
    """Differences of decimal scores, 0.3 - 0.1 and 0.2 among them, are on the lattice of the decimals."""
    rng = np.random.default_rng(1)
    scores = np.round(rng.random((2, 3000)), 3)
    lattice = find_lattice(scores[0] - scores[1])
    assert lattice.step == pytest.approx(0.001, rel=1e-12)
    assert np.array_equal(lattice.multiples, np.rint(1000 * scores[0]) - np.rint(1000 * scores[1]))


@pytest.mark.parametrize("jitter", [1e-10, 1e-8, 1e-6, 1e-4, 1e-2])
@pytest.mark.parametrize("n", [5, 30, 1000])
def test_near_lattices_are_none(jitter, n):
    """Noise from 1e-10 of a step on is too much."""
    rng = np.random.default_rng([n, round(1e12 * jitter)])
    assert find_lattice(rng.integers(-2, 3, n) + 1.0 + jitter * rng.normal(size=n)) is None


def test_one_value_off_the_lattice_is_enough():
    """A single partial credit among 0/1 scores, whether early or late, is seen."""
    values = np.repeat([0.0, 1.0, -1.0], [200, 100, 80])
    for place in (0, 379):
        off = values.copy()
        off[place] = 1 / np.pi
        assert find_lattice(off) is None


def test_continuous_values_are_none():
    """Numbers with random digits are on no lattice, from three on."""
    rng = np.random.default_rng(2)
    assert all(find_lattice(rng.normal(size=n)) is None for n in range(5, 60))


def test_a_lattice_may_be_too_fine():
    """The largest admissible multiple is a setting."""
    values = np.array([1.0, 1234.0, 7001.0, 10_000.0])
    assert find_lattice(values).step == 1.0
    assert find_lattice(values, largest_multiple=9_999) is None


def test_no_values_and_only_zeros():
    """Zeros are multiples of anything."""
    assert find_lattice(np.zeros(4)).multiples.tolist() == [0, 0, 0, 0]
