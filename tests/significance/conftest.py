"""Pairs of systems for the tests of this folder."""

import pytest

from reportkit.significance.assess import assess
from reportkit.significance.entry import ResamplingPlan
from tests import samples


@pytest.fixture(scope="session")
def pair():
    """Make a pair from two arrays of scores, or from differences: then B has 0 everywhere."""
    return lambda a, b=None, **fields: samples.sample(a, [0.0] * len(a) if b is None else b, **fields)


@pytest.fixture(scope="session")
def counts():
    """Make a right-or-wrong pair from wins, losses and ties."""
    return samples.right


@pytest.fixture(scope="session")
def unpaired():
    """Make unpaired scores from two arrays."""
    return samples.unpaired


@pytest.fixture(scope="session")
def unpaired_counts():
    """Make unpaired right-or-wrong scores from two counts."""
    return samples.unpaired_right


@pytest.fixture(scope="session")
def proportions():
    """Make two proportions."""
    return samples.proportions


@pytest.fixture(scope="session")
def beside():
    """Interval that a report prints with its test: (sample, level, test, seed)."""

    def found(sample, level=0.95, test=None, seed=0):
        return assess(sample, ResamplingPlan(n_resamples=999, seed=seed), test=test, level=level).interval

    return found
