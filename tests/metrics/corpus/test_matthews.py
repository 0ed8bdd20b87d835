"""Matthews correlation coefficient."""

import numpy as np
import pytest

from reportkit.metrics.corpus.matthews import MATTHEWS


def test_it_is_the_correlation_of_predictions_and_labels():
    """Pearson's correlation of the two 0/1 variables."""
    tp, fp, fn, tn = 17, 5, 8, 31
    predicted = np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])
    label = np.repeat([1, 0, 1, 0], [tp, fp, fn, tn])
    expected = np.corrcoef(predicted, label)[0, 1]
    assert float(MATTHEWS(np.array([tp, fp, fn, tn], dtype=float))) == pytest.approx(expected, rel=1e-12)


def test_an_empty_margin_gives_0():
    """All predictions alike."""
    assert float(MATTHEWS(np.array([3.0, 4.0, 0.0, 0.0]))) == 0.0


def test_large_counts_do_not_overflow():
    """The product of four margins of 10^80 is beyond a float."""
    assert float(MATTHEWS(np.array([3.0, 1.0, 1.0, 3.0]) * 1e80)) == pytest.approx(0.5, rel=1e-12)
