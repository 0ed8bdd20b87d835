"""Recognising the form and columns of what was measured on re-partitions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import ColumnError, InputError, UnknownNameError
from reportkit.scores.resplits import resplits_from_frame

PREDICTIONS = pd.DataFrame(
    {"model": ["a", "b"], "rep": 1, "cv_fold": 1, "id": ["x", "x"], "pred": ["n", "p"], "label": "n"}
)


def test_forms_are_told_apart():
    """By their columns, under other names too."""
    found = resplits_from_frame(PREDICTIONS)
    assert found.form == "predictions"
    assert dict(found.columns) == {
        "system": "model", "replicate": "rep", "fold": "cv_fold", "instance": "id",
        "prediction": "pred", "gold": "label",
    }  # fmt: skip
    assert found.arrays["dataset"].tolist() == ["all", "all"]
    scores = pd.DataFrame({"system": ["a"], "repetition": [1], "fold": [1], "score": ["0.25"]})
    assert resplits_from_frame(scores).form == "scores"
    assert resplits_from_frame(scores).arrays["score"].tolist() == [0.25]
    estimates = pd.DataFrame({"system": ["a"], "repeat": [1], "estimator": ["ST"], "value": [0.5]})
    assert resplits_from_frame(estimates).form == "estimates"


def test_columns_can_be_named():
    """A declared role wins; one that does not exist is answered."""
    frame = PREDICTIONS.rename(columns={"pred": "said"})
    assert resplits_from_frame(frame, columns={"prediction": "said"}).columns["prediction"] == "said"
    with pytest.raises(UnknownNameError, match="sayd"):
        resplits_from_frame(frame, columns={"prediction": "sayd"})
    with pytest.raises(UnknownNameError, match="predicton"):
        resplits_from_frame(frame, columns={"predicton": "said"})


def test_a_missing_column_is_named_with_both_ways_out():
    """Python and command line."""
    with pytest.raises(ColumnError, match="missing: gold") as caught:
        resplits_from_frame(PREDICTIONS.drop(columns="label"))
    assert "--columns gold=" in str(caught.value)
    with pytest.raises(ColumnError, match="could all be the gold"):
        resplits_from_frame(PREDICTIONS.assign(target="n"))


def test_missing_values_are_refused():
    """Nothing is dropped."""
    with pytest.raises(InputError, match="1 value is missing in the column 'pred'") as caught:
        resplits_from_frame(PREDICTIONS.assign(pred=["n", None]))
    assert "row 2" in str(caught.value)
    with pytest.raises(InputError, match="no rows"):
        resplits_from_frame(PREDICTIONS.iloc[:0])
    scores = pd.DataFrame({"system": ["a"], "replicate": [1], "fold": [1], "score": ["high"]})
    with pytest.raises(InputError, match="1 of 1 scores is not a number: column 'score'"):
        resplits_from_frame(scores)


def test_numbers_from_text_are_exact():
    """As Python reads them, so that a file and a frame give the same digest."""
    values = np.random.default_rng(1).random(500)
    frame = pd.DataFrame({"system": "a", "repeat": range(500), "estimator": "Avg", "value": values})
    text = frame.assign(value=[repr(float(value)) for value in values], repeat=frame["repeat"].astype(str))
    assert resplits_from_frame(text).arrays["value"].tolist() == values.tolist()
    assert resplits_from_frame(text).digest == resplits_from_frame(frame).digest
