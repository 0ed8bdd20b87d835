"""Partial-conjunction curve: heights are p-values, k-hat stands where the curve crosses, tiny values are not hidden."""

from __future__ import annotations

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray

from reportkit.figures.drawings import drawing
from reportkit.figures.partial_conjunction import PartialConjunctionContent, partial_conjunction_alt_text
from tests.figures.conftest import curves_of, numbers, words


def draw(content: PartialConjunctionContent, venue: str = "report") -> Figure:
    """Return the figure of a content."""
    return drawing("partial-conjunction").draw(content, venue=venue)


def line(figure: Figure, label: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
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


def test_heights_are_p_values() -> None:
    """Without tiny values each point is at its u and its p-value, on a logarithmic axis without a band."""
    content = curves_of([0.001, 0.02, 0.3, 0.04, 0.6], alpha=(0.05,))
    figure = draw(content)
    assert figure.axes[0].get_yscale() == "log"
    assert not figure.axes[0].patches
    for curve in content.curves:
        u, heights = line(figure, f"_{curve.method}")
        np.testing.assert_array_equal(u, [1, 2, 3, 4, 5])
        np.testing.assert_array_equal(heights, curve.p_values)
    low, high = figure.axes[0].get_ylim()
    assert low < 0.001
    assert high > 1


def test_levels_and_k_hat_are_marked() -> None:
    """Word similarity at .05: 6 filled markers by Bonferroni, 7 by Fisher; a drop from the level to k-hat, named."""
    figure = draw(curves_of(numbers("similarity")[1]))
    for method, k_hat in (("bonferroni", 6), ("fisher", 7)):
        np.testing.assert_array_equal(line(figure, f"_{method} filled")[0], np.arange(1, k_hat + 1))
        np.testing.assert_array_equal(line(figure, f"_{method} hollow")[0], np.arange(k_hat + 1, 13))
        assert drops(figure, method) == [(float(k_hat), 0.05)]
    levels = [float(item.get_ydata()[0]) for item in figure.axes[0].lines if item.get_label() == "_alpha"]
    assert levels == [0.05, 0.01]
    assert {r"$\hat{k}$ = 6", r"$\hat{k}$ = 7", "Bonferroni", "Fisher", r"$\alpha$ = .05"} <= set(words(figure))


def test_tiny_p_values_lie_in_a_labelled_band() -> None:
    """1e-300 is drawn in the band below 1e-6; the band is labelled."""
    content = curves_of([1e-300, 1e-20, 0.001, 0.3])
    axes = draw(content).axes[0]
    for curve in content.curves:
        p, (_, heights) = np.array(curve.p_values), line(axes.get_figure(), f"_{curve.method}")  # type: ignore[arg-type]
        np.testing.assert_array_equal(heights[p >= 1e-6], p[p >= 1e-6])
        (band,) = set(heights[p < 1e-6])
        assert axes.get_ylim()[0] < band < 1e-6
    assert axes.get_ylim()[0] > 1e-9
    assert axes.get_yticklabels()[-1].get_text() == "$<10^{-6}$"
    assert "_below_floor" in [patch.get_label() for patch in axes.patches]


def test_alt_text_says_what_is_drawn() -> None:
    """The claim, how the p-values rise, and each k-hat are said in words."""
    text = partial_conjunction_alt_text(curves_of(numbers("pos")[1]))
    assert "the claim that Mimick is better than Char→Tag on at least u of 23 datasets" in text
    assert "Bonferroni: p rises from 2.3e-11 at u = 1 to .94 at u = 23; k-hat is 6 at level .05 and k-hat is 5" in text
    assert "k-hat is 16 at level .05 and k-hat is 13 at level .01" in text
