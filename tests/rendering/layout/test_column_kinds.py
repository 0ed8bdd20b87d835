"""Which columns are cut in two in print."""

from __future__ import annotations

import pytest

from reportkit.rendering.layout.column_kinds import Kind, at_the_point, column_kinds
from reportkit.report.model import Align, Cell, Column, Row, Table
from reportkit.report.prose import prose
from tests.rendering.conftest import grid, words


def _kind(texts: list[str], align: Align = "right", mark: str = "") -> Kind:
    rows = tuple(Row(cells=(Cell(text=words(text), mark=mark),)) for text in texts)
    (kind,) = column_kinds(Table(name="t", caption=(), columns=(Column(header=(), align=align),), rows=rows))
    return kind


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        ([".036", ".48", "<.001", "1"], "point"),
        (["3.9×10⁻¹⁰", ".072"], "point"),
        (["1.0×10⁻⁴", "2.5×10⁻⁷"], "point"),
        (["84.1", "9.3", "–"], "single"),
        (["1,024", "872"], "single"),
        ([".05", ".01"], "single"),
        ([".036", ".48", "not tested here"], "single"),
        ([".036", "1.2.3"], "single"),
        ([], "single"),
    ],
)
def test_numbers_with_different_decimals(texts: list[str], kind: Kind) -> None:
    """Only columns of numbers, and only where their decimals differ."""
    assert _kind(texts) == kind
    assert _kind(texts, "left") == "single"
    assert _kind(texts, mark="*") == (kind if kind == "point" or not texts else "marks")


def test_scores_with_marks() -> None:
    """A column without a mark stays one column."""
    assert column_kinds(grid(datasets=("a", "b"), plain_every=2)) == ("single", "single", "marks")


@pytest.mark.parametrize(
    ("text", "whole", "fraction"),
    [
        ("84.1", "84", ".1"),
        ("−0.5", "−0", ".5"),
        (">.99", ">", ".99"),
        ("+3.1", "+3", ".1"),
        ("1|2", "1|2", ""),
        ("a.1", "a.1", ""),
    ],
)
def test_cut_at_the_point(text: str, whole: str, fraction: str) -> None:
    """Signs belong to what stands before the point."""
    assert at_the_point(words(text)) == (words(whole), words(fraction))


def test_symbols_are_not_cut() -> None:
    """Only plain numbers have a point."""
    assert at_the_point(prose("{alpha} .5")) == (prose("{alpha} .5"), ())
