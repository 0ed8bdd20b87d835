"""Venues: those that are shipped, and a user's own file."""

from __future__ import annotations

from pathlib import Path

import pytest

from reportkit.appearance import Appearance
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.venues import VENUES, venue_of

OWN = """title = "My thesis"
widths = [300.0, 300.0]
height = 600.0
caption = "above"
"""


def test_a_file_of_ones_own_is_a_venue(tmp_path: Path) -> None:
    """Its lines set widths and the side of captions; what it leaves out is as in LaTeX's article."""
    file = tmp_path / "thesis.toml"
    file.write_text(OWN, "utf-8")
    look = Appearance(venue=str(file))
    assert (look.preset.column_width, look.caption_side, look.preset.citation) == (300.0, "above", "cite")
    assert not look.preset.two_columns


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("300.0, 300.0", "300.0", "two numbers"),
        ("300.0, 300.0", "400.0, 300.0", "column"),
        ('"above"', '"left"', "caption is 'left'"),
        ("height", "heigth", "heigth"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, before: str, after: str, said: str) -> None:
    """The error names the file and says what is wrong in it."""
    file = tmp_path / "thesis.toml"
    file.write_text(OWN.replace(before, after), "utf-8")
    with pytest.raises(SettingsError, match=said) as caught:
        venue_of(str(file))
    assert "thesis.toml" in str(caught.value)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    """`acm` for `amc`."""
    with pytest.raises(UnknownNameError, match="acl"):
        Appearance(venue="alc")
    assert VENUES["emnlp"].widths == VENUES["acl"].widths
