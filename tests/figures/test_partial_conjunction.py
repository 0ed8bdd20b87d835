"""Partial-conjunction curve: heights are p-values, k-hat stands where the curve crosses, tiny values are not hidden."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray

from reportkit.errors import SettingsError
from reportkit.figures import partial_conjunction as drawn_by
from reportkit.figures.drawing.style import Span
from reportkit.figures.drawings import DRAWINGS
from reportkit.figures.partial_conjunction import partial_conjunction_content
from reportkit.replicability.comparison import Comparison
from tests.figures.conftest import words

Build = Callable[..., Comparison]
CheckLayout = Callable[[Figure], None]
FloatArray = NDArray[np.float64]


def partial_conjunction_curve(
    comparison: Comparison,
    *,
    alpha: float | Sequence[float],
    width: float | Span | None = None,
    venue: str = "report",
) -> Figure:
    """Content and drawing in one step."""
    content = partial_conjunction_content(comparison, alpha=alpha)
    return DRAWINGS["partial-conjunction"].draw(content, width=width, venue=venue)


def partial_conjunction_alt_text(comparison: Comparison, *, alpha: float | Sequence[float]) -> str:
    """Content and alternative text in one step."""
    return drawn_by.partial_conjunction_alt_text(partial_conjunction_content(comparison, alpha=alpha))


def line(figure: Figure, label: str) -> tuple[FloatArray, FloatArray]:
    """Data of one line."""
    (found,) = (item for item in figure.axes[0].lines if item.get_label() == label)
    x, y = found.get_data()
    return np.asarray(x, dtype=float), np.asarray(y, dtype=float)


def drops(figure: Figure, method: str) -> list[tuple[float, float]]:
    """Place and upper end of the vertical lines of a method."""
    return [
        (float(segment[0][0]), float(max(segment[:, 1])))
        for item in figure.axes[0].collections
        if isinstance(item, LineCollection) and item.get_label() == f"_{method} k_hat"
        for segment in item.get_segments()
    ]


def levels(figure: Figure) -> list[float]:
    """Heights of the horizontal lines."""
    return [float(item.get_ydata()[0]) for item in figure.axes[0].lines if item.get_label() == "_alpha"]


def test_heights_are_p_values(build: Build) -> None:
    """Without tiny values each point stands at its u and its p-value, on a logarithmic axis."""
    comparison = build(list("abcde"), [0.001, 0.02, 0.3, 0.04, 0.6], [0.01] * 5)
    figure = partial_conjunction_curve(comparison, alpha=0.05)
    assert figure.axes[0].get_yscale() == "log"
    for method in ("bonferroni", "fisher"):
        u, heights = line(figure, f"_{method}")
        np.testing.assert_array_equal(u, [1, 2, 3, 4, 5])
        np.testing.assert_array_equal(heights, comparison.partial_conjunction[method])
    low, high = figure.axes[0].get_ylim()
    assert low < 0.001
    assert high > 1


def test_filled_markers_are_at_most_alpha(similarity: Comparison) -> None:
    """As many markers are filled as k-hat says: 6 by Bonferroni and 7 by Fisher for word similarity at .05."""
    figure = partial_conjunction_curve(similarity, alpha=(0.05, 0.01))
    for method, k_hat in (("bonferroni", 6), ("fisher", 7)):
        np.testing.assert_array_equal(line(figure, f"_{method} filled")[0], np.arange(1, k_hat + 1))
        np.testing.assert_array_equal(line(figure, f"_{method} hollow")[0], np.arange(k_hat + 1, 13))


def test_levels_and_k_hat_are_marked(similarity: Comparison) -> None:
    """Each level has its line, each method a drop from the largest level to k-hat, which is named there."""
    figure = partial_conjunction_curve(similarity, alpha=(0.01, 0.05))
    assert levels(figure) == [0.05, 0.01]
    assert drops(figure, "bonferroni") == [(6.0, 0.05)]
    assert drops(figure, "fisher") == [(7.0, 0.05)]
    assert {r"$\hat{k}$ = 6", r"$\hat{k}$ = 7", "Bonferroni", "Fisher"} <= set(words(figure))
    assert r"$\alpha$ = .05" in words(figure)


def test_one_level_may_be_a_number(small: Comparison) -> None:
    """A single level needs no tuple."""
    assert levels(partial_conjunction_curve(small, alpha=0.05)) == [0.05]
    with pytest.raises(SettingsError, match="alpha is empty"):
        partial_conjunction_curve(small, alpha=())


def test_tiny_p_values_lie_in_a_labelled_band(build: Build) -> None:
    """1e-300 is drawn in the band below 1e-6; the band is labelled."""
    comparison = build(list("abcd"), [1e-300, 1e-20, 0.001, 0.3], [0.01] * 4)
    figure = partial_conjunction_curve(comparison, alpha=(0.05, 0.01))
    axes = figure.axes[0]
    for method in ("bonferroni", "fisher"):
        p, (_, heights) = comparison.partial_conjunction[method], line(figure, f"_{method}")
        np.testing.assert_array_equal(heights[p >= 1e-6], p[p >= 1e-6])
        (band,) = set(heights[p < 1e-6])
        assert axes.get_ylim()[0] < band < 1e-6
    assert axes.get_ylim()[0] > 1e-9
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels[-1] == "$<10^{-6}$"
    assert "_below_floor" in [patch.get_label() for patch in axes.patches]


def test_no_band_without_tiny_p_values(build: Build) -> None:
    """The band is not there if all p-values can be told apart."""
    figure = partial_conjunction_curve(build(["a", "b"], [0.01, 0.3], [0.01] * 2), alpha=0.05)
    assert not figure.axes[0].patches


def test_k_hat_of_zero_is_shown(build: Build) -> None:
    """If not even one dataset can be claimed the drop stands at 0, which is on the axis, and named."""
    figure = partial_conjunction_curve(build(list("abc"), [0.4, 0.3, 0.6], [0.01] * 3), alpha=0.05)
    assert drops(figure, "bonferroni") == [(0.0, 0.05)]
    assert 0.0 in figure.axes[0].get_xticks()
    assert r"$\hat{k}$ = 0" in words(figure)
    assert line(figure, "_bonferroni filled")[0].size == 0


def test_fisher_only_where_it_is_given(build: Build) -> None:
    """Without declared independence there is one curve."""
    comparison = build(["a", "b"], [0.001, 0.3], [0.01] * 2, methods=["bonferroni"])
    figure = partial_conjunction_curve(comparison, alpha=0.05)
    assert "_fisher" not in [item.get_label() for item in figure.axes[0].lines]
    assert not any("Fisher" in text for text in words(figure))
    assert "Fisher" not in partial_conjunction_alt_text(comparison, alpha=0.05)


def test_methods_differ_without_colour(build: Build) -> None:
    """Marker and dashes are different for each method, so that a grey print can be read."""
    methods = ["bonferroni", "fisher"]
    figure = partial_conjunction_curve(build(list("abc"), [0.01, 0.2, 0.3], [0.01] * 3, methods=methods), alpha=0.05)
    looks = set()
    for method in methods:
        (curve,) = (item for item in figure.axes[0].lines if item.get_label() == f"_{method}")
        (markers,) = (item for item in figure.axes[0].lines if item.get_label() == f"_{method} filled")
        looks.add((curve.get_linestyle(), markers.get_marker()))
    assert len({line_style for line_style, _ in looks}) == len({marker for _, marker in looks}) == 2


def test_k_hat_of_other_methods_is_counted(build: Build) -> None:
    """A method whose k-hat the comparison does not state is counted from its curve, also at another level."""
    comparison = build(list("abc"), [0.001, 0.02, 0.3], [0.01] * 3, methods=["bonferroni", "fisher"])
    figure = partial_conjunction_curve(comparison, alpha=0.1)
    for method in ("bonferroni", "fisher"):
        expected = int((comparison.partial_conjunction[method] <= 0.1).sum())
        assert drops(figure, method) == [(float(expected), 0.1)]


@pytest.mark.parametrize("venue", ["report", "neurips", "article", "ieee"])
@pytest.mark.parametrize("which", ["small", "similarity", "pos", "many", "hostile"])
def test_nothing_overlaps_or_is_cut_off(
    which: str, venue: str, request: pytest.FixtureRequest, check_layout: CheckLayout
) -> None:
    """With 4 to 100 datasets all texts are legible, inside the page and apart from each other."""
    check_layout(partial_conjunction_curve(request.getfixturevalue(which), alpha=(0.05, 0.01), venue=venue))


@pytest.mark.parametrize("alpha", [(0.05, 0.04), (0.05, 0.025, 0.0125), (1e-5,), (0.1, 1e-4)])
def test_any_levels(alpha: tuple[float, ...], pos: Comparison, check_layout: CheckLayout) -> None:
    """Labels of levels that are close to each other do not collide; very small levels have room below them."""
    figure = partial_conjunction_curve(pos, alpha=alpha)
    check_layout(figure)
    assert figure.axes[0].get_ylim()[0] < min(alpha)


def test_one_dataset(build: Build, check_layout: CheckLayout) -> None:
    """A single dataset is a single point."""
    comparison = build(["a"], [0.004], [0.01], methods=["bonferroni"])
    figure = partial_conjunction_curve(comparison, alpha=0.05)
    np.testing.assert_array_equal(line(figure, "_bonferroni"), [[1], [0.004]])
    check_layout(figure)
    assert "on the one dataset. Bonferroni: p is .0040; k-hat is 1" in partial_conjunction_alt_text(
        comparison, alpha=0.05
    )


def test_alt_text_says_what_is_drawn(pos: Comparison) -> None:
    """The claim, how the p-values rise, and each k-hat are said in words."""
    text = partial_conjunction_alt_text(pos, alpha=(0.05, 0.01))
    assert "the claim that Mimick is better than Char→Tag on at least u of 23 datasets" in text
    assert "Bonferroni: p rises from 2.3e-11 at u = 1 to .94 at u = 23; k-hat is 6 at level .05 and k-hat is 5" in text
    assert "Fisher: p rises from " in text
    assert "k-hat is 16 at level .05 and k-hat is 13 at level .01" in text
