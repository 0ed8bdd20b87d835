"""Folds of a cross-validation: recognised, checked for completeness, paired."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import DuplicateScoresError, InputError, MissingScoresError
from tests.scores.reading import results_of


def frame(r=2, k=3, systems=("a", "b")):
    """Scores that tell system, repetition and fold."""
    rows = [
        (system, "cb", repetition, fold, s + repetition / 10 + fold / 100)
        for s, system in enumerate(systems)
        for repetition in range(r)
        for fold in range(k)
    ]
    return pd.DataFrame(rows, columns=["system", "dataset", "run", "fold", "score"])


@pytest.mark.parametrize("instance", ["none", "row", "fold"])
def test_one_score_per_fold(instance):
    """With ids of rows, of folds, or none, in any order of rows."""
    df = frame(3, 11)
    if instance != "none":
        df["instance"] = np.arange(len(df)) % 33 if instance == "row" else df["fold"]
    (block,) = results_of(df.sample(frac=1, random_state=0)).datasets
    assert block.shape == "folds"
    sample = block.pair("b", "a")
    assert sample.shape == "folds"
    assert (sample.n_repetitions, sample.n_folds, sample.n, sample.unit) == (3, 11, 33, "fold")
    np.testing.assert_allclose(sample.b, [[i / 10 + j / 100 for j in range(11)] for i in range(3)])
    assert sample.details.as_dict() == {"n_folds": 11, "n_repetitions": 3}
    assert block.value("a")[1] == 33


def test_one_cross_validation():
    """Without a column of runs there is one repetition."""
    (block,) = results_of(frame(1, 5).drop(columns="run")).datasets
    assert block.scores.shape == (2, 1, 5)
    assert block.select(["b"]).systems == ("b",)
    assert block.select(["z"]) is None


def test_several_instances_per_fold():
    """The fold is then of no account, and this is said."""
    rng = np.random.default_rng(0)
    df = pd.DataFrame(
        [(s, "cb", i, i % 5, float(rng.integers(0, 2))) for s in "ab" for i in range(40)],
        columns=["system", "dataset", "id", "fold", "score"],
    )
    results = results_of(df)
    assert results.datasets[0].shape == "paired"
    assert results.digest() == results_of(df.drop(columns="fold")).digest()
    assert "folds-unused" in {finding.code for finding in results.findings}


def test_leave_one_out():
    """Folds of one item each, right or wrong, are instances."""
    df = frame(1, 30).drop(columns="run").assign(score=lambda d: (d["fold"] + (d["system"] == "a")) % 2.0)
    df["id"] = df["fold"]
    assert results_of(df).datasets[0].shape == "paired"


def test_a_system_lacks_folds():
    """The test needs the same folds, whatever is said about missing scores."""
    df = frame(2, 4).drop([1, 2])
    for missing in ("error", "drop"):
        with pytest.raises(MissingScoresError, match="1 system lacks folds") as raised:
            results_of(df, missing=missing)
    assert "'a' lacks 2 of 8, such as seed 0, fold 1" in str(raised.value)


def test_repetitions_of_different_size():
    """3 folds here and 4 there."""
    df = frame(2, 4)
    df = df[(df["run"] == 0) | (df["fold"] < 3)]
    with pytest.raises(InputError, match="from 3 to 4 folds"):
        results_of(df)


def test_a_fold_twice():
    """The same row twice is dropped, another score is an error."""
    df = frame()
    assert results_of(pd.concat([df, df.head(1)])).digest() == results_of(df).digest()
    with pytest.raises((DuplicateScoresError, InputError)):
        results_of(pd.concat([df, df.head(1).assign(score=9.0)]))


def test_one_fold_is_no_cross_validation():
    """A dataset with one fold beside others."""
    other = frame(3, 1).assign(dataset="rte")
    with pytest.raises(InputError, match="two folds or more"):
        results_of(pd.concat([frame(), other]))


def test_ordinal_scores_and_weights():
    """Means of folds are no ranks, and folds have no weights."""
    with pytest.raises(InputError, match="mean of ordinal scores"):
        results_of(frame(), kind="ordinal")
    with pytest.raises(InputError, match="folds have no weights"):
        results_of(frame().assign(weight=1.0))
