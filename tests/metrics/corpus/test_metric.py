"""What a corpus metric is."""

import numpy as np
import pytest

from reportkit.metrics.corpus.catalogue import CORPUS_METRICS
from reportkit.metrics.corpus.metric import quotient


def test_division_by_zero_is_stated():
    """NaN unless another value is given."""
    assert np.isnan(quotient(np.array([1.0]), np.array([0.0])))[0]
    assert quotient(np.array([1.0, 3.0]), np.array([0.0, 2.0]), undefined=-1.0).tolist() == [-1.0, 1.5]


@pytest.mark.parametrize("metric", CORPUS_METRICS.values(), ids=lambda m: m.name)
def test_every_metric_is_vectorised_and_within_its_range(metric):
    """Any shape of sums gives the values of each row alone; all-zero counts are defined or said not to be."""
    rng = np.random.default_rng(3)
    sums = np.sort(rng.integers(0, 50, size=(4, 5, len(metric.columns))).astype(float), axis=-1)
    for part, whole in metric.at_most:
        low, high = metric.position(part), metric.position(whole)
        sums[..., low] = np.minimum(sums[..., low], sums[..., high])
    values = metric(sums)
    assert values.shape == (4, 5)
    alone = [float(metric(row)) for row in sums.reshape(20, -1)]
    assert np.allclose(values.ravel(), alone, rtol=1e-14, atol=0, equal_nan=True)
    low, high = metric.value_range
    defined = values[np.isfinite(values)]
    assert defined.size > 10
    assert (defined >= low).all()
    assert (defined <= high).all()
    nothing = float(metric(np.zeros(len(metric.columns))))
    assert (nothing == 0.0) or (np.isnan(nothing) and metric.undefined.startswith("undefined"))


@pytest.mark.parametrize("metric", CORPUS_METRICS.values(), ids=lambda m: m.name)
def test_orientation(metric):
    """Oriented values are negated where lower is better."""
    sums = np.full(len(metric.columns), 7.0)
    sign = 1.0 if metric.higher_is_better else -1.0
    assert metric.oriented(sums) == sign * metric(sums)


@pytest.mark.parametrize("metric", [m for m in CORPUS_METRICS.values() if m.no_output], ids=lambda m: m.name)
def test_no_output_is_the_same_whichever_system_it_is_read_off(metric):
    """It depends on what belongs to the instance only, and is worth nothing."""
    rng = np.random.default_rng(1)
    counts = rng.integers(1, 9, size=(3, len(metric.columns))).astype(float)
    given = [metric.position(name) for name in metric.given_by_the_data]
    counts[:, given] = counts[0, given]
    if metric.columns == ("tp", "fp", "fn"):
        counts[:, 2] = 12 - counts[:, 0]
    empty = metric.no_output(counts)
    assert (empty == empty[0]).all()
    value = float(metric(empty[0]))
    worst = 1.0 if metric.name == "aer" else float(metric(np.full(len(metric.columns), 1.0)))
    assert value == (0.0 if metric.higher_is_better else worst)
