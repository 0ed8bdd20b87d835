"""Rows of one unit are read while those of another are laid out."""

import threading

import pandas as pd
import pytest

from reportkit.errors import ReadingError
from reportkit.scale.ingest_unit import frames_of


class Rows:
    """A unit that says when it was read."""

    def __init__(self, name):
        self.name, self.read = name, threading.Event()

    def frame(self):
        """One row with the name; a damaged unit has none."""
        self.read.set()
        if self.name == "damaged":
            raise ReadingError("it cannot be read")
        return pd.DataFrame({"unit": [self.name]})


def test_one_unit_is_read_ahead():
    """The second while the first is looked at, and not the third; in their order."""
    units = [Rows(name) for name in "abc"]
    frames = frames_of(units)
    assert next(frames)["unit"].tolist() == ["a"]
    assert units[1].read.wait(10)
    assert not units[2].read.wait(0.2)
    assert [frame["unit"].item() for frame in frames] == ["b", "c"]


def test_what_cannot_be_read_is_said_at_its_place():
    """After what was read before it, and nothing is read behind it."""
    units = [Rows(name) for name in ("a", "damaged", "c", "d")]
    frames = frames_of(units)
    assert next(frames)["unit"].tolist() == ["a"]
    with pytest.raises(ReadingError):
        next(frames)
    assert not units[3].read.wait(0.2)
