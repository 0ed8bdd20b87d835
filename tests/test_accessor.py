"""`df.replic` takes what `reportkit.read` takes, and gives the same."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import reportkit

FRAME = pd.DataFrame(
    {
        "system": ["a"] * 30 + ["b"] * 30,
        "dataset": "d",
        "instance": [*range(30)] * 2,
        "score": [number * 5 % 8 / 8 for number in range(60)],
    }
)
NAMES = ["system", "dataset", "instance"]
DECIMALS = pd.array([Decimal(f"{score:.6f}") for score in FRAME["score"]], dtype=pd.ArrowDtype(pa.decimal128(10, 6)))

FORMS = {
    "objects": FRAME.astype(object),
    "texts": FRAME.astype({"score": str}),
    "texts of Arrow": FRAME.astype({"score": "string[pyarrow]"}),
    "decimals": FRAME.assign(score=[Decimal(repr(score)) for score in FRAME["score"]]),
    "decimals of Arrow": FRAME.assign(score=DECIMALS),
    "categories": FRAME.assign(score=FRAME["score"].astype(str).astype("category")),
    "nullable": FRAME.astype({"score": "Float64"}),
    "names in the index": FRAME.set_index(NAMES),
    "some names in the index": FRAME.set_index(["dataset", "instance"]),
    "a name in the index beside a remark": FRAME.assign(remark="new").set_index(["dataset", "remark"]),
    "wide form, names in the index": FRAME.pivot_table("score", ["dataset", "instance"], "system"),
}


@pytest.fixture(scope="module")
def expected() -> pd.DataFrame:
    """Return the outcomes of the plain frame."""
    return reportkit.compare(FRAME, "a", "b").outcomes


@pytest.mark.parametrize("form", FORMS)
def test_both_doors_take_the_same_frames(form: str, expected: pd.DataFrame) -> None:
    """Scores of any type that are numbers, and names in the index, through the accessor and through the function."""
    before = FORMS[form].copy()
    pd.testing.assert_frame_equal(FORMS[form].replic.compare("a", "b").outcomes, expected)
    pd.testing.assert_frame_equal(reportkit.compare(FORMS[form], "a", "b").outcomes, expected)
    pd.testing.assert_frame_equal(FORMS[form], before)


def test_names_in_the_index_may_be_called_otherwise() -> None:
    """A level that is no name that is recognised is named like a column."""
    frame = FRAME.rename(columns={"system": "who"}).set_index(["who", "dataset", "instance"])
    assert frame.replic(system="who").read().systems == ("a", "b")
    assert reportkit.read(frame, columns={"system": "who"}).systems == ("a", "b")


def test_an_index_that_is_not_needed_changes_nothing() -> None:
    """A name of the index that repeats a column, or that no role asks for, plays no role."""
    for frame in (FRAME.set_index("instance", drop=False), FRAME.rename_axis("id"), FRAME.rename_axis("seed")):
        results = reportkit.read(frame)
        assert results.columns == reportkit.read(FRAME).columns
        assert set(results.unused_columns) <= {"id", "seed"}


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": [1.0]}),
        pd.DataFrame({name: pd.to_datetime(["2020-01-01"]) for name in "abc"}),
        pd.DataFrame({name: pd.to_timedelta([1], unit="s") for name in "abc"}),
        pd.DataFrame({"x": [1.0]}, index=pd.Index([0], name="y")),
    ],
)
def test_frames_that_hold_no_results_have_no_accessor(frame: pd.DataFrame) -> None:
    """Too few columns, or dates only: `hasattr` is False, editors do not offer it, and the message says why."""
    assert not hasattr(frame, "replic")
    with pytest.raises(AttributeError, match="replic needs"):
        _ = frame.replic


@pytest.mark.parametrize("dtype", ["uint64", "UInt64", "uint64[pyarrow]"])
def test_ids_at_the_end_of_the_integers_stay_themselves(dtype: str) -> None:
    """2^64 - 1 and its neighbours are no floats, and no negative numbers."""
    ids = [2**64 - 1 - number for number in range(30)] * 2
    frame = FRAME.assign(instance=pd.Series(np.array(ids, dtype="uint64")).astype(dtype))
    assert sorted(reportkit.read(frame).datasets[0].instance_names) == sorted(map(str, ids[:30]))
