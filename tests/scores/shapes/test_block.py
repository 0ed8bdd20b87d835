"""Checks of scores reach runs and folds too, and name them."""

from __future__ import annotations

import pandas as pd
import pytest

from reportkit.errors import ScoreValueError
from reportkit.scores.ingest import results_from_frame
from reportkit.scores.scales import refuse_out_of_range


def frame(column, values, **others):
    """Two systems; `column` tells two scores of each apart."""
    return pd.DataFrame(
        {"system": ["a", "a", "b", "b"], "dataset": "cb", column: [0, 1, 0, 1], "score": values, **others}
    )


RUNS = pd.concat([frame("seed", [0.5, 0.6, 0.7, 0.2], instance=i) for i in (1, 2)])
CASES = {"runs": RUNS, "run-scores": frame("seed", [0.5, 0.6, 0.7, 0.2]), "folds": frame("fold", [0.5, 0.6, 0.7, 0.2])}


@pytest.mark.parametrize(
    ("shape", "place"),
    [
        ("runs", "'b, run 0' on 'cb', instance '1'"),
        ("run-scores", "'b' on 'cb', instance '0'"),
        ("folds", "'b' on 'cb'"),
    ],
)
def test_scores_out_of_range(shape, place):
    """.7 lies above .65."""
    results = results_from_frame(CASES[shape])
    assert results.datasets[0].shape == shape
    with pytest.raises(ScoreValueError, match="outside of the declared range") as raised:
        refuse_out_of_range(results, (0, 0.65))
    assert f"0.7 ({place}" in str(raised.value)
    refuse_out_of_range(results, (0, 1))


@pytest.mark.parametrize("shape", CASES)
def test_mixed_scales_and_wrong_kinds(shape):
    """Percentages of one system beside proportions of the other; scores declared as what they are not."""
    df = CASES[shape]
    mixed = df.assign(score=df["score"].where(df["system"] == "a", 100 * df["score"]))
    with pytest.raises(ScoreValueError, match="percentages seem to be mixed"):
        results_from_frame(mixed)
    with pytest.raises(ScoreValueError, match="declared as count"):
        results_from_frame(df, kind="count")


def test_other_blocks_have_none():
    """Numbers of right answers are no scores of instances."""
    counts = pd.DataFrame({"system": ["a", "b"], "dataset": "cb", "k": [3, 4], "n": [10, 10]})
    assert results_from_frame(counts).datasets[0].matrix() is None
