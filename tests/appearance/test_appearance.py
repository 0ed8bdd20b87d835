"""How a report looks is decided in one object, and the command line offers the same choices."""

from __future__ import annotations

import pytest

from reportkit.appearance import CHOICES, Appearance
from reportkit.errors import SettingsError, UnknownNameError


@pytest.mark.parametrize("name", CHOICES)
def test_an_unknown_value_is_answered_with_the_known_ones(name):
    """A value that is not among the choices is refused, with the choices."""
    with pytest.raises(UnknownNameError, match=CHOICES[name][0].replace("*", ".")):
        Appearance(**{name: "sideways"})


def test_an_unknown_field_is_answered_with_the_nearest():
    """A misspelt field is refused with the one that was meant."""
    with pytest.raises(UnknownNameError, match="venue"):
        Appearance().replace(venu="acl")


def test_switches_are_true_or_false():
    """A switch takes no number."""
    with pytest.raises(SettingsError, match="average"):
        Appearance(average=1)


def test_the_caption_stands_where_the_venue_has_it_unless_one_says_otherwise():
    """The side of captions follows the venue."""
    assert Appearance(venue="neurips").caption_side == "above"
    assert Appearance(venue="neurips", caption="below").caption_side == "below"
