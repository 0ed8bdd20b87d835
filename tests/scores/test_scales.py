"""Kinds of scores are detected or declared; 0 and 100 are wrong and right; mixed scales are refused, with where."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import reportkit
from reportkit.errors import MissingScoresError, ScoreValueError, SettingsError
from reportkit.scores.checks import detect_kind, refuse_mixed_scales, refuse_out_of_range
from reportkit.scores.scores import Results, Scores
from tests.scores.reading import results_of


@pytest.mark.parametrize(
    ("scores", "kind"),
    [
        ([[0, 1, 1], [1, np.nan, 0]], "binary"),
        ([[0, -1.0]], "binary"),
        ([[0.0, 0.0]], "binary"),
        ([[1, -1.0]], "continuous"),
        ([[0, 1, 0.5]], "continuous"),
        ([[1, 2, 3, 4, 5]], "continuous"),
    ],
)
def test_kind(scores: list[list[float]], kind: str) -> None:
    """0 and 1, or 0 and -1 where scores are held negated; 1 and -1 together are something else."""
    assert detect_kind(np.array(scores, dtype=float)) == kind


CODE = "right-or-wrong-in-percent"


def _frame(seed: int = 0, n: int = 40) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [
        {"system": system, "dataset": name, "instance": i, "score": float(rng.random() < share)}
        for system, share in (("new", 0.8), ("old", 0.6))
        for name in ("x", "y")
        for i in range(n)
    ]
    return pd.DataFrame(rows)


def _percent(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(score=100 * frame["score"])


def _findings(analysis: reportkit.Analysis) -> list[str]:
    return [item.message for item in analysis.findings if item.code == CODE]


def _said(analysis: reportkit.Analysis) -> tuple[str, ...]:
    """Tables and text of an analysis; the data are the same, and so is their hash."""
    return analysis.to_latex(), analysis.to_markdown("p-values"), analysis.paragraph("full"), analysis.summary()


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("higher", [True, False])
def test_percent_is_the_same_as_zero_and_one(wide: bool, higher: bool) -> None:
    """McNemar's test, percentages, and percentage points in the text."""
    frame = _frame()
    given_as, as_percent = frame, _percent(frame)
    if wide:
        given_as, as_percent = (
            one.pivot_table("score", ["dataset", "instance"], "system").reset_index() for one in (given_as, as_percent)
        )
    one, other = (
        reportkit.compare(results, "new", "old", higher_is_better=higher) for results in (given_as, as_percent)
    )
    assert set(other.outcomes["test"]) == {"mcnemar"}
    pd.testing.assert_frame_equal(one.outcomes, other.outcomes)
    assert _said(one) == _said(other)
    assert r"(\%)" in other.to_latex()
    assert "points" in other.paragraph()
    assert (_findings(one), len(_findings(other))) == ([], 1)


@pytest.mark.parametrize("missing", ["drop", "worst"])
@pytest.mark.parametrize("higher", [True, False])
def test_missing_scores_are_filled_on_the_same_scale(missing: str, higher: bool) -> None:
    """With the range of the file declared, too: the worst is 0 of 1, not 0 or 100 next to 1."""
    frame = _frame()
    frame.loc[[3, 17, 95], "score"] = np.nan
    options = {"missing": missing, "higher_is_better": higher}
    one = reportkit.compare(frame, "new", "old", **options)
    other = reportkit.compare(_percent(frame), "new", "old", score_range=(0, 100), **options)
    pd.testing.assert_frame_equal(one.outcomes, other.outcomes)


@pytest.mark.parametrize("value", [50.0, 1.0, -100.0, 99.9, 200.0])
def test_another_score_makes_them_no_right_or_wrong(value: float) -> None:
    """A single other value on any dataset: nothing is divided."""
    frame = _percent(_frame())
    frame.loc[0, "score"] = value
    analysis = reportkit.compare(frame, "new", "old")
    assert _findings(analysis) == []
    assert "mcnemar" not in set(analysis.outcomes["test"])
    assert analysis.outcomes["score_a"].max() > 1


def test_a_dataset_is_declared_right_or_wrong() -> None:
    """The kind of the one dataset is declared; the other stays as it is, both in percent."""
    frame = _percent(_frame())
    frame.loc[(frame["dataset"] == "x"), "score"] = np.random.default_rng(1).uniform(20, 90, 80)
    analysis = reportkit.compare(frame, "new", "old", kind={"y": "binary"})
    tests = dict(zip(analysis.outcomes["dataset"], analysis.outcomes["test"], strict=True))
    assert tests["y"] == "mcnemar"
    assert tests["x"] != "mcnemar"
    assert _findings(analysis) == []


def test_scores_that_are_declared_right_or_wrong_and_are_not_are_refused() -> None:
    """0, 50 and 100 are no right-or-wrong scores."""
    frame = _percent(_frame())
    frame.loc[0, "score"] = 50
    with pytest.raises(ScoreValueError, match="declared as binary"):
        reportkit.compare(frame, "new", "old", kind="binary")


@pytest.mark.parametrize("margin", [1, 2.5])
def test_a_margin_in_points_is_refused(margin: float) -> None:
    """One point of 0 to 100 is 0.01: a margin of 1 or more would be all that there is."""
    with pytest.raises(SettingsError, match="percentage point"):
        reportkit.compare(_percent(_frame()), "new", "old", rope=margin)
    analysis = reportkit.compare(_percent(_frame()), "new", "old")
    for options in ({"better_by": margin}, {"equivalent_within": margin}, {"rope": margin}):
        with pytest.raises(SettingsError, match="percentage point"):
            analysis.assess(**options)
    with pytest.raises(SettingsError, match="percentage point"):
        analysis.posterior(rope=margin)


@given(st.lists(st.sampled_from([0.0, 100.0]), min_size=8, max_size=8), st.integers(0, 1))
@settings(max_examples=40, deadline=None)
def test_only_both_values_tell(scores: list[float], gap: int) -> None:
    """All 100, or all 0, may be anything; both, and nothing else, are right or wrong."""
    frame = pd.DataFrame(
        {"system": ["new", "old"] * 4, "dataset": "x", "instance": [0, 0, 1, 1, 2, 2, 3, 3], "score": scores}
    )
    if gap:
        frame.loc[0, "score"] = np.nan
    try:
        results = reportkit.read(frame, settings=reportkit.Settings(missing="drop"))
    except MissingScoresError:
        return
    values = set(frame["score"].dropna())
    assert (results.datasets[0].kind == "binary") == (100.0 not in values or values == {0.0, 100.0})


def results(*, accept: bool = False, **systems: list[float]) -> Results:
    """Results of one dataset in wide form."""
    frame = pd.DataFrame({"dataset": "cb", "id": range(len(next(iter(systems.values())))), **systems})
    return results_of(frame, mixed_scales="accept" if accept else "error")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([0.9, 0.8, 0.7], [90.0, 85.0, 0.0]),
        ([0.0, 0.2, 0.8, 1.0], [0.0, 11.0, 20.0, 15.0]),
        ([1.0, 1.0, 1.0], [100.0, 100.0, 100.0]),
    ],
)
def test_mixed_within_a_dataset(a: list[float], b: list[float]) -> None:
    """One system in [0, 1] and another that reaches 10 to 100 with five times the mean."""
    with pytest.raises(ScoreValueError, match="mixed on dataset 'cb'"):
        results(a=a, b=b)
    assert results(a=a, b=b, accept=True).systems == ("a", "b")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([0.0, 0.0, 0.0], [90.0, 85.0, 0.0]),  # a system that is always wrong
        ([0.9, 0.8, 1.1], [90.0, 85.0, 0.0]),  # not proportions
        ([0.9, 0.8, 0.7], [9.0, 8.0, 10.0]),  # points out of 10
        ([0.9, 0.8, 0.7], [900.0, 85.0, 0.0]),  # not percentages
        ([0.9, 0.8, 0.7], [11.0, 0.0, 0.0, 0.0][:3]),  # hardly more on average
        ([-0.9, 0.8, 0.7], [90.0, 85.0, 70.0]),  # correlations
    ],
)
def test_not_mixed(a: list[float], b: list[float]) -> None:
    """Scores that may well be on one scale are not complained about."""
    assert results(a=a, b=b).systems == ("a", "b")


def test_mixed_between_datasets_of_one_metric_only() -> None:
    """Two datasets of one metric on two scales are refused; two metrics may have two scales."""
    frame = pd.DataFrame(
        {
            "system": ["a", "b"] * 4,
            "dataset": ["cb"] * 4 + ["cola"] * 4,
            "instance": [1, 1, 2, 2] * 2,
            "score": [0.5, 0.6, 0.7, 0.8, 50, 60, 70, 80],
        }
    )
    with pytest.raises(ScoreValueError, match="mixed between datasets, metric 'score'"):
        results_of(frame)
    results_of(frame, mixed_scales="accept")
    metric = np.where(frame["dataset"] == "cb", "acc", "BLEU")
    assert results_of(frame.assign(metric=metric)).metrics == ("acc", "BLEU")


def test_lower_is_better_is_judged_as_given() -> None:
    """Error rates are compared with error percentages, not with their negatives."""
    frame = pd.DataFrame({"dataset": "cb", "id": [1, 2], "a": [0.1, 0.2], "b": [11.0, 20.0]})
    with pytest.raises(ScoreValueError, match="mixed on dataset 'cb'") as raised:
        results_of(frame, higher_is_better=False)
    assert "'a' from 0.1 to 0.2 (mean 0.15)" in str(raised.value)


def test_declared_range() -> None:
    """Scores outside of the declared range are counted and the first are named, as given."""
    frame = pd.DataFrame({"dataset": "cb", "id": [1, 2], "a": [0.1, 2.0], "b": [-1.0, 1.0]})
    with pytest.raises(ScoreValueError, match="2 scores lie outside of the declared range 0 to 1") as raised:
        refuse_out_of_range(results_of(frame, higher_is_better=False), (0, 1))
    assert "2 ('a' on 'cb', instance '2') and -1 ('b' on 'cb', instance '1')" in str(raised.value)
    refuse_out_of_range(results_of(frame), (-1, 2))


def test_few_scores_above_zero_are_not_refused() -> None:
    """A system that is 0 but once says little of its scale."""
    assert results(a=[0, 0, 1], b=[0, 11, 20]).digest() == results(a=[0, 0, 1], b=[0, 11, 20], accept=True).digest()


def _block(scores: NDArray[np.float64]) -> Scores:
    return Scores(
        dataset="cb",
        metric="score",
        systems=("a", "b"),
        instances=np.arange(scores.shape[1]).astype(str).astype(object),
        kind="continuous",
        scores=scores,
    )


@pytest.mark.parametrize(("right_a", "right_b"), [(0.8, 0.7), (0.9, 0.3), (0.5, 0.5)])
def test_a_true_mixture_is_refused(right_a: float, right_b: float) -> None:
    """Thirty answers as 0 or 1 next to thirty as 0 or 100, and graded ones alike."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        binary = np.array([rng.random(30) < right_a, 100 * (rng.random(30) < right_b)], dtype=float)
        graded = rng.beta(8, 4, (2, 30)) * [[1], [100]]
        for scores in (binary, graded):
            with pytest.raises(ScoreValueError, match="mixed on dataset 'cb'"):
                refuse_mixed_scales([_block(scores)])
