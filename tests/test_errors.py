"""Errors as values."""

import pickle

import pytest

from reportkit.errors import DesignError, UnknownNameError


@pytest.mark.parametrize(
    "error",
    [
        DesignError("this does not fit", where="here", remedy="do that"),
        DesignError("this does not fit", where="here").within("there"),
        UnknownNameError("metric", "acuracy", ["accuracy"], where="metric"),
    ],
)
def test_errors_travel_between_processes(error):
    """Whatever their constructors take."""
    found = pickle.loads(pickle.dumps(error))  # noqa: S301 - written here
    assert (type(found), str(found), found.args, found.__dict__) == (
        type(error),
        str(error),
        error.args,
        error.__dict__,
    )
