"""Lettering: widths agree with what is drawn, and what is made to fit does fit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.figures.drawing.fonts import drawable
from reportkit.figures.drawing.lettering import ELLIPSIS, all_shortened, filled, shortened, text_width, wrapped
from reportkit.figures.drawing.new_figure import new_figure
from reportkit.figures.drawing.style import style, write

NAMES = st.text(st.sampled_from("abcXYZ059 _-/.éß→中$\\"), max_size=60)


@pytest.mark.parametrize(
    ("text", "math"),
    [
        ("difference in accuracy (percentage points)", False),
        ("$x_1$ & 50%", False),
        (r"$u$ (better on at least $u$ of 23 datasets)", True),
    ],
)
def test_width_is_that_of_the_drawn_text(text: str, math: bool) -> None:
    """The measured width agrees with the extent of the text drawn by Agg to 1%."""
    with style():
        figure = new_figure(400, 40)
        figure.set_dpi(300)
        drawn = write(figure, 5, 10, text, math=math).get_window_extent(figure.canvas.get_renderer()).width
    assert text_width(text, 8.0, math=math) == pytest.approx(drawn * 72 / 300, rel=0.01)


@given(NAMES, st.floats(15, 150), st.sampled_from(["ends", "start", "end"]))
@settings(deadline=None, max_examples=80)
def test_shortened_text_fits(name: str, width: float, keep: str) -> None:
    """A shortened text is never wider than asked for, and one that fits is not touched."""
    short = shortened(name, width, 8.0, keep=keep)
    assert text_width(short, 8.0) <= width
    if text_width(name, 8.0) <= width:
        assert short == drawable(name)
    else:
        assert ELLIPSIS in short


@given(NAMES, st.integers(1, 3))
@settings(deadline=None, max_examples=60)
def test_wrapped_lines_fit(name: str, lines: int) -> None:
    """No line is too wide, there are not too many, and without an ellipsis nothing but spaces is lost."""
    broken = wrapped(name, 60.0, 8.0, lines=lines)
    assert len(broken) <= lines
    assert all(text_width(line, 8.0) <= 60.0 for line in broken)
    if not any(ELLIPSIS in line for line in broken):
        assert "".join(broken).replace(" ", "") == drawable(name).replace(" ", "")


def test_combining_marks_stay_with_their_letter() -> None:
    """A cut never begins with a combining mark (q̃ has no composed form)."""
    name = "q\u0303" * 40
    for width in range(20, 60, 3):
        head, _, tail = shortened(name, width, 8.0).partition(ELLIPSIS)
        assert not tail.startswith("\u0303")
        assert not head or head.endswith("\u0303")


def test_shortened_names_stay_different() -> None:
    """Names that differ at the end, at the start or soon after it are told apart after shortening."""
    same = "a benchmark of long names "
    for names in ([same + "A", same + "B"], ["A " + same, "B " + same], ["a long A " + same, "a long B " + same]):
        assert len(set(all_shortened(names, 60.0, 8.0))) == 2


def test_parts_are_never_broken() -> None:
    """A part that is too wide by itself gets a line of its own; empty parts vanish."""
    assert filled(["aaaa", "", "bb", "cccccccc", "d"], 7, len) == ["aaaa bb", "cccccccc", "d"]
