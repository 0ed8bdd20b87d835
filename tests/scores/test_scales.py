"""Percentages beside proportions are refused; a better system is not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from reportkit.errors import ScoreValueError
from reportkit.scores.ingest import results_from_frame
from reportkit.scores.results import Results
from reportkit.scores.scales import Ranges, ranges_of, refuse_mixed_scales, refuse_out_of_range
from reportkit.scores.shapes.paired_scores import DatasetScores


def results(*, accept: bool = False, **systems: list[float]) -> Results:
    """Results of one dataset in wide form."""
    frame = pd.DataFrame({"dataset": "cb", "id": range(len(next(iter(systems.values())))), **systems})
    return results_from_frame(frame, mixed_scales="accept" if accept else "error")


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
        results_from_frame(frame)
    results_from_frame(frame, mixed_scales="accept")
    metric = np.where(frame["dataset"] == "cb", "acc", "BLEU")
    assert results_from_frame(frame.assign(metric=metric)).metrics == ("acc", "BLEU")


def test_lower_is_better_is_judged_as_given() -> None:
    """Error rates are compared with error percentages, not with their negatives."""
    frame = pd.DataFrame({"dataset": "cb", "id": [1, 2], "a": [0.1, 0.2], "b": [11.0, 20.0]})
    with pytest.raises(ScoreValueError, match="mixed on dataset 'cb'") as raised:
        results_from_frame(frame, higher_is_better=False)
    assert "'a' from 0.1 to 0.2 (mean 0.15)" in str(raised.value)


def test_declared_range() -> None:
    """Scores outside of the declared range are counted and the first are named, as given."""
    frame = pd.DataFrame({"dataset": "cb", "id": [1, 2], "a": [0.1, 2.0], "b": [-1.0, 1.0]})
    with pytest.raises(ScoreValueError, match="2 scores lie outside of the declared range 0 to 1") as raised:
        refuse_out_of_range(results_from_frame(frame, higher_is_better=False), (0, 1))
    assert "2 ('a' on 'cb', instance '2') and -1 ('b' on 'cb', instance '1')" in str(raised.value)
    refuse_out_of_range(results_from_frame(frame), (-1, 2))


def test_few_scores_above_zero_are_a_warning() -> None:
    """A system that is 0 but once says little of its scale: the run goes on, and the finding says what may be meant."""
    (finding,) = [item for item in results(a=[0, 0, 1], b=[0, 11, 20]).findings if item.code == "mixed-scales"]
    assert finding.severity == "warning"
    assert "'a'" in finding.where
    assert "--mixed-scales accept" in finding.remedy
    assert not [item for item in results(a=[0, 0, 1], b=[0, 11, 20], accept=True).findings if item.code == finding.code]


def _ranges(scores: NDArray[np.float64]) -> Ranges:
    block = DatasetScores(
        dataset="cb",
        metric="score",
        systems=("a", "b"),
        instances=np.arange(scores.shape[1]).astype(str).astype(object),
        kind="continuous",
        scores=scores,
    )
    return ranges_of(block)


@pytest.mark.parametrize(("scale", "share"), [(2, 0.1), (3, 0.05), (3, 0.2), (5, 0.05), (5, 0.1), (5, 0.5)])
def test_scores_with_many_zeros_are_rarely_refused(scale: float, share: float) -> None:
    """Both systems exponential, most scores 0: up to one in thirty runs was stopped; now hardly one in 300."""
    rng = np.random.default_rng(0)
    refused = doubted = 0
    for _ in range(300):
        try:
            doubted += bool(
                refuse_mixed_scales([_ranges(rng.exponential(scale, (2, 30)) * (rng.random((2, 30)) < share))])
            )
        except ScoreValueError:
            refused += 1
    assert refused <= 1
    assert doubted <= 20


@pytest.mark.parametrize(("right_a", "right_b"), [(0.8, 0.7), (0.9, 0.3), (0.5, 0.5)])
def test_a_true_mixture_is_refused(right_a: float, right_b: float) -> None:
    """Thirty answers as 0 or 1 beside thirty as 0 or 100, and graded ones alike."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        binary = np.array([rng.random(30) < right_a, 100 * (rng.random(30) < right_b)], dtype=float)
        graded = rng.beta(8, 4, (2, 30)) * [[1], [100]]
        for scores in (binary, graded):
            with pytest.raises(ScoreValueError, match="mixed on dataset 'cb'"):
                refuse_mixed_scales([_ranges(scores)])
