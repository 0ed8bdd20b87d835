"""Forest plot: what is drawn, not how it looks: places of points, marks, intervals, words; nothing overlaps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from reportkit.figures.drawing.style import Span
from reportkit.figures.drawing.typography import typography_of
from reportkit.figures.drawings import drawing
from reportkit.figures.forest import ForestContent, forest_alt_text
from tests.figures.conftest import forest_of, numbers, shown_texts, words

CheckLayout = Callable[[Figure], None]


def draw(content: ForestContent, width: float | Span | None = None, venue: str = "report") -> Figure:
    """Return the figure of a content."""
    return drawing("forest").draw(content, width=width, venue=venue)


def points(figure: Figure, label: str) -> dict[int, float]:
    """Return the x of each marker of one kind by row."""
    (line,) = (line for line in figure.axes[0].lines if line.get_label() == label)
    return {int(y): float(x) for x, y in zip(*map(np.asarray, line.get_data()), strict=True)}


def intervals(axes: Axes) -> dict[int, tuple[float, float]]:
    """Return the ends of the drawn interval by row."""
    found = {}
    for collection in axes.collections:
        if isinstance(collection, LineCollection) and collection.get_label() == "_intervals":
            for (low, y), (high, _) in collection.get_segments():
                found[int(y)] = (float(low), float(high))
    return found


def test_points_stand_at_the_differences_with_their_marks() -> None:
    """Of 23 languages three are filled, the three starred losers of Table 3 crossed, all others hollow."""
    content = forest_of(numbers("pos"))
    figure = draw(content)
    drawn = {mark: points(figure, f"_{mark}") for mark in ("identified", "not_identified", "other_sign")}
    together = drawn["identified"] | drawn["not_identified"] | drawn["other_sign"]
    assert [together[row] for row in range(23)] == [row.difference for row in content.rows]
    assert figure.axes[0].get_ylim() == (22.5, -0.5)
    named = {mark: {content.rows[row].dataset for row in rows} for mark, rows in drawn.items()}
    assert named["identified"] == {"Hungarian", "Chinese", "Czech"}
    assert named["other_sign"] == {"Tamil", "Basque", "Indonesian"}
    faces = {line.get_label(): line.get_markerfacecolor() for line in figure.axes[0].lines}
    assert (faces["_identified"], faces["_not_identified"]) == ("#000000", "#ffffff")


def test_intervals_are_drawn_as_given() -> None:
    """The drawn bars end where the intervals do; one without ends spans the axis, with an arrow at each end."""
    content = forest_of(numbers("small"), unbounded=(1,))
    axes = draw(content).axes[0]
    left, right = axes.get_xlim()
    expected = {row: (item.low, item.high) for row, item in enumerate(content.rows)} | {1: (left, right)}
    drawn = intervals(axes)
    np.testing.assert_allclose([drawn[row] for row in range(4)], [expected[row] for row in range(4)])
    arrows = [line for line in axes.lines if line.get_label() == "_unbounded" and len(line.get_xdata())]
    assert {(line.get_marker(), float(line.get_xdata()[0])) for line in arrows} == {("<", left), (">", right)}


def test_words_say_what_is_drawn() -> None:
    """Names, figures, adjusted p-values, the key, both directions and the name of the axis are written."""
    figure = draw(forest_of(numbers("small")), width="text")
    expected = {
        "tweets", "nyt", "+4.10", "<.001", ".48", "diff.", "adj. $p$", "better (Holm, .05)", "not shown",
        "adjusted interval", "← vader better", "afinn better →", "difference in accuracy (points)",
    }  # fmt: skip
    assert expected - set(words(figure)) == set()
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined] # of Agg
    extents = {text.get_text(): text.get_window_extent(renderer) for text in shown_texts(figure)}
    assert extents["← vader better"].x1 < extents["afinn better →"].x0


@pytest.mark.slow
@pytest.mark.parametrize("venue", ["acl", "article"])
@pytest.mark.parametrize("which", ["small", "similarity", "pos", "many", "hostile"])
def test_nothing_overlaps_or_is_cut_off(which: str, venue: str, check_layout: CheckLayout) -> None:
    """With 4 to 100 datasets and names of any kind all texts are legible, inside the page and apart from each other."""
    names = {"system_a": "R&D_50%~{x}\\^$#", "system_b": "$\\alpha$ 中文 " + "very long name " * 4}
    figure = draw(forest_of(numbers(which), **(names if which == "hostile" else {})), venue=venue)
    assert 72 * figure.get_figheight() <= typography_of(venue).page_height + 1e-6
    check_layout(figure)


@pytest.mark.slow
def test_the_check_of_layout_notices_overlaps_and_cuts(check_layout: CheckLayout) -> None:
    """The check used above fails where two texts lie on each other and where one leaves the page."""
    figure = draw(forest_of(numbers("small")))
    figure.text(0.5, 0.5, "first")
    figure.text(0.51, 0.5, "second")
    with pytest.raises(AssertionError, match="overlap"):
        check_layout(figure)
    figure = draw(forest_of(numbers("small")))
    figure.text(0.98, 0.5, "a long text at the edge")
    with pytest.raises(AssertionError, match="cut off on the right"):
        check_layout(figure)


def test_columns_of_figures_give_way_to_the_axis() -> None:
    """In a narrow figure with long names the differences are left out; the axis keeps its third."""
    content = forest_of((["a rather long name of a dataset"] * 3, [0.1, 0.2, 0.3], [0.01, 0.02, 0.03]))
    wide, narrow = draw(content, "text"), draw(content, 140.0)
    assert {"diff.", "adj. $p$"} <= set(words(wide))
    assert "diff." not in words(narrow)
    assert "adj. $p$" in words(narrow)
    assert all(figure.axes[0].get_position().width > 0.33 for figure in (wide, narrow))


def test_alt_text_says_what_is_drawn() -> None:
    """Quantity, systems, number of datasets, extremes, identified and contradicting datasets are said in words."""
    text = forest_alt_text(forest_of(numbers("pos"), system_a="Mimick", system_b="Char→Tag"))
    for part in (
        "difference in accuracy in points between Mimick and Char→Tag on 23 datasets; Mimick is ahead on 13",
        "largest on Chinese (+3.85) and smallest on Tamil (-3.42)",
        "Shown at level .05 (Holm): Mimick is better on Hungarian (+3.10), Chinese (+3.85) and Czech (+0.64)",
        "Crosses: on Tamil, Basque and Indonesian Mimick is not ahead",
    ):
        assert part in text
    text = forest_alt_text(forest_of((["a", "b"], [0.5, 0.5], [0.0, 0.0])))
    assert "is not shown to be better on any dataset" in text
    assert "largest" not in text
    strange = forest_alt_text(forest_of(numbers("hostile"), alpha=0.4))
    strange.encode("utf-8")
    assert "\n" not in strange
