"""Pairs of systems for the tests of this folder."""

import numpy as np
import pytest

from reportkit.scores.sample import Sample
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
    return Sample(
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


def _unpaired(a, b, *, kind="continuous", names=("a", "b"), higher_is_better=True, n_common=0):
    """Scores of two systems on instances of their own."""
    return Sample(
        shape="unpaired",
        system_a=names[0],
        system_b=names[1],
        dataset="cb",
        metric="score",
        kind=kind,
        higher_is_better=higher_is_better,
        a=np.asarray(a, dtype=np.float64),
        b=np.asarray(b, dtype=np.float64),
        n_common=n_common,
    )


def _unpaired_counts(a, n_a, b, n_b, **fields):
    """Right-or-wrong scores of instances of their own: a of n_a and b of n_b are right."""
    scores = np.repeat([1.0, 0.0], [a, n_a - a]), np.repeat([1.0, 0.0], [b, n_b - b])
    return _unpaired(*scores, kind="binary", **fields)


def _proportions(a, n_a, b, n_b, *, names=("a", "b"), higher_is_better=True):
    """Right answers and instances of two systems."""
    scores = [1.0, 0.0] if higher_is_better else [0.0, -1.0]
    return Sample(
        shape="counts",
        system_a=names[0],
        system_b=names[1],
        dataset="cb",
        metric="accuracy",
        kind="binary",
        higher_is_better=higher_is_better,
        a=np.repeat(scores, [a, n_a - a]),
        b=np.repeat(scores, [b, n_b - b]),
    )


@pytest.fixture(scope="session")
def unpaired():
    """Make unpaired scores from two arrays."""
    return _unpaired


@pytest.fixture(scope="session")
def unpaired_counts():
    """Make unpaired right-or-wrong scores from two counts."""
    return _unpaired_counts


@pytest.fixture(scope="session")
def proportions():
    """Make two proportions."""
    return _proportions


@pytest.fixture(scope="session")
def beside():
    """Interval that a report prints beside its test: (sample, level, test, seed)."""

    def found(sample, level=0.95, test=None, seed=0):
        return assess(sample, ResamplingPlan(n_resamples=999, seed=seed), test=test, level=level).interval

    return found
