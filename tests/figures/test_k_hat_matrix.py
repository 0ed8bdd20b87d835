"""Matrix of k-hat: cells are k-hat, numbers are read on their shade, 58 systems fit a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from numpy.typing import NDArray

from reportkit.errors import InputError, SettingsError, UnknownNameError
from reportkit.figures import k_hat_matrix as drawn_by
from reportkit.figures.drawing.style import Span
from reportkit.figures.drawing.typography import typography_of
from reportkit.figures.drawings import DRAWINGS
from reportkit.figures.k_hat_matrix import Order, k_hat_matrix_content
from reportkit.replicability.comparison import Comparison
from tests.figures.conftest import shown_texts, words

Build = Callable[..., Comparison]
Pairs = Callable[..., list[Comparison]]
CheckLayout = Callable[[Figure], None]


def k_hat_matrix(
    comparisons: Sequence[Comparison],
    *,
    alpha: float,
    width: float | Span = "text",
    order: Order = "given",
    venue: str = "report",
) -> Figure:
    """Content and drawing in one step."""
    content = k_hat_matrix_content(comparisons, alpha=alpha, order=order)
    return DRAWINGS["k-hat-matrix"].draw(content, width=width, venue=venue)


def k_hat_matrix_alt_text(comparisons: Sequence[Comparison], *, alpha: float) -> str:
    """Content and alternative text in one step."""
    return drawn_by.k_hat_matrix_alt_text(k_hat_matrix_content(comparisons, alpha=alpha))


def cells(figure: Figure) -> NDArray[np.float64]:
    """Shares that are drawn, NaN where there is no cell."""
    (mesh,) = (item for item in figure.axes[0].collections if isinstance(item, QuadMesh))
    array = mesh.get_array()
    assert array is not None
    return np.ma.filled(array.astype(float), np.nan)


def test_cells_are_k_hat(pairs: Pairs) -> None:
    """The cell of row A and column B is k-hat of "A better than B", divided by N; the diagonal is empty."""
    names = ["vader", "afinn", "textblob", "lm"]
    comparisons = pairs(names, 6)
    figure = k_hat_matrix(comparisons, alpha=0.05)
    drawn = cells(figure)
    assert np.isnan(np.diag(drawn)).all()
    for item in comparisons:
        row, column = names.index(item.system_a), names.index(item.system_b)
        assert drawn[row, column] == item.k_hat[0.05].recommended / 6
    numbers = [int(text) for text in words(figure) if text.isdigit()]
    off_diagonal = drawn[~np.isnan(drawn)]
    assert numbers == [round(6 * share) for share in off_diagonal if share]
    assert len(figure.axes) == 1


def test_levels_differ(pairs: Pairs) -> None:
    """Another level shows the k-hats of that level."""
    comparisons = pairs(["a", "b", "c"], 8)
    for alpha in (0.05, 0.01):
        shown = np.nansum(cells(k_hat_matrix(comparisons, alpha=alpha))) * 8
        assert shown == pytest.approx(sum(item.k_hat[alpha].recommended for item in comparisons))


def test_numbers_are_legible_on_their_shade(pairs: Pairs) -> None:
    """Every number has a contrast of at least 4.5 to its cell (WCAG AA), and the shades are grey."""
    figure = k_hat_matrix(pairs([f"m{i}" for i in range(12)], 12), alpha=0.05)
    figure.draw(figure.canvas.get_renderer())
    (mesh,) = (item for item in figure.axes[0].collections if isinstance(item, QuadMesh))
    faces = mesh.get_facecolor()
    assert np.ptp(faces[:, :3], axis=1).max() < 1e-9
    shade = dict(zip(np.round(12 * cells(figure)).ravel(), faces[:, 0], strict=True))
    seen = set()
    for text in shown_texts(figure):
        if text.get_text().isdigit():
            lightness = sorted(
                _luminance(value) for value in (shade[int(text.get_text())], to_rgb(text.get_color())[0])
            )
            assert (lightness[1] + 0.05) / (lightness[0] + 0.05) >= 4.5, text.get_text()
            seen.add(int(text.get_text()))
    assert len(seen) >= 8


def _luminance(grey: float) -> float:
    return grey / 12.92 if grey <= 0.04045 else float(((grey + 0.055) / 1.055) ** 2.4)


def test_the_darker_the_more(pairs: Pairs) -> None:
    """Lightness falls strictly with k-hat."""
    figure = k_hat_matrix(pairs([f"m{i}" for i in range(12)], 12), alpha=0.05)
    figure.draw(figure.canvas.get_renderer())
    (mesh,) = (item for item in figure.axes[0].collections if isinstance(item, QuadMesh))
    shares = cells(figure).ravel()
    known = ~np.isnan(shares)
    order = np.unique(shares[known], return_index=True)[1]
    assert (np.diff(mesh.get_facecolor()[known][order, 0]) < 0).all()


def test_baselines_are_columns(pairs: Pairs) -> None:
    """With two baselines there are two columns, and a row for each system that is claimed to be better."""
    comparisons = [item for item in pairs(list("abcde"), 4) if item.system_b in "ab"]
    assert cells(k_hat_matrix(comparisons, alpha=0.05)).shape == (5, 2)


def test_pairs_that_were_not_compared_are_crossed_out(pairs: Pairs) -> None:
    """A missing pair has neither shade nor number."""
    comparisons = [item for item in pairs(["a", "b", "c"], 4) if (item.system_a, item.system_b) != ("b", "c")]
    figure = k_hat_matrix(comparisons, alpha=0.05)
    assert np.isnan(cells(figure)[1, 2])
    assert sum(text.isdigit() for text in words(figure)) == sum(
        item.k_hat[0.05].recommended > 0 for item in comparisons
    )
    crossed = [line for line in figure.axes[0].lines if line.get_label() == "_not_compared"]
    assert len(crossed) == 4


def test_different_numbers_of_datasets_are_written(build: Build) -> None:
    """Where pairs have different N each cell says k-hat/N and is shaded by the share."""
    comparisons = [
        build(["x", "y"], [0.001, 0.001], [0.1, 0.1], system_a="a", system_b="b"),
        build(["x"], [0.001], [0.1], system_a="a", system_b="c"),
        build(["x", "y"], [0.001, 0.9], [0.1, -0.1], system_a="b", system_b="c"),
    ]
    figure = k_hat_matrix(comparisons, alpha=0.05)
    assert {"2/2", "1/1", "1/2"} <= set(words(figure))
    np.testing.assert_array_equal(cells(figure), [[1.0, 1.0], [np.nan, 0.5]])


def test_order_by_wins(pairs: Pairs) -> None:
    """Ordered by wins the system that wins most comes first and the matrix is heavier above its diagonal."""
    comparisons = pairs([f"m{i}" for i in range(9)], 10)
    figure = k_hat_matrix(comparisons, alpha=0.05, order="wins")
    drawn = np.nan_to_num(cells(figure))
    net = drawn.sum(axis=1) - drawn.sum(axis=0)
    assert (np.diff(net) <= 1e-12).all()
    assert np.triu(drawn).sum() > 5 * np.tril(drawn).sum()
    with pytest.raises(UnknownNameError, match="order of systems"):
        k_hat_matrix(comparisons, alpha=0.05, order="best")  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("venue", ["report", "neurips", "article", "ieee"])
def test_58_systems_are_legible(venue: str, pairs: Pairs, check_layout: CheckLayout) -> None:
    """All 58 rows are named in legible type, with the number over their column where its name does not fit."""
    names = [f"model-{i}b-instruct" for i in range(58)]
    figure = k_hat_matrix(pairs(names, 5), alpha=0.05, venue=venue)
    shown = words(figure)
    if venue == "ieee":
        assert sorted(set(shown) & set(names)) == sorted(names)
    else:
        dot = r" $\cdot$ " if venue == "article" else " · "
        assert {f"{name}{dot}{number}" for number, name in enumerate(names, start=1)} <= set(shown)
        assert {"1", "10", "50"} <= set(shown)
    assert 72 * figure.get_figheight() <= typography_of(venue).page_height + 1e-6
    check_layout(figure)
    assert figure.axes[1].collections
    assert {"0", "5"} <= set(shown)


@pytest.mark.slow
def test_58_systems_in_a_column_are_numbered(pairs: Pairs, check_layout: CheckLayout) -> None:
    """In a column rows keep their names, with numbers that stand over the columns."""
    names = [f"model-{i}b" for i in range(58)]
    figure = k_hat_matrix(pairs(names, 5), alpha=0.05, width="column")
    assert "model-0b · 1" in words(figure)
    assert "model-57b · 58" in words(figure)
    assert {"1", "10", "50"} <= set(words(figure))
    check_layout(figure)


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 3, 9, 20, 21])
@pytest.mark.parametrize("venue", ["report", "neurips", "article"])
@pytest.mark.parametrize("width", ["column", "text"])
def test_nothing_overlaps_or_is_cut_off(
    n: int, width: Span, venue: str, pairs: Pairs, check_layout: CheckLayout
) -> None:
    """From 2 to 21 systems all texts are inside the page and apart from each other."""
    names = [f"swe-agent-{i} $x_1^{i}$" for i in range(n)]
    check_layout(k_hat_matrix(pairs(names, 11), alpha=0.05, width=width, venue=venue))


def test_mistakes_are_explained(pairs: Pairs) -> None:
    """No comparison, a pair twice, or a level that was not computed: each is an error of its own."""
    comparisons = pairs(["a", "b"], 3)
    with pytest.raises(InputError, match="no comparison"):
        k_hat_matrix([], alpha=0.05)
    with pytest.raises(InputError, match="'a' with 'b' is given twice"):
        k_hat_matrix([*comparisons, comparisons[0]], alpha=0.05)
    with pytest.raises(SettingsError, match=r"(?s)no k-hat at level 0\.1.*give one of \.05, \.01"):
        k_hat_matrix(comparisons, alpha=0.1)


def test_alt_text_says_what_is_drawn(build: Build, pairs: Pairs) -> None:
    """Systems, datasets, the number of zeros and the largest k-hats are said in words."""
    comparisons = [
        build(["x", "y"], [0.001, 0.001], [0.1, 0.1], system_a="a", system_b="b"),
        build(["x", "y"], [0.9, 0.9], [-0.1, -0.1], system_a="b", system_b="a"),
    ]
    text = k_hat_matrix_alt_text(comparisons, alpha=0.05)
    assert "level .05 for 2 systems on 2 datasets" in text
    assert "Of 2 ordered pairs, 1 have a k-hat of 0." in text
    assert "Largest first: a over b (2 of 2)." in text
    many = k_hat_matrix_alt_text(pairs([f"m{i}" for i in range(20)], 9), alpha=0.05)
    assert " more." in many
    assert len(many) < 1000
    nothing = k_hat_matrix_alt_text(comparisons[1:], alpha=0.05)
    assert "Largest" not in nothing
