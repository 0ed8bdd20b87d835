"""What a column of seeds says: runs, one score per run, or nothing; the best of several runs is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import InputError
from reportkit.scores.scores import Scores
from tests.scores.reading import results_of


def runs(seeds_of: dict[str, list[object]], n_instances: int = 30, datasets: tuple[str, ...] = ("cb",)) -> pd.DataFrame:
    """Right-or-wrong scores of systems with these seeds."""
    rng = np.random.default_rng(0)
    rows = [
        (system, dataset, instance, seed, float(rng.integers(0, 2)))
        for dataset in datasets
        for system, seeds in seeds_of.items()
        for seed in seeds
        for instance in range(n_instances)
    ]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "seed", "score"])


def scores(seeds_of: dict[str, list[object]], datasets: tuple[str, ...] = ("cb",)) -> pd.DataFrame:
    """One score per run."""
    rng = np.random.default_rng(0)
    rows = [
        (system, dataset, seed, round(float(rng.random()), 3))
        for dataset in datasets
        for system, seeds in seeds_of.items()
        for seed in seeds
    ]
    return pd.DataFrame(rows, columns=["system", "dataset", "seed", "score"])


def codes(df: pd.DataFrame) -> set[str]:
    """Codes of the findings."""
    return {finding.code for finding in results_of(df).findings}


def test_several_runs_per_instance() -> None:
    """Each system keeps its runs."""
    (block,) = results_of(runs({"a": [0, 1, 2], "b": [0, 1]})).datasets
    assert block.shape == "runs"
    assert block.runs == (("0", "1", "2"), ("0", "1"))


@pytest.mark.parametrize("seeds", [{"a": [0], "b": [0]}, {"a": [1], "b": [2]}])
def test_one_run_per_system(seeds: dict[str, list[object]]) -> None:
    """One seed each is no design with seeds, be it the same or not."""
    df = runs(seeds)
    assert results_of(df).digest() == results_of(df.drop(columns="seed")).digest()


@pytest.mark.parametrize("instance", ["seed", "none", "constant"])
def test_one_score_per_run(instance: str) -> None:
    """With the seed as instance, with one instance for all, or without a column of instances."""
    df = scores({"a": [0, 1, 2], "b": [0, 1, 2, 3]})
    if instance == "seed":
        df["instance"] = df["seed"]
    if instance == "constant":
        df["instance"] = "all"
    (block,) = results_of(df).datasets
    assert block.shape == "run-scores"
    np.testing.assert_array_equal(block.row("b"), df.loc[df["system"] == "b", "score"])


def test_right_or_wrong_runs_in_the_place_of_instances() -> None:
    """Every instance has a seed of its own and is right or wrong: no score of a run; the column can be left out."""
    df = runs({"a": [0], "b": [0]}, n_instances=15)
    df["seed"] = df["instance"]
    with pytest.raises(InputError, match="runs take the place of instances"):
        results_of(df)
    assert results_of(df.drop(columns="seed")).datasets[0].n_instances == 15


def test_pooled_runs() -> None:
    """Ids made of run and item: several instances per run, each in one run."""
    df = runs({"a": [0, 1], "b": [0, 1]}, n_instances=10)
    df["instance"] = df["seed"].astype(str) + "-" + df["instance"].astype(str)
    with pytest.raises(InputError, match="runs take the place of instances"):
        results_of(df)


def test_a_score_of_a_run_or_of_an_instance() -> None:
    """Continuous scores whose seeds and instances go together in each system, but differently: both ways out work."""
    df = scores({"a": [10, 11, 12], "b": [20, 21, 22]})
    df["instance"] = [0, 1, 2] * 2
    with pytest.raises(InputError, match="no two runs of a system share an instance"):
        results_of(df)
    assert isinstance(results_of(df.drop(columns="instance")).datasets[0], Scores)
    assert results_of(df.drop(columns="seed")).datasets[0].n_instances == 3


@pytest.mark.parametrize("name", ["best", "max_score", "Best Score", "best_of_5"])
def test_a_column_of_best_scores(name: str) -> None:
    """Refused, with the reason; a metric that has such a name has to be renamed."""
    df = scores({"a": [0, 1], "b": [0, 1]}).rename(columns={"score": name})
    with pytest.raises(InputError, match="the best of several runs") as raised:
        results_of(df, columns={"score": name})
    assert "45% to 72%" in (raised.value.remedy or "")


def test_wide_form() -> None:
    """Runs in the wide form: one row per run and instance; a system may have fewer runs."""
    wide = pd.DataFrame(
        {"dataset": "cb", "id": [1, 1, 2, 2], "seed": [0, 1, 0, 1], "a": [1, 0, 1, 1], "b": [0, None, 1, None]}
    )
    (block,) = results_of(wide).datasets
    assert block.shape == "runs"
    assert [block.row(system).tolist() for system in block.systems] == [[[1.0, 1.0], [0.0, 1.0]], [[0.0, 1.0]]]


def test_repetitions_of_a_cross_validation_are_no_runs() -> None:
    """With a column of folds, the column of runs counts repetitions."""
    df = pd.DataFrame(
        [(s, "cb", r, k, r + k / 7 + (s == "a")) for s in "ab" for r in range(2) for k in range(3)],
        columns=["system", "dataset", "run", "fold", "score"],
    )
    (block,) = results_of(df).datasets
    assert block.shape == "folds"
    assert block.scores.shape == (2, 2, 3)
