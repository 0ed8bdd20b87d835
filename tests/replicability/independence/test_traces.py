"""What datasets leave behind."""

from itertools import combinations

import numpy as np

from reportkit.replicability.independence.traces import Traces, hashes_of, suspects


def trace(ids):
    """Of a dataset of which nothing but its ids is known."""
    return Traces(known=True, ids=hashes_of(ids), clusters=hashes_of(()), scores=())


def test_datasets_that_share_ids_are_found():
    """Of many datasets, a few of which share ids: the pairs that have an id in common, and no others."""
    draw = np.random.default_rng(0)
    numbers = [draw.choice(20_000, size=size, replace=False) for size in draw.integers(1, 60, size=80)]
    expected = [(a, b) for a, b in combinations(range(80), 2) if np.intersect1d(numbers[a], numbers[b]).size]
    assert 0 < len(expected) < 1000
    assert suspects([trace(f"item {number}" for number in some) for some in numbers]) == expected
