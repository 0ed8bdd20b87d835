"""p-values and Holm's thresholds: the rule applied step by step says the same as the marks, in every design."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import reportkit
from reportkit.figures.drawings import DRAWINGS
from reportkit.figures.p_values import PValueContent, p_value_alt_text, p_value_content
from reportkit.replicability.comparison import Comparison
from reportkit.replicability.family import build_family
from reportkit.replicability.independence.independence import IndependenceAudit
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.settings import Settings
from reportkit.significance.outcome import Outcome

Build = Callable[..., Comparison]
CheckLayout = Callable[[Figure], None]
Pairs = dict[tuple[str, str], tuple[Outcome, ...]]


def family(design: str, comparisons: dict[tuple[str, str], Comparison]) -> ReplicabilityAnalysis:
    """The declared family of comparisons, corrected together."""
    pairs: Pairs = {pair: item.assessments for pair, item in comparisons.items()}
    audit = IndependenceAudit(declared="any")
    return build_family(design, pairs, settings=Settings(alpha=(0.05, 0.01)), audit=audit)  # type: ignore[arg-type]


def step_down(p_values: list[float], level: float) -> list[tuple[float, float, bool]]:
    """Holm (1979) as he wrote it: p-value, threshold, and whether it is rejected, smallest first."""
    rejecting, table = True, []
    for place, p in enumerate(sorted(p_values)):
        threshold = level / (len(p_values) - place)
        rejecting = rejecting and p <= threshold
        table.append((p, threshold, rejecting))
    return table


@pytest.fixture
def made(build: Build) -> Callable[[str], ReplicabilityAnalysis]:
    """A family of each design, with p-values drawn at random."""

    def make(design: str) -> ReplicabilityAnalysis:
        rng = np.random.default_rng(3)
        claims = {
            "declared": [("a", "b")],
            "separate": [("a", "b"), ("c", "d")],
            "baselines": [("a", "z"), ("b", "z"), ("c", "z")],
            "all-pairs": [(x, y) for x in "abc" for y in "abc" if x != y],
        }[design]
        names = [f"set {index}" for index in range(9)]
        return family(
            design,
            {
                pair: build(names, 10 ** -rng.uniform(0, 5, 9), rng.normal(0.1, 0.02, 9), system_a=pair[0],
                            system_b=pair[1])
                for pair in claims
            },
        )  # fmt: skip

    return make


@pytest.mark.parametrize("design", ["declared", "separate", "baselines", "all-pairs"])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_the_rule_step_by_step_gives_the_marks(
    design: str, alpha: float, made: Callable[[str], ReplicabilityAnalysis]
) -> None:
    """Sorted p-values compared with alpha/(m - i + 1) until one is larger: the same thresholds, the same datasets."""
    whole = made(design)
    apart = [[item] for item in whole.comparisons] if design == "separate" else [list(whole.comparisons)]
    identified = 0
    for together in apart:
        contents = [p_value_content(whole, item, alpha=alpha) for item in together]
        rows = sorted(
            (row.p_value, row.threshold, row.mark == "identified") for item in contents if item for row in item.rows
        )
        expected = step_down([float(p) for item in together for p in item.p_values], alpha)
        np.testing.assert_allclose(rows, expected, rtol=1e-12)
        assert {item.n_hypotheses for item in contents if item} == {len(expected)}
        identified += sum(mark for _, _, mark in expected)
    assert identified


def scores(seed: int = 0) -> pd.DataFrame:
    """Three systems, right or wrong, on seven datasets of different difficulty."""
    rng = np.random.default_rng(seed)
    rows = [
        {"system": system, "dataset": f"set {dataset}", "instance": instance, "score": int(rng.random() < share)}
        for dataset in range(7)
        for system, share in (("new", 0.62 + 0.03 * dataset), ("old", 0.6), ("older", 0.5))
        for instance in range(150)
    ]
    return pd.DataFrame(rows)


def test_both_directions_have_half_the_level() -> None:
    """Without a declared direction the smallest threshold is alpha / 2 / N, and the marks follow from it."""
    analysis = reportkit.compare(scores(), "new", "old", alternative="two-sided")
    whole = analysis
    assert whole.design == "both"
    content = p_value_content(whole, whole.comparisons[0], alpha=0.05)
    assert content is not None
    assert content.level == 0.025
    expected = step_down([row.p_value for row in content.rows], 0.025)
    np.testing.assert_allclose([row.threshold for row in content.rows], [threshold for _, threshold, _ in expected])
    assert [row.mark == "identified" for row in content.rows] == [rejected for _, _, rejected in expected]


@pytest.mark.parametrize("gatekeeping", ["none", "serial", "by-dataset", "exploratory"])
def test_metrics_that_share_the_level(gatekeeping: str) -> None:
    """Thresholds are given where Holm's procedure decides: pooled metrics, and the first of a series, alone."""
    frame = scores()
    twice = pd.concat([frame.assign(metric="first"), scores(1).assign(metric="second")])
    analysis = reportkit.compare(
        twice, "new", "old", metric=["first", "second"], higher_is_better=True, gatekeeping=gatekeeping
    )
    whole = analysis
    first, second = (p_value_content(whole, item, alpha=0.05) for item in whole.comparisons)
    if gatekeeping == "by-dataset":
        assert first is None
        assert second is None
        return
    assert first is not None
    pooled = [float(p) for item in whole.comparisons for p in item.p_values]
    own = [float(p) for p in whole.comparisons[0].p_values]
    expected = step_down(pooled if gatekeeping == "none" else own, 0.05)
    assert first.n_hypotheses == len(expected)
    assert {(row.p_value, row.threshold) for row in first.rows} <= {(p, threshold) for p, threshold, _ in expected}
    assert (second is None) == (gatekeeping in ("serial", "exploratory"))


def points(figure: Figure, label: str) -> dict[int, float]:
    """Row to x of the markers of one kind, over all panels."""
    found, offset = {}, 0
    for axes in figure.axes:
        (line,) = (line for line in axes.lines if line.get_label() == label)
        found |= {offset + int(y): float(x) for x, y in zip(*map(np.asarray, line.get_data()), strict=True)}
        offset += int(axes.get_ylim()[0] + 0.5)
    return found


def content_of(comparison: Comparison) -> PValueContent:
    """Of a comparison that is a family by itself."""
    whole = family("declared", {(comparison.system_a, comparison.system_b): comparison})
    content = p_value_content(whole, whole.comparisons[0], alpha=0.05)
    assert content is not None
    return content


def test_markers_stand_at_the_p_values_left_of_their_threshold(pos: Comparison) -> None:
    """Dror et al. (2017), Table 3: filled for Hungarian, Chinese and Czech, crosses for three that lose."""
    content = content_of(pos)
    figure = DRAWINGS["p-values"].draw(content)
    names = [row.dataset for row in content.rows]
    filled, crossed, hollow = (points(figure, f"_{name}") for name in ("identified", "other_sign", "not_identified"))
    assert {names[row] for row in filled} == {"Hungarian", "Chinese", "Czech"}
    assert {names[row] for row in crossed} == {"Tamil", "Basque", "Indonesian"}
    assert sorted([*filled, *crossed, *hollow]) == list(range(23))
    (steps,) = (line for line in figure.axes[0].lines if line.get_label() == "_thresholds")
    at = np.asarray(steps.get_xdata(), dtype=float)[::2]  # a row has two ends
    np.testing.assert_array_equal(np.asarray(steps.get_ydata(), dtype=float)[::2], np.arange(23) - 0.5)
    for row in range(23):
        assert at[row] == pytest.approx(0.05 / (23 - row))
        x = (filled | crossed | hollow)[row]
        assert x == content.rows[row].p_value or x < 1e-7  # in the band
        assert (x <= at[row]) == (row in filled or row in crossed)
    assert [row.p_value for row in content.rows] == sorted(pos.p_values.tolist())


@pytest.mark.slow
@pytest.mark.parametrize("venue", ["report", "acl", "neurips", "article", "ieee"])
@pytest.mark.parametrize("which", ["small", "similarity", "pos", "many", "hostile"])
def test_nothing_overlaps_or_is_cut_off(
    which: str, venue: str, request: pytest.FixtureRequest, check_layout: CheckLayout
) -> None:
    """With 4 to 100 datasets all texts are legible, inside the page and apart from each other."""
    check_layout(DRAWINGS["p-values"].draw(content_of(request.getfixturevalue(which)), venue=venue))


def test_a_hundred_datasets_stand_in_two_panels(many: Comparison) -> None:
    """Side by side on one scale, all rows there."""
    figure = DRAWINGS["p-values"].draw(content_of(many))
    assert len(figure.axes) == 2
    assert figure.axes[0].get_xlim() == figure.axes[1].get_xlim()
    everything = points(figure, "_identified") | points(figure, "_not_identified")
    assert sorted(everything) == list(range(100))


def test_alt_text_says_what_is_drawn(pos: Comparison, build: Build) -> None:
    """Claim, thresholds, identified datasets and those of the other sign, the smallest p-value above its threshold."""
    text = p_value_alt_text(content_of(pos))
    for part in (
        "claim that Mimick is better than Char→Tag on 23 datasets, on a logarithmic axis",
        "from .0022 for the smallest to .050 for the largest",
        "Mimick is shown to be better on 3 datasets, Chinese (p = 1.0e-12), Hungarian ",
        "Hungarian (p = 1.1e-8) and Czech (p = 2.9e-5)",
        "Crosses: on Basque, Tamil and Indonesian Mimick is not ahead",
        "The smallest p-value above its threshold (.0029) is .0081, on Russian",
    ):
        assert part in text
    text = p_value_alt_text(content_of(build(["a", "b"], [0.5, 0.5], [0.0, 0.0])))
    assert "is not shown to be better on any dataset" in text
