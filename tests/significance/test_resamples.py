"""Resamples and swaps of corpus metrics."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from reportkit.metrics.corpus import f1
from reportkit.significance.resamples import (
    LawInBytes,
    MetricResamples,
    drawn_counts,
    poisson_law,
    swapped_differences,
)


def _statistics(rng, n_systems=3, n=40, k=3):
    return rng.integers(0, 30, size=(n_systems, n, k)).astype(float)


def test_every_resample_has_n_units_drawn_with_equal_probability():
    """Counts add up to n, and each unit has the binomial mean and variance."""
    counts = np.concatenate([drawn_counts((1, 2), 20, block, 500) for block in range(40)])
    assert (counts.sum(axis=1) == 20).all()
    error = np.sqrt(0.95 / len(counts))
    assert np.abs(counts.mean(axis=0) - 1).max() < 4.5 * error
    assert np.abs(counts.var(axis=0) - 0.95).max() < 0.08


@pytest.mark.parametrize("n", [1, 3, 5, 8, 9])
def test_resamples_have_the_probabilities_of_draws_with_replacement(n):
    """How many different units are drawn, and how often the first one, whether or not Poisson counts come first."""
    counts = np.concatenate([drawn_counts((3,), n, block, 50_000) for block in range(4)])
    ways = np.zeros((n + 1, n + 1))  # draws, different units
    ways[0, 0] = 1
    for draws in range(n):
        ways[draws + 1] = (ways[draws] * np.arange(n + 1) + np.roll(ways[draws] * (n - np.arange(n + 1)), 1)) / n
    expected = ways[n] * len(counts)
    assert _chi_squared(np.bincount((counts > 0).sum(axis=1), minlength=n + 1), expected) < 5
    first = stats.binom.pmf(np.arange(n + 1), n, 1 / n) * len(counts)
    assert _chi_squared(np.bincount(counts[:, 0].astype(int), minlength=n + 1), first) < 5


def _chi_squared(observed, expected):
    """Standardised: its mean is 0 and its standard deviation 1; what is expected fewer than 5 times is left out."""
    often = expected > 5
    degrees = max(often.sum() - 1, 1)
    return ((((observed - expected) ** 2)[often] / expected[often]).sum() - degrees) / np.sqrt(2 * degrees)


@pytest.mark.parametrize("mean", [0.0, 0.05, 0.3, 0.954, 1.0])
def test_bytes_hold_all_of_a_law_but_what_is_drawn_anew(mean):
    """Shares of the values of a byte and of further draws add up to the probabilities of Poisson."""
    law = poisson_law(mean)
    values = np.bincount(np.searchsorted(law._bounds, np.arange(256), side="right"), minlength=26)
    anew = -np.expm1(-law._again)
    rest = np.diff(law._rest, prepend=0.0) / (law._rest[-1] or 1.0)
    assert values.sum() == 256
    assert anew < 0.02
    assert (1 - anew) * values / 256 + anew * rest == pytest.approx(stats.poisson.pmf(np.arange(26), mean), abs=1e-15)


def test_numbers_have_the_probabilities_asked_for():
    """Equal ones, for which bytes do not suffice, and some that no value of a byte stands for."""
    for wanted in ([1 / 3] * 3, [0.9985, 0.0005, 0.001], [0.0, 0.5, 0.0, 0.0, 0.5]):
        drawn = LawInBytes(wanted).draw(np.random.default_rng(7), 400_001)
        counts = np.bincount(drawn, minlength=len(wanted))
        assert counts.sum() == 400_001
        assert _chi_squared(counts, 400_001 * np.array(wanted)) < 5
        assert (counts[np.array(wanted) == 0] == 0).all()


def test_values_are_those_of_the_resampled_rows():
    """The product of matrices is the sum over the rows that were drawn."""
    statistics = _statistics(np.random.default_rng(1))
    resamples = MetricResamples(statistics, f1, key=(5,))
    values = resamples.values([0, 1, 2], 0, 50)
    counts = drawn_counts((5,), 40, 0, resamples._rows)
    for number in range(50):
        rows = np.repeat(np.arange(40), counts[number].astype(int))
        for system in range(3):
            assert values[system, number] == float(f1(statistics[system, rows].sum(axis=0)))


def test_all_orders_of_asking_give_the_same_values():
    """Some systems, some resamples, kept or not: number i is always the same."""
    statistics = _statistics(np.random.default_rng(2), n=3000)
    whole = MetricResamples(statistics, f1, key=(5,)).values([0, 1, 2], 0, 2000)
    other = MetricResamples(statistics, f1, key=(5,))
    parts = [other.values([2, 0], first, last) for first, last in itertools.pairwise([0, 1, 349, 350, 1999, 2000])]
    assert np.array_equal(np.concatenate(parts, axis=1), whole[[2, 0]])
    assert np.array_equal(MetricResamples(statistics[1:], f1, key=(5,)).values([0], 0, 2000), whole[[1]])
    assert not np.array_equal(MetricResamples(statistics, f1, key=(6,)).values([0], 0, 2000), whole[[0]])


def _drawn(a, b, n_resamples, seed=1):
    rng = np.random.default_rng(seed)
    return np.concatenate(list(swapped_differences(a, b, f1, rng=rng, n_resamples=n_resamples)))


def test_all_swaps_are_equally_probable():
    """Frequencies of the values of all 2^5 swaps, within 4.5 standard errors."""
    rng = np.random.default_rng(2)
    a, b = (rng.integers(0, 20, size=(5, 3)).astype(float) for _ in range(2))
    values = []
    for swaps in itertools.product([False, True], repeat=5):
        chosen = np.array(swaps)[:, None]
        values.append(f1(np.where(chosen, b, a).sum(axis=0)) - f1(np.where(chosen, a, b).sum(axis=0)))
    known, expected = np.unique(np.round(values, 12), return_counts=True)
    drawn, found = np.unique(np.round(_drawn(a, b, 64_000), 12), return_counts=True)
    assert np.array_equal(drawn, known)
    share = expected / 32
    assert np.abs(found / 64_000 - share).max() < 4.5 * np.sqrt(share.max() / 64_000)


def test_number_and_stream():
    """So many as asked for, the same for the same seed; rows that are equal need no bits."""
    rng = np.random.default_rng(3)
    a, b = (rng.integers(0, 20, size=(700, 3)).astype(float) for _ in range(2))
    drawn = _drawn(a, b, 4000)
    assert drawn.shape == (4000,)
    assert np.array_equal(drawn, _drawn(a, b, 4000))
    equal = np.ones((9, 3))
    more = _drawn(np.vstack((a, equal)), np.vstack((b, equal)), 100)
    assert np.abs(more - drawn[:100]).max() < 0.01


def test_identical_rows():
    """Nothing to swap."""
    a = np.ones((4, 3))
    assert _drawn(a, a, 10).tolist() == [0.0] * 10


def test_fractions_are_swapped_in_double_precision():
    """Sums of thirds are as by rows."""
    a, b = np.full((3, 3), 1 / 3), np.full((3, 3), [2 / 3, 1 / 3, 0])
    low, high = float(f1(a.sum(axis=0))), float(f1(b.sum(axis=0)))
    assert np.abs(_drawn(a, b, 50)).max() <= abs(high - low) + 1e-12
