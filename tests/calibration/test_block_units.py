"""What is independent in a dataset."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.calibration import StudyPlan, bin_calibration, calibrate, joint_null, size_curve
from reportkit.calibration.pairs import unit_codes, unit_scores


@pytest.fixture(scope="module")
def rated():
    """Two systems, 60 instances in each of two datasets, rated by the same three raters, who agree."""
    rng = np.random.default_rng(0)
    quality = rng.normal(size=(2, 60, 1)) + 0.05 * rng.normal(size=(2, 60, 3))
    rows = [
        {"system": f"s{s}", "dataset": name, "instance": f"x{i}", "rater": f"r{r}", "score": quality[s, i, r]}
        for name in ("coherence", "fluency")
        for s in range(2)
        for i in range(60)
        for r in range(3)
    ]
    return reportkit.read(pd.DataFrame(rows)).datasets


def test_plain_instances_stand_alone(block_of):
    """Without clusters and raters there are no groups."""
    block = block_of([[1.0, 2.0], [0.0, 1.0]])
    assert unit_codes(block) is None


def test_clusters_are_units(block_of):
    """Codes have no gaps."""
    block = block_of([[1.0, 2.0, 3.0]] * 2, clusters=np.array([2, 0, 2]), cluster_names=("a", "b", "c"))
    assert unit_codes(block).tolist() == [1, 0, 1]


def test_ratings_of_an_instance_are_one_unit(rated):
    """Everything that resamples takes rated instances, not ratings, as the units."""
    block = rated[0]
    assert np.unique(unit_codes(block), return_counts=True)[1].tolist() == [3] * 60
    assert unit_scores(block).shape == (2, 60)
    assert size_curve(block, "s0", "s1", plan=StudyPlan(n_subsamples=5)).n == 60
    assert bin_calibration(block, test="sign-flip", plan=StudyPlan(max_tests=50)).n_units == 60


def test_ratings_are_flipped_together(rated):
    """Under the joint null ratings of an instance change places together, so that a t-test of ratings errs."""
    found = joint_null(rated, "s0", "s1", StudyPlan(n_replicates=300, test="paired-t"))
    assert found.n_shared == 60
    assert (found.p_values[:, 0] == found.p_values[:, 1]).all()
    assert found.error("count").low > 0.1  # .05 if ratings were flipped one by one


def test_calibration_names_ignored_ratings(rated):
    """A t-test that takes ratings as independent is too liberal, and the reason is said."""
    verdict = calibrate(rated[0], "s0", "s1", plan=StudyPlan(test="paired-t", n_replicates=400)).verdict
    assert verdict.status == "too liberal"
    assert "takes ratings of an instance as independent; there are 60 instances" in verdict.reasons[0]
