"""What a user calls and holds: one function for a frame and a file, the accessor, and their results."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import reportkit
from reportkit.errors import DesignError, ReadingError, SettingsError, UnknownNameError
from reportkit.reproducibility_analysis import performance_table, reproducibility_table
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
        assert read.data.read.digest == result.data.read.digest
        pd.testing.assert_frame_equal(read.to_frame(), result.to_frame())
    with pytest.raises(ReadingError, match="there is no file"):
        reportkit.reproducibility(tmp_path / "q.csv")


def test_labels_that_look_like_missing_values_stay(tmp_path):
    """A label called NA is a label in a file."""
    frame = predictions_frame().replace({"gold": {"n": "NA"}, "prediction": {"n": "NA"}})
    frame.to_csv(tmp_path / "p.csv", index=False)
    assert reportkit.reproducibility(tmp_path / "p.csv").to_frame()["n"].tolist() == [20] * 5


def test_two_systems_need_not_be_named(frame):
    """They are taken by name; one named system stands first, or second."""
    assert reportkit.reproducibility(frame).data.system_a == "new"
    assert reportkit.reproducibility(frame, "old").data.system_b == "new"
    assert reportkit.reproducibility(frame, None, "new").data.system_a == "old"
    with pytest.raises(UnknownNameError, match="newt"):
        reportkit.reproducibility(frame, "newt")
    with pytest.raises(SettingsError, match="compared with itself"):
        reportkit.reproducibility(frame, "new", "new")


def test_of_three_systems_two_have_to_be_named():
    """Which two are meant cannot be guessed."""
    frame = estimates_frame({"Avg": [0.1] * 20})
    more = pd.concat([frame, frame[frame["system"] == "new"].assign(system="third")])
    with pytest.raises(SettingsError, match="hold 3 systems"):
        reportkit.reproducibility(more)
    assert reportkit.reproducibility(more, "third", "old").to_frame()["reproducibility"].tolist() == [1.0]


def test_the_frame_is_the_table_of_the_mathematics(result):
    """As `reproducibility_table` gives it for the estimates."""
    wanted = pd.DataFrame(reproducibility_table(result.data.resplits[0].estimates))
    pd.testing.assert_frame_equal(result.to_frame(), wanted.rename(columns={"method": "estimator"}))


def test_several_datasets_have_a_column():
    """Named in the frame; absent with one."""
    frame = pd.concat([estimates_frame({"Avg": np.linspace(-1, 2, 20)}, dataset=name) for name in "ab"])
    result = frame.replic.reproducibility("new", "old")
    assert result.to_frame()["dataset"].tolist() == ["a", "b"]


@pytest.mark.slow
def test_several_systems_against_a_baseline_are_corrected():
    """Intervals of three systems at 1 - .05 / 3; of one cross-validation Holm's p-values; no other baseline."""
    rng = np.random.default_rng(4)
    rows = [
        {"system": name, "repeat": repeat, "estimator": "Avg", "value": 0.8 + gain + rng.normal(0, 0.01)}
        for name, gain in (("a", 0.01), ("b", 0.0), ("c", 0.02), ("base", 0.0))
        for repeat in range(30)
    ]
    frame = pd.DataFrame(rows)
    found = frame.replic.reproducibility(baseline="base")
    assert found["system"].tolist() == ["a", "b", "c"]
    alone = frame.replic.reproducibility("c", "base", confidence_level=1 - 0.05 / 3).to_frame()
    assert found.iloc[2][["low", "high"]].tolist() == alone.iloc[0][["low", "high"]].tolist()
    folds = pd.DataFrame(
        {"system": name, "replicate": i // 2, "fold": i % 2, "score": 0.8 + gain + rng.normal(0, 0.01)}
        for name, gain in (("a", 0.05), ("b", 0.0), ("base", 0.0))
        for i in range(6)
    )
    found = folds.replic.reproducibility(baseline="base")
    assert found["adjusted_p_value"].tolist() == multipletests(found["p_value"], method="holm")[1].tolist()
    with pytest.raises(UnknownNameError, match="did you mean 'base'"):
        frame.replic.reproducibility(baseline="bse")
    with pytest.raises(SettingsError, match="or a baseline alone"):
        frame.replic.reproducibility("a", baseline="base")


def test_performance_is_the_mean_over_re_splits(result):
    """Table 3 of Xue et al.: Student's interval by SciPy."""
    values = result.data.resplits[0].by_system["Avg"][:, 0]
    table = performance_table({"new": values})
    interval = stats.t.interval(0.95, 19, values.mean(), stats.sem(values))
    assert (table["low"][0], table["high"][0]) == pytest.approx(interval)
    assert table["standard_error"][0] == pytest.approx(stats.sem(values))


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
    with pytest.raises(DesignError, match="there is no figure"):
        one.figure()
