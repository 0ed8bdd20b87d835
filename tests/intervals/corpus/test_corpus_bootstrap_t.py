"""The bootstrap-t interval of a corpus metric."""

import numpy as np
import pytest

from reportkit.significance.corpus import _studentised, corpus_bootstrap_t_interval
from reportkit.significance.corpus import jackknife
from reportkit.metrics.corpus import F1
from reportkit.scores.shapes.paired_statistics import PairedStatistics


def _paired(a, b, names=("a", "b")):
    return PairedStatistics(
        system_a=names[0],
        system_b=names[1],
        dataset="cb",
        metric="F1",
        kind="continuous",
        a=np.asarray(a, dtype=float),
        b=np.asarray(b, dtype=float),
        measure=F1,
    )


@pytest.fixture
def counts():
    """30 instances."""
    rng = np.random.default_rng(5)
    b = rng.integers(0, 9, size=(30, 3)).astype(float)
    return b + rng.integers(0, 3, size=(30, 3)) * [1, 0, 0], b


def test_the_standard_error_of_a_resample_is_its_jackknife(counts):
    """As if the drawn rows were the data."""
    a, b = counts
    weights = np.random.default_rng(1).multinomial(30, np.full(30, 1 / 30), size=20).astype(float)
    differences, errors = _studentised(_paired(a, b), weights, a, b)
    for number, drawn in enumerate(weights.astype(int)):
        rows = np.repeat(np.arange(30), drawn)
        result = jackknife(_paired(a[rows], b[rows]))
        assert differences[number] == pytest.approx(result.difference, rel=1e-12)
        assert errors[number] == pytest.approx(result.standard_error, rel=1e-9)


def test_swap(counts):
    """B against A has the negative interval, from the same resamples."""
    a, b = counts
    there, back = corpus_bootstrap_t_interval(_paired(a, b)), corpus_bootstrap_t_interval(_paired(b, a, ("b", "a")))
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low), rel=1e-9)
    assert there.low < jackknife(_paired(a, b)).difference < there.high


def test_hardly_a_resample_with_a_variance():
    """Then the jackknife t interval is given, or none."""
    assert corpus_bootstrap_t_interval(_paired(np.tile([2.0, 1, 1], (25, 1)), np.tile([1.0, 1, 1], (25, 1)))) is None
