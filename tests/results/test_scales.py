"""Percentages beside proportions are refused; a better system is not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import ScoreValueError
from reportkit.results.ingest import results_from_frame
from reportkit.results.results import Results
from reportkit.results.scales import refuse_out_of_range


def results(*, accept: bool = False, **systems: list[float]) -> Results:
    """Results of one dataset in wide form."""
    frame = pd.DataFrame({"dataset": "cb", "id": range(len(next(iter(systems.values())))), **systems})
    return results_from_frame(frame, mixed_scales="accept" if accept else "error")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([0.9, 0.8, 0.7], [90.0, 85.0, 0.0]),
        ([0.0, 0.0, 1.0], [0.0, 11.0, 20.0]),
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
