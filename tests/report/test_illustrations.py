"""Captions of the figures of a report: what a reader sees is said, and what seems to disagree is explained."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.figures.forest_content import ForestContent
from reportkit.report.text.wording import plain

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


def test_a_hollow_marker_whose_interval_lies_above_zero_is_explained() -> None:
    """The interval is of one dataset, the p-value is adjusted for six."""
    caption, content = _forest(WINS_AND_LOSSES)
    assert "two-sided and not adjusted for the number of datasets" in caption
    assert "Filled: ours identified as better (one-sided, Holm-adjusted over 6 datasets, p ≤ .05)." in caption
    assert "On two the interval lies above 0 and the marker is hollow: the test is adjusted." in caption
    assert {row.dataset for row in content.rows if row.mark == "identified"} == {"three", "four", "five"}


def test_a_filled_marker_whose_interval_reaches_zero_is_explained() -> None:
    """The interval is two-sided, the test is not."""
    caption, _ = _forest({name: WINS_AND_LOSSES[name] for name in ("one", "four")})
    assert "On one the interval reaches 0 and the marker is filled: the test is one-sided." in caption


@pytest.mark.parametrize("seed", range(12))
def test_exactly_the_datasets_that_seem_to_disagree_are_named(seed: int) -> None:
    """None is left out, and where none is, nothing is said."""
    rng = np.random.default_rng(seed)
    drawn = {f"d{number}": (int(rng.integers(5, 35)), int(rng.integers(3, 15))) for number in range(rng.integers(1, 6))}
    caption, content = _forest(drawn)
    seeming = {
        row.dataset for row in content.rows if (row.mark == "identified") != (row.low is not None and row.low > 0)
    }
    assert {name for name in drawn if f" {name} " in caption.partition("Filled:")[2].replace(",", " ")} == seeming
    assert ("and the marker is" in caption) == bool(seeming)
