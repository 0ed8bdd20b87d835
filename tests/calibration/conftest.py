"""Small results for the tests of calibration."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.scores.scores import Scores


@pytest.fixture(scope="session")
def block_of():
    """Make a dataset from a matrix of scores, one row per system s00, s01, ..."""

    def make(scores, *, name="news", kind="continuous", ids=None, **fields):
        scores = np.asarray(scores, dtype=np.float64)
        ids = [f"{name}-{index:05}" for index in range(scores.shape[1])] if ids is None else ids
        return Scores(
            dataset=name,
            metric="f1",
            systems=tuple(f"s{index:02}" for index in range(len(scores))),
            instances=np.array(ids, dtype=object),
            kind=kind,
            scores=scores,
            **fields,
        )

    return make


@pytest.fixture(scope="session")
def runs_of():
    """Simulate runs of systems: an effect of each instance, one of each run, and noise."""

    def make(n_systems, n_runs, n, *, run_sd, seed=0):
        rng = np.random.default_rng(seed)
        instance = rng.normal(size=n)
        scores = np.stack(
            [instance + run_sd * rng.normal(size=(n_runs, 1)) + rng.normal(size=(n_runs, n)) for _ in range(n_systems)]
        )
        return Scores(
            shape="runs",
            dataset="news",
            metric="f1",
            systems=tuple(f"s{index:03}" for index in range(n_systems)),
            instances=np.array([f"news-{index:05}" for index in range(n)], dtype=object),
            kind="continuous",
            scores=scores,
            runs=(tuple(map(str, range(n_runs))),) * n_systems,
        )

    return make


@pytest.fixture(scope="session")
def clustered(block_of):
    """Two equally good systems on 60 clusters of five instances that are alike."""
    rng = np.random.default_rng(1)
    clusters = np.repeat(np.arange(60), 5)
    differences = 0.6 * rng.normal(size=60)[clusters] + rng.normal(size=300)
    return block_of(np.stack((differences, np.zeros(300))), clusters=clusters)


@pytest.fixture(scope="session")
def skewed(block_of):
    """Two equally good systems whose differences are 1 minus an exponential variable."""
    differences = 1.0 - np.random.default_rng(2).exponential(size=250)
    return block_of(np.stack((differences, np.zeros(250))))
