"""The report on re-splitting: its tables, what it says, and what is in report.json."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from reportkit.analysis.presentation import BuiltReport
from reportkit.rendering.report_files import rendered
from reportkit.report.model import Itemize
from reportkit.report.reproducibility.build import build_reproducibility
from reportkit.report.rounding import rounded
from reportkit.report.tokens import plain
from reportkit.reproducibility_analysis.study import resplit_study
from reportkit.scores.resplits import resplits_from_frame
from tests.reproducibility_analysis.resplit_cases import estimates_frame, predictions_frame

VALUES = {
    "ST": np.linspace(-0.02, 0.03, 40),
    "RS6": np.linspace(-0.01, 0.011, 40),
    "Avg": np.linspace(-0.0103, 0.02, 40),
    "Vote": np.linspace(0.02, -0.0103, 40),
}


def report_of(frame, *systems, source="predictions.csv"):
    """From a frame to the report on "new" and "old"."""
    return build_reproducibility(resplit_study(resplits_from_frame(frame, source=source), *systems or ("new", "old")))


def rows_of(report):
    """Cells of the only table as plain text."""
    (table,) = report.tables
    return [[plain(cell.text) for cell in row.cells] for row in table.rows]


def outcomes(report):
    """Return what came out, an item for each dataset."""
    (items,) = (block.items for block in report.sections[2].blocks if isinstance(block, Itemize))
    return [plain(item) for item in items]


@pytest.fixture(scope="module")
def predicted():
    """Return the report on predictions of 20 re-partitions."""
    return report_of(predictions_frame())


def test_a_row_by_hand():
    """32 of 40 above 0: .800 with [.652, .895], SNR 1.02, bound .509, Phi .846; differences in percentage points."""
    (row,) = rows_of(report_of(estimates_frame({"ST": [0.02, 0.01, -0.01, 0.03, 0.02] * 8})))
    assert row == ["ST", "1.4", "1.4", "1.02", ".800", "[.652, .895]", ".509", ".846"]


def test_scores_of_another_scale_are_no_percentages():
    """Perplexities stay as they are."""
    report = report_of(estimates_frame({"Avg": np.linspace(1, 2, 20)}).assign(value=lambda rows: 100 * rows["value"]))
    assert "percentage" not in plain(report.tables[0].caption)
    assert rows_of(report)[0][1] == "150.0"


def test_estimates_that_never_differ():
    """An infinite SNR is written as such, and a share of all is 1; JSON has no infinite number."""
    report = report_of(estimates_frame({"ST": [0.25] * 20}))
    assert rows_of(report)[0][3:5] == ["∞", "1"]
    assert report.data["reproducibility"]["datasets"][0]["estimators"][0]["snr"] is None
    assert math.isfinite(len(rendered(report)))


def test_machines_get_the_same_numbers(predicted):
    """To nine digits, by estimator; the kind of the report says what it is."""
    study = resplit_study(resplits_from_frame(predictions_frame()), "new", "old")
    assert predicted.data["kind"] == "reproducibility"
    (dataset,) = predicted.data["reproducibility"]["datasets"]
    for entry in dataset["estimators"]:
        result = study.resplits[0].results[entry["estimator"]]
        assert (entry["snr"], entry["reproducibility"]) == rounded((result.snr, result.proportion))
        assert (entry["low"], entry["high"], entry["cantelli"]) == rounded((result.low, result.high, result.cantelli))


@pytest.mark.slow
def test_it_is_written_and_read_back(predicted, tmp_path):
    """All formats, and an equal report from report.json alone."""
    BuiltReport(predicted).save(tmp_path / "r")
    again = BuiltReport.read(tmp_path / "r").model
    assert (again.title, again.sections, again.signature) == (predicted.title, predicted.sections, predicted.signature)
    content = json.loads((tmp_path / "r" / "report.json").read_text("utf-8"))
    assert {"report.tex", "report.html", "paragraph.md", "figures/estimators.pdf"} <= set(content["files"])
