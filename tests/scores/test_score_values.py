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
from reportkit.errors import InputError, ScoreValueError
from reportkit.scores.codes import number_of, scores_of


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


WRITTEN_OTHERWISE = {
    "percent": ("51.3%", "40 %", "93.1"),
    "two decimal signs": ("51,3", "40.5", "93,1"),
    "thousands": ("1,251.3", "2.040,5", "1 093"),
    "Arabic digits": ("\u0665\u0661", "\u0664\u0660\u066b\u0665", "\u0669"),
    "typesetter's minus": ("\u22120.2", "\u22121", "\u22120.5"),
    "mostly absent": ("n/v", "n/v", "51.3"),
    "yes or no": ("yes", "no", "yes"),
    "errors of a mean": ("51.3 ± 0.2", "40.0±1", "93.1 (0.5)"),
    "marks": ("51.3*", "**40.0**", "93.1†"),
    "some texts": ("51.3", "40.0%", "see note"),
}


@pytest.mark.parametrize("name", WRITTEN_OTHERWISE)
def test_a_wide_column_that_looks_like_scores_is_never_left_out(name: str, tmp_path: Path) -> None:
    """A system that is written otherwise is refused with its rows, in any order of rows and in every form of input."""
    cells = WRITTEN_OTHERWISE[name]
    ids = [f"q{place}" for place in range(3)]
    frame = pd.DataFrame({"dataset": "d", "id": ids, "base": [1, 2, 3], "ours": cells, "third": [0, 1, 1]})
    path, lines = tmp_path / "wide.tsv", tmp_path / "wide.jsonl"
    frame.to_csv(path, sep="\t", index=False)
    frame.to_json(lines, orient="records", lines=True)
    for source in (frame, frame[::-1], frame.astype(object), frame.drop(columns="third"), path, lines):
        with pytest.raises(InputError, match="ours"):
            reportkit.read(source)
    assert reportkit.read(path, wide_systems=["base", "third"]).systems == ("base", "third")


@pytest.mark.parametrize(
    "cells", [("2024-01-02", "2023-12-31"), ("12:30", "09:15"), ("short", "long"), ("q1", "q2"), ("a", "3"), ("-", "-")]
)
def test_what_does_not_look_like_scores_plays_no_role(cells: tuple[str, str]) -> None:
    """Dates, times, ids and words next to the systems are left out, and the information says so."""
    frame = pd.DataFrame({"dataset": "d", "id": ["x", "y"], "base": [1, 2], "other": cells, "third": [0, 1]})
    assert reportkit.read(frame).unused_columns == ("other",)


@pytest.mark.parametrize(
    ("cells", "remedy"),
    [
        (("51.3%", "40%"), "write 93.1% as 93.1"),
        (("51,3", "40,5"), "write decimals with a point"),
        (("1,251.3", "2,040.5"), "1251.3, not 1,251.3"),
        (("yes", "No"), "1 for right and 0 for wrong"),
        (("\u22120.2", "\u22121"), "write a minus as -"),
        (("\u0665\u0661", "\u0664\u0660"), "in the digits 0 to 9"),
    ],
)
def test_each_way_of_writing_has_its_remedy(cells: tuple[str, str], remedy: str) -> None:
    """What is wrong in the same way everywhere is put right in one."""
    with pytest.raises(ScoreValueError) as raised:
        scores_of(pd.Series(cells, name="score"), source="DataFrame")
    assert remedy in str(raised.value)


@pytest.mark.parametrize("value", [10**400, -(10**400), Decimal("sNaN")])
def test_numbers_beyond_all_floats_are_refused(value: Any) -> None:
    """They are no scores, and named with their row."""
    with pytest.raises(ScoreValueError, match="1 of 2 scores is not a number"):
        scores_of(pd.Series([1.0, value], dtype=object, name="score"), source="DataFrame")


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
