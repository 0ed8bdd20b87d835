"""All pairs on one dataset: cells are differences, shades say at which level they are identified."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure

from reportkit.errors import InputError
from reportkit.figures.drawing.style import Span
from reportkit.figures.drawings import DRAWINGS
from reportkit.figures.pair_matrix import pair_matrix_alt_text, pair_matrix_content
from reportkit.replicability.comparison import Comparison
from tests.figures.conftest import words

Build = Callable[..., Comparison]
Pairs = Callable[..., list[Comparison]]
CheckLayout = Callable[[Figure], None]


def test_content_is_that_of_the_comparisons(pairs: Pairs) -> None:
    """Difference in percentage points, adjusted p-value and the smallest level at which the claim is identified."""
    names = ["vader", "afinn", "textblob", "lm"]
    comparisons = pairs(names, 1, seed=4)
    content = pair_matrix_content(comparisons, alpha=(0.05, 0.01))
    assert content.rows == content.columns == tuple(names)
    for item in comparisons:
        row, column = names.index(item.system_a), names.index(item.system_b)
        shown = content.differences[row][column]
        assert shown is not None
        assert float(shown.replace("−", "-")) == pytest.approx(100 * item.differences[0], abs=0.06)
        assert content.adjusted_p_values[row][column] == item.adjusted_p_values[0]
        level = 0.01 if item.marked(0.01)[0] else 0.05 if item.marked(0.05)[0] else None
        assert content.identified[row][column] == level
    assert all(content.differences[place][place] is None for place in range(4))
    assert len({len(text.partition(".")[2]) for row in content.differences for text in row if text}) == 1


def test_shades_say_the_level_and_numbers_the_difference(pairs: Pairs) -> None:
    """No shade, light, dark; a system with itself is crossed out; the key has a square for each."""
    comparisons = pairs(["a", "b", "c", "d", "e"], 1, seed=4)
    content = pair_matrix_content(comparisons, alpha=(0.05, 0.01))
    figure = DRAWINGS["pair-matrix"].draw(content)
    (mesh,) = (item for item in figure.axes[0].collections if isinstance(item, QuadMesh))
    shares = np.ma.filled(mesh.get_array().astype(float), np.nan).reshape(5, 5)  # type: ignore[union-attr]
    shades = {None: 0.0, 0.05: 0.5, 0.01: 1.0}
    expected = [
        [np.nan if text is None else shades[level] for text, level in zip(row, levels, strict=True)]
        for row, levels in zip(content.differences, content.identified, strict=True)
    ]
    np.testing.assert_array_equal(shares, expected)
    written = words(figure)
    assert [text for text in written if text[0] in "+−0"] == [
        text for row in content.differences for text in row if text
    ]
    assert {"better at .01", "better at .05", "not shown"} <= set(written)


def test_baselines_are_columns(pairs: Pairs) -> None:
    """With one baseline there is one column, and a row for each system that is claimed to be better."""
    comparisons = [item for item in pairs(list("abcde"), 1) if item.system_b == "a"]
    content = pair_matrix_content(comparisons, alpha=(0.05,))
    assert content.columns == ("a",)
    assert content.rows == ("b", "c", "d", "e")


def test_mistakes_are_explained(pairs: Pairs) -> None:
    """No comparison, a pair twice, several datasets: each is an error of its own."""
    comparisons = pairs(["a", "b"], 1)
    with pytest.raises(InputError, match="no comparison"):
        pair_matrix_content([], alpha=(0.05,))
    with pytest.raises(InputError, match="'a' with 'b' is given twice"):
        pair_matrix_content([*comparisons, comparisons[0]], alpha=(0.05,))
    with pytest.raises(InputError, match=r"(?s)compared on 3 datasets.*k-hat counts several"):
        pair_matrix_content(pairs(["a", "b"], 3), alpha=(0.05,))


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 3, 9, 20, 21, 58])
@pytest.mark.parametrize("venue", ["report", "neurips", "article"])
@pytest.mark.parametrize("width", [None, "column"])
def test_nothing_overlaps_or_is_cut_off(
    n: int, venue: str, width: Span | None, pairs: Pairs, check_layout: CheckLayout
) -> None:
    """From 2 to 58 systems all texts are legible, inside the page and apart from each other."""
    content = pair_matrix_content(pairs([f"swe-agent-{i} $x_1^{i}$" for i in range(n)], 1), alpha=(0.05, 0.01))
    check_layout(DRAWINGS["pair-matrix"].draw(content, venue=venue, width=width))


def test_alt_text_says_what_is_drawn(build: Build) -> None:
    """Quantity, dataset, systems, and the identified claims with their differences."""
    comparisons = [
        build(["tweets"], [0.001], [0.1], system_a="a", system_b="b"),
        build(["tweets"], [0.999], [-0.1], system_a="b", system_b="a"),
    ]
    text = pair_matrix_alt_text(pair_matrix_content(comparisons, alpha=(0.05,)))
    assert "difference in accuracy in percentage points of 2 systems on tweets" in text
    assert "Of 2 ordered pairs, 1 hold at level .05 and are shaded." in text
    assert "Smallest p-value first: a over b (+10.0, adjusted p = .0010)." in text
