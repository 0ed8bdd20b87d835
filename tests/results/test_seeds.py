"""Several runs are refused with what to do; one run per system is not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import InputError
from reportkit.results.ingest import results_from_frame


def runs(seeds_of: dict[str, list[int]], n_instances: int = 30) -> pd.DataFrame:
    """Scores of systems with these seeds."""
    rng = np.random.default_rng(0)
    rows = [
        (system, "cb", instance, seed, float(rng.integers(0, 2)))
        for system, seeds in seeds_of.items()
        for seed in seeds
        for instance in range(n_instances)
    ]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "seed", "score"])


def test_several_seeds_and_the_remedy() -> None:
    """The code in the message makes results of it."""
    df = runs({"a": [0, 1, 2], "b": [0, 1]})
    with pytest.raises(InputError, match="scores of several seeds, up to 3") as raised:
        results_from_frame(df)
    assert raised.value.remedy is not None
    line = next(line for line in raised.value.remedy.splitlines() if line.startswith("df = "))
    averaged = eval(line.removeprefix("df = "), {"df": df})  # noqa: S307 (the remedy is to be executed as it is)
    block = results_from_frame(averaged).datasets[0]
    expected = df[df["system"] == "a"].groupby("instance")["score"].mean()
    np.testing.assert_array_equal(block.row("a"), expected.to_numpy())


@pytest.mark.parametrize("seeds", [{"a": [0], "b": [0]}, {"a": [1], "b": [2]}])
def test_one_run_per_system(seeds: dict[str, list[int]]) -> None:
    """One seed each is no design with seeds, be it the same or not."""
    df = runs(seeds)
    assert results_from_frame(df).digest() == results_from_frame(df.drop(columns="seed")).digest()


def test_runs_in_the_place_of_instances() -> None:
    """If every instance has a seed of its own, runs were pooled; without the column, the user answers for it."""
    df = runs({"a": [0], "b": [0]}, n_instances=15)
    df["seed"] = df["instance"]
    with pytest.raises(InputError, match="runs stand in the place of instances"):
        results_from_frame(df)
    assert results_from_frame(df.drop(columns="seed")).datasets[0].n_instances == 15


def test_wide_form() -> None:
    """Seeds in the wide form are found as well, and the remedy averages all systems."""
    wide = pd.DataFrame(
        {"dataset": "cb", "id": [1, 1, 2, 2], "seed": [0, 1, 0, 1], "a": [1, 0, 1, 1], "b": [0, 0, 1, 0]}
    )
    with pytest.raises(InputError, match="several seeds") as raised:
        results_from_frame(wide)
    assert raised.value.remedy is not None
    line = next(line for line in raised.value.remedy.splitlines() if line.startswith("df = "))
    averaged = eval(line.removeprefix("df = "), {"df": wide})  # noqa: S307 (as above)
    assert results_from_frame(averaged).datasets[0].scores.tolist() == [[0.5, 1.0], [0.0, 0.5]]
