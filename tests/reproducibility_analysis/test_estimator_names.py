"""Names of estimators: as people write them, and in which order they stand."""

from __future__ import annotations

import pytest

from reportkit.errors import DesignError, UnknownNameError
from reportkit.reproducibility_analysis.estimator_names import MIXTURES, estimator_name, method_rank, repeated_splits


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("st", "ST"),
        ("Hold-out", "ST"),
        ("repeated hold-out", "RS"),
        ("RS12", "RS12"),
        ("AVERAGE", "Avg"),
        ("vote", "Vote"),
    ],
)
def test_names_are_known(given, name):
    """Whatever the case and the hyphens."""
    assert estimator_name(given) == name


def test_others_are_refused():
    """A mixture is computed, and an unknown name is answered with the nearest."""
    with pytest.raises(DesignError, match="computed from vote and average"):
        estimator_name("mixture")
    with pytest.raises(UnknownNameError, match="'Vots'"):
        estimator_name("Vots")


def test_order():
    """That of Table 4, the reversed mixture last."""
    names = ["ST", "RS", "RS6", "Avg", "Vote", *MIXTURES]
    assert sorted(set(names), key=method_rank) == names
    assert repeated_splits("RS0") is None
