"""Markdown, as another parser reads it."""

from __future__ import annotations

from itertools import pairwise

from markdown_it import MarkdownIt

from reportkit.checker.engine import check_text
from reportkit.checker.outputs.markdown import written


def test_the_table_has_one_row_for_each_finding(report):
    """Five cells each, and the words of the messages unharmed."""
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(written(report))
    cells = [
        "".join(child.content for child in token.children)
        for before, token in pairwise(tokens)
        if token.type == "inline" and before.type == "td_open"
    ]
    rows = [cells[start : start + 5] for start in range(0, len(cells), 5)]
    assert [row[1] for row in rows] == [item.code for item in report]
    assert [row[3] for row in rows] == [item.message for item in report]
    assert [row[2] for row in rows] == [item.place for item in report]


def test_without_findings_there_is_no_table():
    """Only what was found and what was covered."""
    assert "|" not in written(check_text("Fine."))
