"""What a user calls and holds: one function for a frame and a file, the accessor, and their results."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.errors import DesignError, ReadingError, UnknownNameError
from reportkit.reproducibility_analysis import reproducibility_table
from tests.reproducibility_analysis.resplit_cases import estimates_frame, predictions_frame


@pytest.fixture(scope="module")
def frame():
    """Twenty re-partitions of 24 instances."""
    return predictions_frame()


@pytest.fixture(scope="module")
def result(frame):
    """The same, from the function."""
    return reportkit.reproducibility(frame, "new", "old")


def test_a_file_and_a_frame_give_the_same(frame, result, tmp_path):
    """CSV, compressed or not, and Parquet; digest and numbers."""
    frame.to_csv(tmp_path / "p.csv.gz", index=False)
    frame.to_parquet(tmp_path / "p.parquet")
    for name in ("p.csv.gz", "p.parquet"):
        read = reportkit.reproducibility(tmp_path / name, "new", "old")
        assert read.data.digest == result.data.digest
        pd.testing.assert_frame_equal(read.to_frame(), result.to_frame())
    with pytest.raises(ReadingError, match="there is no file"):
        reportkit.reproducibility(tmp_path / "q.csv")


def test_labels_that_look_like_missing_values_stay(tmp_path):
    """A label called NA is a label in a file."""
    frame = predictions_frame().replace({"gold": {"n": "NA"}, "prediction": {"n": "NA"}})
    frame.to_csv(tmp_path / "p.csv", index=False)
    assert reportkit.reproducibility(tmp_path / "p.csv").to_frame()["n"].tolist() == [20] * 5


def test_the_accessor_is_the_same(frame, result):
    """`df.replic.reproducibility`, and with columns of other names."""
    pd.testing.assert_frame_equal(frame.replic.reproducibility("new", "old").to_frame(), result.to_frame())
    renamed = frame.rename(columns={"prediction": "said"})
    pd.testing.assert_frame_equal(
        renamed.replic(prediction="said").reproducibility("new", "old").to_frame(), result.to_frame()
    )


def test_the_frame_is_the_table_of_the_mathematics(result):
    """As `reproducibility_table` gives it for the estimates."""
    wide = result.estimates.pivot_table(index="repeat", columns="estimator", values="difference")
    wanted = pd.DataFrame(reproducibility_table({name: wide[name] for name in result.to_frame()["estimator"]}))
    pd.testing.assert_frame_equal(result.to_frame(), wanted.rename(columns={"method": "estimator"}))


def test_several_datasets_have_a_column():
    """Named in the frame; absent with one."""
    frame = pd.concat([estimates_frame({"Avg": np.linspace(-1, 2, 20)}, dataset=name) for name in "ab"])
    result = frame.replic.reproducibility("new", "old")
    assert result.to_frame()["dataset"].tolist() == ["a", "b"]


def test_formats_and_figures(result):
    """LaTeX, Markdown, HTML, words, both figures."""
    assert r"\toprule" in result.to_latex()
    assert "| ST | " in " ".join(result.to_markdown().split())
    assert "<table" in result._repr_html_()
    assert "re-partitions" in repr(result)
    for name in ("estimators", "snr-and-reproducibility"):
        assert result.figure(name).axes
    with pytest.raises(UnknownNameError, match="estimators"):
        result.figure("estimator")


def test_one_repartition(result):
    """A frame with the t-test; no figure."""
    one = reportkit.reproducibility(predictions_frame(1), "new", "old")
    test = one.data.resplits[0].t_test
    assert one.to_frame().loc[0, "p_value"] == test.p_greater
    with pytest.raises(DesignError, match="there is one re-partition"):
        one.figure()
