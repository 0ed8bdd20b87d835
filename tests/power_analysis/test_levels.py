"""Checks of levels, alternatives and counts."""

import math

import pytest

from reportkit.errors import SettingsError
from reportkit.power_analysis.levels import check_count, check_positive, check_probability, one_sided_level


def test_two_sided_tests_have_half_the_level_in_each_direction():
    """So that rejections in the planned direction are counted."""
    assert one_sided_level(0.05, "two-sided") == 0.025
    assert one_sided_level(0.05, "greater") == 0.05


@pytest.mark.parametrize("value", [0, 1, -0.1, math.nan])
def test_probabilities_lie_strictly_inside(value):
    """The name and the value are said."""
    with pytest.raises(SettingsError, match=f"alpha is {value!r}"):
        check_probability("alpha", value)


@pytest.mark.parametrize("value", [0, -1.0, math.nan, math.inf])
def test_positive_numbers(value):
    """Neither 0 nor infinite."""
    with pytest.raises(SettingsError, match=f"sd is {value!r}"):
        check_positive("sd", value)


@pytest.mark.parametrize("value", [0, 2.5, True])
def test_counts_are_whole(value):
    """A fraction of an instance cannot be planned, nor can True."""
    with pytest.raises(SettingsError, match=f"n is {value!r}"):
        check_count("n", value)
