"""What datasets leave behind: in memory, or in a file of which a range is read at a time."""

import gc
from dataclasses import replace
from itertools import combinations

import numpy as np

from reportkit.replicability.independence import traces
from reportkit.replicability.independence.traces import HashStore, StoredHashes, Traces, hashes_of, suspects


def trace(ids):
    """Of a dataset of which nothing but its ids is known."""
    return Traces(known=True, ids=hashes_of(ids), clusters=hashes_of(()), scores=())


def test_hashes_in_a_file_find_the_same_datasets(monkeypatch):
    """Of many datasets, a few of which share ids: the same pairs, whatever is in memory and in however many ranges."""
    draw = np.random.default_rng(0)
    numbers = [draw.choice(20_000, size=size, replace=False) for size in draw.integers(1, 60, size=80)]
    found = [trace(f"item {number}" for number in some) for some in numbers]
    expected = [(a, b) for a, b in combinations(range(80), 2) if np.intersect1d(numbers[a], numbers[b]).size]
    assert 0 < len(expected) < 1000
    assert suspects(found) == expected
    for at_once in (1, 100, 1000):
        monkeypatch.setattr(traces, "_HASHES_AT_ONCE", at_once)
        store = HashStore()
        stored = [replace(one, ids=store.stored(one.ids)) for one in found]
        assert sum(isinstance(one.ids, StoredHashes) for one in stored) >= 40
        assert suspects(stored) == suspects(found) == expected


def test_the_same_hashes_are_kept_once(monkeypatch):
    """Pieces of work on one dataset name the same ids; those of other ones are put together from the file."""
    monkeypatch.setattr(traces, "_HASHES_AT_ONCE", 1)
    store = HashStore()
    one, again, other = (trace(f"{name}{number}" for number in range(9)) for name in "aab")
    stored = [replace(each, ids=store.stored(each.ids)) for each in (one, again, other)]
    assert stored[0].ids is stored[1].ids
    assert Traces.of_all(stored[:2], ()).ids is stored[0].ids
    assert Traces.of_all(stored, ()).ids.tolist() == sorted([*one.ids.tolist(), *other.ids.tolist()])


def test_the_file_ends_with_what_is_stored(monkeypatch):
    """It is closed when nobody has the hashes any more, without a warning."""
    monkeypatch.setattr(traces, "_HASHES_AT_ONCE", 0)
    store = HashStore()
    stored = store.stored(hashes_of(["a", "b"]))
    file = store._file
    del store
    gc.collect()
    assert stored.store.read(0, 2).size == 2
    del stored
    gc.collect()
    assert file.closed
