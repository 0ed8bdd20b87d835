"""Accuracy over tokens, and error rates."""

import numpy as np

from reportkit.metrics.corpus.proportions import ACCURACY, UAS, WER


def test_values():
    """One sum divided by another."""
    assert float(ACCURACY(np.array([30.0, 40.0]))) == 0.75
    assert float(WER(np.array([50.0, 40.0]))) == 1.25
    assert np.isnan(float(UAS(np.array([0.0, 0.0]))))


def test_they_are_ratios_of_a_total_that_the_data_give():
    """So that tests are exact, and no output is known to count."""
    assert ACCURACY.ratio == ("correct", "total")
    assert WER.ratio == ("errors", "total")
    assert ACCURACY.no_output(np.array([[3.0, 4.0]])).tolist() == [[0.0, 4.0]]
    assert WER.no_output(np.array([[3.0, 4.0]])).tolist() == [[4.0, 4.0]]
    assert not WER.higher_is_better
