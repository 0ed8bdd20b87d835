"""Coarse lattices are found under noise, partial credit and outliers."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.null_distributions.lattices.near_lattice import near_lattices


@pytest.mark.parametrize("jitter", [1e-9, 1e-6, 1e-4, 1e-2, 3e-2])
@pytest.mark.parametrize("largest", [1, 2, 10, 100])
@pytest.mark.parametrize("through_zero", [True, False])
def test_a_lattice_under_noise(jitter, largest, through_zero):
    """The first lattice found is the one that the noise was put on."""
    rng = np.random.default_rng([largest, round(1e10 * jitter)])
    k = rng.integers(0 if not through_zero else 1, largest + 1, 600)
    k[:2] = [largest - 1 if largest > 1 else 1, largest]
    if not through_zero:
        k[2] = 0
    values = 0.3 * (k + jitter * rng.normal(size=600)) + (0.0 if through_zero else 0.77)
    near = near_lattices(values, through_zero=through_zero)[0]
    assert near.step == pytest.approx(0.3, rel=10 * max(jitter, 1e-15) / largest)
    assert np.abs(near.residuals).max() <= 0.3 * 6 * jitter + 1e-12
    assert near.offset + near.step * near.multiples + near.residuals == pytest.approx(values, rel=1e-12)


def test_partial_credit_is_left_over():
    """A few values far from the lattice do not move it."""
    rng = np.random.default_rng(1)
    values = np.concatenate((rng.choice([-1.0, 0.0, 1.0], 200), rng.uniform(-1, 1, 8)))
    near = near_lattices(values, through_zero=False)[0]
    assert near.step == pytest.approx(1.0, rel=1e-12)
    assert np.count_nonzero(np.abs(near.residuals) > 1e-11) == 8


def test_an_outlier_is_a_step_of_its_own():
    """One value far out: the others are residuals of a lattice with that step."""
    rng = np.random.default_rng(2)
    values = np.append(rng.normal(size=300), 1e5)
    near = near_lattices(values, through_zero=False)[0]
    assert near.multiples[-1] == 1.0
    assert not near.multiples[:-1].any()


def test_an_outlier_does_not_hide_a_lattice():
    """Whole numbers and one far value that is none: the lattice of the others is among the candidates."""
    values = np.append(np.random.default_rng(3).integers(-3, 4, 100), 1e6 * np.sqrt(2))
    assert any(
        abs(near.step - 1.0) < 1e-9 and np.abs(near.residuals[:-1]).max() < 1e-9
        for near in near_lattices(values, through_zero=False)
    )


def test_the_same_lattice_for_other_values():
    """A lattice can be moved and applied to other values."""
    near = near_lattices(np.array([0.0, 1.0, 2.0, 2.0, 1.0]), through_zero=True)[0]
    moved = near.of(np.array([0.5, 2.75]), 0.5)
    assert moved.multiples.tolist() == [0.0, 2.0]
    assert moved.residuals == pytest.approx([0.0, 0.25], abs=1e-12)


def test_equal_values_have_no_lattice():
    """Without a span there is no step."""
    assert near_lattices(np.full(5, 0.3), through_zero=False) == []
