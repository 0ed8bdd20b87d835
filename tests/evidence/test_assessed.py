"""A claim on all datasets: refused without a dataset; its mirror image is its own."""

from __future__ import annotations

import pytest

from reportkit.bayes import better_by_more_than
from reportkit.errors import DesignError
from reportkit.evidence.assessed import assess_claim


def test_no_dataset_is_refused():
    """Two systems that share no dataset cannot be compared."""
    with pytest.raises(DesignError, match="no dataset in common"):
        assess_claim([], [], better_by_more_than(0.0))
