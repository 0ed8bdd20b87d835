"""Frames of other libraries are taken; what is no frame is refused with the line that makes one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import reportkit
from reportkit.errors import InputError
from reportkit.readers.frames import frame_or_path
from tests.conftest import needed

FRAME = pd.DataFrame(
    {
        "system": ["new"] * 20 + ["old"] * 20,
        "dataset": "cb",
        "instance": [f"q{i}" for i in range(20)] * 2,
        "score": np.random.default_rng(0).normal(size=40),
    }
)


class Stream:
    """A frame that only speaks Arrow's C stream."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Hand the stream over."""
        return self._table.__arrow_c_stream__(requested_schema)


class Interchange:
    """A frame that only speaks the dataframe interchange protocol."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> object:
        """Hand the interchange object over."""
        return self._table.__dataframe__(nan_as_null, allow_copy)


@pytest.mark.parametrize("made", [lambda table: table, Stream, Interchange], ids=["to_pandas", "stream", "interchange"])
def test_frames_of_other_libraries(made: type) -> None:
    """By each of the three ways, the results are those of the frame of pandas."""
    other = made(pa.Table.from_pandas(FRAME))
    expected = reportkit.compare(FRAME, "new", "old").outcomes
    pd.testing.assert_frame_equal(reportkit.compare(other, "new", "old").outcomes, expected)
    assert reportkit.read(other).digest() == reportkit.read(FRAME).digest()


def test_polars() -> None:
    """A frame of polars is taken; a lazy one is refused with what to call."""
    polars = needed("polars", "dev")
    frame = polars.DataFrame(FRAME.to_dict("list"))
    expected = reportkit.compare(FRAME, "new", "old").outcomes
    pd.testing.assert_frame_equal(reportkit.compare(frame, "new", "old").outcomes, expected)
    with pytest.raises(InputError, match=r"frame\.collect\(\)"):
        reportkit.compare(frame.lazy(), "new", "old")


@pytest.mark.parametrize(
    "results", [FRAME.to_dict("list"), FRAME.to_dict("records"), None, 3, FRAME["score"], FRAME.to_numpy()]
)
def test_what_is_no_frame_is_refused(results: object) -> None:
    """With its type, and the line that makes a frame of it; at every door."""
    for door in (reportkit.read, reportkit.compare, reportkit.calibrate, reportkit.reproducibility):
        with pytest.raises(InputError, match="neither a path nor a frame") as raised:
            door(results)
        assert "pandas.DataFrame(results)" in (raised.value.remedy or "")


def test_paths() -> None:
    """Text and paths are paths."""
    assert frame_or_path("a.csv") == frame_or_path(Path("a.csv")) == Path("a.csv")
