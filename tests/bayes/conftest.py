"""Samples of every shape."""

import numpy as np
import pytest

from reportkit.scores.sample import Sample


@pytest.fixture(scope="session")
def paired():
    """Scores of A and B on the same instances."""

    def make(a, b, kind="continuous", names=("a", "b"), clusters=None, weights=None):
        return Sample(
            system_a=names[0],
            system_b=names[1],
            dataset="cb",
            metric="score",
            kind=kind,
            a=np.asarray(a, dtype=np.float64),
            b=np.asarray(b, dtype=np.float64),
            clusters=None if clusters is None else np.asarray(clusters, dtype=np.int64),
            weights=None if weights is None else np.asarray(weights, dtype=np.float64),
        )

    return make


@pytest.fixture(scope="session")
def unpaired():
    """Scores of A and B on different instances."""

    def make(a, b, kind="continuous", names=("a", "b"), n_common=0):
        return Sample(
            shape="unpaired",
            system_a=names[0],
            system_b=names[1],
            dataset="cb",
            metric="score",
            kind=kind,
            a=np.asarray(a, dtype=np.float64),
            b=np.asarray(b, dtype=np.float64),
            n_common=n_common,
        )

    return make


@pytest.fixture(scope="session")
def counted():
    """Counts of right answers."""

    def make(a, n_a, b, n_b, *, names=("S1", "S2")):
        return Sample(
            shape="counts",
            system_a=names[0],
            system_b=names[1],
            dataset="ARC-easy",
            metric="accuracy",
            kind="binary",
            a=np.repeat([1.0, 0.0], [a, n_a - a]),
            b=np.repeat([1.0, 0.0], [b, n_b - b]),
        )

    return make
