"""Critical-difference diagram: ranks as published, bars over the groups that the tests do not tell apart."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import reportkit
from reportkit.figures.critical_difference import (
    CriticalDifferenceContent,
    critical_difference_alt_text,
    critical_difference_content,
)
from reportkit.figures.drawings import drawing
from reportkit.language import fixed
from reportkit.replicability.friedman import FriedmanOutcome
from tests.figures.conftest import shown_texts, words
from tests.replicability.test_friedman import DEMSAR, NAMES, friedman


def outcome(k: int, n: int = 40, spread: float = 0.25) -> FriedmanOutcome:
    """Systems whose scores fall from one to the next, with noise."""
    rng = np.random.default_rng(k)
    names = [f"system_{index}-base" for index in range(k)]
    scores = rng.normal(np.linspace(0.5, 0.0, k), spread, (n, k))
    return friedman(scores, names)


def draw(content: CriticalDifferenceContent, venue: str = "report") -> Figure:
    """The figure as wide as suits it."""
    return drawing("critical-difference").draw(content, venue=venue)


def lines(figure: Figure, label: str) -> list[Line2D]:
    """Lines with a label, in the order of drawing."""
    return [item for item in figure.axes[0].lines if item.get_label() == label]


def test_content_is_that_of_demsar() -> None:
    """Demsar (2006), Table 6 and section 3.2.4: average ranks of C4.5 and its variants."""
    content = critical_difference_content(friedman(DEMSAR))
    ranks = dict(zip(content.systems, content.average_ranks, strict=True))
    assert [round(ranks[name], 3) for name in NAMES] == [3.143, 2.0, 2.893, 1.964]
    assert list(content.average_ranks) == sorted(content.average_ranks)
    assert content.n_datasets == 14


@pytest.mark.parametrize("k", [3, 5, 9, 12])
def test_groups_are_maximal_and_hold_only_pairs_that_are_not_told_apart(k: int) -> None:
    """By the definition, over all subsets of the systems, from the Holm-adjusted p-values themselves."""
    found = outcome(k)
    content = critical_difference_content(found)
    apart = {
        frozenset((content.systems.index(pair.system_a), content.systems.index(pair.system_b)))
        for pair in found.pairs
        if pair.adjusted_p_value <= found.alpha
    }
    free = [
        group
        for size in range(2, k + 1)
        for group in combinations(range(k), size)
        if not any(frozenset(pair) in apart for pair in combinations(group, 2))
    ]
    maximal = [group for group in free if not any(set(group) < set(other) for other in free)]
    assert list(content.groups) == sorted(maximal)
    assert apart


@pytest.mark.slow
def test_bars_reach_over_their_members_and_no_two_touch() -> None:
    """One bar for each group, from its first to its last member, a dot for each; bars in one lane are apart."""
    content = critical_difference_content(outcome(12))
    figure = draw(content)
    bars, members = lines(figure, "_bar"), lines(figure, "_members")
    assert len(bars) == len(members) == len(content.groups) > 3
    for group, bar, dots in zip(content.groups, bars, members, strict=True):
        xs = np.asarray(dots.get_xdata(), dtype=float)
        assert len(xs) == len(group)
        np.testing.assert_allclose(np.asarray(bar.get_xdata()), [xs.min(), xs.max()])
        ranks = np.array([content.average_ranks[place] for place in group])
        scale = np.polyfit(ranks, xs, 1)
        np.testing.assert_allclose(np.polyval(scale, ranks), xs, atol=1e-9)
    spans = [(float(bar.get_ydata()[0]), *np.asarray(bar.get_xdata())) for bar in bars]
    for (y, low, high), (other_y, other_low, other_high) in combinations(spans, 2):
        assert y != other_y or high < other_low or other_high < low


def test_there_is_no_ruler_of_another_test(shared: Path) -> None:
    """Twelve datasets with the same ranks of five systems: the bars are those of the pairs, and nothing says CD."""
    frame = pd.read_csv(shared / "cases" / "cd-ruler" / "scores.csv")
    figure = reportkit.compare(frame, across_datasets=True).figure("critical-difference")
    assert not any("CD" in text for text in words(figure))
    assert len(figure.axes[0].lines) == 5 + 2 * len(lines(figure, "_bar"))


def test_systems_and_ranks_are_written_best_on_the_left() -> None:
    """Every system once with its rank; the better half on the left."""
    content = critical_difference_content(outcome(9))
    figure = draw(content)
    renderer = figure.canvas.get_renderer()
    places = {text.get_text(): text.get_window_extent(renderer).x0 for text in shown_texts(figure)}
    middle = 50 * figure.get_figwidth()
    for index, (name, rank) in enumerate(zip(content.systems, content.average_ranks, strict=True)):
        written = f"{name} {fixed(rank, 2)}" if index < 5 else f"{fixed(rank, 2)} {name}"
        assert (places[written] < middle) == (index < 5)


def test_alt_text_says_what_is_drawn() -> None:
    """Systems with their ranks, the groups; no claim that systems are equal."""
    content = critical_difference_content(friedman(DEMSAR))
    text = critical_difference_alt_text(content)
    assert f"of 4 systems on 14 datasets. Average ranks, 1 is best: {content.systems[0]} 1.96" in text
    assert "Bars join systems that the tests do not separate: " in text
    assert "equal" not in text
