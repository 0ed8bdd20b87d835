"""Bootstrap over systems."""

from __future__ import annotations

import numpy as np

from reportkit.calibration.shares import pair_multiplicities


def test_mean_multiplicity():
    """A pair of n systems occurs (n - 1) / n times on average: both are drawn independently but not twice as one."""
    first, second = np.triu_indices(8, 1)
    rows = pair_multiplicities(8, first, second, 20_000, np.random.default_rng(0))
    assert rows.shape == (20_000, 28)
    np.testing.assert_allclose(rows.mean(axis=0), 7 / 8, atol=4 * rows.std() / np.sqrt(20_000))
