"""P-values against the size of the test set."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from reportkit.calibration import StudyPlan, size_curve
from reportkit.errors import SettingsError
from reportkit.significance.nulls import flip_tails


@pytest.fixture(scope="module")
def block(block_of):
    """A system that is better by a tenth of a standard deviation."""
    rng = np.random.default_rng(0)
    return block_of(np.stack((rng.normal(0.2, 1, size=600), np.zeros(600))))


def test_all_instances_give_the_test(block):
    """At full size there is one p-value, that of the test."""
    curve = size_curve(block, "s00", "s01", sizes=[600])
    p = flip_tails(block.scores[:1]).greater[0]
    assert curve.median[0] == curve.lower_quartile[0] == curve.upper_quartile[0] == pytest.approx(p, rel=1e-6)


def test_detectable_difference(block):
    """(1.645 + 0.842) standard errors at full size, and with 1 / sqrt(m) elsewhere."""
    curve = size_curve(block, "s00", "s01", plan=StudyPlan(n_subsamples=20))
    error = block.scores[0].std(ddof=1) / np.sqrt(600)
    np.testing.assert_array_equal(curve.sizes, [50, 100, 200, 400, 600])
    truth = (norm.isf(0.05) + norm.isf(0.2)) * error * np.sqrt(600 / curve.sizes)
    np.testing.assert_allclose(curve.detectable, truth, rtol=1e-9)


def test_median_is_that_of_the_power_curve(block):
    """The median p-value on parts of m instances is near the normal tail at sqrt(m) d / sd."""
    curve = size_curve(block, "s00", "s01", sizes=[100], plan=StudyPlan(n_subsamples=400))
    d = block.scores[0]
    truth = norm.sf(np.sqrt(100) * d.mean() / d.std())
    assert abs(norm.isf(curve.median[0]) - norm.isf(truth)) < 4 * 1.2533 / np.sqrt(400)


def test_clusters_are_the_units(clustered):
    """Sizes count clusters where there are any."""
    curve = size_curve(clustered, "s00", "s01", plan=StudyPlan(n_subsamples=10))
    assert (curve.unit, curve.n, curve.sizes.tolist()) == ("cluster", 60, [50, 60])


@pytest.mark.parametrize("sizes", [[], [0], [601]])
def test_bad_sizes(block, sizes):
    """Sizes that cannot be drawn are refused."""
    with pytest.raises(SettingsError, match="sizes are"):
        size_curve(block, "s00", "s01", sizes=sizes)
