"""Figures of a report, and those that are asked for by name."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.analysis.analysis import Analysis
from reportkit.appearance.appearance import Appearance
from reportkit.errors import DesignError, UnknownNameError
from reportkit.figures.drawing.style import width_in_points
from reportkit.figures.forest_content import ForestContent
from reportkit.replicability.friedman import friedman
from reportkit.report.build import friedman_part
from reportkit.report.illustrations import REQUESTED, critical_difference_figure, requested_figure
from reportkit.report.model import Figure
from reportkit.report.prose import Text, plain
from reportkit.report.rounding import rounded
from reportkit.report.score_format import scale_for
from tests.figures.conftest import words

WINS_AND_LOSSES = {"one": (19, 8), "two": (23, 10), "three": (30, 5), "four": (40, 9), "five": (28, 6), "six": (8, 10)}


def _forest(wins_and_losses: dict[str, tuple[int, int]]) -> tuple[str, ForestContent]:
    """Caption and content of the forest plot of right and wrong answers, 150 on each dataset."""
    rows = [
        (system, dataset, instance, int((instance < wins) == (system == "ours")) if instance < wins + losses else 1)
        for dataset, (wins, losses) in wins_and_losses.items()
        for instance in range(150)
        for system in ("ours", "base")
    ]
    data = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])
    figures = reportkit.compare(data, "ours", "base").report().model.figures
    figure = next(item for item in figures if item.name == "forest")
    assert isinstance(figure.content, ForestContent)
    return plain(figure.caption), figure.content


def test_the_caption_says_to_what_an_interval_belongs() -> None:
    """The interval is at the level of the decision, and above 0 for the filled markers alone."""
    caption, content = _forest(WINS_AND_LOSSES)
    assert "Filled: ours is better (one-sided, Holm-adjusted over 6 datasets, p ≤ .05)." in caption
    assert "they lie above 0 exactly where ours is shown to be better." in caption
    assert {row.dataset for row in content.rows if row.mark == "identified"} == {"three", "four", "five"}
    assert [row.difference for row in content.rows] == sorted((row.difference for row in content.rows), reverse=True)


def test_unadjusted_intervals_are_drawn_beside_on_request() -> None:
    """Thinner, with their level in caption and content; absent by default."""
    data = scores(3, SYSTEMS[:2])
    usual, asked = (data.replic.compare("new", "old").styled(plain_intervals=on).report().model for on in (False, True))
    contents = [next(item for item in model.figures if item.name == "forest") for model in (usual, asked)]
    assert [item.content.level for item in contents] == [None, 0.95]
    assert "Thin lines: 95% intervals, not adjusted." in plain(contents[1].caption)
    assert all(row.plain is None for row in contents[0].content.rows)


@pytest.mark.parametrize("seed", range(12))
def test_no_interval_contradicts_its_marker(seed: int) -> None:
    """It lies above 0 exactly where the marker is filled, whatever the wins and losses are."""
    rng = np.random.default_rng(seed)
    drawn = {f"d{number}": (int(rng.integers(5, 35)), int(rng.integers(3, 15))) for number in range(rng.integers(1, 6))}
    _, content = _forest(drawn)
    for row in content.rows:
        assert (row.mark == "identified") == (row.low is not None and row.low > 0)


SYSTEMS = ("new", "old", "older", "R&D_50%")


def scores(n_datasets: int = 3, systems: tuple[str, ...] = SYSTEMS) -> pd.DataFrame:
    """Right or wrong answers of systems of falling strength."""
    rng = np.random.default_rng(2)
    return pd.DataFrame(
        {
            "system": system,
            "dataset": f"set {place}",
            "instance": instance,
            "score": int(rng.random() < 0.8 - 0.1 * rank),
        }
        for rank, system in enumerate(systems)
        for place in range(n_datasets)
        for instance in range(80)
    )


def requested(analysis: Analysis, name: str) -> Figure:
    """A figure of an analysis, not yet drawn."""
    return requested_figure(analysis, analysis.appearance, name)


@pytest.fixture(scope="module")
def everyone() -> Analysis:
    """All pairs of four systems on three datasets."""
    return scores().replic.compare(friedman=True)


def test_all_pairs_over_several_datasets_is_k_hat(everyone: Analysis) -> None:
    """The same numbers as `k_hat` has, for every ordered pair."""
    figure = requested(everyone, "all-pairs")
    assert (figure.kind, figure.name) == ("k-hat-matrix", "all-pairs")
    bounds = everyone.k_hat["recommended"].xs(0.05, level="alpha")
    for row, a in enumerate(figure.content.rows):
        for column, b in enumerate(figure.content.columns):
            assert figure.content.k_hat[row][column] == (None if a == b else bounds[a, b])


def test_all_pairs_on_one_dataset_is_differences() -> None:
    """The same verdicts as `outcomes` has, at the largest level and below it."""
    analysis = scores(1).replic.compare()
    figure = requested(analysis, "all-pairs")
    assert figure.kind == "pair-matrix"
    outcomes = analysis.outcomes.set_index(["system_a", "system_b"])
    found = 0
    for row, a in enumerate(figure.content.rows):
        for column, b in enumerate(figure.content.columns):
            if a != b:
                assert figure.content.adjusted_p_values[row][column] == rounded(
                    outcomes.loc[(a, b), "adjusted_p_value"]
                )
                assert (figure.content.identified[row][column] is not None) == outcomes.loc[(a, b), "identified"]
                found += outcomes.loc[(a, b), "identified"]
    assert found
    assert "does not mean equal" in plain(figure.caption)


@pytest.fixture(scope="module")
def eight() -> Analysis:
    """All pairs of four systems on eight datasets, enough to tell them apart."""
    return scores(8).replic.compare(friedman=True)


def test_three_datasets_cannot_tell_four_systems_apart(everyone: Analysis) -> None:
    """One bar would join them all, whatever the scores: it is refused, and the report says why."""
    with pytest.raises(DesignError, match="3 datasets cannot separate 4 systems"):
        everyone.figure("critical-difference")
    model = everyone.report().model
    (section,) = (section for section in model.sections if "typical dataset" in section.title)
    assert "There is no critical-difference diagram: 3 datasets" in plain(section.blocks[-1].content)


def test_critical_difference_says_what_it_answers(eight: Analysis) -> None:
    """Ranks as in `friedman()`; the caption names the question, and the tests."""
    figure = requested(eight, "critical-difference")
    ranks = eight.friedman().average_ranks
    assert dict(zip(figure.content.systems, figure.content.average_ranks, strict=True)) == rounded(ranks.to_dict())
    caption = plain(figure.caption)
    for part in (
        "Average ranks of 4 systems on 8 datasets, the best on the left",
        "about a typical dataset: it does not say on which of these, or on how many, a system is better",
        "over the datasets, Holm-adjusted over 6 pairs",
        "does not mean that they are equal",
    ):
        assert part in caption


def test_the_diagram_stands_in_the_section_on_friedman(eight: Analysis) -> None:
    """With `friedman=True` it is in the report, and only then."""
    model = eight.report().model
    (section,) = (section for section in model.sections if "typical dataset" in section.title)
    assert [block.name for block in section.blocks if isinstance(block, Figure)] == ["critical-difference"]
    without = scores().replic.compare().report().model
    assert "critical-difference" not in [figure.name for figure in without.figures]


@pytest.mark.slow
def test_a_diagram_with_too_many_bars_is_left_out() -> None:
    """The report is built without it; asked for by name it is an error that says why."""
    rng = np.random.default_rng(58)
    frame = pd.DataFrame(
        {"system": f"m{rank}", "dataset": f"d{place}", "score": rng.normal(-rank / 116, 0.25)}
        for rank in range(58)
        for place in range(40)
    )
    table = frame.pivot_table(index="dataset", columns="system", values="score")
    outcome = friedman(table.to_numpy(), list(table), list(table.index), follow_up="wilcoxon")
    scale = scale_for(scores(1).replic.compare("new", "old").comparisons[0].assessments)
    section = friedman_part(outcome, scale)
    assert section.blocks
    assert not [block for block in section.blocks if isinstance(block, Figure)]
    with pytest.raises(DesignError, match="more than 40 groups"):
        critical_difference_figure(outcome)


def test_figures_that_do_not_fit_are_refused() -> None:
    """One pair has no matrix and no diagram, one dataset no plot of p-values; each says what to do instead."""
    pair = scores(1, ("new", "old")).replic.compare("new", "old")
    with pytest.raises(DesignError, match=r"(?s)more than one pair.*compare all systems"):
        pair.figure("all-pairs")
    with pytest.raises(DesignError, match="three systems"):
        pair.figure("critical-difference")
    with pytest.raises(DesignError, match=r"(?s)several datasets.*\.outcomes"):
        pair.figure("p-values")


def test_unknown_figures_are_answered_with_all_names(everyone: Analysis) -> None:
    """Those of the report, and those on request."""
    with pytest.raises(UnknownNameError, match="did you mean 'critical-difference'") as raised:
        everyone.figure("critical-diference")
    for name in ("'forest'", *map(repr, REQUESTED)):
        assert name in str(raised.value)


def test_venue_and_labels_are_for_this_figure_only(everyone: Analysis) -> None:
    """Width and names change as they are asked for; the analysis does not."""
    figure = everyone.figure("all-pairs", venue="neurips", labels={"new": "Ours"})
    assert 72 * figure.get_figwidth() == pytest.approx(width_in_points("column", "neurips"))
    assert "Ours" in words(figure)
    assert everyone.appearance == Appearance()
    assert 72 * everyone.figure("forest", width=300.0).get_figwidth() == pytest.approx(300 * 72 / 72.27)
    assert 72 * everyone.figure("forest", width="text").get_figwidth() == pytest.approx(width_in_points("text"))
    with pytest.raises(UnknownNameError, match="did you mean 'venue'"):
        everyone.figure("forest", venu="acl")


def test_figures_of_a_report_are_for_its_venue() -> None:
    """Each is drawn as wide as the venue's column or text."""
    analysis = scores().replic.compare("new", "old").styled(venue="ieee")
    assert {figure.venue for figure in analysis.report().model.figures} == {"ieee"}
    (figure, *_) = analysis.report().model.figures
    assert 72 * figure.draw().get_figwidth() == pytest.approx(width_in_points("column", "ieee"))
    wide = dataclasses.replace(figure, venue="neurips", caption=(Text("x"),))
    assert 72 * wide.draw().get_figwidth() == pytest.approx(width_in_points("column", "neurips"))


def test_p_values_stand_behind_the_table_of_tests() -> None:
    """In the section Tests, with the rule in the caption; not where no dataset is identified, but on request."""
    nothing = reportkit.compare(scores(), "new", "old")
    assert not {"p-values", "partial-conjunction"} & set(nothing.report().figures)
    assert nothing.figure("p-values").axes
    clear = scores()
    clear["score"] = clear["score"].mask((clear["system"] == "new") & (clear["dataset"] == clear["dataset"].iloc[0]), 1)
    model = reportkit.compare(clear, "new", "old").report().model
    (section,) = (section for section in model.sections if section.title == "Tests")
    (figure,) = (block for block in section.blocks if isinstance(block, Figure))
    assert figure.name == "p-values"
    caption = plain(figure.caption)
    assert "ith smallest of 3 p-values is compared with .05 / (3 − i + 1)" in caption
    assert "Filled: new is shown to be better at alpha = .05" in caption
