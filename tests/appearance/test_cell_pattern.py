"""Patterns of cells: what they may hold, and how they are taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reportkit
from reportkit.appearance import Appearance
from reportkit.cell_pattern import FIELDS, parse_cell_pattern
from reportkit.errors import SettingsError, UnknownNameError
from tests.contract import frames


@pytest.mark.parametrize("name", [name for name in FIELDS if name != "score"])
def test_every_field_is_understood(name):
    """Each field may stand next to the score."""
    assert parse_cell_pattern(f"{{score}} {{{name}}}").fields == ("score", name)


@given(words=st.lists(st.text(st.characters(exclude_characters="{}")), min_size=3, max_size=3))
def test_taking_apart_loses_nothing(words):
    """The pieces one after the other are the pattern."""
    text = "{score}".join(words[:2]) + "{sd}" + words[2]
    pieces = [piece for part in parse_cell_pattern(text).parts for piece in part.pieces]
    assert "".join(piece.words or f"{{{piece.field}}}" for piece in pieces) == text


def test_a_misspelt_field_is_answered_with_the_nearest():
    """And with all that there are."""
    with pytest.raises(UnknownNameError, match="did you mean 'ci_low'"):
        parse_cell_pattern("{score} {ci_lo}")


@pytest.mark.parametrize(
    "text",
    [
        "{score.__class__}",
        "{score[0]}",
        "{score!r}",
        "{score:>20}",
        "{score:{sd}}",
        "{}",
        "{0}",
        "{score",
        "score}",
        "{sd}",
        "{score} {score}",
        "{score} {p:.3f}",
        "{score} {n:.1f}",
        "",
    ],
)
def test_nothing_else_of_the_format_language_is_allowed(text):
    """No attributes, indices, conversions, alignments; braces closed; a score, and each field once."""
    with pytest.raises(SettingsError):
        Appearance(cell=text)


def test_brackets_make_parts_that_may_be_left_out():
    """What is in brackets belongs together, with the space before it."""
    parts = parse_cell_pattern("{score} ± {sd:.2f} ({diff}, {p}) [{ci_low}]{mark}").parts
    assert [part.bracket for part in parts] == ["", "(", "[", ""]
    assert [part.fields for part in parts] == [("score", "sd"), ("diff", "p"), ("ci_low",), ("mark",)]
    assert parts[1].pieces[0].words == " ("
    assert parts[0].pieces[2].decimals == 2


def test_marks_need_a_place():
    """Asking for daggers in cells without {mark} is a contradiction; leaving marks alone is none."""
    with pytest.raises(SettingsError, match=r"\{mark\}"):
        Appearance(cell="{score}", marks="daggers")
    assert not Appearance(cell="{score}").pattern.marked


def test_what_nobody_knows_is_refused():
    """A spread over instances of a metric of sums, and numbers of instances that a paper does not print."""
    for frame, cell, why in (
        (frames.entities(), "{score} ± {sd}", "the field 'sd' is not known"),
        (frames.printed(), "{score} {n}", "the number of instances is not printed"),
    ):
        with pytest.raises(SettingsError, match=why):
            reportkit.compare(frame, "new", "old").styled(cell=cell).table()
