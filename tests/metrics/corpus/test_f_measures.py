"""Precision, recall and F-beta."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.metrics.corpus.f_measures import F1, F2, F_HALF, PRECISION, RECALL

counts = st.integers(0, 1000)


@given(tp=counts, fp=counts, fn=counts)
def test_f_beta_is_the_weighted_harmonic_mean(tp, fp, fn):
    """(1 + b^2) P R / (b^2 P + R), van Rijsbergen's, where it is defined; 0 where it is not."""
    sums = np.array([tp, fp, fn], dtype=float)
    p, r = float(PRECISION(sums)), float(RECALL(sums))
    assert p == (tp / (tp + fp) if tp + fp else 0.0)
    assert r == (tp / (tp + fn) if tp + fn else 0.0)
    for metric, beta in ((F1, 1.0), (F_HALF, 0.5), (F2, 2.0)):
        expected = (1 + beta**2) * p * r / (beta**2 * p + r) if tp else 0.0
        assert float(metric(sums)) == pytest.approx(expected, rel=1e-12, abs=0)


def test_no_output_misses_everything():
    """Nothing is found, what was found rightly is missed."""
    assert F1.no_output(np.array([[3.0, 2.0, 1.0]])).tolist() == [[0.0, 0.0, 4.0]]
