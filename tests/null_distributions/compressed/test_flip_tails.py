"""A few points in the place of many differences: the same tails, and the truth of integer arithmetic."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from reportkit.null_distributions.all_pairs import sign_flip_tails
from reportkit.null_distributions.compressed import flip_tails
from reportkit.null_distributions.compressed.flip_tails import compressed_flip_tails
from reportkit.null_distributions.null_distribution import sign_flip_tail

N = 1500
FAR = {0.08: 1e-3, 0.16: 1e-9, 0.42: 1e-50, 0.66: 1e-100}
"""Mean of differences with standard deviation 1, and about the p-value of the sign flip of so many."""


def whole(shift, n=N, size=2.0, seed=0):
    """Whole differences, sorted."""
    return np.sort(np.rint(size * np.random.default_rng(seed).normal(shift, 1.0, n)))


@pytest.mark.parametrize("shift", FAR)
def test_truth_of_integers(shift, flips_exactly, relative_error):
    """Down to p = 1e-100, both tails are right to 1e-11 and to the bound they carry."""
    row = whole(shift)
    (tails,) = compressed_flip_tails(0.1 * row[None, :], 1e-2).values()
    truths = flips_exactly(row)
    assert truths[0] < 30 * FAR[shift]
    for log_p, truth in zip((tails.log_p_greater, tails.log_p_less), truths, strict=True):
        assert relative_error(log_p, truth) <= min(tails.relative_error, 1e-11)


def rows_of_all_sorts(n):
    """Continuous ones of several shapes, near lattices of several widths, lattices, extreme means."""
    rng = np.random.default_rng(n)
    near = [rng.integers(-1, 2, n) + jitter * rng.normal(0.05, 1.0, n) for jitter in (1e-4, 1e-3, 1e-2, 1e-1)]
    shapes = [rng.normal(0.05, 1.0, n), rng.laplace(0.05, 1.0, n), rng.standard_t(3, n), rng.exponential(1.0, n) - 0.9]
    decimals = [np.round(shapes[0], digits) for digits in (1, 2, 4, 6)] + [np.rint(9 * shapes[0]) / 3]
    means = [rng.normal(mean, 1.0, n) for mean in (-0.3, 0.3, 0.6, 1.0, 2.0)]
    return np.sort(np.array(near + shapes + decimals + means), axis=1)


def test_few_differences_are_left_to_others():
    """The patterns of so few are counted in a millisecond."""
    assert not compressed_flip_tails(rows_of_all_sorts(28), 1e-2)
    assert compressed_flip_tails(rows_of_all_sorts(29), 1e-2)


@pytest.mark.parametrize("decimals", [2, 3, 4])
@pytest.mark.parametrize("n", [30, 40, 60, 79, 100])
def test_truth_of_few_decimals(n, decimals, flips_exactly, relative_error):
    """A few dozen scores as files hold them, in integer arithmetic, from p = .5 to the smallest of all."""
    rng = np.random.default_rng(10 * n + decimals)
    for mean in (0.0, 0.1, 0.4, 0.9):
        row = np.sort(np.rint(10.0**decimals * np.clip(rng.normal(mean, 0.4, n), -1.0, 1.0)))
        truths = flips_exactly(row)
        (tails,) = sign_flip_tails(row[None, :] / 10.0**decimals, max_relative_error=1e-2)
        for log_p, truth in zip((tails.log_p_greater, tails.log_p_less), truths, strict=True):
            assert relative_error(log_p, truth) <= tails.relative_error
            assert relative_error(log_p, truth) <= max(2.0 * tails.expected_error, 1e-11)


@pytest.mark.parametrize("n", [90, 130, 200, 255])
@pytest.mark.parametrize("acceptable", [1e-2, 1e-3, 1e-4])
def test_within_both_bounds_of_a_single_pair(n, acceptable):
    """Fewer than 256 differences: both tails are as near to those of one pair as both say they are, and nearer."""
    rows = rows_of_all_sorts(n)
    found = compressed_flip_tails(rows, acceptable)
    assert len(found) >= (3 if n < 100 else 6)
    for row, tails in found.items():
        expected = sign_flip_tail(rows[row], max_relative_error=1e-2)
        error = tails.expected_error + max(expected.expected_error, 1e-11)
        assert tails.expected_error < max(2e-5, 0.2 * tails.relative_error)  # of nodes that are bounded one by one
        assert tails.relative_error <= acceptable
        assert tails.log_p_greater == pytest.approx(expected.log_p_greater, abs=error)
        assert tails.log_p_less == pytest.approx(expected.log_p_less, abs=error)


@pytest.mark.parametrize("n", [300, 400, 700, 1000, 2500])
def test_the_same_as_one_by_one(n):
    """What is found is what one pair gives, up to rounding, and not much less certain."""
    rows = rows_of_all_sorts(n)
    found = compressed_flip_tails(rows, 1e-2)
    assert len(found) >= 6
    for row, tails in found.items():
        expected = sign_flip_tail(rows[row], max_relative_error=1e-2)
        ends_alike = (tails.relative_error < 1e-9) == (expected.relative_error < 1e-9)  # a whole period, or less
        assert tails.log_p_greater == pytest.approx(expected.log_p_greater, rel=1e-12, abs=1e-12)
        assert tails.p_less == pytest.approx(expected.p_less, rel=1e-12 if ends_alike else expected.relative_error)
        lost = 5e-4 if tails.relative_error > 1e-9 and expected.relative_error > 1e-9 else 1e-11  # where a look ends
        assert tails.relative_error <= max(2.0 * expected.relative_error, lost)
        assert tails.method == expected.method


@pytest.mark.parametrize("first", [0, 1, 3])
def test_any_number_of_points_that_is_enough(first, monkeypatch):
    """Few points or many, the tails are the same, and where few are not enough more are taken."""
    rows = rows_of_all_sorts(1000)
    found = compressed_flip_tails(rows, 1e-2)
    monkeypatch.setattr(flip_tails, "_first_trials", lambda rows, some, every: np.full(some.which.size, first))
    others = compressed_flip_tails(rows, 1e-2)
    assert others.keys() == found.keys()
    for row, tails in found.items():
        assert tails.log_p_greater == pytest.approx(others[row].log_p_greater, rel=1e-13, abs=1e-11)


def test_a_near_lattice_is_left_to_others(flips_exactly, relative_error):
    """Where |phi| comes back to 1, one look says so, and the row takes the way of a single pair."""
    units = np.sort(np.rint(200 * (np.random.default_rng(3).choice([-1, 0, 1], 200, p=[0.25, 0.4, 0.35]))))
    units += np.rint(np.random.default_rng(4).normal(0.0, 4.0, 200))
    rows = np.tile(
        np.random.default_rng(5).integers(-1, 2, 900) + 1e-3 * np.random.default_rng(6).normal(size=900), (2, 1)
    )
    assert not compressed_flip_tails(np.sort(rows, axis=1), 1e-2)
    (tails,) = sign_flip_tails(units[None, :])
    assert relative_error(tails.log_p_greater, flips_exactly(units)[0]) <= tails.relative_error


@pytest.mark.parametrize("shift", [0.1, 0.35, 0.65, 1.3])
@pytest.mark.parametrize("n", [45, 60, 85, 140, 255])
def test_truth_of_few_differences(n, shift, flips_exactly, relative_error):
    """Fewer than 256 whole differences, of two widths, down to p = 1e-50: within the bound, and what is expected."""
    for size in (25.0, 100.0):
        row = whole(shift, n, size, seed=n)
        truths = flips_exactly(row)
        for scale in (1e-4, math.pi):
            (tails,) = sign_flip_tails(scale * row[None, :], max_relative_error=1e-3)
            for log_p, truth in zip((tails.log_p_greater, tails.log_p_less), truths, strict=True):
                assert relative_error(log_p, truth) <= max(2.0 * tails.expected_error, 1e-11)
                assert relative_error(log_p, truth) <= tails.relative_error <= 1e-3


@pytest.mark.parametrize(
    ("n", "step", "jitter"),
    [
        *product([40, 60, 90, 180, 260, 300, 400], [20], [1, 2, 5]),
        *product([40, 60, 90, 180, 260], [2_000], [0.5, 2, 20]),
    ],
)
def test_truth_near_a_lattice(n, step, jitter, flips_exactly, relative_error):
    """Steps that jitter by a quarter down to a four thousandth of one: within its bound of the truth, to 1e-50."""
    rng = np.random.default_rng([n, step, round(10 * jitter)])
    for mean in (0.1, 0.7):
        row = np.sort(np.rint(step * rng.normal(mean, 1.0, n).round() + rng.normal(0.0, jitter, n)))
        truths = flips_exactly(row)
        for scale in (1.0 / step, math.pi / step):
            (tails,) = sign_flip_tails(scale * row[None, :], max_relative_error=1e-2)
            for log_p, truth in zip((tails.log_p_greater, tails.log_p_less), truths, strict=True):
                assert relative_error(log_p, truth) <= tails.relative_error


@pytest.mark.parametrize("n", [6_000, 30_000])
def test_many_differences_are_not_left_to_others(n):
    """However many there are, a look does not reach back into the main lobe; tails are those of a single pair."""
    rng = np.random.default_rng(n)
    latent = rng.normal(size=n) + rng.normal(0.0, 0.5, (2, n))
    scores = 1.0 / (1.0 + np.exp(-latent))
    unrounded = np.subtract(*scores), rng.standard_t(3, n), rng.exponential(1.0, n) - 1.0
    rows = np.sort(np.array([*unrounded, *(np.subtract(*np.round(scores, digits)) for digits in (2, 4))]), axis=1)
    found = compressed_flip_tails(rows, 1e-2)
    assert sorted(found) == [0, 1, 2, 3, 4]
    for row, tails in found.items():
        expected = sign_flip_tail(rows[row])
        assert tails.log_p_greater == pytest.approx(expected.log_p_greater, rel=1e-11)
        assert tails.log_p_less == pytest.approx(expected.log_p_less, rel=1e-11)


@pytest.mark.parametrize("mean", [-0.2, -0.05, 0.1])
@pytest.mark.parametrize("n_far", [3, 30, 160])
def test_gains_that_are_never_flipped(n_far, mean):
    """Larger than all losses: each halves the tail of the others, whichever side these are on, down to 1e-50."""
    rng = np.random.default_rng(n_far)
    near = rng.normal(mean, 1.0, 90)
    row = np.sort(np.append(near, rng.uniform(200.0, 300.0, n_far)))
    (others,) = compressed_flip_tails(np.sort(near)[None, :], 1e-2).values()
    for direction in (1, -1):
        (tails,) = compressed_flip_tails(np.sort(direction * row)[None, :], 1e-2).values()
        greater, less = (tails.log_p_greater, tails.log_p_less)[::direction]
        assert greater == pytest.approx(others.log_p_greater - n_far * math.log(2.0), abs=tails.relative_error)
        assert math.exp(less) == pytest.approx(1.0 - 0.5**n_far * (1.0 - others.p_less), rel=tails.relative_error)
        assert tails.relative_error <= 1e-2


@pytest.mark.parametrize("n_nonzero", [50, 100, 400])
def test_mostly_zeros(n_nonzero):
    """Where nothing but zeros is left between the largest differences, nothing overflows."""
    rng = np.random.default_rng(n_nonzero)
    row = np.sort(np.append(rng.normal(0.1, 1.0, n_nonzero), np.zeros(1600 - n_nonzero)))[None, :]
    (tails,) = sign_flip_tails(row)
    expected = sign_flip_tail(row[0])
    assert tails.log_p_greater == pytest.approx(expected.log_p_greater, rel=1e-12)


@pytest.mark.parametrize("n", [60, 90, 200, 256, 900])
def test_no_number_depends_on_other_rows(n):
    """A row is the same to the last bit alone, among others, and at another place."""
    rows = rows_of_all_sorts(n)
    found = compressed_flip_tails(rows, 1e-2)
    turned = compressed_flip_tails(rows[::-1], 1e-2)
    for row, tails in found.items():
        assert compressed_flip_tails(rows[row : row + 1], 1e-2)[0] == tails
        assert turned[len(rows) - 1 - row] == tails


def test_both_directions_are_one():
    """A against B is B against A turned round."""
    rows = rows_of_all_sorts(900)
    turned = compressed_flip_tails(np.sort(-rows, axis=1), 1e-2)
    for row, tails in compressed_flip_tails(rows, 1e-2).items():
        assert math.isclose(turned[row].log_p_less, tails.log_p_greater, rel_tol=1e-12, abs_tol=1e-12)
