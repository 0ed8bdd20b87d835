"""Frames of other libraries are taken; what is no frame is refused with the line that makes one."""

# ruff: noqa: PD010 - pivots are what is tested

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import reportkit
from reportkit.errors import ColumnError, InputError
from reportkit.scores.frames import frame_or_path
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


@pytest.mark.parametrize("lazy", [False, True], ids=["frame", "lazy"])
def test_polars(lazy: bool) -> None:
    """A frame of polars is taken, a lazy one computed, and both are what `replic` says of them."""
    polars = needed("polars", "dev")
    frame = polars.DataFrame(FRAME.to_dict("list"))
    expected = reportkit.compare(FRAME, "new", "old").outcomes
    pd.testing.assert_frame_equal(reportkit.compare(frame.lazy() if lazy else frame, "new", "old").outcomes, expected)
    pd.testing.assert_frame_equal(frame.replic.compare("new", "old").outcomes, expected)
    assert not hasattr(polars.DataFrame({"text": ["a"]}), "replic")


def test_duckdb() -> None:
    """A relation of DuckDB is taken."""
    duckdb = needed("duckdb", "dev")
    relation = duckdb.from_df(FRAME)
    assert reportkit.read(relation).digest() == reportkit.read(FRAME).digest()


class OfNarwhals:
    """A frame that only narwhals knows: its own plug-in protocol."""

    def __narwhals_dataframe__(self) -> object:
        """Hand over what narwhals works with."""
        narwhals = needed("narwhals", "dev")
        return narwhals.from_native(FRAME)._compliant_frame


def test_narwhals() -> None:
    """What none of the protocols hands over, narwhals does."""
    needed("narwhals", "dev")
    assert reportkit.read(OfNarwhals()).digest() == reportkit.read(FRAME).digest()


def _pivots() -> dict[str, pd.DataFrame | pd.Series]:
    long = pd.concat([FRAME.assign(score=FRAME["score"] + 1, dataset="wic"), FRAME])
    pivot = long.pivot(index=["dataset", "instance"], columns="system", values="score")
    of_two = long.pivot(index="instance", columns=["dataset", "system"], values="score")
    parts = {name: part.droplevel("dataset") for name, part in pivot.groupby(level="dataset")}
    return {
        "systems in columns": pivot,
        "datasets in columns": long.pivot(index=["system", "instance"], columns="dataset", values="score"),
        "datasets and systems in columns": of_two,
        "values in a list": long.pivot(index=["dataset", "instance"], columns=["system"], values=["score"]),
        "beside each other": pd.concat(parts, axis=1, names=["dataset", "system"]),
        "below each other": pd.concat(parts, names=["dataset"]),
        "a Series": long.set_index(["system", "dataset", "instance"])["score"],
    }


@pytest.mark.parametrize("name", _pivots())
def test_pivots_are_understood(name: str) -> None:
    """In whatever rows and columns the names stand, the scores are those of the long frame."""
    long = pd.concat([FRAME.assign(score=FRAME["score"] + 1, dataset="wic"), FRAME])
    assert reportkit.read(_pivots()[name]).digest() == reportkit.read(long).digest()


def test_two_metrics_of_a_pivot() -> None:
    """`pivot(values=[...])` has the metrics above the systems, without a name of the level."""
    wide = FRAME.assign(f1=FRAME["score"] / 2).pivot(
        index=["dataset", "instance"], columns="system", values=["score", "f1"]
    )
    assert reportkit.read(wide).metrics == ("f1", "score")


@pytest.mark.parametrize("name", ["columns", "index"])
def test_levels_without_names_are_refused_with_the_line_that_names_them(name: str) -> None:
    """Run literally, the line of the message makes a frame that is understood."""
    pivots = _pivots()
    df = (
        pivots["beside each other"].rename_axis(columns=[None, None])
        if name == "columns"
        else pivots["below each other"].rename_axis([None, "instance"])
    )
    with pytest.raises(ColumnError, match="name") as raised:
        reportkit.read(df)
    line = raised.value.remedy.partition(": ")[2]
    held = {"df": df}
    if name == "columns":
        exec(line, held)  # noqa: S102 - the line of the message, as a user runs it
        df = held["df"]
    else:
        df = eval(line, held)  # noqa: S307
    long = pd.concat([FRAME.assign(score=FRAME["score"] + 1, dataset="wic"), FRAME])
    assert reportkit.read(df).digest() == reportkit.read(long).digest()


def test_rows_are_instances_where_systems_have_columns() -> None:
    """Two columns of scores and nothing else: one dataset, and each row an instance; both are said."""
    wide = pd.DataFrame({"new": FRAME["score"][:20].to_numpy(), "old": FRAME["score"][20:].to_numpy()})
    results = wide.replic.read()
    assert (results.systems, results.dataset_names, results.datasets[0].n_instances) == (
        ("new", "old"),
        ("results",),
        20,
    )
    assert {"names-of-files", "rows-as-instances"} <= {item.code for item in results.findings}
    pd.testing.assert_series_equal(
        wide.replic.compare("new", "old").outcomes["p_value"],
        reportkit.compare(FRAME, "new", "old").outcomes["p_value"],
    )


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
