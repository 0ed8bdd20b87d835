"""Enumeration against all outcomes one by one."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from reportkit.null_distributions.enumeration import enumerate_draws, enumerate_flips, few_sized_flip_tails
from reportkit.null_distributions.step_sums import DrawSum, FlipSum


@pytest.mark.parametrize("n", [1, 2, 3, 8, 15])
def test_flips_meet_in_the_middle(n):
    """Numbers of patterns are whole, for any slack."""
    values = np.random.default_rng(n).random(n)
    sums = np.array(list(itertools.product((0, 1), repeat=n))) @ values
    for slack in (0.0, 0.3 * values.sum(), 0.5 * values.sum(), values.max()):
        upper = enumerate_flips(FlipSum(values, None, float(slack)))
        assert 2**n * math.exp(upper.log_p) == pytest.approx(np.count_nonzero(sums <= slack + 1e-12), rel=1e-13)


def test_flips_with_multiplicities():
    """Equal steps counted together give what they give one by one."""
    values, counts = np.array([0.5, math.sqrt(2), 3.0]), np.array([4.0, 3.0, 5.0])
    together = enumerate_flips(FlipSum(values, counts, 6.1))
    apart = enumerate_flips(FlipSum(np.repeat(values, counts.astype(int)), None, 6.1))
    assert together.log_p == pytest.approx(apart.log_p, rel=1e-13)


@pytest.mark.parametrize("share", [0.55, 0.68, 0.87, 0.98])  # p from 1e-3 to 1e-100
@pytest.mark.parametrize("sizes", [(1, 2), (373, 881, 1065, 1117), (30, 50, 51, 99, 200)])
def test_few_sizes_in_integer_arithmetic(share, sizes, flips_exactly, relative_error):
    """Ranks of ratings: both tails, in either direction, with zeros, within the bound, which is below 1e-11."""
    counts = np.array([300, 80, 40, 9, 4])[: len(sizes)]
    gained = np.round(share * counts).astype(int)
    row = np.repeat([*sizes, *(-size for size in sizes), 0], [*gained, *(counts - gained), 20])
    truths = flips_exactly(np.sort(row))
    rows = 0.5 * np.sort([row, -row], axis=1)
    tails = few_sized_flip_tails(rows)
    for found, expected in ((tails[0], truths), (tails[1], truths[::-1])):
        for log_p, truth in zip((found.log_p_greater, found.log_p_less), expected, strict=True):
            assert relative_error(log_p, truth) <= found.relative_error <= 1e-11


def test_ties_count_in_full():
    """A tie that rounding breaks, 0.1 + 0.2 against 0.3, counts; its share is told."""
    upper = enumerate_flips(FlipSum(np.array([0.1, 0.2, 0.3]), None, 0.3))
    assert 8 * math.exp(upper.log_p) == pytest.approx(5.0, rel=1e-13)  # {}, 0.1, 0.2, 0.3, 0.1 + 0.2
    assert upper.tie == pytest.approx(2 / 5, rel=1e-12)


def test_forty_flips_against_the_binomial():
    """Steps that differ in the ninth digit only are nearly binomial; one half has 2^20 outcomes."""
    values = 1.0 + 1e-9 * np.random.default_rng(1).random(40)
    upper = enumerate_flips(FlipSum(values, None, 12.5))
    expected = sum(math.comb(40, k) for k in range(13)) / 2**40
    assert math.exp(upper.log_p) == pytest.approx(expected, rel=1e-12)


def test_too_many_flips():
    """More than 2^20 outcomes on one side are refused."""
    assert enumerate_flips(FlipSum(np.random.default_rng(1).random(44), None, 5.0)) is None


@pytest.mark.parametrize("jitter", [0, 1, 100])
@pytest.mark.parametrize(("exponent", "n"), [(3, 24), (10, 52), (50, 182), (100, 350)])
def test_far_tails_are_whole_numbers_of_patterns(relative_error, exponent, n, jitter):
    """Steps on a lattice of 1,000 and off it by little or much, p from 1e-3 to 1e-100: as many as whole numbers say."""
    rng = np.random.default_rng(exponent)
    steps = np.sort(1_000 * rng.integers(10, 30, n) + rng.integers(-jitter, jitter + 1, n))
    lost = np.arange(n) < {3: 6, 10: 6, 50: 4, 100: 4}[exponent]
    slack = int(steps[lost].sum())
    sets = np.zeros(slack + 1, dtype=np.int64)  # by their sum
    sets[0] = 1
    for step in steps[steps <= slack]:
        sets[step:] += sets[:-step].copy()
    truth = Fraction(int(sets.sum()), 2**n)
    assert 10.0 ** -(exponent + 1.5) < truth < 10.0 ** -(exponent - 1.5)
    upper = enumerate_flips(FlipSum(steps.astype(float), None, float(slack)))
    assert relative_error(upper.log_p, truth) <= upper.relative_error < 3e-13


def test_sets_with_ties():
    """Sets that tie are counted, and told."""
    upper = enumerate_flips(FlipSum(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), None, 3.0))
    assert 32 * math.exp(upper.log_p) == pytest.approx(5.0, rel=1e-13)  # {}, 1, 2, 3, 1 + 2
    assert upper.tie == pytest.approx(2 / 5)


def test_too_many_sets():
    """Where more sums than allowed are within the limit, nothing is said; a larger allowance changes no number."""
    values = np.random.default_rng(1).random(200)
    assert enumerate_flips(FlipSum(values, None, 10.0)) is None
    problem = FlipSum(values, None, 0.05)
    assert enumerate_flips(problem, 1 << 3) is None
    assert enumerate_flips(problem, 1 << 12) == enumerate_flips(problem)


@pytest.mark.parametrize("n", [1, 2, 4, 6])
def test_draws(n):
    """All resamples of a few values, for any threshold."""
    d = np.random.default_rng(n).normal(size=n)
    sums = np.array([sum(sample) for sample in itertools.product(d - d.mean(), repeat=n)])
    for excess in (0.0, 0.3, 1.1):
        expected = np.count_nonzero(sums >= excess - 1e-12) / n**n
        upper = enumerate_draws(DrawSum(d - d.mean(), np.full(n, 1 / n), n, excess)) if expected else None
        assert expected == 0 or math.exp(upper.log_p) == pytest.approx(expected, rel=1e-12)


def test_draws_of_few_values():
    """Values with unequal chances, more draws than values; ties are told."""
    values, chances, n = np.array([-0.7, 0.3, 1.0, 0.0]), np.array([0.1, 0.2, 0.1, 0.6]), 7
    expected = tied = 0.0
    for counts in itertools.product(range(n + 1), repeat=4):
        if sum(counts) == n:
            mass = math.factorial(n) * math.prod(p**c / math.factorial(c) for p, c in zip(chances, counts, strict=True))
            total = float(values @ np.array(counts)) - 1.3
            expected += mass * (total >= -1e-12)
            tied += mass * (abs(total) <= 1e-12)
    upper = enumerate_draws(DrawSum(values, chances, n, 1.3))
    assert math.exp(upper.log_p) == pytest.approx(expected, rel=1e-12)
    assert upper.tie == pytest.approx(tied / expected, rel=1e-10)


def test_rare_values_are_cut_off_within_the_error():
    """With 100,000 draws, numbers of draws of next to no probability are left out, and the bound says so."""
    values, chances = np.array([0.0, math.sqrt(2), -1.0]), np.array([1 - 4e-5, 2e-5, 2e-5])
    upper = enumerate_draws(DrawSum(values, chances, 100_000, 3.0))
    expected = sum(
        math.exp(-4) * 2 ** (a + b) / (math.factorial(a) * math.factorial(b))
        for a in range(60)
        for b in range(60)
        if a * math.sqrt(2) - b >= 3.0
    )
    assert math.exp(upper.log_p) == pytest.approx(expected, rel=1e-3)  # Poisson counts are only close
    assert upper.relative_error <= 1e-9


def test_too_many_draws():
    """Thirty different values cannot be enumerated."""
    d = np.random.default_rng(1).normal(size=30)
    assert enumerate_draws(DrawSum(d - d.mean(), np.full(30, 1 / 30), 30, 1.0)) is None
