"""The report on re-splitting, and its tables."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

from reportkit.analysis.report import BuiltReport
from reportkit.rendering.report_files import rendered
from reportkit.report.reproducibility.reproducibility_report import (
    build_reproducibility,
    one_repartition_table,
    reproducibility_table,
)
from reportkit.report.rounding import rounded
from reportkit.report.tokens import plain
from reportkit.reproducibility_analysis.study import resplit_study
from reportkit.scores.resplits import resplits_from_frame
from tests.reproducibility_analysis.resplit_cases import estimates_frame, predictions_frame


def rows_of(table):
    """Cells as plain text."""
    return [[plain(cell.text) for cell in row.cells] for row in table.rows]


def study_of(frame):
    """From a frame to the study."""
    return resplit_study(resplits_from_frame(frame), "new", "old")


def test_a_row_by_hand():
    """32 of 40 above 0: .800 with [.652, .895], SNR 1.02, bound .509, Phi .846; differences in percentage points."""
    (row,) = rows_of(reproducibility_table(study_of(estimates_frame({"ST": [0.02, 0.01, -0.01, 0.03, 0.02] * 8}))))
    assert row == ["ST", "1.4", "1.4", "1.02", ".800", "[.652, .895]", ".509", ".846"]


def test_datasets_have_headings():
    """Each with its estimators below, both mixtures among them."""
    values = {"Avg": np.linspace(-0.01, 0.02, 20), "Vote": np.linspace(0.02, -0.01, 20)}
    frame = pd.concat([estimates_frame(values, dataset=name) for name in ("tweets", "reviews")])
    table = reproducibility_table(study_of(frame))
    headings = [plain(row.cells[0].text) for row in table.rows if row.heading]
    assert headings == ["reviews", "tweets"]
    assert [row[0] for row in rows_of(table)][1:5] == ["Avg", "Vote", "Mixture (A over B)", "Mixture (B over A)"]
    assert "The last mixture is of B minus A." in plain(table.legend)


def test_scores_of_another_scale_are_no_percentages():
    """Perplexities stay as they are."""
    frame = estimates_frame({"Avg": np.linspace(1, 2, 20)}).assign(value=lambda rows: 100 * rows["value"])
    table = reproducibility_table(study_of(frame))
    assert "percentage" not in plain(table.caption)
    assert rows_of(table)[0][1:3] == ["150", "30"] or rows_of(table)[0][1] == "150.0"


def test_estimates_that_never_differ():
    """An infinite SNR is written as such, and a share of all is 1."""
    (row,) = rows_of(reproducibility_table(study_of(estimates_frame({"ST": [0.25] * 20}))))
    assert row[3:5] == ["∞", "1"]


def test_one_repartition_is_a_t_test():
    """One row per dataset with t, degrees of freedom, one-sided p-value and plug-in value."""
    study = study_of(predictions_frame(1))
    (row,) = rows_of(one_repartition_table(study))
    test = study.resplits[0].t_test
    assert row[4:6] == [f"{test.statistic:.2f}".replace("-", "−"), "5"]
    with pytest.raises(ValueError, match="several re-partitions"):
        one_repartition_table(study_of(predictions_frame(20)))


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


@pytest.mark.slow
def test_it_is_written_and_read_back(study, tmp_path):
    """All formats, the same bytes twice, and an equal report from report.json alone."""
    report = build_reproducibility(study)
    BuiltReport(report).save(tmp_path / "r")
    again = BuiltReport.read(tmp_path / "r").model
    assert (again.title, again.sections, again.signature) == (report.title, report.sections, report.signature)
    assert rendered(again)[0].keys() == rendered(report)[0].keys()
    assert rendered(report) == rendered(report)
    content = json.loads((tmp_path / "r" / "report.json").read_text("utf-8"))
    assert {"report.tex", "report.html", "paragraph.md", "figures/estimators.pdf"} <= set(content["files"])


def test_one_repartition_has_no_figure():
    """There is no spread to be drawn."""
    study = resplit_study(resplits_from_frame(predictions_frame(1)), "new", "old")
    report = build_reproducibility(study)
    assert [table.name for table in report.tables] == ["blocked-t"]
    assert report.figures == ()
    assert report.findings == ()


@pytest.mark.slow
def test_hostile_names_go_through(tmp_path):
    """Names with signs of TeX, HTML and Markdown are escaped in every file."""
    frame = estimates_frame({"Avg": [0.1, -0.2] * 20}, systems=("R&D_50%", "<b>#1|$x$"), dataset="a_b\\c")
    study = resplit_study(resplits_from_frame(frame))
    files, _ = rendered(build_reproducibility(study))
    assert rb"R\&D\_50\%" in files["report.tex"]
    assert b"<b>#1" not in files["report.html"]
