"""Products in pieces."""

import numpy as np
import pytest

from reportkit.resampling.products import thin_product


@pytest.mark.parametrize(("b", "n", "k"), [(1, 1, 1), (100, 3000, 20), (101, 3000, 3), (7, 100_000, 10), (50, 10, 0)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_pieces_are_the_whole(b, n, k, dtype):
    """Whole numbers are exact, however the product is split."""
    rng = np.random.default_rng(1)
    weights, columns = rng.integers(0, 5, size=(b, n)).astype(dtype), rng.integers(0, 9, size=(n, k)).astype(dtype)
    found = thin_product(weights, columns)
    assert found.dtype == dtype
    assert np.array_equal(found, weights @ columns)
