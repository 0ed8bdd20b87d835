"""The hold-out estimate."""

from __future__ import annotations

import pytest

from reportkit.errors import DesignError, InputError
from reportkit.reproducibility_analysis import hold_out


def test_hold_outs_of_one_test_set():
    """Accuracy of labels, and chunk F1 of sentences that stand in any order."""
    assert hold_out([1, 0, 1], [1, 1, 1]) == pytest.approx(2 / 3)
    gold, predicted = ["B", "I", "B", "B"], ["B", "I", "B", "I"]
    assert hold_out(gold, predicted, owner=["s2", "s2", "s1", "s1"], metric="chunk-f1") == pytest.approx(2 / 5)
    with pytest.raises(DesignError, match="which tokens stand in one sentence"):
        hold_out(gold, predicted, metric="chunk-f1")
    with pytest.raises(InputError, match="do not stand together"):
        hold_out(gold, predicted, owner=["s2", "s1", "s2", "s1"], metric="chunk-f1")
    with pytest.raises(InputError, match=r"gold labels have the shape \(0,\)"):
        hold_out([], [])
