"""Tails and ends of sums against enumeration in integers, binomial sums and formulas."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from reportkit.significance.null_sums import draw_end, flip_ends
from reportkit.significance.nulls import SMALLEST_P_VALUE, draw_tails, flip_tails

LARGEST_EXCESS = 0.0101


def counted_flips(steps, threshold):
    """Shares of sign patterns of whole numbers whose sum is at least, and at most, the threshold: exact integers."""
    counts = {0: 1}
    for step in steps:
        following = {}
        for total, number in counts.items():
            for value in (total + step, total - step):
                following[value] = following.get(value, 0) + number
        counts = following
    patterns = 2 ** len(steps)
    greater = sum(number for total, number in counts.items() if total >= threshold)
    less = sum(number for total, number in counts.items() if total <= threshold)
    return Fraction(greater, patterns), Fraction(less, patterns)


def assert_bounds(tails, truths, most=LARGEST_EXCESS):
    """Each tail is at least the truth up to 1e-9 of it, and at most `most` larger."""
    for greater, less, (true_greater, true_less) in zip(tails.greater, tails.less, truths, strict=True):
        for found, truth in ((greater, float(true_greater)), (less, float(true_less))):
            assert truth * (1 - 1e-9) <= found <= max(truth * (1 + most), SMALLEST_P_VALUE)


FAMILIES = {
    "ratings": lambda rng, n: rng.integers(-4, 5, n) * 1_000_000,
    "two decimals": lambda rng, n: np.rint(rng.normal(2, 30, n)) * 10_000,
    "continuous": lambda rng, n: np.rint(rng.normal(2e4, 2e5, n)),
    "skewed": lambda rng, n: np.rint(3e4 * rng.lognormal(0, 1, n) - 4e4),
    "near a lattice": lambda rng, n: np.rint(rng.choice([-1, 0, 1], n) * 1e5 + rng.normal(0, 3, n)),
    "jitter of a third": lambda rng, n: np.rint(rng.choice([-1, 0, 1], n) * 1e4 + rng.normal(0, 3e3, n)),
    "two values far out": lambda rng, n: np.append(np.rint(rng.normal(1e2, 1e3, n - 2)), [70_000, -40_000]),
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("n", [12, 24, 33])
def test_flips_are_never_too_small_and_hardly_too_large(family, n):
    """Against meeting in the middle with integers, for enumerated and for bounded sums."""
    rng = np.random.default_rng([n, len(family)])
    rows = np.array([FAMILIES[family](rng, n) for _ in range(12)]).astype(np.int64)
    truths = []
    for row in rows:
        halves = [np.array([0], dtype=np.int64), np.array([0], dtype=np.int64)]
        for place, step in enumerate(row):
            halves[place % 2] = np.concatenate((halves[place % 2] + step, halves[place % 2] - step))
        halves[0].sort()
        threshold = int(row.sum())
        above = halves[0].size - np.searchsorted(halves[0], threshold - halves[1], side="left")
        below = np.searchsorted(halves[0], threshold - halves[1], side="right")
        truths.append((Fraction(int(above.sum()), 2**n), Fraction(int(below.sum()), 2**n)))
    assert_bounds(flip_tails(rows.astype(np.float64)), truths)


@pytest.mark.parametrize("n", [60, 128, 300])
def test_flips_of_many_against_sums_of_big_integers(n):
    """Lattices of a hundred steps, and the same with a value off the lattice."""
    rng = np.random.default_rng(n)
    rows = np.rint(rng.normal(1, 9, (4, n))).astype(np.int64)
    rows[2:, 0] = [17, -17]
    rows[2:] = rows[2:] * 7 + (np.arange(n) == 1)
    truths = [counted_flips(row.tolist(), int(row.sum())) for row in rows]
    assert_bounds(flip_tails(rows.astype(np.float64)), truths)


def test_many_wins_are_binomial_far_into_the_tail():
    """0/1 scores of up to 2,000 instances against SciPy."""
    for n, wins in ((10, 9), (500, 300), (2_000, 1_500)):
        row = np.where(np.arange(n) < wins, 0.1, -0.1)
        (tail,) = flip_tails(row[None, :]).each()
        assert tail.greater == pytest.approx(binom.sf(wins - 1, n, 0.5), rel=1e-9)
        assert tail.less == pytest.approx(binom.cdf(wins, n, 0.5), rel=1e-9)
        assert tail.error == 0


def test_draws_against_all_counts():
    """All n^n resamples of seven differences, and of 40 wins, ties and losses, in exact integers."""
    rng = np.random.default_rng(5)
    for row in [*rng.integers(-50, 90, (6, 7)), *rng.integers(-1, 2, (4, 40)), rng.integers(0, 2, 40)]:
        sums = {0: 1}
        for _ in row:
            following = {}
            for (total, number), value in itertools.product(sums.items(), row.tolist()):
                following[total + value] = following.get(total + value, 0) + number
            sums = following
        threshold = 2 * int(row.sum())
        greater = sum(number for total, number in sums.items() if total >= threshold)
        less = sum(number for total, number in sums.items() if total <= threshold)
        truth = Fraction(greater, row.size**row.size), Fraction(less, row.size**row.size)
        assert_bounds(draw_tails(row[None, :].astype(np.float64)), [truth])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-3, 3), min_size=1, max_size=60), st.permutations(range(60)))
def test_tails_are_probabilities_whatever_the_order_and_the_sign(values, order):
    """In (0, 1], never NaN; ties count twice; the negated differences swap the tails."""
    row = np.array(values)
    for function in (flip_tails, draw_tails):
        (tail,) = function(row[None, :]).each()
        (turned,) = function(-row[None, :]).each()
        assert 0 < tail.greater <= 1
        assert 0 < tail.less <= 1
        assert tail.greater + tail.less >= 1 - 1e-9
        assert (turned.greater, turned.less) == pytest.approx((tail.less, tail.greater), rel=1e-9)
        mixed = row[[place for place in order if place < row.size]]
        assert function(mixed[None, :]).greater[0] == pytest.approx(tail.greater, rel=2e-4)
    assert flip_tails(np.zeros((1, 4))).each() == [(1.0, 1.0, 0.0)] == draw_tails(np.zeros((1, 4))).each()


def test_rows_do_not_depend_on_each_other():
    """A pair has the same p-value alone and among others."""
    rows = np.random.default_rng(8).normal(0.1, 1.0, (30, 150))
    together = flip_tails(rows)
    alone = [flip_tails(row[None, :]).greater[0] for row in rows]
    np.testing.assert_allclose(together.greater, alone, rtol=1e-12)


def test_impossible_events_have_the_smallest_probability():
    """2^-3000, and a sum that no resample reaches."""
    assert flip_tails(np.tile([0.1, 0.2, 0.3], 1_000)[None, :]).greater[0] == SMALLEST_P_VALUE
    assert draw_tails(np.full((1, 9), 0.3)).greater[0] == SMALLEST_P_VALUE


@pytest.mark.parametrize(("n", "skewed"), [(20, 4), (45, 4), (200, 4), (20_000, 0)])
def test_ends_are_where_the_tail_is_the_level(n, skewed):
    """Sign flips of shifted differences, with and without sizes and outliers, within a fiftieth of a standard error."""
    rng = np.random.default_rng(n)
    sums = np.vstack((rng.normal(0.2, 1.0, (3, n)), rng.lognormal(0.0, 2.0, (skewed, n))))
    sums[1], sizes = np.sort(sums[1].round(2)), np.ones_like(sums)
    sizes[2] = rng.integers(1, 5, n)
    for side, row, size in ((side, *pair) for side in (1, -1) for pair in zip(sums, sizes, strict=True)):
        end = side * flip_ends(row[None, :], size[None, :], 0.025)[side < 0][0]
        error = math.sqrt(np.square(row - row.sum() / size.sum() * size).sum()) / size.sum()
        before, after = (
            flip_tails((side * row - (end + shift * error) * size)[None, :]).greater[0] for shift in (-0.02, 0.02)
        )
        assert before < 0.0255
        assert after > 0.0245


def test_ends_of_few_units_are_means_of_subsets():
    """Of six units the smallest of 63 means; five units cannot bound the mean at this level."""
    values = np.array([[0.1, 0.2, 0.4, 0.5, 0.7, 0.9]])
    assert [*flip_ends(values, np.ones_like(values), 0.025)] == pytest.approx([0.1, 0.9])
    assert [*flip_ends(values[:, :5], np.ones((1, 5)), 0.025)] == [-math.inf, math.inf]


def test_bootstrap_ends_are_quantiles_of_resampled_means():
    """Against 200,000 resamples of 40 differences with weights."""
    rng = np.random.default_rng(3)
    sums, sizes = rng.exponential(size=40), rng.integers(1, 4, 40).astype(np.float64)
    picks = rng.integers(0, 40, (200_000, 40))
    means = sums[picks].sum(axis=1) / sizes[picks].sum(axis=1)
    mean = sums.sum() / sizes.sum()
    assert draw_end(sums, sizes, 0.025) == pytest.approx(2 * mean - np.quantile(means, 0.975), abs=0.01)
    assert -draw_end(-sums, sizes, 0.025) == pytest.approx(2 * mean - np.quantile(means, 0.025), abs=0.01)
