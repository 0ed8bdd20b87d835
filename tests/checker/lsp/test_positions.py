"""Offsets and positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("lsprotocol", reason="lsprotocol is not installed")

from lsprotocol.types import Position

from reportkit.checker.lsp.positions import Positions

TEXTS = st.text(st.sampled_from("ab\n\ré\u2028\f𝒳\ufeff"), max_size=20)


@given(TEXTS, st.sampled_from(["utf-16", "utf-8", "utf-32"]))
def test_every_character_has_a_position_of_its_own_that_leads_back(text, encoding):
    """Lines end as the protocol says (not at a form feed), and columns are bytes of the encoding in its units."""
    positions = Positions(text, encoding)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for offset, sign in enumerate(text):
        place = positions.at(offset)
        before = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if not text[:offset].endswith("\r") or sign != "\n":
            assert positions.offset(place) == offset
            width = {"utf-16": 2, "utf-8": 1, "utf-32": 4}[encoding]
            assert place == Position(
                len(before) - 1, len(before[-1].encode(f"{encoding}-le" if width > 1 else "utf-8")) // width
            )
    assert positions.at(len(text)).line == len(lines) - 1


@given(TEXTS, st.integers(0, 30), st.integers(0, 30))
def test_a_position_that_is_not_there_is_within_the_text(text, line, character):
    """Editors may ask beyond the end of a line."""
    assert 0 <= Positions(text).offset(Position(line, character)) <= len(text)
