"""Tails of rows on a lattice against whole-number arithmetic, far into the tail, and against the ways of one row."""

import math
from fractions import Fraction

import numpy as np
import pytest

from reportkit.null_distributions.lattices.lattice_rows import lattice_flip_tails
from reportkit.null_distributions.null_distribution import _lattice_flips


def truth(multiples):
    """P(T* >= t) as a fraction, from the number of subsets with each sum."""
    subsets = 1 << 0
    shift = 64 + multiples.size  # each coefficient has room of its own
    polynomial = subsets
    for value in np.abs(multiples).tolist():
        polynomial += polynomial << (shift * value)
    against = int(-multiples[multiples < 0].sum())
    mask, count = (1 << shift) - 1, 0
    for total in range(against + 1):
        count += (polynomial >> (shift * total)) & mask
    return Fraction(count, 2**multiples.size)


@pytest.mark.parametrize("shift", [0.0, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("n", [45, 120, 300])
def test_whole_numbers(n, shift):
    """Right to the stated bound, which is below 1e-9, from p of about .5 to below 1e-50."""
    rng = np.random.default_rng(n)
    rows = np.rint(rng.normal(shift, 1.5, (3, n)))
    for row, tails in lattice_flip_tails(rows).items():
        exact = truth(rows[row].astype(int))
        assert tails.relative_error < 1e-9
        logarithm = math.log(exact.numerator) - math.log(exact.denominator)
        assert abs(tails.log_p_greater - logarithm) <= tails.relative_error + 1e-13


def test_very_small_tails():
    """P below 1e-100: 600 differences of which few are losses."""
    rng = np.random.default_rng(4)
    row = np.where(rng.random(600) < 0.13, -1.0, 1.0) * rng.integers(1, 4, 600)
    (tails,) = lattice_flip_tails(row[None, :]).values()
    exact = truth(row.astype(int))
    assert tails.log_p_greater < math.log(1e-70)
    assert tails.log_p_greater == pytest.approx(math.log(exact.numerator) - math.log(exact.denominator), rel=1e-12)


@pytest.mark.parametrize("step", [1.0, 0.1, 0.01, 0.25, 20.0])
def test_decimals_are_taken_and_nothing_else(step):
    """A step of decimals is found; one difference off the lattice by a thousandth of it takes another way."""
    row = np.random.default_rng(1).integers(-9, 12, 200) * step
    assert list(lattice_flip_tails(np.array([row, row * math.pi, np.append(row[:-1], 1.0001 * step)]))) == [0]


def test_a_row_is_the_same_alone_and_among_others():
    """To the last bit, in any place."""
    rng = np.random.default_rng(2)
    rows = np.round(rng.normal(0.05, 0.3, (60, 400)), 2)
    together = lattice_flip_tails(rows)
    assert len(together) == 60
    for row in (0, 17, 59):
        assert lattice_flip_tails(rows[row : row + 1])[0] == together[row]


def test_the_ways_of_one_row_agree():
    """The tilted transform of one row, or its contour."""
    rng = np.random.default_rng(3)
    for n in (60, 400):
        row = rng.integers(-30, 36, n)
        multiples = row // np.gcd.reduce(row)
        expected = _lattice_flips(np.abs(multiples), multiples < 0, 1e-3)
        found = lattice_flip_tails(row[None, :].astype(float))[0]
        assert found.log_p_greater == pytest.approx(expected.log_p, rel=1e-11)
