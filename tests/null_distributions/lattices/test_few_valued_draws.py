"""Draws from few values against whole-number arithmetic, far into the tail, and against the ways of one row."""

import math

import numpy as np
import pytest

from reportkit.null_distributions import bootstrap_tail, bootstrap_tails
from reportkit.null_distributions.lattices.few_valued_draws import few_valued_draw_tails

VALUES = [-1, 0, 1], [-2, 0, 1], [-3, -1, 2, 5]


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("n", [30, 250])
def test_both_tails_are_right_to_the_stated_bound(n, values, draws_exactly, relative_error):
    """Of gains and losses, from p of about .5 outwards."""
    chances = np.random.default_rng(n).dirichlet(np.full(len(values), 2.0), 8)
    counts = np.array([np.random.default_rng(1).multinomial(n - 3 * len(values), chance) + 3 for chance in chances])
    found = few_valued_draw_tails(np.tile(np.array(values, dtype=float), (8, 1)), counts)
    assert len(found) >= 6  # the others are too far out
    for row, tails in found.items():
        greater, less = draws_exactly(np.repeat(values, counts[row]))
        assert tails.relative_error < 1e-10
        assert relative_error(tails.log_p_greater, greater) <= tails.relative_error
        assert relative_error(tails.log_p_less, less) <= tails.relative_error


@pytest.mark.parametrize(
    ("counts", "exponent"),
    [((10, 170, 30), 3), ((5, 170, 55), 10), ((200, 300, 560), 50), ((8, 310, 280), 100)],
)
def test_p_values_far_in_the_tail(counts, exponent, draws_exactly, relative_error):
    """P from 1e-3 down to 1e-100: as small as asked for, and right."""
    (tails,) = few_valued_draw_tails(np.array([[-1.0, 0.0, 1.0]]), np.array([counts])).values()
    assert -exponent - 25 < tails.log_p_greater / math.log(10.0) < -exponent
    assert relative_error(tails.log_p_greater, draws_exactly(np.repeat([-1, 0, 1], counts))[0]) <= tails.relative_error


def test_a_row_is_the_same_alone_and_among_others():
    """To the last bit, and whatever was asked for before."""
    rng = np.random.default_rng(2)
    rows = np.array([rng.choice([-0.5, 0.0, 0.5], 120, p=chance) for chance in rng.dirichlet([2.0, 9.0, 3.0], 60)])
    rows[40:50] = rng.choice([-0.25, 0.0, 0.5, 1.0], (10, 120))
    together = bootstrap_tails(rows)
    for row in (0, 17, 45, 59):
        assert bootstrap_tails(rows[row : row + 1])[0] == together[row]
        ordered = np.sort(rows[row])
        values, counts = np.unique(ordered, return_counts=True)
        assert few_valued_draw_tails(values[None, :], counts[None, :])[0] == together[row]


def test_the_ways_of_one_row_agree():
    """Also where all rows take them: two values, fractions, nothing lost, no difference."""
    rng = np.random.default_rng(3)
    rows = np.array([
        rng.choice([0.0, 1.0], 90),
        rng.choice([-1.0, 1.0], 90, p=[0.4, 0.6]),
        rng.choice([0.0, 1 / 3, -1 / 7], 90),
        rng.choice([0.5, 1.0, 2.0], 90),
        rng.choice([-1.0, 0.0, 1.0], 90, p=[0.4, 0.5, 0.1]),
        np.zeros(90),
    ])  # fmt: skip
    for row, tails in zip(rows, bootstrap_tails(rows), strict=True):
        alone = bootstrap_tail(row)
        assert tails.log_p_greater == pytest.approx(alone.log_p_greater, rel=1e-11)
        assert tails.log_p_less == pytest.approx(alone.log_p_less, rel=1e-11, abs=1e-15)
