"""Numbers of sets of flips against whole-number arithmetic, far into the tail, and against the ways of one row."""

import numpy as np
import pytest

from reportkit.null_distributions import sign_flip_tails
from reportkit.null_distributions.lattices.counted_flips import counted_flip_tails
from reportkit.null_distributions.null_distribution import flip_tail_by_itself


@pytest.mark.parametrize("lost", [0.4, 0.25, 0.12, 0.03])
@pytest.mark.parametrize("n", [20, 99, 150, 400])
def test_both_tails_are_right_to_the_stated_bound(n, lost, flips_exactly, relative_error):
    """From p of about .5 to below 1e-100, of 20 to 400 steps of several sizes and zeros."""
    rng = np.random.default_rng(n)
    rows = rng.integers(0, 4, (5, n)) * np.where(rng.random((5, n)) < lost, -1.0, 1.0)
    rows[:, 0] = -1.0
    found = counted_flip_tails(rows)
    assert sorted(found) == [0, 1, 2, 3, 4]
    for row, tails in found.items():
        greater, less = flips_exactly(rows[row])
        assert tails.relative_error < 1e-12
        assert relative_error(tails.log_p_greater, greater) <= tails.relative_error
        assert relative_error(tails.log_p_less, less) <= tails.relative_error


@pytest.mark.parametrize(("n", "n_lost", "exponent"), [(60, 8, 3), (60, 2, 10), (240, 6, 50), (400, 3, 100)])
def test_p_values_of_1e_3_to_1e_100(n, n_lost, exponent, flips_exactly, relative_error):
    """As small as asked for, and right."""
    row = np.tile([1.0, 2.0, 1.0, 3.0, 2.0], n // 5)
    row[: 3 * n_lost : 3] *= -1.0
    (tails,) = counted_flip_tails(row[None, :]).values()
    assert tails.log_p_greater < -exponent * np.log(10.0)
    assert relative_error(tails.log_p_greater, flips_exactly(row)[0]) <= tails.relative_error


def test_a_row_is_the_same_alone_and_among_others_in_any_order():
    """To the last bit."""
    rng = np.random.default_rng(2)
    rows = np.rint(rng.normal(0.3, 2.0, (300, 99)))
    rows[::3] = np.rint(rng.normal(0.1, 0.7, (100, 99)))
    together = counted_flip_tails(rows)
    assert len(together) == 300
    for row in (0, 1, 2, 297, 299):
        assert counted_flip_tails(rng.permutation(rows[row])[None, :])[0] == together[row]
    assert sign_flip_tails(rows[5:6])[0] == together[5]


def test_a_larger_step_than_can_be_made_up_for_is_never_flipped(flips_exactly, relative_error):
    """Such as 500 items of one cluster, among clusters of few; losses as well as gains."""
    row = np.array([500.0, *[3.0, -1.0, -2.0, 1.0] * 12])
    for oriented in (row, -row):
        (tails,) = counted_flip_tails(oriented[None, :]).values()
        for log_p, truth in zip((tails.log_p_greater, tails.log_p_less), flips_exactly(oriented), strict=True):
            assert relative_error(log_p, truth) <= tails.relative_error


def test_differences_of_one_size_are_a_binomial_tail():
    """Under its own name, and as one row alone has it."""
    row = np.repeat([0.5, -0.5, 0.0], [40, 22, 30])
    (tails,) = counted_flip_tails(row[None, :]).values()
    assert tails.method == "closed form"
    assert tails.log_p_greater == pytest.approx(flip_tail_by_itself(row).log_p_greater, rel=1e-13)


def test_what_is_off_a_narrow_lattice_is_left():
    """Continuous differences, fine decimals, no difference at all, and more steps than doubles can count."""
    rng = np.random.default_rng(3)
    continuous = rng.normal(size=90)
    rows = np.array([continuous, continuous.round(4), np.zeros(90), np.rint(2.0 * continuous)])
    assert list(counted_flip_tails(rows)) == [3]
    assert counted_flip_tails(np.ones((1, 1_001))) == {}
