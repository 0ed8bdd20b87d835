"""The table of estimators: numbers as they are printed, a heading for each dataset, signs at their ends."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.report.reproducibility.reproducibility_table import one_repartition_table, reproducibility_table
from reportkit.report.text.wording import plain
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
