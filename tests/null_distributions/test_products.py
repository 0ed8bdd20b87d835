"""Products in pieces."""

from fractions import Fraction

import numpy as np
import pytest

from reportkit.significance.resamples import ExactColumns, exact_product, thin_product


@pytest.mark.parametrize(("b", "n", "k"), [(1, 1, 1), (100, 3000, 20), (101, 3000, 3), (7, 100_000, 10), (50, 10, 0)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("threads", ["1", "2"])
def test_pieces_are_the_whole(b, n, k, dtype, threads, monkeypatch):
    """Whole numbers are exact, however the product is split."""
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", threads)
    rng = np.random.default_rng(1)
    weights, columns = rng.integers(0, 5, size=(b, n)).astype(dtype), rng.integers(0, 9, size=(n, k)).astype(dtype)
    for product in (thin_product, exact_product):
        found = product(weights, columns)
        assert found.dtype == dtype
        assert np.array_equal(found, weights @ columns)


@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e150])
def test_sums_of_resamples_are_exact_and_rounded_once(scale):
    """Values between 1e-9 and 1 of the largest, against fractions of whole numbers."""
    rng = np.random.default_rng(2)
    columns = scale * rng.normal(size=(300, 2)) * 10.0 ** rng.uniform(-9, 0, size=(300, 1))
    weights = rng.multinomial(300, np.full(300, 1 / 300), size=20)
    found = ExactColumns(columns, total=300).weighted(weights)
    for row, sums in zip(weights, found, strict=True):
        for column, value in zip(columns.T, sums, strict=True):
            truth = sum(int(w) * Fraction(float(x)) for w, x in zip(row, column, strict=True))
            size = sum(int(w) * abs(Fraction(float(x))) for w, x in zip(row, column, strict=True))
            assert abs(Fraction(float(value)) - truth) <= Fraction(1, 2**52) * abs(truth) + Fraction(1, 2**80) * size


def test_sums_of_resamples_have_the_same_bits_in_any_order():
    """The order of the values, other columns beside them, and the rows computed together change no bit."""
    rng = np.random.default_rng(3)
    columns, weights = rng.exponential(size=(999, 3)), rng.multinomial(999, np.full(999, 1 / 999), size=257)
    whole = ExactColumns(columns, total=999).weighted(weights)
    order = rng.permutation(999)
    assert np.array_equal(whole, ExactColumns(columns[order], total=999).weighted(weights[:, order]))
    assert np.array_equal(whole[:, [1]], ExactColumns(columns[:, [1]], total=999).weighted(weights))
    parts = [ExactColumns(columns, total=999).weighted(some) for some in np.array_split(weights, [1, 8, 100])]
    assert np.array_equal(whole, np.concatenate(parts))


def test_nothing_to_sum_is_0():
    """No rows, no columns, or zeros alone."""
    assert ExactColumns(np.zeros((0, 2)), total=0).weighted(np.zeros((3, 0), dtype=np.uint8)).tolist() == [[0, 0]] * 3
    assert ExactColumns(np.zeros((4, 0)), total=4).weighted(np.ones((3, 4), dtype=np.uint8)).shape == (3, 0)
