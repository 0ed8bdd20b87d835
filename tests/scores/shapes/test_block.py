"""What every block can do, whatever its shape; checks of scores reach runs and folds too, and name them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import DesignError, ScoreValueError
from reportkit.scores.scales import refuse_out_of_range
from tests.scores.reading import results_of


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
    results = results_of(CASES[shape])
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
        results_of(mixed)
    with pytest.raises(ScoreValueError, match="declared as count"):
        results_of(df, kind="count")


def test_other_blocks_have_none():
    """Numbers of right answers are no scores of instances."""
    counts = pd.DataFrame({"system": ["a", "b"], "dataset": "cb", "k": [3, 4], "n": [10, 10]})
    assert results_of(counts).datasets[0].matrix() is None


ONE = frame("instance", [0.5, 0.6, 0.7, 0.2])
ALL = {
    **CASES,
    "paired": ONE,
    "corpus": ONE.drop(columns="score").assign(correct=[1, 2, 3, 1], total=[4, 4, 5, 5]),
    "correlation": pd.concat(
        [
            ONE.assign(gold=[1, 2, 1, 2]),
            frame("instance", [0.5, 0.1, 0.2, 0.9], gold=3).assign(instance=[2, 3, 2, 3], gold=[3, 4, 3, 4]),
        ]
    ),
    "counts": pd.DataFrame({"system": ["a", "b"], "dataset": "cb", "k": [3, 4], "n": [10, 10]}),
}
METRICS = {"corpus": "accuracy", "correlation": "pearson"}


def block_of(shape):
    """The only dataset of results of a shape."""
    (block,) = results_of(ALL[shape], metric=METRICS.get(shape)).datasets
    assert block.shape == shape
    return block


@pytest.mark.parametrize("shape", ALL)
def test_every_shape_pairs_its_own_systems(shape):
    """The sample has the shape of the block, and prints what the block does; swapped systems swap the difference."""
    block = block_of(shape)
    sample, swapped = block.pair("a", "b"), block.pair("b", "a")
    assert (sample.shape, sample.system_a, sample.system_b) == (shape, "a", "b")
    assert (sample.value_a, sample.value_b) == pytest.approx((block.value("a")[0], block.value("b")[0]))
    assert swapped.value_difference == pytest.approx(-sample.value_difference)


@pytest.mark.parametrize("shape", ALL)
def test_unpaired_is_for_single_scores_and_counts(shape):
    """Others say that they are compared as they are."""
    block = block_of(shape)
    if shape in ("paired", "counts"):
        assert block.pair("a", "b", pairing="unpaired").shape == {"paired": "unpaired", "counts": "counts"}[shape]
    else:
        with pytest.raises(DesignError, match="one score per system and instance"):
            block.pair("a", "b", pairing="unpaired")


@pytest.mark.parametrize("shape", ALL)
def test_runs_are_told_apart_where_there_are_any(shape):
    """As systems of their own, by name, and averaged; other blocks are left as they are."""
    block = block_of(shape)
    apart = block.runs_as_systems()
    assert len(block.owners) == len(apart.systems)
    assert set(block.owners) == {"a", "b"}
    if shape == "runs":
        assert apart.systems == ("a, run 0", "a, run 1", "b, run 0", "b, run 1")
        assert block.averaged().systems == ("a", "b")
        assert block.averaged().scores == pytest.approx(np.array([[0.55, 0.55], [0.45, 0.45]]))
    else:
        assert apart is block
        assert block.averaged() is block
    assert dict(block.runs_by_system()) == (
        {"a": ("0", "1"), "b": ("0", "1")} if shape in ("runs", "run-scores") else {}
    )


@pytest.mark.parametrize("shape", ALL)
def test_narrowing_keeps_the_order_asked_for(shape):
    """Systems as they are named, with the values that they had; None if none of them is here."""
    block = block_of(shape)
    narrow = block.select(("b", "nobody", "a"))
    assert narrow.systems == ("b", "a")
    assert [narrow.value(name) for name in "ab"] == [block.value(name) for name in "ab"]
    assert block.select(("nobody",)) is None


def test_what_is_measured_of_each_instance():
    """Scores, predictions or counts; nothing of runs and folds."""
    shapes = {shape: None if (found := block_of(shape).measured()) is None else found.shape for shape in ALL}
    known = {"paired": (2, 2), "corpus": (2, 2, 2), "correlation": (2, 4)}
    assert {shape: size for shape, size in shapes.items() if size is not None} == known
