"""Random swaps of the rows of two systems."""

import itertools

import numpy as np

from reportkit.metrics.corpus import f1
from reportkit.significance.resamples import swapped_differences


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
