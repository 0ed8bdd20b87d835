"""Calibration end to end, as a user asks for it: a known null is called calibrated, known violations are named."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.errors import ColumnError, DesignError, SettingsError, UnknownNameError


def long_form(scores, *, dataset="news", systems=None, **columns):
    """Rows of a matrix of scores with one row per system."""
    scores = np.asarray(scores, dtype=np.float64)
    names = [f"s{index:02}" for index in range(len(scores))] if systems is None else systems
    n = scores.shape[1]
    frame = pd.DataFrame(
        {
            "system": np.repeat(names, n),
            "dataset": dataset,
            "instance": [f"{dataset}-{index:04}" for index in range(n)] * len(names),
            "score": scores.ravel(),
        }
    )
    for name, values in columns.items():
        frame[name] = np.tile(values, len(names))
    return frame


@pytest.fixture(scope="module")
def two_alike():
    """Two equally good systems with normal scores."""
    return long_form(np.random.default_rng(3).normal(size=(2, 150)), systems=["new", "old"])


@pytest.fixture(scope="module")
def many():
    """Twelve systems of three families on two datasets."""
    rng = np.random.default_rng(0)
    frames = []
    for dataset in ("news", "talks"):
        level = np.linspace(0, 0.6, 12)[:, None]
        kin = np.repeat(rng.normal(size=(3, 240)), 4, axis=0)
        frames.append(long_form(level + kin + 0.6 * rng.normal(size=(12, 240)), dataset=dataset))
    frame = pd.concat(frames, ignore_index=True)
    return frame.assign(family="f" + (frame["system"].str[1:].astype(int) // 4).astype(str))


@pytest.fixture(scope="module")
def found(many):
    """A quick study of them."""
    return many.replic.calibrate(quick=True, toy=True, n_replicates=200, n_subsamples=20, max_tests=700, n_families=200)


def _runs(n_systems):
    rng = np.random.default_rng(5)
    frames = []
    for number in range(n_systems):
        instance = rng.normal(size=60)
        for seed in range(6):
            scores = instance + 0.7 * rng.normal() + rng.normal(size=60)
            frames.append(long_form(scores[None, :], systems=[f"s{number:02}"]).assign(seed=seed))
    return pd.concat(frames, ignore_index=True)


def test_several_runs_make_no_null_hypothesis():
    """It is made from one score per instance, which is said once."""
    with pytest.raises(DesignError, match="nothing can be calibrated") as caught:
        _runs(2).replic.calibrate(parts=("null",))
    assert str(caught.value).count("there are several runs") == 1


@pytest.mark.slow
def test_frames_hold_what_was_found(found):
    """All pairs on both datasets, within and across families; bins and domains with counts."""
    assert len(found["pairs"]) == 2 * 66
    assert found["pairs"]["same_family"].sum() == 2 * 3 * 6
    assert set(found["thresholds"]["group"]) == {"all", "same family", "different families"}
    hidden = found["thresholds"]["n_in_window"] < 20
    assert found["thresholds"].loc[hidden, "threshold"].isna().all()
    assert found["thresholds"].loc[~hidden, "threshold"].notna().all()
    assert found["bins"].loc[found["bins"]["n"] < 20, "share"].isna().all()
    assert found["bins"].loc[found["bins"]["n"] >= 20, "share"].between(0, 1).all()
    at_level = found["domains"].dropna(subset=["source"])
    assert list(zip(at_level["source"], at_level["target"], strict=True)) == [("news", "talks"), ("talks", "news")]
    assert {"median_p", "detectable"} <= set(found["sizes"].columns)
    assert found["toy"].loc[found["toy"]["design"] == "independent", "printed"].tolist() == [0.963, 0.001, 0.021]


@pytest.mark.slow
def test_pairs_have_the_p_values_of_a_comparison(found, many):
    """The p-value of a pair is that of `compare` with the same test on the same dataset."""
    row = found["pairs"].iloc[3]
    one = many[many["dataset"] == row["dataset"]].replic.compare(row["winner"], row["loser"], test="paired-bootstrap")
    assert row["p_value"] == pytest.approx(float(one.outcomes["p_value"].iloc[0]), rel=1e-9)
    assert row["gain"] == pytest.approx(float(one.outcomes["difference"].iloc[0]), rel=1e-9)


@pytest.mark.slow
def test_the_report_is_written_and_read_back(found, tmp_path):
    """All formats; figures are drawn again from report.json alone; the content for machines is strict JSON."""
    files = {str(path.relative_to(tmp_path / "out")) for path in found.save(tmp_path / "out")}
    assert {"report.tex", "report.html", "report.json", "references.bib"} <= files
    for name in ("null-sizes", "k-hat-null", "gain-thresholds", "test-sizes", "bins", "transfers", "toy"):
        assert f"tables/{name}.tex" in files
    assert {f"figures/{name}.pdf" for name in found.figures} <= files
    content = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert content["kind"] == "calibration"
    assert len(content["pairs"]) == 132
    again = reportkit.BuiltReport.read(tmp_path / "out")
    assert again.model == found.report().model
    assert again.to_latex() == found.report().to_latex()


@pytest.mark.slow
def test_words_and_representations(found):
    """What a terminal and a notebook show."""
    assert repr(found).startswith("Calibration of 12 systems on news and talks\n")
    assert "<table" in found._repr_html_()
    assert found.table("bins").caption.startswith("Share of winners that are the better system, by the ")
    with pytest.raises(UnknownNameError, match="gain-confidence"):
        found.figure("gain-confidenc")
    with pytest.raises(UnknownNameError, match="null-sizes"):
        found.table("null-size")


@pytest.mark.slow
def test_the_same_seed_gives_the_same_report(two_alike):
    """Rows in another order: the same words and frames, to the last bit; another seed: others."""
    options = {"parts": ("null", "joint", "sizes"), "n_replicates": 100, "n_subsamples": 10}
    one = two_alike.replic.calibrate("new", "old", **options)
    same = two_alike.sample(frac=1, random_state=1).replic.calibrate("new", "old", **options)
    other = two_alike.replic.calibrate("new", "old", rng=1, **options)
    pd.testing.assert_frame_equal(one["null"], same["null"])
    pd.testing.assert_frame_equal(one["sizes"], same["sizes"])
    assert one.summary() == same.summary()
    assert (one["sizes"]["median_p"] != other["sizes"]["median_p"]).any()


def test_what_cannot_be_had_is_said(two_alike):
    """Two systems are one pair and one dataset is no family: left out, with reasons, and nothing is invented."""
    found = two_alike.replic.calibrate(quick=True, n_replicates=50)
    parts = {item.part for item in found.study.omissions}
    assert parts == {"joint", "pairs", "bins", "domains"}
    assert "2 systems are too few to compare pairs of them" in found.report().to_markdown()
    assert found["pairs"].empty
    assert list(found["bins"].columns)[:3] == ["dataset", "above", "up_to"]


@pytest.mark.slow
def test_families_by_mapping_and_by_column(many):
    """Both give the same groups; what does not fit is refused with a reason."""
    options = {"parts": ("pairs",)}
    groups = {f"f{number}": [f"s{4 * number + k:02}" for k in range(4)] for number in range(3)}
    without = many.drop(columns="family")
    by_mapping = without.replic.calibrate(families=groups, **options)
    by_column = many.rename(columns={"family": "base"}).replic.calibrate(families="base", **options)
    pd.testing.assert_frame_equal(by_mapping["pairs"], by_column["pairs"])
    assert "same_family" not in without.replic.calibrate(**options)["pairs"]
    with pytest.raises(UnknownNameError, match="family of system"):
        without.replic.calibrate(families={"f0": ["s00"]}, **options)
    with pytest.raises(ColumnError, match="read from column 'base'"):
        many.replic.calibrate(families="base", **options)
    with pytest.raises(ColumnError, match="no family, or several, in column"):
        many.assign(base=np.arange(len(many)).astype(str)).replic.calibrate(families="base", **options)
    with pytest.raises(SettingsError, match="names a column"):
        reportkit.calibrate(reportkit.read(many), families="family")


def test_a_baseline_is_paired_with_every_other_system(many):
    """Eleven pairs on two datasets."""
    one = many[many["dataset"] == "news"]
    found = one.replic.calibrate(baseline="s00", parts=("null",), null="signflip", n_replicates=20)
    assert len(found["null"]) == 11
    assert set(found["null"]["system_b"]) == {"s00"}


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (("s00",), {}, SettingsError, "nothing says which two"),
        (("s00", "s99"), {}, UnknownNameError, "s99"),
        (("s00", "s00"), {}, SettingsError, "compared with itself"),
        (("s00", "s01"), {"baseline": "s02"}, SettingsError, "two systems and a baseline"),
        ((), {"parts": ("nulls",)}, UnknownNameError, "null"),
        ((), {"null": "signflips"}, UnknownNameError, "signflip"),
        ((), {"n_replicates": 0}, SettingsError, "n_replicates"),
        ((), {"test": "wilcoxn"}, UnknownNameError, "wilcoxon"),
        ((), {"confidence_level": 1.5}, SettingsError, "1.5"),
    ],
)
def test_mistakes_are_refused(many, arguments, options, error, message):
    """What makes no sense is refused with what to do."""
    with pytest.raises(error, match=message):
        many.replic.calibrate(*arguments, **options)
