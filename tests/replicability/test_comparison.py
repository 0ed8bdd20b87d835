"""What a comparison collects from its assessments."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

from reportkit.replicability.comparison import Comparison


def _comparison(**changes):
    assessments = [
        SimpleNamespace(
            dataset=name,
            metric="score",
            unit="instance",
            p_greater=p,
            p_less=1 - p,
            p_min=0.0,
            method="exact",
            difference=difference,
            score_difference=score,
            n=10,
            n_dropped=0,
            n_imputed=0,
            relative_error=0.0,
            standard_error=None,
            findings=(),
        )
        for name, p, difference, score in (("x", 0.01, 1.0, 0.5), ("y", 0.02, 1.0, -0.5), ("z", 0.9, -1.0, -1.0))
    ]
    values = {
        "system_a": "a",
        "system_b": "b",
        "assessments": tuple(assessments),
        "adjusted_p_values": np.array([0.03, 0.04, 0.9]),
        "stepwise_p_values": np.array([0.03, 0.04, 0.9]),
        "share": 1,
        "k_hat": {},
        "partial_conjunction": {},
    }
    return Comparison(**{**values, **changes})


def test_values_are_collected_once_and_cannot_be_changed():
    """A report asks for them once per dataset: they are the same array each time, and nobody can write into it."""
    comparison = _comparison()
    assert comparison.datasets == ("x", "y", "z")
    assert comparison.p_values is comparison.p_values
    assert comparison.differences is comparison.differences
    np.testing.assert_array_equal(comparison.p_values, [0.01, 0.02, 0.9])
    with pytest.raises(ValueError, match="read-only"):
        comparison.p_values[0] = 0


def test_a_mark_needs_both_signs_at_its_own_level():
    """Identified at the level, the estimate and the difference of the scores both positive."""
    comparison = _comparison()
    assert comparison.marked(0.05).tolist() == [True, False, False]
    assert comparison.marked(0.02).tolist() == [False, False, False]
    assert comparison.identified(0.05).tolist() == [True, True, False]


def test_a_copy_with_other_assessments_collects_anew():
    """What was collected before stays with the comparison that it was collected from."""
    comparison = _comparison()
    assert comparison.p_values.size == comparison.n_datasets
    shorter = dataclasses.replace(comparison, assessments=comparison.assessments[1:])
    assert shorter.p_values.tolist() == [0.02, 0.9]
    assert shorter.datasets == ("y", "z")
