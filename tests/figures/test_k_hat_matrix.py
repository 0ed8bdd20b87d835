"""Matrix of k-hat: cells are k-hat, numbers are read on their shade, 58 systems fit a page."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from numpy.typing import NDArray

from reportkit.figures.drawing.style import Span
from reportkit.figures.drawing.typography import typography_of
from reportkit.figures.drawings import drawing
from reportkit.figures.k_hat_matrix import KHatMatrixContent, k_hat_matrix_alt_text
from tests.figures.conftest import matrix_of, words

CheckLayout = Callable[[Figure], None]


def draw(content: KHatMatrixContent, width: float | Span = "text", venue: str = "report") -> Figure:
    """Return the figure of a content."""
    return drawing("k-hat-matrix").draw(content, width=width, venue=venue)


def mesh(figure: Figure) -> QuadMesh:
    """Return the cells."""
    (found,) = (item for item in figure.axes[0].collections if isinstance(item, QuadMesh))
    return found


def cells(figure: Figure) -> NDArray[np.float64]:
    """Shares that are drawn, NaN where there is no cell."""
    array = mesh(figure).get_array()
    assert array is not None
    return np.ma.filled(array.astype(float), np.nan)


def test_cells_are_k_hat() -> None:
    """Each cell is k-hat divided by the number of datasets; the diagonal is crossed out, a zero is blank."""
    content = matrix_of(["vader", "afinn", "textblob", "lm"], 4)
    figure = draw(content)
    expected = np.array([[np.nan if cell is None else cell / 4 for cell in row] for row in content.k_hat])
    np.testing.assert_array_equal(cells(figure), expected)
    assert sorted(text for text in words(figure) if text.isdigit()) == ["1", "1", "1", "2", "2", "3"]
    assert {"vader", "lm", "than this one", "this system is better"} <= set(words(figure))
    assert len([line for line in figure.axes[0].lines if line.get_label() == "_not_compared"]) == 4


def test_different_numbers_of_datasets_are_written() -> None:
    """Where pairs have different N each cell says k-hat/N and is shaded by the share."""
    content = KHatMatrixContent(
        rows=("a", "b"), columns=("b", "c"), k_hat=((2, 1), (None, 1)), n_datasets=((2, 1), (None, 2)), alpha=0.05
    )
    figure = draw(content)
    assert {"2/2", "1/1", "1/2"} <= set(words(figure))
    np.testing.assert_array_equal(cells(figure), [[1.0, 1.0], [np.nan, 0.5]])


OTHERS = ("article", "text"), ("ieee", "text"), ("acl", "column")
SLOW = [pytest.param(*case, marks=pytest.mark.slow) for case in OTHERS]


@pytest.mark.parametrize(("venue", "width"), [("report", "text"), *SLOW])
def test_58_systems_are_legible(venue: str, width: Span, check_layout: CheckLayout) -> None:
    """All 58 rows are named in legible type, with the number over their column where its name does not fit."""
    names = [f"model-{i}b" for i in range(58)]
    figure = draw(matrix_of(names, 5), width, venue)
    shown = set(words(figure))
    dot = r" $\cdot$ " if venue == "article" else " · "
    assert set(names) <= shown or {f"{name}{dot}{number}" for number, name in enumerate(names, start=1)} <= shown
    assert 72 * figure.get_figheight() <= typography_of(venue).page_height + 1e-6
    check_layout(figure)
    assert figure.axes[1].collections
    assert {"0", "5"} <= shown


def test_alt_text_says_what_is_drawn() -> None:
    """Systems, datasets, the number of zeros and the largest k-hats are said in words."""
    text = k_hat_matrix_alt_text(matrix_of(["a", "b"], 2))
    assert "level .05 for 2 systems on 2 datasets" in text
    assert "Of 2 ordered pairs, 1 have a k-hat of 0. Largest first: a over b (1 of 2)." in text
    many = k_hat_matrix_alt_text(matrix_of([f"m{i}" for i in range(20)], 9))
    assert " more." in many
    assert len(many) < 1000
