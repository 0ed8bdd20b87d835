"""Pairs of systems for the tests of this folder."""

import numpy as np
import pytest

from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.significance.assess import assess
from reportkit.significance.plan import ResamplingPlan


def _pair(a, b=None, *, kind="continuous", names=("a", "b"), dataset="cb", metric="score", **fields):
    """Scores of two systems; with one argument, A has these scores and B has 0 everywhere."""
    a = np.asarray(a, dtype=np.float64)
    b = np.zeros_like(a) if b is None else np.asarray(b, dtype=np.float64)
    arrays = {
        name: None if value is None else np.asarray(value, dtype=np.int64 if name == "clusters" else np.float64)
        for name, value in fields.items()
        if name in ("weights", "clusters")
    }
    return PairedScores(
        system_a=names[0],
        system_b=names[1],
        dataset=dataset,
        metric=metric,
        a=a,
        b=b,
        kind=kind,
        **{**fields, **arrays},
    )


def _counts(wins, losses, ties=0, **fields):
    """Right-or-wrong scores with these numbers of wins, losses and ties."""
    a = np.repeat([1.0, 0.0, 1.0], [wins, losses, ties])
    b = np.repeat([0.0, 1.0, 1.0], [wins, losses, ties])
    return _pair(a, b, kind="binary", **fields)


@pytest.fixture(scope="session")
def pair():
    """Make a pair from two arrays of scores, or from differences."""
    return _pair


@pytest.fixture(scope="session")
def counts():
    """Make a right-or-wrong pair from wins, losses and ties."""
    return _counts


@pytest.fixture(scope="session")
def beside():
    """Interval that a report prints beside its test: (sample, level, test, seed)."""

    def found(sample, level=0.95, test=None, seed=0):
        return assess(sample, ResamplingPlan(n_resamples=999, seed=seed), test=test, level=level).interval

    return found
