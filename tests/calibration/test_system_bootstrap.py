"""Bootstrap over systems."""

from __future__ import annotations

import numpy as np

from reportkit.calibration.shares import pair_multiplicities


def test_mean_multiplicity():
    """A pair of n systems occurs (n - 1) / n times on average: both are drawn independently but not twice as one."""
    first, second = np.triu_indices(8, 1)
    rows = np.concatenate(list(pair_multiplicities(8, first, second, n_resamples=20_000, rng=np.random.default_rng(0))))
    assert rows.shape == (20_000, 28)
    np.testing.assert_allclose(rows.mean(axis=0), 7 / 8, atol=4 * rows.std() / np.sqrt(20_000))


def test_blocks_hold_all_resamples():
    """Many pairs come in several blocks, as many rows in all."""
    first, second = np.triu_indices(100, 1)
    blocks = list(pair_multiplicities(100, first, second, n_resamples=1000, rng=np.random.default_rng(0)))
    assert len(blocks) > 1
    assert sum(len(block) for block in blocks) == 1000
