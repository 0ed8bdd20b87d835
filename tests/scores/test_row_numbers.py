"""Rows are named as the file or the frame counts them."""

from __future__ import annotations

import pytest

from reportkit.scores.codes import names_text, quoted, rows_text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("results.csv", "lines 2 and 4"),
        ("a.b/results.v2.TSV.gz", "lines 2 and 4"),
        ("results.jsonl", "lines 1 and 3"),
        ("results.parquet", "rows 1 and 3 (counted from 1)"),
        ("DataFrame", "rows 0 and 2 (as iloc counts)"),
    ],
)
def test_rows(source: str, text: str) -> None:
    """The header of a delimited file is line 1, JSON Lines have none, frames count from 0."""
    assert rows_text([0, 2], source) == text


def test_long_names_and_lists_are_cut() -> None:
    """A message stays readable with ids of 200 characters and with many names."""
    assert len(quoted("x" * 200)) < 75
    assert names_text(list("abcdefg")) == "'a', 'b', 'c', 'd', 'e' and 2 more"
