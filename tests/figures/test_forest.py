"""Forest plot: what is drawn, not how it looks: places of points, marks, intervals, words; nothing overlaps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray

from reportkit.errors import UnknownNameError
from reportkit.figures import forest as drawn_by
from reportkit.figures.drawing.style import Span
from reportkit.figures.drawing.typography import typography_of
from reportkit.figures.drawings import DRAWINGS
from reportkit.figures.forest_content import Order, forest_content
from reportkit.replicability.comparison import Comparison
from reportkit.significance.interval import Interval
from tests.figures.conftest import shown_texts, words

Build = Callable[..., Comparison]
CheckLayout = Callable[[Figure], None]


def forest(
    comparison: Comparison,
    *,
    alpha: float,
    width: float | Span | None = None,
    order: Order = "given",
    venue: str = "report",
) -> Figure:
    """Content and drawing in one step."""
    content = forest_content(comparison, alpha=alpha, order=order, intervals=given(comparison))
    return DRAWINGS["forest"].draw(content, width=width, venue=venue)


def forest_alt_text(comparison: Comparison, *, alpha: float) -> str:
    """Content and alternative text in one step."""
    return drawn_by.forest_alt_text(forest_content(comparison, alpha=alpha, intervals=given(comparison)))


def given(comparison: Comparison) -> list[Interval | None]:
    """The intervals of a comparison, in the place of those at the levels of the decisions."""
    return [item.interval for item in comparison.assessments]


def points(figure: Figure, label: str) -> dict[int, float]:
    """Row to x of the markers of one kind."""
    (line,) = (line for line in figure.axes[0].lines if line.get_label() == label)
    return {int(y): float(x) for x, y in zip(*map(np.asarray, line.get_data()), strict=True)}


def intervals(axes: Axes) -> dict[int, tuple[float, float]]:
    """Row to ends of the drawn interval."""
    found = {}
    for collection in axes.collections:
        if isinstance(collection, LineCollection) and collection.get_label() == "_intervals":
            for (low, y), (high, _) in collection.get_segments():
                found[int(y)] = (float(low), float(high))
    return found


def test_points_stand_at_the_differences(pos: Comparison) -> None:
    """Each of the 23 languages has one marker at its difference in percentage points, from top to bottom."""
    figure = forest(pos, alpha=0.05)
    drawn = points(figure, "_identified") | points(figure, "_not_identified") | points(figure, "_other_sign")
    assert sorted(drawn) == list(range(23))
    np.testing.assert_allclose([drawn[row] for row in range(23)], 100 * pos.differences)
    bottom, top = figure.axes[0].get_ylim()
    assert (bottom, top) == (22.5, -0.5)


def test_filled_markers_are_the_identified_datasets(pos: Comparison) -> None:
    """Hungarian, Chinese and Czech are filled, the three starred losers of Table 3 crossed, all others hollow."""
    figure = forest(pos, alpha=0.05)
    names = pos.datasets
    assert {names[row] for row in points(figure, "_identified")} == {"Hungarian", "Chinese", "Czech"}
    assert {names[row] for row in points(figure, "_other_sign")} == {"Tamil", "Basque", "Indonesian"}
    faces = {line.get_label(): line.get_markerfacecolor() for line in figure.axes[0].lines}
    assert (faces["_identified"], faces["_not_identified"]) == ("#000000", "#ffffff")
    stricter = forest(pos, alpha=1e-9)
    assert {names[row] for row in points(stricter, "_identified")} == {"Chinese"}


def test_intervals_are_drawn_as_given(small: Comparison) -> None:
    """The drawn bars end where the intervals do, in percentage points; the line of no difference is at 0."""
    figure = forest(small, alpha=0.05)
    expected = {
        row: (100 * item.interval.low, 100 * item.interval.high)
        for row, item in enumerate(small.assessments)
        if item.interval is not None
    }
    drawn = intervals(figure.axes[0])
    assert drawn.keys() == expected.keys()
    np.testing.assert_allclose([drawn[row] for row in drawn], [expected[row] for row in drawn])
    (zero,) = (line for line in figure.axes[0].lines if line.get_label() == "_zero")
    assert list(zero.get_xdata()) == [0.0, 0.0]


def test_unbounded_intervals_end_in_arrows(build: Build) -> None:
    """An interval without ends spans the axis, with an arrow at each end; the axis itself stays finite."""
    comparison = build(["a", "b"], [0.01, 0.4], [0.03, 0.01], unbounded=(1,))
    axes = forest(comparison, alpha=0.05).axes[0]
    left, right = axes.get_xlim()
    assert np.isfinite([left, right]).all()
    assert intervals(axes)[1] == (left, right)
    arrows = [line for line in axes.lines if line.get_label() == "_unbounded" and len(line.get_xdata())]
    assert {(line.get_marker(), float(line.get_xdata()[0])) for line in arrows} == {("<", left), (">", right)}


def test_points_without_intervals(similarity: Comparison) -> None:
    """Printed results have points alone, and the key does not speak of intervals."""
    figure = forest(similarity, alpha=0.05)
    assert intervals(figure.axes[0]) == {}
    assert len(points(figure, "_identified")) + len(points(figure, "_not_identified")) == 11
    assert not any("interval" in text for text in words(figure))


def test_words_say_what_is_drawn(small: Comparison) -> None:
    """Names, figures, adjusted p-values, the key, both directions and the name of the axis are written."""
    written = words(forest(small, alpha=0.05))
    expected = [
        "tweets", "nyt editorials", "+4.1", "+0.04", "<.001", ".48", "diff.", "adj. $p$", "better (Holm, .05)",
        "not shown", "adjusted interval", "← vader better", "afinn better →",
        "difference in accuracy (percentage points)",
    ]  # fmt: skip
    assert [text for text in expected if text not in written] == []


def test_direction_words_stand_at_the_ends_of_the_axis(similarity: Comparison) -> None:
    """The word for each system is on the side where its values are, apart from the other one."""
    figure = forest(similarity, alpha=0.05, width="text")
    renderer = figure.canvas.get_renderer()
    extents = {text.get_text(): text.get_window_extent(renderer) for text in shown_texts(figure)}
    assert extents["← GLOVE better"].x1 < extents["W2V better →"].x0


def test_lower_is_better_keeps_better_on_the_right(build: Build) -> None:
    """Where lower is better, positive values still favour A."""
    comparison = build(["a"], [0.01], [0.02], metric="TER", kind="continuous", higher_is_better=False)
    written = words(forest(comparison, alpha=0.05))
    assert "difference in TER" in written
    assert "afinn better →" in written


@pytest.mark.parametrize("order", ["difference", "p_value"])
def test_orders(pos: Comparison, order: str) -> None:
    """Rows can be ordered by falling difference or by rising p-value."""
    figure = forest(pos, alpha=0.05, order=order)  # type: ignore[arg-type]
    drawn = points(figure, "_identified") | points(figure, "_not_identified") | points(figure, "_other_sign")
    values = np.array([drawn[row] for row in range(23)])
    if order == "difference":
        assert (np.diff(values) <= 0).all()
    else:
        np.testing.assert_allclose(values, 100 * pos.differences[np.argsort(pos.p_values, kind="stable")])
    names = [text for text in words(figure) if text in pos.datasets]
    assert sorted(names) == sorted(pos.datasets)
    assert names != list(pos.datasets)


def test_unknown_order_is_an_error(small: Comparison) -> None:
    """A misspelt order is answered with the right one."""
    with pytest.raises(UnknownNameError, match="did you mean 'p_value'"):
        forest(small, alpha=0.05, order="pvalue")  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("venue", ["report", "neurips", "article", "ieee"])
@pytest.mark.parametrize("which", ["small", "similarity", "pos", "many", "hostile"])
def test_nothing_overlaps_or_is_cut_off(
    which: str, venue: str, request: pytest.FixtureRequest, check_layout: CheckLayout
) -> None:
    """With 4 to 100 datasets and names of any kind all texts are legible, inside the page and apart from each other."""
    figure = forest(request.getfixturevalue(which), alpha=0.05, venue=venue)
    assert 72 * figure.get_figheight() <= typography_of(venue).page_height + 1e-6
    check_layout(figure)


@pytest.mark.parametrize("n", [1, 2, 60, 150])
def test_any_number_of_datasets(n: int, build: Build, check_layout: CheckLayout) -> None:
    """One dataset fills no page, 150 fill no more than one."""
    p_values, differences = np.linspace(0.001, 0.9, n), np.linspace(0.1, -0.1, n)
    figure = forest(build([f"d{row}" for row in range(n)], p_values, differences), alpha=0.05)
    assert 72 * figure.get_figheight() <= typography_of("report").page_height + 1e-6
    if n <= 2:
        assert figure.get_figheight() < 1.5
    check_layout(figure)


def test_the_check_of_layout_notices_overlaps_and_cuts(check_layout: CheckLayout, small: Comparison) -> None:
    """The check used above fails where two texts lie on each other and where one leaves the page."""
    figure = forest(small, alpha=0.05)
    figure.text(0.5, 0.5, "first")
    figure.text(0.51, 0.5, "second")
    with pytest.raises(AssertionError, match="overlap"):
        check_layout(figure)
    figure = forest(small, alpha=0.05)
    figure.text(0.98, 0.5, "a long text at the edge")
    with pytest.raises(AssertionError, match="cut off on the right"):
        check_layout(figure)


def test_columns_of_figures_give_way_to_the_axis(build: Build) -> None:
    """In a narrow figure with long names the differences are left out; the axis keeps its third."""
    comparison = build(["a rather long name of a dataset"] * 3, [0.1, 0.2, 0.3], [0.01, 0.02, 0.03])
    wide, narrow = (forest(comparison, alpha=0.05, width=width) for width in ("text", 140.0))
    assert {"diff.", "adj. $p$"} <= set(words(wide))
    assert "diff." not in words(narrow)
    assert "adj. $p$" in words(narrow)
    for figure in (wide, narrow):
        assert figure.axes[0].get_position().width > 0.33


def test_all_differences_zero(build: Build) -> None:
    """Identical systems everywhere: hollow points at 0 on an axis around 0."""
    figure = forest(build(["a", "b"], [1.0, 1.0], [0.0, 0.0], intervals=False), alpha=0.05)
    assert points(figure, "_not_identified") == {0: 0.0, 1: 0.0}
    low, high = figure.axes[0].get_xlim()
    assert low < 0 < high


def ticks(figure: Figure) -> NDArray[np.float64]:
    """Places of the ticks, as their labels say."""
    axes = figure.axes[0]
    figure.draw(figure.canvas.get_renderer())
    return np.array([float(label.get_text().replace("−", "-")) for label in axes.get_xticklabels()])


@pytest.mark.parametrize("size", [3e-4, 0.02, 0.7, 30.0])
def test_tick_labels_say_where_ticks_are(size: float, build: Build) -> None:
    """Labels are rounded to no fewer decimals than their places have."""
    figure = forest(build(["a", "b"], [0.01, 0.2], [size, -size / 3], kind="continuous"), alpha=0.05)
    labels = ticks(figure)
    np.testing.assert_allclose(labels, figure.axes[0].get_xticks(), atol=1e-12)
    assert len(labels) >= 2


def test_alt_text_says_what_is_drawn(pos: Comparison, small: Comparison, similarity: Comparison) -> None:
    """Quantity, systems, number of datasets, extremes, identified and contradicting datasets are said in words."""
    text = forest_alt_text(pos, alpha=0.05)
    for part in (
        "difference in accuracy in percentage points between Mimick and Char→Tag on 23 datasets",
        "with intervals at the adjusted level of each test",
        "Mimick is ahead on 13 of 23",
        "largest on Chinese (+3.9) and smallest on Tamil (−3.4)",
        "is shown to be better on 3 datasets ",
        "Hungarian (+3.1, adjusted p < .001)",
        "on Indonesian, Basque and Tamil the adjusted p-value is at most .05, but Mimick is not ahead",
    ):
        assert part in text
    said = "is shown to be better on 2 datasets (Holm's procedure, level .05), tweets (+4.1, adjusted p < .001)"
    assert said in forest_alt_text(small, alpha=0.05)
    assert "intervals" not in forest_alt_text(similarity, alpha=0.05)


def test_alt_text_without_marks_and_with_hostile_names(build: Build, hostile: Comparison) -> None:
    """Nothing identified is said as such; names stay readable, without line breaks and lone surrogates."""
    text = forest_alt_text(build(["a", "b"], [0.5, 0.5], [0.0, 0.0]), alpha=0.05)
    assert "is not shown to be better on any dataset" in text
    assert "largest" not in text
    strange = forest_alt_text(hostile, alpha=0.4)
    strange.encode("utf-8")
    assert "\n" not in strange
    assert "中文" in strange
