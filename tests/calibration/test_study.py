"""What a study looks at: numbers that make sense, names that are known."""

from __future__ import annotations

import pytest

from reportkit.calibration.study import StudyPlan
from reportkit.errors import SettingsError, UnknownNameError


def test_a_quick_study_never_does_more():
    """Numbers that are smaller already stay."""
    plan = StudyPlan(n_replicates=50, max_tests=400_000).quick()
    assert (plan.n_replicates, plan.max_tests) == (50, 5_000)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"alpha": 1.0}, SettingsError),
        ({"confidence_level": 0.0}, SettingsError),
        ({"n_replicates": 0}, SettingsError),
        ({"rng": -1}, SettingsError),
        ({"parts": ("nil",)}, UnknownNameError),
        ({"parts": ()}, SettingsError),
        ({"null": "split"}, UnknownNameError),
    ],
)
def test_senseless_plans_are_refused(options, error):
    """With what is allowed."""
    with pytest.raises(error):
        StudyPlan(**options)
