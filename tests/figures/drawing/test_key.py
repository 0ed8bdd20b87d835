"""The key: signs with their meanings, distributed over lines."""

from __future__ import annotations

import pytest
from matplotlib.lines import Line2D

from reportkit.figures.drawing.key import Sign, draw_key, key_lines, line_width
from reportkit.figures.drawing.lettering import text_width
from reportkit.figures.drawing.new_figure import new_figure
from reportkit.figures.drawing.style import style
from reportkit.figures.drawing.typography import typography

SIGNS = [
    Sign(meaning="identified", marker="o"),
    Sign(meaning="not identified", marker="o", filled=False),
    Sign(meaning=r"$\hat{k}$ = 3", marker="D", line="--"),
]


def test_lines_keep_order_and_width() -> None:
    """All signs are there, in order; a line is only as wide as asked for unless a single sign is wider."""
    for width in (40, 90, 120, 400):
        lines = key_lines(SIGNS, width)
        assert [sign for line in lines for sign in line] == SIGNS
        assert all(line_width(line) <= width or len(line) == 1 for line in lines)
    assert len(key_lines(SIGNS, 400)) == 1


def test_formulas_are_measured_as_formulas() -> None:
    """The width of a meaning with a formula is not that of its source."""
    sign = SIGNS[2]
    assert sign.width == pytest.approx(sign.sign_width + 3.0 + text_width(sign.meaning, typography().small, math=True))
    assert sign.width < sign.sign_width + text_width(sign.meaning, typography().small)


def test_markers_and_words_are_drawn() -> None:
    """Each sign has one marker, filled or hollow as it says, and its words to the right of it."""
    with style():
        figure = new_figure(300, 40)
        draw_key(figure, [SIGNS], 1.0, 40.0)
    lines = [artist for artist in figure.artists if isinstance(artist, Line2D)]
    markers = [(line.get_marker(), line.get_markerfacecolor(), line.get_linestyle()) for line in lines]
    assert markers == [("o", "#000000", "None"), ("o", "white", "None"), ("D", "#000000", "--")]
    assert [text.get_text() for text in figure.texts] == [sign.meaning for sign in SIGNS]
    for text, line in zip(figure.texts, lines, strict=True):
        assert text.get_position()[0] > max(line.get_xdata())
