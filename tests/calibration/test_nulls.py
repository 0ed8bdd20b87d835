"""Samples under the null hypothesis."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.calibration.nulls import (
    flipped_samples,
    paired_by_instances,
    recentred_samples,
    sample_of_runs,
    splits_of_runs,
)
from reportkit.errors import DesignError


def test_whole_clusters_are_flipped(clustered):
    """Each cluster keeps all its differences or has all of them turned round, and both happen."""
    sample = clustered.pair("s00", "s01")
    for flipped in islice(flipped_samples(sample, np.random.default_rng(0)), 5):
        signs = (flipped.differences / sample.differences).reshape(60, 5)
        assert (np.abs(signs) == 1).all()
        assert (signs == signs[:, :1]).all()
        assert 0 < (signs[:, 0] < 0).sum() < 60


def test_recentred_clusters_stay_whole(clustered):
    """Clusters are drawn with all their differences, each minus the mean of all."""
    sample = clustered.pair("s00", "s01")
    moved = (sample.differences - sample.value_difference).reshape(60, 5)
    for drawn in islice(recentred_samples(sample, np.random.default_rng(0)), 3):
        assert drawn.n_clusters == 60
        rows = drawn.a.reshape(60, 5)
        assert all((moved == row).all(axis=1).any() for row in rows)


def test_recentred_mean_is_zero(skewed):
    """The mean over many drawn samples is 0 within 4 standard errors, and the skewness is kept."""
    sample = skewed.pair("s00", "s01")
    drawn = np.concatenate([found.a for found in islice(recentred_samples(sample, np.random.default_rng(0)), 300)])
    assert abs(drawn.mean()) < 4 * drawn.std() / np.sqrt(drawn.size)
    assert np.mean(drawn**3) / np.std(drawn) ** 3 < -1.5


def test_weights_go_with_their_instances(block_of):
    """Drawn differences bring their weights along, and the weighted mean is what is taken off."""
    differences, weights = np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 5.0])
    sample = block_of(np.stack((differences, np.zeros(3))), weights=weights).pair("s00", "s01")
    moved = dict(zip(np.round(differences - 25 / 8, 9), weights, strict=True))
    drawn = next(recentred_samples(sample, np.random.default_rng(0)))
    assert [moved[value] for value in np.round(drawn.a, 9)] == drawn.weights.tolist()


def test_right_or_wrong_cannot_be_moved(block_of):
    """Recentring is refused for binary scores, with what to do instead."""
    block = block_of([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]], kind="binary")
    with pytest.raises(DesignError, match="signflip"):
        next(recentred_samples(block.pair("s00", "s01"), np.random.default_rng(0)))


def test_runs_are_not_paired_by_instances(runs_of):
    """Several runs are refused with the name of the function that takes them."""
    with pytest.raises(DesignError, match="calibrate_runs"):
        paired_by_instances(runs_of(2, 2, 10, run_sd=0.0).pair("s000", "s001"))


@given(st.integers(2, 8))
def test_splits_are_all_disjoint_pairs_of_sets(n_runs):
    """Every unordered pair of disjoint sets of the size occurs once."""
    from math import comb

    found = splits_of_runs(n_runs, np.random.default_rng(0))
    size = n_runs // 2
    assert len({frozenset((frozenset(a), frozenset(b))) for a, b in found}) == len(found)
    assert len(found) == comb(n_runs, size) * comb(n_runs - size, size) // 2
    assert all(len(a) == len(b) == size and not set(a) & set(b) for a, b in found)


def test_many_runs_are_split_at_random():
    """Where there are too many splits, random ones are taken."""
    found = splits_of_runs(30, np.random.default_rng(0))
    assert len(found) == 20_000
    assert all(len(a) == len(b) == 15 and not set(a) & set(b) for a, b in found[:50])


def test_samples_of_runs(runs_of):
    """Runs are kept apart."""
    block = runs_of(1, 4, 7, run_sd=1.0)
    sample = sample_of_runs(block, "s000", ([0, 3], [2, 1]))
    np.testing.assert_array_equal(sample.a, block.scores[0][[0, 3]])
    np.testing.assert_array_equal(sample.b, block.scores[0][[2, 1]])
