"""Families with their systems, turned into the family of each system."""

from __future__ import annotations

import pytest

from reportkit.calibration.families import families_of
from reportkit.errors import SettingsError


def test_each_system_has_one_family():
    """Twice in one family is no harm; in two it is refused."""
    assert families_of({"x": ["a", "a", "b"]}) == {"a": "x", "b": "x"}
    with pytest.raises(SettingsError, match="two families, 'x' and 'y'"):
        families_of({"x": ["a"], "y": ["a"]})


def test_a_text_is_no_list_of_systems():
    """Its letters would be taken as systems."""
    with pytest.raises(SettingsError, match="list of systems"):
        families_of({"x": "abc"})
