"""The report on re-splitting as a whole: parts, signature, data for machines, all formats."""

from __future__ import annotations

import json
import math

import pytest

from reportkit.analysis.report import BuiltReport
from reportkit.rendering.files.write import rendered
from reportkit.report.reproducibility.reproducibility_report import build_reproducibility
from reportkit.report.rounding import rounded
from reportkit.reproducibility_analysis.study import resplit_study
from reportkit.scores.resplits import resplits_from_frame
from tests.reproducibility_analysis.resplit_cases import estimates_frame, predictions_frame


@pytest.fixture(scope="module")
def study():
    """Predictions of two systems on 20 re-partitions."""
    return resplit_study(resplits_from_frame(predictions_frame(), source="predictions.csv"), "new", "old")


def test_parts(study):
    """A paragraph of its own, the table, both figures; a warning with 20 re-partitions."""
    report = build_reproducibility(study)
    assert [table.name for table in report.tables] == ["reproducibility"]
    assert [figure.name for figure in report.figures] == ["estimators", "snr-and-reproducibility"]
    assert [item.code for item in report.findings] == ["few-repartitions"]
    assert report.sections[0].blocks[0].name == "paragraph"


def test_signature(study):
    """What was computed from what: metric, design, estimators, R, level."""
    line = build_reproducibility(study).signature.line
    assert line.startswith("reportkit:")
    assert line.endswith("|metric:accuracy|cv:3x2|est:ST+Avg+Vote+Mixture|R:20|level:.95|datasets:1")
    assert f"|data:predictions.csv|sha256:{study.digest[:12]}|" in line


def test_machines_get_the_same_numbers(study):
    """To nine digits, by estimator; the kind of the report says what it is."""
    data = build_reproducibility(study).data
    assert data["kind"] == "reproducibility"
    (dataset,) = data["reproducibility"]["datasets"]
    for entry in dataset["estimators"]:
        result = study.resplits[0].results[entry["estimator"]]
        assert (entry["snr"], entry["reproducibility"]) == rounded((result.snr, result.proportion))
        assert (entry["low"], entry["high"], entry["cantelli"]) == rounded((result.low, result.high, result.cantelli))


def test_an_infinite_ratio_is_no_number_for_machines():
    """JSON has none: null."""
    frame = estimates_frame({"ST": [0.25] * 20})
    report = build_reproducibility(resplit_study(resplits_from_frame(frame), "new", "old"))
    assert report.data["reproducibility"]["datasets"][0]["estimators"][0]["snr"] is None
    assert math.isfinite(len(rendered(report)))


def test_it_is_written_and_read_back(study, tmp_path):
    """All formats, the same bytes twice, and an equal report from report.json alone."""
    report = build_reproducibility(study)
    BuiltReport(report).save(tmp_path / "r")
    again = BuiltReport.read(tmp_path / "r").model
    assert (again.title, again.sections, again.signature) == (report.title, report.sections, report.signature)
    assert rendered(again).keys() == rendered(report).keys()
    assert rendered(report) == rendered(report)
    content = json.loads((tmp_path / "r" / "report.json").read_text("utf-8"))
    assert {"report.tex", "report.md", "report.html", "tables/reproducibility.csv", "figures/estimators.pdf"} <= set(
        content["files"]
    )


def test_one_repartition_has_no_figure():
    """There is no spread to be drawn."""
    study = resplit_study(resplits_from_frame(predictions_frame(1)), "new", "old")
    report = build_reproducibility(study)
    assert [table.name for table in report.tables] == ["blocked-t"]
    assert report.figures == ()
    assert report.findings == ()


def test_hostile_names_go_through(tmp_path):
    """Names with signs of TeX, HTML and Markdown are escaped in every file."""
    frame = estimates_frame({"Avg": [0.1, -0.2] * 20}, systems=("R&D_50%", "<b>#1|$x$"), dataset="a_b\\c")
    study = resplit_study(resplits_from_frame(frame))
    files = rendered(build_reproducibility(study))
    assert rb"R\&D\_50\%" in files["report.tex"]
    assert b"<b>#1" not in files["report.html"]
