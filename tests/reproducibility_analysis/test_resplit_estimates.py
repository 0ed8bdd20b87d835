"""Finished estimates: both systems, every estimator, once each."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import DuplicateScoresError, MissingScoresError
from reportkit.reproducibility_analysis.study import resplit_study
from reportkit.scores.resplits import resplits_from_frame
from tests.reproducibility_analysis.resplit_cases import estimates_frame

VALUES = {"ST": np.linspace(-0.02, 0.03, 20), "RS6": np.linspace(0, 0.01, 20), "Avg": np.linspace(-0.01, 0.02, 20)}


def study_of(frame):
    """From a frame to the study."""
    return resplit_study(resplits_from_frame(frame), "new", "old")


def test_estimates_are_taken_as_they_are():
    """Differences, whatever the order of rows; without a vote there is no mixture."""
    (item,) = study_of(estimates_frame(VALUES).sample(frac=1, random_state=1)).resplits
    assert list(item.estimates) == ["ST", "RS6", "Avg"]
    for name, values in VALUES.items():
        assert item.estimates[name] == pytest.approx(values, abs=1e-12)
    assert item.both_above is None


def test_with_a_vote_there_are_both_mixtures():
    """The larger of vote and average, and of their negatives."""
    values = {**VALUES, "Vote": np.linspace(0.02, -0.01, 20)}
    (item,) = study_of(estimates_frame(values)).resplits
    vote, average = values["Vote"], values["Avg"]
    assert item.estimates["Mixture (A over B)"] == pytest.approx(np.maximum(vote, average), abs=1e-12)
    assert item.estimates["Mixture (B over A)"] == pytest.approx(np.maximum(-vote, -average), abs=1e-12)
    assert item.both_above == np.mean((np.maximum(vote, average) > 1e-12) & (np.minimum(vote, average) < -1e-12))


def test_an_estimate_twice_or_not_at_all():
    """Both are refused with the re-partition."""
    frame = estimates_frame(VALUES)
    with pytest.raises(DuplicateScoresError, match="ST is given twice") as caught:
        study_of(pd.concat([frame, frame.iloc[[0]]]))
    assert "re-partition 1" in str(caught.value)
    with pytest.raises(MissingScoresError, match="not every estimate"):
        study_of(frame.drop(index=frame.index[-1]))
