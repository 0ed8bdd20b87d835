"""Random sign flips in place of all of them."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.calibration.null.drawn_flips import costly_rows, drawn_p_values
from reportkit.null_distributions import sign_flip_tail


@pytest.mark.parametrize(("n", "costly"), [(30, False), (31, True), (44, True), (45, False)])
def test_which_are_costly(n, costly):
    """Only so many differing units, of many values; zeros do not count."""
    sums = np.concatenate((np.arange(1.0, n + 1), np.zeros(5)))
    few_values = 9.0 - np.arange(n + 5) % 8
    assert costly_rows(np.array([sums, np.sign(sums), -sums[::-1], few_values])).tolist() == [costly, False] * 2


def test_drawn_is_exact_within_its_error():
    """Both p-values are those of all patterns within 4 standard errors."""
    sums = np.random.default_rng(0).normal(0.2, 1, size=32)
    exact = sign_flip_tail(sums)
    drawn = drawn_p_values(sums, 99_999, np.random.default_rng(1))
    for found, truth in zip(drawn, (exact.p_greater, exact.p_less), strict=True):
        assert abs(found - truth) < 4 * np.sqrt(truth * (1 - truth) / 1e5)
