"""p-values and Holm's thresholds: the rule applied step by step says the same as the marks, in every design."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import reportkit
from reportkit.figures.drawings import drawing
from reportkit.figures.p_values import PValueContent, p_value_alt_text
from reportkit.report.gather import gather
from reportkit.report.pictures import Pictures
from reportkit.report.wording import Wording
from tests.figures.conftest import numbers, p_values_of


def step_down(p_values: list[float], level: float) -> list[tuple[float, float, bool]]:
    """Holm (1979) as he wrote it: p-value, threshold, and whether it is rejected, smallest first."""
    rejecting, table = True, []
    for place, p in enumerate(sorted(p_values)):
        threshold = level / (len(p_values) - place)
        rejecting = rejecting and p <= threshold
        table.append((p, threshold, rejecting))
    return table


def scores() -> pd.DataFrame:
    """Three systems, right or wrong, on seven datasets of different difficulty."""
    rng = np.random.default_rng(0)
    rows = [
        {"system": system, "dataset": f"set {dataset}", "instance": instance, "score": int(rng.random() < share)}
        for dataset in range(7)
        for system, share in (("new", 0.62 + 0.03 * dataset), ("old", 0.6), ("older", 0.5))
        for instance in range(150)
    ]
    return pd.DataFrame(rows)


def contents_of(analysis: reportkit.Analysis) -> list[PValueContent]:
    """Return what is drawn of each claim."""
    facts = gather(analysis)
    pictures = Pictures(facts, analysis.appearance, Wording(facts))
    return [figure.content for claim in facts.claims if (figure := pictures.p_values(claim)) is not None]


@pytest.mark.parametrize("design", ["declared", "both", "baselines", "all-pairs"])
def test_the_rule_step_by_step_gives_the_marks(design: str) -> None:
    """Sorted p-values compared with alpha/(m - i + 1) until one is larger: the same thresholds, the same datasets.

    Without a declared direction each has half the level.
    """
    options = {
        "declared": {"a": "new", "b": "old", "alternative": "greater"},
        "both": {"a": "new", "b": "old", "alternative": "two-sided"},
        "baselines": {"baseline": "older"},
        "all-pairs": {},
    }[design]
    analysis = reportkit.compare(scores(), options.pop("a", None), options.pop("b", None), **options)
    contents = contents_of(analysis)
    contents = contents[:1] if design == "both" else contents
    rows = sorted((row.p_value, row.threshold, row.mark == "identified") for item in contents for row in item.rows)
    expected = step_down([p for p, _, _ in rows], 0.025 if design == "both" else 0.05)
    np.testing.assert_allclose(rows, expected, rtol=1e-8)
    assert {item.n_hypotheses for item in contents} == {len(expected)}
    assert any(mark for _, _, mark in expected)


def points(figure: Figure, label: str) -> dict[int, float]:
    """Return the x of each marker of one kind by row, over all panels."""
    found, offset = {}, 0
    for axes in figure.axes:
        (line,) = (line for line in axes.lines if line.get_label() == label)
        found |= {offset + int(y): float(x) for x, y in zip(*map(np.asarray, line.get_data()), strict=True)}
        offset += int(axes.get_ylim()[0] + 0.5)
    return found


@pytest.mark.slow
def test_markers_stand_at_the_p_values_left_of_their_threshold() -> None:
    """Dror et al. (2017), Table 3: filled for Hungarian, Chinese and Czech, crosses for three that lose."""
    content = p_values_of(numbers("pos"))
    figure = drawing("p-values").draw(content)
    names = [row.dataset for row in content.rows]
    filled, crossed, hollow = (points(figure, f"_{name}") for name in ("identified", "other_sign", "not_identified"))
    assert {names[row] for row in filled} == {"Hungarian", "Chinese", "Czech"}
    assert {names[row] for row in crossed} == {"Tamil", "Basque", "Indonesian"}
    assert sorted([*filled, *crossed, *hollow]) == list(range(23))
    (steps,) = (line for line in figure.axes[0].lines if line.get_label() == "_thresholds")
    at = np.asarray(steps.get_xdata(), dtype=float)[::2]  # a row has two ends
    for row in range(23):
        assert at[row] == pytest.approx(0.05 / (23 - row))
        x = (filled | crossed | hollow)[row]
        assert x == content.rows[row].p_value or x < 1e-7  # in the band
        assert (x <= at[row]) == (row in filled or row in crossed)


@pytest.mark.slow
def test_a_hundred_datasets_stand_in_two_panels() -> None:
    """Side by side on one scale, all rows there."""
    figure = drawing("p-values").draw(p_values_of(numbers("many")))
    assert len(figure.axes) == 2
    assert figure.axes[0].get_xlim() == figure.axes[1].get_xlim()
    everything = points(figure, "_identified") | points(figure, "_not_identified")
    assert sorted(everything) == list(range(100))


def test_alt_text_says_what_is_drawn() -> None:
    """Claim, thresholds, identified datasets and those of the other sign."""
    text = p_value_alt_text(p_values_of(numbers("pos")))
    for part in (
        "claim that Mimick is better than Char→Tag on 23 datasets, with the thresholds of Holm's procedure over 23",
        "from .0022 for the smallest to .050 for the largest",
        "Mimick is shown to be better on Chinese (p = 1.0e-12), Hungarian (p = 1.1e-8) and Czech (p = 2.9e-5)",
        "Crosses: on Basque, Tamil and Indonesian Mimick is not ahead",
    ):
        assert part in text
    text = p_value_alt_text(p_values_of((["a", "b"], [0.5, 0.5], [0.0, 0.0])))
    assert "is not shown to be better on any dataset" in text
