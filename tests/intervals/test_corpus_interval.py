"""Which interval for how many instances."""

import numpy as np
import pytest

from reportkit.corpus_metrics.f_measures import F1
from reportkit.intervals.choose_interval import standard_error
from reportkit.intervals.corpus_interval import corpus_interval
from reportkit.intervals.jackknife import jackknife
from reportkit.results.paired_statistics import PairedStatistics


@pytest.mark.parametrize(
    ("n", "clusters", "title"),
    [
        (19, None, "jackknife t interval"),
        (20, None, "bootstrap-t interval"),
        (49, None, "bootstrap-t interval"),
        (50, None, "BCa bootstrap interval"),
        (200, 10, "jackknife t interval"),
        (200, 40, "bootstrap-t interval"),
        (200, 100, "BCa bootstrap interval"),
    ],
)
def test_by_the_number_of_units(n, clusters, title):
    """Clusters count as units."""
    rng = np.random.default_rng(1)
    b = rng.integers(0, 9, size=(n, 3)).astype(float)
    paired = PairedStatistics(
        system_a="a",
        system_b="b",
        dataset="cb",
        metric="F1",
        kind="continuous",
        a=b + rng.integers(0, 2, size=(n, 3)) * [1, 0, 0],
        b=b,
        measure=F1,
        clusters=None if clusters is None else np.arange(n) % clusters,
    )
    assert corpus_interval(paired, 0.95, seed=1).title == title
    assert standard_error(paired) == jackknife(paired).standard_error
