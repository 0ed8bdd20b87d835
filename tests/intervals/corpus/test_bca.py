"""The BCa interval."""

import numpy as np
import pytest

from reportkit.significance.corpus import bca_interval
from reportkit.metrics.corpus import F1
from reportkit.metrics.corpus import ACCURACY
from reportkit.scores.shapes.paired_statistics import PairedStatistics


def _paired(a, b, measure=F1, names=("a", "b"), **fields):
    return PairedStatistics(
        system_a=names[0],
        system_b=names[1],
        dataset="cb",
        metric=measure.title,
        kind="continuous",
        a=np.asarray(a, dtype=float),
        b=np.asarray(b, dtype=float),
        measure=measure,
        **fields,
    )


def _skewed(n=120):
    rng = np.random.default_rng(5)
    b = rng.poisson(rng.gamma(0.5, 6.0, size=(n, 1)), size=(n, 3)).astype(float)
    return b + rng.binomial(3, 0.2, size=(n, 3)) * [1, 0, 0], b


def test_against_scipy():
    """SciPy's BCa of the same statistic, with other resamples: ends within 4 Monte Carlo errors of a quantile."""
    from scipy import stats

    a, b = _skewed()

    def difference(rows, axis=-1):
        return F1(a[rows].sum(axis=-2)) - F1(b[rows].sum(axis=-2))

    theirs = stats.bootstrap(
        (np.arange(len(a)),), difference, n_resamples=9999, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    ours = bca_interval(_paired(a, b))
    error = 0.03 * (theirs.high - theirs.low)  # sqrt(q (1 - q) / b) / density at the 2.5% quantile is .7% of the width
    assert ours.low == pytest.approx(theirs.low, abs=error)
    assert ours.high == pytest.approx(theirs.high, abs=error)


def test_swap_and_level():
    """B against A has the negative interval; a higher level is wider."""
    a, b = _skewed()
    there, back = bca_interval(_paired(a, b)), bca_interval(_paired(b, a, names=("b", "a")))
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low), rel=1e-9)
    wide = bca_interval(_paired(a, b), 0.99)
    assert wide.low < there.low < there.high < wide.high


def test_nothing_to_resample():
    """Equal instances say nothing about the variance."""
    assert bca_interval(_paired(np.tile([3.0, 4], (60, 1)), np.tile([2.0, 4], (60, 1)), ACCURACY)) is None


def test_undefined_resamples_are_left_out():
    """A dataset of which nearly all instances are empty."""
    a, b = np.zeros((60, 2)), np.zeros((60, 2))
    a[:2], b[:2] = [[3, 4], [2, 4]], [[1, 4], [2, 4]]
    interval = bca_interval(_paired(a, b, ACCURACY))
    assert np.isfinite([interval.low, interval.high]).all()


@pytest.mark.slow
def test_coverage_of_f1():
    """95% intervals of 250 simulated test sets of 100 cover the true difference in about 95%."""
    rng = np.random.default_rng(8)
    covered = 0
    for _ in range(250):
        items = rng.poisson(3.0, size=100).astype(float)
        counts = []
        for recall in (0.7, 0.6):
            tp = rng.binomial(items.astype(int), recall).astype(float)
            counts.append(np.column_stack((tp, rng.poisson(0.5, size=100), items - tp)))
        truth = [2 * 3 * r / (2 * 3 * r + 3 * (1 - r) + 0.5) for r in (0.7, 0.6)]
        interval = bca_interval(_paired(*counts))
        covered += interval.low <= truth[0] - truth[1] <= interval.high
    assert 0.95 - 4 * np.sqrt(0.05 * 0.95 / 250) < covered / 250 < 0.95 + 4 * np.sqrt(0.05 * 0.95 / 250)
