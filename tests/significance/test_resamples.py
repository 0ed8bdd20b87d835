"""Resamples and swaps of corpus metrics."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from reportkit.metrics.corpus import f1
from reportkit.significance.resamples import ExactColumns, drawn_counts, resample_counts, swapped_differences


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


@pytest.mark.parametrize("scale", [1.0, 1 / 3])
def test_sums_are_those_of_the_resampled_rows(scale):
    """The product of matrices is the sum over the rows that were drawn, whole numbers or not, from any start on."""
    columns = np.random.default_rng(1).integers(0, 30, size=(40, 3)) * scale
    counts = np.concatenate([*resample_counts((5,), 40, 0, 20), *resample_counts((5,), 40, 20, 50)])
    assert np.array_equal(counts, next(resample_counts((5,), 40, 0, 50)))
    rows = [columns[np.repeat(np.arange(40), drawn)].sum(axis=0) for drawn in counts]
    assert ExactColumns(columns, total=40).weighted(counts) == pytest.approx(np.array(rows), rel=1e-14)


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
