"""Two columns taken together."""

from __future__ import annotations

import numpy as np

from reportkit.scores.table.coding import Coded
from reportkit.scores.table.crossing import crossed, ranks


def coded(values, *, ordered=False):
    """A column."""
    names = list(dict.fromkeys(values))
    return Coded(np.array([names.index(v) for v in values]), np.array(names, dtype=object), ordered)


def test_only_pairs_that_occur_in_natural_order():
    """First column first, numbers by value; each row finds its pair."""
    first, second = ["b", "a", "b", "b"], ["10", "2", "2", "10"]
    both = crossed(coded(first), coded(second), "/")
    assert both.pairs.names.tolist() == ["a/2", "b/2", "b/10"]
    assert [both.pairs.names[code] for code in both.pairs.codes] == [
        f"{a}/{b}" for a, b in zip(first, second, strict=True)
    ]
    assert both.pairs.ordered
    names = coded(first).names[both.first], coded(second).names[both.second]
    assert [f"{a}/{b}" for a, b in zip(*names, strict=True)] == both.pairs.names.tolist()


def test_a_declared_order_is_kept():
    """An ordered categorical has its own order."""
    column = coded(["z", "a"], ordered=True)
    assert ranks(column).tolist() == [0, 1]
    assert ranks(coded(["z", "a"])).tolist() == [1, 0]
    assert crossed(column, coded(["1", "1"]), " ").pairs.names.tolist() == ["z 1", "a 1"]
