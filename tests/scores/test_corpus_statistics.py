"""Columns of counts: which metric, validation, and blocks."""

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import (
    ColumnError,
    DuplicateScoresError,
    InputError,
    MissingScoresError,
    ScoreValueError,
    SettingsError,
)
from reportkit.metrics.corpus import CORPUS_METRICS, register_metric
from tests.scores.reading import results_of


def _frame(columns=("tp", "fp", "fn"), n=6, systems=("new", "old"), datasets=("cb",), seed=1):
    rng = np.random.default_rng(seed)
    rows = [(s, d, f"{d}-{i}") for d in datasets for s in systems for i in range(n)]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance"])
    for column in columns:
        frame[column] = rng.integers(1, 9, size=len(frame))
    return frame


def test_counts_become_one_array_per_dataset():
    """Systems and instances in order, columns in that of the metric, whatever the order of rows and columns."""
    frame = _frame(datasets=("cb", "wsc"))
    results = results_of(frame, metric="F1")
    mixed = frame.sample(frac=1, random_state=3)[["fn", "instance", "tp", "dataset", "fp", "system"]]
    again = results_of(mixed, metric="f1")
    assert [block.dataset for block in results] == ["cb", "wsc"]
    assert results.digest() == again.digest()
    block = results.datasets[0]
    assert (block.shape, block.metric, block.systems) == ("corpus", "F1", ("new", "old"))
    assert block.scores.shape == (2, 6, 3)
    mine = frame[(frame["dataset"] == "cb") & (frame["system"] == "old")]
    tp, fp, fn = mine[["tp", "fp", "fn"]].sum()
    assert block.value("old") == (pytest.approx(2 * tp / (2 * tp + fp + fn)), 6)
    assert results.unused_columns == ()


def test_prefix_and_case():
    """`stat_tp`, `FP` and `Stat-FN` are read as tp, fp, fn."""
    frame = _frame().rename(columns={"tp": "stat_tp", "fp": "FP", "fn": "Stat-FN"})
    assert results_of(frame, metric="recall").digest() == results_of(_frame(), metric="recall").digest()


def test_scores_beside_counts():
    """Scores are compared as always, unless the metric is asked for."""
    frame = _frame().assign(score=0.5)
    frame.loc[0, "score"] = 0.7
    assert results_of(frame).datasets[0].shape == "paired"
    assert results_of(frame, metric="f1").datasets[0].shape == "corpus"


def test_a_column_of_metrics_wins():
    """Scores called bleu in a column of metrics are scores."""
    frame = _frame().assign(score=[*[0.5] * 5, 0.6] * 2, metric="f1")
    assert results_of(frame, metric="f1").datasets[0].shape == "paired"


def test_several_metrics_fit():
    """All of them are named."""
    with pytest.raises(ColumnError, match=r"metrics can be computed: f1, f0\.5, precision, recall"):
        results_of(_frame())


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"tp": -1}, ScoreValueError, "1 of 12 rows has negative counts in 'tp'"),
        ({"tp": "x"}, ScoreValueError, "1 of 12 counts is not a number: column 'tp' holds 'x'"),
        ({"tp": np.inf}, ScoreValueError, "1 of 12 counts is infinite"),
        ({"tp": np.nan}, ScoreValueError, "1 of 12 rows has some counts only"),
        ({"tp": np.nan, "fp": np.nan, "fn": np.nan}, MissingScoresError, "1 row of counts is missing"),
        ({"instance": "cb-1"}, DuplicateScoresError, "has several scores"),
    ],
)
def test_wrong_rows_are_named(change, error, message):
    """What, and in which row."""
    frame = _frame().astype({"tp": object, "fp": object, "fn": object})
    for column, value in change.items():
        frame.loc[3, column] = value
    with pytest.raises(error, match=message) as caught:
        results_of(frame, metric="f1")
    assert "3" in str(caught.value)


def test_parts_above_their_whole():
    """More matches than n-grams."""
    frame = _frame(("correct", "total"))
    frame["total"] = 9
    frame.loc[4, "correct"] = 10
    with pytest.raises(ScoreValueError, match="1 of 12 rows has more in 'correct' than in 'total'"):
        results_of(frame, metric="las")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"seed": [1, 2] * 6}, "column 'seed' holds several runs"),
        ({"weight": 2.0}, "column 'weight' holds weights"),
        ({"metric": ["x", "y"] * 6}, "column 'metric' holds several metrics"),
    ],
)
def test_other_designs_are_refused(columns, message):
    """Runs, weights, several metrics."""
    with pytest.raises(InputError, match=message):
        results_of(_frame().assign(**columns), metric="f1")


def test_sums_alone_are_refused():
    """One row per system and dataset."""
    with pytest.raises(InputError, match="these are sums, not counts of instances"):
        results_of(_frame(n=1, datasets=("cb", "wsc")), metric="f1")


def test_the_direction_is_that_of_the_metric():
    """TER is the better the lower, without being told; BLEU never is."""
    frame = _frame(("edits", "ref_len"))
    results = results_of(frame, metric="TER")
    assert not results.datasets[0].higher_is_better
    paired = results.datasets[0].pair("new", "old")
    assert paired.value_a == -results.datasets[0].value("new")[0]
    assert results_of(frame, metric="ter", higher_is_better=False).digest() == results.digest()
    with pytest.raises(SettingsError, match="a higher F1 is better"):
        results_of(_frame(), metric="f1", higher_is_better=False)
    results_of(_frame(), metric="f1", higher_is_better={"f1": True})


def test_undefined_metrics_are_refused():
    """All totals are 0."""
    frame = _frame(("correct", "total")).assign(correct=0)
    frame.loc[frame["system"] == "new", "total"] = 0
    block = results_of(frame, metric="accuracy").datasets[0]
    with pytest.raises(ScoreValueError, match="Accuracy of 'new' is undefined"):
        block.pair("new", "old")


def test_a_metric_of_ones_own():
    """Registered, asked for by name, negative numbers allowed where said so."""
    register_metric("Net Gain", lambda s: s[..., 0] / s[..., 1], ["gain", "tries"], non_negative=False)
    try:
        frame = _frame(("gain", "tries"))
        frame["gain"] -= 5
        block = results_of(frame, metric="net gain").datasets[0]
        gain, tries = frame.loc[frame["system"] == "new", ["gain", "tries"]].sum()
        assert (block.metric, block.value("new")[0]) == ("Net Gain", pytest.approx(gain / tries))
    finally:
        CORPUS_METRICS.remove("net-gain")


def test_clusters():
    """A column of documents is kept next to the counts."""
    frame = _frame()
    frame["doc"] = frame["instance"].str[-1].astype(int) // 2
    block = results_of(frame, metric="f1").datasets[0]
    assert block.pair("new", "old").n_clusters == 3
