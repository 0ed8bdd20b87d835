"""From which gain on p-values are small."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.calibration.pairs import ComparedPairs, compared_pairs, gain_thresholds, pair_groups
from reportkit.errors import UnknownNameError


def _pairs(n_systems, p_values, gains):
    first, second = np.triu_indices(n_systems, 1)
    return ComparedPairs(
        dataset="news",
        metric="f1",
        systems=tuple(f"s{index:02}" for index in range(n_systems)),
        winner=second,
        loser=first,
        gains=np.asarray(gains, dtype=float),
        p_values=np.asarray(p_values, dtype=float),
        tests=("paired-bootstrap",),
        n=100,
    )


def test_percentile_of_the_window():
    """The threshold is numpy's linear 95th percentile of the gains with p in [.04, .06], both ends included."""
    p_values = np.linspace(0.001, 0.2, 66)
    p_values[:2] = 0.04, 0.06
    p_values[2:25] = 0.05
    gains = np.random.default_rng(0).random(66)
    (found,) = gain_thresholds(_pairs(12, p_values, gains))
    near = (p_values >= 0.04) & (p_values <= 0.06)
    assert found.n_in_window == near.sum() >= 25
    assert found.threshold == np.percentile(gains[near], 95, method="linear")
    assert found.label == f"{near.sum()} pairs"


@pytest.mark.parametrize(("number", "line"), [(19, False), (20, True)])
def test_fewer_than_twenty_pairs_give_no_line(number, line):
    """With 19 pairs in the window there is no threshold and no interval."""
    p_values = np.where(np.arange(66) < number, 0.05, 0.5)
    (found,) = gain_thresholds(_pairs(12, p_values, np.arange(66.0)))
    assert (found.threshold is not None) == line
    assert line or (found.low is None and found.label.startswith("no threshold: 19 pairs"))


def test_interval_holds_the_threshold_and_reproduces():
    """The bootstrap over systems gives an interval around a threshold; the same seed gives the same."""
    rng = np.random.default_rng(0)
    pairs = _pairs(30, rng.uniform(0.03, 0.07, 435), rng.random(435))
    (one,), (same,) = gain_thresholds(pairs, seed=3), gain_thresholds(pairs, seed=3)
    assert one.low <= one.threshold <= one.high
    assert one == same
    assert one.n_left_out < 100


def test_few_systems_give_no_interval():
    """Of five systems no interval is given, whatever the pairs are."""
    (found,) = gain_thresholds(_pairs(5, np.full(10, 0.05), np.arange(10.0)))
    assert (found.n_in_window, found.low, found.threshold) == (10, None, None)


def test_families():
    """Pairs are split into those within a family and those across two."""
    rng = np.random.default_rng(1)
    pairs = _pairs(20, np.full(190, 0.05), rng.random(190))
    families = {f"s{index:02}": "ab"[index % 2] for index in range(20)}
    found = {item.group: item for item in gain_thresholds(pairs, families=families)}
    assert {name: item.n_pairs for name, item in found.items()} == {
        "all": 190,
        "same family": 90,
        "different families": 100,
    }
    same = pair_groups(pairs, families)["same family"]
    assert found["same family"].threshold == np.percentile(pairs.gains[same], 95)
    with pytest.raises(UnknownNameError, match="family of system"):
        gain_thresholds(pairs, families={"s00": "a"})


@pytest.mark.slow
def test_threshold_falls_with_the_size_of_the_test_set(block_of):
    """Four times as many instances halve the threshold, roughly."""
    rng = np.random.default_rng(2)
    found = []
    for n in (100, 400):
        scores = rng.normal(size=(40, n)) + rng.normal(size=(40, 1)) * 0.1
        (item,) = gain_thresholds(compared_pairs(block_of(scores)))
        found.append(item.threshold)
    assert 1.6 < found[0] / found[1] < 2.4
