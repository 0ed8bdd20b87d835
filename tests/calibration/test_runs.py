"""Runs of one system against each other: what ignores the variance between runs is named."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.calibration import StudyPlan, calibrate_runs
from reportkit.errors import DesignError, MissingScoresError


def simulated(block, **options):
    """Runs of a system against other runs of it, by a plan with these options."""
    return calibrate_runs(block, None, StudyPlan(**options))


def test_runs_kept_apart_are_calibrated(runs_of):
    """The two-way t-test of the same kind of data keeps its level."""
    found = simulated(runs_of(400, 4, 40, run_sd=0.4, seed=1), n_replicates=1200)
    assert found.test == "two-way-t"
    assert found.verdict.valid, str(found.verdict)


def test_one_system_leaves_it_open(runs_of):
    """From the runs of one system nothing can be concluded."""
    assert simulated(runs_of(1, 6, 40, run_sd=0.0)).verdict.status == "undecided"


def test_refusals(block_of, runs_of):
    """No runs, too few of them, unknown ways and missing scores are refused."""
    with pytest.raises(DesignError, match="no runs"):
        simulated(block_of(np.eye(2)))
    with pytest.raises(DesignError, match="need 4 runs"):
        simulated(runs_of(2, 3, 10, run_sd=1.0))
    block = runs_of(2, 4, 10, run_sd=1.0)
    block.scores[1][0, 0] = np.nan
    with pytest.raises(MissingScoresError, match="1 score of runs of 's001' are missing"):
        simulated(block)
