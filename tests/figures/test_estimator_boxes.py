"""Box plots of estimates: quartiles, mean, nothing left out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.figures.drawings import drawing
from reportkit.figures.estimator_boxes import estimator_boxes_content
from reportkit.reproducibility_analysis.study import resplit_study
from reportkit.scores.resplits import resplits_from_frame
from tests.reproducibility_analysis.resplit_cases import estimates_frame


def study_of(n_datasets=1, seed=1):
    """Estimates with a few outliers."""
    rng = np.random.default_rng(seed)
    frames = [
        estimates_frame(
            {name: 0.01 * rng.standard_t(3, 60) for name in ("ST", "Avg", "Vote")}, dataset=f"task {number}"
        )
        for number in range(n_datasets)
    ]
    return resplit_study(resplits_from_frame(pd.concat(frames)), "new", "old")


def test_boxes_are_those_of_the_estimates():
    """Quartiles as NumPy has them, mean, nothing left out; in points, times 100."""
    study = study_of()
    content = estimator_boxes_content(study, in_percent=True)
    for box in content.groups[0].boxes:
        names = ("q1", "med", "q3")
        values = 100 * study.resplits[0].estimates[box.method]
        assert [getattr(box, name) for name in names] == pytest.approx(np.quantile(values, [0.25, 0.5, 0.75]).tolist())
        assert sorted([*box.fliers, box.whislo, box.whishi])[0] == pytest.approx(values.min())
        assert box.mean == pytest.approx(values.mean())
    assert any(box.fliers for box in content.groups[0].boxes)


def test_words_name_the_widest_box():
    """And the estimators whose box holds 0."""
    values = {"ST": np.linspace(-1, 1, 20), "Avg": np.linspace(0.2, 0.4, 20)}
    study = resplit_study(resplits_from_frame(estimates_frame(values, dataset="tweets")), "new", "old")
    words = drawing("estimator-boxes").alt_text(estimator_boxes_content(study, in_percent=False))
    assert "tweets: widest ST (1.000), narrowest Avg (0.100); 0 lies within: ST." in words
