"""Even columns in the source."""

from __future__ import annotations

from reportkit.rendering.text.padding import padded


def test_columns_are_even_but_for_very_long_cells() -> None:
    """One cell of a hundred characters does not widen the others."""
    rows = [["a", "1", "x"], ["b" * 100, "22", "y"], ["ccc", "3", "z"]]
    assert padded(rows) == [["a  ", "1 ", "x"], ["b" * 100, "22", "y"], ["ccc", "3 ", "z"]]


def test_wide_and_combining_characters_count_as_they_show() -> None:
    """Two columns for a Chinese character, none for a combining mark."""
    assert padded([["中", "1"], ["k̂", "2"], ["abc", "3"]], last=True) == [["中 ", "1"], ["k̂  ", "2"], ["abc", "3"]]


def test_no_rows() -> None:
    """Nothing in, nothing out."""
    assert padded([]) == []
