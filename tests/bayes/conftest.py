"""Samples of every shape."""

import pytest

from tests import samples


@pytest.fixture(scope="session")
def paired():
    """Scores of A and B on the same instances."""
    return lambda a, b, kind="continuous", **fields: samples.sample(a, b, kind=kind, **fields)


@pytest.fixture(scope="session")
def unpaired():
    """Scores of A and B on different instances."""
    return lambda a, b, kind="continuous", **fields: samples.unpaired(a, b, kind=kind, **fields)


@pytest.fixture(scope="session")
def counted():
    """Counts of right answers."""
    return lambda *right_of, names=("S1", "S2"): samples.proportions(*right_of, names=names, dataset="ARC-easy")
