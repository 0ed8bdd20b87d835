"""Samples under the null hypothesis."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from reportkit.calibration.nulls import (
    paired_by_instances,
    recentred_samples,
)
from reportkit.errors import DesignError


def test_recentred_clusters_stay_whole(clustered):
    """Clusters are drawn with all their differences, each minus the mean of all."""
    sample = clustered.pair("s00", "s01")
    moved = (sample.differences - sample.value_difference).reshape(60, 5)
    for drawn in islice(recentred_samples(sample, np.random.default_rng(0)), 3):
        assert drawn.n_clusters == 60
        rows = drawn.a.reshape(60, 5)
        assert all((moved == row).all(axis=1).any() for row in rows)


def test_right_or_wrong_cannot_be_moved(block_of):
    """Recentring is refused for binary scores, with what to do instead."""
    block = block_of([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]], kind="binary")
    with pytest.raises(DesignError, match="signflip"):
        next(recentred_samples(block.pair("s00", "s01"), np.random.default_rng(0)))


def test_runs_are_not_paired_by_instances(runs_of):
    """Several runs are refused with what to do."""
    with pytest.raises(DesignError, match="average over the runs first"):
        paired_by_instances(runs_of(2, 2, 10, run_sd=0.0).pair("s000", "s001"))
