"""The report on re-splitting: its tables, what it says, and what is in report.json."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest

from reportkit.analysis.presentation import BuiltReport
from reportkit.rendering.report_files import rendered
from reportkit.report.model import Itemize
from reportkit.report.reproducibility.build import build_reproducibility
from reportkit.report.rounding import rounded
from reportkit.report.tokens import cite, plain
from reportkit.reproducibility_analysis.reproducibility import SCOPE
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


def test_several_datasets():
    """Each has a heading, its estimators below, both mixtures among them; names keep their letters."""
    report = report_of(pd.concat([estimates_frame(VALUES, dataset=name) for name in ("sst2", "cola")]))
    assert [plain(row.cells[0].text) for row in report.tables[0].rows if row.heading] == ["cola", "sst2"]
    assert [row[0] for row in rows_of(report)][3:7] == ["Avg", "Vote", "Mixture (A over B)", "Mixture (B over A)"]
    assert "The last mixture is of B minus A." in plain(report.tables[0].legend)
    words = plain(report.sections[0].blocks[0].content)
    assert words.startswith("We split cola and sst2 at random into halves for training and testing, 40 times each")
    assert words.count(SCOPE) == 1
    assert cite("xue2023reproducibility") in report.sections[0].blocks[0].content


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


def test_one_repartition_is_a_t_test():
    """No figure, no share: t, degrees of freedom, p-value and a plug-in value that is called so."""
    report = report_of(predictions_frame(1))
    assert [table.name for table in report.tables] == ["blocked-t"]
    assert (report.figures, report.findings) == ((), ())
    assert rows_of(report)[0][5] == "5"
    words = " ".join((plain(report.sections[0].blocks[0].content), *outcomes(report)))
    assert "corrected t-test of the 6 hold-out differences" in words
    assert "plug-in value" in words
    assert words.count(SCOPE) == 1
    assert "Wilson" not in words


def test_few_datasets_are_told_in_full_and_many_in_counts():
    """With one, everything known of average and vote; with three, how often each was in favour of A."""
    (full,) = outcomes(report_of(estimates_frame(VALUES)))
    assert "The Avg estimate was in favour of new over old in 26 of 40 independent re-partitions" in full
    vote, average = VALUES["Vote"], VALUES["Avg"]
    for_a, for_b = np.maximum(vote, average) > 0, np.minimum(vote, average) < 0
    assert f"in favour of new in {for_a.mean():.1%} and in favour of old in {for_b.mean():.1%}" in full
    assert f"in {(for_a & for_b).mean():.1%} it calls each better than the other" in full
    ratio = VALUES["ST"].std(ddof=1) / VALUES["RS6"].std(ddof=1)
    assert f"The standard deviation of ST is {ratio:.2f} times that of RS6; independent splits give 2.45" in full
    short = outcomes(report_of(pd.concat([estimates_frame(VALUES, dataset=name) for name in "abc"])))
    assert short[0].startswith("a. In favour of new over old: Avg in 26 and Vote in 26 of 40 re-partitions.")


def test_every_estimator_is_explained():
    """One item for each in the table, both mixtures in one, as one-directional by construction."""
    items = [plain(item) for item in report_of(estimates_frame(VALUES)).sections[1].blocks[0].items]
    assert [item.split()[0] for item in items] == ["ST", "RS6", "Avg", "Vote", "Mixture"]
    assert "mean of 6 hold-outs" in items[1]
    assert "one-directional by construction" in items[-1]


def test_parts(predicted):
    """A paragraph of its own, the table, both figures; a warning with 20 re-partitions; the signature."""
    assert [table.name for table in predicted.tables] == ["reproducibility"]
    assert [figure.name for figure in predicted.figures] == ["estimators", "snr-and-reproducibility"]
    assert [item.code for item in predicted.findings] == ["few-repartitions"]
    assert predicted.sections[0].blocks[0].name == "paragraph"
    assert predicted.signature.line.endswith(
        "|metric:accuracy|cv:3x2|est:ST+Avg+Vote+Mixture|R:20|level:.95|datasets:1"
    )


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
