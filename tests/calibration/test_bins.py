"""Calibration by bins of p-values."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.calibration import StudyPlan
from reportkit.calibration.bins import EDGES, bin_calibration, bin_of, counted_p_values
from reportkit.calibration.pairs import row_p_values
from reportkit.errors import DesignError, SettingsError


@pytest.fixture(scope="module")
def population(block_of):
    """Ten systems, unequally good, on 600 instances."""
    rng = np.random.default_rng(0)
    return block_of(rng.normal(size=(10, 600)) + np.linspace(0, 0.25, 10)[:, None])


def test_edges_are_those_of_the_paper():
    """.00125 doubled up to .08."""
    np.testing.assert_allclose(EDGES, [0, 0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08])
    assert bin_of(np.array([0.04, 0.04 + 1e-9, 0.08, 0.0801])).tolist() == [5, 6, 6, 7]


@pytest.mark.slow
def test_a_clear_winner_is_always_right(block_of):
    """Two systems far apart: each win is right, and Wilson's interval for one pair is as wide as it has to be."""
    rng = np.random.default_rng(0)
    block = block_of(np.stack((rng.normal(0.3, 1, size=500), rng.normal(size=500))))
    found = bin_calibration(block, test="sign-flip", plan=StudyPlan(max_tests=600))
    assert found.n_pairs == 1
    assert len(found.bins) >= 4
    assert all(item.share.value > 0.95 and item.interval is None and item.n_pairs == 1 for item in found.bins)


@pytest.mark.slow
def test_equal_systems_win_at_random(block_of):
    """Where the difference on all data is nearly nothing, half of the winners are the better system."""
    rng = np.random.default_rng(3)
    differences = rng.normal(size=500)
    differences += 1e-9 - differences.mean()
    block = block_of(np.stack((differences, np.zeros(500))))
    found = bin_calibration(block, test="sign-flip", plan=StudyPlan(max_tests=1500))
    right, hits = (sum(getattr(item.share, name) for item in found.bins) for name in ("count", "total"))
    assert abs(right / hits - 0.5) < 4 * 0.5 / np.sqrt(hits)
    assert abs(hits / found.n_tests - 0.16) < 4 * np.sqrt(0.16 * 0.84 / found.n_tests)


@pytest.mark.parametrize("test", ["sign-flip", "paired-bootstrap"])
def test_right_or_wrong_is_counted(block_of, test):
    """P-values come from the numbers of wins and losses: the same as from the differences, which are twice as large."""
    scores = (np.random.default_rng(1).random((6, 300)) < np.linspace(0.4, 0.6, 6)[:, None]).astype(np.float64)
    counted = bin_calibration(block_of(scores), test=test, plan=StudyPlan(max_tests=600))
    assert counted.bins
    for same in (2.0 * scores, scores - 1.0):
        assert bin_calibration(block_of(same), test=test, plan=StudyPlan(max_tests=600)).bins == counted.bins


def test_few_hits_are_hidden(population):
    """After one test set few bins hold 20 p-values; the others are hidden."""
    found = bin_calibration(population, plan=StudyPlan(max_tests=1))
    assert found.n_tests == 45
    assert all(number < 20 for _, _, number in found.hidden)


def test_refusals(block_of, population):
    """Test sets of more than a fifth, or of fewer than ten units, and equal systems are refused."""
    with pytest.raises(SettingsError, match="a fifth"):
        bin_calibration(population, plan=StudyPlan(test_size=121))
    with pytest.raises(SettingsError, match="50 units or more"):
        bin_calibration(block_of(np.random.default_rng(0).normal(size=(2, 30))))
    with pytest.raises(DesignError, match="no two systems differ"):
        bin_calibration(block_of(np.ones((3, 100))))


@pytest.mark.parametrize("test", ["sign-flip", "paired-bootstrap"])
@pytest.mark.parametrize("n", [8, 60, 400])
def test_p_values_by_counts_are_those_of_the_rows(test, n):
    """In closed form from wins and losses: the same as from all differences."""
    rng = np.random.default_rng(n)
    differing = rng.integers(1, n + 1, 12)
    wins = rng.integers(differing // 2 + 1, differing + 1)
    rows = np.array([np.repeat([1.0, -1.0, 0.0], [w, d - w, n - d]) for w, d in zip(wins, differing, strict=True)])
    found = counted_p_values(wins, differing - wins, n, test)
    assert found == pytest.approx(row_p_values(rows, test)[0], rel=1e-6, abs=1e-9)
