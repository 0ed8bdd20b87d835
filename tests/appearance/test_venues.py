"""Venues: their lengths fit together, the help names them, and a user may add one."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from reportkit.appearance.appearance import Appearance
from reportkit.appearance.venues import VENUES, register_venue
from reportkit.cli.main import group
from reportkit.errors import SettingsError


@pytest.mark.parametrize("name", VENUES)
def test_lengths_are_those_of_a_page(name):
    """A column is no wider than the text, sizes fall, and nothing is too small to be read."""
    venue = VENUES[name]
    assert venue.name == name
    assert venue.title
    assert 150 < venue.column_width <= venue.text_width < venue.text_height < 800
    points = [size.points for size in venue.sizes]
    assert points == sorted(points, reverse=True)
    assert points[-1] >= 8
    assert all(size.leading > size.points for size in venue.sizes)


def test_the_help_names_every_venue_that_one_may_ask_for():
    """`reportkit build --help` follows from the registry."""
    shown = " ".join(CliRunner().invoke(group, ["build", "--help"]).output.split())
    assert f"captions of: {', '.join(name for name in VENUES.built_in if name != 'report')}." in shown


def test_a_venue_of_ones_own_is_one_of_them():
    """It is asked for by its name, may be replaced, and takes no name of another."""
    own = replace(VENUES["acm"], name="thesis", caption="below")
    assert register_venue(own) is own
    try:
        assert Appearance(venue="thesis").caption_side == "below"
        assert register_venue(replace(own, caption="above")) is VENUES["thesis"]
        assert "thesis" not in VENUES.built_in
    finally:
        VENUES.remove("thesis")
    with pytest.raises(SettingsError, match="there is no venue 'thesis'"):
        Appearance(venue="thesis")
    with pytest.raises(SettingsError, match="there is a venue 'acm' already"):
        register_venue(replace(own, name="acm"))
    with pytest.raises(SettingsError, match="is no venue"):
        register_venue("thesis")
