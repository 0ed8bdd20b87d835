"""Several metrics of one table: where each is looked for, and what is put together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.api import read
from reportkit.errors import UnknownNameError
from reportkit.settings import Settings

FRAME = pd.DataFrame(
    {
        "system": ["a", "a", "b", "b"],
        "dataset": "d",
        "instance": [1, 2, 1, 2],
        "accuracy": [1, 0, 1, 1],
        "errors": [0.5, 2.5, 0.0, 1.0],
        "note": list("wxyz"),
    }
)


def test_columns_named_as_metrics_are_their_scores():
    """Each with its own direction and kind; the other columns stay unused in all."""
    settings = Settings(
        metric=["errors", "accuracy"], higher_is_better={"errors": False}, kind={"errors": "continuous"}
    )
    results = read(FRAME, settings=settings)
    errors, accuracy = results.datasets
    assert (errors.metric, accuracy.metric) == ("errors", "accuracy")
    assert (errors.higher_is_better, accuracy.higher_is_better) == (False, True)
    assert (errors.kind, accuracy.kind) == ("continuous", "binary")
    np.testing.assert_array_equal(errors.scores, [[-0.5, -2.5], [0.0, -1.0]])
    assert results.columns["score"] == "errors, accuracy"
    assert results.unused_columns == ("note",)
    assert results.n_rows == 4


def test_a_column_of_metrics_is_read_once():
    """All its metrics are there, as without a choice; the comparison selects."""
    long = FRAME.melt(["system", "dataset", "instance"], ["accuracy", "errors"], "metric", "score")
    chosen = read(long, settings=Settings(metric=["errors", "accuracy"]))
    assert chosen.digest() == read(long).digest()


def test_a_direction_of_no_metric_is_a_mistake():
    """Names that are no metric reach the reader, which answers with what is known."""
    settings = Settings(metric=["errors", "accuracy"], higher_is_better={"error": False})
    with pytest.raises(UnknownNameError, match="error"):
        read(FRAME, settings=settings)


@pytest.mark.parametrize("metric", ["f1", ["f1"]], ids=["a name", "a list"])
def test_one_metric_may_be_the_name_of_a_column(metric):
    """Also of one that a corpus metric has; next to a column of scores, the column that is named counts."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        [(system, dataset, i, rng.random()) for system in "ab" for dataset in "xy" for i in range(20)],
        columns=["system", "dataset", "id", "f1"],
    )
    found = reportkit.compare(frame, "a", "b", metric=metric)
    assert found.metrics == ("f1",)
    beside = reportkit.compare(frame.assign(score=0.5), "a", "b", metric=metric)
    plain = reportkit.compare(frame.rename(columns={"f1": "score"}), "a", "b")
    for other in (beside, plain):
        assert found["a", "b"].p_values.tolist() == other["a", "b"].p_values.tolist()
