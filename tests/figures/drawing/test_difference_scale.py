"""The scale of differences: percentage points, the metric's own unit, or standard errors; never a silent mixture."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reportkit.figures.drawing.difference_scale import difference_scale
from reportkit.replicability.comparison import Comparison

Build = Callable[..., Comparison]


def test_right_or_wrong_is_in_percentage_points(small: Comparison) -> None:
    """A difference of .041 in accuracy is 4.1 percentage points, and so are the ends of its interval."""
    scale = difference_scale(small)
    assert (scale.quantity, scale.unit, scale.order, scale.level) == (
        "difference in accuracy", "percentage points", "A − B", 0.95,
    )  # fmt: skip
    np.testing.assert_allclose(scale.differences, [4.1, 1.9, 0.8, 0.04])
    interval = small.assessments[0].interval
    assert interval is not None
    np.testing.assert_allclose([scale.low[0], scale.high[0]], [100 * interval.low, 100 * interval.high])
    assert scale.texts == ("+4.1", "+1.9", "+0.8", "+0.04")


def test_printed_differences_keep_their_decimals(similarity: Comparison) -> None:
    """Without standard errors a difference is written with the decimals it was printed with; there is no interval."""
    scale = difference_scale(similarity)
    assert (scale.unit, scale.level) == ("", None)
    assert scale.texts[:2] == ("+0.1072", "+0.0826")
    assert np.isnan(scale.low).all()
    np.testing.assert_array_equal(scale.differences, similarity.differences)


def test_lower_is_better_is_subtracted_the_other_way(build: Build) -> None:
    """Where lower is better the oriented difference is B − A; where metrics disagree there is no such formula."""
    lower = build(["a", "b"], [0.01, 0.2], [0.02, 0.01], metric="TER", kind="continuous", higher_is_better=False)
    assert difference_scale(lower).order == "B − A"
    assert difference_scale(lower).quantity == "difference in TER"
    mixed = build(["a", "b"], [0.01, 0.2], [0.02, 0.01], kind="continuous", higher_is_better=[True, False])
    assert difference_scale(mixed).order == ""


def test_several_metrics_are_standardised(build: Build) -> None:
    """Accuracy beside BLEU: each is divided by its own standard error, the texts keep percentage points and BLEU."""
    mixed = build(
        ["sst2", "wmt17"], [0.001, 0.2], [0.02, 0.4], metric=["accuracy", "BLEU"], kind=["binary", "continuous"],
        estimand="mean difference",
    )  # fmt: skip
    scale = difference_scale(mixed)
    errors = [item.standard_error for item in mixed.assessments]
    np.testing.assert_allclose(scale.differences, np.divide([0.02, 0.4], errors))
    np.testing.assert_allclose(scale.high - scale.differences, 1.96)
    assert (scale.quantity, scale.unit) == ("difference in score", "standard errors")
    assert scale.texts == ("+2.0", "+0.4")


def test_several_metrics_without_standard_errors_say_so(build: Build) -> None:
    """If a standard error is unknown nothing is divided, and the name of the axis says that units differ."""
    mixed = build(
        ["sst2", "wmt17"], [0.001, 0.2], [2.0, 0.4], metric=["F1", "BLEU"], kind="continuous", standard_error=False
    )
    scale = difference_scale(mixed)
    assert scale.unit == "units of each dataset"
    np.testing.assert_array_equal(scale.differences, [2.0, 0.4])


def test_other_estimands_are_named(build: Build) -> None:
    """A quantity that is no difference of scores stands under its own name, without A − B."""
    words = "share of wins less share of losses"
    ordinal = build(["a", "b"], [0.01, 0.2], [0.2, 0.1], kind="ordinal", metric="rating", estimand=words)
    assert (difference_scale(ordinal).quantity, difference_scale(ordinal).order) == (words, "")


def test_levels_that_differ_are_not_claimed_to_be_one(build: Build) -> None:
    """No level is given if there is no interval at all."""
    assert difference_scale(build(["a"], [0.01], [0.2], intervals=False)).level is None
