"""Cells become numbers where they are numbers, and errors where they are not."""

from __future__ import annotations

import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reportkit
from reportkit.errors import ScoreValueError
from reportkit.results.score_values import number_of, numeric_columns, scores_of


@settings(deadline=None, max_examples=200)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_that_was_written_out_is_read_back(value: float) -> None:
    """What `repr` writes is read as the same float."""
    assert number_of(repr(value)) == value
    assert number_of(f" {value!r} ") == value


@pytest.mark.parametrize("cell", ["93,1", "93.1%", "1_000", "0x10", "1 000", "--", "n/v", "½", "１", [1], {}, b"1", 1j])
def test_what_is_no_number(cell: Any) -> None:
    """Decimal commas, percent signs, separators of thousands and objects are not repaired."""
    assert number_of(cell) is None


@pytest.mark.parametrize("cell", ["", " ", "NA", "n/a", "NaN", "null", "None", None, float("nan"), pd.NA, pd.NaT])
def test_what_is_missing(cell: Any) -> None:
    """Empty cells and the usual spellings of nothing are NaN."""
    number = number_of(cell)
    assert number is not None
    assert math.isnan(number)


def test_numbers_of_any_type() -> None:
    """Truth values, decimals, and nullable numbers are numbers."""
    assert [number_of(cell) for cell in (True, np.True_, Decimal("0.5"), np.float32(0.5), "TRUE", "false")] == [
        1.0,
        1.0,
        0.5,
        0.5,
        1.0,
        0.0,
    ]
    for values in ([0, 1], [False, True], pd.array([0, 1], dtype="Int8"), np.array([0, 1], dtype=np.float32)):
        assert scores_of(pd.Series(values), source="DataFrame").tolist() == [0.0, 1.0]
    assert np.isnan(scores_of(pd.Series(pd.array([1, None], dtype="Int64")), source="DataFrame")[1])
    assert scores_of(pd.Series(pd.Categorical(["1", "0.5", None])), source="DataFrame")[:2].tolist() == [1.0, 0.5]


@pytest.mark.parametrize("values", [pd.to_datetime(["2020-01-01"]), [1j], [[1]], ["x"]])
def test_other_columns_are_refused(values: Any) -> None:
    """Dates, complex numbers and lists are not scores."""
    with pytest.raises(ScoreValueError, match="1 of 1 scores is not a number"):
        scores_of(pd.Series(values, name="score"), source="DataFrame")


@pytest.mark.parametrize("values", [[1.0, np.inf], ["1", "-inf"], ["1", "1e999"]])
def test_infinite_scores_are_refused(values: Any) -> None:
    """Also those that are too large for a float."""
    with pytest.raises(ScoreValueError, match="1 of 2 scores is infinite"):
        scores_of(pd.Series(values, name="score"), source="DataFrame")


def test_a_float_column_is_not_copied() -> None:
    """Ten million scores are looked at where they lie."""
    series = pd.Series([0.5, 1.0])
    assert np.shares_memory(scores_of(series, source="DataFrame"), series.to_numpy())


def test_numeric_columns() -> None:
    """A column of text is numeric if most of its cells are."""
    frame = pd.DataFrame({"a": [1, 2], "b": ["1", "x"], "c": ["1", None], "d": ["x", "y"], "e": [None, None]})
    frame["f"] = pd.to_datetime(["2020-01-01", "2020-01-02"])
    assert numeric_columns(frame) == ["a", "c"]


@pytest.mark.parametrize("dtype", ["float32", "Float32", "float32[pyarrow]"])
def test_short_floats_are_read_as_the_decimals_they_stand_for(dtype: str) -> None:
    """0.1 in four bytes is 0.1, so that 0.3 - 0.2 and 0.2 - 0.1 are the same difference; whole numbers stay."""
    decimals = np.round(np.random.default_rng(1).uniform(-100, 100, 2_000), 4)
    given = np.concatenate((decimals, [0.1, 0.2, 0.3, 0.0, 16_777_216.0, 1e-12, 3.25e30])).astype(np.float32)
    found = scores_of(pd.Series(given).astype(dtype), source="DataFrame")
    assert found[:-2].tolist() == [*decimals, 0.1, 0.2, 0.3, 0.0, 16_777_216.0]
    assert found[-2:] == pytest.approx([1e-12, 3.25e30], rel=1e-7)


def test_short_floats_in_a_file_keep_their_ties(tmp_path: Path) -> None:
    """A Parquet file of float32 scores gives the differences, ties and p-values of the same scores in eight bytes."""
    rng = np.random.default_rng(2)
    scores = np.round(rng.integers(0, 5, 120) / 4 * 0.3 + 0.1, 3)
    frame = pd.DataFrame({"system": ["a", "b"] * 60, "dataset": "d", "instance": np.arange(120) // 2, "score": scores})
    outcomes = []
    for dtype in ("float32", "float64"):
        path = tmp_path / f"{dtype}.parquet"
        frame.astype({"score": dtype}).to_parquet(path)
        outcomes.append(reportkit.compare(path, "a", "b").outcomes)
    pd.testing.assert_frame_equal(*outcomes)
